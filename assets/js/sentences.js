// Why weights are shared: two sentences as strips of symbols; what they have in common is marked, the year in it framed.

function createSentences() {
  const element = h('div', { class: 'sentences' });
  const strip = () => h('div', { class: 'sentence', tabindex: 0, role: 'group' });
  return {
    element,
    update(arrays, texts) {
      withCount(element, texts.sentences.length, strip).forEach((row, i) => sentenceFill(row, texts.sentences[i]));
    },
  };
}

/** One cell a symbol, its position below; `end` is where the year ends, `common` how far back both are the same. */
function sentenceFill(row, { text, end, common, part }) {
  row.setAttribute('aria-label', `${text} The year stands at symbols ${end - part + 1} to ${end}.`);
  withCount(row, text.length, () => h('span', { 'aria-hidden': 'true' }, h('b', {}), h('i', {}))).forEach((cell, i) => {
    const same = i < end && i >= end - common, year = i < end && i >= end - part;
    cell.className = `${same ? 'same' : ''}${year ? ' year' : ''}`;
    cell.firstChild.textContent = text[i] === ' ' ? '\u2423' : text[i];
    cell.lastChild.textContent = String(i + 1);
  });
}
