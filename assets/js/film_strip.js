// The film strip: a frame for each step of the span, newest right, and the singular values of their product. A frame's heat map is a
// canvas of one pixel a cell; its eigenvalues and singular values are one path each, so that 24 frames of 64 units stay light.

const STRIP = { size: 72, stems: 46, frames: 24 };

function createFilmStrip(part, page) {
  const player = filmPlayer(page);
  const row = h('div', { class: 'strip', role: 'region', tabindex: 0, 'aria-label': 'Jacobian of each step of the span' });
  const frames = Array.from({ length: STRIP.frames }, () => stripFrame(player));
  row.append(...frames.map(({ element }) => element));
  let shown = null, dark = null, steps = [];
  function update(arrays, texts, current) {
    if (arrays === shown && dark === Boolean(current.dark)) return;
    [shown, dark] = [arrays, Boolean(current.dark)];
    steps = [...arrays.get('steps').data];
    frames.forEach(({ element }, i) => { element.hidden = i >= steps.length; });
    steps.forEach((step, i) => stripPaint(frames[i], step, i, arrays, texts.strip, dark));
    const ellipses = arrays.get('ellipses');
    player.span(ellipses.t0, ellipses.t0 + ellipses.shape[0] - 1);
  }
  let current = null;
  player.shows((place) => {
    const i = place > player.first ? steps.findIndex((step) => step >= Math.floor(place)) : -1;
    const next = frames[i]?.element ?? null;
    if (next === current) return;
    current?.classList.remove('now');
    next?.classList.add('now');
    current = next;
    if (next) stripReveal(row, next);
    else row.scrollLeft = 0;
  });
  return { element: h('div', { class: 'film-strip' }, row, createFilmBar(player)), update };
}

/** Scroll the strip alone, never the page, and only where the frame is not in sight. */
function stripReveal(row, element) {
  const left = element.offsetLeft - row.offsetLeft, right = left + element.offsetWidth;
  if (left < row.scrollLeft || right > row.scrollLeft + row.clientWidth) row.scrollLeft = left - row.clientWidth / 2 + element.offsetWidth / 2;
}

function stripFrame(player) {
  const { size, stems } = STRIP, half = size / 2;
  const canvas = h('canvas', { 'aria-hidden': 'true' });
  const circle = svgElement('circle', { class: 'unit-circle', cx: half, cy: half });
  const inside = svgElement('path', { class: 'strip-in' }), outside = svgElement('path', { class: 'strip-out' });
  const plane = svgElement('svg', { class: 'fig', viewBox: `0 0 ${size} ${size}`, 'aria-hidden': 'true' },
    svgElement('path', { class: 'gridl', d: `M0 ${half}H${size}M${half} 0V${size}` }), circle, inside, outside);
  const one = svgElement('path', { class: 'one-line' }), bars = svgElement('path', { class: 'strip-stems' });
  const values = svgElement('svg', { class: 'fig', viewBox: `0 0 ${size} ${stems}`, 'aria-hidden': 'true' }, one, bars, svgElement('path', { class: 'axis', d: `M0 ${stems - 0.5}H${size}` }));
  const label = h('figcaption', {});
  const element = h('figure', { class: 'frame', role: 'img', hidden: true }, label, canvas, plane, values);
  const made = { element, label, canvas, circle, inside, outside, one, bars, step: 0 };
  element.addEventListener('click', () => player.go(made.step));
  return made;
}

function stripPaint(frame, step, i, arrays, { side, reach, top }, dark) {
  const sigmas = stripRow(arrays.get('sigmas'), i), pairs = stripRow(arrays.get('eigenvalues'), i);
  frame.step = step;
  frame.label.replaceChildren(symbolElement({ text: 't' }), ` = ${step}`);
  stripCells(frame, stripRow(arrays.get('cells'), i), side, dark);
  const outside = stripPlane(frame, pairs, reach);
  stripStems(frame, sigmas, top);
  frame.element.setAttribute('aria-label', `t = ${step}: largest singular value ${formatNumber(sigmas[0])}, ${outside} of ${sigmas.length} eigenvalues outside the unit circle`);
}

const stripRow = ({ data, shape }, i) => data.subarray(i * shape[1], (i + 1) * shape[1]);

/** Eight colour steps lie in each float64 of the row, one a byte. */
function stripCells(frame, packed, side, dark) {
  const steps = new Uint8Array(packed.buffer, packed.byteOffset, packed.byteLength);
  heatPixels(frame.canvas, side, side, dark, (palette, cell) => palette[steps[cell]]);
}

/** Points inside the circle are dots, outside squares; returns how many are outside. */
function stripPlane(frame, pairs, reach) {
  const half = STRIP.size / 2, scale = half / reach, paths = ['', ''];
  let outside = 0;
  for (let i = 0; i < pairs.length; i += 2) {
    const far = Math.hypot(pairs[i], pairs[i + 1]) > 1 + 1e-12;
    outside += far;
    if (Number.isFinite(pairs[i])) paths[Number(far)] += `M${half + pairs[i] * scale} ${half - pairs[i + 1] * scale}h0`;
  }
  frame.circle.setAttribute('r', scale);
  frame.inside.setAttribute('d', paths[0]);
  frame.outside.setAttribute('d', paths[1]);
  return outside;
}

