"""Step Jacobians, their products over many steps, and the norms of these in log10."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np

from .arrays import Array, checked_array, checked_choice, checked_integer
from .cells import Cell
from .scaling import (
    NORMS,
    SAFE_SQUARES,
    Exponents,
    are_safe,
    log10_matrix_norms,
    log10_norms,
    rescale_power_of_two,
)
from .unroll import Trace, linearize

#: Columns of the table of all pairs that go forward together: 32 products of 64 x 64 stay in the cache.
BLOCK = 32
#: Threads for that table: the second one gains 1.6 times; more are not worth the memory of their blocks.
THREADS = 2


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
    if k == t:
        return matrices[0], 0
    matrix, extra = rescale_power_of_two(matrices[0], (-2, -1))
    return matrix, int(exponents[0] + extra)


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
    pull, (low, high) = linearize(cell, trace).pull, SAFE_SQUARES
    vector, start_shift = rescale_power_of_two(start, (-1,))
    shift = float(start_shift)
    squares, shifts = [vector.dot(vector)], [shift]  # by lag
    with np.errstate(over="ignore", invalid="ignore"):
        for k in range(trace.steps - 1, -1, -1):
            before, vector = vector, pull(k, vector)
            square = vector.dot(vector)
            if not low < square < high:
                vector, extra = pull_scaled(cell, trace, k, before)
                square, shift = vector.dot(vector), shift + float(extra)
            squares.append(square)
            shifts.append(shift)
            if square == 0.0:
                break
    gone = [0.0] * (trace.steps + 1 - len(squares))
    return log10_norms(np.array(squares + gone), np.array(shifts + gone))[::-1].copy()


def pull_scaled(cell: Cell, trace: Trace, k: int, rows: Array) -> tuple[Array, Exponents]:
    """Every row (..., s) times J_{k+1}, as rows and exponents of two: safe at any size of the Jacobian."""
    jacobians, shifts = scaled_step_jacobians(cell, trace, k, k + 1)
    pulled, extra = rescale_power_of_two(rows @ jacobians[0], (-1,))
    return pulled, shifts[0] + extra


def scaled_step_jacobians(cell: Cell, trace: Trace, first: int, last: int) -> tuple[Array, Exponents]:
    """Return the Jacobians of steps first + 1 … last as matrices and exponents of two."""
    with np.errstate(over="ignore", invalid="ignore"):
        return rescale_power_of_two(cell.jacobian(trace.xs[first:last], trace.states[first:last]), (-2, -1))


def _products_to(jacobians: Array, shifts: Exponents) -> tuple[Array, Exponents]:
    """Return J_t … J_{k+1} for k = 0 … t as (t + 1, s, s) matrices of safe squares, and exponents."""
    steps, size = jacobians.shape[:2]
    products = np.empty((steps + 1, size, size))
    exponents = np.zeros(steps + 1, dtype=np.int64)
    products[steps] = np.eye(size)
    with np.errstate(over="ignore", invalid="ignore"):
        for k in range(steps - 1, -1, -1):
            np.matmul(products[k + 1], jacobians[k], out=products[k])
            exponents[k] = exponents[k + 1] + shifts[k]
            _keep_safe(products[k : k + 1], exponents[k : k + 1])
    return products, exponents


def _keep_safe(products: Array, exponents: Exponents) -> Array:
    """Rescale products (k, s, s) in place where one is not safe to go on with; return their squared norms (k,)."""
    squares = _squares(products)
    if are_safe(squares):
        return squares
    products[:], extra = rescale_power_of_two(products, (-2, -1))
    exponents += extra
    return _squares(products)


def _all_pairs(jacobians: Array, shifts: Exponents, norm: str) -> Array:
    """Carry d state_t / d state_k forward in t for blocks of k, on two threads: the products let go of the GIL."""
    norms = np.full((len(jacobians) + 1, len(jacobians) + 1), np.nan)
    fill = partial(_fill_block, norms, jacobians, shifts, norm)
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(fill, range(0, len(norms), BLOCK)))  # the list raises what a thread has raised
    return norms


def _fill_block(norms: Array, jacobians: Array, shifts: Exponents, norm: str, first: int) -> None:
    """Write the columns first … first + BLOCK - 1; row by row a product's transpose is multiplied by J_t^T."""
    size, count = jacobians.shape[-1], min(BLOCK, len(norms) - first)
    products, spare = np.empty((2, count, size, size))
    exponents = np.zeros(count, dtype=np.int64)
    with np.errstate(over="ignore", invalid="ignore"):  # a thread begins with settings of its own
        for t in range(first, len(norms)):
            begun = min(t - first, count)
            if begun:
                rows, out = (array[:begun].reshape(-1, size) for array in (products, spare))
                np.matmul(rows, jacobians[t - 1].T, out=out)
                products, spare = spare, products
                exponents[:begun] += shifts[t - 1]
            if begun < count:
                products[begun] = np.eye(size)
            live = min(begun + 1, count)
            squares = _keep_safe(products[:live], exponents[:live])
            norms[t, first : first + live] = (
                log10_norms(squares, exponents[:live])
                if norm == "frobenius"
                else log10_matrix_norms(products[:live], exponents[:live], norm)
            )


def _squares(matrices: Array) -> Array:
    """Squared Frobenius norms, shape (k,) from (k, s, s)."""
    # As products of a row and a column, which BLAS does in a third of einsum's time.
    flat = matrices.reshape(len(matrices), 1, -1)
    return np.asarray(np.matmul(flat, flat.swapaxes(1, 2))[:, 0, 0])
