"""The same axes for every frame of a sweep, so that what moves is the curve and not the axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...plots.chart import Chart, Matrix, Series, decade_ticks, round_ticks
from .catalog import Figure

#: A shared axis this many times as long as most frames need would flatten them: the extremes of some frames are cut.
LONGEST, CUT = 2.0, 0.2


def with_shared_axes(figures: Sequence[Figure]) -> list[Figure]:
    """The same plots on shared axes, their names beside the ends of the curves, where they do not jump."""
    contents = [figure.content for figure in figures]
    charts = [plot for plot in contents if isinstance(plot, Chart)]
    matrices = [plot for plot in contents if isinstance(plot, Matrix)]
    shared: list[Any] = contents
    if charts:
        looks = _shared_ranges(charts)
        shared = [replace(chart, series=tuple(map(_named_at_end, chart.series)), **looks) for chart in charts]
    if matrices:
        ends = {"low": min(plot.low for plot in matrices), "high": max(plot.high for plot in matrices)}
        shared = [replace(plot, **ends) for plot in matrices]
    return [replace(figure, content=content) for figure, content in zip(figures, shared, strict=True)]


def _named_at_end(series: Series) -> Series:
    return replace(series, at=len(series.x) - 1)


def _shared_ranges(charts: Sequence[Chart]) -> dict[str, Any]:
    """Ranges and ticks of both axes; the ticks of an axis that does not change stay as they are."""
    looks: dict[str, Any] = {}
    for axis in ("x", "y"):
        log10 = getattr(charts[0], f"{axis}_log10")
        ranges = np.array([getattr(chart, f"{axis}_range") for chart in charts], dtype=float)
        shared = shared_range(ranges, log10)
        looks[f"{axis}_range"] = shared
        if (ranges != shared).any():
            looks[f"{axis}_ticks"] = _ticks(shared, log10, axis, charts)
    return looks


def shared_range(ranges: np.ndarray, log10: bool) -> tuple[float, float]:
    """A range that holds all of them (k, 2); of an axis of decades only most, where a few are far longer."""
    low, high = ranges[:, 0].min(), ranges[:, 1].max()
    usual = np.median(ranges[:, 1] - ranges[:, 0])
    if log10 and high - low > LONGEST * usual:
        low = np.quantile(ranges[:, 0], CUT, method="higher")
        high = np.quantile(ranges[:, 1], 1 - CUT, method="lower")
    return float(low), float(high)


def _ticks(shared: tuple[float, float], log10: bool, axis: str, charts: Sequence[Chart]) -> tuple[float, ...]:
    if log10:
        return tuple(float(tick) for tick in decade_ticks(int(np.ceil(shared[0])), int(np.floor(shared[1]))))
    whole = all(tick == int(tick) for chart in charts for tick in getattr(chart, f"{axis}_ticks"))
    return tuple(tick for tick in round_ticks(*shared) if not whole or tick == int(tick))
