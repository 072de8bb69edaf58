// Moves the value of a clamp, or lays a clamp and takes it back. For each: from the event until the answer is laid out, and until the
// second animation frame after that, when it is on screen.
async ({ kind, count }) => {
  const deep = (selector, root = document) => root.querySelector(selector)
    ?? [...root.querySelectorAll('*')].reduce((found, element) => found ?? (element.shadowRoot && deep(selector, element.shadowRoot)), null);
  const frame = () => new Promise(requestAnimationFrame);
  const value = deep('#surgery-value'), [clamp] = [...deep('.sg-controls').querySelectorAll('button')], [undo] = [...deep('.sg-row').querySelectorAll('button')];
  let arrived = () => {};
  new MutationObserver(() => arrived()).observe(deep('.rs[data-sequence]'), { attributeFilter: ['data-sequence'] });
  const acts = {
    drag: (i) => { value.value = (i % 90) / 100; value.dispatchEvent(new Event('input', { bubbles: true })); },
    click: (i) => (i % 2 ? undo : clamp).click(),
  };
  const times = [];
  for (let i = 0; i < count; i += 1) {
    const answer = new Promise((done) => { arrived = done; }), start = performance.now();
    acts[kind](i);
    await answer;
    const laid = performance.now() - start;
    await frame();
    await frame();
    times.push([laid, performance.now() - start]);
  }
  return times;
}
