// Cards of /attention: one query's row in numbers.

const ATTENTION_ROW = [['product', 'q \u00b7 k'], ['score', 'score s'], ['masked', 'masked'], ['exp', 'exp(s \u2212 max)'], ['weight', 'weight \u03b1']];

/** Every key of the query that is shown: product, score, exponential, weight, and their sums. */
function createAttentionRow(part, page) {
  const names = ['j', '', ...ATTENTION_ROW.map(([, name]) => name), ''];
  const body = h('tbody', {}), sums = [h('td', {}), h('td', {})], foot = h('tr', {}, h('th', { scope: 'row' }, 'sum'), sums, h('td', {}));
  const table = h('table', { class: 's2s-scores at-row' }, h('thead', {}, h('tr', {}, names.map((name) => h('th', { scope: 'col' }, name)))), body, h('tfoot', {}, foot));
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
      cells[1].textContent = tokens[j];
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
