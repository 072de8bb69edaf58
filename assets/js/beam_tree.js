// The tree of a beam search: a column a step, in it the kept expansions and the best of the pruned ones. It is drawn once an answer;
// what the step and the selected node change is painted at once. Arrows follow the branches, Enter selects, [ and ] step time.

const BEAM = { top: 34, left: 4, root: 42, width: 72, height: 34, pitch: 90, row: 41, foot: 24 };
const BEAM_STATUS = { root: 'start of the output', alive: 'kept', ended: 'ended', pruned: 'pruned' };

/** Tokens that are no character, in the room of one. */
const BEAM_SIGNS = { end: '\u25a0', start: '\u25b8' };
const BEAM_STEPS = {
  label: 'Step of the search', group: 'Steps of the search', first: 0, aloud: (t, all) => `step ${t} of ${all}`, shown: (t, all) => [`${t} of ${all}`],
  buttons: ['First step of the search', 'Previous step of the search', 'Next step of the search', 'Last step of the search', 'Play the search', 'Pause the search'],
};

function createBeamTree(part, page) {
  const view = { page, shown: null, selected: null, focus: 0, until: null, nodes: [] };
  view.svg = svgElement('svg', { id: 'beam-tree', class: 'fig beam-tree', role: 'group', 'aria-roledescription': 'network diagram' });
  view.scroll = h('div', { class: 'beam-scroll' }, view.svg);
  view.read = h('p', { class: 'beam-read', 'aria-live': 'polite' });
  view.list = h('tbody', {});
  const bar = createStepBar((t) => beamStep(page, t), BEAM_STEPS);
  bar.element.className = 'beam-steps';
  bar.disable(page.locked('t'));
  page.stepBars.push({ ...bar, paint: () => bar.show(page.cursor.t, page.cursor.T) });
  const head = ['Sequence found', 'Sum', 'Probability'].map((name) => h('th', { scope: 'col' }, name));
  const table = h('table', { class: 'beam-list' }, h('caption', { class: 'vh' }, 'Sequences that the search found, best first'), h('thead', {}, h('tr', {}, head)), view.list);
  view.svg.addEventListener('keydown', (event) => beamKey(view, event));
  return {
    alive: true, element: h('div', { class: 'beam-view' }, bar.element, view.scroll, view.read, h('div', { class: 'beam-found' }, table)),
    update(arrays, texts) {
      if (view.shown !== texts.tree) beamShow(view, arrays, texts.tree);
      beamPaint(view);
    },
  };
}

/** Who steps through the search wants to see it grow. */
function beamStep(page, t) {
  if (page.looks.tree !== 'grown' && !page.locked('tree')) page.look('tree', 'grown');
  page.setTime(t);
}

const beamX = (depth) => (depth ? BEAM.left + BEAM.root + (depth - 1) * BEAM.pitch + BEAM.pitch - BEAM.width : BEAM.left);
const beamY = (row) => BEAM.top + row * BEAM.row;
const beamNumber = (view, i, column) => view.numbers.data[3 * i + column];

/** A new search: draw it, and select the end of its best sequence. */
function beamShow(view, arrays, tree) {
  const focused = view.svg.contains(view.svg.getRootNode().activeElement);
  [view.shown, view.numbers, view.hypotheses, view.until] = [tree, arrays.get('numbers'), arrays.get('hypotheses'), null];
  view.rows = Math.max(...tree.nodes.map(({ row }) => row)) + 1;
  view.selected = view.focus = tree.hypotheses[0].node;
  const size = { width: beamX(tree.steps) + BEAM.width + 6, height: beamY(view.rows) + BEAM.foot };
  view.svg.setAttribute('viewBox', `0 0 ${size.width} ${size.height}`);
  for (const [name, value] of Object.entries(size)) view.svg.style[name] = `${value}px`;
  view.band = svgElement('rect', { class: 'tband', y: 2, width: BEAM.width + 10, height: size.height - 4, rx: 8 });
  view.heads = Array.from({ length: tree.steps }, (_, i) => beamHead(view, arrays.get('undrawn'), i + 1));
  view.nodes = tree.nodes.map((node, i) => beamNode(view, node, i));
  const branches = view.nodes.flatMap(({ halo, wire }) => (wire ? [halo, wire] : []));
  view.svg.replaceChildren(view.band, ...view.heads.map(({ element }) => element), ...branches, ...view.nodes.map(({ element }) => element));
  beamList(view);
  if (focused) view.nodes[view.focus].element.focus({ preventScroll: true });
}

/** The number of a step above its column; what is pruned there and not drawn is counted below it. */
function beamHead(view, undrawn, step) {
  const x = beamX(step) + BEAM.width / 2, count = undrawn.data[step - 1];
  const number = chartText(x, 22, String(step), { class: 'step-label', 'text-anchor': 'middle', size: 13 });
  const rest = chartText(x, beamY(view.rows) + 10, `+${count}`, { class: 'mut', 'text-anchor': 'middle', size: 12 });
  setReadout(rest, 'beam_undrawn', step, 0, count);
  const area = svgElement('rect', { class: 'beam-column', x: x - BEAM.pitch / 2, y: 0, width: BEAM.pitch, height: beamY(view.rows) + BEAM.foot });
  area.addEventListener('click', () => view.page.setTime(step));
  number.setAttribute('aria-hidden', 'true');
  return { number, step, element: svgElement('g', {}, area, number, ...(count ? [rest] : [])) };
}

