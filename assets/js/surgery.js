// Surgery: the block where operations are made, listed, undone; the card of what they changed. An operation is a piece of
// the key `surgery` (f@3:0.5, cut@5, x@2:del): this file composes the text, Python checks it as it checks a link.

function createSurgery(part, page) {
  const view = { part, page, text: '', sent: false, undo: [], redo: [], dragging: false, shown: null };
  surgeryControls(view);
  view.list = h('ul', { class: 'sg-list', 'aria-label': 'Operations in force' });
  view.none = h('p', { class: 'note' }, 'No operation yet.');
  view.undoButton = surgeryButton('Undo', () => surgeryBack(view, view.undo, view.redo), 'Ctrl+Z');
  view.redoButton = surgeryButton('Redo', () => surgeryBack(view, view.redo, view.undo), 'Ctrl+Shift+Z');
  view.status = h('p', { class: 'vh', role: 'status' });
  const element = h('div', { class: 'sg-do' }, view.controls, view.none, view.list, h('div', { class: 'sg-row' }, view.undoButton, view.redoButton), view.status);
  element.addEventListener('keydown', (event) => surgeryKey(view, event));
  return { element, update: (arrays, texts, current) => surgeryUpdate(view, arrays, texts, current) };
}

const surgeryButton = (label, act, title = null) => h('button', { class: 'btn', type: 'button', title, onclick: act }, label);

// --- what can be done -----------------------------------------------------------------------------------------------------

function surgeryControls(view) {
  const { gates } = view.part;
  const options = [...gates.map(({ symbol, name }) => [symbol, name[0].toUpperCase() + name.slice(1)]), ['x', 'Input']];
  view.target = surgerySelect('What', options, () => surgeryAim(view));
  view.place = surgerySelect('When', [['this', 'This step'], ['every', 'Every step']], () => surgeryAim(view));
  view.which = surgerySelect('Which', [['', 'All']], () => surgeryAim(view));
  view.value = surgerySlider(view);
  view.hold = surgeryButton('Clamp', () => surgeryAdd(view, surgeryOperation(view)));
  view.cut = surgeryButton('Cut the recurrent weights here', () => surgeryAdd(view, `cut@${view.page.cursor.t}`));
  view.drop = surgeryButton('Delete this input', () => surgeryAdd(view, `x@${view.page.cursor.t}:del`));
  view.controls = h('div', { class: 'sg-controls' }, h('div', { class: 'sg-pair' }, view.target.element, view.place.element), view.which.element, view.value.element, view.hold, view.cut, view.drop);
}

function surgerySelect(label, options, change) {
  const id = `surgery-${label.toLowerCase()}`;
  const select = h('select', { id, onchange: change });
  const element = h('div', { class: 'fld' }, h('label', { class: 'lb', for: id }, label), select);
  const offer = (pairs) => { const kept = select.value; select.replaceChildren(...pairs.map(([value, words]) => h('option', { value }, words))); if (pairs.some(([value]) => value === kept)) select.value = kept; };
  offer(options);
  return { element, select, offer };
}

/** The value that a clamp takes. While a clamp is in force at the chosen place, the slider moves it. */
function surgerySlider(view) {
  const id = 'surgery-value';
  const range = h('input', { type: 'range', id, min: 0, max: 1, step: 0.01, 'aria-label': 'Value to hold' });
  const field = h('input', { type: 'text', inputmode: 'decimal', class: 'num', size: 7, 'aria-label': 'Value to hold, number', autocomplete: 'off' });
  const show = (value) => { range.value = value; field.value = String(value); range.style.setProperty('--p', `${(100 * (range.value - range.min)) / (range.max - range.min)}%`); };
  range.addEventListener('input', () => { show(range.value); surgeryDrag(view); });
  range.addEventListener('change', () => { view.dragging = false; });
  field.addEventListener('change', () => { const text = field.value.trim(); if (text) range.value = text.replace('\u2212', '-'); surgeryDrag(view); view.dragging = false; });
  const element = h('div', { class: 'fld' }, h('div', { class: 'lb' }, h('label', { for: id }, 'Value'), field), range);
  return { element, range, field, show };
}

