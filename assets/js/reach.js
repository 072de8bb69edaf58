// What reaches each encoder state from the loss of one step, with attention and without, on a log axis, at one size of letters.

const REACH = { left: 40, right: 8, top: 28, bottom: 186, height: 226 };
const REACH_CURVES = [['without', 'grad_without'], ['with', 'grad_with']];

function createReach() {
  const view = { width: 0, arrays: null };
  view.svg = svgElement('svg', { class: 'fig s2s-reach', role: 'img' });
  const summary = h('p', { class: 'plot-summary' }), table = reachTable();
  new ResizeObserver(() => view.arrays && view.svg.clientWidth !== view.width && reachDraw(view)).observe(view.svg);
  return {
    element: h('div', {}, view.svg, summary, table.element),
    update(arrays, texts) {
      view.arrays = arrays;
      fill(summary, texts.summary);
      view.svg.setAttribute('aria-label', summary.textContent);
      reachDraw(view);
      table.update(arrays);
    },
  };
}

function reachDraw(view) {
  view.width = view.svg.clientWidth || 640;
  view.svg.setAttribute('viewBox', `0 0 ${view.width} ${REACH.height}`);
  const curves = REACH_CURVES.map(([style, name]) => ({ style, logs: Array.from(view.arrays.get(name).data, Math.log10) }));
  const source = view.arrays.get('letters').data, scale = reachScale(view.width, source.length, curves.flatMap(({ logs }) => logs).filter(Number.isFinite));
  view.svg.replaceChildren(...reachAxes(view.width, scale, source), ...curves.flatMap((curve) => reachCurve(curve, scale)));
}

/** Where character j and a logarithm stand; powers of ten at the ends, at most seven of them named. */
function reachScale(width, count, finite) {
  const low = Math.floor(Math.min(...finite, -1)), high = Math.ceil(Math.max(...finite, 0)), step = (width - REACH.left - REACH.right) / count;
  const every = Math.ceil((high - low) / 6), powers = Array.from({ length: high - low + 1 }, (_, i) => high - i).filter((_, i) => i % every === 0);
  return { powers, every: Math.ceil(14 / step), x: (j) => REACH.left + (j + 0.5) * step, y: (log) => REACH.top + ((high - log) * (REACH.bottom - REACH.top)) / (high - low) };
}

function reachAxes(width, { powers, every, x, y }, source) {
  const grid = svgElement('path', { class: 'gridl', d: powers.map((power) => `M${REACH.left} ${y(power)}H${width - REACH.right}`).join('') });
  const letters = Array.from(source, (code, j) => (j % every ? null : chartText(x(j), REACH.bottom + 18, s2sCharacter(code), { class: 'ink2', 'text-anchor': 'middle' })));
  return [grid, chartText(0, 13, 'norm of the gradient', { class: 'ink2' }), ...powers.map((power) => reachPower(REACH.left - 6, y(power) + 4, power)), ...letters.filter(Boolean),
    chartText((REACH.left + width - REACH.right) / 2, REACH.bottom + 36, 'characters of the source', { class: 'ink2', 'text-anchor': 'middle' })];
}

function reachPower(x, y, power) {
  return svgElement('text', { x, y, 'text-anchor': 'end', 'font-size': 12, class: 'ink2' }, svgElement('tspan', {}, '10'), svgElement('tspan', { dy: -5, 'font-size': 11 }, String(power).replace('-', '−')));
}

/** A norm of 0 has no place on a log axis: the curve has a gap there. */
function reachCurve({ style, logs }, { x, y }) {
  const line = logs.map((log, j) => (Number.isFinite(log) ? `${Number.isFinite(logs[j - 1]) ? 'L' : 'M'}${x(j)} ${y(log)}` : '')).join('');
  const dot = style === 'with' ? 'M-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z' : 'M-2.5 -2.5h5v5h-5z';
  const dots = logs.map((log, j) => (Number.isFinite(log) ? svgElement('path', { class: `s2s-dot ${style}`, d: dot, transform: `translate(${x(j)} ${y(log)})` }) : null));
  return [svgElement('path', { class: `s2s-curve ${style}`, d: line }), ...dots.filter(Boolean)];
}

function reachTable() {
  const head = h('tr', {}, ['j', 'character', 'with attention', 'without'].map((name) => h('th', { scope: 'col' }, name))), body = h('tbody', {});
  const region = h('div', { class: 'data-scroll', tabindex: 0, role: 'region', 'aria-label': 'Data: gradient at every encoder state' }, h('table', {}, h('thead', {}, head), body));
  const update = (arrays) => {
    const source = arrays.get('letters').data, [on, off] = ['grad_with', 'grad_without'].map((name) => arrays.get(name));
    withCount(body, source.length, () => h('tr', {}, h('td', {}), h('td', {}), h('td', {}), h('td', {}))).forEach((row, j) => {
      row.childNodes[0].textContent = j + 1;
      row.childNodes[1].textContent = s2sCharacter(source[j]);
      s2sNumber(row.childNodes[2], 'grad_with', on.t0, j, on.data[j]);
      s2sNumber(row.childNodes[3], 'grad_without', on.t0, j, off.data[j]);
    });
  };
  return { element: h('details', { class: 'data' }, h('summary', {}, 'Show data'), region), update };
}
