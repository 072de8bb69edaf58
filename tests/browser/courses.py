"""Course pages for the tests: served from another origin than the labs, as courses are."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.sync_api import Frame, Page, expect

from tests.browser.pages import READY, Problems, settled


class Quiet(SimpleHTTPRequestHandler):
    """Files of a folder, without a line in the log for each."""

    def log_message(self, *_: Any) -> None:
        """Nothing."""


@contextmanager
def course(folder: Path, problems: Problems) -> Iterator[str]:
    """The origin of a server of this folder, to which the page may go besides the labs."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        origin = f"http://127.0.0.1:{server.server_port}"
        problems.allow(f"^request to another host: {re.escape(origin)}/")
        try:
            yield origin
        finally:
            server.shutdown()


@contextmanager
def labs_that_allow(host: str) -> Iterator[str]:
    """The address of a server of its own whose labs a page of `host` may take in by script."""
    command = [sys.executable, "-m", "rnnscope.app.cli", "serve", "--port", "0", "--address", "127.0.0.1"]
    command += ["--allow-websocket-origin", host]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().split("   ")[0].removeprefix("RNNScope is at ").strip()
        finally:
            process.terminate()


def write_page(path: Path, body: str) -> None:
    """A page of a course around `body`, with an icon so that the browser asks for none."""
    head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>A course</title><link rel="icon" href="data:,">'
    path.write_text(f"{head}<body>{body}</body></html>", encoding="utf-8")


def lab_in(page: Page, index: int) -> Frame:
    """The lab in a frame of the page, started, brought into view and at rest."""
    place = page.locator("iframe").nth(index)
    place.scroll_into_view_if_needed()
    frame = place.element_handle().content_frame()
    assert frame is not None
    frame.locator(READY).wait_for()
    settled(frame)
    return frame


def height_follows(page: Page, index: int) -> int:
    """Wait until a frame is as high as its lab; returns that height."""
    place, frame = page.locator("iframe").nth(index), lab_in(page, index)
    content = "() => Math.ceil(document.documentElement.getBoundingClientRect().height)"
    frame.wait_for_function(f"() => innerHeight === ({content})()")
    expect(place).to_have_attribute("style", re.compile(r"height: \d+px"))
    return int(frame.evaluate(content))
