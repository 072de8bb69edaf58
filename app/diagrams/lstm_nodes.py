"""Nodes and wire labels of the LSTM cell, for one unit or a layer."""

from __future__ import annotations

from .cell_nodes import BEFORE, NOW, Nodes, candidate_letter
from .gate_node import GATES, Gate, GateNode
from .geometry import Point
from .lstm_layout import Layout
from .parts import function
from .scene import DOT, Element, Run, Scene, binding, symbol, words

# What each wire carries, and whose colour it wears.
ROLES = {
    "f": "gate",
    "i": "gate",
    "g": "candidate",
    "o": "gate",
    "fc": "cell",
    "ig": "cell",
    "c": "cell",
    "tc": "cell",
    "h": "hidden",
}


class CellNodes(Nodes):
    """The nodes of an LSTM cell."""

    layout: Layout
    ROLES = ROLES

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
        scene.add(
            "node",
            self._state("cp", "c", BEFORE, "cell state before"),
            self._state("hp", "h", BEFORE, "hidden state before"),
            self._input(),
        )
        scene.add("node", *(self._gate(gate) for gate in GATES), *self._operators(at))
        scene.add(
            "node", self._state("ct", "c", NOW, "new cell state"), self._state("ht", "h", NOW, "new hidden state")
        )

    def _gate(self, gate: Gate) -> Element:
        at, name = self.layout, {"f": "forget", "i": "input", "g": "candidate", "o": "output"}[gate.id]
        along = getattr(at, name)
        x, y = (along, at.gate) if self.wide else (at.gate, along)
        return GateNode(gate, x, y, *at.gate_size, self.n, self.letters).element()

    def _operators(self, at: Layout) -> list[Element]:
        def place(line: float, along: float) -> Point:
            return (along, line) if self.wide else (line, along)

        tanh = (at.branch, at.tanh) if self.wide else (at.tanh, at.branch)
        output = (at.branch, at.product) if self.wide else (at.product, at.output)
        says = {"name": self._says("of the cell state, ", "tc"), "select": binding("tc", NOW)}
        return [
            self._operator("mf", place(at.state, at.forget), "forget gate times cell state: ", "fc"),
            self._operator("mi", place(at.product, at.sum), "input gate times candidate: ", "ig"),
            self._operator("add", place(at.state, at.sum), "sum, the new cell state: ", "c"),
            function("tanh", tanh, at.tanh_height, "tanh", **says),
            self._operator("mo", output, "output gate times tanh of the cell state: ", "h"),
        ]

    def product(self, name: str, size: float = 16) -> list[Run]:
        """What a wire carries, as printed beside it."""
        letter, dot = candidate_letter(self.letters), words(DOT, 14 if size > 15 else 13)
        return {
            "fc": [*symbol("f", NOW, size=size), *dot, *symbol("c", BEFORE, size=size)],
            "ig": [*symbol("i", NOW, size=size), *dot, *symbol(letter, NOW, size=size)],
            "tc": [*words("tanh ", 13), *symbol("c", NOW, size=size)],
            "g": symbol(letter, NOW, size=size),
        }.get(name) or symbol(name, NOW, size=size)
