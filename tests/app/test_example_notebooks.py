"""The example notebooks, run in kernels: no cell fails or warns, each shows a lab, and they print what core says."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient
from rnnscope.core import RNN, RNNConfig, decay, run

FOLDER = Path(__file__).parents[2] / "examples" / "notebooks"
BOOKS = sorted(path.stem for path in FOLDER.glob("*.ipynb"))
NUMBER = r"(-?\d+\.?\d*(?:e-?\d+)?)"
EXACT = 1e-12


class Book:
    """A notebook that was run."""

    def __init__(self, name: str, folder: Path):
        self.cells = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4).cells
        book = nbformat.v4.new_notebook(cells=self.cells)
        NotebookClient(book, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()
        self.outputs = [output for cell in book.cells for output in cell.get("outputs", [])]
        self.said = "".join(output["text"] for output in self.outputs if output.get("name") == "stdout")
        self.html = "".join(output.get("data", {}).get("text/html", "") for output in self.outputs)

    def number(self, words: str) -> float:
        """The number that is printed after these words."""
        found = re.search(rf"{re.escape(words)} {NUMBER}", self.said)
        assert found, (words, self.said)
        return float(found[1])


@pytest.fixture(scope="module", params=BOOKS)
def each(request, tmp_path_factory) -> tuple[str, Book]:
    return request.param, Book(request.param, tmp_path_factory.mktemp(request.param))


def test_each_shows_a_lab_and_a_figure_warns_of_nothing_and_prints_what_core_says(each):
    name, book = each
    assert [output for output in book.outputs if output.get("name") == "stderr"] == []
    assert "LabView" in book.html  # the component itself
    assert sum("application/vnd.holoviews_exec.v0+json" in output.get("data", {}) for output in book.outputs) >= 2
    CHECKS[name](book)


def folk_law(book: Book) -> None:
    for rho in (0.8, 1.2, 1.6, 2.0):
        shown = run(RNNConfig(n=32, d=1, T=100, rho=rho, sigma_in=2.0))
        found = decay(shown.cell, shown.trace)
        assert book.number(f"rho = {rho}:") == pytest.approx(found.curve[-1], abs=EXACT)
        if rho == 1.2:
            assert book.number("measured") == pytest.approx(found.curve[-1], abs=EXACT)
            assert book.number("folk law") == pytest.approx(100 * np.log10(1.2), abs=1e-9)
            slopes = shown.cell.slope(shown.trace.preactivations)
            assert book.number("mean slope") == pytest.approx(slopes.mean(), abs=EXACT)
    assert book.number("measured") < 0 < book.number("folk law")


def own_lstm(book: Book) -> None:
    assert book.number("loss at first") > 20 * book.number("at last")
    assert "the same: True" in book.said
    assert book.number("forget gate at a mark") < 0.4
    assert book.number("forget gate elsewhere") > 0.6
    assert book.number("largest error") > 5 * book.number("untouched")


def reading(book: Book) -> None:
    shown = run(
        RNNConfig(
            n=3, d=1, T=8, seed=4, rho=1.1, outputs=1, target=(0.16, 0.09, 0.09, 0.14, 0.06, 0.27, 0.0, 0.0)
        )
    )  # fmt: skip
    assert isinstance(shown.cell, RNN)
    assert book.number("dL/dW[0, 1] by back-propagation") == pytest.approx(shown.gradients.W_hh[0, 1], abs=EXACT)
    assert book.number("dL/dW[0, 1] by differences") == pytest.approx(shown.gradients.W_hh[0, 1], rel=1e-7)
    assert book.number("difference to the run") < EXACT
    assert book.number("sum of the tiles less the gradient") < EXACT
    assert "http://localhost:5006/bptt?n=3&T=8&seed=4&rho=1.1&input=noise" in book.said


CHECKS = {"1_the_folk_law": folk_law, "2_your_own_lstm": own_lstm, "3_reading_a_run": reading}


def test_every_notebook_is_checked_and_ships_without_outputs():
    assert {*CHECKS} == {*BOOKS}
    for name in BOOKS:
        book = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
        nbformat.validate(book)
        assert [
            cell.id for cell in book.cells if cell.cell_type == "code" and (cell.outputs or cell.execution_count)
        ] == []
