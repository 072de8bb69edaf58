// In place of Python: a model that answers the messages of the page from what is recorded. It has what `render` asks of Panel's model.

function createPlayer(copy) {
  const player = {
    copy, start: copy.axes.map((axis) => axis.start), painted: {}, sent: new Map(), listeners: [], frame: null,
    layout: copy.layout, get_child: () => [], on: (name, act) => { if (name === 'frame') player.listeners.push(act); },
    chart: (name) => copyInstance(copy, `chart/${name}`, player.place), value: (instance) => copyValue(copy, instance),
  };
  player.place = [...player.start];
  // a microtask later, as any answer comes after the question: the page has then painted what it paints by itself
  player.send_msg = (message) => queueMicrotask(() => playerAnswer(player, message));
  player.frame = playerFrame(player, 'run', 0, []);
  return player;
}

function playerAnswer(player, message) {
  const before = [...player.place], notices = playerAct(player, message);
  const moved = player.copy.axes.some(({ varied }, i) => varied && player.place[i] !== before[i]);
  const kind = moved || message.action === 'reset' ? 'run' : 'look';
  player.frame = message.action === 'detail' ? playerDetails(player, message) : playerFrame(player, kind, message.sequence, notices);
  for (const listener of player.listeners) listener();
}

// --- what is asked ------------------------------------------------------------------------------------------------------------

function playerAct(player, { action, values, node }) {
  if (action === 'set') return Object.entries(values).flatMap(([key, text]) => playerSet(player, key, text));
  if (action === 'select') playerSelect(player, node);
  if (action === 'reset') { player.place = [...player.start]; player.painted = {}; }
  return [];
}

/** A value of an axis: the nearest one that is here, and a sentence where that is another. */
function playerSet(player, key, text) {
  const at = player.copy.axes.findIndex((axis) => axis.key === key);
  if (at < 0) { player.painted[key] = text; return []; }
  const axis = player.copy.axes[at], place = playerNearest(axis, text), { label } = player.layout.controls[key];
  if (place === null) return [`${plainLabel(label)} = ${text} is not in this copy. It stays as it was.`];
  player.place[at] = place;
  const found = axis.texts[place], same = found === text || Math.abs(found - text) < 1e-9;
  return same ? [] : [`${plainLabel(label)} = ${text} is not in this copy. The nearest value that is, ${found}, is shown.`];
}

function playerNearest({ texts }, text) {
  const exact = texts.indexOf(text), wanted = text.trim() === '' ? NaN : Number(text.replace('\u2212', '-'));
  if (exact >= 0) return exact;
  if (Number.isNaN(wanted) || texts.some((one) => Number.isNaN(Number(one)))) return null;
  const off = texts.map((one) => Math.abs(one - wanted));
  return off.indexOf(Math.min(...off));
}

/** A node of a diagram: by how far from the cursor it stands, else the cursor moves to it. */
function playerSelect(player, { symbol, t }) {
  const { axes } = player.copy, selected = axes.findIndex(({ key }) => key === 'selected'), time = axes.findIndex(({ key }) => key === 't');
  if (selected < 0) return;
  const { names } = axes[selected], now = Number(playerText(player, 't'));
  const apart = `${symbol}@${t - now}`, name = apart in names ? apart : symbol;
  if (!(name in names)) return;
  player.place[selected] = names[name];
  const to = name === symbol && time >= 0 ? axes[time].texts.indexOf(String(t)) : -1;
  if (to >= 0) player.place[time] = to;
}

const playerText = (player, key) => copyValue(player.copy, copyInstance(player.copy, `value/${key}`, player.place));

// --- what is answered ---------------------------------------------------------------------------------------------------------

/** Channels of one kind by their own names: [name, instance]. */
function playerChannels(player, kind) {
  const names = Object.keys(player.copy.channels).filter((name) => name.startsWith(`${kind}/`));
  return names.map((name) => [name.slice(kind.length + 1), copyInstance(player.copy, name, player.place)]);
}

/** Those that are not as they were when they were sent last. */
function playerNews(player, kind) {
  const news = playerChannels(player, kind).filter(([name, instance]) => player.sent.get(`${kind}/${name}`) !== instance);
  for (const [name, instance] of news) player.sent.set(`${kind}/${name}`, instance);
  return news;
}

const playerValues = (player, channels) => Object.fromEntries(channels.filter(([, instance]) => instance).map(([name, instance]) => [name, copyValue(player.copy, instance)]));

function playerFrame(player, kind, sequence, notices) {
  if (kind === 'run') for (const name of player.sent.keys()) if (name.startsWith('array/')) player.sent.delete(name); // the page forgets them
  const state = { values: { ...playerValues(player, playerChannels(player, 'value')), ...player.painted }, settings: copyValue(player.copy, copyInstance(player.copy, 'settings', player.place)) };
  const stale = playerNews(player, 'detail').map(([name]) => name);
  const content = { kind, sequence, state, notices, stale, query: '', texts: playerValues(player, playerChannels(player, 'text')), scenes: playerValues(player, playerNews(player, 'scene')) };
  return playerPacked(content, playerValues(player, playerNews(player, 'array')));
}

function playerDetails(player, { names, sequence }) {
  const answers = playerValues(player, playerChannels(player, 'detail').filter(([name]) => names.includes(name)));
  const arrays = Object.entries(answers).flatMap(([detail, answer]) => Object.entries(answer.arrays).map(([name, array]) => [`${detail}/${name}`, array]));
  const texts = Object.fromEntries(Object.entries(answers).map(([name, answer]) => [name, answer.texts]));
  return playerPacked({ kind: 'detail', sequence, notices: [], texts }, Object.fromEntries(arrays));
}

/** One JSON string and one buffer, as `make_frame` in app/view.py packs them. */
function playerPacked(content, found) {
  const arrays = {}, all = Object.entries(found), data = new Float64Array(all.reduce((sum, [, { data: own }]) => sum + own.length, 0));
  let offset = 0;
  for (const [name, { data: own, shape, t0 }] of all) {
    arrays[name] = [offset, ...shape, t0];
    data.set(own, offset);
    offset += own.length;
  }
  return { json: JSON.stringify({ ...content, arrays }), data };
}
