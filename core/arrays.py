"""Checked, read-only float64 arrays: the edge where every number enters the numerics."""

from __future__ import annotations

import math
from collections.abc import Collection
from numbers import Integral, Real
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def read_only(array: Array) -> Array:
    """Return `array` itself, no longer writeable."""
    array.flags.writeable = False
    return array


def float_array(name: str, value: Any) -> Array:
    """Return a float64 copy of `value`, or raise a ValueError that names the argument."""
    try:
        array = np.asarray(value)
        if np.iscomplexobj(array):
            raise TypeError("complex")
        return np.array(array, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be an array of real numbers, got {value!r}") from error


def checked_array(name: str, value: Any, shape: tuple[int | None, ...]) -> Array:
    """Return a finite, read-only float64 copy of `value` of this shape (None: any size).

    Raises
    ------
    ValueError
        Where the shape differs or a number is not finite; names the argument.
    """
    array = float_array(name, value)
    fits = array.ndim == len(shape) and all(
        want is None or want == got for want, got in zip(shape, array.shape, strict=True)
    )
    if not fits:
        raise ValueError(f"{name} must be {shape_text(shape)}, got {shape_text(array.shape)}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite, got {_first_non_finite(array)}")
    return read_only(array)


def shape_text(shape: tuple[int | None, ...]) -> str:
    """Write a shape as Python does, with `any` for a free size."""
    sizes = ["any" if size is None else str(size) for size in shape]
    return f"({sizes[0]},)" if len(sizes) == 1 else f"({', '.join(sizes)})"


def _first_non_finite(array: Array) -> str:
    index = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
    return f"{float(array[index])} at index {list(index)}"


def checked_choice(name: str, value: str, choices: Collection[str]) -> str:
    """Return `value` where it is one of `choices`, else raise a ValueError that lists them."""
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, got {value!r}")
    return value


def checked_integer(name: str, value: Any, low: int, high: int | None = None) -> int:
    """Return `value` as an int in low … high, else raise a ValueError."""
    is_integer = isinstance(value, Integral) and not isinstance(value, bool)
    if not is_integer or value < low or (high is not None and value > high):
        accepted = f"at least {low}" if high is None else f"in {low} … {high}"
        raise ValueError(f"{name} must be an integer {accepted}, got {value!r}")
    return int(value)


def checked_number(name: str, value: Any, low: float = -math.inf) -> float:
    """Return `value` as a finite float of at least `low`, else raise a ValueError."""
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value) or value < low:
        accepted = "a finite number" if low == -math.inf else f"a finite number of at least {low:g}"
        raise ValueError(f"{name} must be {accepted}, got {value!r}")
    return float(value)
