"""The matrix under the loom: row t is loss t, column k stands under state k; as a filled scene.

The twin of `assets/js/loom_matrix.js` without what a pointer does; the geometry comes with the loom's scene.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...diagrams.scene import Element, Run, shape, symbol, text, words
from .filled import Scene
from .loom import Lights
from .read import Numbers, number_text

SCALE_STEPS = 9
#: Few fonts have a double bar.
NORM = "||"


@dataclass(frozen=True)
class LoomMatrix:
    """The geometry of the matrix, and the numbers and lights of its loom."""

    scene: Mapping[str, Any]
    numbers: Numbers

    @cached_property
    def given(self) -> Mapping[str, Any]:
        geometry: Mapping[str, Any] = self.scene["matrix"]
        return geometry

    @cached_property
    def lights(self) -> Lights:
        return Lights(self.numbers)

    @cached_property
    def columns(self) -> list[float]:
        return list(self.given["columns"])

    @cached_property
    def T(self) -> int:
        return len(self.columns)

    @cached_property
    def facts(self) -> dict[str, float]:
        names = ("signed", "window", "low", "high")
        return {name: self.numbers.entry("loom_facts", 0, i) or 0.0 for i, name in enumerate(names)}

    @cached_property
    def bottom(self) -> float:
        return float(self.given["top"] + self.T * self.given["row"] + 6)

    @cached_property
    def height(self) -> float:
        foot = (42 if self.given["numbers"] else 12) + (0 if self.given["scale"][2] else 44)
        return float(self.bottom - 6 + foot)

    def place(self, t: int, k: int) -> list[float]:
        """Left, top, width and height of a cell."""
        (wide, high), row = self.given["cell"], self.given["row"]
        return [self.columns[k - 1] - wide / 2, self.given["top"] + row * (t - 1) + (row - high) / 2, wide, high]

    def middle(self, t: int) -> float:
        """Height of a row's middle."""
        return float(self.given["top"] + self.given["row"] * (t - 0.5))

    def waits(self, k: int) -> bool:
        """Whether the way back has not come to state k."""
        return k < self.lights.back


def matrix_scene(scene: Mapping[str, Any], numbers: Numbers) -> Scene:
    """The matrix of a loom's scene in the state of its numbers."""
    matrix = LoomMatrix(scene, numbers)
    dense = " dense" if matrix.given["every"] > 1 else ""
    layers = {
        "band": list(_band(matrix)),
        "wire": [*_labels(matrix), *_threads(matrix), *_sums(matrix), *_scale(matrix)],
        "node": [_cell(matrix, t, k) for k in range(1, matrix.T + 1) for t in range(k, matrix.T + 1)],
        "label": [*_ticks(matrix), *_cuts(matrix), *_frames(matrix)],
    }
    label = f"Matrix of gradients over {matrix.T} steps: rows are losses, columns are states."
    size = {"width": matrix.given["width"], "height": matrix.height, "max_width": matrix.given["width"]}
    return {"id": "loom-matrix", "variant": scene["variant"], **size, "label": label,
            "looks": {"data-loom": f"loom-matrix{dense}"}, "layers": layers}  # fmt: skip


# --- labels ----------------------------------------------------------------------------------


def _band(matrix: LoomMatrix) -> Iterator[Element]:
    k = matrix.lights.place[1] or matrix.lights.k
    if not 0 < k <= matrix.T:
        return
    given, x, numbered = matrix.given, matrix.columns[k - 1], matrix.given["numbers"]
    pitch = matrix.columns[1] - matrix.columns[0] if matrix.T > 1 else 148
    width = min(given["cell"][0] + 12, pitch - 2) if numbered else pitch
    top, more = (-12, 12) if given["scale"][2] else (2, -2)
    place = [x - width / 2, top, width, more + matrix.bottom + (32 if numbered else 4)]
    yield {"kind": "band", "place": place, "rx": 10}


def _labels(matrix: LoomMatrix) -> Iterator[Element]:
    """Names of rows and columns, every one or every fifth."""
    given, wide, lights = matrix.given, matrix.given["scale"][2], matrix.lights
    every, top = given["every"], given["top"]
    yield shape("path", style="gridl", d=f"M0 {top - 38}H{given['width']}")
    if wide:
        corner = symbol("k", size=15) if every > 1 else words("source", 12.5)
        yield text(given["label"], top - 16, corner, style="ink2")
    for i in (i for i in range(1, matrix.T + 1) if i == 1 or i % every == 0):
        now = {"k": " current" if i == lights.k else "", "t": " current" if i == lights.t else ""}
        yield text(matrix.columns[i - 1], top - 16, _head(matrix, i), "middle", f"step-label{now['k']}")
        size = 15 if given["numbers"] or not wide else 13
        yield text(given["label"], matrix.middle(i) + 5, symbol("L", i, size=size), style=f"step-label{now['t']}")


