// The matrix of the loom: row t is loss t, column k stands under state k. Geometry comes from app/diagrams/loom.py.
// Three drawings lie on each other: the band and the labels, the cells, the frames. A hover changes the first and the last, so that
// the browser need not paint 1275 cells anew.

const LOOM_TICKS = ['light', 'dark', 'off'];
const LOOM_ARROWS = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

function createLoomMatrix(handlers) {
  const svg = svgElement('svg', { class: 'fig loom-matrix', id: 'loom-matrix', role: 'group', 'aria-roledescription': 'network diagram' });
  const [under, over] = ['under', 'over'].map((name) => svgElement('svg', { class: `fig loom-${name}`, 'aria-hidden': 'true' }));
  const element = h('div', { class: 'loom-cells' }, under, svg, over);
  const view = { svg, under, over, handlers, cells: new Map(), geometry: null, T: 0, numbers: null, roving: null, stale: true };
  matrixListen(view);
  return {
    element,
    get stale() { return view.stale; },
    setGeometry(geometry) { matrixBuild(view, geometry); },
    paint(numbers) { matrixPaint(view, numbers); },
    light(t, k, selected) { matrixLight(view, t, k, selected); },
    progress(k, waits) { for (const part of [view.groups[k - 1], view.sums[k - 1]]) part?.classList.toggle('todo', waits); },
    band(k) { matrixBand(view, k); },
  };
}

// --- built once a geometry ---------------------------------------------------------------------------------------------------

function matrixBuild(view, geometry) {
  const T = geometry.columns.length, { width, row, top } = geometry, foot = geometry.numbers ? 42 : 12;
  const height = top + T * row + foot + (geometry.scale[2] ? 0 : 44);
  Object.assign(view, { geometry, T, height, bottom: top + T * row + 6, stale: true, roving: null, lit: null });
  view.svg.setAttribute('class', `fig loom-matrix${geometry.every > 1 ? ' dense' : ''}`);
  for (const layer of [view.under, view.svg, view.over]) layer.setAttribute('viewBox', `0 0 ${width} ${height}`);
  view.svg.setAttribute('aria-label', `Matrix of gradients over ${T} steps: rows are losses, columns are states, empty where the state is later than the loss.`);
  view.bandMark = svgElement('rect', { class: 'tband', rx: 10, y: -12, height: height + 8 });
  view.threads = matrixThreads(view);
  view.groups = Array.from({ length: T }, (_, i) => svgElement('g', {}));
  matrixCells(view);
  view.marks = ['span', 'frame', 'ring'].map((name) => svgElement('rect', { class: `loom-${name}`, rx: 4 }));
  view.cuts = svgElement('path', { class: 'cut' });
  const [span, frame, ring] = view.marks;
  view.under.replaceChildren(view.bandMark, ...matrixLabels(view), view.threads.group, matrixSums(view), matrixScale(view));
  view.svg.replaceChildren(...view.groups);
  view.over.replaceChildren(view.cuts, span, frame, ring);
}

/** Place of a cell: its left, top, width, height. */
function matrixPlace({ geometry: { columns, cell, row, top } }, t, k) {
  return [columns[k - 1] - cell[0] / 2, top + row * (t - 1) + (row - cell[1]) / 2, cell[0], cell[1]];
}

function matrixCells(view) {
  view.cells.clear();
  const { numbers, font } = view.geometry;
  for (let k = 1; k <= view.T; k += 1) {
    for (let t = k; t <= view.T; t += 1) {
      const [x, y, width, height] = matrixPlace(view, t, k);
      const rect = svgElement('rect', { class: 'shape', x, y, width, height, rx: numbers ? 3 : 1 });
      const text = numbers ? chartText(x + width / 2, y + height / 2 + 4.6, '', { size: font, class: 'num readout', 'text-anchor': 'middle' }) : null;
      const group = svgElement('g', { class: 'node k-mcell', role: 'button', tabindex: -1, 'aria-pressed': false, 'data-cell': `${t},${k}`, 'data-node': `L${t}h${k}` }, rect, ...(text ? [text] : []));
      view.cells.set(`${t},${k}`, { t, k, group, rect, text, shown: null });
      view.groups[k - 1].append(group);
    }
    view.groups[k - 1].append(...LOOM_TICKS.map((name) => svgElement('path', { class: `loom-ticks ${name}`, 'aria-hidden': 'true' })));
  }
}

