// A table that always shows: heads and rows of tokens; the row of the selected step is marked.

function createRows(part) {
  const head = h('tr', {}), body = h('tbody', {});
  const table = h('table', { class: 'rows' }, h('thead', {}, head), body);
  const element = h('div', { class: 'data-scroll', tabindex: 0, role: 'region', 'aria-label': part.label }, table);
  return {
    element,
    update(arrays, texts) {
      const { heads, rows } = texts[part.id];
      element.classList.toggle('gone', !rows.length);
      withCount(head, heads.length, () => h('th', { scope: 'col' })).forEach((cell, c) => fill(cell, heads[c]));
      withCount(body, rows.length, () => h('tr', {})).forEach((row, r) => {
        row.classList.toggle('on', rows[r].on);
        withCount(row, rows[r].cells.length, () => h('td', {})).forEach((cell, c) => fill(cell, rows[r].cells[c]));
      });
    },
  };
}
