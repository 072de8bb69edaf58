"""Lyapunov exponents of a run: how fast nearby states part, direction by direction."""

from __future__ import annotations

import math

import numpy as np

from .arrays import Array, checked_integer
from .cells import Cell
from .scaling import SAFE_SQUARES
from .unroll import Trace, linearize


def lyapunov_exponents(cell: Cell, trace: Trace, k: int | None = None, discard: int = 0) -> Array:
    """Lyapunov exponents of a run, per step, natural logarithm, largest first, shape (k,).

    An orthonormal frame of k vectors is carried through every step Jacobian and restored by QR
    (Benettin et al. 1980); an exponent is the mean of log |R_ii| over the steps after `discard`.
    With k = s their sum is the mean of log |det J_t|. -inf where a direction is lost. The frame goes through the
    Jacobians' factors: no step's matrix is kept.

    Raises
    ------
    ValueError
        For k outside 1 … s, and for discard outside 0 … T - 1: at least one step must count.
    """
    count = cell.state_size if k is None else checked_integer("k", k, 1, cell.state_size)
    if trace.steps == 0:
        raise ValueError("trace must hold at least one step, got T = 0")
    skipped = checked_integer("discard", discard, 0, trace.steps - 1)
    chain = linearize(cell, trace)
    frame = _generic_frame(count, cell.state_size)
    growths = np.empty((trace.steps, count))
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        for index in range(trace.steps):
            frame, growths[index] = orthonormalized(chain.push(index, frame))
        return np.sort(np.log(growths[skipped:]).mean(axis=0))[::-1]


def _generic_frame(count: int, size: int) -> Array:
    """Orthonormal rows that lean on every unit: a frame along the axes could start in what a step throws away.

    With e_1 alone the first unit would decide: where a relu is off there, or an LSTM's h has no weights, the largest
    exponent would come out as -inf although other directions live on.
    """
    frame, _ = orthonormalized(np.random.default_rng(0).standard_normal((count, size)))
    return frame


def orthonormalized(rows: Array) -> tuple[Array, Array]:
    """Return orthonormal rows (k, s) that span the first rows one after the other, and |R_ii|, shape (k,)."""
    if len(rows) == 1:
        square = float(rows[0].dot(rows[0]))
        if SAFE_SQUARES[0] < square < SAFE_SQUARES[1]:
            norm = math.sqrt(square)
            return rows / norm, np.array([norm])
    q, r = np.linalg.qr(rows.T)
    return q.T, np.abs(np.diag(r))
