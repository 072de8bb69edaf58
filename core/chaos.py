"""The edge of chaos as a map: spectral radius x input strength -> largest Lyapunov exponent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any, Protocol

import numpy as np

from .arrays import Array, checked_integer, checked_number
from .chaos_orbits import BATCH, draw_network, largest_exponents
from .config import RNNConfig

LARGEST_MAP = 40_000
"""Points that a map may have."""

LARGEST_STEPS = 100_000
"""Steps that a point may take."""

Place = tuple[int, int]


@dataclass(frozen=True)
class ChaosGrid:
    """A map to be computed: one network, drawn by `config`, at every spectral radius and input strength.

    At a point the network is that of `dataclasses.replace(config, rho=rho, sigma_in=strength)`: the same draws, scaled.
    Its input is the config's own kind over `steps` steps (typed text and values are repeated). It starts from a
    standard normal state: h_0 = 0 would rest there without input, and the exponent belongs to the attractor.

    Parameters
    ----------
    config : RNNConfig that draws its weights (U, W, b None); its rho, sigma_in and T play no part
    rhos : (r,) numbers of at least 0, rows of the map
    strengths : (c,) numbers of at least 0, columns of the map
    steps : 1 … 100000
    discard : steps left out of the mean at the start, below `steps`; a quarter of them where None

    Raises
    ------
    ValueError
        For numbers that are not finite or negative, an empty side, more than 40000 points, sizes out of range.
    """

    config: RNNConfig
    rhos: tuple[float, ...]
    strengths: tuple[float, ...]
    steps: int = 500
    discard: int | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.config, RNNConfig):
            raise ValueError(f"config must be an RNNConfig, got {type(self.config).__name__}")
        for name in ("U", "W", "b"):
            if getattr(self.config, name) is not None:
                raise ValueError(f"config must draw its weights, got {name} = {getattr(self.config, name)}")
        for name in ("rhos", "strengths"):
            object.__setattr__(self, name, _checked_side(name, getattr(self, name)))
        if self.total > LARGEST_MAP:
            size = f"{len(self.rhos)} x {len(self.strengths)} = {self.total}"
            raise ValueError(f"a map must have at most {LARGEST_MAP} points, got {size}")
        steps = checked_integer("steps", self.steps, 1, LARGEST_STEPS)
        skipped = steps // 4 if self.discard is None else checked_integer("discard", self.discard, 0, steps - 1)
        object.__setattr__(self, "discard", skipped)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.rhos), len(self.strengths)

    @property
    def total(self) -> int:
        """Points of the map."""
        return len(self.rhos) * len(self.strengths)

    def batches(self) -> tuple[tuple[Place, ...], ...]:
        """Every (row, column) once, coarse to fine, in the batches that are computed together."""
        return _batches(*self.shape)

    def key(self) -> ChaosGrid:
        """Return the grid without what its exponents do not depend on: equal keys, equal maps."""
        config = replace(
            self.config, rho=0.0, sigma_in=0.0, target=None, truncate=None, h0=None, V=None, c=None, outputs=None
        )
        typed = config.input in ("text", "values")
        return replace(self, config=config if typed else replace(config, T=self.steps))


@dataclass(frozen=True)
class ChaosPoint:
    """One point of the map, and how far the map is.

    Attributes
    ----------
    row, column : int
        Places in `rhos` and in `strengths`.
    rho, strength : float
    exponent : float
        Largest Lyapunov exponent, per step, natural logarithm; see `chaos_batch`.
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


def chaos_batch(grid: ChaosGrid, index: int) -> Array:
    """Largest Lyapunov exponents (k,) of the k points of `grid.batches()[index]`, per step, natural logarithm.

    A perturbation is carried through every step Jacobian and brought back to length 1 (Benettin et al. 1980); the
    exponent is the mean of the logarithm of its growth over the steps after `discard`. Its error falls about as
    1 / sqrt(steps). A point depends on its rho, its strength and the grid's `key()` alone: found again in another
    map, order or process, it is the same to the last bit on the same machine.

    -inf where the perturbation is lost (rho = 0, dead units); NaN where a state leaves the range of floats, as relu
    and linear networks may.

    Raises
    ------
    ValueError
        For an index that is no batch of the grid.
    """
    batches = grid.batches()
    places = batches[checked_integer("index", index, 0, len(batches) - 1)]
    rows, columns = np.array([*places, *[places[-1]] * (BATCH - len(places))]).T
    network = draw_network(grid.key().config, grid.steps)
    found = largest_exponents(
        network, np.array(grid.rhos)[rows], np.array(grid.strengths)[columns], int(grid.discard or 0)
    )
    return found[: len(places)]


def chaos_grid(grid: ChaosGrid, cancel: Cancel = None) -> Iterator[ChaosPoint]:
    """Yield the largest Lyapunov exponent at every point of a map, coarse to fine.

    Parameters
    ----------
    cancel : callable that returns whether to stop, or an object with `is_set()` such as a threading.Event
        Asked before every batch and every point; the iterator then ends.
    """
    stop, done = _asks(cancel), 0
    for index, places in enumerate(grid.batches()):
        if stop():
            return
        for (row, column), exponent in zip(places, chaos_batch(grid, index), strict=True):
            if stop():
                return
            done += 1
            yield ChaosPoint(
                row, column, grid.rhos[row], grid.strengths[column], float(exponent), done, grid.total
            )  # fmt: skip


def zero_crossings(rhos: Any, exponents: Any) -> tuple[float, ...]:
    """Where the exponents (r,) along increasing `rhos` (r,) change their sign, interpolated linearly; NaN is a gap.

    A step from or to -inf crosses at its finite end: nothing tells where between.
    """
    crossings = []
    for (low, below), (high, above) in pairwise(zip(rhos, exponents, strict=True)):
        if (below > 0) != (above > 0) and not np.isnan([below, above]).any():
            share = 1.0 if np.isinf(below) else 0.0 if np.isinf(above) else below / (below - above)
            crossings.append(float(low + share * (high - low)))
    return tuple(crossings)


def coarse_to_fine(rows: int, columns: int) -> list[Place]:
    """Every (row, column) once: those at multiples of 2^j for the largest j first, then the finer ones."""
    stride = 1 << max(rows, columns, 1).bit_length()
    order: dict[Place, None] = {}
    while stride:
        order |= dict.fromkeys((i, j) for i in range(0, rows, stride) for j in range(0, columns, stride))
        stride //= 2
    return list(order)


@lru_cache(maxsize=8)  # asked for once a batch: 40,000 points take 60 ms to put in order
def _batches(rows: int, columns: int) -> tuple[tuple[Place, ...], ...]:
    order = coarse_to_fine(rows, columns)
    return tuple(tuple(order[first : first + BATCH]) for first in range(0, len(order), BATCH))


def _checked_side(name: str, numbers: Any) -> tuple[float, ...]:
    side = tuple(checked_number(name, number, low=0.0) for number in numbers)
    if not side:
        raise ValueError(f"{name} must hold at least one number, got none")
    return side


def _asks(cancel: Cancel) -> Callable[[], bool]:
    if cancel is None:
        return lambda: False
    return cancel if callable(cancel) else cancel.is_set
