"""Serve every lab and the home page: what `rnnscope serve` and `make serve` run."""

from __future__ import annotations

import logging
import signal
from importlib.resources import files
from typing import Any

import panel as pn
from bokeh.settings import settings
from tornado.ioloop import IOLoop
from tornado.web import RequestHandler

from . import home, page

#: A closed laptop keeps its session this long; the link in the address bar brings the state back after that.
UNUSED_SESSION_MS = 120_000
#: Larger than the longest accepted text by far; smaller than Bokeh's 20 MB, which nobody here needs.
LARGEST_MESSAGE = 1_048_576


class HomePage(RequestHandler):
    """The list of labs: a page without a session."""

    def get(self) -> None:
        self.set_header("Cache-Control", "no-cache")
        self.write(home.render())


def applications() -> dict[str, str]:
    """Route -> the page script of each lab, as `panel serve app/pages/*.py` runs it."""
    pages = files("rnnscope.app") / "pages"
    return {f"/{lab.route}": str(pages / f"{lab.route}.py") for lab in page.LABS}


def build(port: int, address: str | None = None, origins: list[str] | None = None, **options: Any) -> Any:
    """A server that is ready to start. Pages and scripts are compressed; the first visitor waits for no import."""
    return pn.io.server.get_server(
        applications(),
        port=port,
        address=address,
        websocket_origin=origins,
        extra_patterns=[(r"/", HomePage), (r"/index\.html", HomePage)],
        use_index=False,
        redirect_root=False,
        warm=True,
        compress_response=True,
        unused_session_lifetime_milliseconds=UNUSED_SESSION_MS,
        websocket_max_message_size=LARGEST_MESSAGE,
        **options,
    )


def serve(
    port: int, address: str | None = None, origins: list[str] | None = None, show: bool = False, processes: int = 1
) -> None:
    """Serve until Ctrl-C or SIGTERM. Prints the address; leaves nothing running."""
    _quieten()
    settings.perform_document_validation = False  # a check for whoever writes figures: 20 ms of every session
    options = {"num_procs": processes} if processes != 1 else {}
    server = build(port, address, origins, **options)
    server.start()
    shown = f"http://{address or 'localhost'}:{server.port}/"
    print(f"RNNScope is at {shown}   (Ctrl-C stops it)", flush=True)
    if show:
        server.io_loop.add_callback(server.show, "/")
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: server.io_loop.add_callback_from_signal(_stop, server))
    server.io_loop.start()


def _stop(server: Any) -> None:
    server.stop(wait=False)
    IOLoop.current().stop()


def _quieten() -> None:
    """One line in the log for what goes wrong, none for what goes well."""
    for name in ("bokeh", "tornado.access"):
        logging.getLogger(name).setLevel(logging.WARNING)
