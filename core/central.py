"""Central differences of a run's losses, by any quantity of it: moved there and then, and run on from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from .arrays import Array, checked_array, checked_choice, checked_integer
from .cells import Cell
from .cells.readout import read_out
from .gradient_check import STEP
from .gradients import PARAMETERS
from .losses import LOSSES, target_array
from .unroll import Trace, unroll

QUANTITIES = ("state", "x", "y", *PARAMETERS)
"""What `central_difference` moves: the state or the output of a step, its input, a parameter."""

#: Below and above the value of a quantity: what comes of it.
Moved = Callable[[Array], float]


def central_difference(
    cell: Cell,
    trace: Trace,
    targets: Any,
    loss: str,
    name: str,
    direction: Any,
    t: int | None = None,
    losses: tuple[int, int] | None = None,
) -> float:
    """Derivative of L_first + … + L_last along `direction`, by moving one quantity to both sides.

    The steps before t stay as they are; step t and those behind it run again. A pre-activation is moved by moving the
    bias that enters it at step t, which every cell adds to it.

    Parameters
    ----------
    name : one of `QUANTITIES`
        "state" and "y" move what step t made, "x" its input; a parameter is moved for its use at step t alone, or
        where t is None for all of them.
    direction : shaped as what is moved; for one entry, 1 there and 0 elsewhere
    t : 0 … T for "state", else 1 … T
    losses : (first, last) in 1 … T, or None for all

    Returns the slope per unit of `direction`; NaN where the run is not finite.

    Raises
    ------
    ValueError
        For a cell without a read-out, an unknown name, a step or losses outside the run, a wrong shape.
    """
    checked_choice("name", name, QUANTITIES)
    first, last = _checked_losses(losses, trace.steps)
    goals = _goals(trace, targets, loss)[first - 1 : last]
    at, outputs = _moves(cell, trace, name, t)
    along = checked_array("direction", direction, at.shape)
    if not (np.isfinite(at).all() and np.isfinite(trace.states).all()):
        return float("nan")
    with np.errstate(over="ignore", invalid="ignore"):
        return _slope(lambda value: float(LOSSES[loss][0](outputs(value)[first - 1 : last], goals).sum()), at, along)


def state_difference(cell: Cell, trace: Trace, k: int, t: int, direction: Any, reach: float = STEP) -> Array:
    """d state_t / d state_k times `direction` (s,), by running on from both sides of state_k; shape (s,).

    `reach` is how far state_k is moved along the direction. NaN where the run is not finite.

    Raises
    ------
    ValueError
        For k and t outside 0 <= k <= t <= T, and a direction of another shape.
    """
    checked_integer("t", t, 0, trace.steps)
    checked_integer("k", k, 0, t)
    along = checked_array("direction", direction, (cell.state_size,))
    if not np.isfinite(trace.states[: t + 1]).all():
        return np.full(cell.state_size, np.nan)
    above, below = (trace.states[k] + side * reach * along for side in (1.0, -1.0))
    far, near = (_run_on(cell, trace.xs[k:t], state).states[-1] for state in (above, below))
    return np.asarray((far - near) / (2.0 * reach))


def _goals(trace: Trace, targets: Any, loss: str) -> Array:
    if trace.ys is None:
        raise ValueError("cell must have a read-out (W_hy) for central_difference, got W_hy=None")
    return target_array(targets, loss, trace.steps, trace.ys.shape[1])


def _checked_losses(losses: tuple[int, int] | None, steps: int) -> tuple[int, int]:
    first, last = (1, steps) if losses is None else losses
    checked_integer("losses", last, 1, steps)
    return checked_integer("losses", first, 1, last), last


def _slope(total: Moved, at: Array, along: Array) -> float:
    """What the loss gains over what the move really was: a sum of floats is not exact."""
    moved = at[along != 0]
    reach = STEP * max(1.0, float(np.abs(moved).max(initial=0.0)))
    above, below = at + reach * along, at - reach * along
    width = float(np.vdot(above - below, along)) / float(np.vdot(along, along))
    return (total(above) - total(below)) / width


def _moves(cell: Cell, trace: Trace, name: str, t: int | None) -> tuple[Array, Callable[[Array], Array]]:
    """What is moved, and the outputs (T, m) of the run in which it has another value."""
    if t is None:
        if name not in PARAMETERS:
            raise ValueError(f"t must be given to move {name}, got None")
        return _parameter(cell, name), lambda value: _outputs(
            unroll(_with(cell, name, value), trace.xs, *_parts(trace, 0))
        )
    checked_integer("t", t, 0 if name == "state" else 1, trace.steps)
    ys = _outputs(trace)
    if name == "y":
        return ys[t - 1], lambda value: np.concatenate([ys[: t - 1], value[None], ys[t:]])
    if name == "state":
        return trace.states[t], lambda value: _from_state(cell, trace, t, value)
    if name == "x":
        return trace.xs[t - 1], lambda value: _from_step(cell, cell, trace, t, value)
    return _parameter(cell, name), lambda value: _from_step(cell, _with(cell, name, value), trace, t, trace.xs[t - 1])


def _from_state(cell: Cell, trace: Trace, t: int, state: Array) -> Array:
    """Outputs of the run that goes on from another state_t; h_t's own output included."""
    own = read_out(cell.W_hy, cell.b_y, state[None, : cell.hidden_size])
    rest = _outputs(_run_on(cell, trace.xs[t:], state))
    return np.concatenate([_outputs(trace)[: max(0, t - 1)], *([] if t == 0 or own is None else [own]), rest])


def _from_step(cell: Cell, changed: Cell, trace: Trace, t: int, x: Array) -> Array:
    """Outputs of the run whose step t is taken by `changed` with the input x."""
    step = _run_on(changed, x[None], trace.states[t - 1])
    rest = _run_on(cell, trace.xs[t:], step.states[-1])
    return np.concatenate([_outputs(trace)[: t - 1], _outputs(step), _outputs(rest)])


def _run_on(cell: Cell, xs: Array, state: Array) -> Trace:
    return unroll(cell, xs, *np.split(state, range(cell.hidden_size, cell.state_size, cell.hidden_size)))


def _parts(trace: Trace, t: int) -> tuple[Array, ...]:
    return (trace.hs[t],) if trace.cs is None else (trace.hs[t], trace.cs[t])


def _outputs(trace: Trace) -> Array:
    return np.asarray(trace.ys)


def _parameter(cell: Any, name: str) -> Array:
    value = getattr(cell, name, None)
    if value is None:
        raise ValueError(f"cell must have {name} to move it, got None")
    return np.asarray(value)


def _with(cell: Any, name: str, value: Array) -> Cell:
    changed: Cell = replace(cell, **{name: value})
    return changed
