// The truth badge: any number of the page, where it comes from, and the same number computed again. Python answers (app/labs/badge.py);
// here it is asked, laid out beside the number, and walked from one number to the next.

const BADGE_GAP = 8;
const BADGE_DRAG = 6;

/** One popover a page. Escape and a click elsewhere close it, and the focus goes back to where it was. */
function createBadge(page) {
  const view = badgeView();
  const badge = { page, view, asked: null, anchor: null, trail: [], opener: null, shown: null };
  page.details.hear('badge', { element: view.body, update: (arrays, texts) => badgeShow(badge, texts), outdated: () => badgeAgain(badge) });
  badgeListen(badge);
  return { element: view.element, stop: () => badge.stop() };
}

function badgeView() {
  const button = (name, label, shown) => h('button', { class: `bdg-${name}`, type: 'button', 'aria-label': label }, shown);
  const title = h('h2', { class: 'bdg-title', tabindex: -1, id: 'badge-title' }), words = h('p', { class: 'bdg-words' });
  const exact = h('output', { class: 'bdg-exact' }), copy = button('copy', 'Copy the exact value', 'Copy');
  const back = button('back', 'Back to the number before', icon('prev')), close = button('close', 'Close', icon('close'));
  const body = h('div', { class: 'bdg-body' }), place = h('span', { class: 'bdg-place' });
  const before = button('before', 'Number before this one', icon('prev')), after = button('after', 'Number after this one', icon('next'));
  const element = h('div', { class: 'bdg', popover: 'auto', role: 'dialog', 'aria-labelledby': 'badge-title' },
    h('div', { class: 'bdg-head' }, back, title, close), words,
    h('div', { class: 'bdg-line' }, exact, copy), body,
    h('div', { class: 'bdg-foot' }, before, place, after));
  return { element, title, words, exact, copy, back, close, body, place, before, after };
}

function badgeListen(badge) {
  const { page, view } = badge, listening = new AbortController(), { signal } = listening;
  const on = (target, type, act, more = {}) => target.addEventListener(type, act, { signal, ...more });
  let down = null;
  on(page.root, 'pointerdown', (event) => { down = { x: event.clientX, y: event.clientY, ...badgeUnder(event) }; }, { capture: true });
  on(page.root, 'click', (event) => badgeClick(badge, event, down));
  on(page.root, 'keydown', (event) => badgeKey(badge, event));
  on(view.element, 'toggle', (event) => { if (event.newState === 'closed') badgeClosed(badge); });
  on(window, 'resize', () => badgePlace(badge));
  on(window, 'scroll', () => badgePlace(badge), { passive: true });
  on(view.close, 'click', () => view.element.hidePopover());
  on(view.copy, 'click', () => badgeCopy(view.exact.textContent, view.copy));
  on(view.back, 'click', () => badgeBack(badge));
  on(view.before, 'click', () => badgeStep(badge, -1));
  on(view.after, 'click', () => badgeStep(badge, 1));
  badge.stop = () => listening.abort();
}

// --- asking -----------------------------------------------------------------------------------------------------------------

/** The number under the pointer, as it is before a press may move the time. */
function badgeUnder({ target }) {
  const found = target.closest?.('.readout[data-symbol]') ?? null;
  return { found, number: found && badgeNumber(found) };
}

/** A click on a number asks for it; the end of a drag does not. Inside the badge it leads one number further. */
function badgeClick(badge, event, down) {
  const pressed = event.detail && down?.found && event.target.contains(down.found); // a trace that holds the pointer gets the click too
  const { found, number } = pressed ? down : badgeUnder(event);
  const dragged = down && event.detail && Math.hypot(event.clientX - down.x, event.clientY - down.y) > BADGE_DRAG;
  if (!found || dragged || found.dataset.symbol.startsWith('badge_')) return;
  const inside = badge.view.element.contains(found);
  if (found === badge.view.exact) return;
  if (inside) badge.trail.push(badge.asked);
  badgeAsk(badge, number, inside ? null : found);
}

