"""Jacobian norm against lag as plain data: measured curves, bound, folk law, and where their names stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np
from rnnscope.core import Decay, HalfLife, Parting, format_number

from .. import theme
from .chart import Chart, Series, decade_ticks, round_ticks


class Curve(Protocol):
    """What of a measured cell is drawn."""

    name: str
    found: HalfLife
    exponent: float
    decay: Decay | None
    parting: Parting | None


#: Cell -> its colour, its mark, its name and where along its visible stretch the name stands.
CELLS = {
    "rnn": ("gradient", "circle", "RNN", 0.3),
    "lstm": ("cell", "square", "LSTM", 0.52),
    "gru": ("gate", "triangle", "GRU", 0.74),
}
#: The RNN's two lines: colour, name, place, and the same marks as in the design language.
LINES = {"bound": ("ink2", "bound", 0.85, "dashed"), "folk": ("hidden", "folk law", 0.8, "dotted")}


def curve_symbol(cell: str) -> str:
    """What the readouts of a cell's curve are called."""
    return "jacobian_log10_norm" if cell == "rnn" else f"jacobian_log10_norm_{cell}"


def decay_chart(curves: Sequence[Curve], lag: int) -> Chart:
    """Every curve over lag k = 0 … T, as log10 of its norm; `lag` is the selected one."""
    low, high = decades(curves)
    last = max(len(curve.found.curve) for curve in curves) - 1
    place = parting_place(curves)
    parted = [_parted(place)] if place else []
    return Chart(
        title="Jacobian norm against lag", x_label="lag k (steps back in time)", y_label="norm of the Jacobian",
        series=(*drawn_lines(curves, (low, high)), *parted), x_range=(0, last), y_range=(low, high),
        x_ticks=round_ticks(0, last), y_ticks=tuple(map(float, decade_ticks(low, high))), y_log10=True,
        across=(0.0,), cursor=lag,
    )  # fmt: skip


def drawn_lines(curves: Sequence[Curve], heights: tuple[float, float]) -> list[Series]:
    """Every line, with its name at a place of its own so that curves which coincide keep their names.

    Right below a curve that rises and right above one that falls there is room.
    """
    return [line for curve in curves for line in _lines(curve, heights)] + _laws(curves, heights)


def _lines(curve: Curve, heights: tuple[float, float]) -> Iterator[Series]:
    role, mark, name, share = CELLS[curve.name]
    label = f"{name}, λ₁ = {format_number(curve.exponent)}"
    yield _line(curve.found.curve, heights, share, name=name, role=role, mark=mark, label=label,
                symbol=curve_symbol(curve.name))  # fmt: skip


def _laws(curves: Sequence[Curve], heights: tuple[float, float]) -> list[Series]:
    """The bound and the folk law of the RNN, where it is drawn."""
    law = next((curve.decay for curve in curves if curve.decay is not None), None)
    return [
        _line(getattr(law, key), heights, share, name=name, role=role, line=line, label=name, symbol=f"{key}_log10")
        for key, (role, name, share, line) in LINES.items()
        if law is not None
    ]


def _line(values: np.ndarray, heights: tuple[float, float], share: float, **looks: str) -> Series:
    at = _place(values, *heights, share)
    return Series(x=np.arange(len(values)), y=finite_or_nan(values), at=at, below=bool(values[-1] > values[0]), **looks)  # type: ignore[arg-type]


def _place(curve: np.ndarray, low: float, high: float, share: float) -> int:
    """A lag at `share` of the stretch over which the curve is on the plot."""
    seen = np.flatnonzero((curve > low) & (curve < high))
    return int(seen[int(share * (len(seen) - 1))])


def _parted(place: tuple[int, float]) -> Series:
    x, y = np.array(place[:1]), np.array(place[1:])
    return Series("leaves the folk law", x, y, "gradient", line="", mark="open_diamond")


def parting_place(curves: Sequence[Curve]) -> tuple[int, float] | None:
    """Where the RNN's curve leaves the folk law: lag and height."""
    rnn = next((curve for curve in curves if curve.name == "rnn"), None)
    if rnn is None or rnn.parting is None or not np.isfinite(height := float(rnn.found.curve[rnn.parting.lag])):
        return None
    return rnn.parting.lag, height


def decades(curves: Sequence[Curve]) -> tuple[int, int]:
    """A fixed range of log10 norms that changes in steps."""
    finite = np.concatenate([curve.found.curve[np.isfinite(curve.found.curve)] for curve in curves])
    return theme.nice_decades(float(finite.min()), float(finite.max()))


def finite_or_nan(curve: np.ndarray) -> np.ndarray:
    """log10 of an exact 0 has no place on the axis: the line ends there, and the summary says so."""
    return np.where(np.isfinite(curve), curve, np.nan)
