"""A chart as an axis of pgfplots. Axes of log10 hold log10 values, so that TeX never meets 1e-300."""

from __future__ import annotations

from dataclasses import replace

from ...plots.chart import Chart, Series
from .chart_names import write_names
from .picture import Picture
from .places import HEIGHT, SQUARE, WIDTH, coordinate
from .words import comment, prose

LINES = {
    "solid": "solid",
    "dashed": "dashed",
    "dotted": "densely dotted",
    "stems": "ycomb",
    "bars": "ybar, bar width=5mm",
}
MARKS = {
    "circle": "*", "square": "square*", "triangle": "triangle*", "inverted_triangle": "triangle*",
    "diamond": "diamond*", "open_diamond": "diamond",
}  # fmt: skip
#: A diamond is as easily seen as a circle only where it is larger; the open one marks a place.
LARGER = {"diamond": 2.6, "open_diamond": 3}
#: So many marks a curve are told apart; of a longer one every few points have theirs.
MOST_MARKS = 25
#: Coordinates a line of the file.
A_LINE = 6


def chart_picture(chart: Chart) -> Picture:
    """The axis with its series, its thin lines under them and their names beside them, or else in a legend."""
    chart = replace(chart, x_range=_some(chart.x_range), y_range=_some(chart.y_range))
    picture = Picture(plotted=True)
    legend = len(chart.series) > 1 and not any(one.label for one in chart.series)
    picture.lines += [r"\begin{axis}[", *(f"  {option}," for option in _options(chart, legend)), "]"]
    _thin_lines(picture, chart)
    for one in chart.series:
        _series(picture, one, legend)
    write_names(picture, chart)
    picture.lines.append(r"\end{axis}")
    return picture


def _some(ends: tuple[float, float]) -> tuple[float, float]:
    """A range that is none, of a run of one step, with room about its only place."""
    low, high = ends
    return ends if low < high else (low - 0.5, high + 0.5)


def _options(chart: Chart, legend: bool) -> list[str]:
    width, height = (SQUARE, SQUARE) if chart.equal else (WIDTH, HEIGHT)
    size = [f"width={width}cm", f"height={height}cm", "axis equal image" if chart.equal else "scale only axis"]
    options = [*size, f"title={{{prose(chart.title)}}}", *_axis("x", chart), *_axis("y", chart)]
    looks = ["axis lines=left", "axis line style={-, draw=control}", "tick align=outside", "tick style={draw=control}"]
    looks += ["ymajorgrids", "grid style={draw=grid}", "clip mode=individual", "unbounded coords=jump"]
    looks += ["scaled ticks=false", "tick label style={font=\\small, /pgf/number format/fixed}"]
    looks += [f"title style={{at={{(0.5,1)}}, above={8 if legend else 2}mm, font=\\bfseries}}"]
    keys = "at={(0.5,1.02)}, anchor=south, draw=none, fill=none, font=\\small, legend columns=-1"
    spaced = "/tikz/every even column/.append style={column sep=3mm}"
    return [*options, *looks, *([f"legend style={{{keys}, {spaced}}}"] if legend else [])]


def _axis(axis: str, chart: Chart) -> list[str]:
    label, (low, high) = getattr(chart, f"{axis}_label"), getattr(chart, f"{axis}_range")
    ticks, log10 = getattr(chart, f"{axis}_ticks"), getattr(chart, f"{axis}_log10")
    texts = ", ".join(_tick(tick, log10) for tick in ticks)
    return [
        f"xlabel={{{prose(label)}}}".replace("xlabel", f"{axis}label"),
        f"{axis}min={coordinate(low)}, {axis}max={coordinate(high)}",
        f"{axis}tick={{{', '.join(coordinate(tick) for tick in ticks)}}}",
        f"{axis}ticklabels={{{texts}}}",
    ]


def _tick(value: float, log10: bool) -> str:
    """What stands at a tick: a power of ten on an axis of log10."""
    if log10:
        return f"$10^{{{value:g}}}$"
    mantissa, power, exponent = f"{value:g}".partition("e")
    return rf"${mantissa} \cdot 10^{{{int(exponent)}}}$" if power else f"${mantissa}$"


def _thin_lines(picture: Picture, chart: Chart) -> None:
    if chart.across or chart.down or chart.circles or chart.cursor is not None:
        picture.group("Thin lines")
    for y in chart.across:
        picture.draw("guide", f"({{axis cs:{coordinate(chart.x_range[0])},{coordinate(y)}}}) -- "
                              f"({{axis cs:{coordinate(chart.x_range[1])},{coordinate(y)}}})")  # fmt: skip
    for x in chart.down:
        _down(picture, "guide", x, chart)
    for radius in chart.circles:
        picture.draw("guide", f"(axis cs:0,0) circle[radius={coordinate(radius)}]")
    if chart.cursor is not None:
        _down(picture, "cursor", chart.cursor, chart)


def _down(picture: Picture, style: str, x: float, chart: Chart) -> None:
    low, high = (coordinate(end) for end in chart.y_range)
    picture.draw(style, f"({{axis cs:{coordinate(x)},{low}}}) -- ({{axis cs:{coordinate(x)},{high}}})")


def _series(picture: Picture, one: Series, legend: bool) -> None:
    picture.group(comment(one.name[:1].upper() + one.name[1:]))
    picture.style("curve")
    options = ", ".join(["curve", *_looks(one)])
    points = [f"({coordinate(x)}, {coordinate(y)})" for x, y in zip(one.x, one.y, strict=True)]
    rows = [" ".join(points[start : start + A_LINE]) for start in range(0, len(points), A_LINE)]
    picture.lines += [rf"\addplot[{options}] coordinates {{", *(f"  {row}" for row in rows), "};"]
    if legend:
        picture.lines.append(rf"\addlegendentry{{{prose(one.name)}}}")


def _looks(one: Series) -> list[str]:
    looks = [f"color={one.role}", LINES[one.line] if one.line else "only marks"]
    looks += [f"fill={one.role} fill"] if one.line == "bars" else []
    if not one.mark:
        return [*looks, "no markers"]
    turned = ["mark options={solid, rotate=180}"] if one.mark == "inverted_triangle" else ["mark options={solid}"]
    many = len(one.x) > MOST_MARKS and one.line in ("solid", "dashed", "dotted")
    every = [f"mark repeat={-(-len(one.x) // MOST_MARKS)}"] if many else []
    large = [f"mark size={LARGER[one.mark]}pt"] if one.mark in LARGER else []
    return [*looks, f"mark={MARKS[one.mark]}", *turned, *every, *large]
