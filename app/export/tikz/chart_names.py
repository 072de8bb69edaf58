"""Where the names of curves stand: beside them, where they hide neither each other nor a curve."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...plots.chart import Chart, Series
from .picture import Picture
from .places import HEIGHT, WIDTH, coordinate
from .words import prose

#: In cm: a sign of a name, a line, and how far a name is from its place.
SIGN, LINE, GAP = 0.155, 0.38, 0.12
#: Sides that have room beside a curve that falls, and beside one that rises; the first is the page's.
SIDES = {False: ("above right", "below left"), True: ("below right", "above left")}
#: How much worse it is to hide a name, or to leave the plot, than to hide a point of a curve.
HIDDEN = 100


@dataclass(frozen=True)
class Box:
    """A name's box in cm from the plot's lower left corner."""

    left: float
    low: float
    right: float
    high: float

    def meets(self, other: Box) -> bool:
        across = self.left < other.right and other.left < self.right
        return across and self.low < other.high and other.low < self.high

    def holds(self, points: np.ndarray) -> int:
        """How many of some points (k, 2) are in it."""
        x, y = points.T
        return int(np.sum((x > self.left) & (x < self.right) & (y > self.low) & (y < self.high)))

    @property
    def leaves(self) -> bool:
        return self.left < 0 or self.low < 0 or self.right > WIDTH or self.high > HEIGHT


def write_names(picture: Picture, chart: Chart) -> None:
    """Each curve's name beside it."""
    named = [one for one in chart.series if one.label and np.isfinite(one.y[one.at])]
    if not named:
        return
    picture.group("Names beside the curves")
    picture.style("label of curve")
    ends = [one for one in named if one.x[one.at] >= chart.x_range[1]]
    places = {**dict(_beside([one for one in named if one not in ends], chart)), **dict(_past_the_end(ends, chart))}
    for one, side in (places[one.name] for one in named):
        tone = one.role if one.role.startswith("ink") else f"{one.role} text"
        at = f"(axis cs:{coordinate(one.x[one.at])},{coordinate(one.y[one.at])})"
        options = f"label of curve, {side}, text={tone}"
        picture.lines.append(rf"\node[{options}] at {at} {{{prose(one.label)}}};")


def _beside(series: Sequence[Series], chart: Chart) -> Iterator[tuple[str, tuple[Series, str]]]:
    """Of the places along the curve and the sides that have room the one that hides least, as near as can be."""
    points = np.vstack([_places(one, chart) for one in chart.series])
    taken: list[Box] = []
    for one in series:
        boxes = [(moved, side, _box(moved, side, chart)) for moved in _along(one, chart) for side in SIDES[one.below]]
        moved, side, box = min(boxes, key=lambda found: _hides(found[2], taken, points))
        taken.append(box)
        yield one.name, (moved, side)


def _along(one: Series, chart: Chart) -> list[Series]:
    """The series with its name at each point that is on the plot, the wanted one first, then by how far they are."""
    low, high = chart.y_range
    seen = [k for k, y in enumerate(one.y) if k == one.at or (low < y < high and one.x[k] < chart.x_range[1])]
    return [replace(one, at=k) for k in sorted(seen, key=lambda k: abs(k - one.at))]


def _hides(box: Box, taken: Sequence[Box], points: np.ndarray) -> int:
    return box.holds(points) + HIDDEN * (box.leaves + sum(box.meets(other) for other in taken))


def _places(one: Series, chart: Chart) -> np.ndarray:
    """The points of a series in cm, (k, 2)."""
    x = (np.asarray(one.x, float) - chart.x_range[0]) / (chart.x_range[1] - chart.x_range[0]) * WIDTH
    y = (np.asarray(one.y, float) - chart.y_range[0]) / (chart.y_range[1] - chart.y_range[0]) * HEIGHT
    return np.column_stack([x, y])


def _box(one: Series, side: str, chart: Chart) -> Box:
    x, y = _places(one, chart)[one.at]
    width = SIGN * len(one.label)
    left = x + GAP if side.endswith("right") else x - GAP - width
    low = y + GAP if side.startswith("above") else y - GAP - LINE
    return Box(left, low, left + width, low + LINE)


def _past_the_end(series: Sequence[Series], chart: Chart) -> Iterator[tuple[str, tuple[Series, str]]]:
    """Names at the end of the axis, lifted so that none lies on another."""
    free = -np.inf
    for one in sorted(series, key=lambda one: float(one.y[one.at])):
        place = float(_places(one, chart)[one.at, 1])
        free = max(place, free + LINE)
        lift = round((free - place) * 10, 1)
        yield one.name, (one, f"right, yshift={lift}mm" if lift else "right")
