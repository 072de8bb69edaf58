"""Costs of five models against length or size, and where two of them cross."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

from .arrays import checked_choice, checked_integer
from .costs import MODELS, costs

QUANTITIES = ("sequential_steps", "path_length", "parameters", "multiply_adds")
COST_AXES = ("T", "n")

#: The longest axis: powers of two and the numbers half way between them.
LARGEST_SIZE = 4096
SIZES = tuple(sorted({*(2**i for i in range(13)), *(3 * 2**i for i in range(11))}))


@dataclass(frozen=True)
class Crossing:
    """From `size` on, and not at size - 1, the first model costs more than the second."""

    over: str
    under: str
    size: int


def cost_of(model: str, quantity: str, T: int, n: int) -> int:
    """One cost of a model with n units that reads vectors of n numbers, over T steps, from first to last."""
    checked_choice("quantity", quantity, QUANTITIES)
    return int(getattr(costs(model, T, n, n), quantity))


def cost_curve(model: str, quantity: str, axis: str, T: int, n: int, sizes: Sequence[int] = SIZES) -> tuple[int, ...]:
    """Return a cost at each of `sizes`, which take the place of T or of n."""
    checked_choice("axis", axis, COST_AXES)
    return tuple(cost_of(model, quantity, *((size, n) if axis == "T" else (T, size))) for size in sizes)


def cost_crossings(quantity: str, axis: str, T: int, n: int) -> tuple[Crossing, ...]:
    """Return the sizes, 2 … 4096, at which two models change order, by size; each found exactly by bisection.

    Where they are equal at some sizes the first size at which one is above counts. Pairs that cross twice between
    two neighbours of `SIZES` do not exist here: costs are polynomials of degree 2 at most, and steps of them.
    """
    curves = {model: cost_curve(model, quantity, axis, T, n) for model in MODELS}
    found = [
        Crossing(over, under, _first(over, under, quantity, axis, (T, n), place))
        for over, under in permutations(MODELS, 2)
        for place in _changes(curves[over], curves[under])
    ]
    return tuple(sorted(found, key=lambda crossing: crossing.size))


def _changes(over: Sequence[int], under: Sequence[int]) -> list[int]:
    """The places in `SIZES` where `over` comes to lie above, having been below before."""
    gaps = [a - b for a, b in zip(over, under, strict=True)]
    return [i for i in range(1, len(gaps)) if gaps[i] > 0 >= gaps[i - 1] and min(gaps[:i]) < 0]


def _first(over: str, under: str, quantity: str, axis: str, sizes: tuple[int, int], place: int) -> int:
    """The first size after SIZES[place - 1] at which `over` costs more."""
    low, high = SIZES[place - 1], SIZES[place]
    while high - low > 1:
        middle = (low + high) // 2
        T, n = (middle, sizes[1]) if axis == "T" else (sizes[0], middle)
        above = cost_of(over, quantity, T, n) > cost_of(under, quantity, T, n)
        low, high = (low, middle) if above else (middle, high)
    return checked_integer("size", high, 2, LARGEST_SIZE)