/** `e` explains the number of a node, or the first one of the table or card that has the focus. */
function badgeKey(badge, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (badge.view.element.contains(event.target)) badgeWalk(badge, event);
  else if (event.key === 'e' && !badgeTyping(event.target)) {
    const found = badgeFirst(event.target);
    if (!found) return;
    event.preventDefault();
    badgeAsk(badge, badgeNumber(found), found);
  }
}

/** Whether a key belongs to what has the focus. */
function badgeTyping(target) {
  return target.matches('select, textarea, [contenteditable], input:not([type=range]):not([type=radio]):not([type=checkbox])');
}

function badgeFirst(target) {
  const own = target.closest('[data-node], [role=region], .card') ?? target;
  return badgeSeen(own)[0] ?? null;
}

/** The numbers inside an element that are drawn and in no closed drawer. */
function badgeSeen(element) {
  return [...element.querySelectorAll('.readout[data-symbol]')].filter((found) => found.textContent && found.getClientRects().length && found.checkVisibility({ visibilityProperty: true }));
}

const badgeNumber = ({ dataset }) => ({ symbol: dataset.symbol, t: Number(dataset.t), unit: Number(dataset.unit), value: dataset.value });

function badgeAsk(badge, asked, anchor) {
  const { page, view } = badge, open = view.element.matches(':popover-open');
  if (!open) {
    badge.opener = page.root.getRootNode().activeElement;
    badge.trail = [];
  }
  badge.asked = asked;
  if (anchor) [badge.anchor, badge.trail] = [anchor, []];
  if (!open) view.element.showPopover();
  if (inFrame()) frameBand().then((band) => { badge.band = band; badgePlace(badge); });
  badgeWait(badge);
  badgePlace(badge);
  page.tell('badge', asked);
}

/** What is known before the answer: the number itself. */
function badgeWait({ view, trail, asked, anchor }) {
  view.back.hidden = !trail.length;
  view.body.classList.add('stale');
  if (view.title.textContent) return;
  view.exact.textContent = asked.value;
  view.title.textContent = anchor?.textContent ?? '';
}

function badgeBack(badge) {
  badge.asked = badge.trail.pop();
  badgeWait(badge);
  badge.page.tell('badge', badge.asked);
  if (badge.view.back.hidden) badge.view.title.focus({ preventScroll: true });
}

/** After a new run: the same number again if the page still shows it, else there is nothing to explain. */
function badgeAgain(badge) {
  if (!badge.asked || !badge.view.element.matches(':popover-open')) return;
  requestAnimationFrame(() => {
    if (!badge.asked) return;
    const found = badgeSame(badge);
    if (found) [badge.anchor, badge.asked] = [found, badgeNumber(found)];
    else if (badge.trail.length) badge.asked = { ...badge.asked, value: null };
    else { badge.view.element.hidePopover(); return; }
    badge.page.tell('badge', badge.asked);
  });
}

function badgeSame({ page, view, asked, anchor }) {
  const { symbol, t, unit } = asked;
  const is = ({ dataset }) => dataset.symbol === symbol && Number(dataset.t) === t && Number(dataset.unit) === unit;
  if (anchor?.isConnected && is(anchor)) return anchor;
  return badgeSeen(page.root).find((found) => is(found) && !view.element.contains(found)) ?? null;
}

// --- from one number to the next --------------------------------------------------------------------------------------------

/** Arrows go through the numbers of a card in their order, in a table up and down too. */
function badgeWalk(badge, event) {
  const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 'down', ArrowUp: 'up' };
  const step = steps[event.key];
  if (!step || event.target.closest('.bdg-scroll, pre') || !badge.anchor) return;
  if (typeof step === 'string' && !badge.anchor.closest('td')) return;
  event.preventDefault();
  badgeStep(badge, step);
}

function badgeScope({ anchor }) {
  return badgeSeen(anchor.closest('.card') ?? anchor.parentElement);
}

function badgeStep(badge, step) {
  if (!badge.anchor?.isConnected) return;
  const found = typeof step === 'string' ? badgeBeside(badge.anchor, step) : badgeNext(badgeScope(badge), badge.anchor, step);
  if (!found) return;
  found.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  badgeAsk(badge, badgeNumber(found), found);
}

