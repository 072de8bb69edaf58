"""The check of /bptt: central differences of the loss beside the gradient, on request."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from rnnscope.core import Deviation, GradientCheck, gradient_check, unroll

from ..view import Message
from ..words import Phrase, phrase, readout
from .detail import Detail

#: A check may take this long: of larger networks it looks at as many entries as fit.
SECONDS = 0.8


@dataclass(frozen=True)
class Checked:
    """A check, the run it belongs to, and how long it took."""

    run: Any
    found: GradientCheck
    milliseconds: float


class CheckDetail(Detail):
    """A button; its answer is forgotten when the run changes."""

    NAME = "check"
    COPIED = False

    def __init__(self, lab: Any):
        super().__init__(lab)
        self._checked: Checked | None = None

    def told(self, message: Message) -> None:
        if message.get("check"):
            self._checked = self._check()

    @property
    def latest(self) -> GradientCheck | None:
        """The check of the present run, None where there was none."""
        checked = self._checked
        return checked.found if checked is not None and checked.run is self.lab.run else None

    def _check(self) -> Checked:
        run, start = self.lab.run, time.perf_counter()
        unroll(run.cell, run.trace.xs)
        once = time.perf_counter() - start
        c0 = None if run.trace.cs is None else run.trace.cs[0]
        found = gradient_check(
            run.cell, run.trace.xs, run.targets, run.config.loss, run.trace.hs[0], c0, gradients=self.lab.full,
            most=max(1, int(SECONDS / (2.5 * once))),
        )  # fmt: skip
        return Checked(run, found, 1000 * (time.perf_counter() - start))

    def texts(self) -> dict[str, Any]:
        checked = self._checked
        if checked is None or checked.run is not self.lab.run:
            return {"rows": [], "note": phrase("Moves every weight a little to both sides and compares."), "bias": []}
        rows = [
            [phrase("Largest error"), _error(checked.found.absolute, "check_absolute")],
            [phrase("Largest relative"), _error(checked.found.relative, "check_relative")],
        ]
        return {"rows": rows, "note": self._note(checked), "bias": self._bias()}

    @staticmethod
    def _note(checked: Checked) -> Phrase:
        found = checked.found
        which = "all" if found.entries == found.total else f"{found.entries:,} of {found.total:,}, evenly spread,"
        verb = f"{which} {found.total:,}" if which == "all" else which
        return phrase(f"Checked {verb} numbers in {checked.milliseconds:.0f} ms, the full gradient.")

    def _bias(self) -> Phrase:
        """A truncated gradient is no gradient of the loss: what it misses."""
        if self.lab.run.config.truncate is None:
            return []
        return phrase(
            "The truncated gradient is not the gradient of the loss: it is biased. It differs from the full one by ",
            readout(self.lab.difference(), "truncation_error"), " (norm).",
        )  # fmt: skip


def _error(worst: Deviation, name: str) -> Phrase:
    place = "" if not worst.index else f"[{', '.join(str(i + 1) for i in worst.index)}]"
    return phrase(readout(worst.error, name), f" at {worst.parameter}{place}")
