// Cards of /attention: one query's row in numbers.

const ATTENTION_ROW = [['product', 'q \u00b7 k'], ['score', 'score s'], ['masked', 'masked'], ['exp', 'exp(s \u2212 max)'], ['weight', 'weight \u03b1']];

/** Every key of the query that is shown: product, score, exponential, weight, and their sums. */
function createAttentionRow(part, page) {
  const names = ['key', '', ...ATTENTION_ROW.map(([, name]) => name), ''];
  const body = h('tbody', {}), sums = [h('td', {}), h('td', {})], foot = h('tr', {}, h('th', { scope: 'row' }, 'sum'), sums, h('td', {}));
  const table = h('table', { class: 's2s-scores at-row' }, h('thead', {}, h('tr', {}, names.map((name) => (name ? h('th', { scope: 'col' }, name) : h('td', {}))))), body, h('tfoot', {}, foot));
  const element = h('div', { class: 's2s-scroll', tabindex: 0, role: 'region', 'aria-label': 'Every key of the query in numbers' }, table);
  body.addEventListener('click', ({ target }) => { const row = target.closest('tr'); if (row) unitMapsChoose(page, page.cursor.t, row.sectionRowIndex); });
  const make = () => h('tr', {}, h('th', { scope: 'row' }), h('td', {}), ATTENTION_ROW.map(() => h('td', {})), h('td', {}, h('i', { class: 's2s-bar' })));
  const update = (arrays, texts, current) => {
    const { t, T, unit } = current.cursor, head = Number(current.looks.head) - 1, tokens = attentionTokens(current);
    const at = (name, place) => diagramEntry(arrays.get(name), t, place);
    withCount(body, T, make).forEach((row, j) => {
      const cells = row.childNodes, place = head * T + j;
      row.classList.toggle('on', j === unit);
      cells[0].textContent = j + 1;
      cells[1].textContent = tokens[j] === String(j + 1) ? '' : tokens[j];
      ATTENTION_ROW.forEach(([name], i) => s2sNumber(cells[i + 2], name, t, place, at(name, place)));
      cells[ATTENTION_ROW.length + 2].firstChild.style.width = `${100 * at('weight', place)}%`;
    });
    s2sNumber(sums[0], 'exp_sum', t, head, at('exp_sum', head));
    s2sNumber(sums[1], 'weight_sum', t, head, at('weight_sum', head));
    table.classList.toggle('unmasked', current.values.mask === 'none');
    foot.firstChild.colSpan = current.values.mask === 'none' ? 4 : 5;
  };
  return { element, update };
}

/** The weights of every head; a click chooses the head, the query and the key. */
function createAttentionHeads(part, page) {
  const element = h('div', { class: 'at-heads', tabindex: 0, role: 'region', 'aria-label': 'Weights of every head' });
  let shape = '', heads = [];
  element.addEventListener('click', ({ target }) => attentionHeadPick(page, heads, target));
  const update = (arrays, texts, current) => {
    const { data, shape: [T, all] } = arrays.get('weight'), { t, unit } = current.cursor, chosen = Number(current.looks.head) - 1, tokens = attentionTokens(current);
    if (shape !== `${T} ${all}`) {
      shape = `${T} ${all}`;
      heads = Array.from({ length: all / T }, () => attentionMatrix(T, T, { names: true, most: 8 }));
      element.replaceChildren(...heads.map((head) => head.element));
    }
    heads.forEach((head, i) => {
      const bits = diagramEntry(arrays.get('head_entropy'), 0, i), first = i * T;
      fill(head.head, [{ kind: i === chosen ? 'strong' : 'text', text: `head ${i + 1}` }, { kind: 'text', text: ' \u00b7 ' }, { kind: 'number', text: formatNumber(bits), symbol: 'head_entropy', t: 0, unit: i, value: diagramExact(bits) }, { kind: 'text', text: ' bits' }]);
      attentionLabels(head, tokens, tokens, t - 1);
      attentionPaint(head, (row, column) => ({ symbol: 'weight', t: row + 1, unit: first + column, value: data[row * all + first + column] }), { share: true, framed: t - 1, chosen: (t - 1) * T + unit });
      head.element.classList.toggle('on', i === chosen);
      attentionName(head, `weights of head ${i + 1}, ${T} by ${T}`);
    });
  };
  return { element, update };
}