/** The ways back between the cells of a row: where cells stand apart they are arrows. */
function matrixThreads(view) {
  const group = svgElement('g', {}), lines = new Map(), { columns, cell, row, top } = view.geometry;
  const apart = columns.length > 1 ? columns[1] - columns[0] - cell[0] : 0;
  for (let t = 2; apart >= 14 && t <= view.T; t += 1) {
    for (let k = t - 1; k >= 1; k -= 1) {
      const y = top + row * (t - 0.5), from = columns[k] - cell[0] / 2, to = columns[k - 1] + cell[0] / 2 + 1;
      const line = svgElement('g', { class: 'thread' }, svgElement('path', { class: 'loom-halo', d: `M${from} ${y}H${to}` }),
        svgElement('path', { class: 'wire bwd', d: `M${from} ${y}H${to}` }), svgElement('path', { class: 'wire bwd chev', d: `M${to + 6.5} ${y - 4.5}L${to} ${y}L${to + 6.5} ${y + 4.5}` }));
      lines.set(`${t},${k}`, line);
      group.append(line);
    }
  }
  return { group, lines };
}

/** Names of rows and columns, every one or every fifth. */
function matrixLabels(view) {
  const { columns, top, row, label, every, numbers, width, scale } = view.geometry, wide = scale[2];
  const steps = Array.from({ length: view.T }, (_, i) => i + 1), named = (i) => i === 1 || i % every === 0;
  view.heads = new Map(steps.filter(named).map((k) => [k, svgElement('text', { x: columns[k - 1], y: top - 16, 'text-anchor': 'middle', class: 'step-label' },
    ...(every > 1 ? [String(k)] : wide && columns.length < 10 ? [svgElement('tspan', { class: 'sym', 'font-size': 15 }, 'k'), svgElement('tspan', { 'font-size': 13 }, ` = ${k}`)] : loomLetter('h', k, 15)))]));
  view.names = new Map(steps.filter(named).map((t) => [t, svgElement('text', { x: label, y: top + row * (t - 0.5) + 5, class: 'step-label' }, ...loomLetter('L', t, numbers || !wide ? 15 : 13))]));
  const line = svgElement('path', { class: 'gridl', d: `M0 ${top - 38}H${width}` });
  const corner = wide ? [chartText(label, top - 16, every > 1 ? 'k' : 'source', { class: every > 1 ? 'ink2 sym' : 'ink2', size: every > 1 ? 15 : 12.5 })] : [];
  return [line, ...corner, ...view.heads.values(), ...view.names.values()];
}

/** Under each column the sum of its kept cells; numbers where there is room. */
function matrixSums(view) {
  const { columns, cell, label, numbers, scale } = view.geometry, y = view.bottom;
  if (!numbers) { view.sums = []; return svgElement('g', {}); }
  view.sums = columns.map((x) => chartText(x, y + 20, '', { class: 'num grad readout', 'text-anchor': 'middle', size: cell[0] > 60 ? 13 : scale[2] ? 12 : 11.5 }));
  view.sumName = chartText(label, y + 20, 'sum', { class: 'ink2', size: 12.5 });
  const axis = svgElement('path', { class: 'axis', d: `M${columns[0] - cell[0] / 2} ${y}H${columns.at(-1) + cell[0] / 2}` });
  return svgElement('g', {}, axis, view.sumName, ...view.sums);
}

/** Nine steps of teal, with their ends in numbers. */
function matrixScale(view) {
  const [x, width, inside] = view.geometry.scale, y = inside ? view.geometry.top + 2 : view.height - 40;
  const steps = Array.from({ length: 9 }, (_, i) => svgElement('rect', { class: `sq${i}`, x: x + (i * width) / 9, y, width: width / 9 + 0.4, height: 10 }));
  view.ends = [0, 4, 8].map((i) => chartText(x + ((i + 0.5) * width) / 9, y + 25, '', { class: 'ink2', 'text-anchor': 'middle' }));
  view.unit = svgElement('text', { x: x - 12, y: y + 10, 'text-anchor': 'end', class: 'ink2', 'font-size': 12.5 });
  const why = inside ? [chartText(x, y + 50, 'Empty where the state comes after the loss:', { class: 'ink2' }), chartText(x, y + 66, 'a loss cannot depend on a later state.', { class: 'ink2' })] : [];
  view.legend = svgElement('g', {}, ...steps, ...view.ends, view.unit, ...(view.T > 4 ? why : []));
  return view.legend;
}

// --- painted for a run -------------------------------------------------------------------------------------------------------

