// The live diagram: draws a scene of app/diagrams once, then only assigns values.
//
//   const diagram = createDiagram(host, { onSelect(nodeId, {t, unit, symbol}), onStep(delta) });
//   diagram.setScene(scene);
//   diagram.update(arrays, cursor, { highlight, pass, selected, hover });
//
// arrays   Map or object: name -> {data: Float64Array, shape: [steps, units], t0}; row t - t0 holds step t
// cursor   {t, unit, T, n}
// options  highlight null | "U" | "W" | "V"; pass "forward" | "backward" | "both"; selected, hover: ids of nodes

const DIAGRAM_TIP_DELAY = 300;
const DIAGRAM_ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function createDiagram(host, handlers = {}) {
  const view = { host, handlers, svg: null, drawing: null, context: null, preview: null, options: {}, tip: diagramTip(host), listening: new AbortController() };
  host.classList.add("diagram");
  diagramListen(view);
  return {
    setScene(scene) {
      diagramShow(view, scene);
    },
    update(arrays, cursor, options = {}) {
      view.context = { arrays, cursor };
      view.options = options;
      diagramAssign(view);
    },
    destroy() {
      diagramHideTip(view);
      view.listening.abort();
      view.svg?.remove();
      view.tip.box.remove();
    },
  };
}

/** Show a scene in place of the one before: one of the same build moves there. The focus stays on the node of the same name. */
function diagramShow(view, scene) {
  if (diagramMove(view, scene)) return view.context && diagramAssign(view);
  const focused = view.svg?.contains(view.host.getRootNode().activeElement) ? view.drawing.roving : null;
  diagramLeave(view);
  view.svg?.remove();
  view.drawing = { scene, updaters: [], records: {}, nodes: [], roving: null };
  view.svg = diagramBuild(view);
  view.host.append(view.svg);
  if (view.context) diagramAssign(view);
  const again = focused && view.drawing.nodes.find(({ item }) => item.id === focused);
  diagramRove(view, again ? focused : view.options.selected);
  if (again) again.group.focus({ preventScroll: true });
}

function diagramBuild(view) {
  const { scene } = view.drawing;
  const size = { viewBox: `0 0 ${scene.width} ${scene.height}`, width: scene.width, height: scene.height };
  const role = scene.layers.node.length ? { role: "group", "aria-roledescription": "network diagram" } : { role: "img" };
  const svg = diagramElement("svg", { class: `fig fig-${scene.variant}`, id: scene.id, ...role, ...size });
  svg.style.maxWidth = `${scene.max_width}px`;
  const { drawing } = view;
  diagramOnChange(drawing, (context) => diagramPlain(drawing.scene.label, context), (label) => svg.setAttribute("aria-label", label));
  for (const [name, items] of Object.entries(scene.layers)) {
    view.drawing.records[name] = [];
    if (!items.length) continue;
    const layer = diagramElement("g", { class: `layer-${name}`, "aria-hidden": name === "node" ? "" : "true" }, svg);
    view.drawing.records[name] = diagramDrawLayer(items, layer, view.drawing);
  }
  return svg;
}

function diagramAssign(view) {
  if (!view.drawing) return;
  const context = { ...view.context, preview: view.preview };
  for (const update of view.drawing.updaters) update(context);
  diagramSetAttribute(view.svg, "data-highlight", view.options.highlight);
  diagramSetAttribute(view.svg, "data-pass", view.options.pass);
  for (const { item, group } of view.drawing.nodes) {
    const selected = item.id === view.options.selected;
    group.classList.toggle("sel", selected);
    diagramSetAttribute(group, "aria-pressed", String(selected));
    group.classList.toggle("is-hover", item.id === view.options.hover);
  }
  diagramRove(view, view.drawing.roving ?? view.options.selected);
  if (view.tip.node) diagramFillTip(view);
}

