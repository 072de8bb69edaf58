"""Jacobian norm against lag: the true curve, its bound, and the folk law. Built once; `render` assigns data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

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
from rnnscope.core import Decay, HalfLife, Parting, format_number

from .. import theme


class Curve(Protocol):
    """What of a measured cell is drawn."""

    name: str
    found: HalfLife
    exponent: float
    decay: Decay | None
    parting: Parting | None


HEIGHT = 440
#: The same marks as in the design language: measured solid with marks, bound dashed, asymptote dotted.
BOUND_DASH = [8, 5]
FOLK_DASH = [1, 5]
#: Cell -> its colour, its mark, its name and where along its visible stretch the name stands.
CELLS = {
    "rnn": ("gradient", "circle", "RNN", 0.3),
    "lstm": ("cell", "square", "LSTM", 0.52),
    "gru": ("gate", "triangle", "GRU", 0.74),
}
#: The RNN's two lines: colour, name, place.
LINES = {"bound": ("ink2", "bound", 0.85), "folk": ("hidden", "folk law", 0.8)}
#: A curve that waits for its answer.
DIMMED = 0.25
#: No selection here: the glyphs that Bokeh makes for it would be 16 models of every session.
NO_STATES = {"nonselection_glyph": None, "muted_glyph": None}
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


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

    def _drawn_lines(self) -> list[tuple[np.ndarray, str, str, float]]:
        """Every line on the plot: its log10 norms, name, colour and the place of its name."""
        lines = [
            (
                curve.found.curve,
                f"{CELLS[cell][2]}, λ₁ = {format_number(curve.exponent)}",
                CELLS[cell][0],
                CELLS[cell][3],
            )
            for cell, curve in self.shown.items()
        ]
        law = self.shown["rnn"].decay if "rnn" in self.shown else None
        for key, (color, name, share) in LINES.items() if law else ():
            lines.append((getattr(law, key), name, color, share))
        return lines

    def _name_places(self) -> dict[str, Any]:
        """Each name beside its curve, at a place of its own so that curves which coincide keep their names.

        Right below a curve that rises and right above one that falls there is room.
        """
        low, high = self.figure.y_range.start, self.figure.y_range.end
        lines = self._drawn_lines()
        lags = [_place(curve, low, high, share) for curve, _, _, share in lines]
        return {
            "lag": lags,
            "height": [float(line[0][lag]) for line, lag in zip(lines, lags, strict=True)],
            "below": [13 if curve[-1] > curve[0] else -13 for curve, _, _, _ in lines],
            "name": [name for _, name, _, _ in lines],
            "color": [self._name_color(color) for _, _, color, _ in lines],
        }

    def _name_color(self, role: str) -> str:
        return theme.color(self.theme, role if role == "ink2" else f"{role}-t")

    def _parting_place(self) -> dict[str, Any]:
        """Where the RNN's curve leaves the folk law."""
        found = self.shown["rnn"].parting if "rnn" in self.shown else None
        if found is None or not np.isfinite(height := float(self.shown["rnn"].found.curve[found.lag])):
            return {"lag": [], "height": []}
        return {"lag": [found.lag], "height": [height]}

    def _set_ranges(self) -> None:
        curves = [curve.found.curve for curve in self.shown.values()]
        finite = np.concatenate([curve[np.isfinite(curve)] for curve in curves])
        low, high = theme.nice_decades(float(finite.min()), float(finite.max()))
        self.figure.x_range.update(start=0, end=max(len(curve) for curve in curves) - 1)
        self.figure.y_range.update(start=low, end=high)
        self.ticker.ticks = _ticks(low, high)

    # --- looks ------------------------------------------------------------------------------

    def restyle(self, name: str) -> None:
        """Colours of `light` or `dark`, from the tokens."""
        self.theme = name
        for key, (role, _, _) in LINES.items():
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
    columns = {"lag": np.arange(len(curve.found.curve)), "norm": _drawn(curve.found.curve)}
    if curve.decay is not None:
        columns |= {"bound": _drawn(curve.decay.bound), "folk": _drawn(curve.decay.folk)}
    return columns


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
