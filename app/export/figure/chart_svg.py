"""A `Chart` as SVG elements: axes, curves with their marks and names, the cursor; in the classes of the pages."""

from __future__ import annotations

from itertools import pairwise
from xml.etree.ElementTree import Element

import numpy as np
from rnnscope.core import format_number

from ...plots.chart import STANDING, Chart, Series, tick_text
from ...words import LARGEST_POWER
from .chart_layout import LABEL, NAME, TICK, TITLE, Box, Name, Point, box_of, curve_names, end_names
from .drawn import element, written
from .lettering import text_line

#: Line -> dash, width and caps.
LINES = {
    "solid": {"stroke_width": 2.0},
    "dashed": {"stroke_width": 2.0, "stroke_dasharray": "8 5"},
    "dotted": {"stroke_width": 2.5, "stroke_dasharray": "0.5 5.5", "stroke_linecap": "round"},
}
#: Marks of a curve stand no nearer than this, so that they are told apart.
MARKS_APART = 7.0
NEUTRAL = ("ink", "ink2", "ink3", "control", "wire")


def chart_size(chart: Chart, variant: str) -> tuple[float, float]:
    """Width and height of a chart's picture."""
    _, width, height = box_of(chart, variant)
    return width, height


def draw_chart(chart: Chart, variant: str, parent: Element) -> None:
    """The chart in a group of class `fig`."""
    box, _, _ = box_of(chart, variant)
    figure = element(parent, "g", style="fig")
    _title(chart, figure)
    _axes(box, figure)
    _circles(box, figure)
    if chart.cursor is not None and chart.x_range[0] <= chart.cursor <= chart.x_range[1]:
        element(figure, "path", style="tline", d=f"M{_at(box.x(chart.cursor), box.top)}V{written(box.bottom)}")
    for series in chart.series:
        _series(box, series, figure)
    _names(box, figure)


def _title(chart: Chart, figure: Element) -> None:
    text_line(figure, 0, 15, heading(chart.title), TITLE, "b")
    if chart.y_label != chart.title:
        text_line(figure, 0, 40, chart.y_label, LABEL, "ink2")


def heading(title: str) -> str:
    """A title begins with a capital."""
    return title[:1].upper() + title[1:]


# --- axes ------------------------------------------------------------------------------------


def _axes(box: Box, figure: Element) -> None:
    chart = box.chart
    for tick in chart.y_ticks:
        y = box.y(tick)
        element(figure, "path", style="gridl", d=f"M{_at(box.left, y)}H{written(box.right)}")
        _tick_text(figure, (box.left - 8, y + 4.2), tick, chart.y_log10, "end")
    for tick in chart.x_ticks:
        x = box.x(tick)
        element(figure, "path", style="axis", d=f"M{_at(x, box.bottom)}v5")
        _tick_text(figure, (x, box.bottom + 19), tick, chart.x_log10, "middle")
    for value in chart.across:
        element(figure, "path", style="axis", d=f"M{_at(box.left, box.y(value))}H{written(box.right)}")
    for value in chart.down:
        element(figure, "path", style="axis", d=f"M{_at(box.x(value), box.top)}V{written(box.bottom)}")
    element(figure, "path", style="axis", d=f"M{_at(box.left, box.bottom)}H{written(box.right)}")
    text_line(figure, box.right, box.bottom + 40, chart.x_label, LABEL, "ink2", "end")


def _tick_text(figure: Element, place: Point, tick: float, log10: bool, anchor: str) -> None:
    """A tick's number."""
    text_line(figure, *place, tick_text(tick, log10), TICK, "ink2", anchor)


def _circles(box: Box, figure: Element) -> None:
    """The unit circle, and others about the origin."""
    unit = box.width / (box.chart.x_range[1] - box.chart.x_range[0])
    for radius in sorted(box.chart.circles, reverse=True):
        style = "unit-circle" if radius == 1 else "radius-circle"
        element(figure, "circle", style=style, cx=box.x(0.0), cy=box.y(0.0), r=radius * unit)


