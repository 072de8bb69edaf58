"""Jacobian norm against lag: the true curve, its bound, and the folk law. Built once; `render` assigns data."""

from __future__ import annotations

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
from rnnscope.core import Decay

from .. import theme

HEIGHT = 300
#: The same marks as in the design language: measured solid with dots, bound dashed, asymptote dotted.
BOUND_DASH = [8, 5]
FOLK_DASH = [1, 5]
#: Each curve's name, and where along its visible stretch it stands.
NAMES = {"true": ("true", 0.4), "bound": ("bound", 0.85), "folk": ("folk law", 0.65)}
#: No selection here: the glyphs that Bokeh makes for it would be 16 models of every session.
NO_STATES = {"nonselection_glyph": None, "muted_glyph": None}
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class DecayPlot:
    """A figure over lag k = 0 … T with a fixed range of log10 norms that changes in steps."""

    def __init__(self) -> None:
        self.source = ColumnDataSource({"lag": [], "true": [], "bound": [], "folk": []})
        self.names = ColumnDataSource({"lag": [], "height": [], "below": [], "name": [], "color": []})
        self.view = CDSView()
        self.figure = figure(
            height=HEIGHT, sizing_mode="stretch_width", toolbar_location=None, min_border_right=12,
            x_range=Range1d(0, 1), y_range=Range1d(-3, 3), tools="",
        )  # fmt: skip
        self.one = Span(location=0, dimension="width", line_width=1)
        self.figure.add_layout(self.one)
        self.bound = self._draw(Line(x="lag", y="bound", line_width=2, line_dash=BOUND_DASH))
        self.folk = self._draw(Line(x="lag", y="folk", line_width=2.5, line_dash=FOLK_DASH, line_cap="round"))
        self.true = self._draw(Line(x="lag", y="true", line_width=2))
        self.dots = self._draw(Scatter(x="lag", y="true", size=4.5, line_color=None))
        self.cursor = Span(location=0, dimension="height", line_width=1.5)
        self.figure.add_layout(self.cursor)
        self.labels = self.figure.add_glyph(self.names, _name_glyph(), **NO_STATES).glyph
        self._set_axes()
        self.restyle("light")

    def _draw(self, glyph: Glyph) -> GlyphRenderer:
        return self.figure.add_glyph(self.source, glyph, view=self.view, **NO_STATES)

    def _set_axes(self) -> None:
        self.ticker = FixedTicker(ticks=_ticks(-3, 3))
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
        tips = [("lag", "@lag"), ("true", "@true{0.000}"), ("bound", "@bound{0.000}"), ("folk law", "@folk{0.000}")]
        self.figure.add_tools(HoverTool(renderers=[self.dots], tooltips=tips, mode="vline"))

    def render(self, decay: Decay, lag: int) -> None:
        """Assign the curves of one run; all of it, so that one message carries it."""
        steps = len(decay.curve) - 1
        curves = {"true": decay.curve, "bound": decay.bound, "folk": decay.folk}
        self.source.data = {"lag": np.arange(steps + 1), **{name: _drawn(curve) for name, curve in curves.items()}}
        self._set_ranges(decay, steps)
        self.names.data = self._name_places(curves)
        self.cursor.location = lag

    def _name_places(self, curves: dict[str, np.ndarray]) -> dict[str, Any]:
        """Each name beside its curve, at a place of its own so that curves which coincide keep three names.

        Right below a curve that rises and right above one that falls there is room.
        """
        low, high = self.figure.y_range.start, self.figure.y_range.end
        lags = [_place(curves[key], low, high, share) for key, (_, share) in NAMES.items()]
        return {
            "lag": lags,
            "height": [float(curves[key][lag]) for key, lag in zip(NAMES, lags, strict=True)],
            "below": [13 if curves[key][-1] > curves[key][0] else -13 for key in NAMES],
            "name": [name for name, _ in NAMES.values()],
            "color": self.name_colors,
        }

    def _set_ranges(self, decay: Decay, steps: int) -> None:
        finite = decay.curve[np.isfinite(decay.curve)]
        low, high = theme.nice_decades(float(finite.min()), float(finite.max()))
        self.figure.x_range.update(start=0, end=steps)
        self.figure.y_range.update(start=low, end=high)
        self.ticker.ticks = _ticks(low, high)

    def restyle(self, name: str) -> None:
        """Colours of `light` or `dark`, from the tokens."""
        for glyph, role in ((self.true, "gradient"), (self.bound, "ink2"), (self.folk, "hidden")):
            glyph.glyph.line_color = theme.color(name, role)
        self.dots.glyph.fill_color = theme.color(name, "gradient")
        self.name_colors = [theme.color(name, role) for role in ("gradient-t", "ink2", "hidden-t")]
        self.names.data = {**self.names.data, "color": self.name_colors[: len(self.names.data["lag"])]}
        self.labels.update(background_fill_color=theme.color(name, "surface"), background_fill_alpha=0.8)
        self.cursor.line_color = theme.color(name, "band_edge")
        self.one.line_color = theme.color(name, "control")
        self.figure.ygrid.grid_line_color = theme.color(name, "grid")
        axis = self.figure.axis
        axis.axis_line_color = axis.major_tick_line_color = theme.color(name, "control")
        axis.major_label_text_color = axis.axis_label_text_color = theme.color(name, "ink2")


def _name_glyph() -> Text:
    """A curve's name, to the right of its place."""
    return Text(
        x="lag", y="height", text="name", text_color="color", text_font_size="13px",
        text_baseline="middle", x_offset=8, y_offset="below",
    )  # fmt: skip


def _drawn(curve: np.ndarray) -> np.ndarray:
    """log10 of an exact 0 has no place on the axis: the line ends there, and the summary says so."""
    return np.where(np.isfinite(curve), curve, np.nan)


def _place(curve: np.ndarray, low: float, high: float, share: float) -> int:
    """A lag at `share` of the stretch over which the curve is on the plot."""
    seen = np.flatnonzero((curve > low) & (curve < high))
    return int(seen[int(share * (len(seen) - 1))])


def _power_of_ten(exponent: int) -> str:
    return "10" + str(exponent).translate(_SUPERSCRIPT)


def _tick_step(span: int) -> int:
    """Decades between ticks: a power of two, so that there are 5 to 9 of them whatever the span."""
    step = 1
    while span / step > 8:
        step *= 2
    return step


def _ticks(low: int, high: int) -> list[int]:
    """Whole decades that hit 0."""
    step = _tick_step(high - low)
    return [decade for decade in range(low, high + 1) if decade % step == 0]


def _every_label() -> dict[int, str]:
    """A label for every tick of every range: set once, since Bokeh 3.10 warns when labels are replaced."""
    ticks = {tick for low in theme.DECADES for high in theme.DECADES for tick in _ticks(-low, high)}
    return {tick: _power_of_ten(tick) for tick in sorted(ticks)}
