// The live page of a lab. Python says what there is (`layout`) and what it shows (`frame`); here it is laid out, what changes looks
// alone (the step, the highlight) is painted at once, and everything else is asked of Python.

const WIDE_CARD = 955;
const MOST_NOTICES = 4;

function createPage(model, view) {
  const layout = model.layout;
  const page = {
    model, layout, arrays: new Map(), texts: {}, values: {}, scenes: {}, looks: {}, selected: null, wide: true, query: '',
    cursor: { t: 1, unit: 0, lag: 0, T: 1, n: 1, moment: 1, substep: 0 }, figures: model.get_child('figures') ?? [],
    controls: {}, parts: [], stepBars: [], conditional: [],
    locked: (key) => layout.locked.includes(key), hidden: (key) => layout.hidden.includes(key) || (key === 'share' && !hostIsOwn() && !layout.address),
    queue: createQueue((message) => model.send_msg(message)),
  };
  pageActions(page);
  page.details = createDetails(page);
  page.sharing = createSharing(() => page.query, layout);
  page.embedding = page.hidden('embed') ? null : createEmbedDialog(page);
  page.notices = h('div', { class: 'notices', role: 'status' });
  page.banner = h('div', { role: 'alert' });
  page.announcer = h('p', { class: 'vh', 'aria-live': 'polite' });
  const inner = h('div', { class: 'page' }, page.banner, page.notices, layoutGrid(page), page.announcer, page.sharing.element, page.embedding?.element);
  page.root = h('div', { class: `rs lab-${layout.name.toLowerCase()}${layout.embed ? ' embed' : ''}${inFrame() ? ' framed' : ''}` }, inner);
  page.badge = page.hidden('badge') ? null : createBadge(page);
  if (page.badge) inner.append(page.badge.element);
  pageListen(page, view);
  return page;
}

/** What the parts of a page may ask for. */
function pageActions(page) {
  const inRange = (t) => Math.max(0, Math.min(page.cursor.T, t));
  page.set = (values) => page.queue.send({ action: 'set', values });
  page.look = (key, text) => { page.looks[key] = text; pagePaint(page); page.set({ [key]: text }); };
  page.setUnit = (unit) => { page.cursor.unit = unit; pagePaint(page); page.set({ unit: String(unit) }); };
  page.setTime = (wanted) => {
    const t = inRange(wanted);
    if (t === page.cursor.t || page.locked('t')) return;
    page.cursor.t = t;
    pagePaint(page);
    page.set({ t: String(t) });
  };
  page.moments = () => 5 * page.cursor.T + 3;
  page.setMoment = (wanted) => {
    const moment = Math.max(1, Math.min(page.moments(), wanted));
    if (moment === page.cursor.moment || page.locked('moment')) return;
    page.cursor.moment = moment;
    pagePaint(page);
    page.set({ moment: String(moment) });
  };
  /** A loss and a state at once: the cell of the loom. */
  page.selectCell = (t, k) => {
    if (page.locked('t') || page.locked('lag')) return;
    Object.assign(page.cursor, { t, lag: t - k });
    pagePaint(page);
    page.set({ t: String(t), lag: String(t - k) });
  };
  page.setInput = (value) => page.queue.send({ action: 'input', value });
  page.tell = (detail, message) => page.queue.send({ action: 'tell', detail, message });
  page.select = (node) => { page.selected = node; pagePaint(page); page.queue.send({ action: 'select', node }); };
  page.reset = () => { page.stepBars.forEach((bar) => bar.stop()); page.selected = null; page.queue.send({ action: 'reset' }); };
}

function pagePaint(page) {
  for (const part of page.parts) part.update(page.arrays, page.texts, page);
  page.details.paint();
  for (const bar of page.stepBars) bar.paint();
}

// --- an answer of Python --------------------------------------------------------------------------------------------------

function pageTakeFrame(page) {
  const { json, data } = page.model.frame;
  const frame = JSON.parse(json), floats = new Float64Array(data.buffer, data.byteOffset, data.length);
  if (frame.kind === 'detail') page.details.take(frame, floats);
  else pageTakeRun(page, frame, floats);
  frame.notices.forEach((text) => pageNotice(page, text));
  page.details.soon();
  if (frame.sequence) page.root.dataset.sequence = frame.sequence;
  else page.root.dataset.sequence ??= 0;
}

function pageTakeRun(page, frame, floats) {
  pageTakeArrays(page, frame, floats);
  Object.assign(page.scenes, frame.scenes);
  [page.texts, page.query] = [frame.texts, frame.query];
  page.queue.answered(frame.sequence);
  pageTakeState(page, frame);
  page.details.outdate(frame.stale);
  pagePaint(page);
  page.announcer.textContent = frame.texts.announcement;
  page.sharing.remember();
}

