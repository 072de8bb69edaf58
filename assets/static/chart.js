// A plot of app/plots/chart.py as SVG: built once for its series, then a move only assigns paths. It stands where the live page has
// a Bokeh figure.

const CHART = { height: 440, left: 52, right: 12, top: 8, bottom: 46, names: 124, tick: 6, letter: 6.7 };
/** Circles and squares are the caps of lines without length, which are drawn in half the time of their outlines. */
const CHART_MARKS = {
  circle: () => 'h0',
  square: () => 'h0',
  triangle: (r) => `m0 ${-r}l${r} ${1.8 * r}h${-2 * r}z`,
  inverted_triangle: (r) => `m0 ${r}l${r} ${-1.8 * r}h${-2 * r}z`,
  diamond: (r) => `m0 ${-1.2 * r}l${r} ${1.2 * r}l${-r} ${1.2 * r}l${-r} ${-1.2 * r}z`,
  open_diamond: () => 'm0 -7l5 7l-5 7l-5 -7z',
};

function createChart(part, page) {
  const view = { part, page, shown: null, drawn: null, width: 0, series: '', at: null };
  const layer = (cls) => svgElement('g', { class: cls });
  Object.assign(view, { grid: layer('chart-grid'), lines: svgElement('svg', { class: 'chart-lines' }), names: layer('chart-names'), axes: layer('chart-axes') });
  view.cursor = svgElement('path', { class: 'chart-cursor' });
  view.svg = svgElement('svg', { class: 'fig chart', role: 'img', height: CHART.height }, view.grid, view.cursor, view.lines, view.names, view.axes);
  view.tip = h('div', { class: 'diagram-tip chart-tip', hidden: true, 'aria-hidden': 'true' });
  const summary = h('p', { class: 'plot-summary' });
  const element = h('div', { class: 'figure' }, h('div', { class: 'chart-box' }, view.svg, view.tip), summary);
  chartListen(view);
  return {
    element,
    update(arrays, texts) {
      fill(summary, texts[part.summary]);
      view.svg.setAttribute('aria-label', `${part.label}. ${summary.textContent}`);
      chartShow(view, page.model.chart(part.chart));
    },
  };
}

function chartShow(view, instance) {
  if (instance !== view.shown) {
    [view.shown, view.drawn] = [instance, view.page.model.value(instance)];
    chartDraw(view);
  }
  if (view.width) chartCursor(view);
}

function chartDraw(view) {
  view.width ||= view.svg.clientWidth; // asked once: an answer costs a layout of the page
  if (!view.width) return;
  const { drawn } = view, own = drawn.series.filter(({ label, at, x }) => label && at === x.length - 1);
  view.right = own.length ? CHART.names : CHART.right; // names of curves that end at the last tick stand beside them
  const [left, right, top, base] = [CHART.left, view.width - view.right, CHART.top, CHART.height - CHART.bottom];
  const share = (value, [low, high]) => (value - low) / (high - low || 1);
  view.x = (value) => left + share(value, drawn.x_range) * (right - left);
  view.y = (value) => base - share(value, drawn.y_range) * (base - top);
  view.box = { left, right, top, base };
  const inside = { x: left, y: top, width: right - left, height: base - top }; // an inner SVG cuts off what is outside of it
  for (const [name, value] of Object.entries({ ...inside, viewBox: Object.values(inside).join(' ') })) view.lines.setAttribute(name, value);
  chartGrid(view);
  chartSeries(view);
  chartNames(view);
}

/** Ticks, their texts, grid and axes: the same for most moves. */
function chartGrid(view) {
  const { drawn, box, x, y } = view, key = JSON.stringify([view.width, drawn.x_range, drawn.y_range, drawn.x_texts, drawn.y_texts, drawn.x_label]);
  if (key === view.gridKey) return;
  view.gridKey = key;
  const rows = drawn.y_ticks.map((tick) => `M${box.left} ${y(tick)}H${box.right}`).join('');
  const across = drawn.across.map((height) => `M${box.left} ${y(height)}H${box.right}`).join('');
  view.grid.replaceChildren(svgElement('path', { class: 'gridl', d: rows }), svgElement('path', { class: 'chart-across', d: across }));
  const ticks = `${drawn.x_ticks.map((tick) => `M${x(tick)} ${box.base}v${CHART.tick}`).join('')}${drawn.y_ticks.map((tick) => `M${box.left} ${y(tick)}h${-CHART.tick}`).join('')}`;
  const frame = svgElement('path', { class: 'chart-axis', d: `M${box.left} ${box.top}V${box.base}H${box.right}${ticks}` });
  const across_texts = drawn.x_ticks.map((tick, i) => chartText(x(tick), box.base + 19, drawn.x_texts[i], { class: 'ink2', 'text-anchor': 'middle' }));
  const up_texts = drawn.y_ticks.map((tick, i) => chartText(box.left - 9, y(tick) + 4, drawn.y_texts[i], { class: 'ink2', 'text-anchor': 'end' }));
  const label = chartText((box.left + box.right) / 2, box.base + 38, drawn.x_label, { class: 'ink2', 'text-anchor': 'middle' });
  view.axes.replaceChildren(frame, ...across_texts, ...up_texts, label);
}