# --- series ----------------------------------------------------------------------------------


def _series(box: Box, series: Series, figure: Element) -> None:
    group, colour = element(figure, "g"), colour_of(series.role)
    if series.line in STANDING:
        _standing(box, series, group, colour)
    elif series.line:
        path = curve_path(box, series)
        element(group, "path", d=path, fill="none", stroke=colour, stroke_linejoin="round", **LINES[series.line])
    points = box.points(series)
    for x, y, i in points if series.mark and series.line != "bars" else ():
        if i % _every(box, series) == 0 or i == points[-1][2]:
            _mark(box, series, group, (x, y, i))
    _here(box, series, group, colour)


def colour_of(role: str) -> str:
    """The stroke of a role or a neutral."""
    return f"var(--{role.replace('_', '-')})"


def curve_path(box: Box, series: Series) -> str:
    """The curve within the box, interrupted where there is no number."""
    places = [(box.x(float(x)), box.y(float(y))) for x, y in zip(series.x, series.y, strict=True)]
    pieces = [_clipped(box, one, two) for one, two in pairwise(places)]
    path, last = "", None
    for piece in pieces:
        if piece is None:
            last = None
            continue
        path += f"{'' if piece[0] == last else 'M' + _at(*piece[0])}L{_at(*piece[1])}"
        last = piece[1]
    return path


def _clipped(box: Box, one: Point, two: Point) -> tuple[Point, Point] | None:
    """The part of a line that is between the top and the bottom of the box."""
    if not np.isfinite([*one, *two]).all():
        return None
    ends = []
    for start, end in ((one, two), (two, one)):
        y = min(max(start[1], box.top), box.bottom)
        share = 0.0 if end[1] == start[1] else (y - start[1]) / (end[1] - start[1])
        if not 0 <= share <= 1 or (end[1] == start[1] and y != start[1]):
            return None
        ends.append((start[0] + share * (end[0] - start[0]), y))
    return ends[0], ends[1]


def _every(box: Box, series: Series) -> int:
    """Of marks that would touch each other only every so many are drawn."""
    apart = box.width / max(1, len(series.x) - 1)
    return 1 if series.line in STANDING or not series.line else max(1, int(np.ceil(MARKS_APART / apart)))


def _standing(box: Box, series: Series, group: Element, colour: str) -> None:
    """Stems or bars on 0."""
    foot, step = box.y(0.0), box.width / max(1, len(series.x))
    for x, y, _ in box.points(series):
        if series.line == "bars":
            wide = min(28.0, 0.7 * step)
            element(group, "rect", x=x - wide / 2, y=min(y, foot), width=wide, height=abs(foot - y), fill=colour)
        else:
            path = f"M{_at(x, foot)}V{written(y)}"
            element(group, "path", d=path, fill="none", stroke=colour, stroke_width=min(3.0, max(1.0, 0.3 * step)))


def _mark(box: Box, series: Series, group: Element, point: tuple[float, float, int]) -> None:
    """A point of a series, with the number that it stands for."""
    x, y, i = point
    roomy = len(series.x) <= 40
    size = 6.5 if series.mark == "open_diamond" else 3.4 if roomy else 2.4
    marks = {"data_symbol": series.symbol, "data_x": repr(float(series.x[i])), "data_value": repr(float(series.y[i]))}
    looks = {"fill": colour_of(series.role), "stroke": None}
    if series.mark == "open_diamond":
        looks = {"fill": "var(--surface)", "stroke": colour_of(series.role), "stroke_width": "2"}
    shape(group, series.mark, x, y, size, **looks, **(marks if series.symbol else {}))


