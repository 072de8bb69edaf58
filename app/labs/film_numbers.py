"""The numbers of the film strip as the page takes them: products of a span, and heat maps packed small."""

from __future__ import annotations

import math

import numpy as np
from rnnscope.core import PerturbationEllipses, Run, SpanSVD, perturbation_ellipses, span_svd, state_jacobian

#: Cells a side of a frame's heat map: it is drawn 72 px wide, and 24 of them stay below 100 kB.
MOST_CELLS = 64
#: Borders of the page's symmetric-log scale (assets/js/heat.js): one step a decade.
DECADES = np.array([1e-3, 1e-2, 1e-1, 1.0, 1e1])
#: Half widths of the frames' planes, and tops of their stems: the same steps as the plots of W.
REACHES = (1.4, 2.2, 3.3, 6.6, 13.2, 100.0)
TOPS = (1.5, 3.0, 6.0, 12.0, 24.0, 50.0, 100.0, 1000.0)


Spread = tuple[SpanSVD, PerturbationEllipses] | None


def span_product(run: Run, k: int, t: int) -> tuple[np.ndarray, Spread]:
    """d state_t / d state_k; with its singular values and the ellipses, but where it is not finite."""
    cell, trace = run.cell, run.trace
    matrix, exponent = state_jacobian(cell, trace, t, k)
    finite = np.isfinite(matrix).all()
    spread = (span_svd(cell, trace, k, t), perturbation_ellipses(cell, trace, k, t)) if finite else None
    return plain_numbers(matrix, exponent), spread


def plain_numbers(scaled: np.ndarray, exponent: int) -> np.ndarray:
    """scaled * 2**exponent as float64; past the range of floats numbers are inf or 0, as they would be."""
    with np.errstate(over="ignore", under="ignore"):
        return np.ldexp(scaled, exponent)


def cells_a_side(size: int) -> int:
    """Cells a side of a frame's heat map: one an entry, or one for a square of entries where they are too many."""
    return math.ceil(size / math.ceil(size / MOST_CELLS))


def thumbnail(jacobian: np.ndarray) -> np.ndarray:
    """The matrix, or where it has too many entries the one of largest modulus in each square of them."""
    size = len(jacobian)
    block = math.ceil(size / MOST_CELLS)
    if block == 1:
        return jacobian
    side = cells_a_side(size)
    padded = np.pad(jacobian, (0, side * block - size))
    squares = padded.reshape(side, block, side, block).swapaxes(1, 2).reshape(side, side, -1)
    largest = np.argmax(np.abs(squares), axis=-1)
    return np.take_along_axis(squares, largest[..., None], axis=-1)[..., 0]


def packed(matrix: np.ndarray) -> np.ndarray:
    """The colour step 0 … 10 of every cell (5 is zero), eight to a float64: an eighth of what the numbers weigh.

    Steps are small and positive, so that no eight of them spell a NaN whose bits might be lost on the way.
    """
    size = np.where(np.isnan(matrix), 0.0, np.abs(matrix))
    steps = np.searchsorted(DECADES, size, side="right") * np.where(matrix < 0, -1, 1) + len(DECADES)
    flat = steps.astype(np.uint8).ravel()
    return np.pad(flat, (0, -len(flat) % 8)).view(np.float64)


def at_least(steps: tuple[float, ...], value: float) -> float:
    """The smallest of `steps` that holds `value` with a little room: scales change in steps, not with every move."""
    return next((step for step in steps if step >= 1.02 * value), steps[-1])
