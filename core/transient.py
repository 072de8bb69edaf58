"""The growth of ||W^k|| before the spectral radius has its say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from .arrays import Array, checked_array, checked_integer
from .scaling import Exponents, are_safe, log10_matrix_norms, log10_norms, rescale_power_of_two

# Norms of powers of an orthogonal matrix are 1 to about 1e-13 after hundreds of products: no growth.
ROUNDING = 1e-12
#: Powers that are made by one product: 32 of 64 x 64 stay in the cache.
BLOCK = 32


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
    """Find the largest ||W^k||_2, k <= horizon; powers are rescaled, so that nothing over- or underflows.

    The search ends with a block of powers that has an m >= 1 with ||W^m|| <= 1 (to rounding), because every later
    power is W^{qm+r} with r < m, and ||W^{qm+r}|| <= ||W^m||^q ||W^r|| is at most the peak so far. Such an m exists
    where the spectral radius is below 1. It ends at `horizon` otherwise. Spectral norms are found only of powers
    whose bounds, the Frobenius norm and ||W||^k, do not rule them out.

    Raises
    ------
    ValueError
        For a matrix that is not square or not finite, and a horizon below 1.
    """
    W = checked_array("W", W, (len(W), len(W)))
    bounds, settled = _bounds(W, checked_integer("horizon", horizon, 1))
    norms = {0: 0.0}
    for k in np.argsort(-bounds, kind="stable"):
        if bounds[k] < max(norms.values()) - ROUNDING:
            break
        norms[int(k)] = log10_power_norm(W, int(k))
    peak = max(norms.values())
    if peak <= ROUNDING:
        return TransientPeak(0.0, 0, settled)
    return TransientPeak(peak, min(k for k, norm in norms.items() if norm >= peak - ROUNDING), settled)


def log10_power_norm(W: Array, k: int) -> float:
    """log10 ||W^k||_2 by repeated squaring, rescaled on the way; -inf where the power is exactly zero."""
    square, shift = rescale_power_of_two(W, (-2, -1))
    power, exponent = np.eye(len(W)), np.zeros((), dtype=np.int64)
    while k:
        if k % 2:
            power, extra = rescale_power_of_two(power @ square, (-2, -1))
            exponent = np.asarray(exponent + shift + extra)
        k //= 2
        if k:
            square, extra = rescale_power_of_two(square @ square, (-2, -1))
            shift = np.asarray(2 * shift + extra)
    return float(log10_matrix_norms(power, exponent, "spectral"))


def _bounds(W: Array, last: int) -> tuple[Array, bool]:
    """Upper bounds of log10 ||W^k||, k = 0, 1, …, and whether the last block of them holds a norm of 1 or less."""
    largest, spread = log10_power_norm(W, 1), 0.5 * np.log10(len(W))
    found, first = [np.zeros(1)], 1
    for powers, exponents, squares in _power_blocks(W, last):
        bounds = np.minimum(log10_norms(squares, exponents), largest * np.arange(first, first + len(powers)))
        found.append(bounds)
        first, low = first + len(powers), int(bounds.argmin())
        if bounds[low] <= ROUNDING:
            return np.concatenate(found), True
        # A Frobenius norm is at most sqrt(n) times the spectral one.
        may_be = bounds[low] <= spread + ROUNDING
        if may_be and log10_matrix_norms(powers[low], exponents[low], "spectral") <= ROUNDING:
            return np.concatenate(found), True
    return np.concatenate(found), False


def _power_blocks(W: Array, last: int) -> Iterator[tuple[Array, Exponents, Array]]:
    """Yield W^1, W^2, … as (m, n, n) matrices, exponents of two, squared norms: blocks of 1, 1, 2, 4, … BLOCK."""
    base, shifts, squares = _scaled(W[None], np.zeros(1, dtype=np.int64))
    powers, exponents, done = base, shifts, 1
    yield powers, exponents, squares
    while done < last:
        count = min(len(base), last - done)
        product = (base[:count].reshape(-1, len(W)) @ powers[-1]).reshape(count, *W.shape)
        powers, exponents, squares = _scaled(product, shifts[:count] + exponents[-1])
        if len(base) < BLOCK:
            base, shifts = np.concatenate([base, powers]), np.concatenate([shifts, exponents])
        yield powers, exponents, squares
        done += count


def _scaled(matrices: Array, exponents: Exponents) -> tuple[Array, Exponents, Array]:
    """Return (k, n, n) matrices * 2**exponents rescaled where one's square is not safe, and their squared norms."""
    squares = _squares(matrices)
    if are_safe(squares):
        return matrices, exponents, squares
    matrices, extra = rescale_power_of_two(matrices, (-2, -1))
    return matrices, exponents + extra, _squares(matrices)


def _squares(matrices: Array) -> Array:
    with np.errstate(over="ignore", under="ignore"):
        flat = matrices.reshape(len(matrices), 1, -1)
        return np.asarray(np.matmul(flat, flat.swapaxes(1, 2))[:, 0, 0])
