// The itemised loom: the unfolded graph over the matrix of every loss against every state. The chain of the cell that is pointed at,
// focused or selected is lit in both. A hover changes classes, attributes and numbers of what it touches; nothing is rebuilt.

/** The part of the page: `update` takes a run, a selection or a moment; the pointer works on what is there. */
function createLoom(part, page) {
  const host = h('div', { class: 'loom-graph' });
  const view = { page, host, scene: null, groups: new Map(), arrays: null, lit: null, hovered: null };
  view.diagram = createDiagram(host, { onSelect: (id, { t }) => loomSelectNode(view, id, t), onStep: (delta) => page.setMoment(page.cursor.moment + delta) });
  view.matrix = createLoomMatrix({
    hover: (cell) => loomHover(view, cell), select: (t, k) => page.selectCell(t, k), step: (delta) => page.setMoment(page.cursor.moment + delta),
  });
  page.loom = { view, listeners: [] };
  const element = h('div', { class: 'loom' }, h('div', { class: 'loom-scroll' }, host, view.matrix.element));
  return { element, update: (arrays, texts, current) => loomUpdate(view, part, arrays, current) };
}

function loomUpdate(view, part, arrays, current) {
  const variants = current.scenes[part.scene];
  const scene = variants?.[current.wide ? 'wide' : 'compact'] ?? variants?.wide;
  if (!scene) return;
  if (scene !== view.scene) loomSetScene(view, scene);
  const fresh = arrays.get('contribution') !== view.arrays?.get('contribution');
  view.arrays = new Map(arrays);
  view.diagram.update(arrays, current.cursor, {});
  if (fresh || view.matrix.stale) view.matrix.paint(loomNumbers(view));
  loomProgress(view);
  loomLight(view, true);
}

/** A new graph and a new matrix; what lights up together is found once. */
function loomSetScene(view, scene) {
  view.scene = scene;
  view.diagram.setScene(scene);
  view.host.parentNode.classList.toggle('dense', scene.matrix.every > 1);
  view.svg = view.host.querySelector('svg');
  view.groups.clear();
  for (const element of view.svg.querySelectorAll('[class*="lane-"], [class*="loss-"], [class*="step-"]')) {
    const name = /\b(?:lane|loss|step)-\d+/.exec(element.getAttribute('class'))[0];
    if (!view.groups.has(name)) view.groups.set(name, []);
    view.groups.get(name).push(element);
  }
  view.nodes = new Map([...view.svg.querySelectorAll('[data-node]')].map((node) => [node.dataset.node, node]));
  view.band = svgElement('rect', { class: 'tband', rx: 10 });
  view.cut = svgElement('g', { class: 'loom-cut', 'aria-hidden': 'true' }, svgElement('path', { class: 'cut' }), chartText(0, 0, '', { class: 'ink2', 'text-anchor': 'middle' }));
  view.svg.prepend(view.band);
  view.svg.append(view.cut);
  view.matrix.setGeometry(scene.matrix);
  view.lit = null;
}

/** What the matrix and the lights read of a run. */
function loomNumbers(view) {
  const table = (name) => view.arrays.get(name);
  const [signed, window, low, high, plain] = table('loom_facts').data;
  return {
    T: view.page.cursor.T, signed: Boolean(signed), plain: Boolean(plain), window, low, high, log: table('contribution').data, value: table('chain_value').data,
    factor: table('chain_factor').data, start: table('chain_start').data, live: table('live').data,
  };
}

// --- the chain --------------------------------------------------------------------------------------------------------------

function loomHover(view, cell) {
  view.hovered = cell;
  loomLight(view, false);
}

/** The cell that is lit: the one under the pointer or the focus, else the selected one; null where step 0 is selected. */
function loomShown({ hovered, page }) {
  if (hovered && hovered.t <= page.cursor.T) return hovered;
  const { t, lag } = page.cursor;
  return t >= 1 ? { t, k: Math.max(1, t - lag) } : null;
}

function loomLight(view, always) {
  if (!view.arrays) return;
  const shown = loomShown(view), key = shown ? `${shown.t},${shown.k}` : '';
  if (!always && key === view.lit) return;
  view.lit = key;
  const { t = 0, k = 0 } = shown ?? {}, T = view.page.cursor.T, numbers = loomNumbers(view);
  for (let i = 1; i <= T; i += 1) {
    loomToggle(view, `lane-${i}`, 'on', k < i && i <= t);
    loomToggle(view, `lane-${i}`, 'beyond', i <= t - numbers.window + 1);
    loomToggle(view, `loss-${i}`, 'on', i === t);
    view.nodes.get(`L${i}`)?.classList.toggle('lit', i === t);
    view.nodes.get(`h${i}`)?.classList.toggle('lit', i === k);
  }
  loomFactors(view, t, numbers);
  loomCutMark(view, t, numbers.window);
  loomBand(view, k);
  view.matrix.light(t, k, loomSelected(view));
  for (const listener of view.page.loom.listeners) listener(shown, numbers, Boolean(view.hovered));
}

