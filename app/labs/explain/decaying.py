"""The curves of /gradients: the Jacobian norm against lag with its bound and the folk law, and the long run."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from rnnscope.core import span_svd, state_difference, step_jacobians

from ...words import LARGEST_POWER, Phrase, phrase, symbol
from ..measured import Measured
from .answer import CENTRAL, OTHER_WAY, Asked, Check, Entry, check
from .loom import titled
from .measured import MATRIX, cell_of, config_of, measured, radius_of, radius_value, rnn_config, the_rnn

#: How far a state is moved along the direction that is stretched most; past 1e10 no float is fine enough.
REACH, LARGEST_STRETCH = 6e-6, 1e10
MOST_DENSE = 200 * 128 * 128


# --- the curve -------------------------------------------------------------------------------


def stretch_checks(asked: Asked, cell: Any, trace: Any, span: tuple[int, int], log10: float) -> list[Check]:
    """The norm of d state_t / d state_k by the product's SVD, and by running on from both sides of state_k."""
    k, t = span
    if not np.isfinite(trace.states).all():
        return []
    found = span_svd(cell, trace, k, t)
    again = [check("SVD of the product of Jacobians, log₁₀", float(found.log10_values[0]), log10, "other", OTHER_WAY)]
    if not log10 < math.log10(LARGEST_STRETCH):
        return again
    size = 10.0**log10
    moved = state_difference(cell, trace, k, t, found.Vt[0], REACH / max(1.0, size))
    words = f"Central differences of the state, {t - k} steps"
    return [*again, check(words, float(np.linalg.norm(moved)), size, "central", CENTRAL)]


def _curve_checks(asked: Asked, value: float) -> list[Check]:
    found = measured(asked).run
    return stretch_checks(asked, found.cell, found.trace, (found.trace.steps - asked.t, found.trace.steps), value)


def _curve_title(asked: Asked) -> Phrase:
    T, k = asked.T, asked.T - asked.t
    letter = "s" if cell_of(asked) == "lstm" else "h"
    return phrase("log₁₀ ‖∂", symbol(letter, str(T)), "/∂", symbol(letter, str(k)), "‖")


def _curve_formula(asked: Asked) -> Phrase:
    first = asked.T - asked.t + 1
    if asked.t == 0:
        return phrase("log₁₀ ‖I‖ = 0")
    middle = [" … ", symbol("J", str(first))] if asked.t > 1 else []
    return phrase("log₁₀ ‖", symbol("J", str(asked.T)), *middle, "‖₂")


def _norm_curve(words: str) -> Entry:
    return Entry(
        words=lambda at: f"{words}, {at.t} steps back, as a power of ten",
        rows=lambda at: (measured(at).found.curve, 0),
        code=lambda at: f"jacobian_log10_norms(r.cell, r.trace, t={at.T})[{at.T - at.t}]",
        title=_curve_title,
        formula=_curve_formula,
        checks=_curve_checks,
        config=config_of,
    )


def _line(words: str, letter: tuple[str, str | None], attribute: str, base: Callable[[Any], float]) -> Entry:
    """k times log10 of one number of W: the bound, and the folk law."""

    def rows(asked: Asked) -> tuple[Any, int]:
        return getattr(the_rnn(asked).decay, attribute), 0

    def checks(asked: Asked, value: float) -> list[Check]:
        found = base(the_rnn(asked).run.cell.W_hh)
        other = asked.t * math.log10(found) if found > 0 else -math.inf if asked.t else 0.0
        return [check("From the matrix by another way", other, value, "other", OTHER_WAY)]

    return Entry(
        words=lambda at: f"{words}, {at.t} steps back, as a power of ten",
        rows=rows,
        code=lambda at: f"decay(r.cell, r.trace).{attribute}[{at.t}]",
        title=titled("log₁₀ ", lambda at: [symbol(*letter, str(at.t))]),
        formula=titled(lambda at: [f"{at.t} · log₁₀ ", symbol(*letter)]),
        checks=checks,
        config=rnn_config,
    )


def _power(asked: Asked, curve: str) -> tuple[Any, int]:
    found = measured(asked)
    rows = found.found.curve if curve == "curve" else found.decay.folk if found.decay else []
    return [10.0**log if abs(log) < LARGEST_POWER else (math.inf if log > 0 else 0.0) for log in rows], 0


def _power_checks(asked: Asked, value: float) -> list[Check]:
    if asked.symbol == "folk_norm":
        return [check("Multiplied step by step", math.prod([radius_value(asked)] * asked.t), value, "other", OTHER_WAY)]
    found, T = measured(asked).run, asked.T
    product = span_svd(found.cell, found.trace, T - asked.t, T)
    return [
        check(
            "SVD of the product of Jacobians",
            float(np.ldexp(product.values[0], product.exponent)),
            value,
            "other",
            OTHER_WAY,
        )
    ]


