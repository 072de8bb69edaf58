"""What the film strip must show in a state of /gradients; the numbers come from rnnscope.core."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from rnnscope.core import StepSpectrum, perturbation_ellipses, span_svd, step_spectrum

if TYPE_CHECKING:
    from tests.browser.expected import Expected, Key, Numbers

MOST_FRAMES = 24


def span(case: Expected) -> tuple[int, int]:
    """The steps k and t."""
    return max(0, case.state.t - case.state.lag), case.state.t


def frames(case: Expected) -> list[int]:
    """The steps that have a frame: every m-th one back from t, so that they are at most 24."""
    k, t = span(case)
    every = max(1, -(-(t - k) // MOST_FRAMES))
    return sorted(range(t, k, -every))


@cache
def spectra(case: Expected) -> list[StepSpectrum]:
    return [step_spectrum(case.run.cell, case.run.trace, t) for t in range(1, case.state.T + 1)]


@cache
def film_numbers(case: Expected) -> Numbers:
    """Symbol -> (rows, step of the first row)."""
    k, t = span(case)
    product = span_svd(case.run.cell, case.run.trace, k, t)
    ellipses = perturbation_ellipses(case.run.cell, case.run.trace, k, t)
    steps = spectra(case)
    return {
        "span_singular_value": (np.ldexp(product.values, product.exponent), 0),
        "span_singular_value_log10": (product.log10_values, 0),
        "semi_axis": (ellipses.semi_axes, k), "semi_axis_log10": (ellipses.log10_semi_axes, k),
        "t": (np.arange(case.state.T + 1), 0),
        "step_singular_value": (np.array([step.singular_values[0] for step in steps]), 1),
        "step_radius": (np.array([abs(step.eigenvalues[0]) for step in steps]), 1),
        "step_log10_det": (np.array([step.log10_det for step in steps]), 1),
    }  # fmt: skip


def film_summary(case: Expected) -> list[Key]:
    """The figures of its sentence."""
    k, t = span(case)
    if k == t or np.isneginf(film_numbers(case)["span_singular_value_log10"][0][0]):
        return []
    return [(name, i, 0) for i in (0, 1) for name in ("span_singular_value", "span_singular_value_log10")]


def film_tables(case: Expected) -> dict[str, np.ndarray]:
    """The rows and columns behind each "Show data"."""
    numbers, steps = film_numbers(case), np.array(frames(case), dtype=int)
    names = ("t", "step_singular_value", "step_radius", "step_log10_det")
    columns = [np.asarray(numbers[name][0])[steps - numbers[name][1]] for name in names]
    product = [numbers[name][0] for name in ("span_singular_value", "span_singular_value_log10")]
    return {
        "Steps of the film strip": np.column_stack(columns),
        "Singular values of the product": np.column_stack(product),
    }
