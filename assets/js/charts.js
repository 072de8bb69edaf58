// Small structured charts as SVG: the complex plane, singular values, heat maps. Built once; `update(arrays)` moves what is there.

const chartText = (x, y, text, extra = {}) => { const { size = 12, ...attributes } = extra; return svgElement('text', { x, y, 'font-size': size, ...attributes }, text); };

/** Reuse, add or drop children of `group` so that there are `count` of them. */
function withCount(group, count, make) {
  while (group.childNodes.length < count) group.append(make());
  while (group.childNodes.length > count) group.lastChild.remove();
  return group.childNodes;
}

function setReadout(element, symbol, t, unit, value) {
  element.classList.add('readout');
  element.dataset.symbol = symbol;
  element.dataset.t = t;
  element.dataset.unit = unit;
  element.dataset.value = diagramExact(value);
}

/** The smallest of `steps` that holds `value`: ranges change in steps, never with every move. */
const rangeStep = (value, steps) => steps.find((step) => step >= value) ?? steps.at(-1);

/** Eigenvalues in the complex plane with the unit circle and the circle of the spectral radius. */
function createPlane(part) {
  const SIZE = 300, CENTRE = 150, REACH = 116, STEPS = [1.4, 2.2, 3.3, 6.6, 13.2, 100];
  const unit = svgElement('circle', { class: 'unit-circle', cx: CENTRE, cy: CENTRE });
  const radius = svgElement('circle', { class: 'radius-circle', cx: CENTRE, cy: CENTRE });
  const dots = svgElement('g', {});
  const one = chartText(0, CENTRE + 16, '1', { class: 'ink2 over', 'text-anchor': 'start' });
  const svg = svgElement('svg', { class: 'fig plane', viewBox: `0 0 ${SIZE} ${SIZE}`, role: 'img' },
    svgElement('path', { class: 'gridl', d: `M16 ${CENTRE}H${SIZE - 16}M${CENTRE} 16V${SIZE - 16}` }), radius, unit, dots,
    chartText(CENTRE + 6, 24, 'Im', { class: 'ink2' }), chartText(SIZE - 16, CENTRE - 7, 'Re', { class: 'ink2', 'text-anchor': 'end' }), one);
  const summary = h('p', { class: 'plot-summary' });
  function update(arrays, texts) {
    const eigenvalues = arrays.get(part.array);
    const count = eigenvalues.shape[0];
    const rho = arrays.get('rho').data[0];
    const scale = REACH / rangeStep(Math.max(1, rho) * 1.02, STEPS);
    unit.setAttribute('r', scale);
    radius.setAttribute('r', rho * scale);
    one.setAttribute('x', CENTRE + scale + 5);
    withCount(dots, count, () => svgElement('circle', { class: 'eig', r: 4.5 })).forEach((dot, i) => {
      const [re, im] = [eigenvalues.data[2 * i], eigenvalues.data[2 * i + 1]];
      dot.setAttribute('cx', CENTRE + re * scale);
      dot.setAttribute('cy', CENTRE - im * scale);
      dot.setAttribute('class', Math.hypot(re, im) > rho * (1 - 1e-9) ? 'eig lead' : 'eig');
    });
    fill(summary, texts[part.summary]);
    svg.setAttribute('aria-label', `Eigenvalues in the complex plane. ${summary.textContent}`);
  }
  return { element: h('div', {}, svg, summary), update };
}