function matrixPaint(view, numbers) {
  view.numbers = numbers;
  view.stale = false;
  const ticks = view.groups.map(() => ({ light: [], dark: [], off: [] }));
  for (const cell of view.cells.values()) matrixPaintCell(view, cell, ticks[cell.k - 1]);
  view.groups.forEach((group, i) => LOOM_TICKS.forEach((name, j) => group.children[group.children.length - 3 + j].setAttribute('d', ticks[i][name].join(''))));
  view.cuts.setAttribute('d', matrixCuts(view));
  view.sums.forEach((text, i) => { text.textContent = formatNumber(numbers.live[i]); setReadout(text, 'live', i + 1, 0, numbers.live[i]); });
  matrixName(view);
  if (!view.roving) matrixRove(view, '1,1');
}

function matrixPaintCell(view, cell, ticks) {
  const { T, log, value, low, high, window, signed } = view.numbers, { t, k, group, rect, text } = cell;
  const size = log[t * (T + 1) + k], exact = value[t * (T + 1) + k], kept = t - k < window;
  const step = Number.isFinite(size) ? Math.round(8 * Math.max(0, Math.min(1, (size - low) / (high - low)))) : -1;
  const style = `node k-mcell ${kept ? '' : 'off'} ${step < 0 ? 'none' : `q${step}`}`;
  if (cell.style !== style) { cell.style = style; group.setAttribute('class', style); }
  const shown = formatNumber(size);
  group.setAttribute('aria-label', `${shown}, log10 of the gradient of L${t} at h${k}${signed ? `; signed value ${formatNumber(exact)}` : ''}${kept ? '' : '; beyond the window, cut'}`);
  if (text) { matrixNumber(text, shown, view.geometry); setReadout(text, 'contribution', t, k, size); }
  if (signed && exact < 0) ticks[kept ? (step > 4 ? 'light' : 'dark') : 'off'].push(matrixTick(view, t, k));
}

/** A number; one too long for a narrow cell is set smaller. */
function matrixNumber(text, shown, { cell, font, scale }) {
  const small = shown.length > 6 && cell[0] < 60;
  text.textContent = shown;
  text.classList.toggle('long', small);
  text.setAttribute('font-size', small ? Math.min(font, scale[2] ? 12 : 11.5) : font);
}

/** Right of a number, under it in a narrow cell, in the middle where there is no number. */
function matrixTick(view, t, k) {
  const [x, y, width, height] = matrixPlace(view, t, k), roomy = width > 70;
  if (!view.geometry.numbers) return `M${x + width / 2 - Math.min(3, width / 3)} ${y + height / 2}h${Math.min(6, width / 1.5)}`;
  return roomy ? `M${x + width - 14} ${y + height / 2}h6` : `M${x + width / 2 - 3} ${y + height - 3}h6`;
}

function matrixCuts(view) {
  const { columns, row, top, numbers } = view.geometry, { window } = view.numbers, marks = [];
  for (let t = window + 1; numbers && t <= view.T; t += 1) {
    const x = (columns[t - window] + columns[t - window - 1]) / 2, y = top + row * (t - 0.5);
    marks.push(`M${x - 2.5} ${y - 6}v12M${x + 2.5} ${y - 6}v12`);
  }
  return marks.join('');
}

/** Whose size the colours show, and the ends of their scale. */
function matrixName(view) {
  const { low, high, signed } = view.numbers, mid = (low + high) / 2, number = (v) => String(Number(v.toPrecision(3))).replace('-', DIAGRAM_MINUS);
  const [bar, state] = signed ? ['|', 'h'] : ['‖', 's'];
  view.unit.replaceChildren('log', svgElement('tspan', { class: 'num sub', 'font-size': 9.5, dy: 3 }, '10'), svgElement('tspan', { dy: -3 }, ` ${bar}∂`), ...loomLetter('L', 't', 14), '/∂', ...loomLetter(state, 'k', 14), bar);
  view.ends.forEach((text, i) => { text.textContent = ['≤ ', '', '≥ '][i] + number([low, mid, high][i]); });
  if (view.sumName) view.sumName.textContent = signed ? 'sum of kept' : 'norm of sum';
  if (view.sumName && !view.geometry.scale[2]) view.sumName.textContent = signed ? 'sum' : '‖sum‖';
}

// --- lit ---------------------------------------------------------------------------------------------------------------------

