"""The edge of chaos as a map: spectral radius x input strength -> largest Lyapunov exponent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from .arrays import Array, checked_array, checked_integer
from .functions import dtanh
from .initializers import recurrent_matrix

# Points that run side by side, always this many: a matrix product then rounds alike for every row, wherever a point
# stands and whatever runs beside it, and a chaotic orbit, which rounding decides, is the same in every order.
BATCH = 32


@dataclass(frozen=True)
class ChaosPoint:
    """One point of the map, and how far the map is.

    Attributes
    ----------
    row, column : int
        Places in `rhos` and in `strengths`.
    rho, strength : float
    exponent : float
        Largest Lyapunov exponent, per step, natural logarithm; -inf where the tangent is lost.
    done, total : int
        Points found so far, this one included, and points of the map.
    """

    row: int
    column: int
    rho: float
    strength: float
    exponent: float
    done: int
    total: int


class Event(Protocol):
    """What `cancel` may be, as `threading.Event` is."""

    def is_set(self) -> bool: ...


Cancel = Callable[[], bool] | Event | None


@dataclass(frozen=True, eq=False)
class _Network:
    """What all points share: W (n, n) of radius 1, u (n,), x (T,), the state and the tangent at the start (n,)."""

    W: Array
    u: Array
    x: Array
    start: Array
    tangent: Array


def chaos_grid(
    rhos: Any,
    strengths: Any,
    n: int = 64,
    T: int = 1000,
    seed: int = 0,
    discard: int | None = None,
    cancel: Cancel = None,
) -> Iterator[ChaosPoint]:
    """Yield the largest Lyapunov exponent of h_t = tanh(rho W h_{t-1} + strength u x_t) at every point of a map.

    W is a Gaussian matrix of spectral radius 1, u and x standard normal, x one number a step; h_0 standard normal.
    They are drawn from streams of `seed` of their own and are the same for all points, so that a point depends on
    its rho, its strength, n, T, discard and seed alone: neighbours differ by what the map is about, and a point
    found again, in another map or order, is the same to the last bit on the same machine.

    Points come coarse to fine: first every 2^j-th row and column, then those between. They are computed in batches.

    Parameters
    ----------
    rhos : (r,) numbers of at least 0, rows of the map
    strengths : (c,) numbers, columns of the map
    n, T : int
        Units and steps; the exponent is the mean over the steps after `discard` (a quarter of T where None).
        Its error falls about as 1 / sqrt(T). That chaos begins at rho = 1 holds for large n only.
    cancel : callable that returns whether to stop, or an object with `is_set()` such as a threading.Event
        Asked before every batch and every point; the iterator then ends.

    Raises
    ------
    ValueError
        For numbers that are not finite, a negative rho, and sizes out of range; at once, not at the first point.
    """
    rows, columns = checked_array("rhos", rhos, (None,)), checked_array("strengths", strengths, (None,))
    if (rows < 0).any():
        raise ValueError(f"rhos must be at least 0, got {rows.min()}")
    size, steps = checked_integer("n", n, 1), checked_integer("T", T, 1)
    skipped = steps // 4 if discard is None else checked_integer("discard", discard, 0, steps - 1)
    network = _draw(size, steps, checked_integer("seed", seed, 0))
    return _points(network, rows, columns, skipped, _asks(cancel))


def coarse_to_fine(rows: int, columns: int) -> list[tuple[int, int]]:
    """Every (row, column) once: those at multiples of 2^j for the largest j first, then the finer ones."""
    stride = 1 << max(rows, columns, 1).bit_length()
    order: dict[tuple[int, int], None] = {}
    while stride:
        order |= dict.fromkeys((i, j) for i in range(0, rows, stride) for j in range(0, columns, stride))
        stride //= 2
    return list(order)


def _asks(cancel: Cancel) -> Callable[[], bool]:
    if cancel is None:
        return lambda: False
    return cancel if callable(cancel) else cancel.is_set


def _draw(n: int, T: int, seed: int) -> _Network:
    weights, *others = (np.random.SeedSequence(seed, spawn_key=(place,)) for place in range(5))
    u, x, start, tangent = (np.random.default_rng(stream) for stream in others)
    return _Network(
        W=recurrent_matrix("gaussian", n, 1.0, weights),
        u=u.standard_normal(n),
        x=x.standard_normal(T),
        start=start.standard_normal(n),
        tangent=tangent.standard_normal(n),
    )


def _points(
    network: _Network, rhos: Array, strengths: Array, skipped: int, stop: Callable[[], bool]
) -> Iterator[ChaosPoint]:
    order = coarse_to_fine(len(rhos), len(strengths))
    for first in range(0, len(order), BATCH):
        if stop():
            return
        batch = order[first : first + BATCH]
        i, j = np.array([*batch, *[batch[-1]] * (BATCH - len(batch))]).T
        found = _largest_exponents(network, rhos[i], strengths[j], skipped)
        for done, ((row, column), exponent) in enumerate(zip(batch, found, strict=False), first + 1):
            if stop():
                return
            yield ChaosPoint(row, column, float(rhos[row]), float(strengths[column]), float(exponent), done, len(order))


def _largest_exponents(network: _Network, rhos: Array, strengths: Array, skipped: int) -> Array:
    """Exponents (k,) of k points side by side: states and tangents are the rows of one product a step."""
    k, steps = len(rhos), len(network.x)
    rows = np.repeat(np.stack([network.start, network.tangent]), k, axis=0)
    rows[k:], _ = _unit(rows[k:])
    scales, drive, growths = np.tile(rhos, 2)[:, None], strengths[:, None] * network.u, np.empty((steps, k))
    for t, x in enumerate(network.x):
        rows = rows @ network.W.T
        rows *= scales
        a = rows[:k] + x * drive
        rows[:k] = np.tanh(a)
        rows[k:], growths[t] = _unit(dtanh(a) * rows[k:])
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(growths[skipped:]).mean(axis=0))


def _unit(tangents: Array) -> tuple[Array, Array]:
    """Rows of norm 1, and their norms before; a zero row stays zero. Squares are taken after scaling by the largest."""
    largest = np.abs(tangents).max(axis=1, keepdims=True)
    scaled = tangents / np.where(largest > 0, largest, 1.0)
    norms = np.sqrt(np.einsum("ki,ki->k", scaled, scaled))[:, None]
    return scaled / np.where(norms > 0, norms, 1.0), (norms * largest)[:, 0]
