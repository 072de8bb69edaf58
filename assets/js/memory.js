// What the output remembers: one text under three cells, each character shaded by log10 of the norm of its gradient.
// A line holds as many characters as fit, for all three cells, so that a character stands under itself.

const MEMORY = { label: 52, wide: 560, cells: [24, 22], largest: 28, steps: 8, symbol: 'dx_log10', space: '\u2423' };

/** Step of the scale: 0 below 1e-7, then one a decade, 8 from 1 on; null where the gradient is exactly zero. */
function memoryStep(log) {
  return log === -Infinity ? null : Math.max(0, Math.min(MEMORY.steps, Math.floor(log) + MEMORY.steps));
}

/** A character as it can be seen. */
const memoryGlyph = (letter) => (/^[\s\u200b-\u200f\ufe0f]$/u.test(letter) ? MEMORY.space : letter);

/** The field of the text: at hand here too where the input of the page is another. */
function createMemoryText(part, page) {
  const spec = { label: 'Text that the three cells read', help: 'Letters a to z, space and . , \u2019 ? ! - are symbols of their own; anything else is one more' };
  const control = createText('memory_text', spec, (key, text) => page.set({ text }));
  control.disable(page.locked('text'));
  return { element: control.element, update: (arrays, texts) => control.show(texts.letters.join('')) };
}

function createMemory(part, page) {
  const view = { page, at: null, row: 0, shown: '', cells: [], heads: [], letters: [], norms: null, output: 1 };
  view.reading = h('p', { class: 'mem-read', 'aria-live': 'off' });
  view.grid = h('div', { class: 'mem', role: 'grid', 'aria-label': 'Characters of the text, by how much they count' });
  memoryListen(view);
  new ResizeObserver(() => { if (view.norms) memoryPaint(view); }).observe(view.grid);
  const element = h('div', {}, view.reading, view.grid);
  return { element, update: (arrays, texts) => memoryTake(view, arrays, texts) };
}

function memoryTake(view, arrays, texts) {
  Object.assign(view, { norms: arrays.get('norms'), letters: texts.letters, names: texts.cells });
  const wanted = Number(view.page.looks.output) || view.letters.length;
  view.output = Math.min(wanted, view.letters.length);
  if (view.at !== null) view.at = Math.min(view.at, view.letters.length);
  memoryPaint(view);
}

function memoryPaint(view) {
  memoryLayOut(view);
  view.cells.forEach((row, i) => row.forEach((cell, j) => memoryCell(view, cell, i, j + 1)));
  memoryPoint(view);
}

// --- what stands where ----------------------------------------------------------------------------------------------------

/** Lines of three rows; made again only where the count of characters, or of those that fit, has changed. */
function memoryLayOut(view) {
  const count = view.letters.length, room = view.grid.clientWidth - MEMORY.label, line = memoryPerLine(view.grid.clientWidth, room, count);
  view.grid.style.setProperty('--mc', `${Math.min(MEMORY.largest, Math.floor(room / line))}px`);
  if (view.shown === `${line} ${count}`) return;
  view.shown = `${line} ${count}`;
  view.cells = view.names.map((name, i) => view.letters.map((_, j) => h('div', { class: 'mc', role: 'gridcell', 'data-k': j + 1, 'data-row': i })));
  const starts = Array.from({ length: Math.ceil(count / line) }, (_, i) => i * line);
  view.grid.replaceChildren(...starts.map((start) => memoryLine(view, start, start + line)));
}

/** As few lines as hold every character, all about as long; a finger needs more room than a pointer. */
function memoryPerLine(width, room, count) {
  const most = Math.max(4, Math.floor(room / MEMORY.cells[Number(width > MEMORY.wide)]));
  return Math.ceil(count / Math.ceil(count / most));
}

function memoryLine(view, start, end) {
  const row = (name, i) => h('div', { class: 'mr', role: 'row' }, h('div', { class: 'mh', role: 'rowheader' }, name), view.cells[i].slice(start, end));
  return h('div', { class: 'ml', role: 'rowgroup' }, view.names.map(row));
}

function memoryCell(view, cell, i, k) {
  const log = memoryNorm(view, k, i), step = memoryStep(log), letter = view.letters[k - 1];
  const later = k > view.output;
  cell.textContent = memoryGlyph(letter);
  cell.className = `mc ${step === null ? 'none' : `sq${step}`}${k === view.output ? ' out' : ''}${later ? ' later' : ''}`;
  cell.setAttribute('aria-selected', String(k === view.output));
  cell.setAttribute('aria-label', `${view.names[i]}, character ${k}, ${memorySpoken(letter)}: ${memoryWords(view, k, log)}`);
}

const memorySpoken = (letter) => (memoryGlyph(letter) === MEMORY.space ? 'space' : letter);
const memoryNorm = (view, k, i) => (k > view.output ? -Infinity : view.norms.data[(k - 1) * view.norms.shape[1] + i]);

