"""A plot as plain data: what is drawn, not with what. Files, notebooks and static copies draw it each in their way.

The live pages draw their own figures; a test holds the two together. No Bokeh, no Panel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

#: Series that stand on 0.
STANDING = ("stems", "bars")
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True, eq=False)
class Series:
    """One curve, or one set of marks.

    Attributes
    ----------
    name : what a legend calls it
    symbol : of its readouts (`jacobian_log10_norm_rnn`); "" where a number has none
    x, y : (k,)
    role : of the design tokens: `gradient`, `hidden`, `ink2` …
    line : `solid`, `dashed`, `dotted`; "" for marks alone; `stems` and `bars` stand on 0
    mark : `circle`, `square`, `triangle`, `inverted_triangle`, `diamond`, `open_diamond`, or "" for none
    label : what is written beside it, if anything, at the index `at`, below the curve where `below`
    """

    name: str
    x: np.ndarray
    y: np.ndarray
    role: str
    line: str = "solid"
    mark: str = ""
    symbol: str = ""
    label: str = ""
    at: int = 0
    below: bool = False


@dataclass(frozen=True, eq=False)
class Chart:
    """Series over two axes.

    Attributes
    ----------
    x_range, y_range : first and last number of each axis
    x_ticks, y_ticks : numbers at which there is a tick
    x_log10, y_log10 : whether that axis holds log10 of what it says, so that a tick at 2 reads 10²
    across, down : constant y and x at which a thin line is drawn
    circles : radii of circles about the origin
    cursor : the selected x, if any
    equal : whether a unit is as long on both axes
    """

    title: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    x_range: tuple[float, float]
    y_range: tuple[float, float]
    x_ticks: tuple[float, ...]
    y_ticks: tuple[float, ...]
    x_log10: bool = False
    y_log10: bool = False
    across: tuple[float, ...] = ()
    down: tuple[float, ...] = ()
    circles: tuple[float, ...] = ()
    cursor: float | None = None
    equal: bool = False


@dataclass(frozen=True, eq=False)
class Matrix:
    """A table of numbers as coloured cells: `values` (rows, columns), the first row on top.

    NaN is no cell. `scale` is `sequential` or `diverging`, from `low` to `high`.
    """

    title: str
    x_label: str
    y_label: str
    values: np.ndarray
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    low: float
    high: float
    scale: str = "sequential"
    symbol: str = ""


Plot = Chart | Matrix


def tick_text(value: float, log10: bool) -> str:
    """What stands at a tick: 10⁻³ on an axis of log10, else the number as a person writes it."""
    if log10:
        return "10" + f"{value:g}".translate(_SUPERSCRIPT)
    return f"{value:g}".replace("-", "\N{MINUS SIGN}")


def decade_step(span: int) -> int:
    """Decades between ticks: a power of two, so that there are 5 to 9 of them whatever the span."""
    step = 1
    while span / step > 8:
        step *= 2
    return step


def decade_ticks(low: int, high: int) -> list[int]:
    """Whole decades that hit 0."""
    step = decade_step(high - low)
    return [decade for decade in range(low, high + 1) if decade % step == 0]


def round_ticks(low: float, high: float, most: int = 7) -> tuple[float, ...]:
    """Multiples of 1, 2 or 5 times a power of ten within the range, at most `most` of them."""
    span = high - low
    if not span > 0:
        return (low,)
    power = 10.0 ** np.floor(np.log10(span / most))
    step = next(power * m for m in (1, 2, 5, 10, 20) if span / (power * m) <= most - 1 + 1e-9)
    first, last = int(np.ceil(low / step - 1e-9)), int(np.floor(high / step + 1e-9))
    return tuple(float(f"{k * step:.12g}") for k in range(first, last + 1))


def padded(values: np.ndarray, share: float = 0.08) -> tuple[float, float]:
    """A range that holds every finite value, with room above and below; of a constant one unit around it."""
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    room = share * (high - low) or 0.5
    return low - room, high + room


def fitted(title: str, x_label: str, y_label: str, series: Sequence[Series], **looks: Any) -> Chart:
    """A chart whose ranges hold every finite number of its series, stems and bars with their foot at 0."""
    ys = [one.y for one in series] + [np.zeros(1) for one in series if one.line in STANDING]
    y_range = looks.pop("y_range", None) or padded(np.concatenate(ys))
    xs = np.concatenate([one.x for one in series])
    room = 0.5 if any(one.line in STANDING for one in series) else 0.0
    x_range = looks.pop("x_range", None) or (float(xs.min()) - room, float(xs.max()) + room)
    ticks = {"x_ticks": round_ticks(*x_range), "y_ticks": round_ticks(*y_range)} | looks
    return Chart(title, x_label, y_label, tuple(series), x_range, y_range, **ticks)


def over_steps(title: str, y_label: str, series: Sequence[Series], t: int, **looks: Any) -> Chart:
    """Quantities of a run over its steps, ticks at whole steps only; `t` is the selected one."""
    last = max(float(one.x.max()) for one in series)
    first = min(float(one.x.min()) for one in series)
    ticks = tuple(tick for tick in round_ticks(first, last) if tick == int(tick))
    return fitted(title, "step t", y_label, series, cursor=float(t), x_ticks=ticks, across=(0.0,), **looks)