function matrixLight(view, t, k, selected) {
  const before = view.lit, [span, frame] = view.marks;
  view.lit = { t, k };
  for (const at of [before, view.lit]) {
    if (!at?.t) continue;
    const on = at === view.lit;
    for (let i = at.k; i < at.t; i += 1) view.threads.lines.get(`${at.t},${i}`)?.classList.toggle('on', on);
    view.heads.get(at.k)?.classList.toggle('current', on);
    view.names.get(at.t)?.classList.toggle('current', on);
  }
  matrixFrame(span, t && !view.geometry.numbers ? matrixSpan(view, t, k) : null, 1.5);
  matrixFrame(frame, t ? matrixPlace(view, t, k) : null, 0);
  matrixPress(view, selected);
}

/** The cells of the chain, from loss t back to state k, as one box. */
function matrixSpan(view, t, k) {
  const [x, y, , height] = matrixPlace(view, t, k), [last, , width] = matrixPlace(view, t, t);
  return [x, y, last + width - x, height];
}

function matrixFrame(rect, place, reach) {
  rect.toggleAttribute('hidden', !place);
  if (!place) return;
  const [x, y, width, height] = place;
  Object.entries({ x: x - reach, y: y - reach, width: width + 2 * reach, height: height + 2 * reach }).forEach(([name, v]) => rect.setAttribute(name, v));
}

function matrixPress(view, selected) {
  const name = selected ? `${selected.t},${selected.k}` : null;
  if (name === view.pressed && view.cells.get(name)?.group.getAttribute('aria-pressed') === 'true') return;
  view.cells.get(view.pressed)?.group.setAttribute('aria-pressed', 'false');
  view.cells.get(name)?.group.setAttribute('aria-pressed', 'true');
  view.pressed = name;
  if (name && !view.svg.contains(view.svg.getRootNode().activeElement)) matrixRove(view, name);
}

function matrixBand(view, k) {
  const { columns, cell, numbers, scale } = view.geometry, x = columns[k - 1];
  view.bandMark.toggleAttribute('hidden', x === undefined);
  if (x === undefined) return;
  const pitch = columns.length > 1 ? columns[1] - columns[0] : 148, width = numbers ? Math.min(cell[0] + 12, pitch - 2) : pitch;
  view.bandMark.setAttribute('x', x - width / 2);
  view.bandMark.setAttribute('width', width);
  view.bandMark.setAttribute('y', scale[2] ? -12 : 2);
  view.bandMark.setAttribute('height', (scale[2] ? 12 : -2) + view.bottom + (numbers ? 32 : 4));
}

// --- pointer and keys --------------------------------------------------------------------------------------------------------

function matrixListen(view) {
  const { svg, handlers } = view;
  const under = (event) => view.cells.get(event.target.closest?.('[data-cell]')?.dataset.cell);
  svg.addEventListener('pointerover', (event) => { if (event.pointerType !== 'touch') handlers.hover(under(event) ?? null); });
  svg.addEventListener('pointerleave', () => handlers.hover(null));
  svg.addEventListener('click', (event) => { const cell = under(event); if (cell) handlers.select(cell.t, cell.k); });
  svg.addEventListener('focusin', (event) => { const cell = under(event); if (cell) matrixFocus(view, cell); });
  svg.addEventListener('focusout', () => { matrixFrame(view.marks[2], null); handlers.hover(null); });
  svg.addEventListener('keydown', (event) => matrixKey(view, under(event), event));
}

function matrixFocus(view, cell) {
  matrixRove(view, `${cell.t},${cell.k}`);
  if (!cell.group.matches(':focus-visible')) return;
  matrixFrame(view.marks[2], matrixPlace(view, cell.t, cell.k), 4);
  view.handlers.hover(cell);
}

function matrixKey(view, cell, event) {
  if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
  const arrow = LOOM_ARROWS[event.key];
  if (arrow) view.cells.get(`${cell.t + arrow[0]},${cell.k + arrow[1]}`)?.group.focus();
  else if (event.key === 'Enter' || event.key === ' ') view.handlers.select(cell.t, cell.k);
  else if (event.key === '[' || event.key === ']') view.handlers.step(event.key === '[' ? -1 : 1);
  else return;
  event.preventDefault();
}

/** One cell is the tab stop of the matrix. */
function matrixRove(view, name) {
  if (name === view.roving || !view.cells.has(name)) return;
  view.cells.get(view.roving)?.group.setAttribute('tabindex', '-1');
  view.cells.get(name).group.setAttribute('tabindex', '0');
  view.roving = name;
}
