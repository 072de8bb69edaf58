// Every gate and state over time: units run down, time runs across. One unit is drawn as traces, several as heat maps on the one
// diverging scale. A cell is a pixel of a small canvas that the page enlarges; numbers, ticks, cursor and frame are SVG above it.

const UNIT_MAP = { width: 320, left: 22, top: 20, row: 18, ticksFrom: 9, gapsFrom: 10 };
/** While an operation is in force a row has this many parts, the last of which is the untouched run: a cell of one colour has not changed. */
const UNIT_MAP_SPLIT = { parts: 3, row: 24 };
const UNIT_MAP_KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function createUnitMaps(part, page) {
  const traces = PARTS.traces(part, page);
  const grid = h('div', { class: 'umaps', role: 'group', tabindex: 0, 'aria-label': 'Units down, time across: arrow keys choose the step and the unit' });
  const view = { page, grid, series: null, maps: [] }, element = h('div', {});
  grid.addEventListener('keydown', (event) => unitMapsKey(page, event));
  return {
    element,
    update(arrays, texts, current) {
      const several = current.cursor.n > 1, shown = several ? grid : traces.element;
      if (element.firstChild !== shown) element.replaceChildren(shown);
      if (several) unitMapsUpdate(view, arrays, current.scenes[part.scene]);
      else traces.update(arrays, texts, current);
    },
  };
}

function unitMapsUpdate(view, arrays, series) {
  if (series !== view.series) {
    view.series = series;
    if (series.length !== view.maps.length) unitMapsBuild(view, series.length);
  }
  view.maps.forEach((map, i) => unitMapPaint(map, series[i], arrays, view.page));
}

function unitMapsBuild(view, count) {
  view.maps = Array.from({ length: count }, () => unitMap(view.page));
  view.grid.replaceChildren(...view.maps.map(({ element }) => element));
}

/** Step and unit together; a key that leads out of the run does nothing. */
function unitMapsChoose(page, t, unit) {
  const { cursor } = page, next = { t: page.locked('t') ? cursor.t : Math.max(1, Math.min(cursor.T, t)), unit: page.locked('unit') ? cursor.unit : Math.max(0, Math.min(cursor.n - 1, unit)) };
  if (next.t === cursor.t && next.unit === cursor.unit) return;
  Object.assign(cursor, next);
  pagePaint(page);
  page.set({ t: String(next.t), unit: String(next.unit) });
}

function unitMapsKey(page, event) {
  const move = UNIT_MAP_KEYS[event.key];
  if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  unitMapsChoose(page, page.cursor.t + move[0], page.cursor.unit + move[1]);
}

// --- one map ----------------------------------------------------------------------------------------------------------------

function unitMap(page) {
  const parts = { band: 'rect', gaps: 'path', cursor: 'rect', frame: 'rect' };
  const drawn = Object.fromEntries(Object.entries(parts).map(([name, tag]) => [name, svgElement(tag, { class: `umap-${name}` })]));
  const ticks = Array.from({ length: 5 }, (_, i) => svgElement('path', { class: `cell-tick dvo${i}` })), labels = svgElement('g', {});
  const svg = svgElement('svg', { class: 'fig umap', role: 'img' }, drawn.gaps, ...ticks, drawn.cursor, drawn.frame, labels);
  const letter = h('span', { class: 'm' }), name = h('span', {}), was = h('span', { class: 'umap-was' }), number = h('b', {}), canvas = h('canvas', { 'aria-hidden': 'true' });
  const element = h('figure', {}, h('figcaption', {}, letter, name, was, number), h('div', { class: 'umap-box' }, canvas, svg));
  const map = { element, svg, canvas, letter, name, was, number, ticks, labels, ...drawn, shape: '', data: null, ghost: null, page };
  svg.addEventListener('click', (event) => unitMapClick(map, event));
  return map;
}

function unitMapPaint(map, series, arrays, page) {
  const table = arrays.get(series.symbol), ghost = arrays.get(`ghost_${series.symbol}`) ?? null, { T, n } = page.cursor;
  map.element.className = `r-${series.role}`;
  unitMapSize(map, T, n, Boolean(ghost));
  if (map.data !== table.data || map.ghost !== ghost?.data || map.theme !== Boolean(page.dark)) {
    const rows = [table, ghost].map((each) => each?.data.subarray((1 - each.t0) * n));
    unitMapCells(map, rows, T, n, Boolean(page.dark));
    [map.data, map.ghost] = [table.data, ghost?.data];
  }
  unitMapCaption(map, series, arrays, page);
  unitMapCursor(map, page.cursor);
}

const unitMapX = (T, t) => UNIT_MAP.left + ((t - 1) / T) * (UNIT_MAP.width - UNIT_MAP.left);
const unitMapY = (map, unit) => UNIT_MAP.top + unit * map.row;

/** What depends on the count of steps and units, and on whether a cell is split. */
function unitMapSize(map, T, n, split) {
  if (map.shape === `${T} ${n} ${split}`) return;
  map.shape = `${T} ${n} ${split}`;
  map.data = null;
  map.row = split ? UNIT_MAP_SPLIT.row : UNIT_MAP.row;
  const { width, left, top } = UNIT_MAP, { row } = map, height = top + n * row + 3, side = (width - left) / T;
  map.canvas.style.cssText = `left:${(100 * left) / width}%;top:${(100 * top) / height}%;width:${100 * (1 - left / width)}%;height:${(100 * n * row) / height}%`;
  map.svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  map.svg.style.aspectRatio = `${width} / ${height}`;
  const across = Array.from({ length: T - 1 }, (_, i) => `M${left + (i + 1) * side} ${top}v${n * row}`);
  const down = Array.from({ length: n - 1 }, (_, i) => `M${left} ${top + (i + 1) * row}h${width - left}`);
  map.gaps.setAttribute('d', side >= UNIT_MAP.gapsFrom ? [...across, ...down].join('') : split ? down.join('') : '');
  map.gaps.classList.toggle('split', split);
  unitMapNumbers(map, T, n, side);
}

