"""A table's cells are those of its matrix, in the page's colours; a large one is drawn as colours alone."""

import re

import numpy as np
import pytest
from rnnscope.app.export.tikz.table import step, table_picture
from rnnscope.app.plots.chart import Matrix
from rnnscope.core import format_number

from tests.app.export.tikz.files import STATES, files_of, printed


def matrices():
    for lab, queries in STATES.items():
        for query in queries:
            for file in files_of(lab, query):
                matrix = file.shown.charts().get(file.figure)
                if isinstance(matrix, Matrix):
                    yield file, matrix


def cells_of(text):
    """The numbers of a table, row by row; None where there is no cell."""
    rows = [line.strip().removesuffix(r" \\") for line in text.splitlines() if line.strip().startswith("|[heading]|")]
    cells = [re.split(r" & ?", row)[-len(re.split(r" & ?", rows[0])) + 1 :] for row in rows]
    return [[cell.split("$")[1] if "$" in cell else None for cell in row] for row in cells]


def test_every_cell_holds_its_number():
    seen = 0
    for file, matrix in matrices():
        if r"\matrix[" not in file.text or "&" in "".join(matrix.rows + matrix.columns):
            continue
        seen += 1
        for row, values in zip(cells_of(file.text), matrix.values, strict=True):
            for cell, value in zip(row, values, strict=True):
                if np.isnan(value):
                    assert cell is None
                elif matrix.symbol in ("contribution", "weight", "alpha", "p_next") and np.isfinite(value):
                    assert float(cell) == pytest.approx(value, abs=0.00501)
                else:
                    assert printed(cell) == format_number(value)
    assert seen > 10


def test_a_large_table_is_drawn_as_colours_with_every_value():
    seen = 0
    for file, matrix in matrices():
        if "matrix plot*" in file.text:
            seen += 1
            drawn = re.findall(r"\((\d+),(\d+)\) \[(\S+)\]", file.text)
            found = np.full(matrix.values.shape, np.nan)
            for x, y, value in drawn:
                found[int(y), int(x)] = float(value)
            assert len(drawn) == matrix.values.size
            np.testing.assert_allclose(found, matrix.values, rtol=1e-5)
    assert seen > 3


def test_colours_are_steps_of_the_scale():
    values = np.array([[-1.0, 0.0, 0.99], [np.nan, 2.0, -5.0]])
    matrix = Matrix("T", "x", "y", values, ("a", " "), ("1", "&", "%"), -1.0, 1.0, "diverging")
    assert [step(value, matrix) for value in (-5, -1, 0, 0.99, 2)] == [0, 0, 5, 10, 10]
    lines = table_picture(matrix).lines
    assert r"  & |[heading]| 1 & |[heading]| \& & |[heading]| \% \\" in lines
    assert any(line.startswith(r"  |[heading]| \textvisiblespace{} &  & |[sign 10]| $2.00$") for line in lines)


def test_names_stand_at_round_places_where_there_are_many():
    matrix = Matrix("T", "x", "y", np.zeros((2, 101)), ("a", "b"), tuple(map(str, range(101))), 0.0, 1.0)
    text = "\n".join(table_picture(matrix).lines)
    assert "xtick={0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100}" in text
    assert "mesh/cols=101" in text
