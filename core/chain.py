"""A chain of steps of one cell over batches: states forward, given gradients back.

`unroll` and `bptt` itemise one run; this is the plain sweep that larger networks are made of.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .arrays import Array, read_only
from .cells import Cell

BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class ChainGradients:
    """Gradients of a loss behind a chain; all arrays are read-only float64.

    Attributes
    ----------
    states : (..., T + 1, s)
        dL/d state_t, through all that follows it.
    inputs : (..., T, d)
        dL/dx_t.
    preactivations : (..., T, n) or (..., T, gates, n)
        dL/da_t.
    parameters : name of a parameter of the cell -> dL/d parameter, summed over the batch
    """

    states: Array
    inputs: Array
    preactivations: Array
    parameters: Mapping[str, Array]


def run_chain(cell: Cell, xs: Array, start: Array, valid: BoolArray | None = None) -> Array:
    """Return state_0 … state_T, shape (..., T + 1, s), from xs (..., T, d) and start (..., s).

    Where `valid` (..., T) is False the step is not taken: the state before it stays.
    """
    steps = xs.shape[-2]
    states = np.empty((*xs.shape[:-2], steps + 1, cell.state_size))
    states[..., 0, :] = start
    with np.errstate(over="ignore", invalid="ignore"):
        for t in range(steps):
            after = cell.step(xs[..., t, :], states[..., t, :])
            if valid is not None:
                after = np.where(valid[..., t, None], after, states[..., t, :])
            states[..., t + 1, :] = after
    return states


def chain_vjp(cell: Cell, xs: Array, states: Array, arriving: Array, valid: BoolArray | None = None) -> ChainGradients:
    """Carry what arrives at each state from outside the chain, (..., T + 1, s), back through it.

    g_T = arriving_T and g_{t-1} = arriving_{t-1} + J_t^T g_t; a step not taken passes g_t on.
    """
    total = np.array(arriving)
    local = []
    with np.errstate(over="ignore", invalid="ignore"):
        for t in range(xs.shape[-2] - 1, -1, -1):
            taken, passed = _split_by(valid, t, total[..., t + 1, :])
            step = cell.vjp(xs[..., t, :], states[..., t, :], taken)
            total[..., t, :] += step.state + passed
            local.append(step)
        before = states[..., :-1, :]
        empty = cell.vjp(xs[..., :0, :], before[..., :0, :], before[..., :0, :])
        axis = xs.ndim - 2
        delta = _in_order([step.preactivations for step in local], empty.preactivations, axis)
        inputs = _in_order([step.x for step in local], empty.x, axis)
        parameters = cell.parameter_gradients(xs, before, delta)
    frozen = {name: read_only(value) for name, value in parameters.items()}
    return ChainGradients(read_only(total), read_only(inputs), read_only(delta), frozen)


def at_hidden(cell: Cell, gradient: Array) -> Array:
    """Return dL/dh_t (..., T, n) as what arrives at state_0 … state_T: zeros at 0 and in c."""
    steps, n = gradient.shape[-2:]
    arriving = np.zeros((*gradient.shape[:-2], steps + 1, cell.state_size))
    arriving[..., 1:, :n] = gradient
    return arriving


def _split_by(valid: BoolArray | None, t: int, gradient: Array) -> tuple[Array, Array | float]:
    """Return the part of a gradient that goes through the step at index t, and the part past it."""
    if valid is None:
        return gradient, 0.0
    taken = np.where(valid[..., t, None], gradient, 0.0)
    return taken, gradient - taken


def _in_order(newest_first: Sequence[Array], empty: Array, axis: int) -> Any:
    return np.stack(newest_first[::-1], axis=axis) if newest_first else empty
