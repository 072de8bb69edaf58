"""A pool of niced worker processes behind the interface of `concurrent.futures`.

Our own and not `ProcessPoolExecutor`: its spawned workers import the parent's main module again (all of Panel under
`panel serve`), take Ctrl-C for themselves, and one that is killed takes the whole pool with it. Here a worker starts
in 0.2 s, hears no signal of the terminal, and a lost one costs the call that it was at; the next call starts another.
"""

from __future__ import annotations

import atexit
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import cache
from typing import Any

from .errors import SweepError

#: One thread a worker: several workers with several each would take turns on the same cores.
ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in ("OPENBLAS", "OMP", "MKL", "BLIS")}


class WorkerLostError(SweepError):
    """A worker process ended in the middle of a call."""


class Worker:
    """One worker process, started when it is first asked; after a loss the next call starts another."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._closed = False

    def call(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        """Run `function(*arguments)` in the process; raises what it raises, or WorkerLostError."""
        process = self._started()
        try:
            pickle.dump((function, arguments), process.stdin)  # type: ignore[arg-type]
            process.stdin.flush()  # type: ignore[union-attr]
            good, result = pickle.load(process.stdout)  # type: ignore[arg-type]  # noqa: S301 -- our own worker writes
        except (EOFError, OSError, pickle.UnpicklingError, ValueError) as error:
            raise WorkerLostError(f"a worker process ended: {_reason(self._end())}") from error
        if good:
            return result
        raise result

    def close(self) -> None:
        """End the process at once, in the middle of a call too; the call then raises WorkerLostError."""
        self._closed = True
        self._end()

    @property
    def pid(self) -> int | None:
        """The process that runs now, if one does."""
        return self._process.pid if self._process else None

    def _started(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._closed:
                raise WorkerLostError("the pool of worker processes is closed")
            if self._process is None or self._process.poll() is not None:
                self._process = _start()
            return self._process

    def _end(self) -> int:
        """Kill what is left of the process and collect it, so that no zombie stays; returns its exit status."""
        with self._lock:
            process, self._process = self._process, None
        if process is None:
            return -signal.SIGKILL
        process.kill()
        status = process.wait()
        for pipe in (process.stdin, process.stdout):
            _close_pipe(pipe)
        return status


def _start() -> subprocess.Popen[bytes]:
    path = os.pathsep.join(entry for entry in sys.path if entry)
    return subprocess.Popen(  # noqa: S603 -- our own module, by the interpreter that runs us
        [sys.executable, "-P", "-m", f"{__package__}.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, **ONE_THREAD, "PYTHONPATH": path},
        start_new_session=True,  # Ctrl-C is for the parent, which ends its workers
    )


def _close_pipe(pipe: Any) -> None:
    try:
        pipe.close()
    except BrokenPipeError:  # what was still to be written has no reader any more
        return


def _reason(status: int) -> str:
    return signal.Signals(-status).name if status < 0 else f"exit status {status}"


class WorkerPool(Executor):
    """`count` worker processes that take calls in the order in which they come.

    Callers share it fairly as long as each submits a few calls ahead only (see `runner.completed`).

    Parameters
    ----------
    count : processes; each starts with its first call
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._workers: list[Worker] = []
        self._own = threading.local()
        self._threads = ThreadPoolExecutor(count, "sweep", initializer=self._take_worker)
        atexit.register(self.shutdown)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call a function of a module in a worker; positional arguments only, all of them picklable."""
        if kwargs:
            raise TypeError(f"a worker takes positional arguments only, got {', '.join(kwargs)}")
        return self._threads.submit(lambda: self._own.worker.call(fn, args))

    def pids(self) -> list[int]:
        """The processes that run now."""
        return [worker.pid for worker in self._workers if worker.pid is not None]

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:
        """End every worker at once; calls that wait are cancelled. May be called twice."""
        self._threads.shutdown(wait=False, cancel_futures=cancel_futures)
        for worker in list(self._workers):
            worker.close()
        self._threads.shutdown(wait=wait)
        atexit.unregister(self.shutdown)

    def _take_worker(self) -> None:
        self._own.worker = Worker()
        self._workers.append(self._own.worker)


def spare_cores() -> int:
    """All cores but one, which stays with the page; at least one."""
    return max(1, (os.cpu_count() or 1) - 1)


@cache  # one pool a process, shared by all sessions: more workers than cores would only be slower for everybody
def shared_pool() -> WorkerPool:
    """Return the pool of this process, made when it is first asked for: after a fork, never before one."""
    return WorkerPool(spare_cores())


def close_shared_pool() -> None:
    """End the workers of this process, where there are any; the next sweep makes a new pool."""
    if shared_pool.cache_info().currsize:
        shared_pool().shutdown()
        shared_pool.cache_clear()
