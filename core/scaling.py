"""Arrays as mantissa * 2**exponent, so that long products neither overflow nor underflow."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .arrays import Array, checked_choice

Exponents = npt.NDArray[np.int64]
LOG10_2 = float(np.log10(2.0))
NORMS = ("spectral", "frobenius")

# A product goes on unscaled while its squared norm stays in here. One more step then multiplies entries of 1e-100 to
# 1e100, so that factors of 1e±50 a step still leave their squares in the range of float64 and nothing is lost;
# whatever a step does beyond that is seen, and the step is done again from scaled factors.
SAFE_SQUARES = (1e-200, 1e200)


def are_safe(squares: Array) -> bool:
    """Whether all squared norms lie in `SAFE_SQUARES`: not so for 0, inf and NaN."""
    # The ufuncs' own reductions: half the time of the array's min and max on short arrays.
    return bool(np.minimum.reduce(squares) > SAFE_SQUARES[0] and np.maximum.reduce(squares) < SAFE_SQUARES[1])


def rescale_power_of_two(array: Array, axes: tuple[int, ...]) -> tuple[Array, Exponents]:
    """Return (scaled, e) with array = scaled * 2**e and largest |entry| over `axes` in [0.5, 1).

    A power of two changes no bit of a mantissa. All-zero and non-finite slices keep e = 0.
    """
    largest = np.abs(array).max(axis=axes, keepdims=True, initial=0.0)
    exponents = np.frexp(np.where(np.isfinite(largest), largest, 0.0))[1].astype(np.int64)
    # In two halves because 2**1074 is no float64; by products because np.ldexp is 10 times slower.
    half = -exponents // 2
    scaled = array * np.ldexp(1.0, half) * np.ldexp(1.0, -exponents - half)
    return scaled, np.squeeze(exponents, axis=axes)


def log10_norms(squares: Array, exponents: Any) -> Array:
    """log10 of sqrt(squares) * 2**exponents; NaN where a square is not finite."""
    with np.errstate(divide="ignore", invalid="ignore"):
        finite = np.where(np.isfinite(squares), squares, np.nan)
        return np.asarray(0.5 * np.log10(finite) + exponents * LOG10_2)


def log10_matrix_norms(matrices: Array, exponents: Exponents, norm: str) -> Array:
    """log10 of the norms of matrices * 2**exponents, shape (...) from (..., s, s).

    `norm` is "spectral" (largest singular value) or "frobenius"; the matrices come from
    `rescale_power_of_two`, so that their squares are safe. NaN where a matrix is not finite.
    """
    checked_choice("norm", norm, NORMS)
    with np.errstate(invalid="ignore"):
        finite = np.isfinite(matrices.sum(axis=(-2, -1)))
    if not finite.all():
        matrices = np.where(finite[..., None, None], matrices, 0.0)
    norms = _spectral(matrices) if norm == "spectral" else _frobenius(matrices)
    with np.errstate(divide="ignore"):
        return np.where(finite, np.log10(norms) + exponents * LOG10_2, np.nan)


def _spectral(matrices: Array) -> Array:
    # The largest eigenvalue of M M^T has relative error ~eps, and costs half of an SVD.
    gram = matrices @ np.swapaxes(matrices, -2, -1)
    return np.asarray(np.sqrt(np.maximum(np.linalg.eigvalsh(gram)[..., -1], 0.0)))


def _frobenius(matrices: Array) -> Array:
    return np.asarray(np.sqrt((matrices**2).sum(axis=(-2, -1))))


def to_float(scaled: Array, exponents: Any) -> Array:
    """scaled * 2**exponents as plain float64, rounding to 0 or inf where that is the nearest."""
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(np.ldexp(scaled, exponents))
