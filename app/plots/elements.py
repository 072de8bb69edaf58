"""A plot as HoloViews elements, to compose and to restyle. HoloViews is loaded when it is asked for."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import theme
from .chart import STANDING, Chart, Matrix, Plot, Series, tick_text

MISSING = 'HoloViews is not installed: pip install "rnnscope[notebook]"'
#: Bokeh's words for our lines and marks.
DASHES = {"solid": "solid", "dashed": [8, 5], "dotted": [1, 5]}
MARKERS = {"open_diamond": "diamond"}
#: Rows or columns that are all named.
MOST_NAMES = 26
SIZE = {"width": 640, "height": 360}
#: A unit is as long across as up.
SQUARE = {"width": 360, "height": 360, "data_aspect": 1}


def load() -> Any:
    """HoloViews with its Bokeh backend.

    Raises
    ------
    ImportError
        Where HoloViews is not installed; says how to install it.
    """
    try:
        import holoviews as hv  # noqa: PLC0415  it takes a second, and most labs never need it
        import holoviews.plotting.bokeh  # noqa: PLC0415  registers the backend that `opts` names
    except ImportError as error:
        raise ImportError(MISSING) from error
    hv.Store.set_current_backend(hv.Store.current_backend)  # which tells hv.opts what it can style
    return hv


def element(plot: Plot, colors: str = "light") -> Any:
    """The elements of a plot in the colours of `light` or `dark`: an Overlay of its series, or an Image."""
    hv = load()
    return _overlay(hv, plot, colors) if isinstance(plot, Chart) else _map(hv, plot, colors)


# --- charts ----------------------------------------------------------------------------------


def _overlay(hv: Any, chart: Chart, colors: str) -> Any:
    """Thin lines and circles below, the series above them in their order."""
    x = hv.Dimension("x", label=_axis(chart.x_label, chart.x_log10), range=chart.x_range)
    y = hv.Dimension("y", label=_axis(chart.y_label, chart.y_log10), range=chart.y_range)
    ink, frame = theme.color(colors, "control"), _frame(chart)
    found = [_styled(hv.HLine(value), color=ink, line_width=1) for value in chart.across]
    found += [_styled(hv.VLine(value), color=ink, line_width=1) for value in chart.down]
    found += [_styled(hv.Ellipse(0, 0, 2 * radius), color=ink) for radius in chart.circles]
    if chart.cursor is not None:
        found.append(_styled(hv.VLine(chart.cursor), color=theme.color(colors, "band_edge"), line_width=1.5))
    for series in chart.series:
        drawn = _series(hv, series, x, y, theme.color(colors, series.role))
        # on the elements, not on the overlay: one that is composed with others is another overlay
        found += [_styled(one.relabel(series.name), **frame) for one in drawn]
    return _styled(hv.Overlay(found), legend_position="right")


def _frame(chart: Chart) -> dict[str, Any]:
    """Title, names, ranges and ticks; a legend where there is more than one series."""
    ticks = {
        f"{axis}ticks": [(value, tick_text(value, log10)) for value in values]
        for axis, values, log10 in (("x", chart.x_ticks, chart.x_log10), ("y", chart.y_ticks, chart.y_log10))
    }
    names = {"xlabel": _axis(chart.x_label, chart.x_log10), "ylabel": _axis(chart.y_label, chart.y_log10)}
    legend = {"show_legend": len(chart.series) > 1}
    ranges = {"xlim": chart.x_range, "ylim": chart.y_range}
    size = SQUARE if chart.equal else SIZE
    return {"title": chart.title, **names, **legend, **ranges, **ticks, **size}


def _axis(label: str, log10: bool) -> str:
    """On an axis of log10 a tick at 2 reads 10²; the numbers of the element are logarithms, as its name says."""
    return f"{label}, log₁₀" if log10 else label


def _series(hv: Any, series: Series, x: Any, y: Any, color: str) -> list[Any]:
    """A line, marks, or both; stems and bars stand on 0."""
    table = (series.x, np.where(np.isfinite(series.y), series.y, np.nan))
    if series.line == "bars":
        return [_styled(hv.Histogram((_edges(series.x), table[1]), kdims=x, vdims=y), fill_color=color)]
    found = []
    if series.line in STANDING:
        found.append(_styled(hv.Spikes(table, kdims=x, vdims=y), color=color, line_width=2))
    elif series.line:
        dash = DASHES[series.line]
        found.append(_styled(hv.Curve(table, kdims=x, vdims=y), color=color, line_dash=dash, line_width=2))
    if series.mark:
        filled = {"fill_color": None, "line_color": color} if series.mark.startswith("open") else {"color": color}
        marker = MARKERS.get(series.mark, series.mark)
        found.append(_styled(hv.Points(table, kdims=[x, y]), marker=marker, size=6, **filled))
    return found


def _edges(centres: np.ndarray) -> np.ndarray:
    """Sides of bars of width 1."""
    return np.append(centres - 0.5, centres[-1] + 0.5)


def _styled(one: Any, **style: Any) -> Any:
    return one.opts(backend="bokeh", **style)


# --- matrices --------------------------------------------------------------------------------


def _map(hv: Any, matrix: Matrix, colors: str) -> Any:
    """An image with a cell at every whole number, the first row, 1, on top; NaN is no cell."""
    rows, columns = matrix.values.shape
    x, y = hv.Dimension("x", label=matrix.x_label), hv.Dimension("y", label=matrix.y_label)
    z = hv.Dimension("z", label=matrix.symbol or "value", range=(matrix.low, matrix.high))
    bounds = (0.5, 0.5, columns + 0.5, rows + 0.5)
    image = hv.Image(matrix.values[::-1], bounds=bounds, kdims=[x, y], vdims=z)
    palette = theme.tokens()["color"]["dark" if colors == "dark" else "light"][matrix.scale]
    ticks = {"xticks": _named(matrix.columns), "yticks": _named(matrix.rows), "invert_yaxis": True}
    looks = {"cmap": palette, "clim": (matrix.low, matrix.high), "colorbar": True, "tools": ["hover"], **ticks}
    return image.opts(backend="bokeh", title=matrix.title, **looks, **SIZE)


def _named(names: tuple[str, ...]) -> list[tuple[int, str]]:
    """A tick with the name of every row or column, of many of every second, third, …"""
    every = math.ceil(len(names) / MOST_NAMES)
    return [(place + 1, names[place]) for place in range(0, len(names), every)]
