"""The Jacobian film strip: a span [k, t] of steps, frame by frame, its product, and what becomes of a circle."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
from rnnscope.core import LSTM, Run, SpanSVD, StepSpectrum, step_spectrum

from ..view import Arrays
from ..words import Phrase, phrase, plain, readout, symbol
from .detail import Detail
from .film_numbers import (
    DECADES,
    MOST_CELLS,
    REACHES,
    TOPS,
    at_least,
    cells_a_side,
    packed,
    plain_numbers,
    span_product,
    thumbnail,
)

#: Frames that fit side by side on a wide screen, and that a second of arithmetic is not spent on.
MOST_FRAMES = 24
#: A modulus of 1 within rounding is on the circle, not outside.
ON_CIRCLE = 1 + 1e-12
KEEPS = "keeps its length, "
HEATS_NOTE = "Rows are outputs, columns inputs. All maps share one symmetric-log scale; point at a cell for its value."


def film_card() -> dict[str, Any]:
    """The card of the page: brush, strip, and below it the product of the span."""
    at_rest = {"detail": Film.NAME}
    return {"title": "Jacobian film strip", "cls": "film more", "body": [
        {"kind": "filmBrush"},
        {"kind": "text", "id": "summary", "cls": "plot-summary", **at_rest},
        {"kind": "filmStrip", **at_rest},
        {"kind": "text", "id": "strip_note", "cls": "note", **at_rest},
        {"kind": "group", "cls": "film-product", "parts": [
            {"kind": "filmEllipse", **at_rest},
            {"kind": "filmStems", **at_rest},
            {"kind": "group", "cls": "heats", "parts": [
                {"kind": "heat", "array": "J_step", "caption": "step_caption", **at_rest},
                {"kind": "heat", "array": "J_span", "caption": "span_caption", **at_rest},
                {"kind": "heatScale"}]},
            {"kind": "text", "id": "heats", "cls": "note", **at_rest}]},
        {"kind": "group", "cls": "film-data", "parts": [
            {"kind": "data", "label": "Steps of the film strip", "columns": _step_columns(), **at_rest},
            {"kind": "data", "label": "Singular values of the product", "columns": [
                {"head": "$σ$", "array": "span_sigma", "symbol": "span_singular_value"},
                {"head": "log₁₀ $σ$", "array": "span_log10", "symbol": "span_singular_value_log10"}], **at_rest}]},
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
    COPIED: ClassVar[bool] = False

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
        product, self.spread = span_product(run, k, t)
        self._seen = bool((np.abs(product) >= DECADES[0]).any())
        step = self._spectrum(run, t).jacobian if t else product
        return {"J_step": (step, 0), "J_span": (product, 0), **self._strip(), **self._span_arrays(k)}

    def _spectrum(self, run: Run, t: int) -> StepSpectrum:
        """A step's spectrum, computed once a run: a brush that moves meets most of its steps again."""
        if self._known[0] is not run:
            self._known = (run, {})
        known = self._known[1]
        if t not in known:
            known[t] = step_spectrum(run.cell, run.trace, t)
        return known[t]

    def _strip(self) -> Arrays:
        frames, count = self.frames, len(self.frames)
        pairs = [np.column_stack([frame.eigenvalues.real, frame.eigenvalues.imag]) for frame in frames]
        tables = {
            "steps": self.steps,
            "cells": [packed(thumbnail(frame.jacobian)) for frame in frames],
            "eigenvalues": pairs,
            "sigmas": [frame.singular_values for frame in frames],
            "sigma_max": [frame.singular_values[0] for frame in frames],
            "radius": [abs(frame.eigenvalues[0]) for frame in frames],
            "log10_det": [frame.log10_det for frame in frames],
        }
        return {name: (np.array(rows).reshape(count, -1 if count else 1), 0) for name, rows in tables.items()}

    def _span_arrays(self, k: int) -> Arrays:
        """The product's singular values and the ellipses; one row of NaN where there is no product."""
        if self.spread is None:
            nothing = np.full((1, 1), np.nan)
            return {"span_sigma": (nothing, 0), "span_log10": (nothing, 0), "ellipses": (np.full((1, 5), np.nan), k)}
        product, found = self.spread
        table = np.column_stack([found.semi_axes, found.log10_semi_axes, found.angles])
        sigma = plain_numbers(product.values, product.exponent)
        return {"span_sigma": (sigma, 0), "span_log10": (product.log10_values, 0), "ellipses": (table, k)}

    # --- what it says -----------------------------------------------------------------------

    def texts(self) -> dict[str, Any]:
        k, t = self.span()
        name = "s" if isinstance(self.shown_run().cell, LSTM) else "h"
        return {
            "summary": self._summary(k, t, name),
            "strip": {
                "side": cells_a_side(self.shown_run().cell.state_size),
                "reach": self._reach(),
                "top": self._top(),
            },
            "strip_note": self._strip_note(),
            "ellipse_note": self._ellipse_note(k, name),
            "step_caption": _derivative(name, t, max(0, t - 1)),
            "span_caption": _derivative(name, t, k),
            "heats": phrase(HEATS_NOTE + ("" if self._seen else " No entry of the product reaches 0.001.")),
        }

    def _summary(self, k: int, t: int, name: str) -> Phrase:
        state = phrase("; ", symbol("s"), " is the whole state, [h; c]") if name == "s" else []
        if k == t:
            return phrase(
                "The span is empty: k = t. Move one of its ends to see what the steps between do", *state, "."
            )
        if self.spread is None:
            words = f"From step {k + 1} to step {t} the Jacobians are not finite: there is no product to show."
            return phrase(plain("No product. ", strong=True), words)
        return phrase(*self._stretch(self.spread[0], k, t), *self._outside(), *state, ".")

    @staticmethod
    def _stretch(product: SpanSVD, k: int, t: int) -> Phrase:
        over = f"Over {t - k} step{'s' if t - k > 1 else ''}, from {k} to {t}, "
        log10 = product.log10_values
        if np.isneginf(log10[0]):
            return phrase(over, "the product is exactly 0: no perturbation is left")
        words = phrase(over, "the leading direction ", _verb(log10[0]), *_sizes(product, 0))
        if len(log10) == 1:
            return words
        verb = "to " if _verb(log10[0]) == _verb(log10[1]) != KEEPS else _verb(log10[1])
        return [*words, *phrase(", the second ", verb, *_sizes(product, 1))]

    def _outside(self) -> Phrase:
        counts = [int(np.sum(np.abs(frame.eigenvalues) > ON_CIRCLE)) for frame in self.frames]
        low, high = min(counts), max(counts)
        if high == 0:
            return phrase("; no ", symbol("J", "t"), " shown has an eigenvalue outside the unit circle")
        each = f"{low}" if low == high else f"between {low} and {high}"
        word = "eigenvalue" if low == high == 1 else "eigenvalues"
        return phrase("; each ", symbol("J", "t"), f" shown has {each} {word} outside the unit circle")

    def _strip_note(self) -> Phrase:
        if not self.frames:
            return phrase("No step lies in the span.")
        every = "" if self.every == 1 else f" Every {_ordinal(self.every)} step is shown."
        size = self.shown_run().cell.state_size
        block = math.ceil(size / MOST_CELLS)
        cells = "" if block == 1 else f" A cell is the largest of {block} × {block} entries."
        scales = f"the plane reaches to {self._reach():g}, the singular values to {self._top():g}"
        return phrase(
            "Each frame: ",
            symbol("J", "t"),
            " as heat map, its eigenvalues with the unit circle (outside: squares), its singular values with the line "
            f"at 1. All frames share their scales: {scales}.{every}{cells}",
        )

    def _ellipse_note(self, k: int, name: str) -> Phrase:
        if self.shown_run().cell.state_size <= 2:
            return phrase("Exact: the state has two units.")
        return phrase("In the plane of the two leading directions of the span, at ", symbol(name, str(k)), ".")

    def _reach(self) -> float:
        return at_least(REACHES, max((abs(frame.eigenvalues[0]) for frame in self.frames), default=1.0))

    def _top(self) -> float:
        return at_least(TOPS, max((frame.singular_values[0] for frame in self.frames), default=1.0))


# --- words -----------------------------------------------------------------------------------


def _derivative(name: str, t: int, k: int) -> Phrase:
    """∂h_t / ∂h_k, and over how many steps that is."""
    words = "1 step" if t - k == 1 else f"{t - k} steps"
    return phrase("∂", symbol(name, str(t)), " / ∂", symbol(name, str(k)), f", {words}")


def _verb(log10: float) -> str:
    if abs(log10) < 5e-4:
        return KEEPS
    return "grows to " if log10 > 0 else "shrinks to "


def _sizes(product: SpanSVD, i: int) -> Phrase:
    """A singular value of the product, and its log10: small numbers are hard to compare."""
    value = readout(plain_numbers(product.values, product.exponent)[i], "span_singular_value", i)
    logarithm = readout(product.log10_values[i], "span_singular_value_log10", i)
    return phrase(value, " (log₁₀ ", logarithm, ")")


def _ordinal(number: int) -> str:
    return f"{number}{ {2: 'nd', 3: 'rd'}.get(number, 'th') }"
