"""Where a chart's parts stand: the box of its axes, its numbers in pixels, and its names where none covers another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...plots.chart import STANDING, Chart, Series, tick_text
from .lettering import text_width

Point = tuple[float, float]

TICK, LABEL, NAME, TITLE = 12.0, 12.5, 13.0, 15.0
#: Width and height of the axes' box; of a chart whose axes have the same unit, its side.
SIZES = {"wide": (600.0, 300.0), "compact": (250.0, 230.0)}
SIDES = {"wide": 340.0, "compact": 270.0}
ROW = 17.0
TOP, BOTTOM = 58.0, 52.0


@dataclass(frozen=True)
class Box:
    """The box of the axes within the picture, and the ranges that it spans."""

    left: float
    top: float
    width: float
    height: float
    chart: Chart

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height

    def x(self, value: float) -> float:
        low, high = self.chart.x_range
        return self.left + (value - low) / ((high - low) or 1.0) * self.width

    def y(self, value: float) -> float:
        low, high = self.chart.y_range
        return self.bottom - (value - low) / ((high - low) or 1.0) * self.height

    def points(self, series: Series) -> list[tuple[float, float, int]]:
        """The points of a series that are inside the box: x, y and the index of each."""
        low, high = self.chart.y_range
        return [
            (self.x(float(x)), self.y(float(y)), i)
            for i, (x, y) in enumerate(zip(series.x, series.y, strict=True))
            if np.isfinite(y) and low <= y <= high
        ]


@dataclass(frozen=True)
class Name:
    """A series' name: where it stands, and the end of its curve, where that is in the box."""

    series: Series
    text: str
    x: float
    y: float
    point: Point | None
    beside: bool = False

    @property
    def width(self) -> float:
        return text_width(self.text, NAME)

    def covers(self, other: Name) -> bool:
        """Whether two names would overlap."""
        apart = self.x + self.width < other.x - 4 or other.x + other.width < self.x - 4
        return not apart and abs(self.y - other.y) < ROW - 2


def box_of(chart: Chart, variant: str) -> tuple[Box, float, float]:
    """The axes' box of a chart, and the width and height of the whole picture."""
    width, height = (SIDES[variant], SIDES[variant]) if chart.equal else SIZES[variant]
    left = 14 + max([tick_width(tick, chart.y_log10) for tick in chart.y_ticks], default=20.0)
    right = max([text_width(name, NAME) + 46 for name in _end_names(chart)], default=16.0)
    box = Box(left, TOP, width, height, chart)
    return box, left + width + right, TOP + height + BOTTOM


def tick_width(tick: float, log10: bool) -> float:
    """How wide a tick's label is; an exponent is set smaller."""
    return text_width(tick_text(tick, log10), TICK) * (0.85 if log10 else 1.0)


def _end_names(chart: Chart) -> list[str]:
    """The names that stand right of the axes."""
    return [name_of(series) for series in chart.series if at_end(chart, series)]


def name_of(series: Series) -> str:
    """What is written beside a series."""
    return series.label or series.name


def at_end(chart: Chart, series: Series) -> bool:
    """Whether a name stands beside the end of its curve: of several that bring no place of their own."""
    if series.line in ("", *STANDING):
        return False
    return series.at == len(series.x) - 1 if series.label else len(chart.series) > 1


def end_names(box: Box) -> list[Name]:
    """Names beside the ends of their curves, moved apart as far as they need."""
    found = [_beside(box, series) for series in box.chart.series if at_end(box.chart, series)]
    return spread(sorted(found, key=lambda name: name.y), box.top + 6, box.bottom - 4)


def _beside(box: Box, series: Series) -> Name:
    """A name right of the axes, at the height at which its curve ends or leaves the box."""
    known = series.y[~np.isnan(series.y)]
    low, high = box.chart.y_range
    end = float(np.clip(known[-1], low, high)) if known.size else low
    points = box.points(series)
    ends_here = bool(points) and points[-1][2] == len(series.x) - 1
    place = points[-1][:2] if ends_here else None
    return Name(series, name_of(series), box.right + 40, box.y(end), place, beside=True)


def spread(names: list[Name], top: float, bottom: float) -> list[Name]:
    """Names from the top down, no two nearer than a row, as near to their ends as that allows."""
    heights = [name.y for name in names]
    for _ in range(40):
        for i in range(1, len(heights)):
            lack = ROW - (heights[i] - heights[i - 1])
            if lack > 0:
                heights[i - 1], heights[i] = heights[i - 1] - lack / 2, heights[i] + lack / 2
        heights = _held(heights, top, bottom)
    return [replace(name, y=y) for name, y in zip(names, heights, strict=True)]


def _held(heights: list[float], top: float, bottom: float) -> list[float]:
    """The same heights between the first and the last row that there is room for."""
    last = len(heights) - 1
    return [min(max(y, top + i * ROW), bottom - (last - i) * ROW) for i, y in enumerate(heights)]


def curve_names(box: Box) -> list[Name]:
    """Names on the curves that bring a place for them; each steps aside for those before it."""
    placed: list[Name] = []
    for series in box.chart.series:
        if series.label and not at_end(box.chart, series):
            placed.append(_free(box, series, placed))
    return placed


def _free(box: Box, series: Series, placed: Sequence[Name]) -> Name:
    """The first place of a series' name that covers no other name and no curve; else the one that covers least."""
    places = list(_places(box, series))
    curves = [(x, y) for other in box.chart.series for x, y, _ in box.points(other)]

    def cost(name: Name) -> float:
        far = abs(name.y - name.point[1]) / 20 if name.point else 0.0
        hidden = sum(1 for x, y in curves if name.x - 3 < x < name.x + name.width + 3 and abs(y - name.y) < 9)
        return 1000 * sum(name.covers(other) for other in placed) + 2 * hidden + far

    return min(places, key=cost)


def _places(box: Box, series: Series) -> Iterator[Name]:
    """Where a name may stand: at its point, then further along the curve, on either side."""
    points = box.points(series) or [(box.left, box.y(box.chart.y_range[0]), 0)]
    start = min(range(len(points)), key=lambda k: abs(points[k][2] - series.at))
    width = text_width(name_of(series), NAME)
    for step in sorted(range(-start, len(points) - start), key=abs):
        x, y, _ = points[start + step]
        for side in (13.0, -13.0, 30.0, -30.0) if series.below else (-13.0, 13.0, -30.0, 30.0):
            left = min(x + 8, box.right - width - 2)
            height = min(max(y + side, box.top + 9), box.bottom - 9)
            yield Name(series, name_of(series), left, height, (x, y))
