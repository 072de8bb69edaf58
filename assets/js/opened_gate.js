// An opened layer: its matrices and vectors as cells on one diverging scale, -1 or less to 1 or more. What it is made of comes with
// the scenes (app/labs/opened.py); it is drawn anew only where its shape changes, and otherwise cells are painted.

const OPENED = { numbers: 6, columns: 8 };

function createOpenedGate(part, page) {
  const element = h('div', { class: 'opened' });
  const view = { page, element, shape: '', pieces: [] };
  element.addEventListener('click', (event) => openedPick(view, event));
  return { element, update: (arrays, texts, current) => openedUpdate(view, arrays, current.scenes[part.scene]) };
}

function openedUpdate(view, arrays, layers) {
  const groups = layers?.[view.page.looks.open];
  if (!groups) return;
  const sized = groups.map((group) => group.map((piece) => openedSized(piece, arrays, view.page.cursor)));
  const shape = JSON.stringify(sized.map((group) => group.map(({ piece, rows, columns }) => [piece.kind, piece.text ?? '', piece.role ?? '', rows, columns.length])));
  if (shape !== view.shape) openedBuild(view, sized, shape);
  view.pieces.forEach((shown, i) => openedPaint(view, shown, sized.flat()[i], arrays));
}

/** How many rows, and which columns: all, or of a one-hot input the active one. */
function openedSized(piece, arrays, cursor) {
  const table = piece.symbol && arrays.get(piece.symbol);
  if (!table) return { piece, rows: 0, columns: [] };
  const x = arrays.get('x'), hot = x.shape[1] > OPENED.columns ? openedActive(x, cursor) : null;
  if (piece.kind === 'matrix') {
    const all = Array.from({ length: table.shape[0] }, (_, j) => j);
    return { piece, rows: table.shape[1], columns: hot !== null && all.length === x.shape[1] ? [hot] : all };
  }
  return piece.symbol === 'x' && hot !== null ? { piece, rows: 1, columns: [0], first: hot } : { piece, rows: table.shape[1], columns: [0], first: 0 };
}

/** The symbol of a character: which component of x is 1. */
function openedActive({ data, shape }, { t }) {
  const row = data.subarray((Math.max(1, t) - 1) * shape[1], Math.max(1, t) * shape[1]);
  return row.indexOf(1);
}

// --- built once a shape -----------------------------------------------------------------------------------------------------

function openedBuild(view, groups, shape) {
  view.shape = shape;
  view.units = h('div', { class: 'og-units', 'aria-hidden': 'true' }, h('div', { class: 'og-top' }), h('div', { class: 'og-rows' }));
  view.pieces = [];
  view.element.replaceChildren(...groups.map((group, i) => h('div', { class: 'og-group' }, i ? null : view.units, group.map((sized) => openedPiece(view, sized)))));
}

function openedPiece(view, { piece, rows, columns }) {
  if (piece.kind === 'op' || piece.kind === 'function') return openedSign(view, piece);
  const head = h('figcaption', { class: 'og-head' }), numbers = h('div', { class: 'og-columns', 'aria-hidden': 'true' });
  const large = piece.kind !== 'matrix' || (rows <= OPENED.numbers && columns.length <= OPENED.numbers);
  const cells = Array.from({ length: rows * columns.length }, () => h('span', { class: 'og-cell' }));
  const frame = h('div', { class: 'og-frame' }), body = h('div', { class: 'og-cells', style: `--columns:${columns.length}` }, cells, frame);
  const element = h('figure', { class: `og-piece r-${piece.role} ${large ? 'large' : 'small'}`, role: 'group' }, h('div', { class: 'og-top' }, head, numbers), body);
  view.pieces.push({ element, head, numbers, cells, frame, large });
  return element;
}

function openedSign(view, piece) {
  const mark = piece.kind === 'function' ? [h('span', {}, piece.text), h('span', { class: 'og-arrow', 'aria-hidden': 'true' })] : [piece.text];
  const element = h('div', { class: `og-sign ${piece.kind}` }, h('div', { class: 'og-top' }), h('div', { class: 'og-mark' }, mark));
  view.pieces.push({ element });
  return element;
}

// --- painted with every move ------------------------------------------------------------------------------------------------

