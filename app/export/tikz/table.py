"""A matrix of numbers: small as a table with its numbers, large as coloured cells of pgfplots."""

from __future__ import annotations

import numpy as np

from ...plots.chart import Matrix
from .picture import Picture
from .places import coordinate
from .words import escape, number, prose

#: A table of up to so many rows and columns holds its numbers.
MOST_ROWS, MOST_COLUMNS = 16, 14
COLOURS = {"sequential": 9, "diverging": 11}
NAMED = {"sequential": "level", "diverging": "sign"}
MOST_TICKS = 13
#: Names of rows and columns stand at every one, at every second …
ROUND = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
#: Width of a cell with two decimals, and of one with any number.
NARROW, BROAD = "10mm", "16mm"
#: Shares and powers of ten are printed with two decimals, as the pages print them.
TWO_DECIMALS = ("contribution", "alpha", "weight", "p_next")


def table_picture(matrix: Matrix) -> Picture:
    """A table with its numbers where they can be read, else its colours with a scale."""
    rows, columns = matrix.values.shape
    if rows <= MOST_ROWS and columns <= MOST_COLUMNS:
        return _with_numbers(matrix)
    return _with_colours(matrix)


# --- small ------------------------------------------------------------------------------------


def _with_numbers(matrix: Matrix) -> Picture:
    picture = Picture(libraries=("matrix",))
    style = NAMED[matrix.scale]
    picture.widths["entry"] = NARROW if matrix.symbol in TWO_DECIMALS else BROAD
    picture.style("heading")
    picture.lines += [r"\matrix[matrix of nodes, row sep=0.4mm, column sep=0.4mm] (m) {"]
    heads = " & ".join(f"|[heading]| {called(name)}" for name in matrix.columns)
    picture.lines.append(rf"  & {heads} \\")
    for name, row in zip(matrix.rows, matrix.values, strict=True):
        cells = " & ".join(_cell(picture, value, matrix, style) for value in row)
        picture.lines.append(rf"  |[heading]| {called(name)} & {cells} \\")
    picture.lines.append("};")
    picture.group("What the rows and columns are")
    picture.node("note", "", prose(matrix.x_label), "above=0mm of m, name=across")
    picture.node("note", "", prose(matrix.y_label), "left=0mm of m, rotate=90, anchor=south")
    picture.node("title", "", prose(matrix.title), "above=1mm of across")
    return picture


def called(name: str) -> str:
    """The name of a row or column, which may be what someone typed: a space as a mark that can be seen."""
    return r"\textvisiblespace{}" if name == " " else escape(name)


def _cell(picture: Picture, value: float, matrix: Matrix, style: str) -> str:
    """A number in its colour; nothing where there is no cell."""
    if np.isnan(value):
        return ""
    name = f"{style} {step(value, matrix)}"
    picture.style(name)
    return f"|[{name}]| ${cell_number(value, matrix.symbol)}$"


def step(value: float, matrix: Matrix) -> int:
    """Which colour of the scale a value has."""
    last = COLOURS[matrix.scale] - 1
    share = (value - matrix.low) / (matrix.high - matrix.low)
    return int(np.floor(last * np.clip(share, 0.0, 1.0) + 0.5))


def cell_number(value: float, symbol: str) -> str:
    """A number of a cell as the page prints it."""
    if symbol in TWO_DECIMALS and np.isfinite(value):
        return f"{value + 0.0:.2f}".replace("-0.00", "0.00")
    return number(value)


# --- large ------------------------------------------------------------------------------------


def _with_colours(matrix: Matrix) -> Picture:
    """Cells of pgfplots, the scale beside them; a cell that is not there is left out."""
    picture = Picture(plotted=True)
    columns = matrix.values.shape[1]
    picture.lines += [r"\begin{axis}[", *(f"  {option}," for option in _options(matrix)), "]"]
    picture.lines.append(rf"\addplot[matrix plot*, mesh/cols={columns}, point meta=explicit] coordinates {{")
    for y, row in enumerate(matrix.values):
        cells = [f"({x},{y}) [{coordinate(value)}]" for x, value in enumerate(row)]
        picture.lines += [f"  {' '.join(cells[start : start + 8])}" for start in range(0, columns, 8)]
        picture.lines.append("")
    picture.lines += ["};", r"\end{axis}"]
    return picture


def _options(matrix: Matrix) -> list[str]:
    rows, columns = matrix.values.shape
    colours = " ".join(f"color=({matrix.scale}{k})" for k in range(COLOURS[matrix.scale]))
    return [
        "width=12cm", f"height={min(12.0, max(3.0, 12.0 * rows / columns)):.3g}cm", "scale only axis",
        f"title={{{prose(matrix.title)}}}", "title style={font=\\bfseries}", f"xlabel={{{prose(matrix.x_label)}}}",
        f"ylabel={{{prose(matrix.y_label)}}}", "y dir=reverse", "enlargelimits=false",
        *_ticks("x", matrix.columns), *_ticks("y", matrix.rows), "tick style={draw=none}",
        "tick label style={font=\\small}", "axis line style={draw=none}",
        f"point meta min={coordinate(matrix.low)}", f"point meta max={coordinate(matrix.high)}",
        f"colormap={{scale}}{{{colours}}}", "colorbar", "colorbar style={draw=none}",
    ]  # fmt: skip


def _ticks(axis: str, names: tuple[str, ...]) -> list[str]:
    """Names of rows or columns, as many as can be read."""
    every = next(step for step in ROUND if len(names) <= step * MOST_TICKS)
    places = range(0, len(names), every)
    texts = ", ".join(f"{{{called(names[place])}}}" for place in places)
    return [f"{axis}tick={{{', '.join(map(str, places))}}}", f"{axis}ticklabels={{{texts}}}"]
