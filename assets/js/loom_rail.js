// The rail of /bptt: the algorithm's lines, the lit chain as a product, the tiles of the gradient, the check.

/** Numbered lines; the one the algorithm stands on is the current step. */
function createAlgorithm(part) {
  const element = h('ol', { class: 'alg' });
  function update(arrays, texts) {
    const lines = texts[part.id] ?? [];
    withCount(element, lines.length, () => h('li', {}, h('span', { class: 'ln' }), h('div', {}, h('div', { class: 'eq' }), h('div', { class: 'alg-n' })))).forEach((item, i) => {
      const { line, indent, tokens, numbers, on } = lines[i], [words, found] = item.lastChild.children;
      item.firstChild.textContent = String(line);
      item.className = `${on ? 'on r-gradient' : ''}${indent ? ' in' : ''}`;
      if (on) item.setAttribute('aria-current', 'step');
      else item.removeAttribute('aria-current');
      fill(words, tokens);
      fill(found, numbers);
    });
  }
  return { element, update };
}

const CHAIN_MOST = 12;
const chainWords = (text) => ({ kind: 'text', text });
const chainLetter = (text, sub) => ({ kind: 'symbol', text, sub: String(sub) });
const chainNumber = (symbol, t, unit, value) => ({ kind: 'number', text: formatNumber(value), symbol, t, unit, value: diagramExact(value) });

/** The chain that is lit, from its loss to its state, with its factors. */
function createChain(part, page) {
  const title = h('h2', {}), product = h('div', { class: 'eq chain-product' }), note = h('p', { class: 'note' });
  const element = h('div', { class: 'chain r-gradient' }, title, product, note);
  const show = (shown, numbers, hovered) => {
    if (!shown) { fill(title, [chainWords('Nothing is selected')]); fill(product, [chainWords('Step 0 has no loss.')]); fill(note, []); return; }
    const { t, k } = shown, { signed, window } = numbers, state = signed ? 'h' : 's';
    fill(title, [chainWords(hovered ? 'Pointed at: ' : 'Selected: '), ...chainDerivative(state, t, k)]);
    fill(product, chainTokens(shown, numbers));
    fill(note, [...chainNote(shown, numbers), ...(t - k >= window ? [chainWords(` The window stops it at `), chainLetter(state, t - window + 1), chainWords('.')] : [])]);
  };
  page.loom.listeners.push(show);
  return { element, update() {} };
}

function chainDerivative(state, t, k) {
  return [chainWords('∂'), chainLetter('L', t), chainWords('/∂'), chainLetter(state, k)];
}

function chainTokens({ t, k }, { T, signed, start, factor, value, log }) {
  const at = t * (T + 1), steps = Array.from({ length: t - k }, (_, i) => t - i);
  const bracketed = (i, found) => (factor[at + i] < 0 ? [chainWords('('), found, chainWords(')')] : [found]);
  const factors = chainShort(steps).flatMap((i) => [{ kind: 'operator', text: '×' }, ...(i ? bracketed(i, chainNumber('chain_factor', i, t, factor[at + i])) : [chainWords(`… ${steps.length - CHAIN_MOST + 1} more …`)])]);
  const [left, right] = signed ? ['| · |', ''] : ['‖ · ‖', ''];
  return [chainNumber('chain_start', t, 0, start[t]), ...factors, { kind: 'operator', text: '=' }, { ...chainNumber('chain_value', t, k, value[at + k]), strong: true },
    chainWords(`, log₁₀ ${left} = ${right}`), chainNumber('contribution', t, k, log[at + k])];
}

/** The steps of a chain; of a long one the first and the last, with a 0 for those between. */
function chainShort(steps) {
  return steps.length <= CHAIN_MOST ? steps : [...steps.slice(0, CHAIN_MOST - 4), 0, ...steps.slice(-3)];
}

