// The edge of chaos: a map of the largest Lyapunov exponent over input strength (right) and spectral radius (up), coarse to fine.
// A computed point is a pixel of a small canvas that the page enlarges; axes, the contour at 0 and the page's own point are SVG above it.

const CMAP = { width: 560, height: 404, left: 52, top: 12, right: 12, bottom: 52, edges: [0.02, 0.05, 0.1, 0.2, 0.5], deepest: -3, keyStep: 0.05 };
const CMAP_BOX = { x: CMAP.left, y: CMAP.top, width: CMAP.width - CMAP.left - CMAP.right, height: CMAP.height - CMAP.top - CMAP.bottom };

/** Class of an exponent: 0 about zero, then one step at each edge; the sign is the side. */
function cmapStep(value) {
  return Math.sign(value) * CMAP.edges.filter((edge) => Math.abs(value) >= edge).length;
}

function createChaosMap(part, page) {
  const view = cmapView(part), run = cmapRun(part, page);
  const hover = h('p', { class: 'heat-hover', 'aria-hidden': 'true' });
  const what = h('p', { class: 'note' }), summary = h('p', { class: 'plot-summary' });
  const point = cmapPoint(view, part, page, () => place());
  let map = null, shown = null;
  const place = () => cmapPlace(view, map, point.at(), part.ends);
  function update(arrays, texts, current) {
    fill(what, texts.what);
    fill(summary, texts.summary);
    run.show(texts);
    view.box.classList.toggle('former', texts.former);
    if (shown !== arrays || view.theme !== Boolean(current.dark)) {
      [shown, map, view.theme] = [arrays, cmapRead(arrays, part.ends), Boolean(current.dark)];
      cmapPaint(view, map);
      cmapContour(view, map);
    }
    cmapGrid(view, map);
    view.svg.setAttribute('aria-label', `Map of the largest Lyapunov exponent by input strength and spectral radius. ${summary.textContent}`);
    place();
  }
  cmapGrid(view, { rows: part.sizes.at(-1), columns: part.sizes.at(-1), ends: part.ends });
  view.svg.addEventListener('pointermove', (event) => { hover.textContent = map ? cmapSay(map, cmapAt(view, map, event)) : ''; });
  view.svg.addEventListener('pointerleave', () => { hover.textContent = ''; });
  view.frame.addEventListener('click', (event) => map && point.go(cmapAt(view, map, event)));
  point.listen((event) => cmapAt(view, map, event));
  const side = h('div', { class: 'cmap-side' }, run.element, cmapScale(), summary, what);
  return { element: h('div', { class: 'cmap' }, h('div', {}, view.box, hover), side), update, alive: true };
}

// --- what is drawn --------------------------------------------------------------------------------------------------------

function cmapView(part) {
  const percent = (length, whole) => `${(100 * length) / whole}%`;
  const { x, y, width, height } = CMAP_BOX;
  const style = `left:${percent(x, CMAP.width)};top:${percent(y, CMAP.height)};width:${percent(width, CMAP.width)};height:${percent(height, CMAP.height)}`;
  const canvas = h('canvas', { 'aria-hidden': 'true', style });
  const frame = svgElement('rect', { class: 'cmap-frame', ...CMAP_BOX }), axes = svgElement('g', {});
  const halo = svgElement('path', { class: 'cmap-halo' }), line = svgElement('path', { class: 'cmap-zero' });
  const ring = svgElement('g', { class: 'cmap-point', role: 'button', tabindex: 0, 'aria-roledescription': 'movable point', 'aria-label': 'Point of the page' },
    svgElement('circle', { class: 'cmap-hit', r: 20 }), svgElement('circle', { class: 'cmap-out', r: 8 }), svgElement('circle', { class: 'cmap-ring', r: 8 }));
  const svg = svgElement('svg', { class: 'fig', viewBox: `0 0 ${CMAP.width} ${CMAP.height}`, role: 'group', 'aria-label': 'Map of the largest Lyapunov exponent' }, axes, frame, halo, line, ring);
  return { canvas, svg, frame, axes, halo, line, ring, box: h('div', { class: 'cmap-box' }, canvas, svg), size: '', theme: null };
}

