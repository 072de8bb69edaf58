"""Nodes and wire labels of the LSTM cell, for one unit or a layer."""

from __future__ import annotations

from dataclasses import dataclass

from rnnscope.core.notation import Notation, find_notation

from .chain_nodes import Chain
from .gate_node import GATES, Gate, GateNode
from .geometry import Point
from .lstm_layout import Label, Layout
from .parts import MOST_CELLS, ValueNode, function, operator, strip
from .scene import DOT, Element, Run, Scene, binding, rel, symbol, text, value, words

NOW, BEFORE = rel(0), rel(-1)

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

    def _state(self, node_id: str, name: str, t: dict[str, int], description: str) -> Element:
        x, y = (self.layout.before if t == BEFORE else self.layout.after)[name]
        role = "cell" if name == "c" else "hidden"
        return ValueNode(
            node_id,
            x,
            y,
            role,
            symbol(name, t),
            binding(name, t),
            words(description),
            width=self.layout.node_width,
            units=self.n,
        ).element()

    def _input(self) -> Element:
        x, y = self.layout.before["x"]
        chain = Chain(len(self.characters or "x"), self.n, self.d, self.characters, self.notation)
        return chain.input(NOW, x, y, None if self.wide or self.has_strips else 80).element()

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

    def _operator(self, node_id: str, centre: Point, what: str, name: str) -> Element:
        kind = "add" if node_id == "add" else "mul"
        return operator(node_id, centre, kind, self._says(what, name), binding(name, NOW))

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
    for name in layout.labels:
        with scene.carrying(name):
            _wire_label(scene, layout, nodes, name)


def _wire_label(scene: Scene, layout: Layout, nodes: CellNodes, name: str) -> None:
    place, runs = layout.labels[name], nodes.product(name, 16 if nodes.wide else 15)
    style = f"rt r-{ROLES[name]}"
    if nodes.has_strips:
        _strip_label(scene, place, runs, name, count=nodes.n, style=style)
    elif place.drop:
        _stacked_label(scene, place, runs, name, style)
    else:
        line = [*runs, *words("\N{EN SPACE}", 12), *value(binding(name, NOW))]
        scene.add("label", text(place.x, place.y, line, place.anchor, style))


def _stacked_label(scene: Scene, place: Label, runs: list[Run], name: str, style: str) -> None:
    """Symbol over number, the wire between them when it runs across."""
    scene.add("label", text(place.x, place.y, runs, place.anchor, style))
    scene.add(
        "label", text(place.x, place.y + place.drop, value(binding(name, NOW), small=(7, 12)), place.anchor, style)
    )


def _strip_label(scene: Scene, place: Label, runs: list[Run], name: str, *, count: int, style: str) -> None:
    """Strip of all units, then the symbol over the number of the cursor's unit."""
    ends = place.anchor == "end"
    strip_x, text_x = (place.x - 11, place.x - 19) if ends else (place.x, place.x + 19)
    scene.add("label", strip((strip_x, place.y - 17.5, 11, 35), binding(name, NOW), count))
    scene.add("label", text(text_x, place.y - 4, runs, place.anchor, style))
    scene.add("label", text(text_x, place.y + 14, value(binding(name, NOW), small=(7, 12)), place.anchor, style))


def candidate_letter(letters: Notation) -> str:
    """The candidate as `symbol` takes it: c with a tilde, or g."""
    letter, accent, _ = letters.candidate
    return f"{letter}~" if accent == "tilde" else letter
