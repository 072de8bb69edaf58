"""What a diagram is made of: a scene of plain dicts, drawn once by `assets/js/diagram.js`.

A scene holds geometry and bindings, never numbers of a run. The browser draws it once and then only
assigns the values that the bindings name.

scene   {id, variant, width, height, max_width, label, layers}
        `label` is the accessible name (a list of runs); `layers` maps each name of `LAYERS`, in drawing
        order, to a list of elements. Lengths are CSS pixels at scale 1.

binding {symbol, t, unit}
        symbol  name of an array (`h c x f i o z r g a af ai ao az ar ag y target L dh dy fc ig tc keep zh zg rh uh
                dh_out dh_next dW dW_sum`)
        t       a step, or {"rel": k}: k steps after the cursor
        unit    a unit; None: the cursor's unit, never past the array's width; {"from": "target"}: the class that
                this array holds at the same step

run     a piece of text: one of
          text    fixed text
          value   a binding; shown as a number, a readout
          char    a binding whose number is a code point: shown as that character
          share   a binding; shown with two decimals, a readout
          glyphs  texts by step (first one is step 1) with `t`; with `value` too, the glyph is shown for the number
          step    the number of the step `t`, where t is {"rel": k}
          unit    the number of the cursor's unit, counted from 1
        and `class`, `size`, `dx`, `dy` (relative, as SVG has it), `small` [longest, size]: a smaller size for
        strings of more than `longest` characters.

element {kind, ...}; with any of them `lit`: the steps of the cursor at which it has the class `lit`
        shape   tag, attrs                       a path, rect or circle as it stands
        text    x, y, anchor, class, runs, current: bold while the cursor is on that step
        node    id, class, x, y, children, name (runs), select (a binding)
        bar     cx, y, half, value               zero-centred, full at |v| = 1
        strip   x, y, width, height, across, symbol, t, count, frame: the cursor's unit is framed
        points  x, y, width, height, lo, hi, span, across, up, count
                operating points (across, up) of `count` units on an activation curve over -span ... span
        band    places {step: [x, y, w, h]}, rx  the gold mark of the current step
        units   x, y, width, height, across, symbol, t, count
                a vector of many units, without gaps
        attend  x, y, to, bound                  a wire whose width and teal say a share
        shade   bound                            gives the node that it stands in the teal of a share
        mark    places {unit: [x, y, w, h]}, rx, class
                a frame that follows the cursor's unit
        differs x, y, width, height, t           the pill of what step t reads
        bars    reach, items [{x, base, value, label, strong}]
                signed bars on one common scale, the longest `reach` long

An element drawn inside `Scene.carrying(...)` has `of`, the vector that it carries; `stages.staged` makes of it `stage`
{ready, lit}: the sub-step from which on it is there, and those that light it. A binding with `ready` is empty before.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

Element = dict[str, Any]
Run = dict[str, Any]
When = int | dict[str, int]

LAYERS = ("back", "band", "halo", "wire", "head", "dot", "pill", "node", "label")

MINUS = "\N{MINUS SIGN}"
SIGMA = "\N{GREEK SMALL LETTER SIGMA}"
DOT = "\N{THIN SPACE}\N{MIDDLE DOT}\N{THIN SPACE}"
PARTIAL = "\N{PARTIAL DIFFERENTIAL}"

# Unicode subscripts and `baseline-shift` are not drawn alike everywhere, so a subscript is a smaller run, dropped.
SUBSCRIPT_SIZE, SUBSCRIPT_DROP, SUPERSCRIPT_RISE = 0.72, 0.28, 0.40

# By letter: how far the tilde is raised, moved back over the letter, and the line moved on after it, in em.
TILDES = {"c": (-0.06, -0.3285, -0.0845), "h": (-0.26, -0.44, 0.03)}


@dataclass
class Scene:
    """Elements by layer; `to_dict` is what the browser gets."""

    id: str
    variant: str
    width: float
    height: float
    label: list[Run]
    max_width: float | None = None
    layers: dict[str, list[Element]] = field(default_factory=lambda: {name: [] for name in LAYERS})
    carried: dict[str, Any] | None = None

    def add(self, layer: str, *elements: Element) -> None:
        """Put elements on a layer, over those already there."""
        marked = elements if self.carried is None else [element | {"of": self.carried} for element in elements]
        self.layers[layer].extend(marked)

    @contextmanager
    def carrying(self, symbol: str | None, lag: int = 0, into: str | tuple[str, ...] = ()) -> Iterator[None]:
        """What is drawn inside carries this vector, of this step or with lag -1 of the one before.

        `into` names what it leads to: layers, or the vectors made there; without it, all that take it. A symbol
        None stands for every vector that the step starts from: the trunk.
        """
        before, self.carried = self.carried, {"symbol": symbol, "lag": lag, "into": list(into)}
        yield
        self.carried = before

    def to_dict(self) -> dict[str, Any]:
        """The scene as JSON has it."""
        return {
            "id": self.id,
            "variant": self.variant,
            "width": self.width,
            "height": self.height,
            "max_width": self.max_width or self.width,
            "label": self.label,
            "layers": self.layers,
        }


def rel(offset: int) -> dict[str, int]:
    """The step `offset` steps after the time cursor."""
    return {"rel": offset}


def binding(symbol: str, t: When, unit: int | dict[str, str] | None = None) -> dict[str, Any]:
    """One number of a run."""
    return {"symbol": symbol, "t": t, "unit": unit}


def words(text: str, size: float = 13, style: str = "txt") -> list[Run]:
    """Fixed text."""
    return [{"text": text, "class": style, "size": size}]


def value(
    bound: dict[str, Any], size: float = 13, style: str = "num", small: tuple[int, float] | None = None
) -> list[Run]:
    """The number of a binding."""
    run: Run = {"value": bound, "class": style, "size": size}
    return [run | {"small": list(small)}] if small else [run]


def step_number(t: When, size: float, style: str) -> Run:
    """The number of step t: fixed, or moving with the cursor."""
    run: Run = {"class": style, "size": size}
    return run | ({"step": t} if isinstance(t, dict) else {"text": str(t)})


def symbol(
    base: str, t: When | None = None, sub: str | None = None, size: float = 16, sup: str | None = None
) -> list[Run]:
    """A variable as printed: italic letter, dropped subscript (`sub`, then the step); base "c~" is c with a tilde."""
    runs = with_tilde(base[0], size) if base.endswith("~") else [{"text": base, "class": "sym", "size": size}]
    small, drop = round(size * SUBSCRIPT_SIZE, 2), round(size * SUBSCRIPT_DROP, 2)
    if sub is not None:
        runs.append({"text": sub, "class": "sym sub", "size": small, "shift": drop})
    if t is not None:
        runs.append(step_number(t, small, "sym sub") | {"shift": drop})
    if sup is not None:
        back = 0 if sub is None and t is None else -round(0.34 * size, 2)  # over the subscript
        runs.append(
            {"text": sup, "class": "sym sub", "size": small, "shift": -round(size * SUPERSCRIPT_RISE, 2), "dx": back}
        )
    return runs


def with_tilde(letter: str, size: float) -> list[Run]:
    """A letter with a tilde moved back over it: the combining tilde falls to another font on some systems.

    In the mathematics fonts c is 0.444 em, h 0.5 em and the tilde 0.333 em wide; the rest follows the slant.
    """
    shift, back, forward = TILDES[letter]
    return [
        {"text": letter, "class": "sym", "size": size},
        {
            "text": "\N{SMALL TILDE}",
            "class": "acc",
            "size": size,
            "shift": round(shift * size, 2),
            "dx": round(back * size, 2),
            "spoken": "\N{COMBINING TILDE}",
        },
        {"text": "\N{HAIR SPACE}", "class": "sym", "size": size, "dx": round(forward * size, 2), "spoken": ""},
    ]


def spoken(runs: list[Run]) -> list[Run]:
    """The same runs without their looks, as an accessible name has them."""
    keep = ("value", "step", "unit", "glyphs", "t")
    return [
        {"text": run.get("spoken", run["text"])} if "text" in run else {k: run[k] for k in keep if k in run}
        for run in runs
    ]


def text(
    x: float, y: float, runs: list[Run], anchor: str = "start", style: str = "", *, current: int | None = None
) -> Element:
    """A line of text on the baseline y."""
    element: Element = {
        "kind": "text",
        "x": round(x, 2),
        "y": round(y, 2),
        "anchor": anchor,
        "class": style,
        "runs": line_runs(runs),
    }
    return element if current is None else element | {"current": current}


def line_runs(runs: list[Run]) -> list[Run]:
    """Turn each run's absolute shift into SVG's dy, which adds up along the line."""
    out, height = [], 0.0
    for run in runs:
        shift = run.get("shift", 0.0)
        looks = {k: v for k, v in run.items() if k not in ("shift", "spoken")}
        out.append(looks if shift == height else looks | {"dy": round(shift - height, 2)})
        height = shift
    return out


def shape(tag: str, **attrs: Any) -> Element:
    """A path, rect or circle; `style` is its class, the other names are SVG's with - written _."""
    named = {"class": attrs.pop("style", "")} | {name.replace("_", "-"): v for name, v in attrs.items()}
    return {
        "kind": "shape",
        "tag": tag,
        "attrs": {k: round(v, 2) if isinstance(v, float) else v for k, v in named.items()},
    }
