// Small multiples: one quantity of the cursor's unit against time, each with its number in the caption.
//
//   const traces = createTraces(host, { onTime(t) }, [{ symbol, label, role, lo, hi, name }]);     label: runs as in a scene
//   traces.update(arrays, cursor);          traces.setSeries(series) draws others
//
// A figure is drawn as wide as its column, so that its letters keep their size.
// A series has a fixed range lo ... hi; without one it takes the smallest of +-1, 2, 5, 10, 20, ... that holds its run.

const TRACE = { width: 160, height: 88, top: 29, bottom: 81, left: 22, margin: 6, edge: 18 };
const TRACE_MOST_DOTS = 26;

function createTraces(host, handlers = {}, series = []) {
  const view = { host, handlers, series, width: TRACE.width, drawing: null, context: null };
  const resize = new ResizeObserver(() => traceFit(view));
  traceDraw(view);
  resize.observe(host);
  return {
    setSeries(others) {
      if (traceRelabel(view, others)) return;
      view.series = others;
      traceDraw(view);
      traceFit(view);
    },
    update(arrays, cursor) {
      view.context = { arrays, cursor, width: view.width };
      traceAssign(view);
    },
    destroy() {
      resize.disconnect();
      host.replaceChildren();
    },
  };
}

function traceDraw(view) {
  view.drawing = { updaters: [], nodes: [], captions: [], width: view.width };
  if (view.context) view.context.width = view.width;
  view.host.replaceChildren(...view.series.map((one) => traceFigure(view, one)));
  traceAssign(view);
}

/** Another width of the columns: the figures are drawn again. */
function traceFit(view) {
  const width = Math.round(view.host.firstElementChild?.getBoundingClientRect().width ?? 0);
  if (!width || width === view.width) return;
  view.width = width;
  traceDraw(view);
}

function traceAssign(view) {
  if (view.context && view.drawing) for (const update of view.drawing.updaters) update(view.context);
}

function traceFigure(view, series) {
  const svg = diagramElement("svg", { class: `fig trace r-${series.role}`, viewBox: `0 0 ${view.width} ${TRACE.height}`, role: "img" });
  traceCaption(svg, series, view.drawing);
  traceFrame(svg, series, view.drawing);
  surgeryTrace(svg, series, view.drawing);
  traceCurve(svg, series, view.drawing);
  traceCursor(svg, series, view.drawing);
  diagramOnChange(view.drawing, (context) => traceSummary(series, context), (text) => svg.setAttribute("aria-label", text));
  traceListen(svg, view);
  return svg;
}

function traceCaption(svg, series, drawing) {
  drawing.captions.push(diagramRecord(traceCaptionItem(series), svg, drawing));
  const number = { value: traceBinding(series, { rel: 0 }), class: "num b", size: 13 };
  diagramText({ x: drawing.width, y: 13, anchor: "end", class: "", runs: [number] }, svg, drawing);
}

function traceCaptionItem(series) {
  const name = { text: `  ${series.name}`, class: "txt ink2", size: 12.6 };
  return { kind: "text", x: 0, y: 13, anchor: "start", class: "rt", runs: [...traceLabel(series), name] };
}

/** The same series with other letters: only their captions change. Says whether they are the same. */
function traceRelabel(view, others) {
  const bare = (series) => JSON.stringify(series.map(({ label, ...rest }) => rest));
  if (bare(others) !== bare(view.series)) return false;
  view.series = others;
  diagramMoveAll(view.drawing.captions, others.map(traceCaptionItem));
  traceAssign(view);
  return true;
}

/** The letter of a series: its runs, or the symbol itself. */
function traceLabel(series) {
  return series.label ?? [{ text: series.symbol, class: "sym", size: 16 }];
}

function traceBinding(series, t) {
  return { symbol: series.symbol, t, unit: null };
}

function traceSummary(series, context) {
  const { t, value } = diagramRead(traceBinding(series, { rel: 0 }), context);
  return `${series.name} over ${context.cursor.T} steps; at step ${t} it is ${formatNumber(value)}`;
}

/** The values of the cursor's unit at steps 1 ... T. */
function traceValues(series, context) {
  return Array.from({ length: context.cursor.T }, (_, i) => diagramRead(traceBinding(series, i + 1), context).value ?? NaN);
}

/** Lowest and highest value of the axis. */
function traceRange(series, context) {
  if (series.lo != null && series.hi != null) return [series.lo, series.hi];
  const longest = Math.max(1, ...[...traceValues(series, context), ...traceValues(surgeryGhost(series), context)].filter(Number.isFinite).map(Math.abs));
  const power = 10 ** Math.floor(Math.log10(longest));
  const hi = [1, 2, 5, 10].map((k) => k * power).find((bound) => bound >= longest) ?? longest;
  return [-hi, hi];
}