/** A run replaces every array; a look only those that depend on what is selected. */
function pageTakeArrays(page, frame, floats) {
  if (frame.kind === 'run') page.arrays.clear();
  for (const [name, place] of Object.entries(frame.arrays)) page.arrays.set(name, arrayAt(floats, place));
}

/** A table within the buffer of a frame. */
const arrayAt = (floats, [offset, steps, units, t0]) => ({ data: floats.subarray(offset, offset + steps * units), shape: [steps, units], t0 });

function pageTakeState(page, frame) {
  const { values, settings } = frame.state;
  page.values = values;
  page.preset = values.preset;
  for (const { element, when } of page.conditional) element.classList.toggle('gone', !when.includes(values.pattern));
  for (const [key, control] of Object.entries(page.controls)) {
    const { disabled = false, gone = false } = settings[key] ?? {};
    if (!page.queue.pending(key)) control.show(values[key], settings[key] ?? {});
    control.disable(page.locked(key) || disabled);
    control.element.classList.toggle('gone', gone);
  }
  if (frame.kind === 'look' && page.queue.waits) return; // the page is further on than this answer
  for (const key of Object.keys(page.cursor)) page.cursor[key] = Number(values[key] ?? 0);
  for (const [key, { look }] of Object.entries(page.layout.controls)) if (look) page.looks[key] = values[key];
}

function pageNotice(page, text) {
  const dismiss = h('button', { class: 'ib', type: 'button', 'aria-label': 'Dismiss' }, icon('close'));
  const notice = h('div', { class: 'notice' }, h('p', {}, text), dismiss);
  dismiss.addEventListener('click', () => notice.remove());
  page.notices.append(notice);
  while (page.notices.childElementCount > MOST_NOTICES) page.notices.firstElementChild.remove();
}

// --- what happens around the page -----------------------------------------------------------------------------------------

function pageListen(page, view) {
  const listening = new AbortController(), { signal } = listening;
  const dark = matchMedia('(prefers-color-scheme:dark)');
  page.model.on('frame', () => pageTakeFrame(page));
  window.addEventListener('rnnscope:theme', () => pageChooseTheme(page), { signal });
  window.addEventListener('rnnscope:share', () => page.sharing.share(), { signal });
  window.addEventListener('rnnscope:embed', () => page.embedding?.open(), { signal });
  if (!page.embedding && hostIsOwn()) document.querySelector('[data-embed]')?.remove();
  window.addEventListener('pagehide', page.sharing.writeAddress, { signal });
  dark.addEventListener('change', () => pageFollowTheme(page), { signal });
  view.model.document?.on_event('connection_lost', () => pageLost(page));
  const resize = new ResizeObserver(() => pageFit(page)), leaveHost = hostOnTheme(() => pageFollowTheme(page)), height = createFrameHeight(page.layout.name.toLowerCase());
  page.connect = () => { hostSettle(page.root, view.model.document); pageFit(page); pageFollowTheme(page); pageTakeFrame(page); resize.observe(page.root); };
  page.model.on('remove', () => { listening.abort(); leaveHost(); resize.disconnect(); height.stop(); page.stepBars.forEach((bar) => bar.stop()); page.details.stop(); page.badge?.stop(); });
}

/** The wide or the compact diagrams, by the room that their card has. */
function pageFit(page) {
  const wide = page.root.querySelector('.card.key .cb').clientWidth >= WIDE_CARD;
  if (wide === page.wide) return;
  page.wide = wide;
  if (page.arrays.size) pagePaint(page);
}

/** The button in the header: the choice goes into the link too. */
function pageChooseTheme(page) {
  page.set({ theme: document.documentElement.dataset.theme });
  pageFollowTheme(page);
}

function pageFollowTheme(page) {
  const chosen = (hostIsOwn() && document.documentElement.dataset.theme) || page.layout.theme || hostTheme();
  if (chosen) page.root.dataset.theme = chosen;
  const dark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme:dark)').matches;
  const wrong = dark !== (page.dark ?? false);
  page.dark = dark;
  if (wrong && page.figures.length) page.queue.send({ action: 'theme', theme: dark ? 'dark' : 'light' });
}

function pageLost(page) {
  page.stepBars.forEach((bar) => bar.stop());
  page.sharing.writeAddress();
  page.root.classList.add('lost');
  const words = 'The server does not answer. What you see is the last answer; nothing here changes until you reload.';
  const reload = h('button', { class: 'btn', type: 'button', onclick: () => location.reload() }, 'Reload');
  page.banner.replaceChildren(h('div', { class: 'notice lost' }, h('p', {}, words), reload));
}

export function render({ model, view }) {
  const page = createPage(model, view);
  if (hostIsOwn()) document.querySelector('.waiting')?.remove();
  whenAttached(page.root, page.connect);
  return page.root;
}

/** Widths and colours can be read only once Panel has put the page into its document. */
function whenAttached(root, act) {
  if (root.isConnected && root.clientWidth) act();
  else requestAnimationFrame(() => whenAttached(root, act));
}
