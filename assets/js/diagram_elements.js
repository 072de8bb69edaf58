// One function an element kind of a scene (see app/diagrams/scene.py). Each draws its element once; what changes with
// the run or the cursor is left to an updater, which touches the DOM only when its own value has changed.

const DIAGRAM_SVG = "http://www.w3.org/2000/svg";

function diagramElement(tag, attrs = {}, parent = null) {
  const element = document.createElementNS(DIAGRAM_SVG, tag);
  for (const [name, value] of Object.entries(attrs)) if (value !== "" && value != null) element.setAttribute(name, value);
  parent?.append(element);
  return element;
}

/** Draw one element of a scene into `parent`; `drawing` collects the updaters and the nodes. */
function diagramDraw(item, parent, drawing) {
  const draw = {
    shape: diagramShape, text: diagramText, node: diagramNode, bar: diagramBar, strip: diagramStrip,
    points: diagramPoints, band: diagramBand, bars: diagramBars,
    was: surgeryWas, pin: surgeryPin, edited: surgeryEdited, cutmark: surgeryCut,
    units: s2sUnits, attend: s2sAttend, shade: s2sShade, mark: s2sMark, differs: s2sDiffers,
  }[item.kind];
  const drawn = item.stage ? diagramStaged(item, parent, drawing, draw) : draw(item, parent, drawing);
  if (item.lit) diagramOnChange(drawing, ({ cursor, preview }) => item.lit.includes(preview ?? cursor.t), (on) => drawn.classList.toggle("lit", on));
  return drawn;
}

/** An element whose looks follow the sub-step: lit, not there yet, or neither. What is more than one SVG element gets a group. */
function diagramStaged(item, parent, drawing, draw) {
  const single = ['shape', 'text', 'node'].includes(item.kind);
  const group = single ? null : diagramElement('g', {}, parent);
  const element = draw(item, group ?? parent, drawing);
  diagramFollowStage(group ?? element, drawing);
  return element;
}

/** The stage is read from the drawing's item: another scene may give it another one. */
function diagramFollowStage(element, drawing) {
  diagramOnChange(drawing, ({ cursor }) => diagramStage(drawing.item.stage, cursor), (stage) => diagramShowStage(element, stage));
}

/** "lit", "later" or "" for what a sub-step makes of an element's stage {ready, lit}. */
function diagramStage({ ready, lit }, cursor) {
  if (!cursor.substep || cursor.t < 1) return '';
  if (lit.includes(cursor.substep)) return 'lit';
  return diagramIsLater(ready, cursor) ? 'later' : '';
}

function diagramShowStage(element, stage) {
  for (const name of ['lit', 'later']) element.classList.toggle(name, stage === name);
}

/** Call `assign` with what `read` makes of the context, whenever that has changed. */
function diagramOnChange(drawing, read, assign) {
  let last = drawing; // no value is the drawing itself: the first one is assigned even where there is none
  drawing.updaters.push((context) => {
    const next = read(context);
    if (Object.is(next, last)) return;
    last = next;
    assign(next);
  });
}

function diagramShape(item, parent) {
  return diagramElement(item.tag, item.attrs, parent);
}

function diagramText(item, parent, drawing) {
  const line = diagramElement("text", diagramTextPlace(item), parent);
  diagramWrite(item, line, drawing);
  return line;
}

function diagramTextPlace({ class: style, x, y, anchor }) {
  return { class: style, x, y, "text-anchor": anchor === "start" ? "" : anchor };
}

function diagramWrite(item, line, drawing) {
  for (const run of item.runs) diagramRun(run, line, drawing);
  if (item.current === undefined) return;
  diagramOnChange(drawing, ({ cursor }) => cursor.t === item.current, (on) => line.classList.toggle("current", on));
}

function diagramRun(run, line, drawing) {
  const span = diagramElement("tspan", { class: run.class, "font-size": run.size, dx: run.dx, dy: run.dy }, line);
  if ("text" in run) span.textContent = run.text;
  else if (run.value || run.share) diagramValueRun(run, span, drawing);
  else diagramOnChange(drawing, (context) => diagramRunText(run, context), (text) => { span.textContent = text; });
}

