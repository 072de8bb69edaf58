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
    skipped = _checked_discard(trace, discard)
    return _mean_growths(cell, trace, np.eye(count, cell.state_size), skipped)


def largest_lyapunov_exponent(cell: Cell, trace: Trace, discard: int = 0) -> float:
    """Largest Lyapunov exponent of a run, per step, natural logarithm, from a direction that leans on every unit.

    `lyapunov_exponents` starts along the axes. With k = 1 that is the first unit alone, and where a step throws it away
    (its relu is off, or an LSTM's h has no weights) it finds -inf although other directions live on.

    Raises
    ------
    ValueError
        As `lyapunov_exponents`.
    """
    skipped = _checked_discard(trace, discard)
    start, _ = orthonormalized(np.random.default_rng(0).standard_normal((1, cell.state_size)))
    return float(_mean_growths(cell, trace, start, skipped)[0])


def _checked_discard(trace: Trace, discard: int) -> int:
    if trace.steps == 0:
        raise ValueError("trace must hold at least one step, got T = 0")
    return checked_integer("discard", discard, 0, trace.steps - 1)


def _mean_growths(cell: Cell, trace: Trace, frame: Array, skipped: int) -> Array:
    """Mean log |R_ii| of orthonormal rows (k, s) that go through every step, largest first."""
    chain, growths = linearize(cell, trace), np.empty((trace.steps, len(frame)))
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        for index in range(trace.steps):
            frame, growths[index] = orthonormalized(chain.push(index, frame))
        return np.sort(np.log(growths[skipped:]).mean(axis=0))[::-1]


def orthonormalized(rows: Array) -> tuple[Array, Array]:
    """Return orthonormal rows (k, s) that span the first rows one after the other, and |R_ii|, shape (k,)."""
    if len(rows) == 1:
        square = float(rows[0].dot(rows[0]))
        if SAFE_SQUARES[0] < square < SAFE_SQUARES[1]:
            norm = math.sqrt(square)
            return rows / norm, np.array([norm])
    q, r = np.linalg.qr(rows.T)
    return q.T, np.abs(np.diag(r))
