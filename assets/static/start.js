// The start of a static copy: its answers are unpacked, and the page of the lab is drawn with a player in place of Python.

PARTS.chart = createChart;

/** Names and values of controls that do not move here. */
PARTS.fixed = ({ rows }) => ({
  element: h('dl', { class: 'kv fixed' }, rows.flatMap(([label, value]) => [h('dt', {}, ...labelElements(label)), h('dd', {}, ...labelElements(value))])),
  update() {},
});

async function copyStart() {
  const host = document.getElementById('copy');
  try {
    const player = createPlayer(await copyUnpack(document.getElementById('copy-answers').textContent));
    host.append(render({ model: player, view: { model: {} } }));
  } catch (error) {
    const old = typeof DecompressionStream === 'undefined';
    const words = old ? 'This page needs a newer browser: one from 2023 or later can unpack its numbers.' : 'This copy cannot be read. It may be cut off: load it again.';
    host.replaceChildren(h('div', { class: 'notice lost', role: 'alert' }, h('p', {}, words)));
    if (!old) throw error;
  }
}

copyStart();
