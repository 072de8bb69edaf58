// The live page of a lab. Python says what there is (`layout`) and what it shows (`frame`); this file lays it out, paints what
// changes looks alone (the step, the highlight) at once, and sends everything else to Python, one message at a time.

const WIDE_CARD = 955;

/** One message at a time: while one is being answered, newer values replace older ones, and the last always goes. */
function createQueue(post) {
  let sequence = 0, busy = false;
  const waiting = [];
  const send = (message) => { busy = true; sequence += 1; post({ ...message, sequence }); };
  const push = (message) => {
    const last = waiting.at(-1);
    if (last?.action === 'set' && message.action === 'set') Object.assign(last.values, message.values);
    else if (last && last.action === message.action) waiting[waiting.length - 1] = message;
    else waiting.push(message);
  };
  return {
    send(message) { if (busy) push(message); else send(message); },
    answered(number) { if (number !== sequence) return; busy = false; if (waiting.length) send(waiting.shift()); },
    get waits() { return busy || waiting.length > 0; },
  };
}

function createPage(model, view) {
  const layout = model.layout;
  const page = { layout, arrays: new Map(), texts: {}, cursor: { t: 1, unit: 0, lag: 0, T: 1, n: 1 }, looks: {}, selected: null, scenes: {}, wide: true, figures: model.get_child('figures') ?? [] };
  const queue = createQueue((message) => model.send_msg(message));
  const controls = {}, parts = [], stepBars = [];
  page.set = (values) => queue.send({ action: 'set', values });
  page.look = (values) => { Object.assign(page.looks, values); paint(); page.set(values); };
  const locked = (key) => layout.locked.includes(key);
  const hidden = (key) => layout.hidden.includes(key);
  page.setTime = (t) => { if (t === page.cursor.t || locked('t')) return; page.cursor.t = t; paint(); page.set({ t: String(t) }); };
  page.setUnit = (unit) => { page.cursor.unit = unit; paint(); page.set({ unit: String(unit) }); };
  page.sendInput = (value) => queue.send({ action: 'input', value });
  page.select = (node) => { page.selected = node; paint(); queue.send({ action: 'select', node }); };

  const notices = h('div', { class: 'notices', role: 'status' });
  const banner = h('div', { role: 'alert' });
  const live = h('p', { class: 'vh', 'aria-live': 'polite' });
  const dialog = createShareDialog();
  const root = h('div', { class: `rs lab-${layout.name.toLowerCase()}${layout.embed ? ' embed' : ''}` }, h('div', { class: 'page' }, banner, notices, buildGrid(), live, dialog.element));

  function buildGrid() {
    const column = h('div', { class: 'col' }, layout.cards.map(buildCard));
    const rail = h('aside', { class: 'card rail', 'aria-label': 'Controls and inspector' }, layout.rail.map(buildBlock), buildActions());
    return h('div', { class: `grid ${layout.grid ?? ''}` }, column, rail);
  }
  function buildCard(card) {
    if (card.row) return h('div', { class: `row ${card.cls ?? ''}` }, card.row.map(buildCard));
    const head = card.title ? h('div', { class: 'ch' }, h('h2', {}, ...labelElements(card.title)), h('div', { class: 'sp' }), card.legend ? createLegend(card.legend) : null) : null;
    const foot = card.steps ? buildStepBar() : null;
    return h('section', { class: `card ${card.cls ?? ''}` }, head, h('div', { class: 'cb' }, card.body.map(buildPart)), foot);
  }
  function buildBlock(block) {
    const items = block.items.map(buildPart).filter(Boolean);
    return items.length === 0 ? null : h('div', { class: `blk ${block.cls ?? ''}` }, block.title ? h('h2', {}, ...labelElements(block.title)) : null, items);
  }
  function buildStepBar() {
    if (hidden('t')) return null;
    const bar = createStepBar((t) => page.setTime(t));
    bar.disable(locked('t'));
    stepBars.push(bar);
    return bar.element;
  }
  function buildActions() {
    return h('div', { class: 'blk actions ctl' },
      hidden('reset') ? null : h('button', { class: 'btn', type: 'button', onclick: () => { stepBars.forEach((bar) => bar.stop()); page.selected = null; queue.send({ action: 'reset' }); } }, 'Reset'),
      hidden('share') ? null : h('button', { class: 'btn', type: 'button', onclick: share }, 'Copy link'));
  }
  function buildPart(part) {
    if (part.kind === 'control') return buildControl(part.key);
    if (part.kind === 'group') return h('div', { class: part.cls }, part.parts.map(buildPart));
    if (part.key && hidden(part.key)) return null;
    const made = PARTS[part.kind](part, page);
    parts.push(made);
    return made.element;
  }
  function buildControl(key) {
    if (hidden(key)) return null;
    const spec = layout.controls[key];
    const control = createControl(key, spec, (name, text) => (spec.look ? page.look({ [name]: text }) : page.set({ [name]: text })));
    control.disable(locked(key));
    controls[key] = control;
    return control.element;
  }

  function paint() {
    for (const part of parts) part.update(page.arrays, page.texts, page);
    for (const bar of stepBars) bar.show(page.cursor.t, page.cursor.T);
  }
  function takeState(state, kind) {
    for (const [key, control] of Object.entries(controls)) {
      const settings = state.settings[key] ?? {};
      control.show(state.values[key], settings);
      control.disable(locked(key) || Boolean(settings.disabled));
      control.element.classList.toggle('gone', Boolean(settings.gone));
    }
    if (kind === 'look' && queue.waits) return;
    Object.assign(page.cursor, { t: Number(state.values.t), unit: Number(state.values.unit), lag: Number(state.values.lag ?? 0), T: Number(state.values.T), n: Number(state.values.n) });
    for (const key of Object.keys(layout.controls)) if (layout.controls[key].look) page.looks[key] = state.values[key];
  }
  function takeFrame() {
    const { json, data } = model.frame;
    const frame = JSON.parse(json);
    const floats = new Float64Array(data.buffer, data.byteOffset, data.length);
    if (frame.kind === 'run') page.arrays.clear();
    for (const [name, [offset, steps, units, t0]] of Object.entries(frame.arrays)) page.arrays.set(name, { data: floats.subarray(offset, offset + steps * units), shape: [steps, units], t0 });
    Object.assign(page.scenes, frame.scenes ?? {});
    page.texts = frame.texts;
    page.query = frame.query;
    queue.answered(frame.sequence);
    takeState(frame.state, frame.kind);
    paint();
    frame.notices.forEach(addNotice);
    live.textContent = frame.texts.announcement ?? '';
    rememberInAddress();
    root.dataset.sequence = frame.sequence ?? 0;
  }

  function addNotice(text) {
    const notice = h('div', { class: 'notice' }, h('p', {}, text));
    notice.append(h('button', { class: 'ib', type: 'button', 'aria-label': 'Dismiss', onclick: () => notice.remove() }, icon('close')));
    notices.append(notice);
    while (notices.childElementCount > 4) notices.firstElementChild.remove();
  }

  const ownsAddress = document.documentElement.dataset.rnnscope === 'page';
  const link = () => `${location.origin}${location.pathname}${page.query ? `?${page.query}` : ''}`;
  let addressTimer = null;
  function rememberInAddress() {
    if (!ownsAddress) return;
    clearTimeout(addressTimer);
    addressTimer = setTimeout(writeAddress, 300);
  }
  const writeAddress = () => { if (link() !== location.href) history.replaceState(history.state, '', link()); };
  async function share() {
    try {
      await navigator.clipboard.writeText(link());
      live.textContent = 'Link copied';
      dialog.flash('Link copied');
    } catch {
      dialog.open(link());
    }
  }

  function lostConnection() {
    stepBars.forEach((bar) => bar.stop());
    if (ownsAddress) writeAddress();
    root.classList.add('lost');
    banner.replaceChildren(h('div', { class: 'notice lost' }, h('p', {}, 'The server does not answer. What you see is the last answer; nothing here changes until you reload.'), h('button', { class: 'btn', type: 'button', onclick: () => location.reload() }, 'Reload')));
  }
  function chooseTheme() {
    page.set({ theme: document.documentElement.dataset.theme });
    followTheme();
  }
  function followTheme() {
    const chosen = document.documentElement.dataset.theme ?? layout.theme ?? '';
    if (chosen) root.dataset.theme = chosen; else delete root.dataset.theme;
    const dark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme:dark)').matches;
    if (page.dark === dark) return;
    const first = page.dark === undefined;
    page.dark = dark;
    if (page.figures.length && (dark || !first)) queue.send({ action: 'theme', theme: dark ? 'dark' : 'light' });
  }

  root.addEventListener('keydown', (event) => {
    if (event.target.matches('input:not([type=range]), select, textarea')) return;
    if (event.key === '[') page.setTime(Math.max(0, page.cursor.t - 1));
    if (event.key === ']') page.setTime(Math.min(page.cursor.T, page.cursor.t + 1));
  });
  const resize = new ResizeObserver(() => {
    const wide = root.querySelector('.card.key .cb').clientWidth >= WIDE_CARD;
    if (wide !== page.wide) { page.wide = wide; paint(); }
  });
  const connect = () => {
    page.wide = (root.querySelector('.card.key .cb').clientWidth || 1040) >= WIDE_CARD;
    followTheme();
    takeFrame();
    resize.observe(root);
  };
  model.on('frame', takeFrame);
  window.addEventListener('rnnscope:theme', chooseTheme);
  window.addEventListener('rnnscope:share', share);
  matchMedia('(prefers-color-scheme:dark)').addEventListener('change', followTheme);
  window.addEventListener('pagehide', () => ownsAddress && writeAddress());
  view.model.document?.on_event('connection_lost', lostConnection);
  return { root, connect };
}

