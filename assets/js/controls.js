// Controls made from app/state.py's declarations. Each returns {element, show(text), disable(flag)}; a change goes to
// `change(key, text)` as text, and is checked in Python by the validator that reads the query string.

function createControl(key, spec, change) {
  const build = { slider: createSlider, choice: createChoice, segments: createSegments, checks: createChecks, text: createText, changed: createChangedInput };
  return build[spec.kind](key, spec, change);
}

/** A native range input with a number field beside it: both labelled, both for the keyboard. */
function createSlider(key, spec, change) {
  const id = `control-${key}`;
  const range = h('input', { type: 'range', id, min: spec.min, max: spec.max, step: spec.step, 'data-key': key, 'aria-label': plainLabel(spec.label) });
  const field = h('input', { type: 'text', inputmode: 'decimal', class: 'num', size: 7, 'data-key': key, 'aria-label': `${plainLabel(spec.label)}, number`, autocomplete: 'off' });
  const text = () => (spec.none && range.value === range.max ? 'none' : range.value);
  const paint = () => range.style.setProperty('--p', `${(100 * (range.value - range.min)) / (range.max - range.min || 1)}%`);
  const dragged = whileEdited(range), typed = whileEdited(field);
  range.addEventListener('input', () => { paint(); field.value = text(); aloud(); change(key, text()); });
  field.addEventListener('change', () => change(key, field.value.trim() || (spec.none ? 'none' : '')));
  const aloud = () => { if (spec.none) range.setAttribute('aria-valuetext', text()); };
  const show = (given, settings = {}) => {
    const value = spec.none && given === '' ? 'none' : given;
    if (range.value === value && field.value === value && (settings.max ?? spec.max) === Number(range.max)) return;
    if (settings.max !== undefined) range.max = settings.max;
    if (!dragged()) range.value = value === 'none' ? range.max : value;
    if (!typed()) field.value = value;
    aloud();
    paint();
  };
  const element = h('div', { class: 'fld', 'data-control': key, title: spec.help }, h('div', { class: 'lb' }, h('label', { for: id }, ...labelElements(spec.label)), field), range, createMarks(spec));
  return { element, show, disable: (flag) => { range.disabled = field.disabled = flag; } };
}

/** Numbers under a slider, each below its place on the track (the thumb is 18 px wide). */
function createMarks({ marks = [], min, max }) {
  if (!marks.length) return null;
  const at = (mark) => (mark - min) / (max - min);
  return h('div', { class: 'marks', 'aria-hidden': 'true' }, marks.map((mark) => h('span', { style: `left: calc(9px + ${at(mark)} * (100% - 18px))` }, String(mark))));
}

function createChoice(key, spec, change) {
  const id = `control-${key}`;
  const select = h('select', { id, 'data-key': key }, spec.options.map(([value, label]) => h('option', { value }, label)));
  select.addEventListener('change', () => change(key, select.value));
  const element = h('div', { class: 'fld', 'data-control': key, title: spec.help }, h('label', { class: 'lb', for: id }, ...labelElements(spec.label)), select);
  return { element, show: (text) => { select.value = text; }, disable: (flag) => { select.disabled = flag; } };
}

function createSegments(key, spec, change) {
  const inputs = spec.options.map(([value]) => h('input', { type: 'radio', name: `control-${key}`, value, 'data-key': key }));
  const segments = inputs.map((input, i) => h('label', {}, input, ...labelElements(spec.options[i][1])));
  inputs.forEach((input) => input.addEventListener('change', () => change(key, input.value)));
  const group = h('div', { class: 'seg', role: 'radiogroup', 'aria-label': plainLabel(spec.label) }, segments);
  const element = h('div', { class: 'fld', 'data-control': key, title: spec.help }, h('span', { class: 'lb' }, ...labelElements(spec.label)), group);
  return { element, show: (text) => inputs.forEach((input) => { input.checked = input.value === text; }), disable: (flag) => inputs.forEach((input) => { input.disabled = flag; }) };
}

/** One or more of a few names, as switches; the last one that is on stays on. */
function createChecks(key, spec, change) {
  const inputs = spec.options.map(([value]) => h('input', { type: 'checkbox', value, 'data-key': key }));
  const chosen = () => inputs.filter((input) => input.checked).map((input) => input.value).join(',');
  inputs.forEach((input) => input.addEventListener('change', () => { if (chosen()) change(key, chosen()); else input.checked = true; }));
  const labels = inputs.map((input, i) => h('label', {}, input, ...labelElements(spec.options[i][1])));
  const group = h('div', { class: 'seg', role: 'group', 'aria-label': plainLabel(spec.label) }, labels);
  const element = h('div', { class: 'fld', 'data-control': key, title: spec.help }, h('span', { class: 'lb' }, ...labelElements(spec.label)), group);
  return { element, show: (text) => { const on = text.split(','); inputs.forEach((input) => { input.checked = on.includes(input.value); }); }, disable: (flag) => inputs.forEach((input) => { input.disabled = flag; }) };
}

