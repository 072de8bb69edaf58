"""In how many steps a gradient halves or doubles, of any cell."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .arrays import Array, read_only
from .cells import Cell
from .jacobians import gradient_log10_norms, jacobian_log10_norms
from .unroll import Trace

#: A curve that changes by less than a factor of two over this many steps is called steady.
STEADY_STEPS = 200


@dataclass(frozen=True, eq=False)
class HalfLife:
    """How a gradient changes with every step further back, in the long run.

    Attributes
    ----------
    curve : (T + 1,)
        log10 of the norm against lag, from the last step back.
    slope : decades per step, see `tail_slope`; -inf where the curve is exactly 0 from some lag on
    gone_from : first lag where the norm is exactly 0, or None
    """

    curve: Array
    slope: float
    gone_from: int | None

    @property
    def kind(self) -> str:
        """`vanishing`, `exploding` or `steady`, by the slope."""
        return kind_of(self.slope)

    @property
    def steps(self) -> float:
        """Steps in which the norm halves or doubles; inf where it does neither, 0 where it is gone at once."""
        return math.log10(2) / abs(self.slope) if self.slope else math.inf


def half_life(cell: Cell, trace: Trace, gradient: Array | None = None) -> HalfLife:
    """Measure from the last step of a run back to its start.

    Parameters
    ----------
    gradient : (s,) or None
        The norm of gradient . d state_T / d state_k; for None that of d state_T / d state_k itself, spectral.
    """
    if gradient is None:
        curve = jacobian_log10_norms(cell, trace, t=trace.steps)[::-1].copy()
    else:
        curve = gradient_log10_norms(cell, trace, gradient)[::-1].copy()
    return HalfLife(read_only(curve), tail_slope(curve), first_gone(curve))


def tail_slope(curve: Array) -> float:
    """Slope over the second half of the lags, decades per step: the first half holds transients.

    Least squares with weights sin^2, which are small at both ends: the norms of a complex leading pair swing about
    their line, and the part of a swing that the ends cut off would tilt it. A defective leading eigenvalue of order
    m gives k^(m-1) rho^k, whose slope at lag k is still (m - 1) / (k ln 10) too large.
    """
    tail = curve[len(curve) // 2 :]
    if np.isneginf(tail).any():
        return -math.inf
    weights = np.sin(np.pi * (np.arange(len(tail)) + 0.5) / len(tail)) ** 2
    lags = np.arange(len(tail)) - (len(tail) - 1) / 2  # centred: the weights are symmetric
    spread = float(weights @ lags**2)
    return float((weights * lags) @ tail) / spread if spread else 0.0


def first_gone(curve: Array) -> int | None:
    """Return the first lag where the norm is exactly 0, or None."""
    gone = np.flatnonzero(np.isneginf(curve))
    return int(gone[0]) if gone.size else None


def kind_of(slope: float) -> str:
    """`vanishing`, `exploding` or `steady`: less than a factor of two over `STEADY_STEPS`."""
    if abs(slope) * STEADY_STEPS < math.log10(2):
        return "steady"
    return "vanishing" if slope < 0 else "exploding"
