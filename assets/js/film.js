// The span [k, t] of the film strip: the brush that chooses it, and the playhead that runs through it. What the brush moves are the
// keys `t` and `lag`; the playhead j is the page's own, between k and t, and Python never hears of it.

const FILM = { jumpMs: 700, mostMs: 100, pageStep: 10 };

/** Steps a second, and whether the picture glides between two steps or jumps from one to the next. */
const FILM_SPEEDS = {
  step: { label: 'Step by step', rate: 1000 / FILM.jumpMs, glides: false },
  slow: { label: 'Gliding, 2 steps a second', rate: 2, glides: true },
  fast: { label: 'Gliding, 8 steps a second', rate: 8, glides: true },
};

/** The playhead that strip, ellipse and bar of one page share; `shows` is called with its place, a number between two steps too. */
function filmPlayer(page) {
  page.film ??= createFilmPlayer();
  return page.film;
}

function createFilmPlayer() {
  const stillness = matchMedia('(prefers-reduced-motion:reduce)');
  const listeners = [];
  const player = { first: 0, last: 0, at: 0, speed: 'step', playing: false, shows: (listener) => listeners.push(listener) };
  let frame = null, before = null, shown = null;
  const place = () => (FILM_SPEEDS[player.speed].glides && !stillness.matches ? player.at : Math.floor(player.at));
  const show = () => { shown = place(); for (const listener of listeners) listener(shown); };
  function tick(now) {
    const passed = Math.min(FILM.mostMs, now - (before ?? now));
    before = now;
    player.at = Math.min(player.last, player.at + (passed / 1000) * FILM_SPEEDS[player.speed].rate);
    if (player.at >= player.last) { player.stop(); return; }
    if (place() !== shown) show();
    frame = requestAnimationFrame(tick);
  }
  player.span = (first, last) => {
    if (first === player.first && last === player.last) { show(); return; }
    Object.assign(player, { first, last, at: last });
    player.stop();
  };
  player.go = (at) => { player.at = Math.max(player.first, Math.min(player.last, at)); player.stop(); };
  player.play = () => {
    if (player.at >= player.last) player.at = player.first;
    Object.assign(player, { playing: true });
    before = null;
    frame = requestAnimationFrame(tick);
    show();
  };
  player.stop = () => { cancelAnimationFrame(frame); player.playing = false; show(); };
  return player;
}

/** Play, pause, a slider over j = k … t, and the speed. */
function createFilmBar(player) {
  const play = h('button', { class: 'ib prim film-play', type: 'button', 'aria-label': 'Play the film', disabled: true }, icon('play'));
  const range = h('input', { type: 'range', step: 1, 'aria-label': 'Step of the film' });
  const reading = h('span', { class: 'ro' });
  const speeds = Object.entries(FILM_SPEEDS).map(([value, { label }]) => h('option', { value }, label));
  const speed = h('select', { 'aria-label': 'How the film plays' }, speeds);
  play.addEventListener('click', () => (player.playing ? player.stop() : player.play()));
  range.addEventListener('input', () => player.go(Number(range.value)));
  speed.addEventListener('change', () => { player.speed = speed.value; player.go(Math.floor(player.at)); });
  let shown = '';
  player.shows((place) => {
    const j = Math.floor(place), { first, last, playing } = player, key = [j, first, last, playing].join();
    if (key === shown) return;
    shown = key;
    filmBarShow({ play, range, reading }, j, player);
  });
  return h('div', { class: 'film-bar', role: 'group', 'aria-label': 'Film' }, play, range, reading, speed);
}

function filmBarShow({ play, range, reading }, j, { first, last, playing }) {
  const label = playing ? 'Pause' : 'Play';
  if (play.title !== label) { play.replaceChildren(icon(label.toLowerCase())); play.title = label; play.setAttribute('aria-label', `${label} the film`); }
  play.disabled = range.disabled = first === last;
  Object.assign(range, { min: first, max: last, value: j });
  range.setAttribute('aria-valuetext', `step ${j} of ${first} to ${last}`);
  range.style.setProperty('--p', `${(100 * (j - first)) / (last - first || 1)}%`);
  reading.replaceChildren(symbolElement({ text: 'j' }), ` = ${j}`);
}

// --- the brush ------------------------------------------------------------------------------------------------------------

