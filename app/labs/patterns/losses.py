"""What the patterns with a loss have in common: hidden-to-hidden, output-to-hidden, one output at the end."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
from rnnscope.core import ALPHABET, Equation, softmax

from ...diagrams.folded import contribution_scene
from ...view import Arrays
from ...words import Phrase, phrase, readout, symbol
from ..equation_text import Line, both, said
from .base import VARIANTS, Pattern

ROLES = {"y": "output", "dh": "gradient", "da": "gradient", "dy": "gradient"}


class WithLoss(Pattern):
    """Forward and backward equations, the sum of the uses of W, and the loss."""

    @abstractmethod
    def equations_at(self, t: int) -> dict[str, Equation]:
        """The equations of one step by what they compute."""

    def more(self) -> dict[str, Phrase]:
        return {"sum": self._sum()}

    def contributions(self) -> dict[str, object]:
        return {variant: contribution_scene(self.state.T, variant) for variant in VARIANTS}

    def shown_output(self) -> int:
        """For text the output shown is the score of the character that comes next."""
        return int(self.run.targets[self.state.t - 1]) if self.text else 0

    # --- equations ----------------------------------------------------------------------------

    def lines(self, names: tuple[str, ...], selected: str) -> list[Line]:
        """Symbols and numbers of the equations that the step has."""
        found = self.equations_at(self.state.t)
        return [line for name in names if name in found for line in self._both(found[name], selected)]

    def _both(self, equation: Equation, selected: str) -> list[Line]:
        name = equation.symbol
        unit = self.shown_output() if name in ("y", "dy") else 0 if name == "L" else self.state.unit
        role = ROLES.get(name, "" if name == "L" else "hidden")
        on = name == selected or (name == "L" and selected == "target")
        return both(equation, self.run, self.state.t, unit, self.state.notation, role, on)

    def forward(self, selected: str) -> list[Line]:
        if self.state.t == 0:
            return self.before_first()
        loss = ("L",) if selected in ("L", "target") else ()
        return self.lines(("a", "h", "y", *loss), selected)

    def before_first(self) -> list[Line]:
        return said(symbol("h", "0"), " is given: the state before the first input.")

    def backward(self, selected: str) -> list[Line]:
        if self.state.t == 0:
            return self.gradient_before_first()
        output = ("dy",) if selected in ("L", "target", "y") else ()
        return self.lines((*output, "dh", "da"), selected)

    def gradient_before_first(self) -> list[Line]:
        total = self.run.gradients.states[0, self.state.unit]
        number = readout(total, "dh", 0, self.state.unit)
        return said("∂", symbol("L"), "/∂", symbol("h", "0"), " = ", number, ", from step 1 alone.")

    # --- sentences ----------------------------------------------------------------------------

    def recurrent_gradient(self) -> tuple[np.ndarray, np.ndarray]:
        """What each step adds to the gradient of W and the sum, of the entries shown: (T, n) and (n,)."""
        found = self.run.gradients
        return np.diagonal(found.W_hh_steps, axis1=1, axis2=2), np.diagonal(found.W_hh)

    def entry(self) -> str:
        """Which entry of W the bars are about."""
        unit = self.state.unit + 1
        return "" if self.state.n == 1 else f"Entry ({unit}, {unit}): "

    def _sum(self) -> Phrase:
        T, unit = self.state.T, self.state.unit
        uses = "1 use of W, 1 term" if T == 1 else f"{T} uses of W, {T} terms, one sum"
        total = self.recurrent_gradient()[1][unit]
        return phrase(f"{self.entry()}{uses}: ", readout(total, "dW_sum", T, unit), ".")

    def kind_of_loss(self) -> str:
        return "−log p of the next character" if self.text else "½ (output − target)²"

    def summary(self) -> Phrase:
        losses = self.run.gradients.loss
        worst = int(np.argmax(losses)) + 1
        total = readout(float(losses.sum()), "L_sum", self.state.T)
        start = [f"The loss of a step is {self.kind_of_loss()}; over all steps it sums to ", total]
        return phrase(*start, f", most of it at step {worst} (", readout(losses[worst - 1], "L", worst), ").")

    # --- the inspector ------------------------------------------------------------------------

    def selection(self) -> list[list[Phrase]]:
        t, unit, run = self.state.t, self.state.unit, self.run
        step = str(t)
        rows = [[phrase("State ", symbol("h", step)), [readout(run.trace.hs[t, unit], "h", t, unit, 5)]]]
        if t > 0:
            before = run.trace.preactivations[t - 1, unit]
            rows.append([phrase("Pre-activation ", symbol("a", step)), [readout(before, "a", t, unit, 5)]])
        gradient = readout(run.gradients.states[t, unit], "dh", t, unit, 5)
        rows.append([phrase("∂", symbol("L"), "/∂", symbol("h", step)), [gradient]])
        return [*rows, *(self.step_rows() if t else [])]

    def step_rows(self) -> list[list[Phrase]]:
        t, unit, run = self.state.t, self.state.unit, self.run
        slope = run.cell.slope(run.trace.preactivations[t - 1])[unit]
        rows = [[phrase("Slope φ′(", symbol("a", str(t)), ")"), [readout(slope, "slope", t, unit, 5)]]]
        return rows + (self.loss_rows() if self.has_output(t) else [])

    def has_output(self, t: int) -> bool:
        return True

    def loss_rows(self) -> list[list[Phrase]]:
        t, run = self.state.t, self.run
        rows = [[phrase("Loss ", symbol("L", str(t))), [readout(run.gradients.loss[t - 1], "L", t, 0, 5)]]]
        if self.text:
            target = self.shown_output()
            wanted = f"“{ALPHABET[target]}”" if target < len(ALPHABET) else "the end"
            share = softmax(run.trace.ys[t - 1])[target]
            rows.append([phrase(f"p of {wanted}"), [readout(share, "p", t, target, 5)]])
        return rows

    # --- arrays -------------------------------------------------------------------------------

    def weight_arrays(self) -> Arrays:
        tiles, total = self.recurrent_gradient()
        return {"dW": (tiles, 1), "dW_sum": (total[None, :], self.state.T)}