function diagramSetAttribute(element, name, value) {
  if (value == null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** Make one node the diagram's tab stop: the named one, else the first. */
function diagramRove(view, id) {
  const { nodes } = view.drawing;
  const target = nodes.find(({ item }) => item.id === id) ?? nodes[0];
  if (!target) return;
  for (const { group } of nodes) diagramSetAttribute(group, "tabindex", group === target.group ? "0" : "-1");
}

/** The host listens, not the SVG: Chromium makes an SVG that listens to focus a tab stop of its own. */
function diagramListen(view) {
  const on = (type, handle) => view.host.addEventListener(type, handle, { signal: view.listening.signal });
  const under = (event) => view.drawing?.nodes.find(({ group }) => group.contains(event.target));
  on("click", (event) => diagramSelect(view, under(event)));
  on("keydown", (event) => diagramKey(view, under(event), event));
  on("focusin", (event) => diagramFocused(view, under(event)));
  on("focusout", () => diagramLeave(view));
  on("pointerover", (event) => event.pointerType !== "touch" && diagramPointAt(view, under(event)));
  on("pointerleave", () => diagramLeave(view));
}

function diagramSelect(view, node) {
  if (!node || !view.context) return;
  const { symbol, t, unit } = diagramRead(node.item.select, view.context);
  view.handlers.onSelect?.(node.item.id, { t, unit, symbol });
}

function diagramKey(view, node, event) {
  if (!node || event.ctrlKey || event.metaKey || event.altKey) return;
  const arrow = DIAGRAM_ARROWS[event.key];
  if (arrow) diagramNearest(view.drawing.nodes, node, arrow)?.group.focus();
  else if (event.key === "Enter" || event.key === " ") diagramSelect(view, node);
  else if (event.key === "[" || event.key === "]") diagramStepOn(view, event.key === "[" ? -1 : 1);
  else if (event.key === "Escape") diagramLeave(view);
  else return;
  event.preventDefault();
}

/** The step that is gone to is shown, not that of the node which has the focus. */
function diagramStepOn(view, delta) {
  diagramPreview(view, null);
  view.handlers.onStep?.(delta);
}

/** The nearest node that way; being off the line counts for more than being far along it. */
function diagramNearest(nodes, from, [dx, dy]) {
  let best = null;
  let shortest = Infinity;
  for (const node of nodes) {
    const x = node.item.x - from.item.x;
    const y = node.item.y - from.item.y;
    const ahead = x * dx + y * dy;
    const distance = ahead + 2.2 * Math.abs(x * dy - y * dx);
    if (ahead >= 4 && distance < shortest) [best, shortest] = [node, distance];
  }
  return best;
}

function diagramFocused(view, node) {
  if (!node) return;
  view.drawing.roving = node.item.id;
  diagramRove(view, node.item.id);
  if (node.group.matches(":focus-visible")) diagramPointAt(view, node);
}

/** A node under the pointer or with the focus: its tip, and what the diagram lights for it. */
function diagramPointAt(view, node) {
  diagramAwaitTip(view, node);
  diagramPreview(view, node?.item.previews ?? null);
}

function diagramLeave(view) {
  diagramHideTip(view);
  diagramPreview(view, null);
}

/** Light what belongs to step t in place of the cursor's step; numbers and the band stay where they are. */
function diagramPreview(view, t) {
  if (t === view.preview) return;
  view.preview = t;
  if (view.context) diagramAssign(view);
}

function diagramTip(host) {
  const box = document.createElement("div");
  box.className = "diagram-tip";
  box.hidden = true;
  box.setAttribute("aria-hidden", "true");
  host.append(box);
  return { box, node: null, timer: 0 };
}

function diagramAwaitTip(view, node) {
  if (node === view.tip.waiting) return;
  diagramHideTip(view);
  if (!node) return;
  view.tip.waiting = node;
  view.tip.timer = setTimeout(() => {
    view.tip.node = node;
    diagramFillTip(view);
  }, DIAGRAM_TIP_DELAY);
}

function diagramHideTip(view) {
  clearTimeout(view.tip.timer);
  view.tip.node = view.tip.waiting = null;
  view.tip.box.hidden = true;
}

/** The node's name, its numbers with 5 digits. */
function diagramFillTip(view) {
  const { box, node } = view.tip;
  box.textContent = diagramPlain(node.item.name, view.context, 5);
  box.hidden = false;
  const frame = view.host.getBoundingClientRect();
  const around = node.group.getBoundingClientRect();
  const left = around.left + around.width / 2 - box.offsetWidth / 2 - frame.left;
  box.style.left = `${Math.max(0, Math.min(left, frame.width - box.offsetWidth))}px`;
  box.style.top = `${around.bottom - frame.top + 10}px`;
}
