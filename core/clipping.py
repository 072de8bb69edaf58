"""Clipping by the global norm (Pascanu et al. 2013, algorithm 1), and the angle between two gradients."""

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
        clipped, norm = clip_by_global_norm(_of_parameters(gradients), threshold)
        return replace(gradients, **clipped), norm
    if isinstance(gradients, Mapping):
        values, norm = _clip(gradients.values(), threshold)
        return dict(zip(gradients, values, strict=True)), norm
    return _clip(gradients, threshold)


def gradient_norm(gradients: Gradients) -> float:
    """2-norm of the gradients of all parameters as one vector.

    Raises
    ------
    ValueError
        For gradients that hold inf or NaN.
    """
    return global_norm(list(_of_parameters(gradients).values()))


def gradient_angle(first: Gradients, second: Gradients) -> float:
    """Angle in degrees, 0 ... 180, between two gradients of the same parameters, as vectors; NaN where one is 0.

    2 atan2(||u - v||, ||u + v||) of the unit vectors u, v (Kahan, "How futile are mindless assessments of roundoff",
    2006): exact near 0 and 180 degrees, where the arc cosine loses half its digits.

    Raises
    ------
    ValueError
        For gradients that hold inf or NaN, and for gradients of different parameters.
    """
    vectors = [np.concatenate([a.ravel() for a in _of_parameters(g).values()]) for g in (first, second)]
    if vectors[0].shape != vectors[1].shape:
        raise ValueError(f"both gradients must hold as many numbers, got {vectors[0].size} and {vectors[1].size}")
    norms = [global_norm([vector]) for vector in vectors]
    if 0.0 in norms:
        return float("nan")
    u, v = (rescale_power_of_two(vector, (-1,))[0] for vector in vectors)
    u, v = u / np.linalg.norm(u), v / np.linalg.norm(v)
    return float(np.degrees(2 * np.arctan2(np.linalg.norm(u - v), np.linalg.norm(u + v))))


def _of_parameters(gradients: Gradients) -> dict[str, Array]:
    held = {name: getattr(gradients, name) for name in PARAMETERS}
    return {name: gradient for name, gradient in held.items() if gradient is not None}


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