function diagramValueRun(run, span, drawing) {
  let last = null;
  drawing.updaters.push((context) => {
    const read = diagramRead(run.value ?? run.share, context);
    if (diagramSameRead(last, read)) return;
    last = read;
    const text = diagramRunText(run, context);
    span.textContent = text;
    if (run.small) span.setAttribute("font-size", text.length > run.small[0] ? run.small[1] : run.size);
    diagramMarkReadout(span, read);
  });
}

function diagramNode(item, parent, drawing) {
  const attrs = { class: item.class, id: `${drawing.scene.id}-${item.id}`, role: "button", tabindex: -1, "aria-pressed": false, "aria-keyshortcuts": "e" };
  const group = diagramElement("g", { ...attrs, "data-node": item.id }, parent), node = { item, group };
  drawing.children = diagramDrawLayer(item.children, group, drawing);
  diagramOnChange(drawing, (context) => diagramPlain(node.item.name, context), (name) => group.setAttribute("aria-label", name));
  drawing.nodes.push(node);
  return group;
}

/** Zero-centred bar: sign by side, magnitude by length, clipped at 1; a dotted track where there is no finite number. */
function diagramBar(item, parent, drawing) {
  const { cx, y, half } = item;
  const track = diagramElement("rect", { class: "bar-track", x: cx - half, y: y - 2, width: 2 * half, height: 4, rx: 2 }, parent);
  const gap = diagramElement("path", { class: "bar-gap", d: `M${cx - half} ${y}H${cx + half}` }, parent);
  const bar = diagramElement("rect", { class: "bar", y: y - 2, height: 4 }, parent);
  const zero = diagramElement("path", { class: "bar-zero", d: `M${cx} ${y - 4}v8` }, parent);
  diagramOnChange(drawing, (context) => diagramRead(item.value, context).value, (value) => {
    const finite = Number.isFinite(value);
    const length = finite ? Math.max(-1, Math.min(1, value)) * half : 0;
    for (const part of [track, bar, zero]) part.toggleAttribute("hidden", !finite);
    gap.toggleAttribute("hidden", finite);
    bar.setAttribute("class", `bar ${length < 0 ? "neg" : "pos"}`);
    bar.setAttribute("x", Math.min(cx, cx + length));
    bar.setAttribute("width", Math.abs(length) > 0.4 ? Math.abs(length) : 0);
  });
}

/** Step of the diverging scale, 0 ... 10, for a value in units of the scale's end. */
function diagramColourStep(value) {
  return Math.round((Math.max(-1, Math.min(1, value)) + 1) * 5);
}

/** A vector: one cell a unit, coloured by value, a tick in the negative ones, a frame around the cursor's unit. */
function diagramStrip(item, parent, drawing) {
  const { cells, place } = diagramCells(item, parent);
  const line = diagramElement("rect", { class: "cell-line", x: item.x - 0.5, y: item.y - 0.5, width: item.width + 1, height: item.height + 1 }, parent);
  cells.forEach((cell, unit) => {
    const bound = { symbol: item.symbol, t: item.t, unit, ready: item.ready };
    diagramOnChange(drawing, (context) => diagramRead(bound, context).value, (value) => diagramPaintCell(cell, value));
  });
  if (!item.frame) return line;
  const frame = diagramElement("rect", { class: "cell-selected", rx: 1.5 }, parent);
  diagramOnChange(drawing, ({ cursor }) => Math.min(cursor.unit ?? 0, item.count - 1), (unit) => {
    const [x, y, width, height] = place(unit);
    Object.entries({ x: x - 0.6, y: y - 0.6, width: width + 1.2, height: height + 1.2 }).forEach(([name, v]) => frame.setAttribute(name, v));
  });
  return frame;
}

function diagramCells(item, parent) {
  const room = item.across ? item.width : item.height;
  const gap = room / item.count >= 5 ? 1 : 0;
  const size = (room - gap * (item.count - 1)) / item.count;
  const place = (unit) => {
    const start = unit * (size + gap);
    return item.across ? [item.x + start, item.y, size, item.height] : [item.x, item.y + start, item.width, size];
  };
  const cells = Array.from({ length: item.count }, (_, unit) => diagramCell(place(unit), parent));
  return { cells, place };
}