function beamNode(view, node, index) {
  const [x, y, width] = [beamX(node.depth), beamY(node.row), node.depth ? BEAM.width : BEAM.root];
  const box = { x, y, width, height: BEAM.height, rx: node.status === 'ended' ? 12 : 6 };
  const children = [svgElement('rect', { class: 'ring', x: x - 5, y: y - 3.5, width: width + 10, height: BEAM.height + 7, rx: 10 }), svgElement('rect', { class: 'shape', ...box })];
  if (node.status === 'ended') children.push(svgElement('rect', { class: 'inner', x: x + 3, y: y + 3, width: width - 6, height: BEAM.height - 6, rx: 9 }));
  children.push(chartText(node.depth ? x + 11 : x + width / 2, y + 22, node.depth ? BEAM_SIGNS[node.glyph] ?? node.glyph : node.glyph, { class: node.depth ? 't b' : 't', 'text-anchor': 'middle', size: node.depth ? 15 : 12 }));
  if (node.depth) children.push(beamText(view, node, index, 1, 'beam_sum', 14.5, 'num'), beamText(view, node, index, 0, 'beam_log_p', 28, 'num ink2'));
  const role = node.best ? ' r-output best' : '', cls = `${node.status}${role}${node.greedy ? ' greedy' : ''}`;
  const element = svgElement('g', { class: `node ${cls}`, role: 'button', tabindex: -1, 'data-node': index, 'aria-label': beamName(view, node, index) }, ...children);
  element.addEventListener('click', () => beamSelect(view, index));
  return { ...node, element, ...beamBranch(view, node, cls) };
}

function beamText(view, node, index, column, symbol, down, cls) {
  const value = beamNumber(view, index, column);
  const text = chartText(beamX(node.depth) + BEAM.width - 5, beamY(node.row) + down, formatNumber(value), { class: cls, 'text-anchor': 'end', size: 11 });
  setReadout(text, symbol, node.depth, node.place, value);
  return text;
}

/** The branch from a node's parent. Curves that start and end in the same order do not cross. */
function beamBranch(view, node, cls) {
  if (node.parent === null) return {};
  const parent = view.shown.nodes[node.parent], from = beamX(parent.depth) + (parent.depth ? BEAM.width : BEAM.root), to = beamX(node.depth);
  const [y0, y1, half] = [beamY(parent.row) + BEAM.height / 2, beamY(node.row) + BEAM.height / 2, (from + to) / 2];
  const d = `M${from} ${y0}C${half} ${y0} ${half} ${y1} ${to} ${y1}`;
  return { halo: svgElement('path', { class: `beam-halo ${cls}`, d }), wire: svgElement('path', { class: `beam-wire ${cls}`, d }) };
}

function beamName(view, node, index) {
  if (!node.depth) return `start, ${BEAM_STATUS.root}`;
  const marks = [BEAM_STATUS[node.status], ...(node.best ? ['on the best sequence'] : []), ...(node.greedy ? ['on the greedy sequence'] : [])];
  const [logP, sum] = [0, 1].map((column) => formatNumber(beamNumber(view, index, column)));
  return `${node.glyph} ${sum} ${logP}, sum and log-probability at step ${node.depth}, ${marks.join(', ')}`;
}

// --- what it found --------------------------------------------------------------------------------------------------------

function beamList(view) {
  view.list.replaceChildren(...view.shown.hypotheses.map((found, i) => {
    const marks = [...(found.greedy ? ['greedy'] : []), ...(found.ended ? [] : ['not ended'])];
    const button = h('button', { type: 'button', class: 'beam-pick', 'data-end': found.node, onclick: () => beamSelect(view, found.node) }, h('b', {}, found.text || 'nothing'), marks.length ? ` ${marks.join(', ')}` : '');
    const cell = (column, symbol) => {
      const value = view.hypotheses.data[2 * i + column], element = h('span', { class: 'n' }, formatNumber(value));
      setReadout(element, symbol, i, column, value);
      return h('td', {}, element);
    };
    return h('tr', {}, h('th', { scope: 'row' }, button), cell(0, 'hypothesis_sum'), cell(1, 'hypothesis_p'));
  }));
}

// --- what is selected, and how far the tree has grown ---------------------------------------------------------------------

function beamSelect(view, index) {
  view.selected = view.focus = index;
  beamPaint(view);
  beamInView(view, view.nodes[index].depth);
}

/** With the last step of the output comes what the search still looked at after it. */
function beamUntil({ page, shown }) {
  const { t, T } = page.cursor;
  return page.looks.tree !== 'grown' || t >= T ? shown.steps : t;
}

