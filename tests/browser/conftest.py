"""One server in this process, so that tests can count its calls; one browser; one page a test that must stay quiet."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.browser.find_browser import launch_options
from tests.browser.pages import READY, TAP, Problems, Site, open_page

START_SECONDS = 60
#: One renderer for all pages: a test starts no process of its own and compiles no script anew.
ONE_RENDERER = ("--process-per-site", "--renderer-process-limit=1")
WAIT_MS = 20_000
expect.set_options(timeout=WAIT_MS)


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    """The labs as `rnnscope serve` serves them, on a free port, from a thread of this process."""
    from rnnscope.app import server as labs  # noqa: PLC0415  Panel is loaded for the tests that need it

    started, box = threading.Event(), {}

    def serve() -> None:
        asyncio.set_event_loop(asyncio.new_event_loop())
        box["server"] = labs.build(port=0, address="127.0.0.1")
        box["server"].start()
        started.set()
        box["server"].io_loop.start()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    assert started.wait(START_SECONDS), "The server did not start."
    yield Site(box["server"].port)
    stop_server(box["server"], thread)


def stop_server(server: Any, thread: threading.Thread) -> None:
    """End the sessions and the loop from inside its own thread, then wait for that."""

    def stop() -> None:
        server.stop(wait=False)
        server.io_loop.stop()

    server.io_loop.add_callback(stop)
    thread.join(START_SECONDS)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    options = launch_options(*ONE_RENDERER)  # starts a Playwright of its own: never inside another
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(**options)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """One cache for all tests."""
    shared = new_context(browser)
    yield shared
    shared.close()


def new_context(browser: Browser) -> BrowserContext:
    made = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    made.set_default_timeout(WAIT_MS)
    made.add_init_script(TAP)
    return made


@pytest.fixture
def problems(site: Site) -> Problems:
    return Problems(site.origin.removeprefix("http://"))


@pytest.fixture
def page(context: BrowserContext, site: Site, problems: Problems, caplog: pytest.LogCaptureFixture) -> Iterator[Page]:
    """A fresh page. Afterwards: nothing on the console, no request elsewhere, no traceback in the server's log."""
    fresh = context.new_page()
    forget(context, fresh, site)
    problems.watch(fresh)
    yield fresh
    fresh.close()
    assert problems.unexpected() == []
    assert tracebacks(caplog) == []


def forget(context: BrowserContext, page: Page, site: Site) -> None:
    """What a visitor chose in an earlier test is not remembered; the cache is."""
    session = context.new_cdp_session(page)
    session.send("Storage.clearDataForOrigin", {"origin": site.origin, "storageTypes": "local_storage"})
    session.detach()


def tracebacks(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Errors and tracebacks that the server logged during the test."""
    records = [*caplog.get_records("setup"), *caplog.get_records("call")]
    # A page that is closed while an answer is on its way: nobody is left to read it.
    records = [record for record in records if "WebSocketClosedError" not in record.getMessage()]
    return [record.getMessage() for record in records if record.levelno >= logging.ERROR or record.exc_info]


@pytest.fixture
def visit(page: Page, site: Site) -> Callable[..., Page]:
    """`visit(lab, query, width=, height=, theme=)`: the page, settled, in that state. The home page is lab ""."""

    def go(lab: str, query: str = "", **how: Any) -> Page:
        return open_page(page, site.url(lab, query), ready=READY if lab else ".home .card", **how)

    return go


@pytest.fixture
def own_page(browser: Browser, problems: Problems) -> Iterator[Page]:
    """A page of a context of its own: for permissions, and for servers that are stopped."""
    own = new_context(browser)
    fresh = own.new_page()
    problems.watch(fresh)
    yield fresh
    own.close()
    assert problems.unexpected() == []


@pytest.fixture
def clipboard_page(browser: Browser, site: Site, problems: Problems) -> Iterator[Page]:
    """A page that may use the clipboard."""
    context = new_context(browser)
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=site.origin)
    page = context.new_page()
    problems.watch(page)
    yield page
    context.close()
    assert problems.unexpected() == []
