// The inside of a step: which sub-step is shown. It is painted at once; Python tells its sentence and marks its equation afterwards.

const SUBSTEP_BUTTONS = ['First sub-step', 'Previous sub-step', 'Next sub-step', 'Last sub-step', 'Play the sub-steps', 'Pause the sub-steps'];
const SUBSTEP_WORDS = {
  label: 'Sub-step', group: 'Inside the step', buttons: SUBSTEP_BUTTONS, first: 0,
  aloud: (k, all) => (k ? `sub-step ${k} of ${all}` : 'the whole step'), shown: (k, all) => [k ? `${k} of ${all}` : 'whole step'],
};
/** Where the keys , and . step through the inside. */
const SUBSTEP_PLACES = '.card.key, .card.inside, .card.tc';
const SUBSTEP_KEYS = { ',': -1, '.': 1 };

function createSubstepBar(part, page) {
  const all = part.gates.length, go = (wanted) => substepGo(page, part.gates, wanted);
  const bar = createStepBar(go, SUBSTEP_WORDS);
  bar.element.className = 'substep';
  const whole = h('button', { class: 'btn', type: 'button', onclick: () => { bar.stop(); go(0); } }, 'Whole step');
  bar.element.append(whole);
  const said = h('p', { class: 'substep-said' });
  page.stepBars.push({ ...bar, paint: () => substepPaint(page, bar, whole, all) });
  queueMicrotask(() => page.root.addEventListener('keydown', (event) => substepKey(page, go, event)));
  return { element: h('div', { class: 'substeps' }, h('h3', {}, part.heading ?? 'Inside the step'), bar.element, said), update: (arrays, texts) => fill(said, texts.substep) };
}

/** One sub-step, or with 0 the whole step; the layer that it is in opens too. */
function substepGo(page, gates, wanted) {
  const substep = Math.max(0, Math.min(gates.length, wanted)), gate = substep ? gates[substep - 1] : null;
  if (substep === page.cursor.substep || page.cursor.t < 1 || page.locked('substep')) return;
  page.cursor.substep = substep;
  page.looks.substep = String(substep);
  const opens = gate && gate !== page.looks.open && !page.locked('open');
  if (opens) page.looks.open = gate;
  pagePaint(page);
  page.set(opens ? { substep: String(substep), open: gate } : { substep: String(substep) });
}

function substepPaint(page, bar, whole, all) {
  const { substep, t } = page.cursor, closed = page.locked('substep') || t < 1;
  bar.show(t < 1 ? 0 : substep, all);
  bar.disable(closed);
  whole.disabled = closed || substep === 0;
}

/** Where the focus is on the diagram or beside it, and no text is being typed. */
function substepKey(page, go, event) {
  const delta = SUBSTEP_KEYS[event.key];
  if (!delta || event.ctrlKey || event.metaKey || event.altKey || !event.target.closest(SUBSTEP_PLACES)) return;
  if (event.target.matches('select, input:not([type=range])')) return;
  event.preventDefault();
  page.stepBars.forEach((bar) => bar.stop());
  go(page.cursor.substep + delta);
}
