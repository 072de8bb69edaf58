"""Serve every lab and the home page: what `rnnscope serve` and `make serve` run."""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import panel as pn
from bokeh.settings import settings
from tornado.ioloop import IOLoop, PeriodicCallback
from tornado.process import task_id
from tornado.web import RequestHandler

from . import home, page
from .sweeps.pool import close_shared_pool

#: A closed laptop keeps its session this long; the link in the address bar brings the state back after that.
UNUSED_SESSION_MS = 120_000
#: Larger than the longest accepted text by far; smaller than Bokeh's 20 MB, which nobody here needs.
LARGEST_MESSAGE = 1_048_576
PARENT_CHECK_MS = 500


class HomePage(RequestHandler):
    """The list of labs: a page without a session."""

    def get(self) -> None:
        self.set_header("Cache-Control", "no-cache")
        self.write(home.render())


def applications() -> dict[str, str]:
    """Route -> the page script of each lab, as `panel serve app/pages/*.py` runs it."""
    pages = files("rnnscope.app") / "pages"
    return {f"/{lab.route}": str(pages / f"{lab.route}.py") for lab in page.LABS}


def build(port: int, address: str | None = None, origins: list[str] | None = None, processes: int = 1) -> Any:
    """A server that is ready to start. Pages and scripts are compressed; the first visitor waits for no import.

    With several processes this returns in each of them: the one that was asked only watches over the others.
    """
    several = {"num_procs": processes} if processes > 1 else {}
    return pn.io.server.get_server(
        applications(),
        port=port,
        address=address,
        websocket_origin=origins,
        extra_patterns=[(r"/", HomePage), (r"/index\.html", HomePage)],
        use_index=False,
        redirect_root=False,
        warm=processes == 1,  # what has run before the fork would be shared by all
        compress_response=True,
        unused_session_lifetime_milliseconds=UNUSED_SESSION_MS,
        websocket_max_message_size=LARGEST_MESSAGE,
        **several,
    )


def serve(
    port: int, address: str | None = None, origins: list[str] | None = None, show: bool = False, processes: int = 1
) -> None:
    """Serve until Ctrl-C or SIGTERM. Prints the address; leaves nothing running."""
    _quieten()
    settings.perform_document_validation = False  # a check for whoever writes figures: 20 ms of every session
    _on_end(lambda: sys.exit(0))
    first = os.getpid()
    server = build(port, address, origins, processes)
    server.start()
    if task_id() in (None, 0):
        print(f"RNNScope is at http://{address or 'localhost'}:{server.port}/   (Ctrl-C stops it)", flush=True)
    if show and task_id() in (None, 0):
        server.io_loop.add_callback(server.show, "/")
    _on_end(lambda: server.io_loop.add_callback_from_signal(_stop, server))
    if os.getpid() != first:
        _end_with(first, server)
    server.io_loop.start()
    close_shared_pool()


def _on_end(act: Callable[[], object]) -> None:
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: act())


def _end_with(parent: int, server: Any) -> None:
    """Stop when the process that watches over this one is gone: Tornado would leave us listening."""
    PeriodicCallback(lambda: os.getppid() != parent and _stop(server), PARENT_CHECK_MS).start()


def _stop(server: Any) -> None:
    server.stop(wait=False)
    IOLoop.current().stop()


def _quieten() -> None:
    """One line in the log for what goes wrong, none for what goes well."""
    for name in ("bokeh", "tornado.access"):
        logging.getLogger(name).setLevel(logging.WARNING)