const badgeNext = (all, anchor, step) => all[all.indexOf(anchor) + step];

/** The cell of a table in the row above or below. */
function badgeBeside(anchor, way) {
  const cell = anchor.closest('td'), row = cell.parentElement[way === 'up' ? 'previousElementSibling' : 'nextElementSibling'];
  const found = row?.children[[...cell.parentElement.children].indexOf(cell)];
  return found?.classList.contains('readout') ? found : null;
}

// --- showing ----------------------------------------------------------------------------------------------------------------

function badgeShow(badge, texts) {
  if (!badge.asked || badge.shown === texts) return;
  badge.shown = texts;
  if (texts.missing) badgeMissing(badge, texts.missing);
  else badgeFill(badge, texts);
  badgeFoot(badge);
  badgePlace(badge);
}

function badgeMissing({ view }, words) {
  badgeEmpty(view);
  fill(view.title, [{ kind: 'text', text: 'No such number' }]);
  view.body.replaceChildren(h('p', { class: 'note' }, words));
}

function badgeFill(badge, texts) {
  const { view, page } = badge, first = view.element.getRootNode().activeElement;
  fill(view.title, [...texts.title, { kind: 'operator', text: '=' }, { ...texts.value[0], symbol: undefined }]);
  view.words.textContent = texts.words;
  view.exact.textContent = texts.exact;
  setReadout(view.exact, badge.asked.symbol, badge.asked.t, badge.asked.unit, 0);
  view.exact.dataset.value = texts.value[0].value;
  view.exact.classList.add('readout');
  view.body.replaceChildren(...badgeParts(texts));
  if (!view.element.contains(first) || first === null) view.title.focus({ preventScroll: true });
  page.announcer.textContent = texts.checks.map(badgeSaid).join('; ');
}

function badgeParts(texts) {
  const part = (name, ...children) => h('section', {}, h('h3', {}, name), ...children);
  const equation = (tokens, hang) => { const line = h('div', { class: hang ? 'hang' : null }); fill(line, tokens); return line; };
  return [
    texts.checks.length ? h('ul', { class: 'bdg-checks' }, texts.checks.map(badgeCheck)) : null,
    texts.formula.length ? part('Formula', h('div', { class: 'eq eql' }, equation(texts.formula))) : null,
    texts.cells.length ? part('Matrices, coloured from −1 to 1', h('div', { class: 'bdg-tables' }, texts.cells.map((table, i) => badgeTable(table, i + 1)))) : null,
    texts.lines.length ? part('Arithmetic', h('div', { class: 'eq eql' }, texts.lines.map((tokens) => equation(tokens, true)))) : null,
    texts.note.length ? badgeNote(texts.note) : null,
    texts.code ? badgeCode(texts.code) : null,
  ].filter(Boolean);
}

function badgeNote(tokens) {
  const element = h('p', { class: 'note' });
  fill(element, tokens);
  return element;
}

const badgeSaid = ({ words, difference }) => `${words}: difference ${difference[0].text}`;

/** The tick says that both agree to rounding; the difference is there in any case. */
function badgeCheck({ words, value, difference, near }) {
  const mark = svgElement('svg', { class: 'bdg-mark', viewBox: '0 0 20 20', role: 'img', 'aria-label': near ? 'agrees' : 'differs' },
    svgElement('path', { d: near ? 'M4 10.5l4 4 8-9' : 'M4 7.5h12M4 12.5h12M13 3.5l-6 13' }));
  return h('li', { class: near ? 'near' : 'far' }, mark, h('span', {}, `${words} `, tokenElement(value[0]), ': difference ', h('b', {}, tokenElement(difference[0]))));
}