function diagramCell([x, y, width, height], parent) {
  const rect = diagramElement("rect", { x, y, width, height }, parent);
  const half = Math.min(3, (width - 5) / 2);
  const room = height >= 4 && half >= 1;
  const tick = room ? diagramElement("path", { class: "cell-tick", d: `M${x + width / 2 - half} ${y + height / 2}h${2 * half}` }, parent) : null;
  return { rect, tick };
}

function diagramPaintCell({ rect, tick }, value) {
  const known = value !== undefined && !Number.isNaN(value);
  const step = known ? diagramColourStep(value) : 5;
  rect.setAttribute("class", `cell dv${step}`);
  if (!tick) return;
  tick.toggleAttribute("hidden", !(known && value < 0));
  tick.setAttribute("class", `cell-tick dvo${step}`);
}

/** Where each unit stands on an activation curve; the cursor's unit is drawn larger and on top. */
function diagramPoints(item, parent, drawing) {
  const others = Array.from({ length: item.count > 1 ? item.count : 0 }, (_, unit) => diagramPoint(item, parent, drawing, unit, 2.4));
  diagramPoint(item, parent, drawing, null, 3.6);
  return others;
}

function diagramPoint(item, parent, drawing, unit, radius) {
  const dot = diagramElement("circle", { class: unit === null ? "gl-dot" : "gl-dot2", r: radius }, parent);
  const at = (bound, context) => diagramRead({ ...bound, unit }, context).value;
  diagramOnChange(drawing, (context) => at(item.across, context), (value) => {
    dot.toggleAttribute("hidden", value === undefined || Number.isNaN(value));
    dot.setAttribute("cx", item.x + diagramReach(value, -item.span, item.span) * item.width);
  });
  diagramOnChange(drawing, (context) => at(item.up, context), (value) => {
    dot.setAttribute("cy", item.y + item.height - diagramReach(value, item.lo, item.hi) * item.height);
  });
  return dot;
}

/** How far a value is on the way from lo to hi, 0 ... 1; 0 where there is no number. */
function diagramReach(value, lo, hi) {
  return Number.isNaN(value ?? NaN) ? 0 : (Math.max(lo, Math.min(hi, value)) - lo) / (hi - lo);
}

function diagramBand(item, parent, drawing) {
  const band = diagramElement("rect", { class: "tband", rx: item.rx }, parent);
  diagramOnChange(drawing, ({ cursor }) => cursor.t, (t) => {
    const place = item.places[t];
    band.toggleAttribute("hidden", !place);
    if (place) ["x", "y", "width", "height"].forEach((name, i) => band.setAttribute(name, place[i]));
  });
  return band;
}

/** Signed bars on one common scale. A number stands outside its bar's end, a label on the other side of the axis. */
function diagramBars(item, parent, drawing) {
  const bars = item.items.map((bar) => ({
    bar,
    rect: diagramElement("rect", { class: "bar", x: bar.x - 11, width: 22, rx: 1.5 }, parent),
    number: diagramText(bar.value, parent, drawing),
    label: diagramText(bar.label, parent, drawing),
  }));
  for (const { bar, number, label } of bars) for (const line of [number, label]) line.setAttribute("x", bar.x);
  drawing.updaters.push((context) => {
    const values = bars.map(({ bar }) => diagramRead(bar.bound, context).value);
    const longest = Math.max(...values.filter(Number.isFinite).map(Math.abs), 0);
    bars.forEach((parts, i) => diagramPlaceBar(parts, longest > 0 ? diagramShare(values[i], longest) * item.reach : 0));
  });
}

function diagramShare(value, longest) {
  return Number.isNaN(value ?? NaN) ? 0 : Math.max(-1, Math.min(1, value / longest));
}

function diagramPlaceBar({ bar, rect, number, label }, height) {
  const up = height >= 0;
  const length = Math.abs(height);
  rect.setAttribute("class", `bar ${up ? "pos" : "neg"}`);
  rect.setAttribute("y", up ? bar.base - length : bar.base);
  rect.setAttribute("height", length);
  number.setAttribute("y", up ? bar.base - length - 5 : bar.base + length + 14);
  label.setAttribute("y", up ? bar.base + 14 : bar.base - 6);
}
