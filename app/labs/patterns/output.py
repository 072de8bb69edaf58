"""Output to hidden: the next step reads the output, or the target in its place."""

from __future__ import annotations

from typing import Any

import numpy as np
from rnnscope.core import Equation
from rnnscope.core.pattern_equations import output_equations

from ...diagrams.output_recurrence import folded_output_scene, output_scene
from ...view import Arrays
from ...words import Phrase, phrase, plain, readout, symbol
from ..equation_text import Line, said
from .base import VARIANTS
from .losses import WithLoss


class Output(WithLoss):
    """Free running or teacher forcing."""

    @property
    def forced(self) -> bool:
        return self.state.forcing == "teacher"

    def trade(self) -> Phrase:
        numbers = "one number" if len(self.run.network.b_y) == 1 else f"{len(self.run.network.b_y)} numbers"
        start = plain("Less powerful: ", strong=True)
        way = f"the past reaches the next state only through the {numbers} of the output. "
        if self.forced:
            return phrase(start, way, "With targets in their place no step waits: all train in parallel.")
        return phrase(start, way, "Running on its own outputs each step still waits; targets in their place free it.")

    def equations_at(self, t: int) -> dict[str, Equation]:
        network = self.run.network
        kind = "teacher" if self.forced else network.feedback
        return output_equations(network.activation, kind, self.shown.config.loss, t == 1, t == self.state.T)

    def before_first(self) -> list[Line]:
        return said("No state comes before the first input: step 1 reads ", symbol("x", "1"), " alone.")

    def gradient_before_first(self) -> list[Line]:
        return said("Nothing comes back to step 0.")

    def scenes(self) -> dict[str, Any]:
        size = self.sizes() | {"forced": self.forced}
        return {
            "folded": {variant: folded_output_scene(variant, **size) for variant in VARIANTS},
            "unfolded": {variant: output_scene(self.state.T, variant, **size) for variant in VARIANTS},
            "contributions": self.contributions(),
        }

    def column(self) -> int:
        """The column of W that the bars are about: of a text, the character that a teacher feeds last."""
        return int(self.run.targets[-2]) if self.text and self.state.T > 1 else 0

    def recurrent_gradient(self) -> tuple[np.ndarray, np.ndarray]:
        found, column = self.run.gradients, self.column()
        return found.tiles[:, :, column], found.recurrent[:, column]

    def entry(self) -> str:
        whole = self.state.n == 1 and not self.text
        return "" if whole else f"Entry ({self.state.unit + 1}, {self.column() + 1}): "

    def selection(self) -> list[list[Phrase]]:
        if self.state.t == 0:
            return []
        t, read = self.state.t, self.shown_read()
        fed = readout(self.run.trace.gates["fed"][t - 1, read], "fed", t, read, 5)
        dy = readout(self.run.gradients.outputs[t - 1, self.shown_output()], "dy", t, self.shown_output(), 5)
        letter = "y" if self.state.notation != "goodfellow" else "o"
        names = phrase("Reads of the step before"), phrase("∂", symbol("L"), "/∂", symbol(letter, str(t)))
        return [*super().selection(), [names[0], [fed]], [names[1], [dy]]]

    def shown_read(self) -> int:
        """Of what a text's step reads, the part of the character that stood there."""
        return int(self.run.targets[self.state.t - 2]) if self.text and self.state.t > 1 else 0

    def arrays(self) -> Arrays:
        run, T = self.run, self.state.T
        trace, gradients = run.trace, run.gradients
        return {
            "x": (trace.xs, 1), "h": (trace.hs[1:], 1), "a": (trace.preactivations, 1), "y": (trace.ys, 1),
            "target": (run.targets, 1), "L": (gradients.loss, 1), "dy": (gradients.outputs, 1),
            "dy_own": (gradients.own, 1), "dy_next": (gradients.passed, 1), "fed": (trace.gates["fed"], 1),
            "dh": (gradients.states[1:], 1), "da": (gradients.preactivations, 1), **self.weight_arrays(),
            "h_after": (trace.hs[1:], 1), "dh_after": (gradients.states[1:], 1), "steps": (np.arange(1, T + 1), 1),
        }  # fmt: skip
