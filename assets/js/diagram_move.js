// One scene in place of another of the same build: what is equal stays, wires take their new way, and what has moved glides to
// its new place. So a change of variant or of letters is seen as what it is, and no diagram is drawn again.

const DIAGRAM_MOVE = { duration: 160, easing: 'cubic-bezier(.2,0,0,1)' };

/** Draw elements one after the other, and remember of each which parts of the page and which updaters belong to it. */
function diagramDrawLayer(items, parent, drawing) {
  return items.map((item) => diagramRecord(item, parent, drawing));
}

function diagramRecord(item, parent, drawing) {
  const own = { root: drawing.root ?? drawing, scene: drawing.scene, item, updaters: [], nodes: [], children: [] }, first = parent.childNodes.length;
  diagramDraw(item, parent, own);
  drawing.nodes.push(...own.nodes);
  drawing.updaters.push((context) => { for (const update of own.updaters) update(context); });
  return { own, parts: [...parent.childNodes].slice(first) };
}

/** Whether two scenes have the same elements in the same order, wherever those stand and whatever they say. */
function diagramSameBuild(one, other) {
  const build = ({ id, variant, layers }) => [id, variant, ...Object.entries(layers).map(([name, items]) => [name, ...items.map(diagramKind)].join(' '))].join('|');
  return build(one) === build(other);
}

function diagramKind({ kind, tag, id, stage, children }) {
  const inside = children ? `(${children.map(diagramKind).join(' ')})` : '';
  return [kind, tag, id, stage && 'staged', inside].filter(Boolean).join(':');
}

/** Take the scene in place; false where it has another build and must be drawn. */
function diagramMove(view, scene) {
  const { drawing } = view;
  if (!drawing || !diagramSameBuild(drawing.scene, scene)) return false;
  drawing.scene = scene;
  for (const [name, records] of Object.entries(drawing.records)) diagramMoveAll(records, scene.layers[name], diagramGlide);
  view.svg.setAttribute('viewBox', `0 0 ${scene.width} ${scene.height}`);
  return true;
}

/** Elements keep their place in the page, and with it the focus; `glide` shows the way that each has come. */
function diagramMoveAll(records, items, glide = null) {
  records.forEach((record, i) => {
    const before = record.own.item, item = items[i];
    if (JSON.stringify(before) === JSON.stringify(item)) return;
    record.own.item = item;
    const move = { shape: diagramMoveShape, text: diagramMoveText, node: diagramMoveNode }[item.kind] ?? diagramReplace;
    move(record, before, item);
    if (item.kind !== 'shape') glide?.(record.parts, before.x - item.x, before.y - item.y);
  });
}

/** The style sheet moves a path from one way to the other. */
function diagramMoveShape({ parts }, before, { attrs }) {
  diagramTakeAttributes(parts[0], before.attrs, attrs);
}

function diagramMoveText({ own, parts: [line] }, before, item) {
  diagramTakeAttributes(line, diagramTextPlace(before), diagramTextPlace(item));
  own.updaters = [];
  line.replaceChildren();
  diagramWrite(item, line, own);
  if (item.stage) diagramFollowStage(line, own);
}

/** A node moves as a whole: what is inside it does not glide on its own. */
function diagramMoveNode({ own, parts: [group] }, before, item) {
  diagramTakeAttributes(group, { class: before.class }, { class: item.class });
  own.nodes[0].item = item;
  diagramMoveAll(own.children, item.children);
}

/** Classes that come from the cursor stay: those of the scene alone are exchanged. */
function diagramTakeAttributes(element, before, attrs) {
  for (const name of Object.keys({ ...before, ...attrs })) {
    const value = attrs[name] ?? '';
    if (value === (before[name] ?? '')) continue;
    if (name === 'class') diagramExchangeClasses(element, before.class, value);
    else diagramSetAttribute(element, name, value === '' ? null : String(value));
  }
}

function diagramExchangeClasses(element, before, after) {
  const classes = (text) => (text ?? '').split(' ').filter(Boolean);
  element.classList.remove(...classes(before));
  element.classList.add(...classes(after));
}

/** A plot of numbers is drawn again where it stands. */
function diagramReplace(record, before, item) {
  const made = diagramElement('g');
  record.own.updaters = [];
  diagramDraw(item, made, record.own);
  const parts = [...made.childNodes];
  record.parts[0].before(...parts);
  for (const part of record.parts) part.remove();
  record.parts = parts;
}

function diagramGlide(parts, dx, dy) {
  if ((!dx && !dy) || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  for (const part of parts) part.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: 'none' }], DIAGRAM_MOVE);
}
