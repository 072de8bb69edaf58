// Before anything of the page: note when the first diagram with numbers is on screen. Times are from the start of navigation.
(() => {
  window.firstVisit = {};
  const deep = (selector, root = document) => {
    const found = [...root.querySelectorAll(selector)];
    for (const element of root.querySelectorAll('*')) if (element.shadowRoot) found.push(...deep(selector, element.shadowRoot));
    return found;
  };
  const drawn = (svg) => svg.clientWidth > 100 && svg.querySelector('path, rect, circle, line');
  const look = () => {
    const numbers = deep('.rs .readout[data-value], .rs [data-value]'), diagram = deep('.rs svg').some(drawn);
    if (numbers.length && diagram) requestAnimationFrame(() => { window.firstVisit.diagram = performance.now(); });
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  const idle = () => {
    if (window.Bokeh?.documents?.[0]?.is_idle) requestAnimationFrame(() => { window.firstVisit.idle = performance.now(); });
    else requestAnimationFrame(idle);
  };
  requestAnimationFrame(idle);
})();
