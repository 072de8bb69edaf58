"""A matrix drawn: its cells, their numbers, their colours."""

from xml.etree.ElementTree import Element

import numpy as np
import pytest
from rnnscope.app.export.figure.matrix_svg import draw_matrix, grid_of, matrix_size, matrix_words, step_of
from rnnscope.app.plots.chart import Matrix


def matrix(values, low=-1.0, high=1.0, scale="diverging", symbol="h"):
    values = np.asarray(values, dtype=float)
    names = [tuple(map(str, range(count))) for count in values.shape]
    return Matrix("states", "step t", "unit", values, *names, low, high, scale, symbol)


def drawn(plot, variant="wide"):
    root = Element("svg")
    draw_matrix(plot, variant, root)
    return root


def cells(root):
    return {(element.get("data-row"), element.get("data-column")): element for element in root.iter()
            if element.get("data-value")}  # fmt: skip


def test_few_cells_hold_their_numbers():
    values = [[0.1, -0.25], [1 / 3, np.nan]]
    found = cells(drawn(matrix(values)))
    assert {at: (element.text, element.get("data-value")) for at, element in found.items()} == {
        ("0", "0"): ("0.100", "0.1"), ("0", "1"): ("−0.250", "-0.25"), ("1", "0"): ("0.333", repr(1 / 3)),
    }  # fmt: skip
    assert all(element.get("class") == "readout" for element in found.values())


def test_many_cells_are_colours_and_keep_their_numbers():
    found = cells(drawn(matrix(np.linspace(-1, 1, 1200).reshape(20, 60))))
    assert len(found) == 1200
    assert {element.tag for element in found.values()} == {"rect"}


def test_shares_have_two_decimals():
    shown = [element.text for element in cells(drawn(matrix([[0.001, 0.999]], 0.0, 1.0, "sequential"))).values()]
    assert shown == ["<0.01", ">0.99"]


@pytest.mark.parametrize(
    ("scale", "value", "step"),
    [("diverging", -2, 0), ("diverging", 0, 5), ("diverging", 2, 10), ("sequential", -2, 0), ("sequential", 0, 4),
     ("sequential", 2, 8), ("sequential", -np.inf, None)],
)  # fmt: skip
def test_colours_follow_the_scale(scale, value, step):
    assert step_of(matrix([[value]], -2.0, 2.0, scale), value) == step


@pytest.mark.parametrize("shape", [(1, 1), (4, 13), (50, 50), (8, 101)])
@pytest.mark.parametrize("variant", ["wide", "compact"])
def test_cells_stay_inside_the_picture(shape, variant):
    plot = matrix(np.zeros(shape))
    grid, (width, height) = grid_of(plot, variant), matrix_size(plot, variant)
    assert grid.right <= width
    assert grid.bottom < height


def test_names_that_would_touch_are_left_out():
    labels = [
        element for element in drawn(matrix(np.zeros((2, 101)))).iter("text") if element.get("text-anchor") == "middle"
    ]
    places = [float(element.get("x")) for element in labels if element.get("y") == "66"]
    assert 10 < len(places) < 101
    assert min(np.diff(places)) > 15


def test_words_say_size_and_range():
    assert matrix_words(matrix([[0.1, -0.25], [np.nan, 1.0]])) == (
        "States: 2 rows, unit, by 2 columns, step t. Its numbers go from −0.250 to 1.00."
    )
