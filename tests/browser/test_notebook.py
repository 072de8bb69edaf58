"""A lab in JupyterLab itself: shown by its name alone, live, in the notebook's theme, with keys of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Page, expect
from rnnscope.core import LSTMConfig, RNNConfig, decay, run

from .conftest import new_context
from .pages import READY, Problems, button, slider

CELLS = (
    "from rnnscope.app import GradientLab\nlab = GradientLab(rho=1.2, hidden_size=8, steps=20)\nlab",
    "lab.state.rho = 1.5\nprint(lab.run.config.rho)",
    """from rnnscope.app import LSTMLab
from rnnscope.core import LSTMConfig, run
mine = run(LSTMConfig(n=2, d=3, T=6, seed=5))
LSTMLab(cell=mine.cell, xs=mine.trace.xs)""",
)
#: A server of its own: no token, nothing asked of another host, no question about news.
OPTIONS = (
    "--no-browser", "--allow-root", "--ServerApp.ip=127.0.0.1", "--ServerApp.port=0", "--IdentityProvider.token=",
    "--LabApp.news_url=None", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.extension_manager=readonly", "--LabApp.expose_app_in_browser=True",
)  # fmt: skip
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}
#: What is run before the kernel has answered is lost.
KERNEL_IS_UP = """async () => {
  const { sessionContext } = jupyterapp.shell.currentWidget;
  await sessionContext.ready;
  await sessionContext.session.kernel.info;
}"""
ADDRESS = re.compile(r"(http://127\.0\.0\.1:\d+)/lab")


@pytest.fixture
def jupyter(tmp_path: Path) -> Iterator[str]:
    """JupyterLab over a folder with one notebook, its settings, data and sockets beside it."""
    work = tmp_path / "work"
    work.mkdir()
    cells = [new_code_cell(source) for source in CELLS]
    nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": KERNEL}), work / "lab.ipynb")
    own = {f"JUPYTER_{name}_DIR": str(tmp_path / name.lower()) for name in ("CONFIG", "DATA", "RUNTIME")}
    own |= {"IPYTHONDIR": str(tmp_path / "ipython"), "JUPYTER_PLATFORM_DIRS": "1"}
    command = [sys.executable, "-m", "jupyterlab", *OPTIONS, f"--ServerApp.root_dir={work}"]
    log = tmp_path / "log"
    with log.open("w") as errors, subprocess.Popen(command, env=os.environ | own, stderr=errors, cwd=work) as server:
        try:
            yield address(server, log)
        finally:
            server.terminate()


def address(server: subprocess.Popen[bytes], log: Path) -> str:
    """Where the server says that it listens."""
    while server.poll() is None:
        if found := ADDRESS.search(log.read_text("utf-8")):
            return found[1]
    raise AssertionError(log.read_text("utf-8"))


@pytest.fixture
def notebook(browser, jupyter: str) -> Iterator[Page]:
    """The notebook, its kernel up. Afterwards: nothing on the console, no request elsewhere."""
    context = new_context(browser)
    context.set_default_timeout(60_000)  # a kernel starts meanwhile
    page, found = context.new_page(), Problems(jupyter.removeprefix("http://"))
    # Panel 1.10 asks the notebook's own server, by HEAD, whether Panel is installed there too
    found.allow(r"^failed: [^ ]*/panel-preview/static/extensions/panel/panel\.min\.js: net::ERR_ABORTED$")
    found.watch(page)
    page.goto(f"{jupyter}/lab/tree/lab.ipynb")
    page.locator(".jp-Notebook .jp-CodeCell").nth(len(CELLS) - 1).wait_for()
    page.evaluate(KERNEL_IS_UP)
    yield page
    context.close()
    assert found.unexpected() == []


def execute(page: Page, place: int) -> None:
    page.locator(".jp-Notebook .jp-CodeCell").nth(place).locator(".cm-content").click()
    page.keyboard.press("Shift+Enter")


def half_life(rho: float) -> str:
    shown = run(RNNConfig(n=8, d=1, T=20, rho=rho))
    return repr(float(decay(shown.cell, shown.trace).steps))


def shows(page: Page, rho: float) -> None:
    """The page says what core says of this radius."""
    expect(page.locator(".readout[data-symbol=half_life]").first).to_have_attribute("data-value", half_life(rho))


def selected(page: Page) -> list[bool]:
    """Of every cell of the notebook whether it is the selected one."""
    return page.locator(".jp-Notebook .jp-Cell").evaluate_all(
        "(cells) => cells.map((cell) => cell.classList.contains('jp-mod-selected'))"
    )


def test_a_lab_lives_in_a_cell(notebook):
    execute(notebook, 0)
    lab = notebook.locator(f"{READY}.lab-gradients")
    lab.wait_for()
    shows(notebook, 1.2)
    expect(button(notebook, "Reset")).to_be_visible()
    expect(button(notebook, "Copy link")).to_have_count(0)  # the address is the notebook's

    # keys of the lab are the lab's: none selects, adds or deletes a cell
    notebook.locator(".jp-Notebook.jp-mod-commandMode").wait_for()
    slider(notebook, "rho").focus()
    before = selected(notebook)
    assert before == [True, False, False]
    for key in ("ArrowRight", "ArrowUp", "ArrowDown", "a", "b", "x", "m"):
        notebook.keyboard.press(key)
    shows(notebook, 1.21)
    assert selected(notebook) == before

    # another cell moves what is shown
    execute(notebook, 1)
    expect(notebook.locator(".jp-OutputArea-output", has_text="1.5").last).to_be_visible()
    shows(notebook, 1.5)
    expect(slider(notebook, "rho")).to_have_value("1.5")

    # the notebook's theme is the lab's, its figures' too
    surface = "(e) => getComputedStyle(e).backgroundColor"
    light = lab.evaluate(surface)
    notebook.evaluate("() => { document.body.dataset.jpThemeLight = 'false'; }")
    expect(lab).to_have_attribute("data-theme", "dark")
    assert lab.evaluate(surface) != light

    # a cell and inputs of one's own: their numbers, and no control that draws any
    execute(notebook, 2)
    own = notebook.locator(f"{READY}.lab-lstm")
    own.wait_for()
    mine = run(LSTMConfig(n=2, d=3, T=6, seed=5)).trace
    state = own.locator(".readout[data-symbol=h][data-t='5'][data-unit='0']").first
    expect(state).to_have_attribute("data-value", repr(float(mine.hs[5, 0])))
    expect(own.get_by_text("weights and inputs are yours, nothing here is drawn")).to_be_visible()
    drawn = own.locator("[data-key=rho], [data-key=seed], [data-key=input], [data-key=forget_bias], .presets")
    expect(drawn).to_have_count(0)
    own.locator(".paths-view").scroll_into_view_if_needed()
    expect(own.locator(".paths-numbers").first).to_contain_text("product of forget gates")
    expect(own.locator(".paths-numbers").first).not_to_contain_text("RNN")

    # nothing has been said in a cell that was not asked for
    expect(notebook.locator(".jp-OutputArea-output", has_text="Traceback")).to_have_count(0)
