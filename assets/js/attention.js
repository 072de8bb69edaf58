// /attention: matrices as cells, a row for each token; the query's row and the key's cell are framed; arrows choose both.

const ATTENTION = { numbers: 6, barred: 'at-barred' };
const ATTENTION_KEYS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], '[': [-1, 0], ']': [1, 0] };

/** What a token is called: its character, or its number where it is drawn. */
function attentionTokens({ values, cursor }) {
  const typed = values.input === 'text' ? [...values.text] : [];
  return Array.from({ length: cursor.T }, (_, i) => (typed[i] === ' ' ? '\u2423' : typed[i] ?? String(i + 1)));
}

// --- one matrix -------------------------------------------------------------------------------------------------------------

/** Cells in rows and columns, with numbers where there is room; row names stand on the left where there are any. */
function attentionMatrix(rows, columns, { names = false, most = ATTENTION.numbers } = {}) {
  const large = rows <= most && columns <= most;
  const head = h('figcaption', { class: 'og-head' }), labels = h('div', { class: 'og-columns', 'aria-hidden': 'true' });
  const cells = Array.from({ length: rows * columns }, () => h('span', { class: 'og-cell' }));
  const frame = h('div', { class: 'og-frame' }), body = h('div', { class: 'og-cells', style: `--columns:${columns}` }, cells, frame);
  const left = names ? h('div', { class: 'og-rows at-names', 'aria-hidden': 'true' }) : null;
  const element = h('figure', { class: `og-piece ${names ? 'at-matrix ' : ''}${large ? 'large' : 'small'}`, role: 'group' }, h('div', { class: 'og-top' }, head, labels), left, body);
  return { element, head, labels, left, cells, frame, rows, columns, large };
}

/** `read(row, column)` says what stands in a cell; `look` its colours: `share` in teal, else about 0, 1 for `scale`. */
function attentionPaint(matrix, read, { share = false, scale = 1, framed = null, chosen = null }) {
  matrix.cells.forEach((cell, i) => attentionCell(matrix, cell, read(Math.floor(i / matrix.columns), i % matrix.columns), share, scale, i === chosen));
  matrix.frame.classList.toggle('gone', framed === null || matrix.rows < 2);
  matrix.frame.style.setProperty('--row', framed ?? 0);
}

function attentionCell({ large }, cell, read, share, scale, chosen) {
  const { value } = read, barred = value === -Infinity;
  const colour = barred ? ATTENTION.barred : share ? `sq${s2sTeal(value)}` : `dv${diagramColourStep(value / scale)}`;
  const text = large ? (share ? s2sShare(value) : formatNumber(value)) : '';
  const style = `og-cell ${colour}${!large && !barred && value < 0 ? ' tick' : ''}${text.length > 6 ? ' long' : ''}${chosen ? ' chosen' : ''}`;
  const key = `${style} ${read.t} ${read.unit} ${value}`;
  if (cell.shownKey === key) return;
  cell.shownKey = key;
  cell.className = style;
  cell.textContent = text;
  if (large) diagramMarkReadout(cell, read);
}

function attentionLabels(matrix, rows, columns, on) {
  fill(matrix.labels, columns.map((text) => ({ kind: 'text', text })));
  if (!matrix.left) return;
  withCount(matrix.left, rows.length, () => h('span', {})).forEach((name, i) => {
    if (name.textContent !== rows[i]) name.textContent = rows[i];
    name.className = i === on ? 'on' : '';
  });
}

function attentionName(matrix, text) {
  if (matrix.element.getAttribute('aria-label') !== text) matrix.element.setAttribute('aria-label', text);
}

// --- the way from the tokens to the output ------------------------------------------------------------------------------------

function createAttentionFlow(part, page) {
  const label = 'Attention stage by stage, a row for each token: up and down choose the query, left and right the key';
  const element = h('div', { class: 'opened at-flow', role: 'group', tabindex: 0, 'aria-label': label });
  const view = { page, element, shape: '', pieces: [] };
  element.addEventListener('click', (event) => attentionPick(view, event));
  element.addEventListener('keydown', (event) => attentionKey(page, event));
  return { element, update: (arrays, texts, current) => attentionFlowUpdate(view, arrays, current.scenes[part.scene]) };
}

