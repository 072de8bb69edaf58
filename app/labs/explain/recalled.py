"""The numbers of the memory view: how much each character of a text counts for one output, in three cells."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from rnnscope.core import Config, Run, central_difference, memory_reach, run, softmax

from ...words import Phrase, phrase, symbol
from ..memory import NAMES, configs, norms
from .answer import CENTRAL, Asked, Check, Entry, MissingError, check
from .loom import along, titled


def config_of(asked: Asked) -> Config:
    """The cell in whose place the number stands."""
    found = configs(asked.lab.state)
    if not 0 <= asked.unit < len(found):
        raise MissingError(f"There are {len(found)} cells, no number {asked.unit + 1}.")
    return found[asked.unit]


def output_of(asked: Asked) -> int:
    found: int = asked.lab.state.chosen_output()
    return found


def _norms(asked: Asked) -> np.ndarray:
    return norms(config_of(asked), output_of(asked))


def _rows(asked: Asked, column: np.ndarray, first: int) -> tuple[Any, int]:
    """One cell's numbers in its own place: the other cells are not run for it."""
    config_of(asked)
    table = np.full((len(column), len(NAMES)), np.nan)
    table[:, asked.unit] = column
    return table, first


def input_gradient(found: Run, k: int, t: int) -> np.ndarray:
    """dL_t / dx_k, step by step through the cell."""
    cell, trace = found.cell, found.trace
    slope = softmax(trace.ys[t - 1])  # type: ignore[index]
    slope[found.targets[t - 1]] -= 1.0
    vector = np.zeros(cell.state_size)
    vector[: cell.hidden_size] = slope @ cell.W_hy  # type: ignore[operator]
    for step in range(t, k, -1):
        vector = cell.vjp(trace.xs[step - 1], trace.states[step - 1], vector).state
    return np.asarray(cell.vjp(trace.xs[k - 1], trace.states[k - 1], vector).x)


def _checks(asked: Asked, value: float) -> list[Check]:
    """Along the gradient itself the loss changes by its length."""
    k, t = asked.t, output_of(asked)
    if k > t:
        return [check("A later character cannot count: log₁₀ 0", -math.inf, value)]
    found = run(config_of(asked))
    gradient = input_gradient(found, k, t)
    length = math.hypot(*gradient)
    slope = central_difference(
        found.cell, found.trace, found.targets, found.config.loss, "x", along(gradient), k, (t, t)
    )
    return [
        check(
            "Step by step through the cell, log₁₀", math.log10(length) if length else -math.inf, value, "other", 1e-9
        ),
        check("Central differences of the loss, its length", slope, 10.0**value, "central", CENTRAL),
    ]


def _title(asked: Asked) -> Phrase:
    return phrase("log₁₀ ‖∂", symbol("L", str(output_of(asked))), "/∂", symbol("x", str(asked.t)), "‖")


def _reach_checks(asked: Asked, value: float) -> list[Check]:
    """The farthest character of which the gradient is at least a hundredth of the largest."""
    t, found = output_of(asked), _norms(asked)
    lengths = [10.0 ** (log - found[:t].max()) for log in found[:t]] if np.isfinite(found[:t]).any() else []
    far = [t - k for k, length in enumerate(lengths, start=1) if length >= 0.01]
    return [check("Looked for character by character", max(far, default=0), value)]


RECALLED: Mapping[str, Entry] = MappingProxyType({
    "dx_log10": Entry(
        words=lambda at: (
            f"how much character {at.t} counts for output {output_of(at)} of the {NAMES[at.unit]}, as a power of ten"),
        rows=lambda at: _rows(at, _norms(at), 1),
        code=lambda at: f"input_gradient_norms(r.cell, r.trace, r.targets, {output_of(at)})[{at.t - 1}]",
        title=_title,
        checks=_checks,
        config=config_of,
    ),
    "reach": Entry(
        words=lambda at: f"how many characters back the {NAMES[at.unit]} still counts one at a hundredth of the most",
        rows=lambda at: _rows(at, np.array([memory_reach(_norms(at), output_of(at))]), output_of(at)),
        code=lambda at: f"memory_reach(input_gradient_norms(r.cell, r.trace, r.targets, {at.t}), {at.t})",
        title=titled("reach"),
        checks=_reach_checks,
        config=config_of,
    ),
})  # fmt: skip
