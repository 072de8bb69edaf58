// The embed dialog: what a teacher chooses here, Python makes into a link and into lines for each kind of page (app/embedding.py).

const EMBED_SYSTEM = 'Reader’s system';

/** One dialog a page; it opens with what the link has now, and asks for its lines on every change. */
function createEmbedDialog(page) {
  const view = embedView(page), dialog = { page, view, shown: null };
  page.details.hear('embedding', { element: view.made, update: (arrays, texts) => embedShow(dialog, texts) });
  view.form.addEventListener('input', () => embedAsk(dialog));
  view.form.addEventListener('submit', (event) => event.preventDefault());
  view.close.addEventListener('click', () => view.element.close());
  view.element.addEventListener('click', ({ target }) => { if (target === view.element) view.element.close(); });
  view.kind.addEventListener('change', () => embedSnippet(dialog));
  for (const { field, button, said } of view.copies) button.addEventListener('click', () => embedCopy(field, said));
  return {
    element: view.element,
    open() {
      page.stepBars.forEach((bar) => bar.stop());
      embedStart(dialog);
      openModal(view.element);
    },
  };
}

// --- what it holds ------------------------------------------------------------------------------------------------------------

function embedView(page) {
  const close = h('button', { class: 'ib', type: 'button', 'aria-label': 'Close' }, icon('close'));
  const { form, ...fields } = embedForm(page.layout.embedding);
  const { made, ...lines } = embedLines();
  const head = h('div', { class: 'emb-head' }, h('h2', { id: 'embed-title' }, 'Embed this lab'), close);
  const element = h('dialog', { class: 'emb', 'aria-labelledby': 'embed-title' }, head, h('div', { class: 'emb-body' }, form, made));
  return { element, close, form, made, ...fields, ...lines };
}

function embedForm({ groups, labels, notations, title, height }) {
  const choose = (name, label, options) => {
    const select = h('select', { id: `embed-${name}` }, options.map(([value, words]) => h('option', { value }, words)));
    return [select, h('div', { class: 'fld' }, h('label', { class: 'lb', for: select.id }, label), select)];
  };
  const write = (name, label, type, more) => {
    const field = h('input', { type, id: `embed-${name}`, class: 'txt', autocomplete: 'off', ...more });
    return [field, h('div', { class: 'fld' }, h('label', { class: 'lb', for: field.id }, label), field)];
  };
  const [theme, themeField] = choose('theme', 'Theme', [['', EMBED_SYSTEM], ['light', 'Light'], ['dark', 'Dark']]);
  const [notation, notationField] = choose('notation', 'Notation', notations);
  const [heading, headingField] = write('heading', 'Title of the frame', 'text', { value: title, maxlength: 200 });
  const [start, startField] = write('height', 'Height at first (px)', 'number', { value: height, min: 100, max: 5000, step: 10 });
  const bare = h('input', { type: 'checkbox', checked: true });
  const ticks = embedTicks(groups, labels);
  const form = h('form', { class: 'emb-form' }, ticks.drawer,
    h('label', { class: 'emb-check' }, bare, h('span', {}, 'For a frame: no header, no parameter blocks')),
    h('div', { class: 'emb-pair' }, themeField, notations.length ? notationField : null, startField, headingField));
  return { form, theme, notation: notations.length ? notation : null, heading, start, bare, ...ticks };
}

/** Every control of the lab under the head of its block, with a box to lock it and one to hide it. */
function embedTicks(groups, labels) {
  const boxes = [];
  const box = (kind, key) => {
    const made = h('input', { type: 'checkbox', 'aria-label': `${kind === 'lock' ? 'Lock' : 'Hide'} ${plainLabel(labels[key])}` });
    boxes.push({ kind, key, box: made });
    return h('td', {}, h('label', { class: 'emb-tick' }, made));
  };
  const row = (key, onlyHide) => h('tr', {}, h('th', { scope: 'row' }, ...labelElements(labels[key])), onlyHide ? h('td', {}) : box('lock', key), box('hide', key));
  const first = groups.find(({ left_out: leftOut }) => leftOut);
  const bodies = groups.map((group) => h('tbody', {}, group === first ? h('tr', { class: 'emb-out' }, h('td', { colspan: 3 }, 'Not shown in a frame, where a lock still holds:')) : null,
    h('tr', { class: 'emb-group' }, h('th', { scope: 'rowgroup', colspan: 3 }, ...labelElements(group.title))), group.keys.map((key) => row(key, group.only_hide))));
  const heads = ['Control', 'Lock', 'Hide'].map((head) => h('th', { scope: 'col' }, head));
  const count = h('span', { class: 'emb-count' });
  const scroll = h('div', { class: 'emb-scroll', tabindex: 0, role: 'region', 'aria-label': 'Controls to lock or hide' }, h('table', {}, h('thead', {}, h('tr', {}, heads)), bodies));
  const drawer = h('details', { class: 'emb-controls' }, h('summary', {}, 'Lock or hide controls', count), scroll);
  return { drawer, boxes, count };
}

