"""What one output remembers: how much each input counts for its loss."""

from __future__ import annotations

from typing import Any

import numpy as np

from .arrays import Array, checked_choice, checked_integer, checked_number
from .cells import Cell
from .losses import LOSSES, target_array
from .scaling import Exponents, log10_norms, rescale_power_of_two
from .unroll import Trace

# A step that leaves its largest number outside of SAFE is done again from a vector that is 2^RESCUE times as large, or
# as small: a product is linear in it.
SAFE, RESCUE = (1e-150, 1e150), 600


def input_gradient_norms(cell: Cell, trace: Trace, targets: Any, t: int, loss: str = "cross_entropy") -> Array:
    """log10 ||dL_t / dx_k|| for k = 1 … T at index k - 1, shape (T,): of the loss of step t alone.

    dL_t/dx_k = W_xh^T dL_t/da_k, through every gate of the cell. -inf where it is exactly zero: always for k > t.
    The gradient is rescaled by powers of two on its way where it needs to be: no length over- or underflows.

    Parameters
    ----------
    targets : (T,) class indices, or (T, m)
        As `bptt` takes them; only that of step t enters.
    t : int in 1 … T
    loss : "cross_entropy" of softmax(y), or "squared"

    Raises
    ------
    ValueError
        For a cell without a read-out, t outside the run, wrong targets and unknown names.
    """
    if cell.W_hy is None or trace.ys is None:
        raise ValueError("cell must have a read-out (W_hy) for the loss of an output, got W_hy=None")
    checked_choice("loss", loss, LOSSES)
    last = checked_integer("t", t, 1, trace.steps)
    goals = target_array(targets, loss, trace.steps, trace.ys.shape[1])
    at_state = np.zeros(cell.state_size)
    at_state[: cell.hidden_size] = LOSSES[loss][1](trace.ys[last - 1], goals[last - 1]) @ cell.W_hy
    return _sweep(cell, trace, at_state, last)


def memory_reach(norms: Array, t: int, share: float = 0.01) -> int:
    """How many steps before t the farthest input lies whose norm is at least `share` of the largest; 0 where none is.

    Parameters
    ----------
    norms : (T,) as `input_gradient_norms` gives them for t
    share : number above 0
    """
    last = checked_integer("t", t, 1, len(norms))
    if checked_number("share", share, low=0.0) == 0.0:
        raise ValueError("share must be above 0, got 0")
    counting = np.flatnonzero(norms[:last] >= norms[:last].max() + np.log10(share))
    return last - 1 - int(counting[0]) if counting.size and np.isfinite(norms[:last]).any() else 0


def _sweep(cell: Cell, trace: Trace, at_state: Array, last: int) -> Array:
    """Carry dL/d state_last (s,) back to step 1, and take from it at every step what arrives at the input."""
    squares, shifts = np.zeros(trace.steps), np.zeros(trace.steps)
    vector, exponent = rescale_power_of_two(at_state, (-1,))
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        for k in range(last - 1, -1, -1):
            if not vector.any():
                break
            found = cell.vjp(trace.xs[k], trace.states[k], vector)
            at_input, extra = _in_range(cell, trace, k, vector, "x", found.x)
            squares[k], shifts[k] = at_input.dot(at_input), exponent + extra
            vector, extra = _in_range(cell, trace, k, vector, "state", found.state)
            exponent = exponent + extra
    return log10_norms(squares, shifts)


def _in_range(cell: Cell, trace: Trace, k: int, vector: Array, part: str, found: Array) -> tuple[Array, Exponents]:
    """What step k + 1 has `found` for one part of `vector`'s product, as numbers and an exponent of two."""
    largest = np.abs(found).max(initial=0.0)
    if SAFE[0] < largest < SAFE[1]:
        return found, np.zeros((), dtype=np.int64)
    shift = RESCUE if largest <= SAFE[0] else -RESCUE
    again = getattr(cell.vjp(trace.xs[k], trace.states[k], np.ldexp(vector, shift)), part)
    scaled, exponent = rescale_power_of_two(again, (-1,))
    return scaled, exponent - shift
