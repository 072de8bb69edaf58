"""A real server in this process, for the tests that ask it over HTTP."""

import asyncio
import gzip
import threading
import urllib.request
from types import SimpleNamespace

import pytest
from tornado.ioloop import IOLoop


class Served:
    """`rnnscope serve` on a free port, in a thread; `server` is Bokeh's."""

    def __init__(self):
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        assert self._ready.wait(60), "the server did not start"
        if self.error:
            raise self.error
        self.url = f"http://localhost:{self.server.port}"

    def _run(self):
        self.server = self.error = None
        try:
            self._start()
        except Exception as error:  # a thread's own traceback would be lost
            self.error = error
            return
        finally:
            self._ready.set()
        self.loop.start()
        self.loop.close(all_fds=True)

    def _start(self):
        from rnnscope.app import server  # noqa: PLC0415  only the tests that ask a server load Panel

        asyncio.set_event_loop(asyncio.new_event_loop())
        self.loop = IOLoop.current()
        self.server = server.build(port=0)
        self.server.start()

    def stop(self):
        self.loop.add_callback(self._stop)
        self._thread.join(20)
        assert not self._thread.is_alive()

    def _stop(self):
        self.server.stop(wait=False)
        self.loop.stop()

    def get(self, path, **headers):
        """Status, headers, body; a compressed body is opened, its size on the wire is `sent`."""
        request = urllib.request.Request(
            self.url + path, headers={name.replace("_", "-"): value for name, value in headers.items()}
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            sent = answer.read()
            body = gzip.decompress(sent) if answer.headers.get("Content-Encoding") == "gzip" else sent
            return SimpleNamespace(status=answer.status, headers=answer.headers, sent=len(sent), text=body.decode())


@pytest.fixture(scope="session")
def served():
    server = Served()
    yield server
    server.stop()
