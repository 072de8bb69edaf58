// Numbers of a run: which one a binding names, how it is printed, and how it is told to a reader of the page.
// The files of this folder are joined into one module; every name at top level starts with `diagram` or `trace`,
// apart from createDiagram, createTraces and formatNumber.

const DIAGRAM_MINUS = "\u2212";

/** A number as the diagrams print it: `digits` significant ones, true minus, never wider than 9 characters for 3. */
function formatNumber(x, digits = 3) {
  if (x === undefined || x === null) return "\u2013";
  if (Number.isNaN(x)) return "NaN";
  if (!Number.isFinite(x)) return x > 0 ? "\u221e" : DIAGRAM_MINUS + "\u221e";
  if (x === 0) return "0";
  const sign = x < 0 ? DIAGRAM_MINUS : "";
  const [mantissa, exponent] = diagramRound(Math.abs(x), digits);
  if (exponent >= -3 && exponent < 3) {
    return sign + (Number(mantissa) * 10 ** exponent).toFixed(Math.max(0, digits - 1 - exponent));
  }
  const [short, power] = diagramRound(Math.abs(x), 2);
  return `${sign}${short}e${power < 0 ? DIAGRAM_MINUS : "+"}${Math.abs(power)}`;
}

/** Mantissa (text) and exponent of x > 0 rounded to `digits`; ties go to the even digit, as NumPy and Python print them. */
function diagramRound(x, digits) {
  const [mantissa, exponent] = x.toExponential(digits - 1).split("e");
  const exact = x.toExponential(digits + 30).split("e")[0];
  const tie = /^50*$/.test(exact.slice(digits + 1)) && digits > 1;
  if (!tie) return [mantissa, Number(exponent)];
  const truncated = exact.slice(0, digits + 1);
  return Number(truncated.at(-1)) % 2 === 0 ? [truncated, Number(x.toExponential(digits + 30).split("e")[1])] : [mantissa, Number(exponent)];
}

/** The shortest text that reads back as the same float64. */
function diagramExact(x) {
  if (Number.isNaN(x)) return "nan";
  if (!Number.isFinite(x)) return x > 0 ? "inf" : "-inf";
  return Object.is(x, -0) ? "-0" : String(x);
}

function diagramArray(arrays, symbol) {
  return arrays instanceof Map ? arrays.get(symbol) : arrays?.[symbol];
}

/** The step a binding speaks of, once the cursor is known. */
function diagramStep(t, cursor) {
  return typeof t === "number" ? t : cursor.t + t.rel;
}

/** One entry of an array, or undefined where there is none. */
function diagramEntry(array, t, unit) {
  if (!array) return undefined;
  const [steps, units] = array.shape;
  const row = t - array.t0;
  return row >= 0 && row < steps && unit >= 0 && unit < units ? array.data[row * units + unit] : undefined;
}

/** The unit a binding speaks of: its own, the class that another array holds at this step, or the cursor's. */
function diagramUnit(bound, t, arrays, cursor) {
  if (typeof bound.unit === "number") return bound.unit;
  if (bound.unit?.from) return diagramEntry(diagramArray(arrays, bound.unit.from), t, 0) ?? 0;
  const width = diagramArray(arrays, bound.symbol)?.shape[1] ?? 1;
  return Math.max(0, Math.min(cursor.unit ?? 0, width - 1));
}

/** Where a binding points and what stands there. */
function diagramRead(bound, { arrays, cursor }) {
  const t = diagramStep(bound.t, cursor);
  const unit = diagramUnit(bound, t, arrays, cursor);
  const value = diagramIsLater(bound.ready, cursor) ? undefined : diagramEntry(diagramArray(arrays, bound.symbol), t, unit);
  return { symbol: bound.symbol, t, unit, value };
}

/** Whether something that is there from the sub-step `ready` on is not there yet; 0 is the whole step at once. */
function diagramIsLater(ready, { substep, t }) {
  return substep > 0 && t > 0 && ready > substep;
}

/** The text of a run. */
function diagramRunText(run, context, digits = 3) {
  if ("text" in run) return run.text;
  if (run.said) return surgerySaid(run, context, digits);
  if (run.glyphs) return run.glyphs[diagramStep(run.t, context.cursor) - 1] ?? "\u2013";
  if (run.char) return s2sCharacter(diagramRead(run.char, context).value);
  if (run.share) return s2sShare(diagramRead(run.share, context).value, run.tight);
  if (run.value) return formatNumber(diagramRead(run.value, context).value, run.digits ?? digits);
  if (run.step) return diagramSigned(diagramStep(run.step, context.cursor));
  return String((context.cursor.unit ?? 0) + 1);
}

function diagramSigned(k) {
  return k < 0 ? DIAGRAM_MINUS + -k : String(k);
}

function diagramPlain(runs, context, digits = 3) {
  return runs.map((run) => diagramRunText(run, context, digits)).join("").replace(/\s+/g, " ");
}

/** Keep an element's readout attributes in step with what it shows; an en dash for missing data is no readout. */
function diagramMarkReadout(element, read) {
  const known = read.value !== undefined;
  element.classList.toggle("readout", known);
  const marks = { symbol: read.symbol, t: read.t, unit: read.unit, value: known ? diagramExact(read.value) : undefined };
  for (const [name, mark] of Object.entries(marks)) {
    if (mark === undefined) element.removeAttribute(`data-${name}`);
    else element.setAttribute(`data-${name}`, mark);
  }
}

function diagramSameRead(a, b) {
  return a !== null && Object.is(a.value, b.value) && a.t === b.t && a.unit === b.unit;
}