function attentionHeadPick(page, heads, target) {
  const head = heads.findIndex(({ cells }) => cells.includes(target));
  if (head < 0) return;
  const { cells, columns } = heads[head], place = cells.indexOf(target);
  if (String(head + 1) !== page.looks.head && !page.locked('head')) page.look('head', String(head + 1));
  unitMapsChoose(page, Math.floor(place / columns) + 1, place % columns);
}

/** An encoding as cells, and the products of its rows; each on a scale of its own, which is said. */
function createAttentionEncoding(part, page) {
  const names = [['pe', 'added'], ['pp', 'products']], title = `${part.name[0].toUpperCase()}${part.name.slice(1)}`;
  const box = h('div', { class: 'at-pair', tabindex: 0, role: 'region', 'aria-label': `${title} positions` }), summary = h('p', { class: 'plot-summary' });
  const element = h('div', { class: 'at-encoding' }, h('h3', {}, title), box, summary);
  let shape = '', pair = [];
  const update = (arrays, texts, current) => {
    const tables = names.map(([name]) => arrays.get(`${name}_${part.name}`)), next = tables.map((table) => table.shape.join()).join();
    if (shape !== next) {
      shape = next;
      pair = tables.map((table) => attentionMatrix(...table.shape, { names: true, most: 0 }));
      box.replaceChildren(...pair.map((matrix) => matrix.element));
    }
    pair.forEach((matrix, i) => attentionEncodingPaint(matrix, tables[i], arrays.get(`scale_${part.name}`).data[i], `${names[i][0]}_${part.name}`, [part.name, names[i][1], i], current));
    fill(summary, texts[`${part.name}_says`]);
  };
  return { element, update };
}

function attentionEncodingPaint(matrix, { data, shape }, scale, symbol, [name, words, i], { cursor }) {
  const numbers = (count) => Array.from({ length: count }, (_, k) => String(k + 1));
  fill(matrix.head, [{ kind: 'text', text: `${words}, \u00b1` }, { kind: 'number', text: formatNumber(scale), symbol: `scale_${name}`, t: 0, unit: i, value: diagramExact(scale) }]);
  attentionLabels(matrix, numbers(shape[0]), numbers(shape[1]), cursor.t - 1);
  attentionPaint(matrix, (row, column) => ({ symbol, t: row + 1, unit: column, value: data[row * shape[1] + column] }), { scale, framed: cursor.t - 1 });
  attentionName(matrix, `${name} positions: ${words}, ${shape[0]} by ${shape[1]}`);
}

/** Undivided and divided side by side: what is measured, and the first query's weights as bars. */
function createAttentionScaling(part) {
  const columns = ['plain', 'divided'], heads = [[...labelElements('$q$ · $k$')], [...labelElements('$q$ · $k$ / √$d_k$')]];
  const bars = columns.map((name) => h('div', { class: 'at-bars', role: 'img', 'aria-label': `Weights of the first query, ${name}` }));
  const lines = part.measures.map(([, words]) => h('tr', {}, h('th', { scope: 'row' }, words), h('td', {}), h('td', {})));
  const weights = h('tr', {}, h('th', { scope: 'row' }, 'weights of the first query'), bars.map((bar) => h('td', {}, bar)));
  const table = h('table', { class: 'at-scaling' }, h('thead', {}, h('tr', {}, h('td', {}), heads.map((head) => h('th', { scope: 'col' }, ...head)))), h('tbody', {}, lines, weights));
  const update = (arrays) => {
    part.measures.forEach(([symbol], i) => {
      const { data, t0 } = arrays.get(symbol);
      [0, 1].forEach((unit) => s2sNumber(lines[i].childNodes[unit + 1], symbol, t0, unit, data[unit]));
    });
    columns.forEach((name, i) => {
      const { data } = arrays.get(`sc_${name}`);
      withCount(bars[i], data.length, () => h('i', {})).forEach((bar, k) => { bar.style.height = `${100 * data[k]}%`; });
    });
  };
  return { element: table, update };
}
