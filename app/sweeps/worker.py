"""A worker process: reads calls from its standard input, answers on its standard output, ends with its parent."""

from __future__ import annotations

import os
import pickle
import queue
import sys
import threading
from typing import Any

import rnnscope.core  # noqa: F401 -- loaded before the first call asks for it

#: The lowest priority: a page that is being used comes first.
NICENESS = 19


def main() -> None:
    """Answer calls one by one until the pipe ends, which it does however the parent ended: SIGKILL too."""
    os.nice(NICENESS)
    if hasattr(os, "SCHED_IDLE"):  # Linux: whoever else wakes up runs at once, not at the end of our time slice
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not mix with the answers
    calls: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(calls,), daemon=True).start()
    while True:
        pickle.dump(_answer(*calls.get()), answers)
        answers.flush()


def _read(calls: queue.SimpleQueue[Any]) -> None:
    """Pass calls on; the end of the pipe ends the process at once, in the middle of a call too."""
    while True:
        try:
            calls.put(pickle.load(sys.stdin.buffer))  # noqa: S301 -- our parent writes, over a pipe of its own
        except EOFError:
            os._exit(0)


def _answer(function: Any, arguments: tuple[Any, ...]) -> tuple[bool, Any]:
    """Whether the call went well, and what it returned or raised: an error is the caller's, not the worker's end."""
    try:
        return True, function(*arguments)
    except Exception as error:  # raised again in the parent
        return False, error


if __name__ == "__main__":
    main()