function openedPaint(view, shown, { piece, rows, columns, first = 0 }, arrays) {
  if (!shown.cells) return;
  const { cursor } = view.page, stage = diagramStage(piece.stage, cursor);
  diagramShowStage(shown.element, stage);
  fill(shown.head, piece.head.map((token) => (token.lag === undefined ? token : { ...token, sub: String(cursor.t + token.lag) })));
  openedName(view, shown, piece, rows, columns, stage);
  shown.frame.classList.toggle('gone', rows < 2 || openedIsOperand(piece));
  shown.frame.style.setProperty('--row', Math.min(cursor.unit, rows - 1));
  shown.cells.forEach((cell, i) => openedCell(shown, cell, openedRead(piece, Math.floor(i / columns.length) + first, columns[i % columns.length], arrays, cursor)));
  openedUnits(view, cursor);
}

/** A vector that a matrix multiplies is read whole: no row of it is the selected one. */
function openedIsOperand({ kind, symbol, lag }) {
  return kind === 'vector' && (symbol === 'x' || symbol === 'rh' || lag === -1);
}

function openedRead(piece, row, column, arrays, cursor) {
  const table = arrays.get(piece.symbol);
  if (piece.kind === 'matrix') return { symbol: piece.symbol, t: column + 1, unit: row, value: diagramEntry(table, column + 1, row) };
  if (piece.kind === 'bias') return { symbol: piece.symbol, t: 0, unit: row, value: diagramEntry(table, 0, row) };
  return diagramRead({ symbol: piece.symbol, t: { rel: piece.lag }, unit: row, ready: piece.stage.ready }, { arrays, cursor });
}

/** Number or sign tick on the colour of the scale; only what has changed is touched. */
function openedCell({ large }, cell, read) {
  const known = read.value !== undefined && !Number.isNaN(read.value), colour = known ? diagramColourStep(read.value) : 5;
  const text = large ? formatNumber(read.value) : '';
  const style = `og-cell dv${colour}${!large && read.value < 0 ? ' tick' : ''}${text.length > 7 ? ' long' : ''}`;
  const key = `${style} ${read.t} ${read.unit} ${read.symbol} ${read.value}`;
  if (cell.shownKey === key) return;
  cell.shownKey = key;
  cell.className = style;
  cell.textContent = text;
  if (large) diagramMarkReadout(cell, read);
}

function openedName(view, shown, piece, rows, columns, stage) {
  const glyph = columns.length === 1 && piece.kind === 'matrix' ? openedGlyph(view) : '';
  const labels = glyph ? [glyph] : columns.length > 1 ? columns.map((j) => String(j + 1)) : [''];
  fill(shown.numbers, labels.map((text) => ({ kind: 'text', text })));
  const size = piece.kind === 'matrix' ? `${rows} by ${columns.length}` : `${rows} number${rows > 1 ? 's' : ''}`;
  const name = `${shown.head.textContent}, ${size}${stage === 'lit' ? ', in use' : stage === 'later' ? ', not computed yet' : ''}`;
  if (shown.element.getAttribute('aria-label') !== name) shown.element.setAttribute('aria-label', name);
}

/** The character that the active column stands for, where the input is a text. */
function openedGlyph({ page }) {
  if (page.values.input !== 'text' || page.cursor.t < 1) return '';
  return `\u201c${[...page.values.text][page.cursor.t - 1] ?? ''}\u201d`;
}

function openedUnits(view, { n, unit }) {
  const rows = withCount(view.units.lastElementChild, n, () => h('span', {}));
  rows.forEach((row, i) => {
    const text = `unit ${i + 1}`;
    if (row.textContent !== text) row.textContent = text;
    row.className = i === unit ? 'on' : '';
  });
  view.units.classList.toggle('gone', n < 2);
}

/** A click on a row of units selects it. */
function openedPick(view, event) {
  const shown = view.pieces.find(({ cells }) => cells?.includes(event.target));
  const { n, unit } = view.page.cursor;
  if (!shown || shown.frame.classList.contains('gone') || view.page.locked('unit')) return;
  const row = Math.floor(shown.cells.indexOf(event.target) / (shown.cells.length / n));
  if (row !== unit) view.page.setUnit(row);
}

/** The one scale of matrices, vectors and maps. */
function createSignScale(part) {
  const steps = Array.from({ length: 11 }, (_, i) => h('span', { class: `og-cell dv${i}${i < 5 ? ' tick' : ''}` }));
  const element = h('div', { class: 'sign-scale', role: 'img', 'aria-label': 'Colour scale, linear, from \u22121 or less (blue, with a tick) through 0 to 1 or more (orange)' },
    h('span', {}, '\u22121 or less'), h('span', { class: 'sign-steps' }, steps), h('span', {}, '1 or more'));
  return { element, update: (arrays, texts, page) => element.classList.toggle('gone', Boolean(part.maps) && page.cursor.n < 2) };
}
