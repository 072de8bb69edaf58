"""The presets of /gru: what each is called, and the sentence that its numbers bear out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from rnnscope.core import GRU, Run, variant_differences

from ..words import readout, symbol
from .presets import Presets

LABELS = {
    "copies": "Update near 0: copies",
    "forgets-history": "Reset near 0: forgets its history",
    "chung-2014": "Chung et al. 2014",
    "cho-2014": "Cho et al. 2014",
    "pytorch": "PyTorch",
    "one-unit": "One unit",
}


def _largest(shown: Run, gate: str) -> dict[str, Any]:
    """The largest value of a gate in the run, with its step and unit."""
    values = shown.trace.gates[gate]
    step, unit = np.unravel_index(np.argmax(values), values.shape)
    return readout(values[step, unit], gate, int(step) + 1, int(unit))


def _copies(shown: Run) -> list[Any]:
    T, most = shown.trace.steps, float(np.abs(shown.trace.hs).max())
    start = [
        "The update gate never passes ",
        _largest(shown, "z"),
        ": each step copies nearly all of the old state. In ",
    ]
    return [*start, f"{T} steps no unit has gone further from its start, 0, than ", readout(most, "h_largest", T), "."]


def forgetful(shown: Run) -> float:
    """Largest |difference| between the candidate and tanh(W x + b), which has read no state."""
    cell = shown.cell
    blind = np.tanh(shown.trace.xs @ cell.W_xh[-1].T + cell.b_h[-1])
    return float(np.abs(shown.trace.gates["g"] - blind).max())


def _forgets(shown: Run) -> list[Any]:
    apart = readout(forgetful(shown), "candidate_history", shown.trace.steps)
    start = ["The reset gate never passes ", _largest(shown, "r"), ": what came before moves the candidate by at most "]
    return [*start, apart, ". The state itself still keeps its share, 1 − ", symbol("z"), "."]


def _shares(word: str) -> Callable[[Run], list[Any]]:
    def say(shown: Run) -> list[Any]:
        z = shown.trace.gates["z"][:, 0]
        ends = [readout(z[i], "z", int(i) + 1) for i in (np.argmin(z), np.argmax(z))]
        unit = " of unit 1" if shown.config.n > 1 else ""
        return [symbol("z"), f" is the share {word}{unit}: between ", ends[0], " and ", ends[1], " in this run."]

    return say


def _pytorch(shown: Run) -> list[Any]:
    cell = shown.cell
    plain = GRU(cell.W_xh, cell.W_hh, cell.b_h).parameter_count
    total = readout(cell.parameter_count, "parameters", text=str(cell.parameter_count))
    more = readout(cell.parameter_count - plain, "parameters_b_hh", text=str(cell.parameter_count - plain))
    start = ["Reset after the product, with a bias of its own inside the bracket: ", total, " parameters, "]
    return [*start, more, " more than with the reset before."]


def _one_unit(shown: Run) -> list[Any]:
    seen = variant_differences(shown.cell, shown.trace, 1)
    apart = readout(seen.reset, "difference_reset", shown.trace.steps)
    start = ["Every matrix is one number, so the reset gate may stand before or after it: "]
    return [*start, "switched, no ", symbol("h"), " moves by more than ", apart, "."]


CLAIMS: dict[str, Callable[[Run], list[Any]]] = {
    "copies": _copies,
    "forgets-history": _forgets,
    "chung-2014": _shares("taken of the candidate"),
    "cho-2014": _shares("kept of the old state"),
    "pytorch": _pytorch,
    "one-unit": _one_unit,
}

PRESETS = Presets(LABELS, CLAIMS)