/** Row times vector, entry by entry: cells on the diverging scale with their numbers. */
function badgeTable({ columns, rows, total, left }, place) {
  const head = h('tr', {}, h('td', {}), columns.map((j) => h('th', { scope: 'col' }, String(j))));
  const line = ({ head: tokens, numbers }, i) => {
    const name = h('th', { scope: 'row', class: 'eq' });
    fill(name, tokens);
    return h('tr', {}, name, numbers.map(badgeCell), i === rows.length - 1 && columns.length > 1 ? [h('td', { class: 'bdg-sum' }, 'sum ', tokenElement(total[0]))] : []);
  };
  const scroll = h('div', { class: 'bdg-scroll', tabindex: columns.length > 6 ? 0 : null, role: columns.length > 6 ? 'region' : null, 'aria-label': columns.length > 6 ? `Row, vector and their products, ${place}` : null },
    h('table', {}, h('thead', {}, head), h('tbody', {}, rows.map(line))));
  return h('div', { class: 'bdg-table' }, scroll, left ? h('p', { class: 'note' }, left) : null);
}

function badgeCell(token) {
  const step = diagramColourStep(Number(token.value));
  return h('td', { style: `background:var(--dv${step});color:var(--dvo${step})` }, tokenElement(token));
}

function badgeCode(code) {
  const copy = h('button', { class: 'bdg-copy', type: 'button', 'aria-label': 'Copy the lines of Python' }, 'Copy');
  copy.addEventListener('click', () => badgeCopy(code, copy));
  const lines = h('pre', { tabindex: 0, role: 'region', 'aria-label': 'Python that prints the same number' }, code);
  return h('details', { class: 'bdg-code' }, h('summary', {}, 'The same number in Python'), lines, copy);
}

async function badgeCopy(text, button) {
  let said = 'Copied';
  try {
    await clipboardWrite(text);
  } catch { // no permission, no clipboard: what is marked can be copied by hand
    said = 'Marked';
    const source = button.previousElementSibling;
    getSelection().selectAllChildren(source);
  }
  button.textContent = said;
  setTimeout(() => { button.textContent = 'Copy'; }, TOAST_MS);
}

// --- where it stands --------------------------------------------------------------------------------------------------------

function badgeFoot(badge) {
  const { view, anchor } = badge, all = anchor?.isConnected ? badgeScope(badge) : [], at = all.indexOf(anchor);
  view.before.disabled = at <= 0;
  view.after.disabled = at < 0 || at === all.length - 1;
  view.place.textContent = at < 0 ? '' : `number ${at + 1} of ${all.length} in this card`;
}

/** Under the number, or above it where there is more room; on a phone a sheet at the bottom (see badge.css). */
function badgePlace({ view: { element }, anchor, band = { top: 0, bottom: innerHeight } }) {
  if (!anchor?.isConnected || !element.matches(':popover-open')) return;
  const near = anchor.getBoundingClientRect(), { offsetWidth: width, offsetHeight: height } = element;
  const below = band.bottom - near.bottom - BADGE_GAP, above = near.top - band.top - BADGE_GAP;
  const beside = near.right + BADGE_GAP + width <= innerWidth ? near.right + BADGE_GAP : near.left - BADGE_GAP - width;
  const under = height <= below || height <= above;
  const top = height <= below ? near.bottom + BADGE_GAP : height <= above ? near.top - BADGE_GAP - height : (band.top + band.bottom - height) / 2;
  const left = under ? near.left + near.width / 2 - width / 2 : beside;
  const within = (value, size, room) => Math.max(BADGE_GAP, Math.min(value, room - size - BADGE_GAP));
  element.style.setProperty('--left', `${within(left, width, innerWidth)}px`);
  element.style.setProperty('--top', `${Math.max(BADGE_GAP, band.top + within(top - band.top, height, band.bottom - band.top))}px`);
}

/** A badge that is shut holds no number. */
function badgeEmpty(view) {
  view.exact.className = 'bdg-exact';
  for (const name of ['symbol', 't', 'unit', 'value']) delete view.exact.dataset[name];
  for (const part of [view.title, view.words, view.exact, view.body]) part.replaceChildren();
  view.title.shownTokens = null;
}

function badgeClosed(badge) {
  const { opener, view } = badge;
  Object.assign(badge, { asked: null, trail: [], shown: null });
  badgeEmpty(view);
  const active = view.element.getRootNode().activeElement;
  if (opener?.isConnected && (!active || view.element.contains(active))) opener.focus({ preventScroll: true });
}
