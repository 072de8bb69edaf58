// Heat maps of matrices on one symmetric-log scale. A cell is a pixel of a small canvas that the page enlarges, so that 64 x 64
// cells cost no more than eight; numbers of rows and columns, the frame and the sign ticks are SVG above it.

const HEAT = { size: 208, margin: 22, steps: 5, ticksFrom: 12, gapsFrom: 12 };

/** Symmetric-log step of a value: 0 below 0.001, then one step a decade, 5 from 10 on; the sign is the side. */
function heatStep(value) {
  const size = Math.abs(value);
  if (!(size >= 1e-3)) return 0;
  return Math.sign(value) * Math.min(HEAT.steps, Math.floor(Math.log10(size)) + 4);
}

function createHeat(part) {
  const view = heatView();
  const caption = h('figcaption', {}), hover = h('p', { class: 'heat-hover', 'aria-hidden': 'true' });
  let matrix = null;
  function update(arrays, texts, page) {
    if (matrix === arrays.get(part.array) && view.theme === Boolean(page.dark)) return; // the page moved, the matrix did not
    matrix = arrays.get(part.array);
    const n = matrix.shape[0];
    fill(caption, texts[part.caption]);
    view.svg.setAttribute('aria-label', `Heat map: ${caption.textContent}, ${n} by ${n}`);
    heatGrid(view, n);
    heatPaint(view, matrix.data, n, Boolean(page.dark));
    heatTicks(view, matrix.data, n);
  }
  view.svg.addEventListener('pointermove', (event) => { hover.textContent = matrix ? heatAt(view, matrix, event) : ''; });
  view.svg.addEventListener('pointerleave', () => { hover.textContent = ''; });
  return { element: h('figure', { class: 'heat' }, caption, h('div', { class: 'heat-box' }, view.canvas, view.svg), hover), update };
}

function heatView() {
  const { size, margin } = HEAT, whole = size + margin + 2;
  const square = { x: margin, y: margin, width: size, height: size };
  const frame = svgElement('rect', { class: 'heat-frame', ...square });
  const gaps = svgElement('path', { class: 'heat-gaps' }), ticks = svgElement('path', { class: 'heat-tick' }), labels = svgElement('g', {});
  const svg = svgElement('svg', { class: 'fig heat', viewBox: `0 0 ${whole} ${whole}`, role: 'img' }, gaps, ticks, frame, labels);
  const percent = (length) => `${(100 * length) / whole}%`;
  const style = `left:${percent(margin)};top:${percent(margin)};width:${percent(size)};height:${percent(size)}`;
  return { svg, frame, gaps, ticks, labels, canvas: h('canvas', { 'aria-hidden': 'true', style }), count: 0, theme: null };
}

/** What depends on the size alone: numbers of rows and columns, gaps between large cells. */
function heatGrid(view, n) {
  if (n === view.count) return;
  view.count = n;
  const { size, margin } = HEAT, side = size / n, every = n <= 8 ? 1 : n <= 16 ? 5 : 10;
  const numbers = Array.from({ length: n }, (_, i) => i + 1).filter((i) => i === 1 || i % every === 0);
  view.labels.replaceChildren(...numbers.flatMap((i) => [
    chartText(margin + (i - 0.5) * side, margin - 7, String(i), { class: 'mut', 'text-anchor': 'middle', size: 11.5 }),
    chartText(margin - 5, margin + (i - 0.5) * side + 4, String(i), { class: 'mut', 'text-anchor': 'end', size: 11.5 })]));
  const lines = side < HEAT.gapsFrom ? [] : Array.from({ length: n - 1 }, (_, i) => margin + (i + 1) * side);
  view.gaps.setAttribute('d', lines.map((at) => `M${at} ${margin}v${size}M${margin} ${at}h${size}`).join(''));
}

function heatPaint(view, data, n, dark) {
  view.theme = dark;
  heatPixels(view.canvas, n, n, dark, (palette, cell) => palette[heatStep(data[cell]) + HEAT.steps]);
}

/** Every cell a pixel: `colour(palette, cell)` says its bytes, row by row from the top. */
function heatPixels(canvas, columns, rows, dark, colour) {
  if (canvas.width !== columns || canvas.height !== rows) Object.assign(canvas, { width: columns, height: rows });
  const context = canvas.getContext('2d'), image = context.createImageData(columns, rows), palette = heatPalette(canvas, dark);
  for (let cell = 0; cell < columns * rows; cell += 1) image.data.set(colour(palette, cell), 4 * cell);
  context.putImageData(image, 0, 0);
}

/** Canvas -> the palette that it was last painted with, and its theme: reading styles costs more than painting. */
const HEAT_PALETTES = new WeakMap();

/** The eleven diverging colours of the theme, as bytes. */
function heatPalette(canvas, dark) {
  const known = HEAT_PALETTES.get(canvas);
  if (known?.dark === dark) return known.colours;
  const colours = heatColours(canvas);
  HEAT_PALETTES.set(canvas, { dark, colours });
  return colours;
}

function heatColours(canvas) {
  const style = getComputedStyle(canvas);
  return Array.from({ length: 2 * HEAT.steps + 1 }, (_, i) => {
    const color = parseInt(style.getPropertyValue(`--dv${i}`).trim().slice(1), 16);
    return [color >> 16, (color >> 8) & 255, color & 255, 255];
  });
}

/** A tick in each negative cell that is large enough: sign is never told by colour alone. */
function heatTicks(view, data, n) {
  const { size, margin } = HEAT, side = size / n, marks = [];
  for (let i = 0; side >= HEAT.ticksFrom && i < n * n; i += 1) {
    if (heatStep(data[i]) < 0) marks.push(`M${margin + ((i % n) + 0.5) * side - 3} ${margin + (Math.floor(i / n) + 0.5) * side}h6`);
  }
  view.ticks.setAttribute('d', marks.join(''));
}

/** What the pointer is over, in words. */
function heatAt(view, { data, shape }, event) {
  const box = view.frame.getBoundingClientRect(), n = shape[0];
  const column = Math.floor(((event.clientX - box.left) / box.width) * n), row = Math.floor(((event.clientY - box.top) / box.height) * n);
  const inside = column >= 0 && row >= 0 && column < n && row < n;
  return inside ? `row ${row + 1}, column ${column + 1}: ${formatNumber(data[row * n + column], 5)}` : '';
}

/** The legend of the symmetric-log scale that both heat maps share. */
function createHeatScale() {
  const names = ['10', '1', '0.1', '0.01', '0.001', '', '−0.001', '−0.01', '−0.1', '−1', '−10'];
  const cells = names.flatMap((name, i) => [
    svgElement('rect', { class: `dv${10 - i}`, x: 0, y: 4 + i * 16, width: 16, height: 16 }),
    ...(name ? [chartText(22, 4 + i * 16 + (i < 5 ? 20 : 4), name, { class: 'ink2', size: 11.5 })] : [])]);
  return { element: svgElement('svg', { class: 'fig heat-scale', viewBox: '0 0 66 184', width: 66, height: 184, role: 'img', 'aria-label': 'Colour scale, symmetric and logarithmic: one step a decade from 0.001 to 10, orange positive, blue negative' }, ...cells), update() {} };
}
