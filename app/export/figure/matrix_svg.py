"""A `Matrix` as SVG elements: coloured cells, with their numbers where there is room, and the scale under them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from xml.etree.ElementTree import Element

import numpy as np
from rnnscope.core import format_number

from ...diagrams.scene import MINUS
from ...plots.chart import Matrix
from .chart_layout import LABEL, TICK, TITLE
from .chart_svg import heading
from .drawn import element
from .lettering import text_line, text_width
from .read import colour_step, share_text

#: Room that the cells may take, largest and smallest side of a cell, and the side from which it holds its number.
ROOM = {"wide": 720.0, "compact": 320.0}
WIDEST, HIGHEST, SMALLEST = 56.0, 30.0, 4.0
NUMBER_WIDTH, NUMBER_HEIGHT, GAP_FROM = 34.0, 17.0, 9.0
MOST_CELLS = 20_000
NUMBER = 12.0
#: Where the cells start from the top, and what stands under them.
TOP, SCALE = 76.0, 66.0
SCALE_WIDTH = 200.0
STEPS = {"sequential": 9, "diverging": 11}
RAMP = {"sequential": "sq", "diverging": "dv"}


@dataclass(frozen=True)
class Grid:
    """Where the cells stand."""

    matrix: Matrix
    left: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.left + self.width * self.matrix.values.shape[1]

    @property
    def bottom(self) -> float:
        return TOP + self.height * self.matrix.values.shape[0]

    @property
    def numbered(self) -> bool:
        """Whether a cell holds its number."""
        longest = max(text_width(text, NUMBER) for text in map(self.text, self.matrix.values.ravel()))
        return self.width >= max(NUMBER_WIDTH - 4, longest + 2) and self.height >= NUMBER_HEIGHT

    def text(self, value: float) -> str:
        """A share with two decimals, any other number with three digits."""
        shares = self.matrix.scale == "sequential" and (self.matrix.low, self.matrix.high) == (0.0, 1.0)
        return share_text(float(value)) if shares else format_number(float(value))


def grid_of(matrix: Matrix, variant: str) -> Grid:
    """Cells as large as the room allows."""
    rows, columns = matrix.values.shape
    left = 14 + max([text_width(name, TICK) for name in (*matrix.rows, matrix.y_label)], default=0.0)
    width = max(SMALLEST, min(WIDEST, math.floor(ROOM[variant] / columns)))
    height = max(SMALLEST, min(HIGHEST, width if width < NUMBER_WIDTH else HIGHEST, math.floor(ROOM["wide"] / rows)))
    return Grid(matrix, left, width, height)


def matrix_size(matrix: Matrix, variant: str) -> tuple[float, float]:
    """Width and height of a matrix's picture."""
    grid = grid_of(matrix, variant)
    widest = max(grid.right + 8, grid.left + SCALE_WIDTH + 24, text_width(matrix.title, TITLE) + 8)
    return widest, grid.bottom + SCALE


def draw_matrix(matrix: Matrix, variant: str, parent: Element) -> None:
    """The matrix in a group of class `fig`."""
    grid = grid_of(matrix, variant)
    figure = element(parent, "g", style="fig")
    text_line(figure, 0, 15, heading(matrix.title), TITLE, "b")
    _names(grid, figure)
    numbered, gap = grid.numbered, 1.0 if min(grid.width, grid.height) >= GAP_FROM else 0.0
    for r, row in enumerate(matrix.values):
        for c, value in enumerate(row):
            if not math.isnan(value):
                _cell(grid, (r, c), float(value), gap, numbered, figure)
    _scale(grid, figure)


