"""The sentences of /gradients, each with the numbers that it speaks of."""

from __future__ import annotations

import math

import numpy as np
from rnnscope.core import BoundParting, Parting

from ..plots.decay_chart import curve_symbol
from ..words import Phrase, phrase, plain, power_readout, readout, symbol
from .measured import Measured

NAMES = {"rnn": "RNN", "lstm": "LSTM", "gru": "GRU"}
FOLK_WORDS = {"vanishing": "vanishes", "exploding": "explodes", "steady": "keeps its size"}
STATES = {"rnn": "h", "lstm": "(h, c)", "gru": "h"}
WITHOUT_LAW = " are not defined for a gated cell: a step is not φ′ times one matrix."


def sentence(shown: Measured) -> Phrase:
    """What becomes of the norm in the long run, and what the folk law would have said."""
    return phrase(*_long_run(shown), *_folk_says(shown))


def _long_run(shown: Measured) -> list[object]:
    found, name = shown.found, NAMES[shown.name]
    if found.gone_from is not None:
        return [plain(f"{name}: gone. ", strong=True), f"The norm is exactly 0 from lag {found.gone_from} on."]
    if found.kind == "steady":
        words = "In the long run the norm neither halves nor doubles within 200 steps."
        return [plain(f"{name}: steady. ", strong=True), words]
    verb = "halves" if found.kind == "vanishing" else "doubles"
    steps = readout(found.steps, "half_life")
    return [plain(f"{name}: {found.kind}. ", strong=True), f"In the long run the norm {verb} every ", steps, " steps."]


def _folk_says(shown: Measured) -> list[object]:
    """What ρ^k would have said, where it differs."""
    if shown.decay is None:
        return [" Bound and ", symbol("ρ", sup="k"), WITHOUT_LAW]
    found = shown.decay
    said = " says the same." if found.kind == found.folk_kind else f" says it {FOLK_WORDS[found.folk_kind]}."
    return [" The folk law ", symbol("ρ", sup="k"), said]


def summary(shown: Measured) -> Phrase:
    """The end of the selected cell's curve, beside the lines that it has."""
    last, end = shown.steps, readout(shown.found.curve[-1], curve_symbol(shown.name), shown.steps)
    start = (
        f"{NAMES[shown.name]}, Jacobian of the whole state {STATES[shown.name]}: at lag {last} log₁₀ of the norm is "
    )
    if shown.decay is None:
        return phrase(start, end, ".")
    return phrase(
        start, end, "; the bound allows ", readout(shown.decay.bound[-1], "bound_log10", last),
        ", the folk law says ", readout(shown.decay.folk[-1], "folk_log10", last), ".",
    )  # fmt: skip


def parts(shown: Measured) -> Phrase:
    """Where the measured curve leaves the folk law and the bound, and why."""
    if shown.decay is None:
        return []
    return phrase(*_law_parts(shown.parting, shown.steps), *_bound_parts(shown.bound_parting))


def _law_parts(found: Parting | None, steps: int) -> list[object]:
    if found is None:
        return [f"Within {steps} steps curve and folk law stay within a factor of ten of each other."]
    where = [plain(f"From lag {found.lag} on ", strong=True), "curve and folk law are more than a factor of ten apart"]
    return [*where, *_how_far(found), *(_not_normal(found) if found.reason == "non-normal" else _saturated(found))]


def _how_far(found: Parting) -> list[object]:
    if not math.isfinite(found.gap):
        return [" (one of them is exactly 0 there)"]
    times = power_readout(found.gap, "parting_factor", found.lag)
    return [" (the norm is ", times, " times ", symbol("ρ", sup="k"), " there)"]


def _saturated(found: Parting) -> list[object]:
    return [
        ": the slopes hold it down, the mean of ",
        symbol("φ"),
        "′ is ",
        readout(found.mean_slope, "mean_slope"),
        ".",
    ]


def _not_normal(found: Parting) -> list[object]:
    """W^k itself grows past ρ^k, whatever the slopes do."""
    peak = found.peak
    if peak is None or peak.lag == 0:
        return [": ", symbol("W"), " is not normal, its powers stay above ", symbol("ρ", sup="k"), "."]
    norm = power_readout(peak.log10, "transient_peak", peak.lag)
    return [": ", symbol("W"), " is not normal, ‖", symbol("W", sup="k"), "‖ peaks at ", norm, f" at lag {peak.lag}."]


def _bound_parts(found: BoundParting | None) -> list[object]:
    if found is None:
        return []
    why = "the slopes" if found.reason == "saturation" else "no direction is stretched again and again"
    return [f" The bound is ten times too high from lag {found.lag} on: {why}."]


def plane(shown: Measured) -> Phrase:
    outside = int(np.sum(np.abs(shown.eigenvalues) > 1 + 1e-12))
    of = f"{outside} of {len(shown.eigenvalues)} eigenvalues"
    blocks = f" of the {shown.blocks} blocks" if shown.blocks > 1 else ""
    return phrase(
        f"{of}{blocks} lie outside the unit circle; the largest modulus is ",
        readout(np.abs(shown.eigenvalues[0]), "rho"), ".",
    )  # fmt: skip


def stems(shown: Measured) -> Phrase:
    sigma = shown.singular_values
    above = int(np.sum(sigma > 1 + 1e-12))
    blocks = f" of the {shown.blocks} blocks" if shown.blocks > 1 else ""
    return phrase(
        f"{above} of {len(sigma)}{blocks} lie above 1, the line that keeps length; the largest, ", symbol("σ", "max"),
        ", is ", readout(sigma[0], "singular_value"), ".",
    )  # fmt: skip


def at_lag(shown: Measured, lag: int) -> list[list[Phrase]]:
    """The selected cell's norm at one lag, and the lines beside it."""
    rows = [(NAMES[shown.name], shown.found.curve, curve_symbol(shown.name))]
    if shown.decay is not None:
        rows += [("Bound", shown.decay.bound, "bound_log10"), ("Folk law", shown.decay.folk, "folk_log10")]
    return [[phrase(f"{name}, log₁₀"), [readout(curve[lag], key, lag, digits=5)]] for name, curve, key in rows]


def rates(cells: list[Measured]) -> list[list[Phrase]]:
    """The slope of every curve: its Lyapunov exponent per step, and the steps in which it halves or doubles."""
    return [
        [phrase(NAMES[shown.name]), phrase(readout(shown.exponent, "lyapunov", 0, place, digits=5), " per step")]
        for place, shown in enumerate(cells)
    ]
