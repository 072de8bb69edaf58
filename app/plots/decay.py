"""Jacobian norm against lag: the true curve, its bound, and the folk law. Built once; `render` assigns data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from bokeh.models import (
    CDSView,
    ColumnDataSource,
    FixedTicker,
    Glyph,
    GlyphRenderer,
    HoverTool,
    Line,
    Range1d,
    Scatter,
    Span,
    Text,
)
from bokeh.plotting import figure

from .. import theme
from .chart import decade_ticks, tick_text
from .decay_chart import CELLS, LINES, Curve, decades, drawn_lines, finite_or_nan, parting_place

HEIGHT = 440
#: The same marks as in the design language: measured solid with marks, bound dashed, asymptote dotted.
BOUND_DASH = [8, 5]
FOLK_DASH = [1, 5]
#: A curve that waits for its answer.
DIMMED = 0.25
#: No selection here: the glyphs that Bokeh makes for it would be 16 models of every session.
NO_STATES = {"nonselection_glyph": None, "muted_glyph": None}


class DecayPlot:
    """A figure over lag k = 0 … T with a fixed range of log10 norms that changes in steps.

    `follow` shows the selected cell at once and dims what is not measured yet; `render` shows every cell. A cell's
    glyphs are built when it is first shown: those that follow at rest cost the start of a session nothing.
    """

    def __init__(self) -> None:
        self.theme = "light"
        self.shown: dict[str, Curve] = {}
        self.sources: dict[str, ColumnDataSource] = {}
        self.curves: dict[str, GlyphRenderer] = {}
        self.dots: dict[str, GlyphRenderer] = {}
        self.lines: dict[str, GlyphRenderer] = {}
        self.names = ColumnDataSource({"lag": [], "height": [], "below": [], "name": [], "color": []})
        self.partings = ColumnDataSource({"lag": [], "height": []})
        self.figure = figure(
            height=HEIGHT, sizing_mode="stretch_width", toolbar_location=None, min_border_right=12,
            x_range=Range1d(0, 1), y_range=Range1d(-3, 3), tools="",
        )  # fmt: skip
        self.one = Span(location=0, dimension="width", line_width=1)
        self.figure.add_layout(self.one)
        self._set_axes()
        self._build("rnn")
        self.cursor = Span(location=0, dimension="height", line_width=1.5)
        self.figure.add_layout(self.cursor)
        self.marks = self.figure.add_glyph(self.partings, _parting_glyph(), **NO_STATES).glyph
        self.labels = self.figure.add_glyph(self.names, _name_glyph(), **NO_STATES).glyph
        self.restyle("light")

    def _build(self, cell: str) -> None:
        """A source, a line and marks for one cell; for the RNN its bound and the folk law too."""
        source, view = ColumnDataSource({"lag": [], "norm": []}), CDSView()
        self.sources[cell] = source

        def draw(glyph: Glyph) -> GlyphRenderer:
            return self.figure.add_glyph(source, glyph, view=view, **NO_STATES)

        if cell == "rnn":
            source.data = {"lag": [], "norm": [], "bound": [], "folk": []}
            self.lines["bound"] = draw(Line(x="lag", y="bound", line_width=2, line_dash=BOUND_DASH))
            self.lines["folk"] = draw(Line(x="lag", y="folk", line_width=2.5, line_dash=FOLK_DASH, line_cap="round"))
        self.curves[cell] = draw(Line(x="lag", y="norm", line_width=2))
        self.dots[cell] = draw(Scatter(x="lag", y="norm", marker=CELLS[cell][1], size=4.5, line_color=None))
        self.hover.renderers = list(self.dots.values())
        self._color(cell)

    def _color(self, cell: str) -> None:
        color = theme.color(self.theme, CELLS[cell][0])
        self.curves[cell].glyph.line_color = self.dots[cell].glyph.fill_color = color

    def _set_axes(self) -> None:
        self.ticker = FixedTicker(ticks=decade_ticks(-3, 3))
        self.figure.yaxis.ticker = self.ticker
        self.figure.yaxis.major_label_overrides = _every_label()
        self.figure.xaxis.axis_label = "lag k (steps back in time)"
        self.figure.xgrid.visible = False
        self.figure.axis.minor_tick_line_color = None
        self.figure.axis.major_label_text_font_size = "12px"
        self.figure.axis.axis_label_text_font_size = "12px"
        self.figure.axis.axis_label_text_font_style = "normal"
        self.figure.outline_line_color = None
        self.figure.background_fill_alpha = self.figure.border_fill_alpha = 0
        tips = [("lag", "@lag"), ("log₁₀ of the norm", "@norm{0.000}")]
        self.hover = HoverTool(renderers=[], tooltips=tips, mode="mouse")
        self.figure.add_tools(self.hover)

    # --- data -------------------------------------------------------------------------------

    def follow(self, selected: Curve, on: Sequence[str], lag: int) -> None:
        """Assign the selected cell's curve; other cells that are on keep their last one, dimmed."""
        kept = {cell: curve for cell, curve in self.shown.items() if cell in on and cell != selected.name}
        self._show({**kept, selected.name: selected}, {selected.name}, set(kept), lag)

    def render(self, curves: Sequence[Curve], lag: int) -> None:
        """Assign every curve that is on."""
        named = {curve.name: curve for curve in curves}
        self._show(named, set(named), set(), lag)

    def _show(self, shown: dict[str, Curve], fresh: set[str], dimmed: set[str], lag: int) -> None:
        for cell in [cell for cell in shown if cell not in self.sources]:
            self._build(cell)
        for cell, source in self.sources.items():
            if cell in fresh and shown[cell] is not self.shown.get(cell):
                source.data = _columns(shown[cell])
            elif cell in self.shown and cell not in shown:
                source.data = {name: [] for name in source.data}
        self.shown = shown
        self._dim(dimmed)
        self._set_ranges()
        self.names.data = self._name_places()
        place = self._parting_place()
        if place != self.partings.data:
            self.partings.data = place
        self.cursor.location = lag

    def _dim(self, cells: set[str]) -> None:
        for cell in self.curves:
            alpha = DIMMED if cell in cells else 1.0
            lines = [self.curves[cell], *(self.lines.values() if cell == "rnn" else ())]
            for line in lines:
                line.glyph.line_alpha = alpha
            self.dots[cell].glyph.fill_alpha = alpha

    def _name_places(self) -> dict[str, Any]:
        """Each name beside its curve, at a place of its own so that curves which coincide keep their names.

        Right below a curve that rises and right above one that falls there is room.
        """
        lines = drawn_lines(list(self.shown.values()), (self.figure.y_range.start, self.figure.y_range.end))
        return {
            "lag": [line.at for line in lines],
            "height": [float(line.y[line.at]) for line in lines],
            "below": [13 if line.below else -13 for line in lines],
            "name": [line.label for line in lines],
            "color": [self._name_color(line.role) for line in lines],
        }

    def _name_color(self, role: str) -> str:
        return theme.color(self.theme, role if role == "ink2" else f"{role}-t")

    def _parting_place(self) -> dict[str, Any]:
        """Where the RNN's curve leaves the folk law."""
        place = parting_place(list(self.shown.values()))
        return {"lag": [place[0]], "height": [place[1]]} if place else {"lag": [], "height": []}

    def _set_ranges(self) -> None:
        low, high = decades(list(self.shown.values()))
        self.figure.x_range.update(start=0, end=max(len(curve.found.curve) for curve in self.shown.values()) - 1)
        self.figure.y_range.update(start=low, end=high)
        self.ticker.ticks = decade_ticks(low, high)

    # --- looks ------------------------------------------------------------------------------

    def restyle(self, name: str) -> None:
        """Colours of `light` or `dark`, from the tokens."""
        self.theme = name
        for key, (role, *_) in LINES.items():
            self.lines[key].glyph.line_color = theme.color(name, role)
        for cell in self.curves:
            self._color(cell)
        if self.shown:
            self.names.data = self._name_places()
        self.labels.update(background_fill_color=theme.color(name, "surface"), background_fill_alpha=0.8)
        self.marks.update(fill_color=theme.color(name, "surface"), line_color=theme.color(name, "gradient"))
        self.cursor.line_color = theme.color(name, "band_edge")
        self.one.line_color = theme.color(name, "control")
        self.figure.ygrid.grid_line_color = theme.color(name, "grid")
        axis = self.figure.axis
        axis.axis_line_color = axis.major_tick_line_color = theme.color(name, "control")
        axis.major_label_text_color = axis.axis_label_text_color = theme.color(name, "ink2")


def _parting_glyph() -> Scatter:
    """An open diamond: larger than any mark of a curve."""
    return Scatter(x="lag", y="height", marker="diamond", size=14, line_width=2)


def _columns(curve: Curve) -> dict[str, np.ndarray]:
    columns = {"lag": np.arange(len(curve.found.curve)), "norm": finite_or_nan(curve.found.curve)}
    if curve.decay is not None:
        columns |= {"bound": finite_or_nan(curve.decay.bound), "folk": finite_or_nan(curve.decay.folk)}
    return columns


def _name_glyph() -> Text:
    """A curve's name, to the right of its place."""
    return Text(
        x="lag", y="height", text="name", text_color="color", text_font_size="13px",
        text_baseline="middle", x_offset=8, y_offset="below",
    )  # fmt: skip


def _every_label() -> dict[int, str]:
    """A label for every tick of every range: set once, since Bokeh 3.10 warns when labels are replaced."""
    ticks = {tick for low in theme.DECADES for high in theme.DECADES for tick in decade_ticks(-low, high)}
    return {tick: tick_text(tick, log10=True) for tick in sorted(ticks)}
