"""Step Jacobians, their products over many steps, and the norms of these in log10."""

from __future__ import annotations

import numpy as np

from .arrays import Array, checked_array, checked_choice, checked_integer
from .cells import Cell
from .scaling import (
    NORMS,
    Exponents,
    log10_matrix_norms,
    log10_scaled_norms,
    rescale_power_of_two,
)
from .unroll import Trace


def step_jacobians(cell: Cell, trace: Trace) -> Array:
    """J[t - 1] = d state_t / d state_{t-1}, shape (T, s, s), in numerator layout."""
    with np.errstate(over="ignore", invalid="ignore"):
        return cell.jacobian(trace.xs, trace.states[:-1])


def state_jacobian(cell: Cell, trace: Trace, t: int, k: int) -> tuple[Array, int]:
    """d state_t / d state_k = matrix * 2**exponent, as (matrix (s, s), exponent).

    The product J_t J_{t-1} … J_{k+1}, newest on the left, scaled on the way so that nothing over-
    or underflows: the largest |entry| of the matrix lies in [0.5, 1), unless the product is exactly
    zero. For k = t it is the identity, with exponent 0.
    """
    t = checked_integer("t", t, 0, trace.steps)
    k = checked_integer("k", k, 0, t)
    matrices, exponents = _products_to(*scaled_step_jacobians(cell, trace, k, t))
    return matrices[0], int(exponents[0])


def jacobian_log10_norms(cell: Cell, trace: Trace, norm: str = "spectral", t: int | None = None) -> Array:
    """log10 ||d state_t / d state_k|| for all pairs, or for one t.

    Parameters
    ----------
    norm : "spectral" (largest singular value) or "frobenius"
    t : int in 0 … T, or None

    Returns
    -------
    (T + 1, T + 1) with [t, k] for k <= t and NaN above the diagonal; with `t` the row (T + 1,) of
    that t. -inf where the Jacobian is exactly zero. Products are rescaled by powers of two on the
    way, so that no length over- or underflows.
    """
    checked_choice("norm", norm, NORMS)
    if t is None:
        return _all_pairs(*scaled_step_jacobians(cell, trace, 0, trace.steps), norm)
    last = checked_integer("t", t, 0, trace.steps)
    row = np.full(trace.steps + 1, np.nan)
    products, exponents = _products_to(*scaled_step_jacobians(cell, trace, 0, last))
    row[: last + 1] = log10_matrix_norms(products, exponents, norm)
    return row


def gradient_log10_norms(cell: Cell, trace: Trace, gradient: Array) -> Array:
    """log10 ||gradient . d state_T / d state_k|| for k = 0 … T, shape (T + 1,).

    `gradient` (s,) is dL/d state_T; only the last loss enters. -inf where it is exactly zero.
    """
    start = checked_array("gradient", gradient, (cell.state_size,))
    vectors = np.empty((trace.steps + 1, cell.state_size))
    exponents = np.zeros(trace.steps + 1, dtype=np.int64)
    vectors[-1], exponents[-1] = rescale_power_of_two(start, (-1,))
    jacobians, shifts = scaled_step_jacobians(cell, trace, 0, trace.steps)
    for k in range(trace.steps - 1, -1, -1):
        vectors[k], extra = rescale_power_of_two(vectors[k + 1] @ jacobians[k], (-1,))
        exponents[k] = exponents[k + 1] + shifts[k] + extra
    return log10_scaled_norms(vectors, exponents)


def scaled_step_jacobians(cell: Cell, trace: Trace, first: int, last: int) -> tuple[Array, Exponents]:
    """Return the Jacobians of steps first + 1 … last as matrices and exponents of two."""
    with np.errstate(over="ignore", invalid="ignore"):
        return rescale_power_of_two(cell.jacobian(trace.xs[first:last], trace.states[first:last]), (-2, -1))


def _products_to(jacobians: Array, shifts: Exponents) -> tuple[Array, Exponents]:
    """Return J_t … J_{k+1} for k = 0 … t as (t + 1, s, s) scaled matrices and exponents."""
    steps, size = jacobians.shape[:2]
    products = np.empty((steps + 1, size, size))
    exponents = np.zeros(steps + 1, dtype=np.int64)
    products[steps] = np.eye(size)
    for k in range(steps - 1, -1, -1):
        products[k], extra = rescale_power_of_two(products[k + 1] @ jacobians[k], (-2, -1))
        exponents[k] = exponents[k + 1] + shifts[k] + extra
    return products, exponents


def _all_pairs(jacobians: Array, shifts: Exponents, norm: str) -> Array:
    """Carry d state_t / d state_k for every k forward in t: one batch of products a step."""
    steps, size = jacobians.shape[:2]
    norms = np.full((steps + 1, steps + 1), np.nan)
    products = np.broadcast_to(np.eye(size), (steps + 1, size, size)).copy()
    exponents = np.zeros(steps + 1, dtype=np.int64)
    norms[0, 0] = log10_matrix_norms(products[0], exponents[0], norm)
    for t in range(1, steps + 1):
        products[:t], extra = rescale_power_of_two(jacobians[t - 1] @ products[:t], (-2, -1))
        exponents[:t] += shifts[t - 1] + extra
        norms[t, : t + 1] = log10_matrix_norms(products[: t + 1], exponents[: t + 1], norm)
    return norms