function loomSelected({ page }) {
  const { t, lag } = page.cursor;
  return t >= 1 ? { t, k: Math.max(1, t - lag) } : null;
}

function loomToggle({ groups }, name, style, on) {
  for (const element of groups.get(name) ?? []) element.classList.toggle(style, on);
}

/** The factor of every step back: of one number it is the same for every loss; ratios of norms belong to the loss that is lit. */
function loomFactors({ groups }, t, { T, signed, factor }) {
  for (let i = 2; i <= T; i += 1) {
    const loss = i <= t ? t : signed ? T : 0;
    const line = groups.get(`lane-${i}`)?.find((element) => element.classList.contains('factor'));
    if (line) loomFactor(line.lastChild, i, loss, factor[loss * (T + 1) + i]);
  }
}

function loomFactor(span, i, loss, value) {
  const text = loss ? formatNumber(value) : '';
  span.parentNode.classList.toggle('empty', !loss);
  if (span.textContent !== text) span.textContent = text;
  span.classList.toggle('readout', Boolean(loss));
  if (loss) setReadout(span, 'chain_factor', i, loss, value);
}

/** Two strokes across the wire at which the window stops the loss that is lit. */
function loomCutMark({ scene, cut }, t, window) {
  const i = t - window + 1, lane = scene.lanes[i - 2];
  cut.toggleAttribute('hidden', !(t && i >= 2 && lane));
  if (!(t && i >= 2 && lane)) return;
  const [x, y, down] = lane, [mark, text] = cut.children;
  mark.setAttribute('d', down ? `M${x - 7} ${y + 5}h14M${x - 7} ${y + 11}h14` : `M${x - 3} ${y - 7}v14M${x + 3} ${y - 7}v14`);
  text.setAttribute('x', down ? x + 90 : x);
  text.setAttribute('y', down ? y + 12 : y + scene.stops);
  text.replaceChildren(...loomLetter('L', t), ' stops');
}

/** A letter with a subscript, as spans of an SVG text. */
function loomLetter(letter, sub, size = 14) {
  return [svgElement('tspan', { class: 'sym', 'font-size': size }, letter), svgElement('tspan', { class: 'sym sub', 'font-size': size * 0.72, dy: size * 0.28 }, String(sub)), svgElement('tspan', { 'font-size': 4, dy: -size * 0.28 }, '\u200a')];
}

// --- how far the algorithm has run -------------------------------------------------------------------------------------------

/** The line and the step of a moment, as app/labs/bptt_algorithm.py has them. */
function loomPlace(moment, T) {
  if (moment <= T) return { line: 1, t: moment };
  if (moment === T + 1) return { line: 2, t: 0 };
  const back = moment - T - 2;
  if (back < 4 * T) return { line: 4 + (back % 4), t: T - Math.floor(back / 4) };
  return { line: back === 4 * T ? 8 : 9, t: 0 };
}

/** What is not computed yet is dashed and without numbers. */
function loomProgress(view) {
  const { moment, T } = view.page.cursor, place = loomPlace(moment, T), forward = place.line > 1 ? T : place.t;
  const back = place.line === 1 || place.line === 2 ? T + 1 : place.t;
  view.place = place;
  for (let t = 1; t <= T; t += 1) {
    const ahead = t > forward, waits = t < back, passed = t > back || (t === back && place.line >= 7);
    loomToggle(view, `step-${t}`, 'todo', ahead);
    for (const name of ['h', 'y', 'L']) view.nodes.get(`${name}${t}`)?.classList.toggle('todo', ahead);
    loomToggle(view, `loss-${t}`, 'todo', waits);
    loomToggle(view, `lane-${t}`, 'todo', !passed);
    view.matrix.progress(t, waits);
  }
}

/** The gold band: on the step of the algorithm, and once it has run on the state of the lit cell. */
function loomBand(view, k) {
  const step = view.place?.t || k, place = view.scene.bands[step - 1];
  view.band.toggleAttribute('hidden', !place);
  if (place) ['x', 'y', 'width', 'height'].forEach((name, i) => view.band.setAttribute(name, place[i]));
  view.matrix.band(step);
}

/** A node of the graph: L and o choose the loss, h and x the state. */
function loomSelectNode({ page }, id, step) {
  if (step < 1) return;
  const { t, lag } = page.cursor, k = Math.max(1, t - lag);
  if ('Ly'.includes(id[0])) page.selectCell(step, Math.min(k, step));
  else page.selectCell(Math.max(t, step), step);
}
