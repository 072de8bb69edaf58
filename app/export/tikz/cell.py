"""What the drawings of both gated cells share: the letters and numbers of one unit at one step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from rnnscope.core.notation import Notation, find_notation

from .picture import Picture
from .words import number, quoted, signal, weight

#: Name of a gate -> what it is called, its function and its style.
GATES = {
    "f": ("forget", r"\sigma", "gate"), "i": ("input", r"\sigma", "gate"), "o": ("output", r"\sigma", "gate"),
    "z": ("update", r"\sigma", "gate"), "r": ("reset", r"\sigma", "gate"), "g": ("candidate", r"\tanh", "candidate"),
}  # fmt: skip


@dataclass(frozen=True)
class Cell:
    """One unit of a gated cell at the selected step.

    Parameters
    ----------
    lab : its run is the one on the page, operated on or not
    candidate_for : "c" in an LSTM, "h" in a GRU
    """

    lab: Any
    candidate_for: str

    @property
    def t(self) -> int:
        return max(1, int(self.lab.state.t))

    @property
    def letters(self) -> Notation:
        return find_notation(self.lab.state.notation, True, self.candidate_for)

    def letter(self, name: str, lag: int = 0) -> str:
        return signal(self.letters, name, self.t, lag, gated=True)

    def matrix(self) -> str:
        """The recurrent matrix of the candidate."""
        return weight(self.letters, "W_hh", "g")

    def array(self, name: str) -> tuple[np.ndarray, int]:
        """What the page paints, and the step of its first row."""
        rows, first = self.lab.arrays()[name]
        return np.asarray(rows), first

    def value(self, name: str, lag: int = 0) -> str:
        """A number of the unit at the step, as printed."""
        rows, first = self.array(name)
        return number(rows[self.t + lag - first, self.lab.state.unit])

    def named(self, name: str, lag: int = 0) -> str:
        r"""A letter over its number: $h_3$\\ $0.690$."""
        return rf"${self.letter(name, lag)}$\\ ${self.value(name, lag)}$"

    def carried(self, name: str, text: str = "") -> str:
        """What a wire carries: a letter or a product, and its number."""
        return f"${text or self.letter(name)} = {self.value(name)}$"

    def input(self) -> str:
        """The input: its character, its number, or how many numbers it is."""
        state, letter = self.lab.state, self.letter("x")
        row = np.asarray(self.lab.run.trace.xs[self.t - 1])
        if state.kind() == "text":
            return rf"${letter}$\\ {quoted(state.text[self.t - 1])}"
        return rf"${letter}$\\ ${number(row[0])}$" if row.size == 1 else rf"${letter}$\\ {row.size} numbers"

    def gate(self, picture: Picture, name: str, at: str) -> None:
        """A gate with its function and what it is taken of."""
        called, function, style = GATES[name]
        held = getattr(self.lab, "clamped", lambda *_: False)(name, self.t, self.lab.state.unit)
        inside = "held" if held else f"${self.letter(f'a{name}')} = {self.value(f'a{name}')}$"
        picture.node(style, name, rf"{called} ${function}$\\ {inside}", at)

    def caption(self, picture: Picture, kind: str, at: str) -> None:
        """The step, and the unit where there are several."""
        state = self.lab.state
        unit = f", unit {state.unit + 1} of {state.n}" if state.n > 1 else ""
        picture.node("note", "", f"{kind} cell, $t = {self.t}${unit}", at)

    def read(self, start: str) -> str:
        """What the gates read; at a cut step the recurrent weights see 0."""
        before = f"${self.letter('h', -1)}$"
        seen = f"$0$ in place of {before}, cut here," if self.lab.is_cut(self.t) else before
        return f"{start} {seen} and ${self.letter('x')}$"