/** The place that the controls name, as an operation begins: `f.1@3`, `i`, `x@2`. */
function surgeryPlace({ target, place, which, page }) {
  const part = which.select.value && `.${which.select.value}`;
  const every = place.select.value === 'every' && target.select.value !== 'x';
  return `${target.select.value}${part}${every ? '' : `@${page.cursor.t}`}`;
}

const surgeryOperation = (view) => `${surgeryPlace(view)}:${view.value.field.value.trim().replace('\u2212', '-')}`;
const surgeryList = (text) => text.split(',').filter(Boolean);

/** Range, words and choices follow what is aimed at; the value starts from what is there now. */
function surgeryAim(view) {
  const symbol = view.target.select.value, gate = view.part.gates.find((one) => one.symbol === symbol);
  Object.assign(view.value.range, gate ? { min: gate.lo, max: 1 } : { min: -2, max: 2 });
  view.hold.textContent = gate ? 'Clamp' : 'Set this input';
  view.place.select.disabled = view.locked || !gate;
  surgeryOfferParts(view, gate);
  const inForce = surgeryList(view.text).find((one) => one.startsWith(`${surgeryPlace(view)}:`));
  const value = Number(inForce?.split(':')[1] ?? surgeryNow(view, symbol));
  view.value.show(Number.isFinite(value) ? Number(value.toPrecision(3)) : 0);
}

function surgeryOfferParts(view, gate) {
  const width = (gate ? view.shown.n : view.shown.d) ?? 1, word = gate ? 'unit' : 'number';
  view.which.offer([['', `All ${word}s`], ...Array.from({ length: width }, (_, i) => [String(i), `${word[0].toUpperCase()}${word.slice(1)} ${i + 1}`])]);
  view.which.element.classList.toggle('gone', width < 2);
}

function surgeryNow({ page, which }, symbol) {
  const unit = which.select.value ? Number(which.select.value) : symbol === 'x' ? 0 : page.cursor.unit;
  return diagramEntry(page.arrays.get(symbol), page.cursor.t, unit) ?? 0;
}

/** One drag is one step back, however many values it went through. */
function surgeryDrag(view) {
  const place = `${surgeryPlace(view)}:`, list = surgeryList(view.text);
  if (view.locked || !list.some((one) => one.startsWith(place))) return;
  surgerySend(view, [...list.filter((one) => !one.startsWith(place)), surgeryOperation(view)].join(','), !view.dragging);
  view.dragging = true;
}

function surgeryAdd(view, operation) {
  const place = operation.split(':')[0];
  const rest = surgeryList(view.text).filter((one) => one.split(':')[0] !== place);
  surgerySend(view, [...rest, operation].join(','));
}

// --- history --------------------------------------------------------------------------------------------------------------

function surgerySend(view, text, remember = true) {
  if (text === view.text) return;
  if (remember) { view.undo.push(view.text); view.redo = []; }
  view.text = text;
  view.sent = true;
  view.page.set({ surgery: text });
}

function surgeryBack(view, from, to) {
  if (!from.length || view.locked) return;
  to.push(view.text);
  surgerySend(view, from.pop(), false);
}

/** Ctrl+Z and Ctrl+Shift+Z (Ctrl+Y) inside the block; a field that is typed in keeps its own. */
function surgeryKey(view, event) {
  const key = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || event.target.matches('.num') || !['z', 'y'].includes(key)) return;
  event.preventDefault();
  if (key === 'y' || event.shiftKey) surgeryBack(view, view.redo, view.undo);
  else surgeryBack(view, view.undo, view.redo);
}

/** What Python answered: its own spelling of what was sent, what stood before where it was refused, or another change. */
function surgeryTake(view, text) {
  if (view.sent) {
    if (view.undo.at(-1) === text && text !== view.text) view.undo.pop();
  } else if (text !== view.text) {
    view.undo.push(view.text);
    view.redo = [];
  }
  [view.text, view.sent] = [text, false];
}

