// One scene in place of another of the same build: what is equal stays, wires take their new way, and what has moved glides to
// its new place. So a change of variant or of letters is seen as what it is, and no diagram is drawn again.

const DIAGRAM_MOVE = { duration: 160, easing: 'cubic-bezier(.2,0,0,1)' };

/** Draw the elements of a layer, and remember which parts of the page and which updaters belong to each. */
function diagramDrawLayer(items, layer, drawing) {
  return items.map((item) => diagramRecord(item, layer, drawing));
}

function diagramRecord(item, layer, drawing) {
  const own = { scene: drawing.scene, updaters: [], nodes: [] }, first = layer.childNodes.length;
  diagramDraw(item, layer, own);
  drawing.nodes.push(...own.nodes);
  return { item, parts: [...layer.childNodes].slice(first), updaters: own.updaters, nodes: own.nodes };
}

/** Whether two scenes have the same elements in the same order, wherever those stand and whatever they say. */
function diagramSameBuild(one, other) {
  const build = ({ id, variant, layers }) => [id, variant, ...Object.entries(layers).map(([name, items]) => [name, ...items.map(diagramKind)].join(' '))].join('|');
  return build(one) === build(other);
}

const diagramKind = ({ kind, tag, id }) => [kind, tag, id].filter(Boolean).join(':');

/** Take the scene in place; false where it has another build and must be drawn. */
function diagramMove(view, scene) {
  const { drawing } = view;
  if (!drawing || !diagramSameBuild(drawing.scene, scene)) return false;
  drawing.scene = scene;
  for (const [name, records] of Object.entries(drawing.records)) records.forEach((record, i) => diagramMoveOne(record, scene.layers[name][i], drawing));
  drawing.nodes = drawing.records.node.flatMap(({ nodes }) => nodes);
  if (view.tip.node) view.tip.node = drawing.nodes.find(({ item }) => item.id === view.tip.node.item.id);
  view.svg.setAttribute('viewBox', `0 0 ${scene.width} ${scene.height}`);
  return true;
}

function diagramMoveOne(record, item, drawing) {
  if (JSON.stringify(record.item) === JSON.stringify(item)) return;
  const before = record.item;
  record.item = item;
  if (item.kind === 'shape') diagramMoveShape(record.parts[0], before.attrs, item.attrs);
  else diagramRedraw(record, before, drawing);
}

/** A shape keeps its element: the style sheet moves a path from one way to the other. */
function diagramMoveShape(element, before, attrs) {
  for (const name of Object.keys({ ...before, ...attrs })) diagramSetAttribute(element, name, attrs[name]);
}

/** A label is made again in place; a node keeps its element, and with it the focus. Both glide from where they were. */
function diagramRedraw(record, before, drawing) {
  const fresh = { scene: drawing.scene, updaters: [], nodes: [] };
  if (record.item.kind === 'node') diagramRefill(record, fresh);
  else diagramReplace(record, fresh);
  record.updaters = fresh.updaters;
  diagramGlide(record.parts, before.x - record.item.x, before.y - record.item.y);
}

function diagramRefill(record, fresh) {
  const [{ group }] = record.nodes;
  group.replaceChildren();
  diagramSetAttribute(group, 'class', record.item.class);
  diagramFillNode(record.item, group, fresh);
  record.nodes = fresh.nodes;
}

function diagramReplace(record, fresh) {
  const made = diagramElement('g');
  diagramDraw(record.item, made, fresh);
  const parts = [...made.childNodes];
  record.parts[0].before(...parts);
  for (const part of record.parts) part.remove();
  record.parts = parts;
}

function diagramGlide(parts, dx, dy) {
  if ((!dx && !dy) || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  for (const part of parts) part.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: 'none' }], DIAGRAM_MOVE);
}
