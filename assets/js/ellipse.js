// What a unit circle of perturbations becomes, step by step. Between two steps the drawing glides: the logarithms of the semi-axes and
// the angle on its shorter way. At a step it is the ellipse that Python computed.

// The ring has this radius in the picture of 2 * CENTRE; a long axis of 0.25 to 2.5 rings is drawn without another ring.
const ELLIPSE = { centre: 130, ring: 50, room: 2.5, thinnest: -4 };

function createFilmEllipse(part, page) {
  const player = filmPlayer(page);
  const drawn = ellipseDrawing(), numbers = ellipseNumbers();
  const caption = h('figcaption', {}, 'What a unit circle becomes'), note = h('p', { class: 'note' });
  let ellipses = null, rings = [], named = null;
  function update(arrays, texts) {
    fill(note, texts.ellipse_note);
    if (ellipses === arrays.get('ellipses')) return;
    ellipses = arrays.get('ellipses');
    rings = Array.from({ length: ellipses.shape[0] }, (_, row) => ellipseRing(ellipses.data[5 * row + 2]));
    named = null;
    show(player.at);
  }
  function show(place) {
    if (!ellipses) return;
    const row = Math.max(0, Math.min(ellipses.shape[0] - 1, place - ellipses.t0)), j = Math.floor(row);
    ellipsePaint(drawn, ellipseBetween(ellipses.data, rings, row));
    if (j === named) return;
    named = j;
    numbers.show(ellipses, j);
    drawn.svg.setAttribute('aria-label', `Ellipse at step ${ellipses.t0 + j}: semi-axes ${formatNumber(ellipses.data[5 * j])} and ${formatNumber(ellipses.data[5 * j + 1])}; ring = ${ellipsePower(rings[j])}`);
  }
  player.shows(show);
  return { element: h('figure', { class: 'film-ellipse' }, caption, drawn.svg, h('div', {}, numbers.element, note)), update };
}

/** The power of ten of the ring beside which the long axis is 0.25 to 2.5; 1 for a point. */
const ellipseRing = (log10) => (Number.isFinite(log10) ? Math.ceil(log10 - Math.log10(ELLIPSE.room) - 1e-12) : 0);

const ellipsePower = (decade) => (decade === 0 ? '1' : `1e${String(decade).replace('-', DIAGRAM_MINUS)}`);

/** Semi-axes in rings, angle and ring at a place between two rows of (long, short, log10 long, log10 short, angle). */
function ellipseBetween(data, rings, row) {
  const before = Math.floor(row), after = Math.min(before + 1, rings.length - 1), part = row - before;
  const mix = (a, b) => (part === 0 ? a : a + part * (b - a));
  const log10 = (r, axis) => Math.max(data[5 * r + 2 + axis], rings[r] + ELLIPSE.thinnest);
  const ring = mix(rings[before], rings[after]);
  const axes = [0, 1].map((axis) => 10 ** (mix(log10(before, axis), log10(after, axis)) - ring));
  const angles = [ellipseAngle(data, before, after), ellipseAngle(data, after, before)];
  const turn = ((angles[1] - angles[0] + 1.5 * Math.PI) % Math.PI) - Math.PI / 2;
  return { axes, ring, angle: angles[0] + part * turn };
}

/** A circle has no long axis: it takes the angle of the ellipse beside it. */
const ellipseAngle = (data, row, beside) => data[5 * (data[5 * row + 2] - data[5 * row + 3] < 1e-9 ? beside : row) + 4];

function ellipseDrawing() {
  const { centre } = ELLIPSE, size = 2 * centre;
  const rings = [0, 1].map(() => ({ circle: svgElement('circle', { class: 'film-ring', cx: centre, cy: centre }), text: chartText(centre, 0, '', { class: 'ink2 over', 'text-anchor': 'middle' }) }));
  const shape = svgElement('ellipse', { class: 'film-image', cx: 0, cy: 0 });
  const axes = svgElement('path', { class: 'film-axes' });
  const turned = svgElement('g', {}, shape, axes);
  const svg = svgElement('svg', { class: 'fig ellipse', viewBox: `0 0 ${size} ${size}`, role: 'img' },
    svgElement('path', { class: 'gridl', d: `M0 ${centre}H${size}M${centre} 0V${size}` }), ...rings.map(({ circle }) => circle), turned, ...rings.map(({ text }) => text));
  return { svg, rings, shape, axes, turned };
}

function ellipsePaint({ rings, shape, axes, turned }, { axes: [long, short], ring, angle }) {
  const { centre, ring: radius } = ELLIPSE, [a, b] = [long * radius || 0, short * radius || 0];
  ellipseSet(shape, 'rx', Math.max(a, 0.75));
  ellipseSet(shape, 'ry', Math.max(b, 0.75));
  ellipseSet(axes, 'd', `M0 0H${a}M0 0V${-b}`);
  // Angles turn to the left, as in a plane of numbers; those of SVG turn to the right.
  ellipseSet(turned, 'transform', `translate(${centre} ${centre}) rotate(${(-180 * (angle || 0)) / Math.PI})`);
  rings.forEach(({ circle, text }, i) => {
    const decade = Math.floor(ring) + i, r = radius * 10 ** (decade - ring), hidden = r > centre - 4;
    for (const element of [circle, text]) if (element.hasAttribute('hidden') !== hidden) element.toggleAttribute('hidden', hidden);
    if (hidden) return;
    ellipseSet(circle, 'r', r);
    ellipseSet(text, 'y', centre + r + 14);
    const words = `ring = ${ellipsePower(decade)}`;
    if (text.textContent !== words) text.textContent = words;
  });
}

/** An attribute that keeps its value costs no layout: most of them do, most of the time. */
function ellipseSet(element, name, value) {
  if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
}

/** The running product's two semi-axes, as numbers and as logarithms. */
function ellipseNumbers() {
  const readings = Array.from({ length: 4 }, () => h('span', { class: 'n' }));
  const step = h('span', {});
  const names = ['Long semi-axis', 'Short semi-axis', 'Long, log₁₀', 'Short, log₁₀'];
  const rows = readings.map((reading, i) => [h('dt', {}, names[i]), h('dd', {}, reading)]);
  const element = h('dl', { class: 'kv' }, h('dt', {}, 'Step'), h('dd', {}, step), ...rows.flat());
  function show({ data, t0 }, j) {
    step.textContent = String(t0 + j);
    readings.forEach((element, i) => {
      const value = data[5 * j + i];
      element.textContent = formatNumber(value, 5);
      setReadout(element, i < 2 ? 'semi_axis' : 'semi_axis_log10', t0 + j, i % 2, value);
    });
  }
  return { element, show };
}
