"""Several processes share one port, and none of them outlives the one that was started."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request

PATIENCE = 60


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def wait_until(condition) -> None:
    """Look again, a tenth of a second apart, until the condition holds or patience ends."""
    deadline, pause = time.monotonic() + PATIENCE, threading.Event()
    while not condition():
        assert time.monotonic() < deadline, "It did not come to pass."
        pause.wait(0.1)


def test_two_processes_serve_and_stop_together():
    port = free_port()
    command = [sys.executable, "-m", "rnnscope.app.cli", "serve", "--address", "127.0.0.1"]
    served = subprocess.Popen([*command, "--port", str(port), "--num-procs", "2"], stdout=subprocess.PIPE, text=True)
    try:
        assert served.stdout.readline().startswith(f"RNNScope is at http://127.0.0.1:{port}/")
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/unfold", timeout=PATIENCE) as answer:
            assert answer.status == 200
        served.send_signal(signal.SIGTERM)
        assert served.wait(PATIENCE) == 0
        wait_until(lambda: not listens(port))
    finally:
        served.kill()
        served.stdout.close()
