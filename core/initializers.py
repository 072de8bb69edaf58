"""Recurrent matrices by family; the spectral radius, and scaling to one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np

from .arrays import Array, checked_array, checked_choice, checked_integer, checked_number

# A name for annotations alone: NumPy loads np.random, 60 ms of the import of core, when it is first asked for.
Seed: TypeAlias = "int | np.random.SeedSequence | np.random.Generator"

# Between what Gaussian matrices give (1e-15 at any size) and what Jordan blocks give (from 4e-5).
LARGEST_TRUSTED_ERROR = 1e-8


def spectral_radius(W: Any) -> float:
    """Largest |eigenvalue| of W (n, n).

    Exact for a triangular matrix, whose diagonal is read. Else computed from the eigenvalues, with
    a relative error of about eps * kappa * ||W|| / radius, kappa the condition of the dominant
    eigenvalue: 1e-15 for Gaussian matrices, but 0.1 eps^(1/n) ||W|| absolute for a dense nilpotent
    one, whose true radius is 0.
    """
    W = _square(W)
    if _is_triangular(W):
        return float(np.abs(np.diag(W)).max())
    return float(np.abs(np.linalg.eigvals(W)).max())


def rescale(W: Any, rho: float) -> Array:
    """Return W (n, n) scaled to spectral radius `rho`; zeros for rho = 0.

    Raises
    ------
    ValueError
        Where rho is negative or not finite, where the radius of W is 0, and where rounding leaves
        it unknown (see `spectral_radius`).
    """
    W = _square(W)
    target = checked_number("rho", rho, low=0.0)
    if target == 0.0:
        return np.zeros_like(W)
    radius, error = _radius_and_error(W)
    if radius == 0.0:
        raise ValueError("W must have a positive spectral radius to be rescaled, got radius 0")
    if not error <= LARGEST_TRUSTED_ERROR:
        raise ValueError(
            f"W must have a spectral radius that float64 can resolve, got radius {radius:.3g} "
            f"with an estimated relative error of {error:.1g}: its eigenvalues are ill-conditioned"
        )
    return np.asarray(W / radius * target)


def _radius_and_error(W: Array) -> tuple[float, float]:
    """Return the spectral radius and an estimate of its relative error: inf where unknown.

    The error is eps * kappa * ||W||_2 / radius, with kappa = ||x|| ||y|| / |y^H x| from the right
    and left eigenvectors of the dominant eigenvalue (Golub and Van Loan, section 7.2.2).
    """
    if _is_triangular(W):
        return spectral_radius(W), 0.0
    eigenvalues, right = np.linalg.eig(W)
    dominant = int(np.abs(eigenvalues).argmax())
    radius = float(abs(eigenvalues[dominant]))
    try:
        left = np.linalg.inv(right)[dominant]
    except np.linalg.LinAlgError:
        return radius, np.inf
    kappa = np.linalg.norm(left) * np.linalg.norm(right[:, dominant])
    scale = np.finfo(float).eps * np.linalg.norm(W, 2)
    return radius, float(scale * kappa / radius) if radius > 0.0 else np.inf


def recurrent_matrix(family: str, n: int, rho: float, seed: Seed) -> Array:
    """Draw W_hh (n, n) of a named family with spectral radius `rho`.

    Parameters
    ----------
    family : str
        gaussian (N(0, 1/n), rescaled), orthogonal (Haar, times rho), identity (rho I), symmetric
        (A + A^T, rescaled), nonnormal (rho I + 0.5 N, N the shift), jordan (rho I + N), permutation
        (the n-cycle, times rho).
    rho : number of at least 0
    seed : int, SeedSequence or Generator

    Raises
    ------
    ValueError
        For an unknown family, n < 1, or a rho that is negative or not finite.
    """
    checked_choice("family", family, FAMILIES)
    size = checked_integer("n", n, 1)
    radius = checked_number("rho", rho, low=0.0)
    return FAMILIES[family](size, radius, np.random.default_rng(seed))


def _gaussian(n: int, rho: float, rng: np.random.Generator) -> Array:
    return rescale(rng.standard_normal((n, n)) / np.sqrt(n), rho)


def _orthogonal(n: int, rho: float, rng: np.random.Generator) -> Array:
    # Without the signs of R's diagonal, QR's own convention would bias the draw (Mezzadri 2007).
    q, r = np.linalg.qr(rng.standard_normal((n, n)))
    return np.asarray(rho * q * np.sign(np.diag(r)))


def _identity(n: int, rho: float, rng: np.random.Generator) -> Array:
    return rho * np.eye(n)


def _symmetric(n: int, rho: float, rng: np.random.Generator) -> Array:
    a = rng.standard_normal((n, n))
    return rescale(a + a.T, rho)


def _nonnormal(n: int, rho: float, rng: np.random.Generator) -> Array:
    return rho * np.eye(n) + 0.5 * np.eye(n, k=1)


def _jordan(n: int, rho: float, rng: np.random.Generator) -> Array:
    return rho * np.eye(n) + np.eye(n, k=1)


def _permutation(n: int, rho: float, rng: np.random.Generator) -> Array:
    return rho * np.roll(np.eye(n), 1, axis=0)


FAMILIES: Mapping[str, Callable[[int, float, np.random.Generator], Array]] = MappingProxyType(
    {
        "gaussian": _gaussian,
        "orthogonal": _orthogonal,
        "identity": _identity,
        "symmetric": _symmetric,
        "nonnormal": _nonnormal,
        "jordan": _jordan,
        "permutation": _permutation,
    }
)
"""Name of a family -> the function that draws it."""


def _square(W: Any) -> Array:
    array = checked_array("W", W, (None, None))
    if array.shape[0] == 0:
        raise ValueError("W must be at least (1, 1), got (0, 0)")
    return checked_array("W", array, (array.shape[0], array.shape[0]))


def _is_triangular(W: Array) -> bool:
    return not np.tril(W, -1).any() or not np.triu(W, 1).any()