// --- what is shown --------------------------------------------------------------------------------------------------------

function surgeryUpdate(view, arrays, texts, page) {
  const { values, cursor } = page;
  if (view.shown === null) view.text = values.surgery;
  if (!page.queue.waits) surgeryTake(view, values.surgery);
  const now = { t: cursor.t, unit: cursor.unit, n: cursor.n, d: arrays.get('x')?.shape[1] ?? 1, text: view.text };
  const moved = JSON.stringify(now) !== JSON.stringify(view.shown);
  view.locked = page.locked('surgery');
  view.shown = now;
  if (moved && !view.dragging) surgeryAim(view);
  surgeryAble(view, now, values.input === 'text');
  surgeryShowList(view, texts.operations ?? []);
}

function surgeryAble(view, { t, d }, letters) {
  const off = view.locked || t < 1, input = view.target.select.value === 'x';
  for (const button of [view.cut, view.drop]) button.disabled = off;
  view.hold.disabled = view.locked || (t < 1 && view.place.select.value === 'this') || (input && (letters || t < 1 || d === 0));
  for (const control of [view.target.select, view.which.select, view.value.range, view.value.field]) control.disabled = view.locked;
  for (const [button, list] of [[view.undoButton, view.undo], [view.redoButton, view.redo]]) button.setAttribute('aria-disabled', String(view.locked || !list.length));
}

function surgeryShowList(view, operations) {
  const key = JSON.stringify([operations, view.locked]);
  if (view.listed === key) return;
  const first = view.listed === undefined;
  view.listed = key;
  view.none.classList.toggle('gone', operations.length > 0);
  const kept = view.list.contains(view.list.getRootNode().activeElement);
  withCount(view.list, operations.length, () => surgeryItem(view)).forEach((item, i) => item.show(operations[i]));
  if (kept && !view.list.contains(view.list.getRootNode().activeElement)) (view.list.querySelector('button') ?? view.undoButton).focus({ preventScroll: true });
  if (!first) view.status.textContent = operations.length ? operations.map(({ words }) => words).join('. ') : 'No operation in force.';
}

function surgeryItem(view) {
  const words = h('span', {}), remove = h('button', { class: 'ib', type: 'button' }, icon('close'));
  const item = h('li', {}, words, remove);
  remove.addEventListener('click', () => surgerySend(view, surgeryList(view.text).filter((one) => one !== item.dataset.operation).join(',')));
  item.show = (operation) => {
    item.dataset.operation = operation.text;
    words.textContent = operation.words;
    remove.setAttribute('aria-label', `Remove: ${operation.words}`);
    remove.disabled = view.locked;
  };
  return item;
}

function createSurgeryNote(part) {
  return { element: h('p', { class: 'note' }, part.note), update: () => {} };
}

/** The card is on the page while an operation is in force; else a comment keeps its place. */
function createSurgeryWhen() {
  const element = h('span', { hidden: true }), place = document.createComment('surgery');
  let card = null;
  return {
    element,
    update(arrays) {
      card ??= element.closest('.card');
      const on = arrays.has('edited');
      if (on && place.parentNode) place.replaceWith(card);
      else if (!on && card.parentNode) card.replaceWith(place);
    },
  };
}

// --- the gradient with and without ----------------------------------------------------------------------------------------

const SURGERY_PLOT = { width: 480, height: 190, left: 46, right: 470, top: 14, base: 156, steps: [1, 2, 3, 5, 10, 20, 50, 100, 200, 400] };

