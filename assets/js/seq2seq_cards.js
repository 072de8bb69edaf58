// Cards of /seq2seq: matrices of shares, the numbers behind one step's weights, the likeliest tokens.

/** Rows are steps of the decoder, columns characters or tokens: every cell a share in teal with its number. */
function createShares(part, page) {
  const head = h('tr', {}, h('th', { scope: 'col' }, h('span', { class: 'vh' }, 'output'))), body = h('tbody', {});
  const table = h('table', { class: 's2s-shares', role: 'grid', tabindex: 0, 'aria-label': part.label }, h('thead', {}, head), body);
  const pick = (t, unit) => s2sSelect(page, part.columns === 'source' ? { t, j: unit + 1 } : { t });
  body.addEventListener('click', ({ target }) => { const cell = target.closest('td'); if (cell) pick(Number(cell.dataset.t), Number(cell.dataset.unit)); });
  table.addEventListener('keydown', (event) => s2sWalk(event, page));
  const update = (arrays, texts, { cursor }) => {
    const shares = arrays.get(part.array);
    element.classList.toggle('gone', !shares);
    if (!shares) return;
    const columns = arrays.get(part.columns).data, rows = arrays.get(part.rows).data, [steps, count] = shares.shape;
    withCount(head, count + 1, () => h('th', { scope: 'col' })).forEach((cell, i) => i && s2sHead(cell, columns[i - 1], i === cursor.unit + 1 && part.columns === 'source'));
    withCount(body, steps, () => h('tr', {})).forEach((row, r) => {
      row.classList.toggle('on', r + 1 === cursor.t);
      row.setAttribute('aria-selected', String(r + 1 === cursor.t));
      if (row.firstChild?.tagName !== 'TH') row.prepend(h('th', { scope: 'row' }));
      s2sHead(row.firstChild, rows[r], false);
      while (row.childNodes.length < count + 1) row.append(h('td', {}));
      while (row.childNodes.length > count + 1) row.lastChild.remove();
      for (let i = 0; i < count; i += 1) s2sShareCell(row.childNodes[i + 1], part.array, r + 1, i, shares.data[r * count + i], part.columns === 'source' && r + 1 === cursor.t && i === cursor.unit);
    });
  };
  const element = h('div', { class: 's2s-scroll' }, table);
  return { element, update };
}

function s2sHead(cell, code, chosen) {
  const text = s2sCharacter(code);
  if (cell.textContent !== text) cell.textContent = text;
  cell.classList.toggle('on', chosen);
}

function s2sShareCell(cell, symbol, t, unit, value, chosen) {
  cell.classList.toggle('chosen', chosen);
  const exact = diagramExact(value);
  if (cell.dataset.value === exact && Number(cell.dataset.t) === t && Number(cell.dataset.unit) === unit) return;
  setReadout(cell, symbol, t, unit, value);
  cell.textContent = value < 0.005 ? (value > 0 ? '<.01' : '0') : s2sShare(value).replace(/^0\./, '.').replace('>0.', '>.');
  cell.style.background = `var(--sq${s2sTeal(value)})`;
  cell.style.color = `var(--sqo${s2sTeal(value)})`;
}

/** Arrows choose another step or another character. */
function s2sWalk(event, page) {
  const { t, T, unit, n } = page.cursor, to = { ArrowUp: [t - 1, unit], ArrowDown: [t + 1, unit], ArrowLeft: [t, unit - 1], ArrowRight: [t, unit + 1] }[event.key];
  if (!to || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  if (to[0] >= 1 && to[0] <= T && to[1] >= 0 && to[1] < n) s2sSelect(page, { t: to[0], j: to[1] + 1 });
}

/** Score, exponential and weight of every character at the step that is shown, and their sums. */
function createScores(part, page) {
  const body = h('tbody', {}), foot = h('tr', {}, h('th', { scope: 'row', colspan: 3 }, 'sum'), h('td', {}), h('td', {}), h('td', {}));
  const hidden = (name) => h('span', { class: 'vh' }, name);
  const names = ['j', hidden('character'), 'score e', 'exp(e − max)', 'weight α', hidden('weight as a bar')].map((name) => h('th', { scope: 'col' }, name));
  const table = h('table', { class: 's2s-scores' }, h('thead', {}, h('tr', {}, names)), body, h('tfoot', {}, foot));
  const element = h('div', { class: 's2s-scroll', tabindex: 0, role: 'region', 'aria-label': 'Scores and weights of the step' }, table);
  body.addEventListener('click', ({ target }) => { const row = target.closest('tr'); if (row) s2sSelect(page, { j: row.rowIndex }); });
  const update = (arrays, texts, { cursor }) => {
    const alpha = arrays.get('alpha');
    element.classList.toggle('gone', !alpha);
    if (!alpha) return;
    const count = alpha.shape[1], at = (name, i) => arrays.get(name).data[(cursor.t - 1) * arrays.get(name).shape[1] + i];
    const make = () => h('tr', {}, h('th', { scope: 'row' }), h('td', {}), h('td', {}), h('td', {}), h('td', {}), h('td', {}, h('i', { class: 's2s-bar' })));
    withCount(body, count, make).forEach((row, i) => {
      const cells = row.childNodes;
      row.classList.toggle('on', i === cursor.unit);
      cells[0].textContent = i + 1;
      cells[1].textContent = s2sCharacter(arrays.get('source').data[i]);
      ['e', 'exp_e', 'alpha'].forEach((name, k) => s2sNumber(cells[k + 2], name, cursor.t, i, at(name, i)));
      cells[5].firstChild.style.width = `${100 * at('alpha', i)}%`;
    });
    s2sNumber(foot.childNodes[1], 'exp_sum', cursor.t, 0, at('exp_sum', 0));
    s2sNumber(foot.childNodes[2], 'alpha_sum', cursor.t, 0, at('alpha_sum', 0));
  };
  return { element, update };
}

function s2sNumber(cell, symbol, t, unit, value) {
  setReadout(cell, symbol, t, unit, value);
  cell.textContent = formatNumber(value);
}

/** The likeliest next tokens of the step, as bars with numbers; the one that stands there is marked. */
function createTopTokens() {
  const element = h('ol', { class: 's2s-top' });
  const update = (arrays, texts, { cursor }) => {
    const shares = arrays.get('top_p'), tokens = arrays.get('top_token'), count = shares.shape[1];
    const make = () => h('li', {}, h('b', {}), h('span', { class: 's2s-track' }, h('i', { class: 's2s-bar' })), h('span', {}));
    withCount(element, count, make).forEach((line, i) => {
      const value = shares.data[(cursor.t - 1) * count + i], code = tokens.data[(cursor.t - 1) * count + i];
      line.childNodes[0].textContent = s2sCharacter(code);
      line.classList.toggle('on', code === arrays.get('output').data[cursor.t - 1]);
      line.childNodes[1].firstChild.style.width = `${100 * value}%`;
      s2sNumber(line.childNodes[2], 'top_p', cursor.t, i, value);
    });
  };
  return { element, update };
}
