"""An executor under the test's hand, and waiting for what other threads and processes do."""

import time
from concurrent.futures import Executor, Future

PATIENCE = 20.0


def wait_for(condition, what=""):
    """Wait until `condition()` holds."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.002)


class Held(Executor):
    """A pool whose calls are run when the test says so."""

    def __init__(self):
        self.calls = []

    def submit(self, fn, /, *args):
        future = Future()
        self.calls.append((future, fn, args))
        return future

    def run(self):
        wait_for(lambda: self.calls)
        future, fn, args = self.calls.pop(0)
        if future.set_running_or_notify_cancel():
            future.set_result(fn(*args))