function stripStems(frame, sigmas, top) {
  const { size, stems } = STRIP, y = (value) => stems - 1 - (Math.min(value, top) / top) * (stems - 3), gap = size / sigmas.length;
  let path = '';
  for (let i = 0; i < sigmas.length; i += 1) if (Number.isFinite(sigmas[i])) path += `M${(i + 0.5) * gap} ${stems - 1}V${y(sigmas[i])}`;
  frame.bars.setAttribute('d', path);
  frame.bars.style.strokeWidth = Math.max(1, Math.min(6, 0.6 * gap));
  frame.one.setAttribute('d', `M0 ${y(1)}H${size}`);
}

// --- singular values of the product -----------------------------------------------------------------------------------------

/** Stems on a logarithmic axis whose ends change in steps. What rounding leaves of a product below 1e-15.5 of its largest is not drawn. */
function createFilmStems() {
  const W = 300, H = 252, LEFT = 40, RIGHT = 290, TOP = 16, BASE = 220, ENDS = [1, 3, 6, 9, 12, 18, 24, 36, 48, 72, 96, 144, 192, 288, 384], DEPTH = 15.5;
  const grid = svgElement('g', {}), one = svgElement('path', { class: 'one-line' }), stems = svgElement('path', { class: 'stem' }), heads = svgElement('g', {});
  const oneText = chartText(RIGHT, TOP + 14, 'keeps length', { class: 'ink2 over', 'text-anchor': 'end' });
  const count = chartText(0, BASE + 18, '', { class: 'ink2', 'text-anchor': 'middle' }), first = chartText(LEFT + 14, BASE + 18, '1', { class: 'ink2', 'text-anchor': 'middle' });
  const svg = svgElement('svg', { class: 'fig stems', viewBox: `0 0 ${W} ${H}`, role: 'img' }, grid, one, stems, heads, oneText, first, count, svgElement('path', { class: 'axis', d: `M${LEFT} ${BASE}H${RIGHT}` }));
  const note = h('p', { class: 'note' });
  let shown = null, ends = '';
  function update(arrays) {
    if (arrays === shown) return;
    shown = arrays;
    const logs = [...arrays.get('span_log10').data], finite = logs.filter(Number.isFinite);
    const largest = Math.max(...finite), kept = finite.filter((v) => v >= largest - DEPTH), lowest = Math.min(...kept, 0);
    const [low, high] = finite.length ? [-rangeStep(-lowest, ENDS), rangeStep(largest, [0, ...ENDS])] : [-1, 1];
    const x = (i) => LEFT + 14 + (i / Math.max(1, logs.length - 1)) * (RIGHT - LEFT - 28), y = (v) => BASE - ((Math.max(v, low) - low) / (high - low)) * (BASE - TOP);
    if (ends !== (ends = `${low} ${high}`)) grid.replaceChildren(...decadeTicks(low, high).flatMap((decade) => [svgElement('path', { class: 'gridl', d: `M${LEFT} ${y(decade)}H${RIGHT}` }), decadeText(LEFT - 6, y(decade) + 4, decade)]));
    one.setAttribute('d', `M${LEFT} ${y(0)}H${RIGHT}`);
    oneText.setAttribute('y', y(0) < TOP + 8 ? y(0) + 14 : y(0) - 5);
    stems.setAttribute('d', kept.map((v, i) => `M${x(i)} ${BASE}V${y(v)}`).join(''));
    stems.style.strokeWidth = logs.length > 24 ? 1.5 : 3;
    withCount(heads, kept.length, () => svgElement('circle', { class: 'stem-head', r: 3.5 })).forEach((head, i) => { head.setAttribute('cx', x(i)); head.setAttribute('cy', y(kept[i])); head.classList.toggle('lead', i < 2); });
    count.setAttribute('x', x(logs.length - 1));
    count.textContent = logs.length > 1 ? String(logs.length) : '';
    svg.setAttribute('aria-label', filmStemsName(logs));
    const left = finite.length - kept.length;
    note.textContent = left ? `Not drawn: ${left} of ${logs.length}, below what rounding leaves beside the largest.` : '';
  }
  return { element: h('figure', { class: 'film-stems' }, h('figcaption', {}, 'Singular values of the product'), svg, note), update };
}

function filmStemsName(logs) {
  const zeros = logs.filter((v) => v === -Infinity).length, above = logs.filter((v) => v > 1e-12).length;
  return `Singular values of the product, logarithmic, largest first: ${above} of ${logs.length} above 1${zeros ? `, ${zeros} exactly 0` : ''}`;
}

/** At most seven decades with a number, 1 among them. */
function decadeTicks(low, high) {
  const every = [1, 2, 3, 6, 12, 24, 48, 96].find((step) => (high - low) / step <= 6) ?? 192;
  const first = Math.ceil(low / every);
  return Array.from({ length: Math.floor(high / every) - first + 1 }, (_, i) => (first + i) * every);
}

/** A power of ten with a true minus, right-aligned. */
function decadeText(x, y, decade, extra = {}) {
  const text = chartText(x, y, '10', { class: 'ink2', 'text-anchor': 'end', ...extra });
  text.append(svgElement('tspan', { class: 'sub', dy: -4, 'font-size': 9 }, String(decade).replace('-', DIAGRAM_MINUS)));
  return text;
}