function chartSeries(view) {
  const { drawn } = view, key = drawn.series.map(({ name, line, mark, role }) => [name, line, mark, role].join()).join();
  if (key !== view.series) {
    view.series = key;
    view.lines.replaceChildren(...drawn.series.flatMap(({ line, mark, role }) => [
      svgElement('path', { class: `chart-line ${line || 'none'}`, style: `--c: var(--${role})` }), svgElement('path', { class: `chart-mark ${mark}`, style: `--c: var(--${role})` })]));
  }
  drawn.series.forEach((series, i) => {
    view.lines.childNodes[2 * i].setAttribute('d', series.line ? chartPath(view, series) : '');
    view.lines.childNodes[2 * i + 1].style.strokeWidth = CHART_MARKS[series.mark]?.(1) === 'h0' ? 2 * chartRadius(series.x) : '';
    view.lines.childNodes[2 * i + 1].setAttribute('d', series.mark ? chartMarks(view, series) : '');
  });
}

/** A line through every finite point that is not far outside. */
function chartPath(view, { x, y }) {
  let path = '', pen = 'M';
  for (let i = 0; i < x.length; i += 1) {
    if (Number.isNaN(y[i])) { pen = 'M'; continue; }
    path += `${pen}${view.x(x[i]).toFixed(1)} ${chartHeight(view, y[i]).toFixed(1)}`;
    pen = 'L';
  }
  return path;
}

/** Far outside of the box is just outside of it: what is cut off there need not be drawn. */
const chartHeight = (view, value) => Math.max(-1e4, Math.min(1e4, view.y(value)));

const chartRadius = (x) => (x.length > 40 ? 2.25 : 3.5);

function chartMarks(view, { x, y, mark }) {
  const shape = CHART_MARKS[mark](chartRadius(x));
  const inside = (i) => !Number.isNaN(y[i]) && y[i] >= view.drawn.y_range[0] && y[i] <= view.drawn.y_range[1];
  return Array.from(x, (_, i) => (inside(i) ? `M${view.x(x[i]).toFixed(1)} ${view.y(y[i]).toFixed(1)}${shape}` : '')).join('');
}

/** Each name beside its curve, at the place that Python found for it, but on the plot; those at the end of their curves move apart. */
function chartNames(view) {
  const named = view.drawn.series.filter(({ label }) => label);
  const places = named.map(({ x, y, at, below, label, role }) => {
    const end = at === x.length - 1;
    return { label, role, left: view.x(x[at]) + (end ? 10 : 8), top: view.y(y[at]) + 4 + (end ? 0 : below ? 13 : -13), end };
  });
  chartApart(places.filter(({ end }) => end));
  withCount(view.names, places.length, () => chartText(0, 0, '', { class: 'over', size: 13 })).forEach((text, i) => {
    const { label, role, left, top } = places[i];
    text.textContent = label;
    text.setAttribute('x', Math.max(0, Math.min(left, view.width - CHART.letter * label.length)));
    text.setAttribute('y', top);
    text.style.fill = `var(--${role === 'ink2' ? role : `${role}-t`})`;
  });
}

/** Names of curves that end at the same number are one name; others keep a line's distance. */
function chartApart(places) {
  let above = Infinity;
  for (const place of places.sort((one, other) => other.top - one.top)) {
    place.top = Math.min(place.top, above - 17);
    above = place.top;
  }
}

function chartCursor(view) {
  const { part, page, box } = view, at = part.follows ? view.x(page.cursor[part.follows]) : null;
  view.cursor.setAttribute('d', at === null ? '' : `M${at} ${box.top}V${box.base}`);
}

// --- pointing -----------------------------------------------------------------------------------------------------------------

function chartListen(view) {
  const { part, page, svg } = view, resize = new ResizeObserver(() => chartResize(view));
  resize.observe(svg);
  svg.addEventListener('pointermove', (event) => chartPoint(view, event));
  svg.addEventListener('pointerleave', () => { view.tip.hidden = true; });
  if (!part.follows || page.locked(part.follows)) return;
  svg.classList.add('chooses');
  svg.addEventListener('click', (event) => page.look(part.follows, String(Math.round(chartNearest(view, event)))));
}

function chartResize(view) {
  if (!view.drawn || view.svg.clientWidth === view.width) return;
  view.width = 0;
  chartDraw(view);
  if (view.width) chartCursor(view);
}

/** The x of the nearest point of any curve. */
function chartNearest(view, event) {
  const wanted = event.clientX - view.svg.getBoundingClientRect().left, all = view.drawn.series.flatMap(({ x }) => [...x]);
  return all.reduce((best, x) => (Math.abs(view.x(x) - wanted) < Math.abs(view.x(best) - wanted) ? x : best), all[0]);
}

/** What every curve is where the pointer stands. */
function chartPoint(view, event) {
  const x = chartNearest(view, event), { drawn, tip, svg } = view;
  const rows = drawn.series.filter(({ line }) => line).map((series) => [series.name, series.y[series.x.indexOf(x)]]).filter(([, y]) => y !== undefined && !Number.isNaN(y));
  const said = (value, log) => formatNumber(log ? 10 ** value : value, 3);
  tip.replaceChildren(h('b', {}, `${drawn.x_label.split(' ')[0]} ${drawn.x_log10 ? Math.round(10 ** x) : x}`), ...rows.map(([name, y]) => h('span', {}, `${name} ${drawn.x_log10 ? said(y, drawn.y_log10) : `${drawn.y_log10 ? 'log\u2081\u2080 ' : ''}${formatNumber(y, 4)}`}`)));
  tip.hidden = false;
  const room = svg.clientWidth - tip.offsetWidth, left = view.x(x) + 14;
  tip.style.left = `${left > room ? view.x(x) - tip.offsetWidth - 14 : left}px`;
  tip.style.top = `${Math.max(0, event.clientY - svg.getBoundingClientRect().top - tip.offsetHeight / 2)}px`;
}
