// What an operation leaves on diagrams and traces. Built with the scene, hidden until the arrays of a run say otherwise:
// `clamped_f` … 1 where a gate is held, `cut` 1 where the recurrent weights are cut, `edited` 1 changed, 2 deleted, and the
// untouched run under `ghost_` names.

const SURGERY_PIN = "M0-6.5a3.2 3.2 0 1 1 0 6.4a3.2 3.2 0 1 1 0-6.4zM0-.1V5.5";

const surgeryGhost = (bound) => ({ ...bound, symbol: `ghost_${bound.symbol}` });

/** The number of the untouched run, where there is one and it differs. */
function surgeryWasRead(bound, context) {
  const ghost = diagramRead(surgeryGhost(bound), context);
  const changed = ghost.value !== undefined && !Object.is(ghost.value, diagramRead(bound, context).value);
  return changed ? ghost : { ...ghost, value: undefined };
}

/** "was 0.712": a line that is there only beside a number that has changed. */
function surgeryWas(item, parent, drawing) {
  const anchor = item.anchor === "start" ? "" : item.anchor;
  const line = diagramElement("text", { class: item.inside ? "was" : "was over", x: item.x, y: item.y, "text-anchor": anchor }, parent);
  const word = diagramElement("tspan", {}, line), number = diagramElement("tspan", { class: "num" }, line);
  word.textContent = "was ";
  let last = null;
  drawing.updaters.push((context) => {
    const read = surgeryWasRead(item.value, context);
    if (diagramSameRead(last, read)) return;
    last = read;
    line.toggleAttribute("hidden", read.value === undefined);
    number.textContent = read.value === undefined ? "" : formatNumber(read.value);
    diagramMarkReadout(number, read);
  });
  return line;
}

/** A small pill with an icon and a word on a node's border. */
function surgeryBadge(item, parent, path) {
  const badge = diagramElement("g", { class: "badge", transform: `translate(${item.x} ${item.y})` }, parent);
  badge.setAttribute("hidden", "");
  const rect = diagramElement("rect", { class: "pill", x: 0, y: -8, height: 16, rx: 8 }, badge);
  diagramElement("path", { class: "badge-icon", d: path, transform: "translate(11 0.5)" }, badge);
  const text = diagramElement("text", { class: "pill", x: 18, y: 4, "font-size": 12 }, badge);
  return (words) => {
    badge.toggleAttribute("hidden", !words);
    text.textContent = words;
    rect.setAttribute("width", 25 + 6.5 * words.length);
  };
}

/** How many units of a gate are held at the cursor's step, and whether the selected one is. */
function surgeryHeld(bound, context) {
  const array = diagramArray(context.arrays, bound.symbol), { t, value } = diagramRead(bound, context);
  const n = array?.shape[1] ?? 0;
  const count = Array.from({ length: n }, (_, unit) => diagramEntry(array, t, unit) ?? 0).reduce((sum, held) => sum + held, 0);
  return { n, count, selected: value === 1 };
}

function surgeryHeldWords({ n, count, selected }) {
  if (!count) return "";
  return selected ? "clamped" : `${count} of ${n}`;
}

function surgeryPin(item, parent, drawing) {
  const show = surgeryBadge(item, parent, SURGERY_PIN);
  diagramOnChange(drawing, (context) => surgeryHeldWords(surgeryHeld(item.mark, context)), (words) => {
    show(words);
    drawing.root.nodes.find((node) => node.item.id === item.node).group.classList.toggle("clamped", words === "clamped");
  });
}

const SURGERY_EDITED = ["", "changed", "deleted"];
const surgeryEdit = (bound, context) => SURGERY_EDITED[surgeryAny(bound, context)];

/** The strongest mark among the components of an input. */
function surgeryAny(bound, context) {
  const array = diagramArray(context.arrays, bound.symbol), t = diagramStep(bound.t, context.cursor);
  return Math.max(0, ...Array.from({ length: array?.shape[1] ?? 0 }, (_, unit) => diagramEntry(array, t, unit) ?? 0));
}

function surgeryEdited(item, parent, drawing) {
  const show = surgeryBadge(item, parent, "M-3.5 4.5 3-3l1.5 1.5L-2 6zM-3.5 4.5-4.5 6.5");
  diagramOnChange(drawing, (context) => surgeryEdit(item.mark, context) ?? "", show);
}

/** Two bars across the strand of h, and the strand beyond them steps back. */
function surgeryCut(item, parent, drawing) {
  const mark = diagramElement("g", { class: "cut-mark", transform: `translate(${item.x} ${item.y}) rotate(${item.turn})` }, parent);
  diagramElement("rect", { class: "cut-gap", x: -3, y: -5, width: 6, height: 10 }, mark);
  diagramElement("path", { class: "cut", d: "M-3.5-9v18M3.5-9v18" }, mark);
  diagramOnChange(drawing, (context) => diagramRead(item.mark, context).value === 1, (cut) => {
    mark.toggleAttribute("hidden", !cut);
    mark.ownerSVGElement?.toggleAttribute("data-cut", cut);
  });
}

/** What a node's accessible name says of it. */
function surgerySaid({ said, mark: of }, context, digits) {
  if (said === "was") {
    const { value } = surgeryWasRead(of, context);
    return value === undefined ? "" : `, was ${formatNumber(value, digits)}`;
  }
  if (said === "cut") return diagramRead(of, context).value === 1 ? ", cut: the recurrent weights see 0" : "";
  if (said === "edited") return surgeryEdit(of, context) ? `, ${surgeryEdit(of, context)}` : "";
  const { n, count, selected } = surgeryHeld(of, context);
  if (!count) return "";
  return selected ? ", clamped" : `, ${count} of ${n} units clamped`;
}

/** The untouched run as a dashed line under the live one. */
function surgeryTrace(svg, series, drawing) {
  const path = diagramElement("path", { class: "trace-ghost" }, svg), ghost = { ...surgeryGhost(series), lo: series.lo, hi: series.hi };
  const points = (context) => {
    if (!diagramArray(context.arrays, ghost.symbol)) return "";
    const range = traceRange(series, context);
    return traceValues(ghost, context).map((value, i) => (Number.isNaN(value) ? "" : `${traceX(i + 1, context).toFixed(2)} ${traceY(value, range).toFixed(2)}`)).join("|");
  };
  diagramOnChange(drawing, points, (text) => {
    const places = text.split("|");
    path.toggleAttribute("hidden", !text);
    path.setAttribute("d", places.map((p, i) => p && `${places[i - 1] ? "L" : "M"}${p}`).join(""));
  });
}