def _head(matrix: LoomMatrix, k: int) -> list[Run]:
    if matrix.given["every"] > 1:
        return words(str(k))
    if matrix.given["scale"][2] and matrix.T < 10:
        return [*symbol("k", size=15), *words(f" = {k}")]
    return symbol("h", k, size=15)


def _threads(matrix: LoomMatrix) -> Iterator[Element]:
    """The ways back between the cells of a row: where cells stand apart they are arrows."""
    wide, lights = matrix.given["cell"][0], matrix.lights
    if matrix.T < 2 or matrix.columns[1] - matrix.columns[0] - wide < 14:
        return
    for t in range(2, matrix.T + 1):
        for k in range(t - 1, 0, -1):
            y, start, end = matrix.middle(t), matrix.columns[k] - wide / 2, matrix.columns[k - 1] + wide / 2 + 1
            on = " on" if t == lights.t and lights.k <= k < t else ""
            line = f"M{start:.2f} {y:.2f}H{end:.2f}"
            yield shape("path", style=f"loom-halo{on}", d=line)
            yield shape("path", style=f"wire bwd{on}", d=line)
            head = f"M{end + 6.5:.2f} {y - 4.5:.2f}L{end:.2f} {y:.2f}L{end + 6.5:.2f} {y + 4.5:.2f}"
            yield shape("path", style=f"wire bwd chev{on}", d=head)


# --- cells -----------------------------------------------------------------------------------


def _cell(matrix: LoomMatrix, t: int, k: int) -> Element:
    """log10 of the size of what loss t sends to state k, on the teal of its size; past the window it is cut."""
    numbered = matrix.given["numbers"]
    size = matrix.numbers.entry("contribution", t, k)
    kept = t - k < matrix.facts["window"]
    x, y, width, height = matrix.place(t, k)
    box = {"x": float(x), "y": float(y), "width": float(width), "height": float(height), "rx": 3 if numbered else 1}
    waits = {"fill": "var(--surface)", "stroke": "var(--border)", "stroke_dasharray": "3 3"}
    children = [shape("rect", **box, **waits) if matrix.waits(k) else shape("rect", style="shape", **box)]
    if numbered and size is not None and not matrix.waits(k):
        children.append(_number(matrix, t, k, size))
    style = f"node k-mcell {'' if kept else 'off '}{_teal(matrix, size)}"
    return {"kind": "node", "id": f"L{t}h{k}", "class": style, "x": x + width / 2, "y": y + height / 2,
            "name": f"{number_text(size)}, log10 of the gradient of L{t} at h{k}", "children": children}  # fmt: skip


def _number(matrix: LoomMatrix, t: int, k: int, size: float) -> Element:
    x, y, width, height = matrix.place(t, k)
    shown, font = number_text(size), matrix.given["font"]
    long = len(shown) > 6 and width < 60
    small = min(font, 12 if matrix.given["scale"][2] else 11.5)
    readout = {"symbol": "contribution", "t": t, "unit": k, "value": size}
    run: Run = {"text": shown, "class": "num", "size": small if long else font, "readout": readout}
    return text(x + width / 2, y + height / 2 + 4.6, [run], "middle", "long" if long else "")


def _teal(matrix: LoomMatrix, size: float | None) -> str:
    low, high = matrix.facts["low"], matrix.facts["high"]
    if size is None or not math.isfinite(size):
        return "none"
    return f"q{math.floor(8 * max(0.0, min(1.0, (size - low) / (high - low))) + 0.5)}"


def _ticks(matrix: LoomMatrix) -> Iterator[Element]:
    """Where the derivative is one number, a tick in the cells in which it is negative."""
    for k in range(1, matrix.T + 1) if matrix.facts["signed"] else ():
        drawn = {"light": "", "dark": "", "off": ""}
        for t in range(k, matrix.T + 1):
            value = matrix.numbers.entry("chain_value", t, k)
            if value is not None and value < 0 and not matrix.waits(k):
                drawn[_tick_style(matrix, t, k)] += _tick(matrix, t, k)
        yield from (shape("path", style=f"loom-ticks {style}", d=path) for style, path in drawn.items() if path)


def _tick_style(matrix: LoomMatrix, t: int, k: int) -> str:
    if t - k >= matrix.facts["window"]:
        return "off"
    return "light" if _teal(matrix, matrix.numbers.entry("contribution", t, k)) in ("q5", "q6", "q7", "q8") else "dark"


