"""What core makes of a run in each pattern of /unfold, for the page and for `rnnscope state`. No Panel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np
from rnnscope.core import Run, convolution_pattern, last_pattern, output_pattern, system_pattern
from rnnscope.core.patterns import PatternRun

from .state import UnfoldState

#: Pattern -> its run, from the state and the hidden-to-hidden run of the same weights and inputs.
RUNS: dict[str, Callable[[UnfoldState, Run], PatternRun]] = {
    "output": lambda state, shown: output_pattern(shown, state.forcing == "teacher"),
    "last": lambda state, shown: last_pattern(shown),
    "system": lambda state, shown: system_pattern(state.config()),
    "convolution": lambda state, shown: convolution_pattern(shown, state.window),
}

NETWORK = ("W_xh", "W_hh", "W_yh", "b_h", "W_hy", "b_y", "kernel")
#: The read-out that is written beside a pattern that does not use it would not be the page's.
UNUSED = {"system": ("W_xh", "W_hy", "b_y", "ys", "targets", "xs"), "convolution": ("W_hy", "b_y", "ys", "targets")}


def pattern_arrays(state: UnfoldState, shown: Run) -> dict[str, np.ndarray]:
    """Every array of a pattern's run under the name that core gives it, gradients with `grad_` before it."""
    found = RUNS[state.pattern](state, shown)
    trace = found.trace
    arrays: dict[str, Any] = {name: getattr(found.network, name, None) for name in NETWORK}
    arrays |= {"xs": trace.xs, "hs": trace.hs, "ys": trace.ys, "preactivations": trace.preactivations}
    arrays |= {"targets": found.targets, **trace.gates, **beside(state, shown, found)}
    if found.gradients is not None:
        arrays |= {f"grad_{field.name}": getattr(found.gradients, field.name) for field in fields(found.gradients)}
    unused = UNUSED.get(state.pattern, ())
    return {name: np.asarray(array) for name, array in arrays.items() if array is not None and name not in unused}


def beside(state: UnfoldState, shown: Run, found: PatternRun) -> dict[str, np.ndarray]:
    """What differs by pattern: no state stands before an output's first step, and a convolution has a recurrence."""
    if state.pattern == "convolution":
        return {name: getattr(shown.cell, name) for name in ("W_xh", "W_hh")}
    return {"hs": found.trace.hs[1:]} if state.pattern == "output" else {}