function createShareDialog() {
  const field = h('input', { type: 'text', readonly: true, class: 'txt', 'aria-label': 'Link to what is on screen' });
  const dialog = h('dialog', { class: 'share', 'aria-label': 'Copy link' }, h('h2', {}, 'Link to what is on screen'), h('p', {}, 'The clipboard is not available here. Copy the link from this field.'), field,
    h('form', { method: 'dialog' }, h('button', { class: 'btn' }, 'Close')));
  const toast = h('div', { class: 'toast', hidden: true });
  return {
    element: h('div', {}, dialog, toast),
    open(url) { field.value = url; dialog.showModal(); field.select(); },
    flash(text) { toast.textContent = text; toast.hidden = false; setTimeout(() => { toast.hidden = true; }, 1600); },
  };
}

function createLegend(items) {
  const line = (item) => svgElement('svg', { width: 26, height: 10, 'aria-hidden': 'true' }, svgElement('path', { class: `lg ${item.cls}`, d: 'M1 5H25' }), ...(item.dot ? [svgElement('circle', { class: `lgd ${item.cls}`, cx: 13, cy: 5, r: 3 })] : []));
  const square = () => svgElement('svg', { width: 14, height: 14, 'aria-hidden': 'true' }, svgElement('rect', { class: 'delay', width: 14, height: 14, rx: 1.5 }));
  return h('div', { class: 'leg' }, items.map((item) => h('span', { class: item.role ? `r-${item.role}` : null }, item.shape === 'square' ? square() : line(item), ...labelElements(item.label))));
}

