"""The loom holds every contribution, the factors of the selected loss, and what the window cuts."""

import re

import numpy as np
import pytest
from rnnscope.core import format_number

from tests.app.export.tikz.files import STATES, file_with, labels, last_number, printed


def drawn(query):
    file = file_with("bptt", query, "loom")
    rows = [line.strip() for line in file.text.splitlines() if line.strip().startswith("|[heading]|")]
    cells = [[cell.strip() for cell in row.removesuffix(r" \\").split("&")[1:]] for row in rows]
    return file.text, cells, file.shown


@pytest.mark.parametrize("query", STATES["bptt"])
def test_the_matrix_holds_every_contribution(query):
    _, rows, lab = drawn(query)
    table = lab.full.contributions
    assert len(rows) == lab.state.T + 1
    for t, row in enumerate(rows[:-1], 1):
        numbers = [float(cell.split("$")[1].replace(r"-\infty", "-inf")) for cell in row if cell]
        np.testing.assert_allclose(numbers, table[t, 1 : t + 1], atol=0.00501)


@pytest.mark.parametrize("query", STATES["bptt"])
def test_the_last_row_is_what_arrives(query):
    _, rows, lab = drawn(query)
    assert [printed(cell.split("$")[1]) for cell in rows[-1]] == [format_number(value) for value in lab.live()]


@pytest.mark.parametrize("query", STATES["bptt"])
def test_what_the_window_cuts_is_marked_and_the_selected_cell_framed(query):
    _, rows, lab = drawn(query)
    window, (t, lag) = lab.state.truncate, (lab.state.t, lab.state.lag)
    for row, cells in enumerate(rows[:-1], 1):
        for k, cell in enumerate(cells[:row], 1):
            assert ("cut entry" in cell) == (window is not None and row - k >= window)
            assert ("chosen" in cell) == ((row, k) == (t, t - lag))


def test_the_way_of_the_selected_loss_is_thick_and_ends_at_its_window():
    text, _, lab = drawn("truncate=4&t=5&lag=4")
    style = dict(re.findall(r"\\draw\[([^]]*wire[^]]*)\] \((h\d)\.195\)", text))
    by_start = {start: name for name, start in re.findall(r"\\draw\[([^]]*)\] \(h(\d)\.195\)", text)}
    assert by_start == {
        "6": "backward wire", "5": "backward wire, very thick", "4": "backward wire, very thick",
        "3": "backward wire, very thick", "2": "cut wire",
    }  # fmt: skip
    assert style
    assert "dashed: cut by the window of 4" in text
    factors = [last_number(labels(text, f"(h{i}.195)")[0].replace(r"\times\, ", "")) for i in range(2, 6)]
    assert factors == [format_number(lab.chain.factors[5, i]) for i in range(2, 6)]


def test_a_gated_cell_has_no_letter_on_its_recurrent_wires():
    assert labels(drawn("cell=lstm&n=3&T=12&input=noise")[0], "(h1.15)") == []
    assert labels(drawn("")[0], "(h1.15)") == ["$W$"]
