// Where the gradient of the cell state goes: log10 of three norms above, and below them the shares of the five paths, stacked. A share
// below 0 hangs under the axis, so that what stands above it is as much more than 1. Time runs across; one pixel is one unit of the drawing.

const PATHS_BOX = { left: 50, right: 40, curves: [22, 172], shares: [204, 364], height: 390, gap: 15, label: 15, least: 1e-4 };
const PATHS_AREAS = [
  { name: 'cell line', text: 'cell line', role: 'cell', hatch: '' },
  { name: 'f', symbol: 'f', role: 'gate', hatch: 'M-2 10 10 -2M-2 2 2 -2M6 10 10 6' },
  { name: 'i', symbol: 'i', role: 'gate', hatch: 'M0 4H8' },
  { name: 'o', symbol: 'o', role: 'gate', hatch: 'M2 2h.01M6 6h.01' },
  { name: 'g', symbol: 'g', role: 'candidate', hatch: 'M-2 -2 10 10M6 -2 10 2M-2 6 2 10' },
];
const PATHS_CURVES = [
  { name: 'true norm', runs: [{ text: '\u2016' }, { text: '\u2202c', math: true }, { text: '\u2016' }], role: 'cell', cls: 'true' },
  { name: 'product of forget gates', runs: [{ text: '\u220f ' }, { text: 'f', math: true }], role: 'gate', cls: 'product' },
  { name: 'RNN', runs: [{ text: 'RNN' }], role: 'gradient', cls: 'rnn' },
];
const PATHS_DECADES = [1, 2, 3, 6, 9, 12, 18, 24, 36, 48, 72, 96, 144, 192, 288, 384, 576, 768, 1152, 2304, 1e4];
const PATHS_SHARES = [0, 0.25, 0.5, 1, 1.25, 1.5, 2, 3, 4, 5, 10, 20, 50, 100, 1e3, 1e4, 1e6, 1e9, 1e16];

function createPaths(part, page) {
  const view = { part, page, at: null, width: 0, norms: null, shares: null, named: PATHS_CURVES.filter(({ cls }) => !part.without?.includes(cls)) };
  view.svg = svgElement('svg', { class: 'fig paths', role: 'img' }, pathsHatches());
  Object.assign(view, { areas: pathsAreas(view.svg), frame: pathsFrame(view.svg), curves: pathsCurves(view), cursor: pathsCursor(view.svg), read: pathsReading(view) });
  view.element = h('div', { class: 'paths-view waits' }, view.svg, view.read.element);
  pathsListen(view);
  new ResizeObserver(() => { if (view.norms && view.svg.clientWidth !== view.width) pathsPaint(view); }).observe(view.svg);
  return { element: view.element, update: (arrays, texts, current) => pathsTake(view, arrays, current) };
}

/** A new split is drawn anew; a step of the cursor moves the cursor alone. */
function pathsTake(view, arrays, current) {
  const fresh = view.norms !== arrays.get('norms');
  Object.assign(view, { norms: arrays.get('norms'), shares: arrays.get('shares'), t: current.cursor.t });
  view.element.classList.remove('waits');
  if (fresh) pathsPaint(view);
  else pathsPoint(view);
}

// --- built once -----------------------------------------------------------------------------------------------------------

function pathsHatches() {
  const hatch = ({ name, role, hatch: d }) => svgElement('pattern', { id: `paths-${name}`, width: 8, height: 8, patternUnits: 'userSpaceOnUse' }, svgElement('path', { class: `paths-hatch r-${role} ${name === 'o' ? 'dots' : ''}`, d }));
  return svgElement('defs', {}, ...PATHS_AREAS.filter((area) => area.hatch).map(hatch));
}

function pathsAreas(svg) {
  return PATHS_AREAS.map((area) => {
    const fill = svgElement('path', { class: 'paths-area' });
    const over = area.hatch ? svgElement('path', { fill: `url(#paths-${area.name})` }) : null;
    svg.append(svgElement('g', { class: `r-${area.role}` }, fill, ...(over ? [over] : [])));
    return { fill, over };
  });
}