def largest_singular(W: np.ndarray) -> float:
    return math.sqrt(max(0.0, float(np.linalg.eigvalsh(W.T @ W)[-1])))


CURVES = {
    **{name: _norm_curve(words) for name, words in (
        ("jacobian_log10_norm", "Jacobian norm of the RNN"),
        ("jacobian_log10_norm_lstm", "Jacobian norm of the LSTM, of (h, c) as one"),
        ("jacobian_log10_norm_gru", "Jacobian norm of the GRU"))},
    "bound_log10": _line("bound that the RNN’s norm keeps", ("σ", "max"), "bound", largest_singular),
    "folk_log10": _line("what the folk law says of the RNN", ("ρ", None), "folk", radius_of),
    "jacobian_norm": Entry(
        words=lambda at: f"Jacobian norm, {at.t} steps back",
        rows=lambda at: _power(at, "curve"),
        code=lambda at: f"10.0 ** jacobian_log10_norms(r.cell, r.trace, t={at.T})[{at.T - at.t}]",
        title=titled("‖∂", lambda at: [symbol("h", str(at.T)), "/∂", symbol("h", str(at.T - at.t))], "‖"),
        formula=_curve_formula, checks=_power_checks,
    ),
    "folk_norm": Entry(
        words=lambda at: f"what the folk law says, {at.t} steps back",
        rows=lambda at: _power(at, "folk"),
        code=lambda at: f"10.0 ** decay(r.cell, r.trace).folk[{at.t}]",
        title=titled(lambda at: [symbol("ρ", None, str(at.t))]), checks=_power_checks,
    ),
}  # fmt: skip


# --- the long run ----------------------------------------------------------------------------


def _dense_exponent(asked: Asked, run: Any) -> float | None:
    """The mean growth of one direction through the step Jacobians themselves, not their factors."""
    size, T = run.cell.state_size, run.trace.steps
    if T * size * size > MOST_DENSE or not np.isfinite(run.trace.states).all():
        return None
    vector, logs = np.random.default_rng(0).standard_normal(size), []
    for jacobian in step_jacobians(run.cell, run.trace):
        vector = jacobian @ (vector / np.linalg.norm(vector))
        length = float(np.linalg.norm(vector))
        if length == 0.0:
            return -math.inf
        logs.append(math.log(length))
    return math.fsum(logs[T // 4 :]) / (T - T // 4)


def _exponent_cell(asked: Asked) -> Measured:
    """Of the table the cell in its place; the claim of a preset speaks of the selected one."""
    found: Measured = asked.lab.measured_of(asked.lab.state.curves[asked.unit])
    return found


def _exponent_checks(asked: Asked, value: float) -> list[Check]:
    other = _dense_exponent(asked, _exponent_cell(asked).run)
    return (
        [] if other is None else [check("Through the full Jacobians, step by step", other, value, "other", OTHER_WAY)]
    )


def _slope(curve: np.ndarray) -> float:
    """Least squares over the second half of the lags by NumPy's own fit."""
    tail = curve[len(curve) // 2 :]
    if np.isneginf(tail).any():
        return -math.inf
    weights = np.sin(np.pi * (np.arange(len(tail)) + 0.5) / len(tail))
    return float(np.polyfit(np.arange(len(tail)), tail, 1, w=weights)[0])


def _half_life_checks(asked: Asked, value: float) -> list[Check]:
    slope = _slope(measured(asked).found.curve)
    steps = math.log10(2) / abs(slope) if slope else math.inf
    return [check("Slope of the curve by NumPy’s polyfit", steps, value, "other", 1e-6)]


LONG_RUN = {
    "lyapunov": Entry(
        words="largest Lyapunov exponent per step: how fast nearby states part",
        rows=lambda at: ([[found.exponent for found in map(at.lab.measured_of, at.lab.state.curves)]], 0),
        code=lambda at: f"largest_lyapunov_exponent(r.cell, r.trace, discard={at.T // 4})",
        title=titled(lambda _: [symbol("λ", "1")]),
        formula=titled("mean of ln ‖", lambda _: [symbol("J", "t"), symbol("v", "t−1")], "‖"),
        checks=_exponent_checks,
        config=lambda at: at.lab.state.config_of(at.lab.state.curves[at.unit]),
        note=titled("The first quarter of the steps is left out."),
    ),
    "half_life": Entry(
        words="steps in which the norm halves or doubles in the long run",
        rows=lambda at: ([measured(at).found.steps], 0),
        code=lambda at: "half_life(r.cell, r.trace).steps",
        title=titled("steps"),
        formula=titled("log₁₀ 2 / |slope of the curve|"),
        checks=_half_life_checks,
        config=config_of,
    ),
}

MEASURED: Mapping[str, Entry] = MappingProxyType({**MATRIX, **CURVES, **LONG_RUN})
