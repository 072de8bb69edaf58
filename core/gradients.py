"""Back-propagation through time, itemised: every message, every use of a weight, every loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .arrays import Array, checked_choice, checked_integer, read_only
from .cells import Cell
from .cells.readout import read_out_vjp
from .cells.step import outer_sum
from .jacobians import pull_scaled
from .losses import LOSSES, target_array
from .scaling import are_safe, log10_norms, rescale_power_of_two, to_float
from .unroll import Trace, by_gate, linearize

PARAMETERS = ("W_xh", "W_hh", "b_h", "b_hh", "W_hy", "b_y")


@dataclass(frozen=True, eq=False)
class Gradients:
    """Gradients of L = L_1 + … + L_T; all arrays are read-only float64.

    Attributes
    ----------
    loss : (T,)
        L_t.
    W_xh, W_hh, b_h, W_hy, b_y, b_hh
        dL/d parameter, shaped as the parameter; b_hh is None for a cell without it.
    states : (T + 1, s)
        dL/d state_t: from_output (in its h part) + from_next.
    preactivations : (T, n), or a dict from gate to (T, n)
        dL/da_t.
    outputs : (T, m)
        dL/dy_t.
    inputs : (T, d)
        dL/dx_t.
    W_hh_steps : (T, ...)
        What the use of W_hh at each step adds to dL/dW_hh; they sum to it.
    through : (T, s)
        dL/d state_t of the losses that go on through step t, all of them without a truncation: what the
        algorithm multiplies by the step's Jacobian, and what W_hh_steps are made of.
    from_output : (T, n)
        W_hy^T dL/dy_t: what arrives at h_t from its own output.
    from_next : (T + 1, s)
        What arrives at state_t from step t + 1; zeros at T.
    contributions : (T + 1, T + 1)
        [t, k] = log10 ||dL_t / d state_k|| for k <= t; -inf where exactly zero (beyond a truncation
        too), NaN above the diagonal and in row 0, which has no loss.
    """

    loss: Array
    W_xh: Array
    W_hh: Array
    b_h: Array
    W_hy: Array
    b_y: Array
    states: Array
    preactivations: Any
    outputs: Array
    inputs: Array
    W_hh_steps: Array
    through: Array
    from_output: Array
    from_next: Array
    contributions: Array
    b_hh: Array | None = None


def bptt(cell: Cell, trace: Trace, targets: Any, loss: str = "cross_entropy", truncate: int | None = None) -> Gradients:
    """Differentiate the sum of a run's losses by everything in it.

    Parameters
    ----------
    targets : (T,) class indices, or (T, m)
        Numbers for "squared", probabilities for "cross_entropy".
    loss : "cross_entropy" of softmax(y), or "squared", ½ ||y - target||²
    truncate : int or None
        Each loss reaches this many steps back: L_t goes through the steps t … t - truncate + 1, so
        it arrives at state_{t - truncate} and goes no further. T or more is the full gradient.

    Raises
    ------
    ValueError
        For a cell without a read-out, wrong targets and unknown names.
    """
    if cell.W_hy is None or trace.ys is None:
        raise ValueError("cell must have a read-out (W_hy) for bptt, got W_hy=None")
    checked_choice("loss", loss, LOSSES)
    reach = trace.steps if truncate is None else checked_integer("truncate", truncate, 1)
    goals = target_array(targets, loss, trace.steps, trace.ys.shape[1])
    with np.errstate(over="ignore", invalid="ignore"):
        outputs = LOSSES[loss][1](trace.ys, goals)
        from_output = read_out_vjp(cell.W_hy, outputs)
        sweep = _sweep(cell, trace, from_output, reach)
        return _assemble(cell, trace, LOSSES[loss][0](trace.ys, goals), outputs, from_output, sweep)


@dataclass(frozen=True, eq=False)
class _Sweep:
    """through (T, s): dL/d state_t of the losses that go on through step t."""

    through: Array
    from_next: Array
    contributions: Array


def _sweep(cell: Cell, trace: Trace, from_output: Array, reach: int) -> _Sweep:
    """Carry every loss back on its own row, all rows at once, at most `reach` steps each."""
    steps, size = trace.steps, cell.state_size
    chain = linearize(cell, trace)
    seeds = np.zeros((steps + 1, size))
    seeds[1:, : from_output.shape[1]] = from_output
    rows, exponents = rescale_power_of_two(seeds, (-1,))
    through, from_next = np.zeros((steps, size)), np.zeros((steps + 1, size))
    squares, scales = np.zeros((steps + 1, steps + 1)), np.zeros((steps + 1, steps + 1))  # [k, t]
    np.fill_diagonal(squares, _squares(rows))
    np.fill_diagonal(scales, exponents)
    for t in range(steps, 0, -1):
        live = slice(t, min(t + reach, steps + 1))
        if t + reach > steps:  # no loss has stopped yet: their sum is at hand
            through[t - 1] = seeds[t] + from_next[t]
        else:
            through[t - 1] = to_float(rows[live], exponents[live, None]).sum(axis=0)
        from_next[t - 1] = chain.pull(t - 1, through[t - 1])
        pulled = chain.pull(t - 1, rows[live])
        found = _squares(pulled)
        if not are_safe(found):
            pulled, extra = pull_scaled(cell, trace, t - 1, rows[live])
            exponents[live] += extra
            found = _squares(pulled)
        rows[live], squares[t - 1, live], scales[t - 1, live] = pulled, found, exponents[live]
    return _Sweep(through, from_next, _undefined_as_nan(log10_norms(squares, scales).T))


def _squares(rows: Array) -> Array:
    return np.asarray(np.einsum("ti,ti->t", rows, rows))


def _undefined_as_nan(contributions: Array) -> Array:
    """NaN where there is no loss (row 0), or only one before the state (above the diagonal)."""
    defined = np.tri(len(contributions), dtype=bool)
    defined[0] = False
    return np.where(defined, contributions, np.nan)


def _assemble(cell: Cell, trace: Trace, loss: Array, outputs: Array, from_output: Array, sweep: _Sweep) -> Gradients:
    before = trace.states[:-1]
    local = cell.vjp(trace.xs, before, sweep.through)
    states = sweep.from_next.copy()
    states[1:, : cell.hidden_size] += from_output
    parameters = cell.parameter_gradients(trace.xs, before, local.preactivations)
    arrays = {
        **parameters,
        "loss": loss,
        "W_hy": outer_sum(outputs, trace.hs[1:]),
        "b_y": outputs.sum(axis=0),
        "states": states,
        "outputs": outputs,
        "inputs": local.x,
        "W_hh_steps": cell.recurrent_tiles(trace.xs, before, local.preactivations),
        "through": sweep.through,
        "from_output": from_output,
        "from_next": sweep.from_next,
        "contributions": sweep.contributions,
    }
    frozen = {name: read_only(array) for name, array in arrays.items()}
    return Gradients(preactivations=by_gate(cell, local.preactivations), **frozen)
