// HTML from data, always as elements and text nodes: nothing typed or put into the URL can become markup.

/** An element with attributes (absent where null or false) and children (elements or text). */
function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

const ICON_PATHS = {
  first: ['M5 4.5v11', '!M15.5 4.5v11L7.5 10z'], prev: ['!M13.5 4.5v11L5.5 10z'], next: ['!M6.5 4.5v11l8-5.5z'],
  last: ['M15 4.5v11', '!M4.5 4.5v11l8-5.5z'], play: ['!M6.5 3.8v12.4L16 10z'], pause: ['!M5.5 4h3.2v12H5.5z', '!M11.3 4h3.2v12h-3.2z'],
  close: ['M5 5l10 10M15 5L5 15'],
};

/** An inline icon; a path that starts with "!" is filled. */
function icon(name) {
  const svg = svgElement('svg', { class: 'ic', viewBox: '0 0 20 20', 'aria-hidden': 'true' });
  for (const path of ICON_PATHS[name]) {
    svg.append(svgElement('path', path[0] === '!' ? { class: 'f', d: path.slice(1) } : { d: path }));
  }
  return svg;
}

function svgElement(tag, attributes = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Relations and binary operators stand between spaces, brackets do not. */
const SPACED = new Set(['=', '+', '−', '×', '⊙', '·', '/']);

/** One token of a sentence or an equation as an element. */
function tokenElement(token) {
  if (token.kind === 'number') return numberElement(token);
  if (token.kind === 'symbol') return symbolElement(token);
  if (token.kind === 'strong') return h('b', {}, token.text);
  if (token.kind === 'function') return h('span', { class: 'fn' }, token.text);
  if (token.kind === 'operator') return h('span', { class: 'op' }, SPACED.has(token.text) ? ` ${token.text} ` : token.text);
  return h('span', {}, token.text);
}

function numberElement(token) {
  const readout = token.symbol ? { class: 'n readout', 'data-symbol': token.symbol, 'data-t': token.t ?? 0, 'data-unit': token.unit ?? 0, 'data-value': token.value } : { class: 'n', 'data-value': token.value }; // an intermediate result has no name, but all its digits
  return h('span', readout, token.text);
}

function symbolElement(token) {
  const arrow = token.accent?.match(/right|left/)?.[0];
  const base = h('i', { class: [token.accent?.startsWith('tilde') && 'til', arrow && `arrow ${arrow}`].filter(Boolean).join(' ') || null }, token.text);
  const parts = [base];
  if (token.sub) parts.push(h('sub', {}, token.sub));
  if (token.sup) parts.push(h('sup', {}, /[a-z]/.test(token.sup) ? h('i', {}, token.sup) : token.sup));
  return h('span', { class: 'm' }, ...parts);
}

/** Replace what `element` shows by `tokens`; nothing is touched where they are the same as before. */
function fill(element, tokens) {
  const key = JSON.stringify(tokens);
  if (element.shownTokens === key) return;
  element.shownTokens = key;
  element.replaceChildren(...tokens.map(tokenElement));
}

/** A label with mathematics between dollar signs, `$W$ hidden to hidden`, `$b_f$` or `$ρ^k$`, as elements. */
function labelElements(label) {
  return label.split('$').map((part, i) => {
    if (i % 2 === 0) return document.createTextNode(part);
    const [, text, sub, sup] = part.match(/^([^_^]*)(?:_([^^]*))?(?:\^(.*))?$/);
    return symbolElement({ text, sub, sup });
  });
}

const plainLabel = (label) => label.replace(/[$^]/g, '').replaceAll('_', ' ');