/** A ruler of time with both ends of the span as handles, and the span itself to drag. */
function createFilmBrush(part, page) {
  const handle = (name, label) => h('div', { class: `brush-end ${name}`, role: 'slider', tabindex: 0, 'aria-label': label });
  const from = handle('k', 'Start of the span, k'), to = handle('t', 'End of the span, t');
  const band = h('div', { class: 'brush-span', title: 'Drag the span' }), labels = h('div', { class: 'brush-labels', 'aria-hidden': 'true' });
  const track = h('div', { class: 'brush-track' }, labels, band, from, to);
  const fixed = (key) => page.locked(key) || page.hidden(key);
  const span = () => { const { t, lag } = page.cursor; return [Math.max(0, t - lag), t]; };
  function choose(k, t) {
    const [shownK, shownT] = span();
    if (k === shownK && t === shownT) return;
    Object.assign(page.cursor, { t, lag: t - k });
    pagePaint(page);
    page.set({ t: String(t), lag: String(t - k) });
  }
  const clamp = (value, low, high) => Math.max(low, Math.min(high, value));
  const moves = {
    k: (wanted) => choose(clamp(wanted, 0, span()[1]), span()[1]),
    t: (wanted) => (fixed('lag') ? moves.span(wanted - span()[1]) : choose(span()[0], clamp(wanted, span()[0], page.cursor.T))),
    span: (by) => { const [k, t] = span(), shift = clamp(by, -k, page.cursor.T - t); choose(k + shift, t + shift); },
  };
  const parts = { track, band, labels, from, to, steps: 0 };
  if (!fixed('lag')) brushEnd(from, page, track, moves.k, () => span()[0]);
  if (!fixed('t')) brushEnd(to, page, track, moves.t, () => span()[1]);
  if (!fixed('t')) brushBand(band, page, track, moves.span);
  for (const [end, key] of [[from, 'lag'], [to, 't']]) if (fixed(key)) { end.setAttribute('aria-disabled', 'true'); end.tabIndex = -1; }
  return { element: h('div', { class: 'brush', role: 'group', 'aria-label': 'Span of steps' }, track), update: (arrays, texts, current) => brushShow(parts, span(), current.cursor.T) };
}

function brushShow(parts, [k, t], T) {
  const percent = (step) => `${(100 * step) / (T || 1)}%`;
  if (parts.steps !== T) { parts.steps = T; brushLabels(parts.labels, T, percent); }
  Object.assign(parts.band.style, { left: percent(k), width: percent(t - k) });
  for (const [end, name, step, low, high] of [[parts.from, 'k', k, 0, t], [parts.to, 't', t, k, T]]) {
    end.style.left = percent(step);
    end.replaceChildren(h('span', { class: 'brush-flag' }, symbolElement({ text: name }), ` = ${step}`));
    for (const [key, value] of [['min', low], ['max', high], ['now', step], ['text', `${name} = ${step}`]]) end.setAttribute(`aria-value${key}`, value);
  }
}

function brushLabels(labels, T, percent) {
  const every = [1, 2, 5, 10, 20, 50].find((step) => T / step <= 10);
  const steps = Array.from({ length: Math.floor(T / every) + 1 }, (_, i) => i * every);
  labels.replaceChildren(...steps.map((step) => h('span', { style: `left:${percent(step)}` }, String(step))));
}

const BRUSH_KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -FILM.pageStep, PageUp: FILM.pageStep, Home: -Infinity, End: Infinity };

/** A handle follows the pointer and the keys of a slider. */
function brushEnd(end, page, track, move, at) {
  end.addEventListener('keydown', (event) => {
    if (!(event.key in BRUSH_KEYS)) return;
    event.preventDefault();
    move(at() + BRUSH_KEYS[event.key]);
  });
  brushDrag(end, track, page, at, (steps, start) => move(start + steps));
}

/** The span moves as a whole. */
function brushBand(band, page, track, move) {
  let done = 0;
  brushDrag(band, track, page, () => { done = 0; return 0; }, (steps) => { move(steps - done); done = steps; });
}

/** Calls `moved(steps, start)` with the whole steps that the pointer has gone since it was pressed. */
function brushDrag(element, track, page, begin, moved) {
  let pressed = null;
  element.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    element.focus({ preventScroll: true });
    element.setPointerCapture(event.pointerId);
    pressed = { x: event.clientX, start: begin() };
  });
  element.addEventListener('pointermove', (event) => {
    if (pressed) moved(Math.round(((event.clientX - pressed.x) / track.clientWidth) * page.cursor.T), pressed.start);
  });
  for (const end of ['pointerup', 'pointercancel']) element.addEventListener(end, () => { pressed = null; });
}