function beamPaint(view) {
  const until = beamUntil(view), { t } = view.page.cursor, at = beamAt(view, until), path = beamPath(view, at);
  for (const [i, { element, halo, wire, depth }] of view.nodes.entries()) {
    const hidden = depth > until;
    for (const one of wire ? [element, halo, wire] : [element]) {
      one.toggleAttribute('hidden', hidden);
      one.classList.toggle('sel', path.has(i));
    }
    element.setAttribute('aria-pressed', String(i === at));
    element.classList.toggle('end', i === at);
  }
  if (view.nodes[view.focus].depth > until) view.focus = 0;
  view.nodes.forEach(({ element }, i) => element.setAttribute('tabindex', i === view.focus ? 0 : -1));
  view.band.setAttribute('x', beamX(Math.max(1, t)) - 5);
  view.band.toggleAttribute('hidden', t < 1 || t > view.shown.steps);
  for (const { number, step, element } of view.heads) { number.classList.toggle('current', step === t); element.toggleAttribute('hidden', step > until); }
  for (const row of view.list.rows) {
    const button = row.querySelector('.beam-pick'), node = Number(button.dataset.end);
    button.setAttribute('aria-pressed', String(node === at));
    row.hidden = view.nodes[node].depth > until;
  }
  view.svg.setAttribute('aria-label', `Beam search with ${view.shown.width === 1 ? 'one beam' : `${view.shown.width} beams`}, step ${until} of ${view.shown.steps}; best: ${view.shown.hypotheses[0].text}`);
  beamRead(view, at, path);
  if (view.until !== `${until} ${t}`) beamInView(view, view.until === null && until === view.shown.steps ? 0 : t);
  view.until = `${until} ${t}`;
}

/** The selected node; of one that the tree has not grown to yet, where its branch ends now. */
function beamAt(view, until) {
  let at = view.selected;
  while (view.nodes[at].depth > until) at = view.nodes[at].parent;
  return at;
}

/** The nodes from the start to this one. */
function beamPath(view, last) {
  const path = new Set();
  for (let i = last; i !== null; i = view.nodes[i].parent) path.add(i);
  return path;
}

function beamRead(view, at, path) {
  const node = view.nodes[at], text = [...path].reverse().filter((i) => i && view.nodes[i].glyph !== 'end').map((i) => view.nodes[i].glyph).join('');
  const number = (column, symbol) => ({ kind: 'number', text: formatNumber(beamNumber(view, at, column), 5), symbol, t: node.depth, unit: node.place, value: diagramExact(beamNumber(view, at, column)) });
  const words = (said) => ({ kind: 'text', text: said });
  fill(view.read, node.depth ? [{ kind: 'strong', text: `Selected: \u201c${text}\u201d` }, words(`, ${BEAM_STATUS[node.status]} at step ${node.depth}. Log-probability of \u201c${node.glyph}\u201d `), number(0, 'beam_log_p'), words(', sum '), number(1, 'beam_sum'), words(', probability of the whole '), number(2, 'beam_p'), words('.')]
    : [{ kind: 'strong', text: 'Selected: the start' }, words('. Nothing is written yet, probability 1.')]);
}

/** Scroll inside the card alone, as far as needed. */
function beamInView(view, depth) {
  const left = Math.max(0, beamX(depth) - 24), right = beamX(depth) + BEAM.width + 24, { scroll } = view;
  if (left < scroll.scrollLeft) scroll.scrollLeft = left;
  else if (right > scroll.scrollLeft + scroll.clientWidth) scroll.scrollLeft = right - scroll.clientWidth;
}

// --- keyboard -------------------------------------------------------------------------------------------------------------

function beamKey(view, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const index = Number(event.target.closest('[data-node]')?.dataset.node ?? view.focus);
  if (event.key === 'Enter' || event.key === ' ') beamSelect(view, index);
  else if (event.key === '[' || event.key === ']') view.page.setTime(view.page.cursor.t + (event.key === '[' ? -1 : 1));
  else if (event.key.startsWith('Arrow')) beamFocus(view, beamNext(view, index, event.key));
  else return;
  event.preventDefault();
}

/** Left is the parent, right the likeliest child that is drawn, up and down the neighbours in the column. */
function beamNext(view, index, key) {
  const from = view.nodes[index], until = beamUntil(view), known = view.nodes.map((node, i) => ({ ...node, i })).filter(({ depth }) => depth <= until);
  if (key === 'ArrowLeft') return from.parent;
  const children = known.filter(({ parent }) => parent === index).sort((a, b) => beamNumber(view, b.i, 1) - beamNumber(view, a.i, 1));
  if (key === 'ArrowRight') return children[0]?.i ?? null;
  const row = from.row + (key === 'ArrowDown' ? 1 : -1);
  return known.find((node) => node.depth === from.depth && node.row === row)?.i ?? null;
}

function beamFocus(view, index) {
  if (index === null || index === undefined) return;
  view.focus = index;
  view.nodes.forEach(({ element }, i) => element.setAttribute('tabindex', i === index ? 0 : -1));
  view.nodes[index].element.focus({ preventScroll: true });
  beamInView(view, view.nodes[index].depth);
}
