// Three ways to decode one target, aligned by step: what each run reads, what it says, how likely that is, and its loss. Time runs across.

const FORCING_ROWS = [
  { name: 'reads' }, { name: 'says' },
  { name: 'probability of that', array: 'said_p', symbol: 'forcing_said_p' },
  { name: 'of the target’s token', array: 'target_p', symbol: 'forcing_target_p' },
  { name: 'loss', array: 'loss', symbol: 'forcing_loss' },
];

function createForcing(part, page) {
  const view = { page, shown: null, cells: [] };
  view.table = h('table', { class: 'forcing' }, h('caption', { class: 'vh' }, 'What each run reads and says, step by step'));
  view.scroll = h('div', { class: 'forcing-scroll', tabindex: 0, role: 'region', 'aria-label': 'Teacher forcing, mixture and free running by step' }, view.table);
  view.scroll.addEventListener('keydown', (event) => forcingKey(view, event));
  return {
    alive: true, element: h('div', {}, view.scroll),
    update(arrays, texts) {
      if (view.shown !== texts.forcing) forcingShow(view, arrays, texts.forcing);
      forcingPaint(view);
    },
  };
}

function forcingShow(view, arrays, shown) {
  view.shown = shown;
  const steps = shown.target.map((_, i) => i + 1), caption = view.table.caption;
  const head = (step) => h('th', { scope: 'col', 'data-step': step }, h('button', { type: 'button', 'aria-label': `Step ${step}`, onclick: () => view.page.setTime(step) }, String(step)));
  const target = h('tr', {}, h('th', { scope: 'row' }, 'target'), steps.map((step) => h('td', { 'data-step': step }, h('b', {}, shown.target[step - 1]))), h('td', {}));
  view.table.replaceChildren(caption, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, h('span', { class: 'vh' }, 'Step')), steps.map(head), h('th', { scope: 'col', class: 'total' }, 'sum'))),
    h('tbody', {}, target), ...shown.runs.map((run, place) => forcingRun(arrays, shown, run, place)));
  view.columns = Map.groupBy([...view.table.querySelectorAll('[data-step]')], ({ dataset }) => Number(dataset.step));
  view.t = null;
}

function forcingRun(arrays, shown, run, place) {
  const title = h('tr', {}, h('th', { scope: 'rowgroup', class: 'run' }, run.name), h('td', { colspan: shown.target.length + 1 }));
  const rows = FORCING_ROWS.map((row) => h('tr', {}, h('th', { scope: 'row' }, row.name), shown.target.map((_, i) => forcingCell(arrays, shown, run, place, row, i)), h('td', { class: 'total' }, row.name === 'loss' ? forcingTotal(arrays, shown, place) : '')));
  return h('tbody', {}, title, ...rows);
}

function forcingCell(arrays, shown, run, place, row, i) {
  const marks = [i + 1 === shown.part ? 'part' : '', i >= run.after ? 'after' : ''];
  if (row.name === 'reads') return h('td', { 'data-step': i + 1, class: [...marks, run.own[i] ? 'own' : ''].join(' ') }, h('b', {}, run.reads[i]));
  if (row.name === 'says') return h('td', { 'data-step': i + 1, class: [...marks, run.says[i] === shown.target[i] ? '' : 'wrong'].join(' ') }, h('b', {}, run.says[i]));
  const value = arrays.get(row.array).data[i * shown.runs.length + place], number = h('span', { class: 'n' }, formatNumber(value));
  setReadout(number, row.symbol, i + 1, place, value);
  return h('td', { 'data-step': i + 1, class: marks.join(' ') }, number);
}

function forcingTotal(arrays, shown, place) {
  const value = arrays.get('sums').data[place], number = h('span', { class: 'n' }, formatNumber(value));
  setReadout(number, 'forcing_loss_sum', shown.target.length, place, value);
  return number;
}

function forcingPaint(view) {
  const { t } = view.page.cursor;
  if (t === view.t) return;
  for (const [step, cells] of view.columns) for (const cell of cells) cell.classList.toggle('now', step === t);
  const cell = view.columns.get(t)?.[0], first = view.t === null;
  view.t = t;
  if (cell && !first) forcingInView(view.scroll, cell);
}

/** The first column stays in place: what is under it is not in view. */
function forcingInView(scroll, cell) {
  const names = scroll.querySelector('tbody th').offsetWidth, left = cell.offsetLeft - names - 12, right = cell.offsetLeft + cell.offsetWidth + 12;
  if (left < scroll.scrollLeft) scroll.scrollLeft = left;
  else if (right > scroll.scrollLeft + scroll.clientWidth) scroll.scrollLeft = right - scroll.clientWidth;
}

function forcingKey(view, event) {
  if (event.key !== '[' && event.key !== ']') return;
  view.page.setTime(view.page.cursor.t + (event.key === '[' ? -1 : 1));
  event.preventDefault();
}
