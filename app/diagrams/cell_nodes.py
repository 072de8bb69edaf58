"""Nodes and wire labels that the cells with gates share: their states, input, operations, and numbers on wires."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from rnnscope.core.notation import Notation, find_notation

from .chain_nodes import Chain
from .geometry import Point
from .lstm_layout import Label
from .parts import ValueNode, fits_strip, operator, strip
from .scene import Element, Run, Scene, binding, rel, symbol, text, value, words

NOW, BEFORE = rel(0), rel(-1)


@dataclass(frozen=True)
class Nodes(ABC):
    """The nodes of a cell with n units and d inputs: `layout` says where; `ROLES` what wires carry, and its colour."""

    layout: Any
    n: int
    d: int
    notation: str
    characters: str | None

    ROLES: ClassVar[Mapping[str, str]]
    #: Which state the candidate is one for, which settles its letter.
    CANDIDATE_FOR: ClassVar[str] = "c"

    @property
    def letters(self) -> Notation:
        return find_notation(self.notation, gated=True, candidate_for=self.CANDIDATE_FOR)

    @property
    def has_strips(self) -> bool:
        return fits_strip(self.n)

    @property
    def wide(self) -> bool:
        return bool(self.layout.variant == "wide")

    @abstractmethod
    def product(self, name: str, size: float = 16) -> list[Run]:
        """What a wire carries, as printed beside it."""

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

    def _operator(self, node_id: str, centre: Point, what: str, name: str) -> Element:
        kind = "add" if node_id == "add" else "mul"
        return operator(node_id, centre, kind, self._says(what, name), binding(name, NOW))

    @staticmethod
    def _says(what: str, name: str) -> list[Run]:
        return [*words(what), *value(binding(name, NOW))]


def wire_labels(scene: Scene, labels: Mapping[str, Label], nodes: Nodes) -> None:
    """Symbol and number beside every wire; for a layer also the strip of all units."""
    for name, place in labels.items():
        with scene.carrying(name):
            _wire_label(scene, place, nodes, name)


def _wire_label(scene: Scene, place: Label, nodes: Nodes, name: str) -> None:
    runs, style = nodes.product(name, 16 if nodes.wide else 15), f"rt r-{nodes.ROLES[name]}"
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
    """The candidate as `symbol` takes it: c or h with a tilde, or a plain letter."""
    letter, accent, _ = letters.candidate
    return f"{letter}~" if accent == "tilde" else letter
