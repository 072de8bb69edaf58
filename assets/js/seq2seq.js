// /seq2seq: characters, columns of units, shares as teal; the field that is typed in; the diagram that selects a step and a character.

const S2S_START = -1, S2S_END = -2;
const S2S_STEPS = 11;

/** A code point as it is drawn: a space has a sign of its own, the start and the end a name. */
function s2sCharacter(code) {
  if (code === undefined) return '\u2013';
  if (code === S2S_START) return '\u25b8';
  if (code === S2S_END) return '\u25a0';
  return code === 32 ? '\u2423' : String.fromCodePoint(code);
}

/** A share with two decimals; what is above 0 is never shown as 0, nor what is below 1 as 1. */
function s2sShare(value, tight = false) {
  if (tight) return s2sShare(value).replace('0.', '.');
  if (value === undefined || Number.isNaN(value)) return formatNumber(value);
  if (value > 0 && value < 0.005) return '<0.01';
  if (value < 1 && value >= 0.995) return '>0.99';
  return value.toFixed(2);
}

/** Nine steps of teal: light for 0, dark for 1. */
const s2sTeal = (value) => Math.max(0, Math.min(8, Math.round((value ?? 0) * 8)));

/** A vector of many units: one path a colour, drawn anew where the numbers change. */
function s2sUnits(item, parent, drawing) {
  const group = diagramElement('g', { class: 's2s-units' }, parent);
  const paths = Array.from({ length: S2S_STEPS }, (_, step) => diagramElement('path', { class: `dv${step}` }, group));
  diagramElement('rect', { class: 'cell-line', x: item.x - 0.5, y: item.y - 0.5, width: item.width + 1, height: item.height + 1 }, group);
  let last = '';
  drawing.updaters.push(({ arrays, cursor }) => {
    const array = diagramArray(arrays, item.symbol), row = diagramStep(item.t, cursor) - (array?.t0 ?? 0);
    const known = array && row >= 0 && row < array.shape[0];
    const steps = Array.from({ length: item.count }, (_, i) => (known ? diagramColourStep(array.data[row * array.shape[1] + i]) : 5));
    const key = steps.join();
    if (key === last) return;
    last = key;
    paths.forEach((path, step) => path.setAttribute('d', s2sCells(item, steps, step)));
  });
  return group;
}

function s2sCells({ x, y, width, height, count, across }, steps, step) {
  const size = (across ? width : height) / count;
  const cell = (i) => (across ? `M${x + i * size} ${y}h${size}v${height}h${-size}z` : `M${x} ${y + i * size}h${width}v${size}h${-width}z`);
  return steps.map((own, i) => (own === step ? cell(i) : '')).join('');
}

/** A wire from an encoder state to its weight: width and colour say the weight. */
function s2sAttend(item, parent, drawing) {
  const group = diagramElement('g', { class: 's2s-attend' }, parent);
  const line = diagramElement('path', {}, group), head = diagramElement('path', {}, group);
  diagramOnChange(drawing, (context) => diagramRead(item.bound, context).value, (alpha) => {
    const share = alpha ?? 0, width = 1 + 7 * share, half = 3 + 3 * share, tip = item.to + 1;
    group.setAttribute('class', `s2s-attend sq-line${s2sTeal(share)}`);
    line.setAttribute('d', `M${item.x} ${item.y}V${tip + 7}`);
    line.setAttribute('stroke-width', width);
    head.setAttribute('d', `M${item.x} ${tip}l${half} 8h${-2 * half}z`);
    head.setAttribute('class', 'tip');
  });
  return group;
}

/** The cell that it stands in takes the teal of the weight. */
function s2sShade(item, parent, drawing) {
  diagramOnChange(drawing, (context) => s2sTeal(diagramRead(item.bound, context).value), (step) => {
    for (let i = 0; i < 9; i += 1) parent.classList.toggle(`q${i}`, i === step);
  });
  return parent;
}

