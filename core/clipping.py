"""Clipping by the global norm (Pascanu et al. 2013, algorithm 1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .arrays import Array, float_array, read_only
from .gradients import PARAMETERS, Gradients
from .scaling import rescale_power_of_two, to_float


def clip_by_global_norm(gradients: Any, threshold: float) -> tuple[Any, float]:
    """Scale gradients by threshold / norm where their global 2-norm exceeds the threshold.

    Parameters
    ----------
    gradients : Gradients, or a sequence or mapping of arrays
        Of `Gradients` the parameters' gradients count and are scaled, nothing else.
    threshold : positive number

    Returns
    -------
    (clipped, norm_before) with `clipped` of the same kind.

    Raises
    ------
    ValueError
        For a threshold that is not positive, and for gradients that hold inf or NaN: scaling those
        would hide them as zeros.
    """
    if not threshold > 0:
        raise ValueError(f"threshold must be a positive number, got {threshold!r}")
    if isinstance(gradients, Gradients):
        held = {name: getattr(gradients, name) for name in PARAMETERS}
        named = {name: gradient for name, gradient in held.items() if gradient is not None}
        clipped, norm = clip_by_global_norm(named, threshold)
        return replace(gradients, **clipped), norm
    if isinstance(gradients, Mapping):
        values, norm = _clip(gradients.values(), threshold)
        return dict(zip(gradients, values, strict=True)), norm
    return _clip(gradients, threshold)


def global_norm(arrays: Sequence[Array]) -> float:
    """2-norm of all entries of all arrays, without squaring large or small ones as they are."""
    flat = np.concatenate([np.zeros(1), *(array.ravel() for array in arrays)])
    if not np.isfinite(flat).all():
        raise ValueError("gradients must be finite to be clipped, got inf or NaN")
    scaled, exponent = rescale_power_of_two(flat, (-1,))
    return float(to_float(np.sqrt((scaled**2).sum()), exponent))


def _clip(gradients: Iterable[Any], threshold: float) -> tuple[list[Array], float]:
    arrays = [float_array("gradients", value) for value in gradients]
    norm = global_norm(arrays)
    if norm > threshold:
        arrays = [array / norm * threshold for array in arrays]
    return [read_only(array) for array in arrays], norm
