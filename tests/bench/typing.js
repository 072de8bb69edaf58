// Types the texts one after the other into the source. For each: until the frame after Python's answer is painted.
async (texts) => {
  const deep = (selector, root = document) => root.querySelector(selector)
    ?? [...root.querySelectorAll('*')].reduce((found, element) => found ?? (element.shadowRoot && deep(selector, element.shadowRoot)), null);
  const frame = () => new Promise(requestAnimationFrame);
  const root = deep('.rs[data-sequence]'), field = deep('input[data-key=text]');
  const answered = (before) => new Promise((done) => {
    const watch = new MutationObserver(() => { if (root.dataset.sequence !== before) { watch.disconnect(); done(); } });
    watch.observe(root, { attributes: true, attributeFilter: ['data-sequence'] });
  });
  const times = [];
  for (const text of texts) {
    const done = answered(root.dataset.sequence), start = performance.now();
    field.value = text;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    await done;
    await frame();
    await frame();
    times.push(performance.now() - start);
  }
  return times;
}