def _names(grid: Grid, figure: Element) -> None:
    """Names of rows and columns, every one or every so many, and what they count."""
    matrix = grid.matrix
    text_line(figure, grid.left, TOP - 30, f"{matrix.x_label} \N{RIGHTWARDS ARROW}", LABEL, "ink2")
    text_line(figure, grid.left - 8, TOP - 10, matrix.y_label, LABEL, "ink2", "end")
    widest = max([text_width(name, TICK) for name in matrix.columns], default=0.0)
    across, down = math.ceil((widest + 4) / grid.width), math.ceil(14 / grid.height)
    for c, name in enumerate(matrix.columns):
        if c % across == 0:
            text_line(figure, grid.left + (c + 0.5) * grid.width, TOP - 10, _shown(name), TICK, "ink2", "middle")
    for r, name in enumerate(matrix.rows):
        if r % down == 0:
            text_line(figure, grid.left - 8, TOP + (r + 0.5) * grid.height + 4.2, _shown(name), TICK, "ink2", "end")


def _shown(name: str) -> str:
    """A space has a sign of its own."""
    return "\N{OPEN BOX}" if name == " " else name


def _cell(grid: Grid, at: tuple[int, int], value: float, gap: float, numbered: bool, figure: Element) -> None:
    matrix, (r, c) = grid.matrix, at
    x, y = grid.left + c * grid.width, TOP + r * grid.height
    step, ramp = step_of(matrix, value), RAMP[matrix.scale]
    fill = "var(--inset)" if step is None else f"var(--{ramp}{step})"
    ink = "var(--ink2)" if step is None else f"var(--{ramp}o{step})"
    marks = {"data_row": matrix.rows[r], "data_column": matrix.columns[c], "data_value": repr(value)}
    own = {"data_symbol": matrix.symbol, **marks} if matrix.symbol else {}
    sides = {"width": grid.width - gap, "height": grid.height - gap, "rx": 2 if gap else None}
    element(figure, "rect", x=x, y=y, **sides, fill=fill, **({} if numbered else own))
    middle, centre = x + (grid.width - gap) / 2, y + (grid.height - gap) / 2
    if numbered:
        line = element(figure, "text", x=middle, y=centre + 4.2, text_anchor="middle", font_size=NUMBER)
        element(line, "tspan", style="readout", fill=ink, **own).text = grid.text(value)
    elif value < 0 and matrix.scale == "diverging" and min(grid.width, grid.height) >= GAP_FROM + 2:
        element(figure, "path", d=f"M{middle - 3:.2f} {centre:.2f}h6", stroke=ink, stroke_width=1.5, fill="none")


def step_of(matrix: Matrix, value: float) -> int | None:
    """Which colour of the scale a value has; none where it is not finite."""
    if not math.isfinite(value):
        return None
    if matrix.scale == "diverging":
        return colour_step(value / (matrix.high or 1.0))
    share = (value - matrix.low) / ((matrix.high - matrix.low) or 1.0)
    return math.floor(8 * max(0.0, min(1.0, share)) + 0.5)


def _scale(grid: Grid, figure: Element) -> None:
    """Every colour, with the numbers at its ends and its middle."""
    matrix, steps, y = grid.matrix, STEPS[grid.matrix.scale], grid.bottom + 22
    wide = SCALE_WIDTH / steps
    for step in range(steps):
        place = {"x": grid.left + step * wide, "y": y, "width": wide + 0.3, "height": 10}
        element(figure, "rect", **place, fill=f"var(--{RAMP[matrix.scale]}{step})")
    middle = (matrix.low + matrix.high) / 2
    for share, value in ((0.5 / steps, matrix.low), (0.5, middle), (1 - 0.5 / steps, matrix.high)):
        text_line(figure, grid.left + share * SCALE_WIDTH, y + 26, short(value), TICK, "ink2", "middle")


def short(value: float) -> str:
    """A number of the scale as a person writes it."""
    return f"{value:.3g}".replace("-", MINUS)


def matrix_words(matrix: Matrix) -> str:
    """What the matrix shows, for who cannot see it."""
    rows, columns = matrix.values.shape
    known = matrix.values[~np.isnan(matrix.values)]
    ends = f" Its numbers go from {format_number(known.min())} to {format_number(known.max())}." if known.size else ""
    return f"{heading(matrix.title)}: {rows} rows, {matrix.y_label}, by {columns} columns, {matrix.x_label}.{ends}"