/** Numbers of the steps above, as many as have room, and of the units on the left. */
function unitMapNumbers(map, T, n, side) {
  const every = side >= 16 ? 1 : 5, step = (t) => chartText(unitMapX(T, t) + side / 2, 13, String(t), { 'text-anchor': 'middle', 'data-step': t });
  const unit = (i) => chartText(UNIT_MAP.left - 8, unitMapY(map, i) + map.row / 2 + 4.4, String(i + 1), { 'text-anchor': 'end', 'data-row': i });
  const steps = Array.from({ length: T }, (_, i) => i + 1).filter((t) => every === 1 || t === 1 || t % every === 0);
  map.labels.replaceChildren(...steps.map(step), ...Array.from({ length: n }, (_, i) => unit(i)));
}

/** `rows`: the numbers of the run, and of the untouched one where there is one. A negative number has a tick in its part of the cell. */
function unitMapCells(map, [live, ghost], T, n, dark) {
  const side = (UNIT_MAP.width - UNIT_MAP.left) / T, marks = map.ticks.map(() => []), parts = ghost ? UNIT_MAP_SPLIT.parts : 1, part = map.row / parts;
  map.theme = dark;
  heatPixels(map.canvas, T, n * parts, dark, (palette, cell) => {
    const i = cell % T, line = Math.floor(cell / T), unit = Math.floor(line / parts), below = line % parts, untouched = ghost && below === parts - 1;
    const value = (untouched ? ghost : live)[i * n + unit], colour = Number.isNaN(value) ? 5 : diagramColourStep(value);
    const middle = unitMapY(map, unit) + (untouched ? (below + 0.5) * part : (map.row - (ghost ? part : 0)) / 2);
    if (value < 0 && side >= UNIT_MAP.ticksFrom && (untouched || below === 0)) marks[Math.min(4, colour)].push(`M${unitMapX(T, i + 1) + side / 2 - 3} ${middle}h6`);
    return palette[colour];
  });
  map.ticks.forEach((path, i) => path.setAttribute('d', marks[i].join('')));
}

function unitMapCaption(map, series, arrays, { cursor }) {
  const read = diagramRead({ symbol: series.symbol, t: { rel: 0 }, unit: null }, { arrays, cursor }), text = formatNumber(read.value);
  const [base, ...rest] = series.label;
  fill(map.letter, [{ kind: 'symbol', text: base.text, accent: rest.length ? 'tilde' : undefined }]);
  if (map.name.textContent !== series.name) map.name.textContent = series.name;
  map.number.textContent = text;
  diagramMarkReadout(map.number, read);
  const was = unitMapWas(map, series, { arrays, cursor });
  map.svg.setAttribute('aria-label', `${series.name}: ${cursor.n} units down, ${cursor.T} steps across; unit ${read.unit + 1} at step ${cursor.t} is ${text}${was && `, was ${was}`}`);
}

/** "was 0.712" beside a number that surgery has changed; its text. */
function unitMapWas(map, series, context) {
  const read = surgeryWasRead({ symbol: series.symbol, t: { rel: 0 }, unit: null }, context), text = read.value === undefined ? '' : formatNumber(read.value);
  if (map.was.childElementCount !== Number(Boolean(text))) map.was.replaceChildren(...(text ? ['was ', h('span', {})] : []));
  if (!text) return text;
  map.was.lastChild.textContent = text;
  diagramMarkReadout(map.was.lastChild, read);
  return text;
}

/** Gold for the step, ink for the unit. */
function unitMapCursor(map, { t, T, n, unit }) {
  const { width, left, top } = UNIT_MAP, { row } = map, side = (width - left) / T;
  const place = (rect, x, y, w, height) => Object.entries({ x, y, width: w, height }).forEach(([name, value]) => rect.setAttribute(name, value));
  map.cursor.toggleAttribute('hidden', t < 1);
  place(map.cursor, unitMapX(T, Math.max(1, t)) - 1, top - 1, side + 2, n * row + 2);
  place(map.frame, left - 0.5, unitMapY(map, unit) - 0.5, width - left + 1, row + 1);
  for (const label of map.labels.childNodes) {
    const on = Number(label.dataset.step) === t || Number(label.dataset.row) === unit;
    label.setAttribute('class', on ? 'b' : 'ink2');
  }
}

function unitMapClick(map, event) {
  const { left, width, top } = map.svg.getBoundingClientRect(), { T, n } = map.page.cursor, scale = UNIT_MAP.width / width;
  const t = Math.floor((((event.clientX - left) * scale - UNIT_MAP.left) / (UNIT_MAP.width - UNIT_MAP.left)) * T) + 1;
  const unit = Math.floor(((event.clientY - top) * scale - UNIT_MAP.top) / map.row);
  if (t >= 1 && t <= T) unitMapsChoose(map.page, t, unit < 0 ? map.page.cursor.unit : Math.min(n - 1, unit));
}