def shape(group: Element, mark: str, x: float, y: float, size: float, **looks: str | None) -> None:
    """A mark of one of the kinds that a chart knows; circle and square of the same area."""
    if mark == "circle":
        element(group, "circle", cx=x, cy=y, r=size, **looks)
        return
    a = round(size * 0.89 if mark == "square" else size * 1.25, 2)
    outline = {
        "square": f"m{-a} {-a}h{2 * a}v{2 * a}h{-2 * a}z", "triangle": f"m0 {-a}l{a} {1.8 * a:.2f}h{-2 * a}z",
        "inverted_triangle": f"m0 {a}l{a} {-1.8 * a:.2f}h{-2 * a}z",
    }.get(mark, f"m0 {-a}l{a} {a}l{-a} {a}l{-a} {-a}z")  # fmt: skip
    element(group, "path", d=f"M{_at(x, y)}{outline}", **looks)


def _here(box: Box, series: Series, group: Element, colour: str) -> None:
    """An open circle on the curve at the cursor."""
    if series.line in ("", *STANDING) or box.chart.cursor is None:
        return
    for x, y, i in box.points(series):
        if series.x[i] == box.chart.cursor:
            element(group, "circle", cx=x, cy=y, r=5.5, fill="var(--surface)", stroke=colour, stroke_width=2)


# --- names -----------------------------------------------------------------------------------


def _names(box: Box, figure: Element) -> None:
    """Names on the curves over a ground that keeps them legible, and names beside the ends of curves."""
    on, beside = curve_names(box), end_names(box)
    for name in on:
        place = {"x": name.x - 3, "y": name.y - 9, "width": name.width + 6, "height": 18, "rx": 4}
        element(figure, "rect", fill="var(--surface)", fill_opacity=0.85, **place)
    for name in beside:
        _sample(name, figure)
    for name in (*on, *beside):
        style = "ink2" if name.series.role in NEUTRAL else f"rt r-{name.series.role}"
        text_line(figure, name.x, name.y + 4.4, name.text, NAME, style)


def _sample(name: Name, figure: Element) -> None:
    """A piece of the curve with its mark before its name, and the way to it from where the curve ends."""
    colour = colour_of(name.series.role)
    if name.point:
        (x, y), at = name.point, name.x - 29
        element(figure, "path", d=f"M{_at(x + 6, y)}L{_at(at, name.y)}", fill="none", stroke="var(--control)",
                stroke_width=0.75)  # fmt: skip
    path = f"M{_at(name.x - 27, name.y)}h20"
    element(figure, "path", d=path, fill="none", stroke=colour, **LINES[name.series.line])
    if name.series.mark:
        shape(figure, name.series.mark, name.x - 17, name.y, 3.4, fill=colour)


def _at(x: float, y: float) -> str:
    return f"{written(float(x))} {written(float(y))}"


# --- in words --------------------------------------------------------------------------------


def chart_words(chart: Chart) -> str:
    """What the chart shows, for who cannot see it: each curve by its first and last number."""
    said = [_said(chart, series) for series in chart.series]
    return f"{heading(chart.title)}: {chart.y_label} over {chart.x_label}. {' '.join(said)}".strip()


def _said(chart: Chart, series: Series) -> str:
    known = np.flatnonzero(np.isfinite(series.y))
    if not known.size:
        return f"{series.name}: no finite number."
    if not series.line and known.size > 1:
        return f"{series.name}: {known.size} points."
    ends = [_value_words(chart, series, int(i)) for i in (known[0], known[-1])]
    return f"{series.name}: {ends[0]}." if known.size == 1 else f"{series.name}: from {ends[0]} to {ends[1]}."


def _value_words(chart: Chart, series: Series, i: int) -> str:
    return f"{_number(float(series.y[i]), chart.y_log10)} at {_number(float(series.x[i]), chart.x_log10)}"


def _number(value: float, log10: bool) -> str:
    """A number; one that is given as log10 is said as itself, where a float64 holds it."""
    if log10 and abs(value) >= LARGEST_POWER:
        return f"10 to the power {format_number(value)}"
    value = 10.0**value if log10 else value
    return f"{value:.0f}" if abs(value) < 1000 and value == int(value) else format_number(value)
