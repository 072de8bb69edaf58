"""One Chromium for the bench, and pages of it that wait until a lab or the bare page stands."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.find_browser import launch_options

VIEWPORT = {"width": 1280, "height": 800}
READY_MS = 30_000
IDLE = "() => window.Bokeh?.documents?.length > 0 && Bokeh.documents[0].is_idle"


@contextmanager
def chromium() -> Iterator[Browser]:
    options = launch_options()  # starts a Playwright of its own: never inside another
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**options)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def fresh_page(browser: Browser) -> Iterator[Page]:
    """A page of a new context: cold cache, no storage. `bypass_csp` lets Playwright evaluate; it changes no request."""
    context = browser.new_context(viewport=VIEWPORT, bypass_csp=True)
    try:
        yield context.new_page()
    finally:
        context.close()


def wait_until_drawn(page: Page, mark: str) -> None:
    """Until an element matches `mark`, and BokehJS says that every view has finished."""
    page.wait_for_selector(mark, state="attached", timeout=READY_MS)
    page.wait_for_function(IDLE, timeout=READY_MS)