function memoryWords(view, k, log) {
  if (k > view.output) return 'cannot count, later than the output';
  return log === -Infinity ? 'exactly 0' : `log10 ${formatNumber(log)}`;
}

// --- what is pointed at ---------------------------------------------------------------------------------------------------

/** The same character in all three rows, and its three numbers. Nothing pointed at: the chosen output itself. */
function memoryPoint(view) {
  const k = Math.min(view.at ?? view.output, view.letters.length);
  view.cells.forEach((row, i) => row.forEach((cell, j) => {
    cell.classList.toggle('at', view.at !== null && j + 1 === k);
    cell.tabIndex = i === view.row && j + 1 === k ? 0 : -1;
  }));
  memoryRead(view, k);
}

function memoryRead(view, k) {
  const back = view.output - k, steps = (count) => `${count} character${count === 1 ? '' : 's'}`;
  const place = back === 0 ? 'the output\u2019s own' : back > 0 ? `${steps(back)} before the output` : 'later than the output: it cannot count';
  const numbers = view.names.flatMap((name, i) => [{ kind: 'text', text: `${i ? ' \u00b7 ' : ' '}${name} ` }, memoryToken(view, k, i)]);
  const letter = memoryGlyph(view.letters[k - 1]);
  fill(view.reading, [{ kind: 'strong', text: `\u201c${letter}\u201d` }, { kind: 'text', text: ` character ${k}, ${place}. log\u2081\u2080 \u2016\u2202` }, { kind: 'symbol', text: 'L', sub: String(view.output) }, { kind: 'text', text: ' / \u2202' }, { kind: 'symbol', text: 'x', sub: String(k) }, { kind: 'text', text: '\u2016:' }, ...numbers]);
}

function memoryToken(view, k, i) {
  const log = memoryNorm(view, k, i);
  return { kind: 'number', text: formatNumber(log), symbol: MEMORY.symbol, t: k, unit: i, value: diagramExact(log) };
}

function memoryListen(view) {
  const placeOf = (event) => event.target.closest('.mc');
  const point = (cell) => { view.at = Number(cell.dataset.k); view.row = Number(cell.dataset.row); memoryPoint(view); };
  view.grid.addEventListener('pointerover', (event) => { const cell = placeOf(event); if (cell) point(cell); });
  view.grid.addEventListener('pointerleave', () => { if (!view.grid.contains(memoryFocused(view))) { view.at = null; memoryPoint(view); } });
  view.grid.addEventListener('focusin', (event) => { const cell = placeOf(event); if (cell) point(cell); });
  view.grid.addEventListener('focusout', (event) => { if (!view.grid.contains(event.relatedTarget)) { view.at = null; memoryPoint(view); } });
  view.grid.addEventListener('click', (event) => { const cell = placeOf(event); if (cell) memoryChoose(view, Number(cell.dataset.k)); });
  view.grid.addEventListener('keydown', (event) => memoryKey(view, event));
}

/** The focused element, inside a shadow root too. */
const memoryFocused = (view) => view.grid.getRootNode().activeElement;

function memoryChoose(view, k) {
  if (k === view.output || view.page.locked('output')) return;
  view.page.look('output', k === view.letters.length ? '0' : String(k));
}

function memoryKey(view, event) {
  const last = view.letters.length, k = Math.min(view.at ?? view.output, last);
  const moves = { ArrowLeft: [k - 1, view.row], ArrowRight: [k + 1, view.row], ArrowUp: [k, view.row - 1], ArrowDown: [k, view.row + 1], Home: [1, view.row], End: [last, view.row] };
  if (event.key === 'Enter' || event.key === ' ') memoryChoose(view, k);
  else if (!moves[event.key]) return;
  else memoryFocus(view, ...moves[event.key]);
  event.preventDefault();
}

function memoryFocus(view, k, row) {
  const i = Math.max(0, Math.min(view.names.length - 1, row)), j = Math.max(1, Math.min(view.letters.length, k));
  view.cells[i][j - 1].focus();
}

// --- the scale ------------------------------------------------------------------------------------------------------------

/** Nine steps of a decade each, the same for every cell and every text; it is never out of date. */
function createMemoryScale() {
  const steps = Array.from({ length: MEMORY.steps + 1 }, (_, step) => {
    const text = step === 0 ? `< \u2212${MEMORY.steps - 1}` : step === MEMORY.steps ? '\u2265 0' : `${formatNumber(step - MEMORY.steps).slice(0, 2)}`;
    return h('span', { class: `mk sq${step}` }, text);
  });
  const mark = (cls, words) => h('span', { class: 'mk-w' }, h('span', { class: `mc ${cls}`, 'aria-hidden': 'true' }, 'a'), words);
  const element = h('div', { class: 'mem-legend' }, h('span', {}, 'log\u2081\u2080 \u2016\u2202L/\u2202x\u2016, one decade a step from the number on, the same for every cell and text'), h('span', { class: 'mks' }, steps), mark('out none', 'chosen output'), mark('none', 'exactly 0'), mark('none later', 'later than the output'));
  return { element, update: () => {} };
}