/** Singular values as stems, largest first, with the line at 1 that keeps length. */
function createStems(part) {
  const W = 300, H = 180, LEFT = 34, RIGHT = 290, TOP = 16, BASE = 148, STEPS = [1.5, 3, 6, 12, 24, 50, 100, 1000];
  const grid = svgElement('g', {}), stems = svgElement('path', { class: 'stem' }), heads = svgElement('g', {});
  const one = svgElement('path', { class: 'one-line' });
  const oneText = chartText(RIGHT, 0, 'keeps length', { class: 'ink2 over', 'text-anchor': 'end' });
  const ends = [chartText(0, BASE + 18, '1', { class: 'ink2', 'text-anchor': 'middle' }), chartText(0, BASE + 18, '', { class: 'ink2', 'text-anchor': 'middle' })];
  const svg = svgElement('svg', { class: 'fig stems', viewBox: `0 0 ${W} ${H}`, role: 'img' }, grid, one, stems, heads, oneText, ...ends,
    svgElement('path', { class: 'axis', d: `M${LEFT} ${BASE}H${RIGHT}` }));
  const summary = h('p', { class: 'plot-summary' });
  function drawGrid(top) {
    grid.replaceChildren(...[0, 1, 2, 3].flatMap((i) => {
      const y = BASE - (i / 3) * (BASE - TOP);
      return [svgElement('path', { class: 'gridl', d: `M${LEFT} ${y}H${RIGHT}` }), chartText(LEFT - 6, y + 4, formatTick((top * i) / 3), { class: 'ink2', 'text-anchor': 'end' })];
    }));
  }
  const formatTick = (value) => String(Number(value.toPrecision(3)));
  let shownTop = null;
  function update(arrays, texts) {
    const sigma = arrays.get(part.array);
    const count = sigma.shape[0], top = rangeStep(sigma.data[0] * 1.02, STEPS);
    const x = (i) => LEFT + 14 + (i / Math.max(1, count - 1)) * (RIGHT - LEFT - 28), y = (v) => BASE - (Math.min(v, top) / top) * (BASE - TOP);
    if (top !== shownTop) { drawGrid(top); shownTop = top; }
    one.setAttribute('d', `M${LEFT} ${y(1)}H${RIGHT}`);
    oneText.setAttribute('y', y(1) - 5);
    let path = '';
    for (let i = 0; i < count; i += 1) path += `M${x(i)} ${BASE}V${y(sigma.data[i])}`;
    stems.setAttribute('d', path);
    stems.style.strokeWidth = count > 24 ? 1.5 : 3;
    withCount(heads, count, () => svgElement('circle', { class: 'stem-head', r: 3.5 })).forEach((head, i) => { head.setAttribute('cx', x(i)); head.setAttribute('cy', y(sigma.data[i])); head.classList.toggle('lead', i === 0); });
    ends[0].setAttribute('x', x(0));
    ends[1].setAttribute('x', x(count - 1));
    ends[1].textContent = String(count);
    fill(summary, texts[part.summary]);
    svg.setAttribute('aria-label', `Singular values, largest first. ${summary.textContent}`);
  }
  return { element: h('div', {}, svg, summary), update };
}

/** A table behind "Show data", made when it is opened, kept in step while it is open. */
function createData(part) {
  const head = h('tr', {}), body = h('tbody', {});
  const table = h('table', {}, h('thead', {}, head), body);
  const details = h('details', { class: 'data' }, h('summary', {}, 'Show data'), h('div', { class: 'data-scroll', tabindex: 0, role: 'region', 'aria-label': `Data: ${part.label}` }, table));
  let latest = null;
  function update(arrays, texts, page) {
    latest = [arrays, texts, page];
    if (!details.open) return;
    const columns = part.columns.filter(({ array }) => arrays.has(array)).flatMap((column) => dataColumns(column, arrays));
    if (!columns.length) return; // a table of another pattern
    const rows = Math.max(...columns.map((column) => arrays.get(column.array).shape[0]));
    withCount(head, columns.length, () => h('th', { scope: 'col' })).forEach((cell, c) => cell.replaceChildren(...labelElements(columns[c].head)));
    withCount(body, rows, () => h('tr', {})).forEach((row, r) => {
      withCount(row, columns.length, () => h('td', {})).forEach((cell, c) => {
        if (columns[c].letters) dataLetter(cell, texts[columns[c].letters][r]);
        else dataCell(cell, columns[c], r, arrays, page);
      });
    });
  }
  details.addEventListener('toggle', () => latest && update(...latest));
  return { element: details, update };
}

/** A column, or one for each component where there is no unit to follow. */
function dataColumns(column, arrays) {
  const width = arrays.get(column.array).shape[1];
  if (!column.each || width === 1) return [column];
  return Array.from({ length: width }, (_, unit) => ({ ...column, unit, head: `${column.head.slice(0, -1)}_${unit + 1}$` }));
}

/** A character, which is no number to read out. */
function dataLetter(cell, letter) {
  cell.className = '';
  cell.textContent = letter;
}

/** One number: of the column's own unit, of the class that is the target, or of the selected unit. */
function dataCell(cell, column, row, arrays, page) {
  const { data, shape } = arrays.get(column.array);
  const wanted = column.unit === 'target' ? arrays.get('target').data[row] : column.unit ?? page.cursor.unit;
  const unit = shape[1] === 1 ? 0 : wanted, value = data[row * shape[1] + unit];
  if (column.blank && Number.isNaN(value)) { // there is no such number, e.g. above a diagonal
    cell.className = cell.textContent = '';
    return;
  }
  const t = column.times ? arrays.get(column.times).data[row] : row + (column.offset ?? 0);
  cell.textContent = column.integer ? String(value) : formatNumber(value, 5);
  setReadout(cell, column.symbol, t, unit + (column.first ?? 0), value);
}