/** A frame around what belongs to the selected character. */
function s2sMark(item, parent, drawing) {
  const frame = diagramElement('rect', { class: item.class, rx: item.rx }, parent);
  diagramOnChange(drawing, ({ cursor }) => cursor.unit, (unit) => {
    const place = item.places[unit];
    frame.toggleAttribute('hidden', !place);
    if (place) ['x', 'y', 'width', 'height'].forEach((name, i) => frame.setAttribute(name, place[i]));
  });
  return frame;
}

/** The pill of what a step reads: gold where the target is read and the model would have written another token. */
function s2sDiffers({ x, y, width, height, t }, parent, drawing) {
  const pill = diagramElement('rect', { class: 'pill s2s-pill', x, y, width, height, rx: 9 }, parent);
  const own = (context) => t > 1 && diagramRead({ symbol: 'read', t, unit: 0 }, context).value !== diagramRead({ symbol: 'output', t: t - 1, unit: 0 }, context).value;
  diagramOnChange(drawing, own, (differs) => pill.classList.toggle('differs', differs));
  return pill;
}

/** The diagram: a node of the decoder selects a step, one of the encoder a character. */
function createSeq2seq(part, page) {
  const host = h('div', { class: 'diagram s2s' });
  const place = (id, { symbol, t, unit }) => {
    if (symbol === 'alpha') s2sSelect(page, { j: unit + 1 });
    else if (symbol === 'h' || symbol === 'source') s2sSelect(page, { j: t });
    else if (symbol !== 'c') s2sSelect(page, { t: Math.max(1, t) });
  };
  const diagram = createDiagram(host, { onSelect: place, onStep: (delta) => s2sSelect(page, { t: Math.max(1, page.cursor.t + delta) }) });
  let shown = null;
  return {
    element: host,
    update(arrays, texts, current) {
      const variants = current.scenes[part.scene];
      const scene = variants?.[current.wide ? 'wide' : 'compact'];
      if (!scene) return;
      if (scene !== shown) { diagram.setScene(scene); shown = scene; }
      diagram.update(arrays, current.cursor, { selected: null });
    },
  };
}

/** Paint a step and a character at once, then tell Python. */
function s2sSelect(page, { t = page.cursor.t, j = page.cursor.unit + 1 }) {
  const changes = {};
  if (t !== page.cursor.t && t <= page.cursor.T && !page.locked('t')) { page.cursor.t = t; changes.t = String(t); }
  if (j - 1 !== page.cursor.unit && !page.locked('j')) { page.cursor.unit = j - 1; changes.j = String(j); }
  if (!Object.keys(changes).length) return;
  pagePaint(page);
  page.set(changes);
}

/** The source: every key stroke is sent; what the model cannot read is said beside the field, and what stood stays. */
function createTyped(part, page) {
  const spec = page.layout.controls[part.key], id = `control-${part.key}`;
  const field = h('input', { type: 'text', id, class: 'txt s2s-text', 'data-key': part.key, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', 'aria-describedby': 'typed-problem' });
  const problem = h('p', { class: 's2s-problem', id: 'typed-problem', role: 'status' });
  const said = h('p', { class: 's2s-said' });
  field.addEventListener('input', () => page.set({ [part.key]: field.value }));
  const wrong = () => (page.texts.problem ?? []).length > 0; // an answer sets the controls before it is painted
  const focused = () => field.getRootNode().activeElement === field;
  const show = (text) => { if (field.value !== text && !(focused() && wrong())) field.value = text; };
  page.controls[part.key] = { element: field, show, disable: (flag) => { field.disabled = flag; } };
  field.addEventListener('blur', () => { if (wrong()) page.set({ [part.key]: page.values[part.key] }); });
  return {
    element: h('div', { class: 's2s-typed' }, h('label', { for: id }, ...labelElements(spec.label)), field, said, problem),
    update(arrays, texts) {
      fill(problem, texts.problem);
      fill(said, texts.written);
      field.setAttribute('aria-invalid', String(wrong()));
    },
  };
}
