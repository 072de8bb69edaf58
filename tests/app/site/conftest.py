"""A stand-in for a Pyodide release, in a folder and behind an address."""

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.app.site.stand_in import stand_in


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """No line a request."""


@pytest.fixture
def release(tmp_path):
    return stand_in(tmp_path / "release")


@pytest.fixture
def address(release):
    """The same release, served."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(release)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