/** The arrays of an answer, with a value for every cell: its own, or that of the nearest coarser point. */
function cmapRead(arrays, ends) {
  const { data, shape: [rows, columns] } = arrays.get('exponents'), known = arrays.get('known').data;
  const map = { rows, columns, ends, data, known, values: new Float64Array(rows * columns), from: new Uint8Array(rows * columns) };
  for (let i = 0; i < rows; i += 1) for (let j = 0; j < columns; j += 1) cmapFill(map, i, j);
  return map;
}

function cmapFill(map, i, j) {
  for (let stride = 1; stride < 2 * Math.max(map.rows, map.columns); stride *= 2) {
    const source = (i - (i % stride)) * map.columns + j - (j % stride);
    if (!map.known[source]) continue;
    map.values[i * map.columns + j] = map.data[source];
    map.from[i * map.columns + j] = stride === 1 ? 2 : 1;
    return;
  }
}

/** A cell without a value of its own is paler; one without any is left open; no number is grey. */
function cmapPaint(view, map) {
  const { rows, columns } = map, open = [0, 0, 0, 0], none = [128, 128, 128, 120];
  heatPixels(view.canvas, columns, rows, view.theme, (palette, pixel) => {
    const cell = (rows - 1 - Math.floor(pixel / columns)) * columns + (pixel % columns), value = map.values[cell], from = map.from[cell];
    const color = !from ? open : Number.isNaN(value) ? none : palette[cmapStep(value) + CMAP.edges.length];
    return [...color.slice(0, 3), from === 1 ? color[3] * 0.55 : color[3]];
  });
}

/** Where a number of an axis stands, from 0 to 1: a computed point is the middle of its cell. */
const cmapShare = (value, end, count) => ((value / end) * (count - 1) + 0.5) / count;
const cmapX = (map, strength) => CMAP_BOX.x + CMAP_BOX.width * cmapShare(strength, map.ends[0], map.columns);
const cmapY = (map, rho) => CMAP_BOX.y + CMAP_BOX.height * (1 - cmapShare(rho, map.ends[1], map.rows));

/** Ticks and names of the axes: they depend on the number of points alone. */
function cmapGrid(view, map) {
  const size = `${map.rows} ${map.columns}`;
  if (size === view.size) return;
  view.size = size;
  const bottom = CMAP_BOX.y + CMAP_BOX.height, marks = [], labels = [];
  for (const strength of [0, 0.5, 1, 1.5, 2]) {
    marks.push(`M${cmapX(map, strength)} ${bottom}v5`);
    labels.push(chartText(cmapX(map, strength), bottom + 21, String(strength), { class: 'ink2', 'text-anchor': 'middle' }));
  }
  for (const rho of [0, 1, 2, 3]) {
    marks.push(`M${CMAP_BOX.x} ${cmapY(map, rho)}h-5`);
    labels.push(chartText(CMAP_BOX.x - 9, cmapY(map, rho) + 4, String(rho), { class: 'ink2', 'text-anchor': 'end' }));
  }
  const middle = CMAP_BOX.y + CMAP_BOX.height / 2;
  const across = svgElement('text', { class: 'ink2', x: CMAP_BOX.x + CMAP_BOX.width / 2, y: CMAP.height - 8, 'font-size': 12, 'text-anchor': 'middle' }, 'input strength ', svgElement('tspan', { class: 'cmap-math' }, 'σ'), svgElement('tspan', { class: 'cmap-math sub', dy: 3 }, 'in'));
  const up = svgElement('text', { class: 'ink2', x: 0, y: 0, 'font-size': 12, 'text-anchor': 'middle', transform: `translate(16 ${middle}) rotate(-90)` }, 'spectral radius ', svgElement('tspan', { class: 'cmap-math' }, 'ρ'));
  view.axes.replaceChildren(svgElement('path', { class: 'cmap-ticks', d: marks.join('') }), ...labels, across, up);
}

// --- the contour at 0 -----------------------------------------------------------------------------------------------------

