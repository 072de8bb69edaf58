"""The numbers in the sentences of /gradients: where curve and law part and why, and what the presets claim."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from rnnscope.core import Parting

from ...words import LARGEST_POWER, phrase, symbol
from .answer import OTHER_WAY, Asked, Check, Entry, MissingError, check
from .loom import titled
from .measured import measured

PARTING = "parting(decay(r.cell, r.trace), r.cell, r.trace)"


def parted(asked: Asked) -> Parting:
    found = measured(asked).parting
    if found is None:
        raise MissingError("Curve and folk law do not part in this run.")
    return found


def _at(lag: int, value: float) -> tuple[Any, int]:
    return [value], lag


def _power(log10: float) -> float:
    return 10.0**log10 if abs(log10) < LARGEST_POWER else (math.inf if log10 > 0 else 0.0)


def _factor_checks(asked: Asked, value: float) -> list[Check]:
    found = measured(asked)
    norm, law = found.found.curve[asked.t], found.decay.folk[asked.t] if found.decay else math.nan
    other = 10.0**norm / 10.0**law if math.isfinite(law) and 10.0**law else math.inf
    return [check("Norm over law", other, value, "other", OTHER_WAY * max(1.0, abs(value)))]


def _mean_slope_checks(asked: Asked, value: float) -> list[Check]:
    lag, cell, trace = parted(asked).lag, asked.cell, asked.trace
    kinds = {
        "tanh": 1 - trace.hs[1:] ** 2,
        "relu": (trace.hs[1:] > 0).astype(float),
        "linear": np.ones_like(trace.hs[1:]),
    }
    return [check("From the states", float(kinds[cell.activation][trace.steps - lag :].mean()), value)]


def _peak_checks(asked: Asked, value: float) -> list[Check]:
    power = np.linalg.matrix_power(asked.cell.W_hh, asked.t)
    return [
        check("Norm of the power itself", float(np.linalg.norm(power, 2)), value, "other", OTHER_WAY * max(1.0, value))
    ]


def _peak_rows(asked: Asked) -> tuple[Any, int]:
    peak = parted(asked).peak
    if peak is None:
        raise MissingError("Not being normal does not explain anything here.")
    return _at(peak.lag, _power(peak.log10))


def _change_checks(asked: Asked, value: float) -> list[Check]:
    norms = [abs(math.expm1(log * math.log(10))) for log in measured(asked).found.curve]
    return [check("By expm1, which keeps the digits", max(norms), value)]


def _gate_checks(asked: Asked, value: float) -> list[Check]:
    kept = float(asked.trace.gates["f"][0, 0])
    return [check("What is left after as many steps, twice,", 2 * kept**value, 1.0, "other", OTHER_WAY)]


def _gate_rows(asked: Asked) -> tuple[Any, int]:
    if "f" not in asked.trace.gates:
        raise MissingError("This cell has no forget gate.")
    return [math.log(0.5) / math.log(asked.trace.gates["f"][0, 0])], 0


PARTED: Mapping[str, Entry] = MappingProxyType({
    "parting_factor": Entry(
        words=lambda at: f"norm over folk law, {at.t} steps back, where they part",
        rows=lambda at: _at(parted(at).lag, _power(parted(at).gap)),
        code=lambda _: f"10.0 ** {PARTING}.gap",
        title=titled("‖J … J‖ / ", lambda at: [symbol("ρ", None, str(at.t))]),
        checks=_factor_checks,
    ),
    "mean_slope": Entry(
        words="mean slope of the activation over the steps where curve and law have parted",
        rows=lambda at: ([parted(at).mean_slope], 0),
        code=lambda _: f"{PARTING}.mean_slope",
        title=titled("mean φ′"),
        checks=_mean_slope_checks,
    ),
    "transient_peak": Entry(
        words=lambda at: f"largest norm of a power of W, at power {at.t}",
        rows=_peak_rows,
        code=lambda _: f"10.0 ** {PARTING}.peak.log10",
        title=titled("‖", lambda at: [symbol("W", None, str(at.t))], "‖"),
        checks=_peak_checks,
    ),
    "length_change": Entry(
        words="by how much the norm leaves 1 over the run",
        rows=lambda at: _at(at.T, float(np.max(np.abs(10.0 ** measured(at).found.curve - 1)))),
        code=lambda at: f"np.max(np.abs(10.0 ** jacobian_log10_norms(r.cell, r.trace, t={at.T})[::-1] - 1))",
        title=titled("max |‖J … J‖ − 1|"),
        checks=_change_checks,
    ),
    "gate_half_life": Entry(
        words="steps in which the forget gate alone halves a gradient",
        rows=_gate_rows,
        code=lambda _: 'np.log(0.5) / np.log(r.trace.gates["f"][0, 0])',
        title=titled("steps"),
        formula=lambda _: phrase("ln ½ / ln ", symbol("f", "1")),
        checks=_gate_checks,
    ),
})  # fmt: skip