function createSurgeryCurve(part, page) {
  const { left, right, base, width, height } = SURGERY_PLOT;
  const grid = svgElement('g', {}), cursor = svgElement('path', { class: 'tline' });
  const [before, after] = ['sg-before', 'sg-after'].map((cls) => svgElement('path', { class: cls }));
  const dots = svgElement('g', { class: 'sg-dots' });
  const ends = [chartText(left, base + 18, '0', { class: 'ink2', 'text-anchor': 'middle' }), chartText(right, base + 18, '', { class: 'ink2', 'text-anchor': 'middle' })];
  const named = [['sg-after', 'with surgery'], ['sg-before', 'untouched']].map(([cls, words]) => h('span', {}, svgElement('svg', { width: 26, height: 10, 'aria-hidden': 'true' }, svgElement('path', { class: cls, d: 'M1 5H25' })), words));
  const axis = svgElement('path', { class: 'axis', d: `M${left} ${base}H${right}` });
  const svg = svgElement('svg', { class: 'fig sg-curve', viewBox: `0 0 ${width} ${height}`, role: 'img' }, grid, axis, cursor, before, after, dots, ...ends, chartText((left + right) / 2, base + 30, 'step k', { class: 'ink2', 'text-anchor': 'middle' }));
  const head = h('h3', {}, 'log\u2081\u2080 \u2016\u2202', symbolElement({ text: 's', sub: 'T' }), '/\u2202', symbolElement({ text: 's', sub: 'k' }), '\u2016: how much of state k reaches the last state');
  const element = h('div', { class: 'sg-plot' }, head, h('div', { class: 'leg' }, named), svg);
  return { element, update: (arrays, texts, current) => surgeryDrawCurve({ svg, grid, cursor, before, after, dots, ends }, arrays, texts, current) };
}

function surgeryDrawCurve(drawn, arrays, texts, page) {
  const tables = ['ghost_jacobian_log10_norm', 'jacobian_log10_norm'].map((name) => arrays.get(name));
  if (!tables[0] || !tables[1]) return;
  const { left, right, top, base, steps } = SURGERY_PLOT, T = tables[0].shape[0] - 1;
  const finite = tables.flatMap(({ data }) => [...data]).filter(Number.isFinite);
  const low = -rangeStep(-Math.min(...finite, -0.5), steps), high = Math.max(...finite) > 0.02 ? rangeStep(Math.max(...finite), steps) : 0;
  const x = (k) => left + (k / Math.max(1, T)) * (right - left), y = (v) => base - ((Math.max(low, Math.min(high, v)) - low) / (high - low)) * (base - top);
  surgeryGrid(drawn.grid, low, high, y);
  [drawn.before, drawn.after].forEach((path, i) => path.setAttribute('d', surgeryLine(tables[i].data, x, y)));
  const points = [...tables[1].data].map((v, k) => [x(k), y(v), v]).filter(([, , v]) => Number.isFinite(v));
  withCount(drawn.dots, T <= 40 ? points.length : 0, () => svgElement('circle', { class: 'sg-dot', r: 2.4 })).forEach((dot, i) => { dot.setAttribute('cx', points[i][0]); dot.setAttribute('cy', points[i][1]); });
  drawn.cursor.setAttribute('d', `M${x(page.cursor.t)} ${top}V${base}`);
  drawn.ends[1].textContent = String(T);
  drawn.svg.setAttribute('aria-label', `Gradient with and without surgery. ${(texts.surgery_curve ?? []).map(({ text, sub }) => text + (sub ?? '')).join('')}`);
}

/** A line through the finite numbers; where one is exactly 0 (log10 is −∞) there is a gap. */
function surgeryLine(data, x, y) {
  let path = '';
  data.forEach((v, k) => { if (Number.isFinite(v)) path += `${k > 0 && Number.isFinite(data[k - 1]) ? 'L' : 'M'}${x(k).toFixed(2)} ${y(v).toFixed(2)}`; });
  return path;
}

function surgeryGrid(grid, low, high, y) {
  const key = `${low} ${high}`;
  if (grid.shown === key) return;
  grid.shown = key;
  const { left, right } = SURGERY_PLOT, ticks = [...new Set([low, 0, high])];
  grid.replaceChildren(...ticks.flatMap((v) => [svgElement('path', { class: 'gridl', d: `M${left} ${y(v)}H${right}` }), chartText(left - 8, y(v) + 4, v === 0 ? '0' : formatNumber(v, 2).replace(/\.0$/, ''), { class: 'ink2', 'text-anchor': 'end' })]));
}
