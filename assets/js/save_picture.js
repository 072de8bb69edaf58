// The diagrams of a card as a file: SVG that looks the same anywhere, or PNG with two pixels a unit. What is drawn is copied as it
// stands, every look as an attribute: no class, no variable, no rule. `rnnscope export` draws the same without a browser.

const PICTURE_MARGIN = 16, PICTURE_PIXELS = 2;
const PICTURE_KINDS = ['diagram', 'loom', 'seq2seq'];
const PICTURE_LOOKS = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin', 'stroke-opacity', 'opacity', 'font-family', 'font-size', 'font-style', 'font-weight', 'text-anchor'];
const PICTURE_KEPT = /^(d|x|y|x1|y1|x2|y2|cx|cy|r|rx|ry|width|height|dx|dy|points|transform|data-(symbol|t|unit|value))$/;
/** What a shape without any look of its own has: nothing needs to be written then. */
const PICTURE_PLAIN = { stroke: 'none', 'stroke-dasharray': 'none', 'stroke-linecap': 'butt', 'stroke-linejoin': 'miter', 'stroke-opacity': '1', opacity: '1', 'font-style': 'normal', 'font-weight': '400', 'text-anchor': 'start' };

const pictureIsDrawn = (part) => PICTURE_KINDS.includes(part.kind) || (part.parts ?? []).some(pictureIsDrawn);

/** Two buttons in the head of the card whose diagrams stand for the lab. */
function pictureSave(page, card) {
  if (!/\bkey\b/.test(card.cls ?? '') || !(card.body ?? []).some(pictureIsDrawn)) return null;
  const name = page.layout.name.toLowerCase();
  const button = (form, act) => h('button', { class: 'btn', type: 'button', 'aria-label': `Save the picture as ${form}`, onclick: ({ target }) => act(pictureOf(target.closest('.card')), name) }, form);
  return h('div', { class: 'save-picture' }, h('span', { 'aria-hidden': 'true' }, 'Save'), button('SVG', pictureSaveSvg), button('PNG', pictureSavePng));
}

/** Everything that the card draws, at the places where it stands, as one SVG of its own. */
function pictureOf(card) {
  const drawings = [...card.querySelectorAll('.cb svg.fig')].filter((svg) => svg.getBoundingClientRect().width > 0);
  const boxes = drawings.map((svg) => svg.getBoundingClientRect());
  const [left, top] = ['left', 'top'].map((side) => Math.min(...boxes.map((box) => box[side])));
  const [right, bottom] = ['right', 'bottom'].map((side) => Math.max(...boxes.map((box) => box[side])));
  const [width, height] = [right - left, bottom - top].map((length) => Math.ceil(length) + 2 * PICTURE_MARGIN);
  const ground = svgElement('rect', { width, height, fill: pictureColour(getComputedStyle(card).backgroundColor) });
  const parts = drawings.map((svg, i) => pictureDrawing(svg, boxes[i].left - left, boxes[i].top - top, boxes[i].width));
  const title = svgElement('title', {}, drawings.map((svg) => svg.getAttribute('aria-label')).filter(Boolean).join(' '));
  return svgElement('svg', { xmlns: DIAGRAM_SVG, width, height, viewBox: `0 0 ${width} ${height}`, role: 'img' }, title, ground, ...parts);
}

function pictureDrawing(svg, x, y, width) {
  const scale = width / svg.viewBox.baseVal.width;
  const group = svgElement('g', { transform: `translate(${x + PICTURE_MARGIN} ${y + PICTURE_MARGIN}) scale(${scale})` });
  group.append(...pictureCopies(svg));
  return group;
}

const pictureCopies = (element) => [...element.childNodes].map(pictureCopy).filter(Boolean);

/** A copy without what is hidden; a group that holds nothing then is none. */
function pictureCopy(node) {
  if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data);
  const looks = getComputedStyle(node);
  if (looks.display === 'none' || looks.visibility === 'hidden') return null;
  const copy = document.createElementNS(DIAGRAM_SVG, node.tagName);
  for (const { name, value } of node.attributes) if (PICTURE_KEPT.test(name)) copy.setAttribute(name, value);
  if (node.matches('.readout')) copy.setAttribute('class', 'readout');
  if (node.tagName !== 'g') pictureLooks(copy, looks, node.tagName);
  if (node.tagName === 'text') copy.setAttribute('xml:space', 'preserve');
  copy.append(...pictureCopies(node));
  const paints = node.tagName === 'g' ? copy.childNodes.length : looks.fill !== 'none' || looks.stroke !== 'none';
  return paints ? copy : null;
}

/** A shape is told nothing of fonts, and a text no outline, which programs for slides put over it. */
function pictureLooks(copy, looks, tag) {
  const text = tag === 'text' || tag === 'tspan';
  for (const name of PICTURE_LOOKS) {
    const value = pictureColour(looks.getPropertyValue(name)), other = /^(font|text)/.test(name) ? !text : text && name.startsWith('stroke');
    if (!other && value !== PICTURE_PLAIN[name] && !(looks.stroke === 'none' && name.startsWith('stroke'))) copy.setAttribute(name, value.replaceAll('px', ''));
  }
}

/** Colours as every program reads them; Chromium has a mixed one as three numbers from 0 to 1. */
function pictureColour(text) {
  const mixed = /^color\(srgb ([\d.]+) ([\d.]+) ([\d.]+)/.exec(text), plain = /^rgb\((\d+), (\d+), (\d+)\)/.exec(text);
  if (!mixed && !plain) return text;
  const bytes = mixed ? mixed.slice(1, 4).map((part) => Math.round(part * 255)) : plain.slice(1, 4).map(Number);
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('').toUpperCase()}`;
}

// --- the file ---------------------------------------------------------------------------------------------------------------

const pictureBlob = (svg) => new Blob([new XMLSerializer().serializeToString(svg)], { type: 'image/svg+xml' });

const pictureSaveSvg = (svg, name) => pictureDownload(pictureBlob(svg), `${name}.svg`);

async function pictureSavePng(svg, name) {
  const url = URL.createObjectURL(pictureBlob(svg)), image = new Image();
  image.src = url;
  await image.decode();
  const canvas = h('canvas', { width: image.naturalWidth * PICTURE_PIXELS, height: image.naturalHeight * PICTURE_PIXELS });
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  canvas.toBlob((blob) => pictureDownload(blob, `${name}.png`));
}

function pictureDownload(blob, name) {
  const url = URL.createObjectURL(blob);
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url));
}
