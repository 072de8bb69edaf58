"""The bare dynamical system s = f(s; θ), and its nesting."""

from __future__ import annotations

from typing import Any

import numpy as np
from rnnscope.core.pattern_equations import system_equations

from ...diagrams.system import STATE, folded_system_scene, system_scene
from ...view import Arrays
from ...words import Phrase, phrase, plain, readout, symbol
from ..equation_text import Line, both, said
from .base import VARIANTS, Pattern


class System(Pattern):
    """No input, no output: all that will be is in s_0 and f."""

    def trade(self) -> Phrase:
        start = plain("One function, used again and again: ", strong=True)
        return phrase(
            start, "unfolding writes it as a plain nesting without a loop; each level waits for the one inside."
        )

    def scenes(self) -> dict[str, Any]:
        n = self.state.n
        return {
            "folded": {variant: folded_system_scene(variant, n) for variant in VARIANTS},
            "unfolded": {variant: system_scene(self.state.T, variant, n) for variant in VARIANTS},
        }

    def forward(self, selected: str) -> list[Line]:
        if self.state.t == 0:
            return said(symbol(STATE, "0"), " is given: nothing comes before it.")
        found = system_equations(self.run.cell.activation)
        lines = []
        for name in ("a", "h"):
            on = name == selected
            lines += both(found[name], self.run, self.state.t, self.state.unit, self.state.notation, "hidden", on)
        return [{**line, "tokens": [_as_s(word) for word in line["tokens"]]} for line in lines]

    def _nesting(self) -> list[Line]:
        """s_t = f(f(…f(s_0))), then one level less a line, each innermost argument a number."""
        t = self.state.t
        head = phrase(symbol(STATE, str(t)), " = ", *_nested(t, [symbol(STATE, "0")]))
        lines: list[Line] = [{"tokens": head, "role": "hidden"}]
        for k in range(t + 1):
            number = [readout(self.run.trace.hs[k, self.state.unit], "h", k, self.state.unit)]
            lines.append({"tokens": phrase("= ", *_nested(t - k, number)), "hang": True})
        return lines

    def more(self) -> dict[str, Any]:
        return {"nesting": self._nesting(), "nesting_note": self._note()}

    def _note(self) -> Phrase:
        t = self.state.t
        if t == 0:
            return phrase(
                "Choose a later step: each step puts one more ", symbol("f"), " around ", symbol(STATE, "0"), "."
            )
        levels = "1 level" if t == 1 else f"{t} levels"
        vector = " The numbers are those of the selected unit; f takes the whole vector." if self.state.n > 1 else ""
        return phrase(f"{levels}, one ", symbol("f"), f", no loop left: time has become depth.{vector}")

    def summary(self) -> Phrase:
        hs, T, unit = self.run.trace.hs, self.state.T, self.state.unit
        change = float(np.linalg.norm(hs[T] - hs[T - 1]))
        start = [
            "From ",
            readout(hs[0, unit], "h", 0, unit),
            " the state comes to ",
            readout(hs[T, unit], "h", T, unit),
        ]
        return phrase(*start, f" in {T} steps; the last step moved it by ", readout(change, "state_change", T), ".")

    def selection(self) -> list[list[Phrase]]:
        t, unit, trace = self.state.t, self.state.unit, self.run.trace
        rows = [[phrase("State ", symbol(STATE, str(t))), [readout(trace.hs[t, unit], "h", t, unit, 5)]]]
        if t:
            slope = self.run.cell.slope(trace.preactivations[t - 1])[unit]
            sums = readout(trace.preactivations[t - 1, unit], "a", t, unit, 5)
            rows.append([phrase("Pre-activation ", symbol("a", str(t))), [sums]])
            rows.append([phrase("Slope φ′(", symbol("a", str(t)), ")"), [readout(slope, "slope", t, unit, 5)]])
        return rows

    def count(self) -> Phrase:
        used = self.run.cell.W_hh.size + self.run.cell.b_h.size
        return phrase(readout(used, "parameters", text=str(used)), " parameters θ, whatever the number of steps.")

    def arrays(self) -> Arrays:
        trace, T = self.run.trace, self.state.T
        return {
            "h": (trace.hs, 0), "a": (trace.preactivations, 1),
            "h_after": (trace.hs[1:], 1), "steps": (np.arange(1, T + 1), 1),
        }  # fmt: skip


def _nested(levels: int, inside: Phrase) -> Phrase:
    """f(f(inside))."""
    opened: list[Any] = []
    for _ in range(levels):
        opened += [symbol("f"), "("]
    return phrase(*opened, *inside, ")" * levels)


def _as_s(word: dict[str, Any]) -> dict[str, Any]:
    """The state's letter is s here; its data-symbol stays h."""
    is_state = word.get("kind") == "symbol" and word.get("symbol") == "h"
    return {**word, "text": STATE} if is_state else word
