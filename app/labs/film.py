"""The Jacobian film strip: a span [k, t] of steps, frame by frame, its product, and what becomes of a circle."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
from rnnscope.core import (
    LSTM,
    PerturbationEllipses,
    Run,
    SpanSVD,
    StepSpectrum,
    perturbation_ellipses,
    span_svd,
    state_jacobian,
    step_spectrum,
)

from ..view import Arrays
from ..words import Phrase, phrase, plain, readout, symbol
from .detail import Detail

#: Frames that fit side by side on a wide screen, and that a second of arithmetic is not spent on.
MOST_FRAMES = 24
#: Cells a side of a frame's heat map: it is drawn 72 px wide, and 24 of them stay below 100 kB.
MOST_CELLS = 64
#: Borders of the page's symmetric-log scale (assets/js/heat.js): one step a decade.
DECADES = np.array([1e-3, 1e-2, 1e-1, 1.0, 1e1])
#: Half widths of the frames' planes, and tops of their stems: the same steps as the plots of W.
REACHES = (1.4, 2.2, 3.3, 6.6, 13.2, 100.0)
TOPS = (1.5, 3.0, 6.0, 12.0, 24.0, 50.0, 100.0, 1000.0)
#: A modulus of 1 within rounding is on the circle, not outside.
ON_CIRCLE = 1 + 1e-12
HEATS_NOTE = "Rows are outputs, columns inputs. All maps share one symmetric-log scale; point at a cell for its value."


def film_card() -> dict[str, Any]:
    """The card of the page: brush, strip, and below it the product of the span."""
    at_rest = {"detail": Film.NAME}
    return {"title": "Jacobian film strip", "cls": "film", "body": [
        {"kind": "filmBrush"},
        {"kind": "text", "id": "summary", "cls": "plot-summary", **at_rest},
        {"kind": "filmStrip", **at_rest},
        {"kind": "text", "id": "strip_note", "cls": "note", **at_rest},
        {"kind": "group", "cls": "film-product", "parts": [
            {"kind": "filmEllipse", **at_rest},
            {"kind": "group", "cls": "heats", "parts": [
                {"kind": "heat", "array": "J_step", "caption": "step_caption", **at_rest},
                {"kind": "heat", "array": "J_span", "caption": "span_caption", **at_rest},
                {"kind": "heatScale"}]},
            {"kind": "filmStems", **at_rest}]},
        {"kind": "text", "id": "heats", "cls": "note", **at_rest},
        {"kind": "data", "label": "Steps of the film strip", "columns": _step_columns(), **at_rest},
        {"kind": "data", "label": "Singular values of the product", "columns": [
            {"head": "$σ$", "array": "span_sigma", "symbol": "span_singular_value"},
            {"head": "log₁₀ $σ$", "array": "span_log10", "symbol": "span_singular_value_log10"}], **at_rest},
    ]}  # fmt: skip


def _step_columns() -> list[dict[str, Any]]:
    columns = (
        ("$σ_max$", "sigma_max", "step_singular_value"),
        ("$|λ|_max$", "radius", "step_radius"),
        ("log₁₀ |det|", "log10_det", "step_log10_det"),
    )
    step = {"head": "step $t$", "array": "steps", "symbol": "t", "integer": True, "times": "steps"}
    return [step, *({"head": h, "array": a, "symbol": s, "times": "steps"} for h, a, s in columns)]


class Film(Detail):
    """The Jacobians from step k = t - lag to t: each by itself, and their product."""

    NAME: ClassVar[str] = "film"
    LOOKS: ClassVar[bool] = True

    def __init__(self, lab: Any):
        super().__init__(lab)
        self._known: tuple[Run | None, dict[int, StepSpectrum]] = (None, {})

    def shown_run(self) -> Run:
        """The run whose matrices the strip shows."""
        run: Run = self.lab.run
        return run

    def span(self) -> tuple[int, int]:
        """The steps k and t that the brush holds."""
        t = self.lab.state.t
        return max(0, t - self.lab.state.lag), t

    def arrays(self) -> Arrays:
        run, (k, t) = self.shown_run(), self.span()
        self.every = max(1, math.ceil((t - k) / MOST_FRAMES))
        self.steps = list(range(t, k, -self.every))[::-1]
        self.frames = [self._spectrum(run, step) for step in self.steps]
        self.product, self.ellipses = _product(run, k, t)
        return {**self._matrices(run, k, t), **self._strip(), **self._span_arrays(k)}

    def _spectrum(self, run: Run, t: int) -> StepSpectrum:
        """A step's spectrum, computed once a run: a brush that moves meets most of its steps again."""
        if self._known[0] is not run:
            self._known = (run, {})
        known = self._known[1]
        if t not in known:
            known[t] = step_spectrum(run.cell, run.trace, t)
        return known[t]

    def _matrices(self, run: Run, k: int, t: int) -> Arrays:
        return {"J_step": (_plain_product(run, t, max(0, t - 1)), 0), "J_span": (_plain_product(run, t, k), 0)}

    def _strip(self) -> Arrays:
        frames, count = self.frames, len(self.frames)
        pairs = [np.column_stack([frame.eigenvalues.real, frame.eigenvalues.imag]) for frame in frames]
        tables = {
            "steps": self.steps,
            "cells": [_packed(_thumbnail(frame.jacobian)) for frame in frames],
            "eigenvalues": pairs,
            "sigmas": [frame.singular_values for frame in frames],
            "sigma_max": [frame.singular_values[0] for frame in frames],
            "radius": [abs(frame.eigenvalues[0]) for frame in frames],
            "log10_det": [frame.log10_det for frame in frames],
        }
        return {name: (np.array(rows).reshape(count, -1 if count else 1), 0) for name, rows in tables.items()}

    def _span_arrays(self, k: int) -> Arrays:
        """The product's singular values and the ellipses; one row of NaN where there is no product."""
        if self.product is None or self.ellipses is None:
            nothing = np.full((1, 1), np.nan)
            return {"span_sigma": (nothing, 0), "span_log10": (nothing, 0), "ellipses": (np.full((1, 5), np.nan), k)}
        log10, found = self.product.log10_values, self.ellipses
        table = np.column_stack([found.semi_axes, found.log10_semi_axes, found.angles])
        return {"span_sigma": (_power(log10), 0), "span_log10": (log10, 0), "ellipses": (table, k)}

    # --- what it says -----------------------------------------------------------------------

    def texts(self) -> dict[str, Any]:
        k, t = self.span()
        name = "s" if isinstance(self.shown_run().cell, LSTM) else "h"
        return {
            "summary": self._summary(k, t, name),
            "strip": {"side": _side(self.shown_run().cell.state_size), "reach": self._reach(), "top": self._top()},
            "strip_note": self._strip_note(),
            "ellipse_note": self._ellipse_note(k, name),
            "step_caption": _derivative(name, t, max(0, t - 1)),
            "span_caption": _derivative(name, t, k),
            "heats": phrase(HEATS_NOTE),
        }

    def _summary(self, k: int, t: int, name: str) -> Phrase:
        state = phrase("; ", symbol("s"), " is the whole state, [h; c]") if name == "s" else []
        if k == t:
            return phrase(
                "The span is empty: k = t. Move one of its ends to see what the steps between do", *state, "."
            )
        if self.product is None:
            words = f"From step {k + 1} to step {t} the Jacobians are not finite: there is no product to show."
            return phrase(plain("No product. ", strong=True), words)
        return phrase(*self._stretch(self.product, k, t), *self._outside(), *state, ".")

    @staticmethod
    def _stretch(product: SpanSVD, k: int, t: int) -> Phrase:
        over = f"Over {t - k} step{'s' if t - k > 1 else ''}, from {k} to {t}, "
        log10 = product.log10_values
        if np.isneginf(log10[0]):
            return phrase(over, "the product is exactly 0: no perturbation is left")
        words = ["the direction that is stretched most ", _verb(log10[0]), *_sizes(log10, 0)]
        if len(log10) > 1:
            words += [", the second ", _verb(log10[1]), *_sizes(log10, 1)]
        return phrase(over, *words)

    def _outside(self) -> Phrase:
        counts = [int(np.sum(np.abs(frame.eigenvalues) > ON_CIRCLE)) for frame in self.frames]
        low, high = min(counts), max(counts)
        each = f"{low}" if low == high else f"between {low} and {high}"
        word = "eigenvalue" if low == high == 1 else "eigenvalues"
        return phrase("; each ", symbol("J", "t"), f" shown has {each} {word} outside the unit circle")

    def _strip_note(self) -> Phrase:
        if not self.frames:
            return phrase("No step lies in the span.")
        every = "" if self.every == 1 else f" Every {_ordinal(self.every)} step is shown."
        size = self.shown_run().cell.state_size
        cells = "" if size <= MOST_CELLS else f" One cell is the largest of {size // _side(size)} × as many entries."
        return phrase(
            "Each frame: ", symbol("J", "t"), " as heat map, its eigenvalues with the unit circle (squares lie outside), "
            "its singular values with the line at 1. All frames share their scales: "
            f"the plane reaches to {self._reach():g}, the singular values to {self._top():g}.{every}{cells}",
        )  # fmt: skip

    def _ellipse_note(self, k: int, name: str) -> Phrase:
        if self.shown_run().cell.state_size <= 2:
            return phrase("Exact: the state has two units.")
        return phrase("In the plane of the two leading directions of the span, at ", symbol(name, str(k)), ".")

    def _reach(self) -> float:
        return _at_least(REACHES, max((abs(frame.eigenvalues[0]) for frame in self.frames), default=1.0))

    def _top(self) -> float:
        return _at_least(TOPS, max((frame.singular_values[0] for frame in self.frames), default=1.0))


