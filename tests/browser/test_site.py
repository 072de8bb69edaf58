"""A site without a server, with the network cut off: its first picture, what it says where Python does not come, and
the live lab in the place of the picture.

Pyodide is a stand-in (see tests/app/site/stand_in.py): NumPy for WebAssembly is on no package registry. Where a lab
must be live, the page's worker asks this Python (see python_here.py).
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect
from rnnscope.app.site.write import Order, write_site

from tests.app.site.stand_in import LOADER, REASON, stand_in
from tests.browser import python_here
from tests.browser.conftest import new_context
from tests.browser.expected import Expected
from tests.browser.pages import Problems, Readout, Site, readouts, slider
from tests.browser.python_here import PythonHere, WithPython

PICTURE = "[data-picture=drawn]"
QUERY = "W=0.5&T=4&utm_source=moodle"


class Files(SimpleHTTPRequestHandler):
    """What `python -m http.server` does, in silence."""

    def log_message(self, *_: object) -> None:
        """No line a request."""


class FilesForAll(Files):
    """What a host of Pyodide does besides: pages of other hosts may load it."""

    def end_headers(self) -> None:
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()


@contextmanager
def serving(folder: Path, handler: Callable[..., SimpleHTTPRequestHandler] = Files) -> Iterator[Site]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield Site(server.server_port)
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("site")
    write_site(Order(made / "site", str(stand_in(made / "release")), ("unfold", "gradients")), lambda _: None)
    return made / "site"


@pytest.fixture(scope="module")
def files(folder: Path) -> Iterator[Site]:
    with serving(folder) as site:
        yield site


@pytest.fixture
def cut_off(browser: Browser, files: Site) -> Iterator[BrowserContext]:
    """A visitor for whom nothing but the site's own files can be reached."""
    context = new_context(browser)
    context.route("**/*", partial(_own_files_alone, files.origin))
    yield context
    context.close()


def _own_files_alone(origin: str, route: Route) -> None:
    if route.request.url.startswith(origin):
        route.continue_()
    else:
        route.abort()


@pytest.fixture
def problems(files: Site) -> Problems:
    return Problems(files.origin.removeprefix("http://"))


@pytest.fixture
def page(cut_off: BrowserContext, problems: Problems) -> Iterator[Page]:
    fresh = cut_off.new_page()
    problems.watch(fresh)
    yield fresh
    assert problems.unexpected() == []


def wrong_numbers(page: Page, expected: Expected) -> list[Readout]:
    """The numbers on the page that are not those of the run."""
    return [found for found in readouts(page) if not expected.holds(found.key, float(found.value))]


def states(page: Page) -> dict[int, float]:
    """The hidden states of the unfolded network, by step."""
    return {found.t: float(found.value) for found in readouts(page, "svg") if found.symbol == "h" and found.unit == 0}


def run_states(query: str = "") -> dict[int, float]:
    return {t: float(h) for t, h in enumerate(Expected("unfold", query).run.trace.hs[:, 0])}


def test_the_picture_shows_the_numbers_of_the_run_and_says_that_python_does_not_come(
    page: Page, files: Site, problems: Problems
) -> None:
    problems.allow(REASON)
    page.goto(files.url("unfold.html", QUERY))
    page.locator(PICTURE).wait_for(state="attached")
    assert states(page) == run_states()
    assert wrong_numbers(page, Expected("unfold", "")) == []
    expect(page.locator(".starting[role=alert]")).to_contain_text(f"Python could not be started: {REASON}.")
    expect(page.get_by_role("button", name="Try again")).to_be_enabled()
    expect(slider(page, "W")).to_be_disabled()
    expect(page.locator("[data-share]")).to_be_disabled()
    page.locator(".node").first.click(force=True)
    assert page.url == files.url("unfold.html", QUERY)
    assert states(page) == run_states()


def test_what_a_lab_computes_at_rest_is_in_the_picture_and_a_loader_that_is_gone_is_said(
    page: Page, files: Site, folder: Path, problems: Problems
) -> None:
    problems.allow("pyodide.mjs")
    problems.allow("status of 404")
    (folder / "pyodide" / "pyodide.mjs").unlink()
    try:
        page.emulate_media(color_scheme="dark")
        page.goto(files.url("gradients.html", "embed=1&theme=dark"))
        page.locator(PICTURE).wait_for(state="attached")
        expect(page.locator(".starting[role=alert]")).to_contain_text(
            "Python could not be started: its files could not be loaded."
        )
    finally:
        (folder / "pyodide" / "pyodide.mjs").write_text(LOADER)
    busy = page.locator("[data-detail][aria-busy=true]")
    expect(busy).to_have_count(0)
    assert wrong_numbers(page, Expected("gradients", "")) == []
    assert len([found for found in readouts(page) if found.symbol == "lyapunov"]) >= 3
    expect(page.locator("header.app")).to_be_hidden()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_the_live_lab_takes_the_place_of_its_picture_and_answers(browser: Browser, tmp_path: Path) -> None:
    release = stand_in(tmp_path / "release", python_here.LOADER)
    write_site(Order(tmp_path / "site", str(release), ("unfold",)), lambda _: None)
    with serving(tmp_path / "site", partial(WithPython, python=PythonHere())) as own:
        context = new_context(browser)
        page, problems = context.new_page(), Problems(own.origin.removeprefix("http://"))
        problems.watch(page)
        page.goto(own.url("unfold.html", "W=0.5&hide=seed&utm_source=moodle"))
        page.locator(".starting").wait_for(state="detached")
        assert states(page) == run_states("W=0.5")
        assert page.locator(".rs").count() == 1
        _use(page)
        assert problems.unexpected() == []
        context.close()


def _use(page: Page) -> None:
    """Move a slider, ask where a number comes from, bring a part into view: each waits for the answer before it."""
    slider(page, "W").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("svg .readout[data-symbol=h][data-t='5']").first).to_have_attribute(
        "data-value", repr(run_states("W=0.51")[5])
    )
    page.locator("svg .readout[data-symbol=h][data-t='3']").first.click()
    expect(page.locator(".bdg")).to_contain_text("Recomputed from the equation")
    page.keyboard.press("Escape")
    rested = page.locator("[data-detail]").first
    rested.scroll_into_view_if_needed()
    expect(rested).to_have_attribute("aria-busy", "false")
    expect(page.locator("[data-share]")).to_be_enabled()
    page.wait_for_url(re.compile(r"/unfold\.html\?.*W=0\.51"))
    assert "hide=seed" in page.url


def test_a_page_may_load_pyodide_from_the_address_that_it_was_written_for(browser: Browser, tmp_path: Path) -> None:
    """The page's policy is the worker's for what it imports: the stand-in's own words show that it was loaded."""
    with serving(stand_in(tmp_path / "release"), FilesForAll) as host:
        write_site(Order(tmp_path / "site", host.origin, ("unfold",)), lambda _: None)
        with serving(tmp_path / "site") as own:
            context = new_context(browser)
            page = context.new_page()
            page.goto(own.url("unfold.html"))
            expect(page.locator(".starting[role=alert]")).to_contain_text(REASON)
            context.close()
