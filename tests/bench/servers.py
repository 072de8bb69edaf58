"""The servers that are measured: subprocesses on a free port of 127.0.0.1 that end with their `with` block."""

from __future__ import annotations

import selectors
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

HOST = "127.0.0.1"
START_SECONDS = 60
STOP_SECONDS = 10


@dataclass(frozen=True)
class Served:
    """A running server: `http://{address}/`, and its process."""

    address: str
    pid: int

    def url(self, path: str) -> str:
        return f"http://{self.address}{path}"


@contextmanager
def labs() -> Iterator[Served]:
    """`rnnscope serve`, as a user starts it."""
    port = _free_port()
    options = ["--port", str(port), "--address", HOST, "--allow-websocket-origin", f"{HOST}:{port}"]
    with _running(["-m", "rnnscope.app.cli", "serve", *options], port) as served:
        yield served


@contextmanager
def bare(nodelay: bool) -> Iterator[Served]:
    """The bare Bokeh page of `bare_page.py`, with Nagle's algorithm on or off."""
    port = _free_port()
    with _running(["-m", "tests.bench.bare_page", str(port), "nodelay" if nodelay else "nagle"], port) as served:
        yield served


@contextmanager
def _running(arguments: list[str], port: int) -> Iterator[Served]:
    """Start Python with `arguments`, wait for its first line, and stop it in the end, whatever happens."""
    with tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.PIPE, stderr=errors, text=True)
        try:
            _wait_for_line(process, errors)
            yield Served(f"{HOST}:{port}", process.pid)
        finally:
            _stop(process)


def _wait_for_line(process: subprocess.Popen[str], errors: IO[str]) -> None:
    """Each server prints one line once it listens."""
    assert process.stdout is not None
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        ready = selector.select(START_SECONDS) and process.stdout.readline()
    if not ready:
        errors.seek(0)
        raise RuntimeError(f"The server did not start within {START_SECONDS} s: {errors.read()[-2000:]}")


def _stop(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(STOP_SECONDS)
    if process.stdout:
        process.stdout.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])
