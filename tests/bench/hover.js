// Points at one cell of the loom after the other. For each: from the event until the handler is done, and until the second animation
// frame, when the lit chain is on screen. Without cells: the two frames alone.
async ({ count, alone }) => {
  const deep = (selector, root = document) => root.querySelector(selector)
    ?? [...root.querySelectorAll('*')].reduce((found, element) => found ?? (element.shadowRoot && deep(selector, element.shadowRoot)), null);
  const frame = () => new Promise(requestAnimationFrame);
  const cells = [...deep('#loom-matrix').querySelectorAll('[data-cell]')];
  const times = [];
  for (let i = 0; i < count; i += 1) {
    const target = cells[(i * 397) % cells.length].firstElementChild, start = performance.now();
    if (!alone) target.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, composed: true, pointerType: 'mouse' }));
    const handled = performance.now() - start;
    await frame();
    await frame();
    times.push([handled, performance.now() - start]);
  }
  return times;
}