function pathsFrame(svg) {
  const text = (extra) => chartText(0, 0, '', { class: 'ink2', ...extra });
  const frame = { grid: svgElement('path', { class: 'gridl' }), ones: svgElement('path', { class: 'one-line' }), ticks: svgElement('g', {}),
    titles: [text({ class: 'ink2 over' }), text({ class: 'ink2 over' })], labels: PATHS_AREAS.map((area) => chartText(0, 0, area.symbol ?? area.text, { class: `over ${area.symbol ? 'sym' : ''} paths-name`, 'text-anchor': 'middle', size: area.symbol ? 18 : 12 })) };
  [frame.titles[0].textContent, frame.titles[1].textContent] = ['log\u2081\u2080 of the norm', 'shares of the paths, stacked'];
  const named = frame.labels.map((label, i) => svgElement('g', { class: `r-${PATHS_AREAS[i].role}` }, label));
  svg.append(frame.grid, frame.ones, frame.ticks, ...frame.titles, ...named);
  return frame;
}

function pathsCurves({ svg, named }) {
  return named.map(({ runs, role, cls }) => {
    const line = svgElement('path', { class: `paths-line ${cls}` }), here = svgElement('circle', { class: 'trace-here', r: 5.5 });
    const label = svgElement('text', { class: 'rt', 'text-anchor': 'end', 'font-size': 12 }, ...runs.map((run) => svgElement('tspan', run.math ? { class: 'sym', 'font-size': 15 } : {}, run.text)));
    svg.append(svgElement('g', { class: `r-${role}` }, line, here, label));
    return { line, here, label };
  });
}

function pathsCursor(svg) {
  const line = svgElement('path', { class: 'tline' }), pointed = svgElement('path', { class: 'paths-at' });
  const label = chartText(0, 12, '', { class: 'b over', 'text-anchor': 'middle' });
  svg.insertBefore(line, svg.querySelector('.gridl'));
  svg.append(pointed, label);
  return { line, pointed, label };
}

/** Every number of one step, each beside the mark of its curve or area. */
function pathsReading({ named }) {
  const step = h('p', { class: 'paths-step' });
  const entry = (mark, label, role) => {
    const number = h('span', { class: 'n' });
    return { number, element: h('div', { class: `r-${role}` }, mark, h('span', {}, ...label), number) };
  };
  const norms = named.map((curve) => entry(pathsMark('line', curve), [curve.name], curve.role));
  const shares = PATHS_AREAS.map((area) => entry(pathsMark('area', area), area.symbol ? [symbolElement({ text: 'h' }), ' into ', symbolElement({ text: area.symbol })] : [area.name], area.role));
  const group = (name, entries) => h('div', { class: 'paths-numbers', role: 'group', 'aria-label': name }, h('span', { class: 'paths-what' }, name), entries.map(({ element }) => element));
  return { step, norms, shares, element: h('div', { class: 'paths-read' }, step, group('log\u2081\u2080 of the norm', norms), group('share', shares)) };
}

function pathsMark(kind, { cls, name, hatch }) {
  const drawn = kind === 'line' ? [svgElement('path', { class: `paths-line ${cls}`, d: 'M1 7H25' })]
    : [svgElement('rect', { class: 'paths-area', x: 1, y: 1, width: 24, height: 12 }), ...(hatch ? [svgElement('rect', { fill: `url(#paths-${name})`, x: 1, y: 1, width: 24, height: 12 })] : [])];
  return svgElement('svg', { class: 'paths-mark', viewBox: '0 0 26 14', width: 26, height: 14, 'aria-hidden': 'true' }, ...drawn);
}

// --- a new split ----------------------------------------------------------------------------------------------------------

const pathsLast = (view) => view.norms.shape[0] - 1;
const pathsNorm = (view, t, i) => view.norms.data[t * view.norms.shape[1] + i];
const pathsShare = (view, t, i) => view.shares.data[t * view.shares.shape[1] + i];

