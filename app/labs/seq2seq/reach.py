"""What reaches each encoder state from the loss of one step, with attention and through the bottleneck alone."""

from __future__ import annotations

from typing import Any

import numpy as np
from rnnscope.core import EncoderDecoder

from ...translation_numbers import gradient_norms, models, step_loss
from ...view import Arrays
from ...words import Phrase, phrase, readout
from ..detail import Detail

CARD = {
    "title": "How far the gradient has to go",
    "legend": [{"label": "with attention", "cls": "s2s-curve with"}, {"label": "without", "cls": "s2s-curve without"}],
    "body": [{"kind": "reach", "detail": "reach"}],
}  # fmt: skip


class ReachDetail(Detail):
    """Two backward passes; they follow the step, so that a look makes them stale too."""

    NAME = "reach"
    LOOKS = True

    def step(self) -> int:
        return min(self.lab.state.t, len(self.lab.run.goal))

    def models(self) -> tuple[EncoderDecoder, EncoderDecoder]:
        return models(self.lab.run)

    def arrays(self) -> Arrays:
        run, t = self.lab.run, self.step()
        self.norms = [gradient_norms(model, run.source, run.goal, t) for model in self.models()]
        return {"grad_with": (self.norms[0][None], t), "grad_without": (self.norms[1][None], t),
                "letters": (self.lab.source_codes(), 1)}  # fmt: skip

    def texts(self) -> dict[str, Any]:
        return {"summary": self.summary()}

    def summary(self) -> Phrase:
        run, t, (on, off) = self.lab.run, self.step(), self.norms
        losses = [step_loss(model, run.source, run.goal, t) for model in self.models()]
        j = min(self.lab.state.j, run.T)
        steps = run.T - j + t
        first = ["; at character 1 ", *pair(on, off, t, 0)] if j > 1 else []
        return phrase(
            f"From the loss of step {t} back to character {j} it is 1 step with attention, by its weight; without ",
            readout(steps, "path_without", t, j - 1, text=str(steps)), " (T − j + t). The gradient’s norm there is ",
            *pair(on, off, t, j - 1), *first, ". The target is forced. The losses are ",
            readout(losses[0], "L_with", t), " and ", readout(losses[1], "L_without", t),
            "; a larger loss sends a larger gradient, so compare the shapes, not the heights.",
        )  # fmt: skip


def pair(on: np.ndarray, off: np.ndarray, t: int, unit: int) -> list[Any]:
    """The norm at one character, with attention and without."""
    with_it, without = readout(on[unit], "grad_with", t, unit), readout(off[unit], "grad_without", t, unit)
    return [with_it, " with and ", without, " without"]
