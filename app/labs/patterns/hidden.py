"""Hidden to hidden: the state of one step is read by the next."""

from __future__ import annotations

from typing import Any

import numpy as np
from rnnscope.core import Equation, equations, loss_equations

from ...diagrams.folded import folded_scene
from ...diagrams.unfold import unfolded_scene
from ...view import Arrays
from ...words import Phrase, phrase, plain
from .base import VARIANTS
from .losses import WithLoss


class Hidden(WithLoss):
    """The workhorse: an output and a loss at every step."""

    def find(self) -> Any:
        return self.shown

    def trade(self) -> Phrase:
        words = "what the state carries on is up to the network, so it can hold any summary of the past. "
        return phrase(
            plain("Powerful, and sequential: ", strong=True), words + "But each step waits for the one before."
        )

    def equations_at(self, t: int) -> dict[str, Equation]:
        found = (*equations(self.run.cell), *loss_equations(self.run.config.loss))
        return {item.symbol: item for item in found}

    def scenes(self) -> dict[str, Any]:
        size = self.sizes()
        return {
            "folded": {variant: folded_scene(variant, **size) for variant in VARIANTS},
            "unfolded": {variant: unfolded_scene(self.state.T, variant, **size) for variant in VARIANTS},
            "contributions": self.contributions(),
        }

    def arrays(self) -> Arrays:
        run, n, T = self.run, self.state.n, self.state.T
        trace, gradients = run.trace, run.gradients
        return {
            "x": (trace.xs, 1), "h": (trace.hs, 0), "a": (trace.preactivations, 1), "y": (trace.ys, 1),
            "target": (run.targets, 1), "L": (gradients.loss, 1), "dy": (gradients.outputs, 1),
            "dh": (gradients.states[:, :n], 0), "da": (gradients.preactivations, 1),
            "dh_out": (gradients.from_output, 1), "dh_next": (gradients.from_next[:, :n], 0),
            **self.weight_arrays(),
            "h_after": (trace.hs[1:], 1), "dh_after": (gradients.states[1:, :n], 1), "steps": (np.arange(1, T + 1), 1),
        }  # fmt: skip