function embedLines() {
  const link = h('input', { type: 'text', readonly: true, class: 'txt', id: 'embed-link' });
  const kind = h('select', { id: 'embed-kind' }), note = h('p', { class: 'note' });
  const code = h('textarea', { class: 'emb-code', readonly: true, rows: 12, spellcheck: 'false', 'aria-label': 'Lines to paste' });
  const error = h('p', { class: 'notice emb-error', role: 'alert', hidden: true });
  const [copyLink, copyCode] = [embedCopyButton(link, 'Copy the link'), embedCopyButton(code, 'Copy the lines')];
  const made = h('div', { class: 'emb-made' }, error,
    h('div', { class: 'fld' }, h('label', { class: 'lb', for: link.id }, 'Link'), h('div', { class: 'emb-line' }, link, copyLink.button)),
    h('div', { class: 'fld' }, h('label', { class: 'lb', for: kind.id }, 'Lines for'), h('div', { class: 'emb-line' }, kind, copyCode.button)), note, code);
  return { made, link, kind, note, code, error, copies: [copyLink, copyCode] };
}

function embedCopyButton(field, label) {
  const said = h('span', { role: 'status' }, 'Copy');
  return { field, said, button: h('button', { class: 'btn', type: 'button', 'aria-label': label }, said) };
}

// --- asking and showing -------------------------------------------------------------------------------------------------------

/** What the link has now: its ticks, its theme, its notation. Title and height stay as they were typed. */
function embedStart(dialog) {
  const { page: { values, root }, view } = dialog;
  for (const { kind, key, box } of view.boxes) box.checked = values[kind].split(',').includes(key);
  view.theme.value = values.theme;
  if (view.notation) view.notation.value = values.notation;
  view.drawer.open = root.clientWidth >= 900;
  embedAsk(dialog);
}

function embedChosen({ boxes, theme, notation, bare, heading, start }) {
  const ticked = (wanted) => boxes.filter(({ kind, box }) => kind === wanted && box.checked).map(({ key }) => key);
  return {
    address: `${location.origin}${location.pathname}`, lock: ticked('lock').join(','), hide: ticked('hide').join(','), theme: theme.value,
    embed: bare.checked ? '1' : '0', ...(notation ? { notation: notation.value } : {}), title: heading.value, height: start.value,
  };
}

function embedAsk({ page, view }) {
  const locks = view.boxes.filter(({ kind, box }) => kind === 'lock' && box.checked).length;
  const hides = view.boxes.filter(({ kind, box }) => kind === 'hide' && box.checked).length;
  view.count.textContent = locks || hides ? `${locks} locked, ${hides} hidden` : '';
  view.form.classList.toggle('bare', view.bare.checked);
  page.tell('embedding', embedChosen(view));
}

function embedShow(dialog, texts) {
  if (dialog.shown === texts) return;
  dialog.shown = texts;
  const { view } = dialog, { error = '', link = '', snippets = [] } = texts;
  view.error.hidden = !error;
  view.error.textContent = error;
  view.link.value = link;
  withCount(view.kind, snippets.length, () => h('option', {})).forEach((option, i) => { option.value = snippets[i].key; option.textContent = snippets[i].name; });
  embedSnippet(dialog);
}

function embedSnippet({ view, shown }) {
  const found = shown?.snippets?.find(({ key }) => key === view.kind.value);
  view.note.textContent = found?.note ?? '';
  view.code.value = found?.code ?? '';
  view.code.rows = (found?.code ?? '').split('\n').length + 1;
}

async function embedCopy(field, said) {
  said.textContent = (await copyFrom(field)) ? 'Copied' : 'Marked';
  setTimeout(() => { said.textContent = 'Copy'; }, TOAST_MS);
}