/** Marching squares over the finest lattice of points that is complete. */
function cmapContour(view, map) {
  const stride = cmapLattice(map), path = [];
  for (let i = 0; stride && i + stride < map.rows; i += stride) {
    for (let j = 0; j + stride < map.columns; j += stride) path.push(cmapSquare(map, i, j, stride));
  }
  for (const line of [view.halo, view.line]) line.setAttribute('d', path.join(''));
}

function cmapLattice({ rows, columns, known }) {
  const complete = (stride) => {
    for (let i = 0; i < rows; i += stride) for (let j = 0; j < columns; j += stride) if (!known[i * columns + j]) return false;
    return true;
  };
  return [1, 2, 4, 8, 16].find(complete) ?? 0;
}

/** The piece of the contour within one square, as path data. */
function cmapSquare(map, i, j, stride) {
  const corners = [[i, j], [i, j + stride], [i + stride, j + stride], [i + stride, j]];
  const values = corners.map(([row, column]) => Math.max(map.data[row * map.columns + column], CMAP.deepest));
  if (values.some(Number.isNaN)) return '';
  const cuts = [];
  for (let k = 0; k < 4; k += 1) {
    const [a, b] = [values[k], values[(k + 1) % 4]], [from, to] = [corners[k], corners[(k + 1) % 4]];
    if (a > 0 === b > 0) continue;
    const row = from[0] + (a / (a - b)) * (to[0] - from[0]), column = from[1] + (a / (a - b)) * (to[1] - from[1]);
    cuts.push(`${cmapX(map, (column * map.ends[0]) / (map.columns - 1))} ${cmapY(map, (row * map.ends[1]) / (map.rows - 1))}`);
  }
  return cuts.length === 4 ? `M${cuts[0]}L${cuts[1]}M${cuts[2]}L${cuts[3]}` : cuts.length ? `M${cuts[0]}L${cuts[1]}` : '';
}

// --- the page's own point -------------------------------------------------------------------------------------------------

/** What the pointer is over: input strength and spectral radius to two decimals, within the map. */
function cmapAt(view, map, event) {
  const box = view.frame.getBoundingClientRect();
  const number = (share, end, count) => Math.round(100 * Math.max(0, Math.min(end, ((share * count - 0.5) / (count - 1)) * end))) / 100;
  return {
    strength: number((event.clientX - box.left) / box.width, map.ends[0], map.columns),
    rho: number(1 - (event.clientY - box.top) / box.height, map.ends[1], map.rows),
  };
}

/** Numbers of a place and the exponent of the computed point nearest to it, in words. */
function cmapSay(map, { strength, rho }) {
  const row = Math.round((rho / map.ends[1]) * (map.rows - 1)), column = Math.round((strength / map.ends[0]) * (map.columns - 1));
  const cell = row * map.columns + column, inside = row < map.rows && column < map.columns;
  const exponent = inside && map.known[cell] ? `${formatNumber(map.data[cell])} per step` : 'not computed';
  return `spectral radius ${rho.toFixed(2)}, input strength ${strength.toFixed(2)}: exponent ${exponent}`;
}

function cmapPlace(view, map, at, ends) {
  const strength = Math.min(at.strength, ends[0]), rho = Math.min(at.rho, ends[1]);
  view.ring.setAttribute('transform', `translate(${cmapX(map, strength)} ${cmapY(map, rho)})`);
  view.ring.setAttribute('aria-label', `Point of the page: ${cmapSay(map, at)}. Arrow keys move it.`);
  view.ring.classList.toggle('beyond', at.strength > ends[0]);
}

