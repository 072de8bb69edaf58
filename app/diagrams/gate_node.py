"""The layers with weights of a cell with gates, each as a box with its activation curve."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

from rnnscope.core.notation import Notation, gate_letter

from .chain_nodes import at_step
from .geometry import polyline
from .parts import box, fits_strip, node, strip
from .scene import SIGMA, Element, Run, binding, rel, shape, symbol, text, value, words

NOW = rel(0)

# A curve is drawn for pre-activations of -4 ... 4, where both functions have come to their limits.
SPAN = 4


class Gate(NamedTuple):
    """One layer with weights."""

    id: str
    name: str
    role: str
    activation: str
    description: str


GATES = (
    Gate("f", "Forget", "gate", SIGMA, "forget gate"),
    Gate("i", "Input", "gate", SIGMA, "input gate"),
    Gate("g", "Candidate", "candidate", "tanh", "candidate"),
    Gate("o", "Output", "gate", SIGMA, "output gate"),
)
GRU_GATES = (
    Gate("z", "Update", "gate", SIGMA, "update gate"),
    Gate("r", "Reset", "gate", SIGMA, "reset gate"),
    Gate("g", "Candidate", "candidate", "tanh", "candidate"),
)


@dataclass(frozen=True)
class GateNode:
    """A layer with weights: name, activation curve with the operating point, value, pre-activation."""

    gate: Gate
    x: float
    y: float
    width: float
    height: float
    n: int
    letters: Notation

    @property
    def left(self) -> float:
        return self.x - self.width / 2

    @property
    def right(self) -> float:
        return self.x + self.width / 2

    @property
    def top(self) -> float:
        return self.y - self.height / 2

    @property
    def tall(self) -> bool:
        return self.height >= 80

    @property
    def strips(self) -> bool:
        return fits_strip(self.n)

    @property
    def bound(self) -> dict[str, Any]:
        return binding(self.gate.id, NOW)

    @property
    def block(self) -> str:
        """Subscript of this block's weights."""
        return gate_letter(self.letters, self.gate.id)

    @property
    def summed(self) -> dict[str, Any]:
        return binding(f"a{self.gate.id}", NOW)

    def element(self) -> Element:
        children = [*box(self.x, self.y, self.width, self.height, 8), *(self._tall() if self.tall else self._short())]
        return node(
            self.gate.id, f"r-{self.gate.role} k-gate", (self.x, self.y), children, name=self._name(), select=self.bound
        )

    def _name(self) -> list[Run]:
        shown = [
            *words(f"{self.gate.name} "),
            *(words(f"{self.gate.activation} ") if self.tall else []),
            *value(self.bound),
        ]
        if self.tall:
            shown += [*words(" "), *symbol("a", sub=self.block), *words(" "), *value(self.summed)]
        which = [*words(", unit "), {"unit": True}, *words(f" of {self.n}")] if self.n > 1 else []
        return [*shown, *words(", "), *at_step(self.gate.description, NOW), *which]

    def _tall(self) -> list[Element]:
        name, size = words(self.gate.name, 13, "txt b"), 16 if self.gate.activation == SIGMA else 13
        mark: list[Run] = [
            {"text": self.gate.activation, "class": "sym up" if self.gate.activation == SIGMA else "txt", "size": size}
        ]
        number, right = value(self.bound, 17, "num b", small=(6, 12.5)), self.right - 12
        sum_runs = [*symbol("a", sub=self.block, size=13), *words(" ", 12), *value(self.summed, 12)]
        curve = (
            self._curve(self.left + 33, self.top + 38, 32, 32)
            if self.strips
            else self._curve(self.left + 12, self.top + 36, 40, 34)
        )
        cells = [strip((self.left + 12, self.top + 32, 14, 47), self.bound, self.n)] if self.strips else []
        return [
            *cells, *curve,
            text(self.left + 12, self.top + 21, name, style="t"), text(right, self.top + 21, mark, "end", "t"),
            text(right, self.top + 53, number, "end"), text(right, self.top + 71, sum_runs, "end", "mut"),
        ]  # fmt: skip

    def _short(self) -> list[Element]:
        """Compact form: the curve gives way to the strip of a layer."""
        if self.strips:
            glyph, x = [strip((self.left + 12, self.y - 21.5, 12, 43), self.bound, self.n)], self.left + 34
        else:
            glyph, x = self._curve(self.left + 9, self.y - 14, 32, 28), self.left + 49
        name, number = (
            words(self.gate.name, 12.5 if self.strips else 12, "txt b"),
            value(self.bound, 15, "num b", small=(7, 12)),
        )
        return [*glyph, text(x, self.y - 7, name, style="t"), text(x, self.y + (13 if self.strips else 11), number)]

    def _curve(self, x: float, y: float, width: float, height: float) -> list[Element]:
        """The activation over its axes, and where each unit is on it."""
        lo, hi, form = (0, 1, sigmoid) if self.gate.activation == SIGMA else (-1, 1, math.tanh)
        zero = y + height * hi / (hi - lo)
        points = [
            (x + (z / SPAN + 1) / 2 * width, y + height * (hi - form(z)) / (hi - lo))
            for z in (k / 4 for k in range(-4 * SPAN, 4 * SPAN + 1))
        ]
        where = {"x": x, "y": y, "width": width, "height": height, "lo": lo, "hi": hi, "span": SPAN}
        return [
            shape("path", style="gl-axis", d=f"M{x} {zero:.2f}h{width}M{x + width / 2} {y}v{height}"),
            shape("path", style="gl-curve", d=polyline(points)),
            {"kind": "points", **where, "across": self.summed, "up": self.bound, "count": self.n if self.strips else 1},
        ]


def sigmoid(z: float) -> float:
    """The shape of a gate's curve, for drawing it."""
    return (1 + math.tanh(z / 2)) / 2