/** What the factors are, and of which steps. */
function chainNote({ t, k }, { signed, plain }) {
  const steps = Array.from({ length: t - k }, (_, i) => t - i), which = chainWords(` for `), range = chainWords(` = ${steps.length > 4 ? `${t}, …, ${k + 1}` : steps.join(', ')}.`);
  const size = (tokens) => (signed ? tokens : [chainWords('‖'), ...tokens, chainWords('‖')]), first = size(chainDerivative(signed ? 'h' : 's', t, t));
  if (t === k) return [...first, chainWords(' itself: no step back.')];
  const scalar = plain ? [chainWords('φ′('), chainLetter('a', 'i'), chainWords(') '), { kind: 'symbol', text: 'W' }] : [chainWords('∂'), chainLetter('h', 'i'), chainWords('/∂'), chainLetter('h', 'i−1')];
  const ratio = [chainWords('the ratio '), ...size(chainDerivative('s', t, 'i−1')), chainWords(' / '), ...size(chainDerivative('s', t, 'i'))];
  const source = signed ? [] : [chainWords(' The ratios (Pascanu et al. 2013) multiply to the norm.')];
  return [chainWords('First '), ...first, chainWords(', then '), ...(signed ? scalar : ratio), which, { kind: 'symbol', text: 'i' }, range, ...source];
}

// --- the tiles ---------------------------------------------------------------------------------------------------------------

/** One tile a use of W: a number on the diverging scale, or a small heat map with its norm; their sum below. */
function createTiles() {
  const grid = h('div', { class: 'tiles' }), total = h('div', { class: 'tile tot' });
  function update(arrays, texts, page) {
    const tiles = arrays.get('tiles'), sum = arrays.get('tile_sum'), [T, size] = tiles.shape, n = Math.round(Math.sqrt(size));
    grid.classList.toggle('many', T > 12);
    withCount(grid, T, () => tileElement()).forEach((tile, i) => tileShow(tile, tiles.data.subarray(i * size, (i + 1) * size), n, arrays.get('tile_norms').data[i], i + 1, page));
    if (!total.firstChild) total.append(...tileElement().childNodes);
    tileShow(total, sum.data, n, arrays.get('tile_sum_norm').data[0], T, page, true);
  }
  return { element: h('div', { class: 'tiling' }, grid, total, tileScale()), update };
}

/** The eleven steps of the shared scale, in a row. */
function tileScale() {
  const names = ['≤ −10', '', '', '', '−0.001', '', '0.001', '', '', '', '≥ 10'];
  const marks = names.flatMap((name, i) => [svgElement('rect', { class: `dv${i}`, x: 24 + 22 * i, y: 0, width: 22.4, height: 10 }), ...(name ? [chartText(24 + 22 * i + 11, 25, name, { class: 'ink2', 'text-anchor': 'middle' })] : [])]);
  return svgElement('svg', { class: 'fig tile-scale', viewBox: '0 0 290 30', role: 'img', 'aria-label': 'Colour scale, symmetric and logarithmic: one step a decade from 0.001 to 10, orange positive, blue negative' }, ...marks);
}

function tileElement() {
  return h('div', { class: 'tile' }, h('span', { class: 'tile-k' }), h('canvas', { 'aria-hidden': 'true' }), h('b', { class: 'readout' }));
}

function tileShow(tile, data, n, norm, k, page, whole = false) {
  const [name, canvas, number] = tile.children, value = n === 1 ? data[0] : norm, symbol = `${whole ? 'dW_sum' : 'dW'}${n === 1 ? '' : '_norm'}`;
  fill(name, whole ? [chainWords(`sum of ${k}`)] : [{ kind: 'symbol', text: 'k' }, chainWords(` = ${k}`)]);
  number.textContent = formatNumber(value);
  setReadout(number, symbol, k, 0, value);
  const step = heatStep(value) + HEAT.steps;
  tile.style.cssText = n === 1 ? `background:var(--dv${step});color:var(--dvo${step})` : '';
  canvas.hidden = n === 1;
  if (n > 1) tilePaint(canvas, data, n, page);
}

function tilePaint(canvas, data, n, page) {
  heatPixels(canvas, n, n, page.dark, (palette, cell) => palette[heatStep(data[cell]) + HEAT.steps]);
}

// --- the check ---------------------------------------------------------------------------------------------------------------

function createCheck(part, page) {
  const button = h('button', { class: 'btn', type: 'button', onclick: () => { button.disabled = true; page.tell(part.detail, { check: true }); } }, 'Check by central differences');
  const rows = PARTS.pairs({ id: 'rows' }), note = h('p', { class: 'note' }), bias = h('p', { class: 'note' });
  const result = h('div', { role: 'status' }, rows.element, note, bias);
  function update(arrays, texts) {
    button.disabled = false;
    rows.update(arrays, texts);
    fill(note, texts.note ?? []);
    fill(bias, texts.bias ?? []);
  }
  return { element: h('div', { class: 'check' }, button, result), update };
}
