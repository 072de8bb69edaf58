"""The growth of ||W^k|| before the spectral radius has its say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .arrays import checked_array, checked_integer
from .scaling import log10_matrix_norms, rescale_power_of_two

# Norms of powers of an orthogonal matrix are 1 to about 1e-13 after hundreds of products: no growth.
ROUNDING = 1e-12


@dataclass(frozen=True)
class TransientPeak:
    """The largest ||W^k||_2 over k = 0, 1, …

    Attributes
    ----------
    log10 : its log10; 0 for a matrix whose powers never exceed ||W^0|| = 1
    lag : the first k that reaches it
    settled : whether no later power can exceed it; else it is the largest up to the horizon alone
    """

    log10: float
    lag: int
    settled: bool


def transient_peak(W: Any, horizon: int = 2000) -> TransientPeak:
    """Follow ||W^k||_2 up to its peak; powers are rescaled, so that nothing over- or underflows.

    The search ends at the first m >= 1 with ||W^m|| <= 1 (to rounding), because every later power is W^{qm+r} with
    r < m, and ||W^{qm+r}|| <= ||W^m||^q ||W^r|| is at most the peak so far. Such an m exists where the spectral
    radius is below 1. It ends at `horizon` otherwise.

    Raises
    ------
    ValueError
        For a matrix that is not square or not finite, and a horizon below 1.
    """
    W = checked_array("W", W, (len(W), len(W)))
    last = checked_integer("horizon", horizon, 1)
    step, shift = rescale_power_of_two(W, (-2, -1))
    power, exponent = np.eye(len(W)), np.zeros((), dtype=np.int64)
    peak, lag = 0.0, 0
    for k in range(1, last + 1):
        power, extra = rescale_power_of_two(power @ step, (-2, -1))
        exponent = np.asarray(exponent + shift + extra)
        norm = float(log10_matrix_norms(power, exponent, "spectral"))
        if norm > peak + ROUNDING:
            peak, lag = norm, k
        if norm <= ROUNDING:
            return TransientPeak(peak, lag, True)
    return TransientPeak(peak, lag, False)
