// Steps inside the step, or changes the notation, `count` times. For each: from the event until the handler is done, until the second
// animation frame (the looks are painted), and until the frame after Python's answer.
async ({ count, kind }) => {
  const deep = (selector, root = document) => root.querySelector(selector)
    ?? [...root.querySelectorAll('*')].reduce((found, element) => found ?? (element.shadowRoot && deep(selector, element.shadowRoot)), null);
  const frame = () => new Promise(requestAnimationFrame);
  const root = deep('.rs[data-sequence]'), range = deep('.substep input[type=range]'), select = deep('select[data-key=notation]');
  const names = [...(select?.options ?? [])].map((option) => option.value);
  const answered = (before) => new Promise((done) => {
    const watch = new MutationObserver(() => { if (root.dataset.sequence !== before) { watch.disconnect(); done(); } });
    watch.observe(root, { attributes: true, attributeFilter: ['data-sequence'] });
  });
  const times = [];
  for (let i = 0; i < count; i += 1) {
    const before = root.dataset.sequence, done = answered(before), start = performance.now();
    if (kind === 'substep') { range.value = String((i % range.max) + 1); range.dispatchEvent(new Event('input', { bubbles: true })); }
    else { select.value = names[(names.indexOf(select.value) + 1) % names.length]; select.dispatchEvent(new Event('change', { bubbles: true })); }
    const handled = performance.now() - start;
    await frame();
    await frame();
    const painted = performance.now() - start;
    await done;
    await frame();
    times.push([handled, painted, performance.now() - start]);
  }
  return times;
}
