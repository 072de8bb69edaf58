"""Eigenvalues, singular values, and what of a matrix its eigenvalues do not tell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .arrays import Array, checked_array, read_only
from .cells import Cell
from .jacobians import state_jacobian
from .scaling import LOG10_2
from .unroll import Trace

# Angles of the first look for the numerical radius, and how often the best three neighbours are looked at closer:
# 64 / 16^6 of a turn is where a maximum is flat to rounding.
ANGLES, CLOSER, ROUNDS = 65, 17, 6


def eigenvalues(W: Any) -> npt.NDArray[np.complex128]:
    """Eigenvalues of W (n, n), largest modulus first, shape (n,)."""
    values = np.linalg.eigvals(checked_array("W", W, (len(W), len(W)))).astype(np.complex128)
    return values[np.argsort(-np.abs(values), kind="stable")]


def singular_values(W: Any) -> Array:
    """Singular values of W (n, d), largest first, shape (min(n, d),)."""
    return np.asarray(np.linalg.svd(checked_array("W", W, (None, None)), compute_uv=False))


@dataclass(frozen=True, eq=False)
class SpanSVD:
    """d state_t / d state_k = U diag(values) Vt * 2**exponent; all arrays are read-only float64.

    Attributes
    ----------
    U : (s, s)
        Columns are directions of state_t.
    values : (s,)
        Singular values on that scale, largest first.
    Vt : (s, s)
        Rows are directions of state_k: the first is the perturbation that grows most, or decays least.
    exponent : int
    """

    U: Array
    values: Array
    Vt: Array
    exponent: int

    @property
    def log10_values(self) -> Array:
        """log10 of the singular values at their true scale, shape (s,); -inf where exactly zero."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log10(self.values) + self.exponent * LOG10_2)


def span_svd(cell: Cell, trace: Trace, k: int, t: int) -> SpanSVD:
    """Singular values and vectors of d state_t / d state_k = J_t … J_{k+1}, 0 <= k <= t <= T.

    Values below eps times the largest are rounding: their true size needs `lyapunov_exponents`.

    Raises
    ------
    ValueError
        For k and t outside the run, and where the run's Jacobians are not finite.
    """
    matrix, exponent = state_jacobian(cell, trace, t, k)
    if not np.isfinite(matrix).all():
        raise ValueError(f"trace must have finite Jacobians from k = {k} to t = {t}, got inf or NaN")
    U, values, Vt = np.linalg.svd(matrix)
    return SpanSVD(read_only(U), read_only(values), read_only(Vt), exponent)


def henrici_departure(W: Any) -> float:
    """Departure of W (n, n) from normality in the Frobenius norm: sqrt(||W||_F^2 - sum |eigenvalue|^2) (Henrici 1962).

    0 for a normal matrix, and for no other. Exact for a triangular matrix. Otherwise the difference is taken as 0
    where it is rounding, below 8 n eps ||W||_F^2: a departure under sqrt(8 n eps) ||W||_F is not seen.
    """
    W = checked_array("W", W, (len(W), len(W)))
    scale = float(np.abs(W).max(initial=0.0))
    if scale == 0.0:
        return 0.0
    W = W / scale
    if not np.tril(W, -1).any() or not np.triu(W, 1).any():
        return scale * float(np.linalg.norm(W - np.diag(np.diag(W))))
    total = float((W**2).sum())
    rest = total - float((np.abs(np.linalg.eigvals(W)) ** 2).sum())
    return scale * float(np.sqrt(rest)) if rest > 8 * len(W) * np.finfo(float).eps * total else 0.0


def numerical_radius(W: Any) -> float:
    """Largest |x^H W x| over unit vectors x, to about 1e-12 relative.

    It is the largest eigenvalue of the Hermitian part of e^{ia} W over all angles a (Johnson 1978). It lies between
    the spectral radius and sigma_max, and bounds every power: ||W^k||_2 <= 2 r(W)^k (Berger).
    """
    W = checked_array("W", W, (len(W), len(W)))
    # A real matrix has a numerical range that its conjugate mirrors: half a turn is enough.
    angles, best = np.linspace(0.0, np.pi, ANGLES), 0.0
    for _ in range(ROUNDS):
        tops = _rotated_tops(W, angles)
        at = int(tops.argmax())
        best = max(best, float(tops[at]))
        width = angles[1] - angles[0]
        angles = np.linspace(angles[at] - width, angles[at] + width, CLOSER)
    return best


def _rotated_tops(W: Array, angles: Array) -> Array:
    """Largest eigenvalue of (e^{ia} W + its conjugate transpose) / 2 for every angle a."""
    turned = np.exp(1j * angles)[:, None, None] * W
    return np.asarray(np.linalg.eigvalsh((turned + turned.conj().swapaxes(-2, -1)) / 2)[:, -1])