def _tick(matrix: LoomMatrix, t: int, k: int) -> str:
    x, y, width, height = matrix.place(t, k)
    if not matrix.given["numbers"]:
        return f"M{x + width / 2 - min(3, width / 3):.2f} {y + height / 2:.2f}h{min(6, width / 1.5):.2f}"
    middle = f"M{x + width - 14:.2f} {y + height / 2:.2f}h6"
    return middle if width > 70 else f"M{x + width / 2 - 3:.2f} {y + height - 3:.2f}h6"


def _cuts(matrix: LoomMatrix) -> Iterator[Element]:
    """Two strokes where the window cuts a row."""
    window, path = int(matrix.facts["window"]), ""
    for t in range(window + 1, matrix.T + 1) if matrix.given["numbers"] else ():
        x, y = (matrix.columns[t - window] + matrix.columns[t - window - 1]) / 2, matrix.middle(t)
        path += f"M{x - 2.5:.2f} {y - 6:.2f}v12M{x + 2.5:.2f} {y - 6:.2f}v12"
    if path:
        yield shape("path", style="cut", d=path)


def _frames(matrix: LoomMatrix) -> Iterator[Element]:
    """The frame of the selected cell; where cells hold no number, one around its chain too."""
    t, k = matrix.lights.t, matrix.lights.k
    if not 1 <= k <= t <= matrix.T:
        return
    x, y, width, height = matrix.place(t, k)
    if not matrix.given["numbers"]:
        last = matrix.place(t, t)
        chain = [x - 1.5, y - 1.5, last[0] + last[2] - x + 3, height + 3]
        yield {"kind": "mark", "place": chain, "rx": 4, "class": "loom-span"}
    yield {"kind": "mark", "place": [x, y, width, height], "rx": 4, "class": "loom-frame"}


# --- under the cells -------------------------------------------------------------------------


def _sums(matrix: LoomMatrix) -> Iterator[Element]:
    """Under each column the sum of its kept cells."""
    given, y, wide = matrix.given, matrix.bottom, matrix.given["scale"][2]
    if not given["numbers"]:
        return
    half = given["cell"][0] / 2
    yield shape("path", style="axis", d=f"M{matrix.columns[0] - half:.2f} {y:.2f}H{matrix.columns[-1] + half:.2f}")
    said = (
        ("sum of kept" if wide else "sum")
        if matrix.facts["signed"]
        else ("norm of sum" if wide else f"{NORM}sum{NORM}")
    )
    yield text(given["label"], y + 20, words(said, 12.5), style="ink2")
    size = 13 if given["cell"][0] > 60 else 12 if wide else 11.5
    for k, x in enumerate(matrix.columns, 1):
        value = matrix.numbers.entry("live", k, 0)
        if value is not None and not matrix.waits(k):
            readout = {"symbol": "live", "t": k, "unit": 0, "value": value}
            run: Run = {"text": number_text(value), "class": "num", "size": size, "readout": readout}
            yield text(x, y + 20, [run], "middle", "grad")


def _scale(matrix: LoomMatrix) -> Iterator[Element]:
    """Nine steps of teal, with their ends in numbers and what they show."""
    x, width, inside = matrix.given["scale"]
    y, step = (matrix.given["top"] + 2 if inside else matrix.height - 40), width / SCALE_STEPS
    for i in range(SCALE_STEPS):
        yield shape("rect", style=f"sq{i}", x=x + i * step, y=float(y), width=step + 0.4, height=10)
    low, high = matrix.facts["low"], matrix.facts["high"]
    for i, sign, value in ((0, "≤ ", low), (4, "", (low + high) / 2), (8, "≥ ", high)):
        said = words(f"{sign}{value:.3g}".replace("-", "\N{MINUS SIGN}"), 12)
        yield text(x + (i + 0.5) * step, y + 25, said, "middle", "ink2")
    bar, state = ("|", "h") if matrix.facts["signed"] else (NORM, "s")
    ten: list[Run] = [*words("log", 12.5), {"text": "10", "class": "num sub", "size": 9.5, "shift": 3}]
    of = [*words(f" {bar}∂", 12.5), *symbol("L", sub="t", size=14), *words("/∂", 12.5)]
    yield text(x - 12, y + 10, [*ten, *of, *symbol(state, sub="k", size=14), *words(bar, 12.5)], "end", "ink2")
    if inside and matrix.T > 4:
        yield text(x, y + 50, words("Empty where the state comes after the loss:", 12), style="ink2")
        yield text(x, y + 66, words("a loss cannot depend on a later state.", 12), style="ink2")
