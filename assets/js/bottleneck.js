// Accuracy against the length of the source, one curve a model: measured shares with the interval that their counts leave.

const BOTTLENECK = { left: 46, right: 16, top: 28, bottom: 184, height: 224 };
const BOTTLENECK_MARKS = ['M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z', 'M-4 -4h8v8h-8z'];

function createBottleneck(part, page) {
  const view = { shown: null, width: 0, at: null, data: null };
  view.svg = svgElement('svg', { id: 'bottleneck', class: 'fig bottleneck', role: 'img' });
  view.read = h('p', { class: 'bottleneck-read' });
  const point = (event) => bottleneckPoint(view, event);
  view.svg.addEventListener('pointermove', point);
  view.svg.addEventListener('pointerdown', point);
  view.svg.addEventListener('pointerleave', () => { view.at = null; bottleneckRead(view); });
  new ResizeObserver(() => view.shown && view.svg.clientWidth !== view.width && bottleneckDraw(view)).observe(view.svg);
  return {
    element: h('div', {}, view.svg, view.read),
    update(arrays, texts) {
      if (view.shown === texts.bottleneck) return;
      [view.shown, view.data] = [texts.bottleneck, arrays];
      bottleneckDraw(view);
      bottleneckRead(view);
    },
  };
}

const bottleneckValue = (view, name, row, curve) => view.data.get(name).data[row * view.shown.curves.length + curve];
const bottleneckLengths = (view) => [...view.data.get('lengths').data];

function bottleneckDraw(view) {
  view.width = view.svg.clientWidth || 640;
  const { left, right, top, bottom, height } = BOTTLENECK, lengths = bottleneckLengths(view), ends = [lengths[0], lengths.at(-1)];
  const x = view.x = (length) => left + 14 + ((length - ends[0]) / Math.max(1, ends[1] - ends[0])) * (view.width - left - right - 28), y = (share) => bottom - share * (bottom - top);
  view.svg.setAttribute('viewBox', `0 0 ${view.width} ${height}`);
  const shares = [0, 0.25, 0.5, 0.75, 1], every = [1, 2, 5, 10].find((step) => (ends[1] - ends[0]) / step <= (view.width - 90) / 34) ?? 20;
  const ticks = lengths.filter((length) => length % every === 0);
  const grid = svgElement('path', { class: 'gridl', d: shares.map((share) => `M${left} ${y(share)}H${view.width - right}`).join('') });
  const labels = [...shares.map((share) => chartText(left - 8, y(share) + 4, String(share), { class: 'ink2', 'text-anchor': 'end' })),
    ...ticks.map((length) => chartText(x(length), bottom + 18, String(length), { class: 'ink2', 'text-anchor': 'middle' })),
    chartText((left + view.width - right) / 2, bottom + 34, 'characters of the source', { class: 'ink2', 'text-anchor': 'middle' })];
  view.pointed = svgElement('path', { class: 'paths-at' });
  view.svg.replaceChildren(grid, ...bottleneckCursor(view, x), ...bottleneckTrained(view, x), ...view.shown.curves.map((curve, i) => bottleneckCurve(view, curve, i, x, y)), view.pointed, ...labels);
  view.svg.setAttribute('aria-label', `Accuracy against the length of the source: ${view.shown.curves.map(({ name }) => name).join(' and ')}`);
}

/** The length of the text on the page. */
function bottleneckCursor({ shown, data }, x) {
  const lengths = [...data.get('lengths').data];
  if (shown.now < lengths[0] || shown.now > lengths.at(-1)) return [];
  return [svgElement('path', { class: 'tline', d: `M${x(shown.now)} ${BOTTLENECK.top - 8}V${BOTTLENECK.bottom}` })];
}

/** Up to where the model has seen sources in training, where the measurement goes beyond. */
function bottleneckTrained(view, x) {
  const { trained } = view.shown;
  if (!trained || trained >= bottleneckLengths(view).at(-1)) return [];
  const at = (x(trained) + x(trained + 1)) / 2; // beside the line, above the curves
  return [svgElement('path', { class: 'bottleneck-trained', d: `M${at} 4V${BOTTLENECK.bottom}` }),
    chartText(at + 6, 14, 'longer than trained', { class: 'ink2' })];
}

function bottleneckCurve(view, { role, cls }, curve, x, y) {
  const rows = bottleneckLengths(view).map((length, row) => ({ length, row })).filter(({ row }) => Number.isFinite(bottleneckValue(view, 'shares', row, curve)));
  const at = (row, name) => y(bottleneckValue(view, name, row, curve)), shift = curve ? 3 : -3;
  const line = rows.map(({ length, row }) => `${x(length) + shift} ${at(row, 'shares')}`).join('L');
  const bars = rows.map(({ length, row }) => `M${x(length) + shift} ${at(row, 'low')}V${at(row, 'high')}`).join('');
  const marks = rows.map(({ length, row }) => svgElement('path', { class: 'bottleneck-mark', d: BOTTLENECK_MARKS[curve], transform: `translate(${x(length) + shift} ${at(row, 'shares')})` }));
  return svgElement('g', { class: `r-${role}` }, svgElement('path', { class: 'bottleneck-bars', d: bars }), svgElement('path', { class: `bottleneck-line ${cls}`, d: `M${line}` }), ...marks);
}

function bottleneckPoint(view, event) {
  if (!view.shown) return;
  const x = event.clientX - view.svg.getBoundingClientRect().left, lengths = bottleneckLengths(view);
  view.at = lengths.reduce((best, length) => (Math.abs(view.x(length) - x) < Math.abs(view.x(best) - x) ? length : best));
  bottleneckRead(view);
}

/** The numbers of the length under the pointer, else of the text on the page or the nearest measured one. */
function bottleneckRead(view) {
  const lengths = bottleneckLengths(view), wanted = view.at ?? view.shown.now;
  const row = lengths.reduce((best, length, i) => (Math.abs(length - wanted) < Math.abs(lengths[best] - wanted) ? i : best), 0), length = lengths[row];
  view.pointed.setAttribute('d', view.at === null ? '' : `M${view.x(length)} ${BOTTLENECK.top - 8}V${BOTTLENECK.bottom}`);
  const words = view.shown.curves.flatMap(({ name }, curve) => bottleneckWords(view, name, row, curve, length));
  fill(view.read, [{ kind: 'strong', text: `${length} characters` }, ...words, { kind: 'text', text: '.' }]);
}

function bottleneckWords(view, name, row, curve, length) {
  const text = (said) => ({ kind: 'text', text: said }), value = (array) => bottleneckValue(view, array, row, curve);
  if (!Number.isFinite(value('shares'))) return [text(`; ${name}: not measured`)];
  const number = (array) => ({ kind: 'number', text: formatNumber(value(array)), symbol: `accuracy_${array}`, t: length, unit: curve, value: diagramExact(value(array)) });
  return [text(`; ${name} `), number('shares'), text(' ('), number('low'), text(' to '), number('high'), text(`) of ${value('counts')} sources`)];
}
