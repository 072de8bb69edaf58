// One changed input, the key `change` (5:0.9, of a text 5:o): the step, and beside it a slider or a field of one character.
// This file composes the text; Python checks it as it checks a link. `settings` say how many steps there are, and the text read.

const CHANGED_RANGE = { label: 'New input', help: null, min: -2, max: 2, step: 0.01 };

function createChangedInput(key, spec, change) {
  const view = { number: '1', letter: '', text: null };
  const send = () => change(key, view.step.value && `${view.step.value}:${changedValue(view)}`);
  view.step = h('select', { id: `control-${key}-step`, 'data-key': key, onchange: send });
  view.slider = createSlider(key, CHANGED_RANGE, (_, number) => { view.number = number; send(); });
  view.field = createOneCharacter(key, CHANGED_RANGE.label, (letter) => { view.letter = letter; send(); });
  const step = h('div', { class: 'fld' }, h('label', { class: 'lb', for: view.step.id }, 'Changed step'), view.step);
  const element = h('div', { role: 'group', 'aria-label': plainLabel(spec.label), 'data-control': key, title: spec.help }, step, view.slider.element, view.field.element);
  const disable = (flag) => { view.step.disabled = flag; view.slider.disable(flag); view.field.disable(flag); };
  return { element, show: (text, settings) => changedShow(view, text, settings), disable };
}

/** What the step's input becomes: the last number or character chosen; the first time a character that is not there now. */
function changedValue({ number, letter, text, step }) {
  if (text === null) return number;
  return letter || [...text, 'a', 'b'].find((other) => other !== text[step.value - 1]);
}

function changedShow(view, given, { steps, text }) {
  const at = given.indexOf(':'), step = given.slice(0, Math.max(0, at)), letters = text !== null;
  const offered = ['', ...Array.from({ length: steps }, (_, i) => String(i + 1))];
  if (view.step.options.length !== offered.length) view.step.replaceChildren(...offered.map((value) => h('option', { value }, value || 'None')));
  view.step.value = step;
  view.text = text;
  if (step) view[letters ? 'letter' : 'number'] = given.slice(at + 1);
  if (letters) view.field.show(view.letter);
  else view.slider.show(view.number);
  view.slider.element.classList.toggle('gone', !step || letters);
  view.field.element.classList.toggle('gone', !step || !letters);
}

/** A field that a key stroke fills anew, wherever its caret is; left empty, it goes back to what it showed. */
function createOneCharacter(key, label, change) {
  const id = `control-${key}-character`;
  const field = h('input', { type: 'text', id, class: 'txt one', 'data-key': key, autocomplete: 'off', spellcheck: 'false' });
  const typed = whileEdited(field);
  let shown = '';
  field.addEventListener('input', () => {
    field.value = field.value.slice(0, field.selectionStart).slice(-1) || field.value.slice(0, 1);
    if (field.value) change(field.value);
  });
  field.addEventListener('blur', () => { field.value ||= shown; });
  const element = h('div', { class: 'fld' }, h('div', { class: 'lb' }, h('label', { for: id }, label), field));
  const show = (letter) => { shown = letter; if (!typed()) field.value = letter; };
  return { element, show, disable: (flag) => { field.disabled = flag; } };
}
