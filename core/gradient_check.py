"""Gradients by back-propagation beside central differences of the loss, parameter by parameter."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from .arrays import Array, checked_integer, checked_number
from .cells import Cell
from .gradients import Gradients, bptt
from .losses import LOSSES, target_array
from .unroll import Trace, unroll

BoolArray = npt.NDArray[np.bool_]

# Balances the truncation error of a central difference, step^2, against its rounding error, eps / step.
STEP = float(np.finfo(np.float64).eps ** (1 / 3))
# An entry below this share of its parameter's largest one is judged by that share: its digits are rounding.
SMALL = 1e-3


@dataclass(frozen=True)
class Deviation:
    """One gradient entry: which, what back-propagation gave, what central differences gave, and the error."""

    parameter: str
    index: tuple[int, ...]
    analytic: float
    numeric: float
    error: float


@dataclass(frozen=True)
class GradientCheck:
    """The worst entries of a gradient check.

    Attributes
    ----------
    absolute : Deviation with the largest |analytic - numeric|
    relative : Deviation with the largest |analytic - numeric| / max(|analytic|, |numeric|), where an entry below
        1e-3 of its parameter's largest one counts as that large; about 1e-9 for a right gradient of a smooth cell
    entries : how many numbers were checked
    total : how many there are
    """

    absolute: Deviation
    relative: Deviation
    entries: int
    total: int


def gradient_check(
    cell: Cell,
    xs: Array,
    targets: Any,
    loss: str = "cross_entropy",
    h0: Array | None = None,
    c0: Array | None = None,
    step: float = STEP,
    gradients: Gradients | None = None,
    most: int | None = None,
) -> GradientCheck:
    """Compare every parameter's gradient, and the initial state's, with central differences of the summed loss.

    Each number w is moved by step * max(1, |w|) to both sides. At a kink, a relu unit within that of a = 0, the two
    may differ although both are right.

    Parameters
    ----------
    xs : (T, d), targets, loss : as in `unroll` and `bptt`
    h0, c0 : (n,) or None
    step : positive number, 6e-6 (the cube root of eps) where not given
    gradients : Gradients to check, or None for those of `bptt`
    most : check at most this many numbers, spread evenly over all of them; None checks all

    Raises
    ------
    ValueError
        For a cell without a read-out, a step that is not positive, `most` below 1; what `unroll` and `bptt` refuse.
    """
    if not checked_number("step", step) > 0:
        raise ValueError(f"step must be a positive number, got {step!r}")
    trace = unroll(cell, xs, h0, c0)
    found = bptt(cell, trace, targets, loss) if gradients is None else gradients
    states = (trace.hs[0],) if trace.cs is None else (trace.hs[0], trace.cs[0])

    def total(changed: Cell, *start: Array) -> float:
        return _summed_loss(changed, unroll(changed, trace.xs, *start), targets, loss)

    moves = _moves(cell, states, total)
    return _compare(moves, _analytic(found, moves, cell.hidden_size), step, most)


def _summed_loss(cell: Cell, trace: Trace, targets: Any, loss: str) -> float:
    if trace.ys is None:
        raise ValueError("cell must have a read-out (W_hy) for gradient_check, got W_hy=None")
    goals = target_array(targets, loss, trace.steps, trace.ys.shape[1])
    return float(LOSSES[loss][0](trace.ys, goals).sum())


Total = Callable[..., float]


Move = tuple[Callable[[Array], float], Array]
"""(the loss with a parameter at another value, the value it has)."""


def _moves(cell: Any, states: tuple[Array, ...], total: Total) -> dict[str, Move]:
    """Every array of the cell by its name, then h0, and c0 where there is one."""

    def moved_weight(name: str, value: Array) -> float:
        return total(replace(cell, **{name: value}), *states)

    def moved_state(place: int, value: Array) -> float:
        return total(cell, *states[:place], value, *states[place + 1 :])

    arrays = {field.name: getattr(cell, field.name) for field in fields(cell)}
    weights = {name: array for name, array in arrays.items() if isinstance(array, np.ndarray)}
    moves: dict[str, Move] = {name: (partial(moved_weight, name), at) for name, at in weights.items()}
    for place, (name, at) in enumerate(zip(("h0", "c0"), states, strict=False)):
        moves[name] = (partial(moved_state, place), at)
    return moves


def _compare(moves: dict[str, Move], analytic: dict[str, Array], step: float, most: int | None) -> GradientCheck:
    chosen = _spread(analytic, most)
    numeric = {name: _differences(*moves[name], analytic[name], step, chosen[name]) for name in moves}
    return _report(numeric, analytic, chosen)


def _spread(arrays: dict[str, Array], most: int | None) -> dict[str, BoolArray]:
    """Which entries to check: all, or every k-th of them end to end, first and last included where two may go."""
    total = sum(array.size for array in arrays.values())
    count = total if most is None else min(total, checked_integer("most", most, 1))
    flat = np.zeros(total, dtype=bool)
    flat[np.linspace(0, total - 1, count).astype(np.int64)] = True
    ends = np.cumsum([array.size for array in arrays.values()])[:-1]
    return {
        name: part.reshape(array.shape)
        for (name, array), part in zip(arrays.items(), np.split(flat, ends), strict=True)
    }


def _differences(
    function: Callable[[Array], float], at: Array, analytic: Array, step: float, chosen: BoolArray
) -> Array:
    """d function / d every chosen entry, shaped as `at`; the others keep what back-propagation gave."""
    slopes, moved = np.array(analytic), at.copy()
    for index in map(tuple, np.argwhere(chosen)):
        centre = float(at[index])
        reach = step * max(1.0, abs(centre))
        moved[index] = above = centre + reach
        rise = function(moved)
        moved[index] = below = centre - reach
        slopes[index] = (rise - function(moved)) / (above - below)
        moved[index] = centre
    return slopes


def _analytic(gradients: Gradients, names: Iterable[str], n: int) -> dict[str, Array]:
    initial = {"h0": gradients.states[0, :n], "c0": gradients.states[0, n:]}
    return {name: initial[name] if name in initial else getattr(gradients, name) for name in names}


def _report(numeric: dict[str, Array], analytic: dict[str, Array], chosen: dict[str, BoolArray]) -> GradientCheck:
    absolute, relative = [], []
    for name, differences in numeric.items():
        if differences.size:
            error = np.abs(analytic[name] - differences)
            larger = np.maximum(np.abs(analytic[name]), np.abs(differences))
            scale = np.maximum(larger, SMALL * np.fmax.reduce(larger, axis=None))
            share = np.divide(error, scale, out=np.zeros_like(error), where=scale != 0)
            absolute.append(_worst(name, analytic[name], differences, error))
            relative.append(_worst(name, analytic[name], differences, share))
    entries = sum(int(mask.sum()) for mask in chosen.values())
    return GradientCheck(_largest(absolute), _largest(relative), entries, sum(mask.size for mask in chosen.values()))


def _worst(name: str, analytic: Array, numeric: Array, error: Array) -> Deviation:
    # A NaN counts as the largest error: argmax stops at the first one.
    index = tuple(int(i) for i in np.unravel_index(error.argmax(), error.shape))
    return Deviation(name, index, float(analytic[index]), float(numeric[index]), float(error[index]))


def _largest(deviations: Iterable[Deviation]) -> Deviation:
    return max(deviations, key=lambda deviation: math.inf if math.isnan(deviation.error) else deviation.error)
