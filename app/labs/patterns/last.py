"""One output at the end: the sequence is read whole and answered once."""

from __future__ import annotations

from typing import Any

import numpy as np
from rnnscope.core import Equation
from rnnscope.core.pattern_equations import last_equations

from ...diagrams.folded import folded_scene
from ...diagrams.unfold import unfolded_scene
from ...view import Arrays
from ...words import Phrase, phrase, plain, readout
from .base import VARIANTS
from .losses import WithLoss


class Last(WithLoss):
    """A loss at step T alone."""

    def trade(self) -> Phrase:
        start = plain("A summary of the whole sequence: ", strong=True)
        return phrase(
            start, "one target is enough, but its gradient must travel back through every step, one after another."
        )

    def equations_at(self, t: int) -> dict[str, Equation]:
        return last_equations(self.run.cell.activation, self.shown.config.loss, t == self.state.T)

    def has_output(self, t: int) -> bool:
        return t == self.state.T

    def recurrent_gradient(self) -> tuple[np.ndarray, np.ndarray]:
        found = self.run.gradients
        return np.diagonal(found.tiles, axis1=1, axis2=2), np.diagonal(found.recurrent)

    def scenes(self) -> dict[str, Any]:
        size = self.sizes()
        unfolded = {v: unfolded_scene(self.state.T, v, **size, only_last=True) for v in VARIANTS}
        folded = {variant: folded_scene(variant, **size, only_last=True) for variant in VARIANTS}
        return {"folded": folded, "unfolded": unfolded, "contributions": self.contributions()}

    def summary(self) -> Phrase:
        T, unit, found = self.state.T, self.state.unit, self.run.gradients
        start = [f"The only loss is {self.kind_of_loss()} at step {T}: ", readout(found.loss[-1], "L", T)]
        end = [". Its gradient is ", readout(found.states[T, unit], "dh", T, unit), f" at the state of step {T} and "]
        first = readout(found.states[1, unit], "dh", 1, unit)
        return phrase(*start, *end, first, " when it has come back to step 1.")

    def arrays(self) -> Arrays:
        run, T = self.run, self.state.T
        trace, gradients = run.trace, run.gradients
        return {
            "x": (trace.xs, 1), "h": (trace.hs, 0), "a": (trace.preactivations, 1), "y": (trace.ys[-1:], T),
            "target": (run.targets[-1:], T), "L": (gradients.loss[-1:], T), "dy": (gradients.outputs[-1:], T),
            "dh": (gradients.states, 0), "da": (gradients.preactivations, 1),
            "dh_out": (gradients.from_output[-1:], T), "dh_next": (gradients.from_next, 0), **self.weight_arrays(),
            "h_after": (trace.hs[1:], 1), "dh_after": (gradients.states[1:], 1), "steps": (np.arange(1, T + 1), 1),
        }  # fmt: skip