/** Drag and arrow keys: painted at once, and sent as a move of the two sliders. */
function cmapPoint(view, part, page, paint) {
  let moved = null, dragging = false;
  const own = () => ({ strength: Number(page.values.sigma_in), rho: Number(page.values.rho) });
  const at = () => {
    if (moved && !dragging && !page.queue.waits) moved = null;
    return moved ?? own();
  };
  function go(to) {
    const now = at(), keep = (value, end) => Math.round(100 * Math.max(0, Math.min(end, value))) / 100;
    moved = { strength: page.locked('sigma_in') ? now.strength : keep(to.strength, part.ends[0]), rho: page.locked('rho') ? now.rho : keep(to.rho, part.ends[1]) };
    if (moved.strength === now.strength && moved.rho === now.rho) return;
    page.set({ rho: String(moved.rho), sigma_in: String(moved.strength) });
    paint();
  }
  function listen(place) {
    const { ring } = view;
    const end = () => { dragging = false; };
    ring.addEventListener('pointerdown', (event) => { dragging = true; ring.setPointerCapture(event.pointerId); });
    ring.addEventListener('pointermove', (event) => dragging && go(place(event)));
    for (const name of ['pointerup', 'pointercancel', 'lostpointercapture']) ring.addEventListener(name, end);
    ring.addEventListener('keydown', (event) => {
      const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] }[event.key];
      if (!steps) return;
      event.preventDefault();
      event.stopPropagation();
      const now = at();
      go({ strength: now.strength + steps[0] * CMAP.keyStep, rho: now.rho + steps[1] * CMAP.keyStep });
    });
  }
  return { at, go, listen };
}

// --- start, cancel, progress ----------------------------------------------------------------------------------------------

function cmapRun(part, page) {
  const sizes = part.sizes.map((size) => h('input', { type: 'radio', name: 'cmap-size', value: size }));
  sizes.at(-1).checked = true;
  const choice = h('div', { class: 'seg', role: 'radiogroup', 'aria-label': 'Points of the map' }, sizes.map((input) => h('label', {}, input, `${input.value} × ${input.value}`)));
  const start = h('button', { class: 'btn', type: 'button', onclick: () => page.tell(part.detail, { action: 'start', size: Number(sizes.find((input) => input.checked).value) }) }, 'Start');
  const cancel = h('button', { class: 'btn', type: 'button', onclick: () => page.tell(part.detail, { action: 'cancel' }) }, 'Cancel');
  const bar = h('div', { class: 'bar' }), progress = h('div', { class: 'progress', role: 'progressbar', 'aria-label': 'Points computed', 'aria-valuemin': 0, 'aria-valuenow': 0 }, bar);
  const status = h('p', { class: 'note', role: 'status' }), error = h('p', { class: 'notice cmap-error', role: 'alert', hidden: true });
  function show(texts) {
    const { done, total, running, former } = texts;
    start.textContent = done || running ? 'Start again' : 'Start';
    start.classList.toggle('gone', running && !former);
    cancel.classList.toggle('gone', !running);
    progress.setAttribute('aria-valuemax', total);
    progress.setAttribute('aria-valuenow', done);
    bar.style.width = `${(100 * done) / total}%`;
    fill(status, texts.status);
    error.hidden = !texts.error;
    error.textContent = texts.error;
  }
  return { element: h('div', { class: 'cmap-run' }, choice, start, cancel, progress, status, error), show };
}

/** The fixed scale of the exponents, with the edges of its classes. */
function cmapScale() {
  const { edges } = CMAP, count = 2 * edges.length + 1, side = 26;
  const names = [...edges.map((edge) => `−${edge}`).reverse(), ...edges.map(String)];
  const cells = Array.from({ length: count }, (_, i) => svgElement('rect', { class: `dv${i}`, x: i * side + 8, y: 4, width: side, height: 14 }));
  const labels = names.map((name, i) => chartText((i + 1) * side + 8, i % 2 ? 44 : 31, name, { class: 'ink2', 'text-anchor': 'middle', size: 11.5 }));
  const words = 'Colour scale of the exponent: blue negative, nearby states meet; orange positive, chaos';
  const svg = svgElement('svg', { class: 'fig', viewBox: `0 0 ${count * side + 16} 48`, role: 'img', 'aria-label': words }, ...cells, ...labels);
  return h('figure', { class: 'cmap-scale' }, svg, h('figcaption', {}, ...labelElements('$λ$ per step, natural logarithm. Line: $λ$ = 0. Above it chaos, below it nearby states meet.')));
}
