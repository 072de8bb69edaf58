"""One cost of five models against length or size, both axes logarithmic. Built once; `render` assigns data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from bokeh.models import ColumnDataSource, FixedTicker, HoverTool, Line, Range1d, Scatter, Text
from bokeh.plotting import figure

from .. import theme
from .chart import tick_text

HEIGHT = 380
#: Model -> colour, mark, dash and name; curves that coincide show through one another's gaps.
MODELS = {
    "rnn": ("hidden", "circle", "solid", "RNN"),
    "gru": ("gate", "triangle", [9, 7], "GRU"),
    "lstm": ("cell", "square", [3, 6], "LSTM"),
    "convolution": ("candidate", "diamond", "solid", "convolution"),
    "self_attention": ("output", "inverted_triangle", "solid", "self-attention"),
}
#: The axis of costs ends at a multiple of so many decades, and has a tick at each.
DECADES = 2
#: Names nearer than this share of the axis move apart.
NAME_GAP = 0.055
#: Room right of the last size for its marks, and pixels right of the axes for the names, whatever the page's width.
ROOM, NAMES = 1.1, 124
NO_STATES = {"nonselection_glyph": None, "muted_glyph": None}


class CostPlot:
    """A figure over sizes 1 … 4096, whose range of costs changes in steps of decades."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self.sizes, self.theme = list(sizes), "light"
        self.source = ColumnDataSource({"size": self.sizes, **{model: [1] * len(self.sizes) for model in MODELS}})
        self.names = ColumnDataSource({"size": [], "cost": [], "name": [], "color": []})
        self.figure = figure(
            height=HEIGHT, sizing_mode="stretch_width", toolbar_location=None, tools="", x_axis_type="log",
            y_axis_type="log", x_range=Range1d(0.9, ROOM * self.sizes[-1]), y_range=Range1d(0.7, 1e9),
            min_border_right=NAMES,
        )  # fmt: skip
        self.lines: dict[str, Line] = {}
        self.marks: dict[str, Scatter] = {}
        self._draw_models()
        self._set_axes()
        name = Text(x="size", y="cost", text="name", text_color="color", text_font_size="13px", text_baseline="middle",
                    x_offset=10)  # fmt: skip
        self.figure.add_glyph(self.names, name, level="annotation", **NO_STATES)  # which the axes do not cut off
        self.restyle("light")

    def _draw_models(self) -> None:
        hovered = []
        for model, (_, mark, dash, _) in MODELS.items():
            self.lines[model] = Line(x="size", y=model, line_width=2, line_dash=dash)
            self.marks[model] = Scatter(x="size", y=model, marker=mark, size=7, line_color=None)
            self.figure.add_glyph(self.source, self.lines[model], **NO_STATES)
            hovered.append(self.figure.add_glyph(self.source, self.marks[model], **NO_STATES))
        tips = [("size", "@size"), *((name, f"@{model}{{0,0}}") for model, (*_, name) in MODELS.items())]
        self.figure.add_tools(HoverTool(renderers=hovered[:1], tooltips=tips, mode="vline"))

    def _set_axes(self) -> None:
        found = self.figure
        found.xaxis.ticker = FixedTicker(ticks=[4**power for power in range(7)])
        found.xaxis.major_label_overrides = {4**power: str(4**power) for power in range(7)}
        found.yaxis.ticker = FixedTicker(ticks=[10**power for power in range(0, 13, DECADES)])
        found.yaxis.major_label_overrides = {10**power: tick_text(power, log10=True) for power in range(0, 13, DECADES)}
        found.xgrid.visible = False
        found.axis.minor_tick_line_color = None
        found.axis.major_label_text_font_size = found.axis.axis_label_text_font_size = "12px"
        found.axis.axis_label_text_font_style = "normal"
        found.outline_line_color = None
        found.background_fill_alpha = found.border_fill_alpha = 0

    def render(self, curves: Mapping[str, Sequence[int]], axis: str) -> None:
        """Assign every model's costs; `axis` is T or n."""
        self.source.data = {"size": self.sizes, **{model: list(curve) for model, curve in curves.items()}}
        top = max(curve[-1] for curve in curves.values())
        self.figure.y_range.end = 10.0 ** (DECADES * math.ceil(math.log10(max(2, top)) / DECADES))
        self.figure.xaxis.axis_label = "T (steps)" if axis == "T" else "n (units, and numbers of an input)"
        self._place_names()

    def _place_names(self) -> None:
        """One name for all curves that end at the same cost; those that end close to one another move apart."""
        ends: dict[int, list[str]] = {}
        for model in MODELS:
            ends.setdefault(int(self.source.data[model][-1]), []).append(model)
        places = _apart({cost: math.log10(cost) for cost in ends}, NAME_GAP * math.log10(self.figure.y_range.end))
        self.names.data = {
            "size": [self.sizes[-1]] * len(ends),
            "cost": [10 ** places[cost] for cost in ends],
            "name": [", ".join(MODELS[model][3] for model in models) for models in ends.values()],
            "color": [self._name_color(models) for models in ends.values()],
        }

    def _name_color(self, models: list[str]) -> str:
        return theme.color(self.theme, f"{MODELS[models[0]][0]}-t" if len(models) == 1 else "ink2")

    def restyle(self, name: str) -> None:
        """Colours of `light` or `dark`, from the tokens."""
        self.theme = name
        for model, (role, *_) in MODELS.items():
            self.lines[model].line_color = self.marks[model].fill_color = theme.color(name, role)
        self._place_names()
        self.figure.ygrid.grid_line_color = theme.color(name, "grid")
        axis: Any = self.figure.axis
        axis.axis_line_color = axis.major_tick_line_color = theme.color(name, "control")
        axis.major_label_text_color = axis.axis_label_text_color = theme.color(name, "ink2")


def _apart(heights: Mapping[int, float], gap: float) -> dict[int, float]:
    """Heights in their order, each at least `gap` above the one below."""
    placed: dict[int, float] = {}
    below = -math.inf
    for key, height in sorted(heights.items(), key=lambda item: item[1]):
        below = placed[key] = max(height, below + gap)
    return placed
