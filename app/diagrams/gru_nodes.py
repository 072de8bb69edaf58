"""Nodes of the GRU cell in its four variants, and what is printed beside its wires."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rnnscope.core.notation import weight_token

from .cell_nodes import BEFORE, NOW, Nodes, candidate_letter
from .gate_node import GRU_GATES, Gate, GateNode
from .gru_layout import Layout
from .parts import OPERATOR, box, node
from .scene import DOT, MINUS, Element, Run, Scene, binding, shape, symbol, text, words

# What each wire carries, and whose colour it wears; in the order in which the labels are drawn.
ROLES = {
    "z": "gate", "zh": "hidden", "keep": "gate", "zg": "hidden", "g": "candidate", "h": "hidden", "r": "gate",
    "rh": "hidden", "Uhg": "hidden",
}  # fmt: skip

#: Half the width and height of the candidate's recurrent matrix.
MATRIX = (22.0, 12.0)


@dataclass(frozen=True)
class CellNodes(Nodes):
    """The nodes of a GRU cell that resets before or after the product, and whose z takes the new or keeps the old."""

    layout: Layout
    reset: str = "before"
    update: str = "new"

    ROLES = ROLES
    CANDIDATE_FOR: ClassVar[str] = "h"

    def add_to(self, scene: Scene) -> None:
        """Put all nodes into the scene, in reading order."""
        at = self.layout.places
        gates = {gate.id: self._gate(gate) for gate in GRU_GATES}
        scene.add("node", self._state("hp", "h", BEFORE, "hidden state before"), self._input(), gates["z"], gates["r"])
        scene.add(
            "node",
            self._operator("mr", at["mr"], f"reset gate times {self._what_is_reset()}: ", "rh"),
            self._matrix(),
            gates["g"],
            self._one_minus(),
            self._operator("mz", at["mz"], "kept share times the state before: ", "zh"),
            self._operator("mc", at["mc"], "taken share times the candidate: ", "zg"),
            self._operator("add", at["add"], "sum, the new hidden state: ", "h"),
            self._state("ht", "h", NOW, "new hidden state"),
        )

    def _what_is_reset(self) -> str:
        return "the state before" if self.reset == "before" else "the product of matrix and state"

    def _gate(self, gate: Gate) -> Element:
        return GateNode(gate, *self.layout.places[gate.id], *self.layout.gate_size, self.n, self.letters).element()

    def _one_minus(self) -> Element:
        (x, y), radius = self.layout.places["om"], self.layout.minus_radius
        children = [
            shape("circle", style="ring", cx=x, cy=y, r=radius + 5),
            shape("circle", style="shape", cx=x, cy=y, r=radius),
            text(x, y + 4.5, words(f"1\N{THIN SPACE}{MINUS}"), "middle"),
        ]
        name = self._says("one minus the update gate: ", "keep")
        return node("om", "k-op", (x, y), children, name=name, select=binding("keep", NOW))

    def _matrix(self) -> Element:
        """The candidate's recurrent matrix, a node on the wire: whether r works before or after it is the variant."""
        x, y = self.layout.places["uh"]
        children = [
            *box(x, y, 2 * MATRIX[0], 2 * MATRIX[1], MATRIX[1]),
            text(x, y + 4.8, self.letter(14, " b"), "middle"),
        ]
        name = [
            *self.letter(14),
            *words(" times the "),
            *words("reset state" if self.reset == "before" else "state before"),
        ]
        name += self._says(": ", "Uhg")
        return node("uh", "k-op k-matrix", (x, y), children, name=name, select=binding("Uhg", NOW))

    def letter(self, size: float, style: str = "") -> list[Run]:
        """The letter of the candidate's recurrent matrix."""
        token = weight_token(self.letters, "W_hh", "g", transposed=False)
        runs = symbol(token.text, sub=token.sub, size=size)
        return [run | {"class": f"sym{style}"} if "shift" not in run else run for run in runs]

    def product(self, name: str, size: float = 16) -> list[Run]:
        """What a wire carries, as printed beside it."""
        letter, small = candidate_letter(self.letters), size if self.wide else size - 1
        h, r, g, z = (symbol(base, t, size=small) for base, t in (("h", BEFORE), ("r", NOW), (letter, NOW), ("z", NOW)))
        dot, rest = words(DOT, 14 if size > 15 else 12.5), [*words(f"1 {MINUS} ", 13 if self.wide else 12), *z]
        kept, taken = (self._bracketed(rest), z) if self.update == "new" else (z, self._bracketed(rest))
        matrix, before = self.letter(small), self.reset == "before"
        return {
            "keep": rest,
            "zh": [*kept, *dot, *h],
            "zg": [*taken, *dot, *g],
            "rh": [*r, *dot, *(h if before else self._bracketed([*matrix, *words(" ", 8), *h]))],
            "Uhg": [*matrix, *(self._bracketed([*r, *dot, *h]) if before else [*words(" ", 8), *h])],
            "g": g,
        }.get(name) or symbol(name, NOW, size=size)

    def _bracketed(self, runs: list[Run]) -> list[Run]:
        size = 13 if self.wide else 12
        return [*words("(", size), *runs, *words(")", size)]

    def half(self, name: str) -> tuple[float, float]:
        """Half the width and height of a node; 0 for a point."""
        if name in ("z", "r", "g"):
            return self.layout.gate_size[0] / 2, self.layout.gate_size[1] / 2
        if name == "om":
            return self.layout.minus_radius, self.layout.minus_radius
        states = {"hp": self.layout.before, "ht": self.layout.after}
        if name in states:
            return self.layout.node_width / 2, 32
        return {"uh": MATRIX, "dot": (0.0, 0.0)}.get(name, (OPERATOR, OPERATOR))

    def place(self, name: str) -> tuple[float, float]:
        """Where a node or point is."""
        states = {"hp": self.layout.before, "ht": self.layout.after}
        return states[name]["h"] if name in states else self.layout.places[name]