// --- what a card can hold: each part is built once and updated with (arrays, texts, page) ---------------------------------

const PARTS = {
  /** A live diagram: the wide or the compact scene, by the width of its card. */
  diagram(part, page) {
    const host = h('div', { class: `diagram ${part.cls ?? ''}` });
    const diagram = createDiagram(host, { onSelect: (node, place) => page.select({ id: node, ...place }), onStep: (delta) => page.setTime(Math.max(0, Math.min(page.cursor.T, page.cursor.t + delta))) });
    let shown = null;
    const element = part.heading ? h('div', {}, h('h3', {}, ...labelElements(part.heading)), host) : host;
    return {
      element,
      update(arrays, texts, current) {
        const variants = current.scenes[part.scene];
        const scene = variants?.[current.wide ? 'wide' : 'compact'] ?? variants?.wide;
        if (!scene) return;
        if (scene !== shown) { diagram.setScene(scene); shown = scene; }
        diagram.update(arrays, current.cursor, { highlight: current.looks.highlight === 'none' ? null : current.looks.highlight ?? null, pass: current.looks.direction ?? 'forward', selected: current.selected?.id ?? null });
        if (part.heading && texts[`${part.scene}_heading`]) fill(element.firstElementChild, texts[`${part.scene}_heading`]);
      },
    };
  },
  /** Small multiples of traces over time; the letters of the series come with the scenes. */
  traces(part, page) {
    const host = h('div', { class: 'trs' });
    const traces = createTraces(host, { onTime: (t) => page.setTime(t) });
    let shown = null;
    return {
      element: host,
      update(arrays, texts, current) {
        const series = current.scenes[part.scene];
        if (series !== shown) { traces.setSeries(series); shown = series; }
        traces.update(arrays, current.cursor);
      },
    };
  },
  /** A Bokeh figure, built once in Python; beside it its summary and its data. */
  figure(part, page) {
    const summary = h('p', { class: 'plot-summary' });
    const element = h('div', { class: 'figure' }, h('div', { class: 'bokeh', role: 'img', 'aria-label': part.label }, page.figures[part.index]), summary);
    return { element, update: (arrays, texts) => fill(summary, texts[part.summary]) };
  },
  plane: createPlane,
  stems: createStems,
  heat: createHeat,
  heatScale: createHeatScale,
  data: createData,
  /** A paragraph of tokens. */
  text(part) {
    const element = h(part.tag ?? 'p', { class: part.cls });
    return { element, update: (arrays, texts) => fill(element, texts[part.id] ?? []) };
  },
  /** Lines of an equation list; a line that is on carries its role's tint. */
  equations(part) {
    const element = h('div', { class: `eq eql ${part.cls ?? ''}` });
    return {
      element,
      update(arrays, texts) {
        const lines = texts[part.id] ?? [];
        withCount(element, lines.length, () => h('div', {})).forEach((line, i) => {
          line.className = `${lines[i].role ? `r-${lines[i].role}` : ''}${lines[i].on ? ' on' : ''}${lines[i].hang ? ' hang' : ''}`;
          fill(line, lines[i].tokens);
        });
      },
    };
  },
  /** Names and values, two columns. */
  pairs(part) {
    const element = h('dl', { class: 'kv' });
    return {
      element,
      update(arrays, texts) {
        const rows = texts[part.id] ?? [];
        withCount(element, 2 * rows.length, () => h('dt', {}));
        rows.forEach(([name, value], i) => {
          const dt = element.childNodes[2 * i];
          let dd = element.childNodes[2 * i + 1];
          if (dd.tagName !== 'DD') { const fresh = h('dd', {}); dd.replaceWith(fresh); dd = fresh; }
          fill(dt, name);
          fill(dd, value);
        });
      },
    };
  },
  /** The input at the current step: typed values with this one replaced. Only for one number a step. */
  inputAt(part, page) {
    const send = (key, text) => page.sendInput(text);
    const label = 'Input at this step $x_t$';
    const control = createSlider('input_now', { label, help: null, min: -2, max: 2, step: 0.01 }, send);
    return {
      element: control.element,
      update(arrays, texts, current) {
        const x = arrays.get('x'), t = current.cursor.t;
        const fits = x && x.shape[1] === 1 && t >= 1 && t <= x.shape[0];
        control.element.classList.toggle('gone', !fits);
        control.disable(current.layout.locked.includes(part.key));
        if (fits) control.show(String(Number(x.data[t - 1].toPrecision(6))));
      },
    };
  },
  /** Which unit of a layer is selected: painted at once. */
  unit(part, page) {
    const select = h('select', { 'aria-label': 'Selected unit', 'data-key': 'unit' });
    select.addEventListener('change', () => page.setUnit(Number(select.value)));
    const element = h('div', { class: 'fld' }, h('span', { class: 'lb' }, 'Selected unit'), select);
    return {
      element,
      update(arrays, texts, current) {
        const { n, unit } = current.cursor;
        if (select.options.length !== n) select.replaceChildren(...Array.from({ length: n }, (_, i) => h('option', { value: i }, `${i + 1} of ${n}`)));
        select.value = String(Math.min(unit, n - 1));
        select.disabled = current.layout.locked.includes(part.key);
        element.classList.toggle('gone', n < 2);
      },
    };
  },
};

export function render({ model, view }) {
  const { root, connect } = createPage(model, view);
  document.querySelector('.waiting')?.remove();
  queueMicrotask(connect);
  return root;
}