function attentionFlowUpdate(view, arrays, groups) {
  const sized = groups.map((group) => group.map((piece) => attentionSized(piece, arrays, view.page)));
  const shape = JSON.stringify(sized.map((group) => group.map(({ piece, rows, columns }) => [piece.symbol ?? piece.tokens, rows, columns])));
  if (shape !== view.shape) attentionFlowBuild(view, sized, shape);
  view.pieces.forEach((shown, i) => { if (shown) attentionPiece(shown, sized.flat()[i], arrays, view.page); });
}

/** Which columns of a table are drawn: those of the selected head where every head has its own. */
function attentionSized(piece, arrays, page) {
  const table = piece.symbol && arrays.get(piece.symbol);
  if (!table) return { piece, rows: 0, columns: 0, first: 0 };
  const columns = piece.split ? table.shape[1] / Number(page.values.heads) : table.shape[1];
  return { piece, rows: table.shape[0], columns, first: piece.split ? (Number(page.looks.head) - 1) * columns : 0 };
}

function attentionFlowBuild(view, groups, shape) {
  view.shape = shape;
  view.pieces = [];
  view.element.replaceChildren(...groups.map((group) => attentionGroup(view, group)));
}

/** Matrices of one line, each with the sign that leads to it; the first has the names of the rows. */
function attentionGroup(view, group) {
  const element = h('div', { class: 'og-group' });
  let step = null, names = true;
  for (const { piece, rows, columns } of group) {
    const made = rows ? attentionMatrix(rows, columns, { names }) : null;
    view.pieces.push(made);
    step ??= element.appendChild(h('div', { class: 'at-step' }));
    step.append(made ? made.element : attentionSign(piece));
    if (!made) continue;
    made.element.classList.add(piece.role ? `r-${piece.role}` : 'at-plain');
    [step, names] = [null, false];
  }
  return element;
}

function attentionSign(piece) {
  const name = h('span', {}), arrow = piece.kind === 'function' ? h('span', { class: 'og-arrow', 'aria-hidden': 'true' }) : null;
  fill(name, piece.tokens);
  return h('div', { class: `og-sign ${piece.kind}` }, h('div', { class: 'og-top' }), h('div', { class: 'og-mark' }, name, arrow));
}

function attentionPiece(shown, { piece, rows, columns, first }, arrays, page) {
  const { cursor } = page, { data, shape } = arrays.get(piece.symbol), tokens = attentionTokens(page), stage = diagramStage(piece.stage, cursor);
  diagramShowStage(shown.element, stage);
  fill(shown.head, piece.head);
  const pairs = piece.frame === 2, framed = piece.frame === 3 ? cursor.unit : cursor.t - 1;
  attentionLabels(shown, tokens, pairs ? tokens : Array.from({ length: columns }, (_, i) => String(i + 1)), cursor.t - 1);
  const read = (row, column) => ({ symbol: piece.symbol, t: row + 1, unit: first + column, value: stage === 'later' ? undefined : data[row * shape[1] + first + column] });
  attentionPaint(shown, read, { share: piece.symbol === 'weight', framed, chosen: pairs ? (cursor.t - 1) * columns + cursor.unit : null });
  attentionName(shown, `${shown.head.textContent}, ${rows} by ${columns}${stage === 'lit' ? ', in use' : stage === 'later' ? ', not computed yet' : ''}`);
}

/** A row is a query, or of keys and values a key; a cell between tokens is both. */
function attentionPick({ page, pieces }, { target }) {
  const shown = pieces.find((each) => each?.cells.includes(target));
  if (!shown) return;
  const place = shown.cells.indexOf(target), row = Math.floor(place / shown.columns), { t, unit } = page.cursor;
  if (shown.element.matches('.r-gate, .r-candidate')) unitMapsChoose(page, t, row);
  else unitMapsChoose(page, row + 1, shown.element.matches('.at-plain') ? place % shown.columns : unit);
}

function attentionKey(page, event) {
  const move = ATTENTION_KEYS[event.key];
  if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  unitMapsChoose(page, page.cursor.t + move[0], page.cursor.unit + move[1]);
}