function traceX(t, { cursor, width }) {
  const right = width - TRACE.margin;
  return cursor.T > 1 ? TRACE.left + ((t - 1) / (cursor.T - 1)) * (right - TRACE.left) : (TRACE.left + right) / 2;
}

function traceY(value, [lo, hi]) {
  const clipped = Math.max(lo, Math.min(hi, value));
  return TRACE.bottom - ((clipped - lo) / (hi - lo)) * (TRACE.bottom - TRACE.top);
}

/** Lines and numbers at the ends of the range and at 0. */
function traceFrame(svg, series, drawing) {
  const axis = diagramElement("path", { class: "axis" }, svg);
  for (const pick of [([lo]) => lo, () => 0, ([, hi]) => hi]) {
    const line = diagramElement("path", { class: "gridl" }, svg);
    const label = diagramElement("text", { class: "mut", x: 12, "text-anchor": "end", "font-size": 12.6 }, svg);
    diagramOnChange(drawing, (context) => traceRange(series, context).join(), (range) => {
      const [lo, hi] = range.split(",").map(Number);
      const y = traceY(pick([lo, hi]), [lo, hi]);
      line.setAttribute("d", `M${TRACE.edge} ${y}H${drawing.width}`);
      label.setAttribute("y", y + 4);
      label.textContent = traceTick(pick([lo, hi]));
      label.toggleAttribute("hidden", pick([lo, hi]) === 0 && pick([1, 2]) === 0 && lo === 0);
      if (pick([1, 2]) === 0) axis.setAttribute("d", `M${TRACE.edge} ${y}H${drawing.width}`);
    });
  }
}

function traceTick(value) {
  const text = Math.abs(value) < 1000 ? String(Math.abs(value)) : Math.abs(value).toExponential(0).replace("+", "");
  return value < 0 ? DIAGRAM_MINUS + text : text;
}

function traceCurve(svg, series, drawing) {
  const path = diagramElement("path", { class: "trace-line" }, svg);
  const dots = diagramElement("g", {}, svg);
  diagramOnChange(drawing, (context) => tracePoints(series, context).map((p) => p?.map((v) => v.toFixed(2)).join(" ") ?? "").join("|"), (text) => {
    const points = text.split("|");
    path.setAttribute("d", points.map((p, i) => p && `${points[i - 1] ? "L" : "M"}${p}`).join(""));
    traceDots(dots, points.length <= TRACE_MOST_DOTS ? points.filter(Boolean) : []);
  });
}

/** One point a step, null where there is no number. */
function tracePoints(series, context) {
  const range = traceRange(series, context);
  return traceValues(series, context).map((value, i) => (Number.isNaN(value) ? null : [traceX(i + 1, context), traceY(value, range)]));
}

function traceDots(group, points) {
  while (group.childElementCount > points.length) group.lastChild.remove();
  while (group.childElementCount < points.length) diagramElement("circle", { class: "dot", r: 2.2 }, group);
  points.forEach((point, i) => {
    const [x, y] = point.split(" ");
    group.children[i].setAttribute("cx", x);
    group.children[i].setAttribute("cy", y);
  });
}

/** The gold line of the current step and the open circle on the curve. */
function traceCursor(svg, series, drawing) {
  const line = diagramElement("path", { class: "tline" }, svg);
  const circle = diagramElement("circle", { class: "trace-here", r: 5 }, svg);
  drawing.updaters.push((context) => {
    const { t, T } = context.cursor;
    const point = t >= 1 && t <= T ? tracePoints(series, context)[t - 1] : null;
    line.toggleAttribute("hidden", t < 1 || t > T);
    circle.toggleAttribute("hidden", !point);
    line.setAttribute("d", `M${traceX(t, context)} 22V${TRACE.height}`);
    if (point) for (const [name, i] of [["cx", 0], ["cy", 1]]) circle.setAttribute(name, point[i]);
  });
  svg.insertBefore(line, svg.querySelector(".trace-line"));
}

function traceListen(svg, view) {
  const goTo = (event) => {
    const { left, width } = svg.getBoundingClientRect();
    const x = ((event.clientX - left) / width) * view.width;
    const { cursor } = view.context;
    const t = 1 + Math.round(((x - TRACE.left) / (view.width - TRACE.margin - TRACE.left)) * (cursor.T - 1));
    const within = Math.max(1, Math.min(cursor.T, t));
    if (within !== cursor.t) view.handlers.onTime?.(within);
  };
  svg.addEventListener("pointerdown", (event) => {
    if (!view.context || event.button !== 0) return;
    svg.setPointerCapture(event.pointerId);
    goTo(event);
  });
  svg.addEventListener("pointermove", (event) => svg.hasPointerCapture(event.pointerId) && goTo(event));
}
