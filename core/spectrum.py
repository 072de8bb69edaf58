"""Eigenvalues, singular values and Lyapunov exponents."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .arrays import Array, checked_array, checked_integer
from .cells import Cell
from .unroll import Trace


def eigenvalues(W: Any) -> npt.NDArray[np.complex128]:
    """Eigenvalues of W (n, n), largest modulus first, shape (n,)."""
    values = np.linalg.eigvals(checked_array("W", W, (len(W), len(W)))).astype(np.complex128)
    return values[np.argsort(-np.abs(values), kind="stable")]


def singular_values(W: Any) -> Array:
    """Singular values of W (n, d), largest first, shape (min(n, d),)."""
    return np.asarray(np.linalg.svd(checked_array("W", W, (None, None)), compute_uv=False))


def lyapunov_exponents(cell: Cell, trace: Trace, k: int | None = None, discard: int = 0) -> Array:
    """Lyapunov exponents of a run, per step, natural logarithm, largest first, shape (k,).

    An orthonormal frame of k vectors is carried through every step Jacobian and restored by QR
    (Benettin et al. 1980); an exponent is the mean of log |R_ii| over the steps after `discard`.
    With k = s their sum is the mean of log |det J_t|. -inf where a direction is lost.

    Raises
    ------
    ValueError
        For k outside 1 … s, and for discard outside 0 … T - 1: at least one step must count.
    """
    count = cell.state_size if k is None else checked_integer("k", k, 1, cell.state_size)
    if trace.steps == 0:
        raise ValueError("trace must hold at least one step, got T = 0")
    skipped = checked_integer("discard", discard, 0, trace.steps - 1)
    frame = np.eye(cell.state_size, count)
    total = np.zeros(count)
    for t in range(trace.steps):
        frame, r = np.linalg.qr(cell.jacobian(trace.xs[t], trace.states[t]) @ frame)
        if t >= skipped:
            with np.errstate(divide="ignore"):
                total += np.log(np.abs(np.diag(r)))
    return np.sort(total / (trace.steps - skipped))[::-1]
