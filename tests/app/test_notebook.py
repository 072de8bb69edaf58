"""A lab in a kernel: a cell's output is the lab, with Bokeh inside; in VS Code an ipywidget, in a terminal text."""

from __future__ import annotations

import re
import subprocess
import sys

import holoviews as hv
import nbformat
import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook
from rnnscope.app import notebook

LOAD = "application/vnd.holoviews_load.v0+json"
SHOWN = "application/vnd.holoviews_exec.v0+json"
WIDGET = "application/vnd.jupyter.widget-view+json"
MAKE = "from rnnscope.app import GradientLab\nlab = GradientLab(n=4, T=10, rho=1.2)"


def executed(*sources: str, tmp_path, **client) -> list[list[dict]]:
    """The outputs of each cell, run in a kernel of its own."""
    book = new_notebook(cells=[new_code_cell(source) for source in sources])
    NotebookClient(book, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}, **client).execute()
    nbformat.validate(book)
    return [cell.outputs for cell in book.cells]


def kinds(outputs: list[dict]) -> set[str]:
    return {kind for output in outputs for kind in output.get("data", {})}


def html(outputs: list[dict]) -> str:
    return "".join(output.get("data", {}).get("text/html", "") for output in outputs)


@pytest.fixture(scope="module")
def cells(tmp_path_factory) -> list[list[dict]]:
    sources = (
        MAKE,
        "lab",
        "lab.state.rho = 1.5\nprint(lab.run.config.rho, lab)",
        "lab",
        "lab.figure('decay') * __import__('holoviews').HLine(0)",
    )
    return executed(*sources, tmp_path=tmp_path_factory.mktemp("kernel"))


def test_the_first_lab_that_is_shown_brings_the_scripts_the_next_ones_do_not(cells):
    assert not kinds(cells[0])
    assert {LOAD, SHOWN} <= kinds(cells[1])
    assert SHOWN in kinds(cells[3])
    assert LOAD not in kinds(cells[3])


def test_the_scripts_come_out_of_the_package(cells):
    loaded = "".join(output.get("data", {}).get(LOAD, "") for output in cells[1])
    assert len(loaded) > 1e6  # BokehJS itself
    assert set(re.findall(r"(?:js_urls|js_modules|css_urls) = (\[.*?\]);", loaded)) == {"[]"}


def test_what_is_shown_is_the_lab_as_it_is_then(cells):
    assert "n=4&T=10&rho=1.2" in html(cells[1])
    assert "n=4&T=10&rho=1.5" in html(cells[3])
    assert cells[2][0]["text"].split(maxsplit=1) == ["1.5", "GradientLab('n=4&T=10&rho=1.5')\n"]


def test_a_figure_is_shown_too(cells):
    assert SHOWN in kinds(cells[4])
    assert "Jacobian norm against lag" in html(cells[4])


def test_no_cell_warns(cells):
    assert [output for outputs in cells for output in outputs if output.get("name") == "stderr"] == []


class Shell:
    """A notebook's shell as far as it is asked: which cell is run."""

    kernel = object()

    def __init__(self):
        self.cell = "a"

    def get_parent(self):
        return {"metadata": {"cellId": self.cell}}


def test_scripts_come_once_and_again_with_the_cell_that_brought_them(monkeypatch):
    """Run again, that cell has new outputs: a page that is opened later finds the scripts in these or nowhere."""
    loads, ip = [], Shell()

    class Extension:
        _loaded = False

        def __init__(self, **options):
            loads.append((ip.cell, options))
            Extension._loaded = True

    monkeypatch.setattr(notebook.pn, "extension", Extension)
    monkeypatch.setattr(hv.extension, "_loaded", False)
    for ip.cell in ("a", "b", "a", "c"):
        notebook.prepare(ip)
    assert loads == [("a", {"inline": True}), ("a", {"inline": True})]


def test_in_vs_code_it_is_an_ipywidget(tmp_path, monkeypatch):
    monkeypatch.setenv("VSCODE_PID", "1")
    _, shown, comms = executed(MAKE, "lab", "import panel\nprint(panel.config.comms)", tmp_path=tmp_path)
    assert comms[0]["text"] == "vscode\n"
    assert WIDGET in kinds(shown)


def test_in_a_terminal_it_is_text(tmp_path):
    code = f"{MAKE}\nfrom IPython.core.interactiveshell import InteractiveShell\n"
    code += "shell = InteractiveShell.instance()\nprint(shell.display_formatter.format(lab)[0])"
    said = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True, check=True, cwd=tmp_path)
    assert said.stdout.strip() == "{'text/plain': \"GradientLab('n=4&T=10&rho=1.2')\"}"
