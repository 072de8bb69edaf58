"""Convolution over time beside recurrence: a window against the whole past."""

from __future__ import annotations

from typing import Any

import numpy as np
from rnnscope.core import equation
from rnnscope.core.notation import find_notation
from rnnscope.core.pattern_equations import convolution_equations
from rnnscope.core.patterns import input_reach

from ...diagrams.convolution import CONVOLVED, convolution_scene, folded_convolution_scene
from ...view import Arrays
from ...words import Phrase, phrase, plain, readout, symbol
from ..equation_text import Line, both, said
from .base import VARIANTS, Pattern


class Convolution(Pattern):
    """K_j = W^j U: the recurrence without its function, cut to a window."""

    def trade(self) -> Phrase:
        start = plain("Parallel, and short-sighted: ", strong=True)
        seen = "1 input" if self.state.window == 1 else f"{self.state.window} inputs"
        return phrase(start, f"all outputs of the convolution at once, each from {seen}; ", symbol("h", "t"),
                      " has the whole past in it, one step after another.")  # fmt: skip

    def scenes(self) -> dict[str, Any]:
        size, window = self.sizes(), self.state.window
        unfolded = {v: convolution_scene(self.state.T, v, **size, window=window) for v in VARIANTS}
        return {
            "folded": {variant: folded_convolution_scene(variant, window, self.state.n) for variant in VARIANTS},
            "unfolded": unfolded,
        }

    def forward(self, selected: str) -> list[Line]:
        state = self.state
        if state.t == 0:
            return said("The window of step 0 is empty; ", symbol("h", "0"), " is given.")
        window = convolution_equations(self.run.cell.activation, state.window)
        lines = []
        for name in ("conv_a", "conv"):
            lines += both(window[name], self.run, state.t, state.unit, state.notation, "output", name == selected)
        return [*lines, *self._kernel()]

    def _kernel(self) -> list[Line]:
        """What the kernel is made of."""
        letters = find_notation(self.state.notation, gated=False).weights
        W, U = (symbol(*letters[name]) for name in ("W_hh", "W_xh"))
        power = {**W, "sup": "j"}
        return said(symbol("K", "j"), " = ", power, " ", U, ": the recurrence without its function, cut to the window.")

    def _recurrence(self, selected: str) -> list[Line]:
        state = self.state
        if state.t == 0:
            return []
        lines = []
        for name in ("a", "h"):
            found = equation(self.shown.cell, name)
            lines += both(found, self.shown, state.t, state.unit, state.notation, "hidden", name == selected)
        return lines

    def texts(self, selected: str) -> dict[str, Any]:
        return {**super().texts(selected), "recurrence": self._recurrence(selected)}

    def summary(self) -> Phrase:
        t, unit = self.state.t, self.state.unit
        if t == 0:
            return phrase("Nothing has been read at step 0.")
        found = input_reach(self.shown, self.run, t, unit)
        here = [CONVOLVED, str(t)], ["h", str(t)]
        first = max(1, t - self.state.window + 1)
        seen = f"x at step {first}" if first == t else f"x at steps {first} to {t}"
        return phrase(
            symbol(*here[0]), f" sees {seen}; ", symbol(*here[1]), f" has seen x at steps 1 to {t}. Move ",
            symbol("x", "1"), " by a little and ", symbol(*here[0]), " moves by ",
            readout(found.convolution[0], "reach_conv", 1), " of it, ", symbol(*here[1]), " by ",
            readout(found.recurrence[0], "reach", 1), ".",
        )  # fmt: skip

    def selection(self) -> list[list[Phrase]]:
        t, unit, gates = self.state.t, self.state.unit, self.run.trace.gates
        state = readout(self.shown.trace.hs[t, unit], "h", t, unit, 5)
        rows = [[phrase("Recurrence ", symbol("h", str(t))), [state]]]
        if t:
            convolved = readout(gates["conv"][t - 1, unit], "conv", t, unit, 5)
            rows.insert(0, [phrase("Convolution ", symbol(CONVOLVED, str(t))), [convolved]])
        return rows

    def count(self) -> Phrase:
        """Parameters of both, without a read-out."""
        cell, network = self.shown.cell, self.run.network
        recurrent = cell.W_xh.size + cell.W_hh.size + cell.b_h.size
        return phrase(
            readout(network.parameter_count, "parameters_conv", text=str(network.parameter_count)),
            " parameters in the convolution (they grow with the window), ",
            readout(recurrent, "parameters", text=str(recurrent)), " in the recurrence, whatever the number of steps.",
        )  # fmt: skip

    def arrays(self) -> Arrays:
        trace, T = self.run.trace, self.state.T
        return {
            "x": (trace.xs, 1), "h": (trace.hs, 0), "a": (trace.preactivations, 1),
            "conv": (trace.gates["conv"], 1), "conv_a": (trace.gates["conv_a"], 1), **self.look_arrays(),
            "h_after": (trace.hs[1:], 1), "steps": (np.arange(1, T + 1), 1),
        }  # fmt: skip

    def look_arrays(self) -> Arrays:
        """How much each input counts for the selected step; nothing after it does."""
        t = self.state.t
        if t == 0:
            return {name: (np.empty((0, 1)), 1) for name in ("k", "reach", "reach_conv")}
        found = input_reach(self.shown, self.run, t, self.state.unit)
        return {"k": (np.arange(1, t + 1), 1), "reach": (found.recurrence, 1), "reach_conv": (found.convolution, 1)}
