"""What the recurrent weights of an operated run see: zeros in place of the state before a cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from rnnscope.core import Run, Trace, substep_values

from .. import surgery_text
from ..state.inside import InsideState

#: What is made of the state that the weights see, beside their products U h; all else of a step sees the state itself.
THROUGH_RESET = "rh"


def cuts_of(state: InsideState) -> tuple[int, ...]:
    """The steps at which the recurrent weights are cut."""
    return surgery_text.parse(state.surgery, state.param["surgery"].gates).cuts


def reads_weights(symbol: str) -> bool:
    """Whether a sub-step takes the state through the recurrent weights; a GRU's r stands before or after them."""
    return symbol.startswith("Uh") or symbol == THROUGH_RESET


def seen_trace(trace: Trace, cuts: Sequence[int]) -> Trace:
    """The trace with the states that the weights see, for what is made of these alone."""
    hs = trace.hs.copy()
    hs[[step - 1 for step in cuts]] = 0.0
    return replace(trace, hs=hs)


def made(run: Run, cuts: Sequence[int] = ()) -> dict[str, np.ndarray]:
    """What every sub-step makes, symbol -> (T, n); a GRU's U h + b is b at a cut."""
    found = substep_values(run.cell, run.trace)
    if not cuts:
        return found
    blind = substep_values(run.cell, seen_trace(run.trace, cuts))
    return found | {name: array for name, array in blind.items() if reads_weights(name)}
