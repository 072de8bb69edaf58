"""Losses of one step and their derivatives with respect to the output y, over leading axes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from .arrays import Array, checked_array, shape_text
from .functions import logsumexp, softmax


def cross_entropy(y: Array, target: Array) -> Array:
    """-sum_i target_i log softmax(y)_i, from the logits y (..., m); target (..., m) sums to 1."""
    return np.asarray((target * (logsumexp(y)[..., None] - y)).sum(axis=-1))


def dcross_entropy(y: Array, target: Array) -> Array:
    """d cross_entropy / d y = softmax(y) - target, shape (..., m)."""
    return softmax(y) - target


def squared(y: Array, target: Array) -> Array:
    """½ ||y - target||², from y and target (..., m)."""
    return np.asarray(0.5 * ((y - target) ** 2).sum(axis=-1))


def dsquared(y: Array, target: Array) -> Array:
    """d squared / d y = y - target, shape (..., m)."""
    return y - target


Loss = Callable[[Array, Array], Array]

LOSSES: Mapping[str, tuple[Loss, Loss]] = MappingProxyType(
    {"cross_entropy": (cross_entropy, dcross_entropy), "squared": (squared, dsquared)}
)
"""Name of a loss -> (the loss, its derivative with respect to y)."""


def target_array(targets: Any, loss: str, steps: int, outputs: int) -> Array:
    """Return targets as (T, m): numbers for "squared", probabilities for "cross_entropy".

    Class indices (T,) become one-hot rows. Raises a ValueError for a wrong shape, for a class
    outside 0 … m - 1, and for rows that are no probabilities.
    """
    if loss == "cross_entropy" and np.ndim(targets) == 1:
        return one_hot(class_indices(targets, steps, outputs), outputs)
    array = checked_array("targets", targets, (steps, outputs))
    if loss == "cross_entropy" and not _are_probabilities(array):
        raise ValueError("targets must be class indices (T,) or rows of probabilities that sum to 1")
    return array


def class_indices(targets: Any, steps: int, outputs: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return (T,) class indices as integers in 0 … m - 1, or raise a ValueError."""
    array = np.asarray(targets)
    if array.shape != (steps,):
        raise ValueError(f"targets must be {shape_text((steps,))}, got {shape_text(array.shape)}")
    if array.size and array.dtype.kind not in "iu":
        raise ValueError(f"targets must be integer class indices, got dtype {array.dtype}")
    if array.size and (array.min() < 0 or array.max() >= outputs):
        worst = array.min() if array.min() < 0 else array.max()
        raise ValueError(f"targets must be classes 0 … {outputs - 1}, got {worst}")
    return array.astype(np.int64)


def one_hot(indices: np.ndarray[Any, np.dtype[np.int64]], size: int) -> Array:
    """Return rows of the (size, size) identity, shape (len(indices), size)."""
    return np.asarray(np.eye(size)[indices])


def _are_probabilities(rows: Array) -> bool:
    # 1e-9 lets through rows that a user normalised in float64, and nothing coarser.
    return bool((rows >= 0).all() and (np.abs(rows.sum(axis=-1) - 1.0) <= 1e-9).all())
