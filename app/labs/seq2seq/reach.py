"""What reaches each encoder state from the loss of one step, with attention and through the bottleneck alone."""

from __future__ import annotations

from typing import Any

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
        return phrase(
            f"From the loss of step {t} to character {j}: with attention 1 step, through the weight; without it ",
            readout(steps, "path_without", t, j - 1, text=str(steps)), " (T − j + t). Measured there: ",
            readout(on[j - 1], "grad_with", t, j - 1), " with, ", readout(off[j - 1], "grad_without", t, j - 1),
            " without; at character 1 ", readout(on[0], "grad_with", t, 0), " and ",
            readout(off[0], "grad_without", t, 0), ". The target is forced; the loss is ",
            readout(losses[0], "L_with", t), " and ", readout(losses[1], "L_without", t),
            ", and a gradient scales with what is lost: compare the shapes, not the heights.",
        )  # fmt: skip