# --- numbers ---------------------------------------------------------------------------------


def _product(run: Run, k: int, t: int) -> tuple[SpanSVD | None, PerturbationEllipses | None]:
    """The product's singular values and the ellipses, or nothing where a Jacobian of the span is not finite."""
    if not np.isfinite(state_jacobian(run.cell, run.trace, t, k)[0]).all():
        return None, None
    return span_svd(run.cell, run.trace, k, t), perturbation_ellipses(run.cell, run.trace, k, t)


def _plain_product(run: Run, t: int, k: int) -> np.ndarray:
    """d state_t / d state_k as float64; past the range of floats entries are inf or 0, as they would be."""
    matrix, exponent = state_jacobian(run.cell, run.trace, t, k)
    with np.errstate(over="ignore", under="ignore"):
        return np.ldexp(matrix, exponent)


def _power(log10: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(10.0**log10)


def _side(size: int) -> int:
    """Cells a side of a frame's heat map: one an entry, or one for a square of entries where they are too many."""
    return math.ceil(size / math.ceil(size / MOST_CELLS))


def _thumbnail(jacobian: np.ndarray) -> np.ndarray:
    """The matrix, or where it has too many entries the one of largest modulus in each square of them."""
    size = len(jacobian)
    block = math.ceil(size / MOST_CELLS)
    if block == 1:
        return jacobian
    side = _side(size)
    padded = np.pad(jacobian, (0, side * block - size))
    squares = padded.reshape(side, block, side, block).swapaxes(1, 2).reshape(side, side, -1)
    largest = np.argmax(np.abs(squares), axis=-1)
    return np.take_along_axis(squares, largest[..., None], axis=-1)[..., 0]


def _packed(matrix: np.ndarray) -> np.ndarray:
    """The colour step 0 … 10 of every cell (5 is zero), eight to a float64: an eighth of what the numbers weigh.

    Steps are small and positive, so that no eight of them spell a NaN whose bits might be lost on the way.
    """
    size = np.where(np.isnan(matrix), 0.0, np.abs(matrix))
    steps = np.searchsorted(DECADES, size, side="right") * np.where(matrix < 0, -1, 1) + len(DECADES)
    flat = steps.astype(np.uint8).ravel()
    return np.pad(flat, (0, -len(flat) % 8)).view(np.float64)


def _at_least(steps: tuple[float, ...], value: float) -> float:
    """The smallest of `steps` that holds `value` with a little room: scales change in steps, not with every move."""
    return next((step for step in steps if step >= 1.02 * value), steps[-1])


# --- words -----------------------------------------------------------------------------------


def _derivative(name: str, t: int, k: int) -> Phrase:
    """∂h_t / ∂h_k, and over how many steps that is."""
    words = "1 step" if t - k == 1 else f"{t - k} steps"
    return phrase("∂", symbol(name, str(t)), " / ∂", symbol(name, str(k)), f", {words}")


def _verb(log10: float) -> str:
    if abs(log10) < 5e-4:
        return "keeps its length, "
    return "grows to " if log10 > 0 else "shrinks to "


def _sizes(log10: np.ndarray, i: int) -> Phrase:
    """A singular value of the product, and its log10 where the number alone is hard to compare."""
    value = readout(_power(log10)[i], "span_singular_value", i)
    logarithm = readout(log10[i], "span_singular_value_log10", i)
    return phrase(value, " (log₁₀ ", logarithm, ")")


def _ordinal(number: int) -> str:
    return f"{number}{ {2: 'nd', 3: 'rd'}.get(number, 'th') }"
