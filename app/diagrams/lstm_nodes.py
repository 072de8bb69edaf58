"""Nodes and wire labels of the LSTM cell, for one unit or a layer."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

from rnnscope.core.notation import Notation, find_notation, gate_letter

from .chain_nodes import Chain, at_step
from .geometry import polyline
from .lstm_layout import Label, Layout
from .parts import MOST_CELLS, ValueNode, box, function, node, operator, strip
from .scene import DOT, SIGMA, Element, Run, Scene, binding, rel, shape, symbol, text, value, words

NOW, BEFORE = rel(0), rel(-1)

# A curve is drawn for pre-activations of -4 ... 4, where both functions have come to their limits.
SPAN = 4


class Gate(NamedTuple):
    """One of the four layers with weights."""

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

# What each wire carries, and whose colour it wears.
ROLES = {"f": "gate", "i": "gate", "g": "candidate", "o": "gate", "fc": "cell", "ig": "cell", "c": "cell", "tc": "cell", "h": "hidden"}


@dataclass(frozen=True)
class CellNodes:
    """The nodes of a cell with n units and d inputs."""

    layout: Layout
    n: int
    d: int
    notation: str
    characters: str | None

    @property
    def letters(self) -> Notation:
        return find_notation(self.notation, gated=True)

    @property
    def has_strips(self) -> bool:
        return 1 < self.n <= MOST_CELLS

    @property
    def wide(self) -> bool:
        return self.layout.variant == "wide"

    @property
    def note_x(self) -> float:
        return 500 if self.has_strips else 456

    @property
    def note_drop(self) -> float:
        return 48 if self.has_strips else 42

    def trunk_note(self) -> list[Run]:
        """Which two vectors the trunk brings to the gates."""
        count = [f" ({k} numbers)" if k > 1 else "" for k in (self.n, self.d)]
        before, now = symbol("h", BEFORE, size=15), symbol("x", NOW, size=15)
        return [*before, *words(f"{count[0]} and ", 12.5), *now, *words(f"{count[1]} go to every gate", 12.5)]

    def add_to(self, scene: Scene) -> None:
        """Put all nodes into the scene, in reading order."""
        at = self.layout
        scene.add("node", self._state("cp", "c", BEFORE, "cell state before"), self._state("hp", "h", BEFORE, "hidden state before"), self._input())
        scene.add("node", *(self._gate(gate) for gate in GATES), *self._operators(at))
        scene.add("node", self._state("ct", "c", NOW, "new cell state"), self._state("ht", "h", NOW, "new hidden state"))

    def _state(self, node_id: str, name: str, t: dict[str, int], description: str) -> Element:
        x, y = (self.layout.before if t == BEFORE else self.layout.after)[name]
        role = "cell" if name == "c" else "hidden"
        return ValueNode(
            node_id, x, y, role, symbol(name, t), binding(name, t), words(description), width=self.layout.node_width, units=self.n
        ).element()

    def _input(self) -> Element:
        x, y = self.layout.before["x"]
        chain = Chain(len(self.characters or "x"), self.n, self.d, self.characters, self.notation)
        return chain.input(NOW, x, y, 100 if self._lists_inputs and self.has_strips else 80).element()

    @property
    def _lists_inputs(self) -> bool:
        return self.characters is None and self.d > 1

    def _gate(self, gate: Gate) -> Element:
        at, name = self.layout, {"f": "forget", "i": "input", "g": "candidate", "o": "output"}[gate.id]
        along = getattr(at, name)
        x, y = (along, at.gate) if self.wide else (at.gate, along)
        return GateNode(gate, x, y, *at.gate_size, self.n, self.letters).element()

    def _operators(self, at: Layout) -> list[Element]:
        place = (lambda line, along: (along, line)) if self.wide else (lambda line, along: (line, along))
        tanh = (at.branch, at.tanh) if self.wide else (at.tanh, at.branch)
        output = (at.branch, at.product) if self.wide else (at.product, at.output)
        return [
            operator("mf", *place(at.state, at.forget), "mul", self._says("forget gate times cell state: ", "fc"), binding("fc", NOW)),
            operator("mi", *place(at.product, at.sum), "mul", self._says("input gate times candidate: ", "ig"), binding("ig", NOW)),
            operator("add", *place(at.state, at.sum), "add", self._says("sum, the new cell state: ", "c"), binding("c", NOW)),
            function("tanh", *tanh, "tanh", self._says("of the cell state, ", "tc"), binding("tc", NOW), at.tanh_height),
            operator("mo", *output, "mul", self._says("output gate times tanh of the cell state: ", "h"), binding("h", NOW)),
        ]

    @staticmethod
    def _says(what: str, name: str) -> list[Run]:
        return [*words(what), *value(binding(name, NOW))]

    def product(self, name: str, size: float = 16) -> list[Run]:
        """What a wire carries, as printed beside it."""
        letter, dot = candidate_letter(self.letters), words(DOT, 14 if size > 15 else 13)
        return {
            "fc": [*symbol("f", NOW, size=size), *dot, *symbol("c", BEFORE, size=size)],
            "ig": [*symbol("i", NOW, size=size), *dot, *symbol(letter, NOW, size=size)],
            "tc": [*words("tanh ", 13), *symbol("c", NOW, size=size)],
            "g": symbol(letter, NOW, size=size),
        }.get(name) or symbol(name, NOW, size=size)


def wire_labels(scene: Scene, layout: Layout, nodes: CellNodes) -> None:
    """Symbol and number beside every wire; for a layer also the strip of all units."""
    for name, place in layout.labels.items():
        runs = nodes.product(name, 16 if nodes.wide else 15)
        style = f"rt r-{ROLES[name]}"
        if nodes.has_strips:
            _strip_label(scene, place, runs, name, nodes.n, style)
        elif place.stacked:
            _stacked_label(scene, place, runs, name, style)
        else:
            scene.add("label", text(place.x, place.y, [*runs, *words("\N{EN SPACE}", 12), *value(binding(name, NOW))], place.anchor, style))


def _stacked_label(scene: Scene, place: Label, runs: list[Run], name: str, style: str) -> None:
    """Symbol over number, the wire between them when it runs across."""
    drop = 28 if place.anchor == "middle" else 17
    scene.add("label", text(place.x, place.y, runs, place.anchor, style))
    scene.add("label", text(place.x, place.y + drop, value(binding(name, NOW), small=(7, 12)), place.anchor, style))


def _strip_label(scene: Scene, place: Label, runs: list[Run], name: str, count: int, style: str) -> None:
    """Strip of all units, then the symbol over the number of the cursor's unit."""
    ends = place.anchor == "end"
    strip_x, text_x = (place.x - 11, place.x - 19) if ends else (place.x, place.x + 19)
    scene.add("label", strip(strip_x, place.y - 17.5, 11, 35, binding(name, NOW), count))
    scene.add("label", text(text_x, place.y - 4, runs, place.anchor, style))
    scene.add("label", text(text_x, place.y + 14, value(binding(name, NOW), small=(7, 12)), place.anchor, style))


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
        return 1 < self.n <= MOST_CELLS

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
        return node(self.gate.id, f"r-{self.gate.role} k-gate", (self.x, self.y), children, self._name(), self.bound)

    def _name(self) -> list[Run]:
        shown = [*words(f"{self.gate.name} "), *(words(f"{self.gate.activation} ") if self.tall else []), *value(self.bound)]
        if self.tall:
            shown += [*words(" "), *symbol("a", sub=self.block), *words(" "), *value(self.summed)]
        which = [*words(", unit "), {"unit": True}, *words(f" of {self.n}")] if self.n > 1 else []
        return [*shown, *words(", "), *at_step(self.gate.description, NOW), *which]

    def _tall(self) -> list[Element]:
        name, size = words(self.gate.name, 13, "txt b"), 16 if self.gate.activation == SIGMA else 13
        mark: list[Run] = [{"text": self.gate.activation, "class": "sym up" if self.gate.activation == SIGMA else "txt", "size": size}]
        number, right = value(self.bound, 17, "num b", small=(6, 12.5)), self.right - 12
        sum_runs = [*symbol("a", sub=self.block, size=13), *words(" ", 12), *value(self.summed, 12)]
        curve = self._curve(self.left + 33, self.top + 38, 32, 32) if self.strips else self._curve(self.left + 12, self.top + 36, 40, 34)
        cells = [strip(self.left + 12, self.top + 32, 14, 47, self.bound, self.n)] if self.strips else []
        return [
            *cells, *curve,
            text(self.left + 12, self.top + 21, name, style="t"), text(right, self.top + 21, mark, "end", "t"),
            text(right, self.top + 53, number, "end"), text(right, self.top + 71, sum_runs, "end", "mut"),
        ]  # fmt: skip

    def _short(self) -> list[Element]:
        """Compact form: the curve gives way to the strip of a layer."""
        if self.strips:
            glyph, x = [strip(self.left + 12, self.y - 21.5, 12, 43, self.bound, self.n)], self.left + 34
        else:
            glyph, x = self._curve(self.left + 9, self.y - 14, 32, 28), self.left + 49
        name, number = words(self.gate.name, 12.5 if self.strips else 12, "txt b"), value(self.bound, 15, "num b", small=(7, 12))
        return [*glyph, text(x, self.y - 7, name, style="t"), text(x, self.y + (13 if self.strips else 11), number)]

    def _curve(self, x: float, y: float, width: float, height: float) -> list[Element]:
        """The activation over its axes, and where each unit is on it."""
        lo, hi, form = (0, 1, sigmoid) if self.gate.activation == SIGMA else (-1, 1, math.tanh)
        zero = y + height * hi / (hi - lo)
        points = [(x + (z / SPAN + 1) / 2 * width, y + height * (hi - form(z)) / (hi - lo)) for z in (k / 4 for k in range(-4 * SPAN, 4 * SPAN + 1))]
        where = {"x": x, "y": y, "width": width, "height": height, "lo": lo, "hi": hi, "span": SPAN}
        return [
            shape("path", style="gl-axis", d=f"M{x} {zero:.2f}h{width}M{x + width / 2} {y}v{height}"),
            shape("path", style="gl-curve", d=polyline(points)),
            {"kind": "points", **where, "across": self.summed, "up": self.bound, "count": self.n if self.strips else 1},
        ]


def candidate_letter(letters: Notation) -> str:
    """The candidate as `symbol` takes it: c with a tilde, or g."""
    letter, accent, _ = letters.candidate
    return f"{letter}~" if accent == "tilde" else letter


def sigmoid(z: float) -> float:
    """The shape of a gate's curve, for drawing it."""
    return (1 + math.tanh(z / 2)) / 2