function pathsPaint(view) {
  const { left, right, height } = PATHS_BOX;
  view.width = Math.max(240, view.svg.clientWidth || 640);
  view.svg.setAttribute('viewBox', `0 0 ${view.width} ${height}`);
  view.x = (t) => left + (t / Math.max(1, pathsLast(view))) * (view.width - left - right);
  view.steps = Array.from({ length: pathsLast(view) + 1 }, (_, t) => t);
  view.middle = [...view.steps].sort((a, b) => Math.abs(2 * a - pathsLast(view)) - Math.abs(2 * b - pathsLast(view)));
  view.stacks = view.steps.map((t) => pathsStack(view, t));
  view.ranges = { curves: pathsDecades(view), shares: pathsReach(view.stacks) };
  view.yNorm = pathsScale(PATHS_BOX.curves, view.ranges.curves);
  view.yShare = pathsScale(PATHS_BOX.shares, view.ranges.shares);
  pathsDrawAreas(view);
  pathsDrawFrame(view);
  pathsDrawCurves(view);
  pathsPoint(view);
}

/** Lower and upper edge of each path at a step: those above 0 upwards, those below 0 downwards; null where there is nothing to share. */
function pathsStack(view, t) {
  let up = 0, down = 0;
  if (!Number.isFinite(pathsShare(view, t, 0))) return null;
  return PATHS_AREAS.map((_, i) => {
    const share = pathsShare(view, t, i), from = share >= 0 ? up : down;
    if (share >= 0) up += share; else down += share;
    return { above: share >= 0 ? [from, up] : [up, up], below: share < 0 ? [down, from] : [down, down], share };
  });
}

const pathsScale = ([top, bottom], [low, high]) => (value) => bottom - ((Math.max(low, Math.min(high, value)) - low) / (high - low)) * (bottom - top);

/** Ends of the axis of the norms: they change in steps, never with every move. */
function pathsDecades(view) {
  const values = view.steps.flatMap((t) => view.named.map((_, i) => pathsNorm(view, t, i))).filter(Number.isFinite);
  const end = (value) => rangeStep(value, PATHS_DECADES);
  return [-end(Math.max(1, ...values.map((value) => -value))), Math.max(...values) > 0.05 ? end(Math.max(...values)) : 0];
}

/** Ends of the axis of the shares; what is a hair below 0 draws no room for itself. */
function pathsReach(stacks) {
  const edges = stacks.filter(Boolean).flat(), last = (name, side) => edges.map((edge) => edge[name][side]);
  const low = -Math.min(0, ...last('below', 0)), high = Math.max(1, ...last('above', 1));
  return [low > 0.02 ? -rangeStep(low, PATHS_SHARES) : 0, high > 1.02 ? rangeStep(high, PATHS_SHARES) : 1];
}

function pathsDrawAreas(view) {
  view.areas.forEach(({ fill, over }, i) => {
    const d = ['above', 'below'].map((side) => pathsArea(view, i, side)).join('');
    for (const path of over ? [fill, over] : [fill]) path.setAttribute('d', d);
  });
}

/** One path's part above or below 0: along its upper edge and back along its lower one, for every stretch of steps; none too thin to see. */
function pathsArea(view, i, side) {
  const edge = (t, which) => `${view.x(t).toFixed(1)} ${view.yShare(view.stacks[t][i][side][which]).toFixed(2)}`;
  return pathsStretches(view.stacks.map(Boolean)).filter((ts) => ts.some((t) => view.stacks[t][i][side][1] - view.stacks[t][i][side][0] > PATHS_BOX.least))
    .map((ts) => `M${ts.map((t) => edge(t, 1)).join('L')}L${[...ts].reverse().map((t) => edge(t, 0)).join('L')}Z`).join('');
}

/** Steps that follow each other and are all there, stretch by stretch. */
function pathsStretches(there) {
  const stretches = [];
  there.forEach((known, t) => { if (!known) return; if (t && there[t - 1]) stretches.at(-1).push(t); else stretches.push([t]); });
  return stretches;
}

function pathsDrawCurves(view) {
  view.curves.forEach(({ line }, i) => {
    const stretches = pathsStretches(view.steps.map((t) => Number.isFinite(pathsNorm(view, t, i))));
    line.setAttribute('d', stretches.map((ts) => `M${ts.map((t) => `${view.x(t).toFixed(1)} ${view.yNorm(pathsNorm(view, t, i)).toFixed(2)}`).join('L')}`).join(''));
  });
  pathsNameCurves(view);
}

