// What a card can hold: each part is built once and updated with (arrays, texts, page).

const PARTS = {
  /** A live diagram: the wide or the compact scene, by the width of its card. */
  diagram(part, page) {
    const host = h('div', { class: `diagram ${part.cls ?? ''}` });
    const diagram = createDiagram(host, { onSelect: (id, place) => page.select({ id, ...place }), onStep: (delta) => page.setTime(page.cursor.t + delta) });
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
    const host = h('div', { class: `trs ${part.cls ?? ''}` });
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
  loom: createLoom,
  algorithm: createAlgorithm,
  chain: createChain,
  tiles: createTiles,
  check: createCheck,
  plane: createPlane,
  stems: createStems,
  heat: createHeat,
  heatScale: createHeatScale,
  filmBrush: createFilmBrush,
  filmStrip: createFilmStrip,
  filmEllipse: createFilmEllipse,
  filmStems: createFilmStems,
  chaosMap: createChaosMap,
  data: createData,
  rows: createRows,
  sentences: createSentences,
  substepBar: createSubstepBar,
  openedGate: createOpenedGate,
  signScale: createSignScale,
  unitMaps: createUnitMaps,
  surgery: createSurgery,
  surgeryNote: createSurgeryNote,
  surgeryWhen: createSurgeryWhen,
  surgeryCurve: createSurgeryCurve,
  memory: createMemory,
  memoryScale: createMemoryScale,
  memoryText: createMemoryText,
  paths: createPaths,
  beamTree: createBeamTree,
  forcing: createForcing,
  bottleneck: createBottleneck,
  seq2seq: createSeq2seq,
  typed: createTyped,
  shares: createShares,
  scores: createScores,
  topTokens: createTopTokens,
  reach: createReach,
  attentionFlow: createAttentionFlow,
  attentionRow: createAttentionRow,
  attentionHeads: createAttentionHeads,
  attentionEncoding: createAttentionEncoding,
  attentionScaling: createAttentionScaling,
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
  /** Links to the named starting points, and under them what is to be seen at the chosen one. */
  presets(part, page) {
    const link = ({ key, label, name }) => h('a', { href: `?preset=${key}`, 'data-preset': key, 'aria-label': name, onclick: (event) => presetClick(event, page, key) }, label);
    const links = part.links.map(link), said = h('p', { class: 'claim', role: 'status' });
    return {
      element: h('div', {}, h('div', { class: 'presets', role: 'group', 'aria-label': 'Presets' }, links), said),
      update(arrays, texts, current) {
        links.forEach((element) => { element.ariaCurrent = texts[part.id].length && element.dataset.preset === current.preset ? 'true' : null; });
        fill(said, texts[part.id]);
      },
    };
  },
  /** Names and values, two columns. */
  pairs(part) {
    const list = h('dl', { class: 'kv' });
    const element = part.heading ? h('div', {}, h('h3', {}, ...labelElements(part.heading)), list) : list;
    return {
      element,
      update(arrays, texts) {
        const rows = texts[part.id] ?? [];
        withCount(list, 2 * rows.length, () => h('dt', {}));
        rows.forEach(([name, value], i) => {
          const dt = list.childNodes[2 * i];
          let dd = list.childNodes[2 * i + 1];
          if (dd.tagName !== 'DD') { const fresh = h('dd', {}); dd.replaceWith(fresh); dd = fresh; }
          fill(dt, name);
          fill(dd, value);
        });
      },
    };
  },
  /** The input at the current step: typed values with this one replaced. Only for one number a step. */
  inputAt(part, page) {
    const send = (key, text) => page.setInput(text);
    const label = 'Input at this step $x_t$';
    const control = createSlider('input_now', { label, help: null, min: -2, max: 2, step: 0.01 }, send);
    return {
      element: control.element,
      update(arrays, texts, current) {
        const x = arrays.get('ghost_x') ?? arrays.get('x'), t = current.cursor.t;
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


/** A preset is set in place, but its link can be copied or opened elsewhere. */
function presetClick(event, page, key) {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  page.set({ preset: key });
}