function createText(key, spec, change) {
  const id = `control-${key}`;
  const field = h('input', { type: 'text', id, class: 'txt', 'data-key': key, autocomplete: 'off', spellcheck: 'false' });
  const typed = whileEdited(field);
  field.addEventListener('change', () => change(key, field.value));
  const element = h('div', { class: 'fld', 'data-control': key, title: spec.help }, h('label', { class: 'lb', for: id }, ...labelElements(spec.label)), field);
  return { element, show: (text) => { if (!typed()) field.value = text; }, disable: (flag) => { field.disabled = flag; } };
}

/** Tells whether a change has begun in this input and is not made yet: an answer must not move what is being moved. */
function whileEdited(input) {
  let edited = false;
  input.addEventListener('input', () => { edited = true; });
  for (const end of ['change', 'blur']) input.addEventListener(end, () => { edited = false; });
  return () => edited;
}

/** What a step bar calls its steps: for the slider's name and text, and beside it; `first` is the least of them. */
const TIME_BUTTONS = ['First step', 'Previous step', 'Next step', 'Last step', 'Play', 'Pause'];
const TIME_WORDS = { label: 'Time step', group: 'Time steps', buttons: TIME_BUTTONS, first: 0, aloud: (t, T) => `step ${t} of ${T}`, shown: (t, T) => [symbolElement({ text: 't' }), ` = ${t} of ${T}`] };
const OUTPUT_WORDS = { ...TIME_WORDS, label: 'Output step', group: 'Output steps', first: 1 };
const QUERY_WORDS = { ...TIME_WORDS, label: 'Query', group: 'Queries', buttons: ['First query', 'Previous query', 'Next query', 'Last query', 'Play', 'Pause'], first: 1, aloud: (t, T) => `query ${t} of ${T}`, shown: (t, T) => [h('span', { class: 'wide-only' }, 'query '), `${t} of ${T}`] };
const MOMENT_WORDS = { label: 'Moment of the algorithm', group: 'Moments of the algorithm', buttons: TIME_BUTTONS, first: 1, aloud: (m, all) => `moment ${m} of ${all}`, shown: (m, all) => [h('span', { class: 'wide-only' }, 'moment '), `${m} of ${all}`] };

/** First, back, play, on, last, and a slider of steps; `setTime(t)` is called with the new step. */
function createStepBar(setTime, words = TIME_WORDS) {
  const PLAY_MS = 700;
  const [toFirst, back, on, toLast, playing, pausing] = words.buttons;
  let time = 0, steps = 1, timer = null;
  const range = h('input', { type: 'range', min: words.first, max: 1, step: 1, 'aria-label': words.label });
  const reading = h('span', { class: 'ro' });
  const go = (t) => setTime(Math.max(words.first, Math.min(steps, t)));
  const button = (name, label, action, extra = '') => h('button', { class: `ib ${extra}`, type: 'button', 'aria-label': label, title: label, onclick: () => { stop(); action(); } }, icon(name));
  const play = h('button', { class: 'ib prim', type: 'button', 'aria-label': playing, title: playing }, icon('play'));
  const showPlaying = () => { play.replaceChildren(icon(timer ? 'pause' : 'play')); const label = timer ? pausing : playing; play.setAttribute('aria-label', label); play.title = label; };
  function stop() { clearInterval(timer); timer = null; showPlaying(); }
  const advance = () => (time >= steps ? stop() : go(time + 1));
  const start = () => { timer = setInterval(advance, PLAY_MS); if (time >= steps) go(Math.min(1, steps)); else go(time + 1); showPlaying(); };
  play.addEventListener('click', () => (timer ? stop() : start()));
  range.addEventListener('input', () => { stop(); go(Number(range.value)); });
  const element = h('div', { class: 'cf step', role: 'group', 'aria-label': words.group },
    button('first', toFirst, () => go(Math.min(1, steps)), 'ff'), button('prev', back, () => go(time - 1)), play,
    button('next', on, () => go(time + 1)), button('last', toLast, () => go(steps), 'ff'), range, reading);
  const show = (t, T) => {
    [time, steps] = [t, T];
    range.max = T; range.value = t;
    range.setAttribute('aria-valuetext', words.aloud(t, T));
    range.style.setProperty('--p', `${(100 * (t - words.first)) / (T - words.first || 1)}%`);
    reading.replaceChildren(...words.shown(t, T));
  };
  const disable = (flag) => { for (const control of element.querySelectorAll('button, input')) control.disabled = flag; };
  return { element, show, stop, disable };
}