/** Names beside the left ends, which are furthest back and furthest apart; they make room for each other. */
function pathsNameCurves(view) {
  const [top, bottom] = PATHS_BOX.curves, wanted = view.curves.map(({ label }, i) => ({ label, y: Number.isFinite(pathsNorm(view, 0, i)) ? view.yNorm(pathsNorm(view, 0, i)) : bottom }));
  wanted.sort((a, b) => a.y - b.y);
  wanted.forEach((one, i) => { one.y = Math.max(one.y, i ? wanted[i - 1].y + PATHS_BOX.gap : top + 2); });
  const below = Math.max(0, wanted.at(-1).y - bottom + 2);
  wanted.reverse().forEach((one, i) => { one.y = i ? Math.min(one.y, wanted[i - 1].y - PATHS_BOX.gap) : one.y - below; });
  for (const { label, y } of wanted) { label.setAttribute('x', PATHS_BOX.left - 6); label.setAttribute('y', y + 4); }
}

// --- frame: ticks, lines at 1, names in the areas -------------------------------------------------------------------------

function pathsDrawFrame(view) {
  const { left, right, curves, shares } = PATHS_BOX, end = view.width - right;
  const decades = pathsTicks(view.ranges.curves), parts = pathsShareTicks(view), times = pathsTimes(view);
  const rows = [...decades.map((value) => [value, view.yNorm(value)]), ...parts.map((value) => [value, view.yShare(value)])];
  view.frame.grid.setAttribute('d', [...rows.map(([, y]) => `M${left} ${y}H${end}`), ...times.map((t) => `M${view.x(t)} ${shares[1]}v5`)].join(''));
  view.frame.ones.setAttribute('d', `M${left} ${view.yNorm(0)}H${end}M${left} ${view.yShare(1)}H${end}M${left} ${view.yShare(0)}H${end}`);
  view.frame.ticks.replaceChildren(...rows.map(([value, y]) => chartText(end + 6, y + 4, pathsTick(value), { class: 'ink2' })),
    ...times.map((t) => chartText(view.x(t), shares[1] + 19, String(t), { class: 'ink2', 'text-anchor': 'middle' })), chartText(left - 12, shares[1] + 19, 't', { class: 'sym ink2', 'text-anchor': 'end', size: 16 }));
  view.frame.titles.forEach((title, i) => { title.setAttribute('x', left); title.setAttribute('y', [curves, shares][i][0] - 8); });
  view.frame.labels.forEach((label, i) => pathsNameArea(view, label, i));
}

const pathsTick = (value) => {
  const size = Math.abs(value), text = size >= 1e4 ? size.toExponential(0).replace('+', '') : String(size);
  return value < 0 ? DIAGRAM_MINUS + text : text;
};

/** Whole decades from end to end, five at most, 0 always among them. */
function pathsTicks([low, high]) {
  const every = [0.5, 1, 2, 3, 5, 6, 10, 12, 20, 24, 40, 50, 100, 200, 500, 2500].find((step) => (high - low) / step <= 5) ?? high - low;
  const ticks = [];
  for (let value = Math.ceil(low / every) * every; value <= high; value += every) ticks.push(value);
  return ticks;
}

/** 0, 1, what lies half way, and the ends where they leave room. */
function pathsShareTicks(view) {
  const ticks = [0];
  for (const value of [1, ...view.ranges.shares, 0.5]) if (ticks.every((other) => Math.abs(view.yShare(other) - view.yShare(value)) > PATHS_BOX.gap)) ticks.push(value);
  return ticks;
}

function pathsTimes(view) {
  const T = pathsLast(view), most = Math.max(2, Math.floor((view.width - 90) / 60));
  const every = [1, 2, 3, 5, 10, 20, 25, 50, 100, 200].find((step) => T / step <= most) ?? T;
  return view.steps.filter((t) => t % every === 0);
}

