// Cards and rail from the layout that Python sends once. `page` collects the controls, parts and step bars made on the way.

function layoutGrid(page) {
  const column = h('div', { class: 'col' }, page.layout.cards.map((card) => layoutCard(page, card)));
  const blocks = page.layout.rail.map((block) => layoutBlock(page, block));
  const rail = h('aside', { class: 'card rail', 'aria-label': 'Controls and inspector' }, blocks, layoutActions(page));
  return h('div', { class: `grid ${page.layout.grid}` }, column, rail);
}

function layoutCard(page, card) {
  if (card.column) return h('div', { class: 'column' }, card.column.map((inner) => layoutCard(page, inner)));
  if (card.row) return h('div', { class: `row ${card.cls ?? ''}` }, card.row.map((inner) => layoutCard(page, inner)));
  const body = h('div', { class: 'cb' }, card.body.map((part) => layoutPart(page, part)));
  return layoutWhen(page, card, h('section', { class: `card ${card.cls ?? ''}` }, layoutHead(page, card), body, card.steps ? layoutStepBar(page, card.steps) : null));
}

/** What belongs to some patterns alone stands on the page in those. */
function layoutWhen(page, { when }, element) {
  if (when) page.conditional.push({ element, when });
  return element;
}

function layoutHead(page, card) {
  if (!card.title) return null;
  const legend = card.legend ? layoutLegend(page, card.legend) : null;
  const facts = card.facts ? layoutPart(page, { kind: 'text', id: card.facts, cls: 'facts' }) : null;
  return h('div', { class: 'ch' }, h('h2', {}, ...labelElements(card.title)), facts, h('div', { class: 'sp' }), legend);
}

/** Legends name roles, never values. */
function layoutLegend(page, items) {
  const entry = (item) => layoutWhen(page, item, h('span', { class: item.role ? `r-${item.role}` : null }, legendMark(item), ...labelElements(item.label)));
  return h('div', { class: 'leg' }, items.map(entry));
}

function legendMark(item) {
  const marks = { square: [14, 14, ['rect', { class: 'delay', width: 14, height: 14, rx: 1.5 }]], line: [26, 10, ['path', { class: `lg ${item.cls}`, d: 'M1 5H25' }]],
    chain: [34, 12, ['path', { class: 'loom-halo on', d: 'M34 6H2' }], ['path', { class: 'lg bwd on', d: 'M34 6H2' }], ['path', { class: 'lg chev', d: 'M8 1.5 1.5 6 8 10.5' }]],
    cut: [14, 14, ['path', { class: 'cut', d: 'M5 2v10M10 2v10' }]], tick: [12, 10, ['path', { class: 'loom-ticks dark', d: 'M2 5h8' }]] };
  const [width, height, ...mark] = marks[item.shape ?? 'line'];
  return svgElement('svg', { width, height, 'aria-hidden': 'true' }, ...mark.map((drawn) => svgElement(...drawn)), ...legendDot(item));
}

/** The mark of a curve's points: a circle, a square or a triangle, so that no curve is told by colour alone. */
function legendDot({ dot, cls }) {
  if (!dot) return [];
  const outline = { circle: 'M13 2a3 3 0 1 1 0 6a3 3 0 1 1 0-6z', square: 'M10 2h6v6h-6z', triangle: 'M13 1l3.6 6.4h-7.2z' }[dot];
  return [svgElement('path', { class: `lgd ${cls}`, d: outline })];
}

function layoutBlock(page, block) {
  const items = block.items.map((part) => layoutPart(page, part)).filter(Boolean);
  if (!items.length) return null;
  return layoutWhen(page, block, h('div', { class: `blk ${block.cls ?? ''}` }, block.title ? h('h2', {}, ...labelElements(block.title)) : null, items));
}

function layoutPart(page, part) {
  if (part.kind === 'group') return h('div', { class: part.cls }, part.parts.map((inner) => layoutPart(page, inner)));
  if (part.key && (page.hidden(part.key) || page.layout.absent.includes(part.key))) return null;
  if (part.kind === 'control') return layoutControl(page, part.key);
  const made = PARTS[part.kind](part, page);
  if (part.detail) page.details.add(part.detail, made);
  else page.parts.push(made);
  return layoutWhen(page, part, made.element);
}

function layoutControl(page, key) {
  const spec = page.layout.controls[key];
  const control = createControl(key, spec, (name, text) => (spec.look ? page.look(name, text) : page.set({ [name]: text })));
  page.controls[key] = control;
  return control.element;
}

/** The bar of time, or of the moments of an algorithm. */
function layoutStepBar(page, steps) {
  const kinds = { moment: ['moment', page.setMoment, MOMENT_WORDS], output: ['t', page.setTime, OUTPUT_WORDS], query: ['t', page.setTime, QUERY_WORDS] };
  const [key, setter, words] = kinds[steps] ?? ['t', page.setTime, TIME_WORDS];
  if (page.hidden(key)) return null;
  const bar = createStepBar(setter, words);
  bar.disable(page.locked(key));
  page.stepBars.push({ ...bar, paint: () => (key === 't' ? bar.show(page.cursor.t, page.cursor.T) : bar.show(page.cursor.moment, page.moments())) });
  return bar.element;
}

function layoutActions(page) {
  const button = (name, label, action) => (page.hidden(name) ? null : h('button', { class: 'btn', type: 'button', onclick: action }, label));
  const hint = h('p', { class: 'bdg-hint' }, 'Click any number to see where it comes from', h('span', { class: 'key' }, '; on the keyboard ', h('kbd', {}, 'E')), '.');
  const share = hostIsOwn() || page.layout.address ? button('share', 'Copy link', () => page.sharing.share()) : null;
  const embed = hostIsOwn() ? button('embed', 'Embed', () => page.embedding.open()) : null;
  return h('div', { class: 'blk actions ctl' }, button('reset', 'Reset', page.reset), share, embed, page.hidden('badge') ? null : hint);
}
