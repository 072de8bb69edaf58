"""The gradient of an LSTM's cell state by path: norms, shares, and what another forget bias gives."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np
from rnnscope.core import Config, Run, cell_state_log10_norm, lstm_path_matrices, run, span_svd
from rnnscope.core.lstm_paths import PATHS as NAMES

from ...words import Phrase, phrase, symbol
from ..gradient_paths import BIASES, LAG, WORDS, longer, norm_at_lag
from .answer import OTHER_WAY, Asked, Check, Entry, check

NORM_WORDS = (
    "size of the gradient of the last cell state by that of step {t}",
    "product of the forget gates from step {t} to the last, its largest unit,",
    "Jacobian norm of a tanh RNN of the same size, seed, radius and input, from step {t}",
    "Jacobian norm of h and c as one, from step {t} to the last",
)
NORM_CODE = (
    "lstm_paths(r.cell, r.trace).true[{t}]",
    'lstm_paths(r.cell, r.trace).paths["kept"][{t}]',
    "jacobian_log10_norms(r.cell, r.trace, t={T})[{t}]",
    "jacobian_log10_norms(r.cell, r.trace, t={T})[{t}]",
)
NORM_CHECKS = (
    "From the Jacobian of the whole state",
    "Sum of the logarithms of the gates",
    "SVD of the product of Jacobians, log₁₀",
    "SVD of the product of Jacobians, log₁₀",
)


def _plain(asked: Asked) -> Run:
    """The card shows the run without surgery."""
    found: Run = asked.lab.untouched
    return found


def _split(asked: Asked) -> Any:
    return asked.lab.paths.split()


# --- norms -----------------------------------------------------------------------------------


def _letters(asked: Asked) -> Phrase:
    T, t = str(_plain(asked).trace.steps), str(asked.t)
    if asked.unit == 1:
        return phrase("max ∏ ", symbol("f"))
    letter = {0: "c", 2: "h"}.get(asked.unit, "s")
    return phrase("‖∂", symbol(letter, T), "/∂", symbol(letter, t), "‖")


def _config(asked: Asked) -> Config:
    found: Config = asked.lab.state.rnn_config() if asked.unit == 2 else _plain(asked).config
    return found


def span_log10(cell: Any, trace: Any, k: int, t: int) -> float:
    """log10 of the largest singular value of the product of step Jacobians."""
    found = span_svd(cell, trace, k, t)
    top = float(found.values[0])
    return math.log10(top) + found.exponent * math.log10(2) if top > 0 else -math.inf


def _other_norm(asked: Asked) -> float:
    plain, t = _plain(asked), asked.t
    T = plain.trace.steps
    if asked.unit == 0:
        return cell_state_log10_norm(plain.cell, plain.trace, T, t)  # type: ignore[arg-type]
    if asked.unit == 1:
        with np.errstate(divide="ignore"):
            return float(np.log10(plain.trace.gates["f"][t:]).sum(axis=0).max())
    found = run(asked.lab.state.rnn_config()) if asked.unit == 2 else plain
    return span_log10(found.cell, found.trace, t, T)


def _norm_checks(asked: Asked, value: float) -> list[Check]:
    return [check(NORM_CHECKS[asked.unit], _other_norm(asked), value, "other", OTHER_WAY)]


# --- shares ----------------------------------------------------------------------------------


def _share_words(asked: Asked) -> str:
    name = NAMES[asked.unit]
    way = WORDS[name] if name == "kept" else f"through h into {WORDS[name]}"
    return f"share of the path {way} in the gradient of the last cell state by that of step {asked.t}"


def _share_checks(asked: Asked, value: float) -> list[Check]:
    plain = _plain(asked)
    found = lstm_path_matrices(plain.cell, plain.trace, asked.t)  # type: ignore[arg-type]
    whole = float((found.true * found.true).sum())
    part = float((found.paths[NAMES[asked.unit]] * found.true).sum())
    words = "From the matrices of the paths"
    return [check(words, part / whole if whole else math.nan, value, "other", OTHER_WAY)]


# --- another forget bias ---------------------------------------------------------------------


def _bias_rows(asked: Asked) -> tuple[Any, int]:
    config = asked.lab.state.config()
    logs = [norm_at_lag(longer(config), bias) for bias in BIASES]
    return [[_power(log) for log in logs]], LAG


def _power(log10: float) -> float:
    return 10.0**log10 if abs(log10) < 300 else math.inf if log10 > 0 else 0.0


def _bias_config(asked: Asked) -> Config:
    return replace(longer(asked.lab.state.config()), forget_bias=BIASES[asked.unit])


def _bias_code(asked: Asked) -> str:
    T = _bias_config(asked).T
    return f"10.0 ** cell_state_log10_norm(r.cell, r.trace, {T}, {T - LAG})"


def _bias_checks(asked: Asked, value: float) -> list[Check]:
    """The (c, c) block of the Jacobians multiplied out."""
    found, n = run(_bias_config(asked)), asked.cell.hidden_size
    product = np.eye(2 * n)
    for t in range(found.trace.steps - LAG, found.trace.steps):
        product = np.asarray(found.cell.jacobian(found.trace.xs[t], found.trace.states[t])) @ product
    other = float(np.linalg.norm(product[n:, n:], 2))
    return [check("Jacobians multiplied out", other, value, "other", OTHER_WAY)]


PATHS: Mapping[str, Entry] = MappingProxyType(
    {
        "dc_log10": Entry(
            words=lambda at: NORM_WORDS[at.unit].format(t=at.t) + " as a power of ten",
            rows=lambda at: (_split(at).norms, 0),
            code=lambda at: NORM_CODE[at.unit].format(t=at.t, T=_plain(at).trace.steps),
            title=lambda at: phrase("log₁₀ ", *_letters(at)),
            checks=_norm_checks,
            config=_config,
            note=lambda _: phrase("Of the run without surgery. All norms are spectral."),
        ),
        "path_share": Entry(
            words=_share_words,
            rows=lambda at: (_split(at).shares, 0),
            code=lambda at: f'lstm_paths(r.cell, r.trace).shares["{NAMES[at.unit]}"][{at.t}]',
            title=lambda _: phrase("⟨", symbol("P"), ", ", symbol("J"), "⟩ / ⟨", symbol("J"), ", ", symbol("J"), "⟩"),
            formula=lambda _: phrase("the sum of ", symbol("P"), " · ", symbol("J"), " over all entries"),
            checks=_share_checks,
            note=lambda _: phrase("Of the run without surgery. The five shares add up to 1."),
        ),
        "bias_norm": Entry(
            words=lambda at: f"gradient of the cell state {LAG} steps back, with forget bias {BIASES[at.unit]:g}",
            rows=_bias_rows,
            code=_bias_code,
            title=lambda at: phrase(
                "‖∂", symbol("c", str(_bias_config(at).T)), "/∂", symbol("c", str(_bias_config(at).T - LAG)), "‖"
            ),
            checks=_bias_checks,
            config=_bias_config,
            note=lambda _: phrase("All else is as on this page, without surgery."),
        ),
    }
)