/** A name stands where its area has most room for it, near the middle rather than not; without room the numbers below name it. */
function pathsNameArea(view, label, i) {
  const half = PATHS_AREAS[i].symbol ? 7 : 24, { left, right, label: room } = PATHS_BOX;
  let best = null;
  for (const t of view.middle) {
    const x = view.x(t), seen = view.steps.filter((s) => Math.abs(view.x(s) - x) <= half + (view.width - left - right) / Math.max(1, pathsLast(view)));
    if (x - half < left || x + half > view.width - right || !seen.every((s) => view.stacks[s])) continue;
    for (const side of ['above', 'below']) {
      const top = Math.max(...seen.map((s) => view.yShare(view.stacks[s][i][side][1]))), bottom = Math.min(...seen.map((s) => view.yShare(view.stacks[s][i][side][0])));
      if (bottom - top > (best ? best.height + 1 : room)) best = { height: bottom - top, x, y: (top + bottom) / 2 };
    }
  }
  label.toggleAttribute('hidden', !best);
  if (best) { label.setAttribute('x', best.x); label.setAttribute('y', best.y + 4.5); }
}

// --- the selected step, and the one under the pointer ---------------------------------------------------------------------

function pathsPoint(view) {
  const T = pathsLast(view), t = Math.min(view.at ?? view.t, T), selected = Math.min(view.t, T);
  const line = (step) => `M${view.x(step)} ${PATHS_BOX.curves[0] - 4}V${PATHS_BOX.shares[1]}`;
  view.cursor.line.setAttribute('d', line(selected));
  view.cursor.pointed.setAttribute('d', view.at === null ? '' : line(t));
  view.cursor.label.textContent = `t = ${t}, lag ${T - t}`;
  view.cursor.label.setAttribute('x', Math.max(PATHS_BOX.left + 130, Math.min(view.width - 46, view.x(t))));
  view.curves.forEach(({ here }, i) => {
    const value = pathsNorm(view, t, i);
    here.toggleAttribute('hidden', !Number.isFinite(value));
    if (Number.isFinite(value)) { here.setAttribute('cx', view.x(t)); here.setAttribute('cy', view.yNorm(value)); }
  });
  pathsRead(view, t, T);
}

function pathsRead(view, t, T) {
  const { part, read } = view;
  fill(read.step, [{ kind: 'symbol', text: 't' }, { kind: 'text', text: ` = ${t}, lag ${T - t}` }]);
  read.norms.forEach(({ number }, i) => pathsNumber(number, part.norm, t, i, pathsNorm(view, t, i)));
  read.shares.forEach(({ number }, i) => pathsNumber(number, part.share, t, i, pathsShare(view, t, i)));
  view.svg.setAttribute('aria-label', `Where the gradient of the cell state goes, step 0 to ${T}. At step ${t}, lag ${T - t}: log10 of the norm: ${pathsAloud(read.norms)}; share: ${pathsAloud(read.shares)}`);
}

const pathsAloud = (entries) => entries.map(({ element }) => [...element.querySelectorAll(':scope > span')].map((span) => span.textContent).join(' ')).join(', ');

function pathsNumber(element, symbol, t, unit, value) {
  element.textContent = formatNumber(value);
  setReadout(element, symbol, t, unit, value);
}

function pathsListen(view) {
  const stepAt = (event) => {
    const { left, right } = PATHS_BOX, x = event.clientX - view.svg.getBoundingClientRect().left;
    return Math.max(0, Math.min(pathsLast(view), Math.round(((x - left) / (view.width - left - right)) * pathsLast(view))));
  };
  const show = (at) => { if (view.norms && at !== view.at) { view.at = at; pathsPoint(view); } };
  view.svg.addEventListener('pointermove', (event) => {
    if (!view.norms) return;
    show(stepAt(event));
    if (view.svg.hasPointerCapture(event.pointerId)) view.page.setTime(stepAt(event));
  });
  view.svg.addEventListener('pointerleave', () => show(null));
  view.svg.addEventListener('pointerdown', (event) => {
    if (!view.norms || event.button !== 0) return;
    view.svg.setPointerCapture(event.pointerId);
    view.page.setTime(stepAt(event));
  });
}
