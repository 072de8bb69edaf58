"""What `rnnscope sweep` does: compute a map into a file, from where an earlier run was stopped."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

import numpy as np
from rnnscope.core import ChaosGrid

from .cluster import connect
from .errors import SweepError
from .pool import WorkerPool, spare_cores
from .runner import completed, put_batch
from .store import Store

#: Seconds between two writes of the partial results: what a kill may cost.
SAVE_EVERY = 1.0


@dataclass(frozen=True)
class Order:
    """A map, its file, and where it is computed: on a cluster, else by worker processes (None: all cores but one)."""

    grid: ChaosGrid
    path: Path
    query: str = ""
    workers: int | None = None
    scheduler: str | None = None


def sweep(order: Order) -> None:
    """Compute what is missing of a map and write its file; says on standard error how far it is.

    Raises
    ------
    SweepError
        One line. What was computed until then is kept.
    KeyboardInterrupt
        The same, after saying how to go on.
    """
    store = Store(order.path, order.grid, order.query)
    if store.complete():
        _say(f"{order.path} is complete already")
        return
    state = _Progress(store, *store.load())
    if state.done.any():
        _say(f"going on from {state.points()} of {order.grid.total} points")
    if not state.done.all():
        try:
            with _executor(order) as (executor, ahead):
                _fill(state, executor, ahead)
        except KeyboardInterrupt:
            _say(f"stopped; {_resume_hint(store)}")
            raise
    store.finish(state.exponents)
    _say(f"{order.path}: {order.grid.shape[0]} x {order.grid.shape[1]} points, {_chaotic(state.exponents)} chaotic")


@dataclass
class _Progress:
    """How far a map is; written now and then."""

    store: Store
    exponents: np.ndarray
    done: np.ndarray
    saved: float = field(default_factory=monotonic)

    def put(self, batch: tuple[int, np.ndarray]) -> None:
        put_batch(self.store.grid, self.exponents, batch)
        self.done[batch[0]] = True
        if monotonic() - self.saved > SAVE_EVERY:
            self.save()

    def save(self) -> None:
        self.store.save_partial(self.exponents, self.done)
        self.saved = monotonic()

    def points(self) -> int:
        return sum(len(places) for places, done in zip(self.store.grid.batches(), self.done, strict=True) if done)


@contextmanager
def _executor(order: Order) -> Iterator[tuple[Executor, int]]:
    if order.scheduler is not None:
        with connect(order.scheduler) as cluster:
            yield cluster
        return
    pool = WorkerPool(order.workers or spare_cores())
    try:
        yield pool, pool.count + 1
    finally:
        pool.shutdown()


def _fill(state: _Progress, executor: Executor, ahead: int) -> None:
    """Run the batches that are missing; however this ends, what is done is on disk."""
    grid = state.store.grid
    batches = completed(executor, grid, np.flatnonzero(~state.done).tolist(), ahead)
    with _moving_line() as show:
        try:
            for batch in batches:
                state.put(batch)
                show(f"{state.points()} of {grid.total} points")
        except Exception as error:  # whatever a worker or the cluster raises, the user gets one line
            raise SweepError(f"{error or type(error).__name__}; {_resume_hint(state.store)}") from error
        finally:
            batches.close()
            state.save()


def _resume_hint(store: Store) -> str:
    """How to go on after the sweep was stopped."""
    return f"what is done is in {store.partial}: the same command goes on from there"


def _chaotic(exponents: np.ndarray) -> str:
    return f"{100 * np.mean(exponents > 0):.0f} %"


def _say(text: str) -> None:
    print(f"rnnscope: {text}", file=sys.stderr)


@contextmanager
def _moving_line() -> Iterator[Callable[[str], None]]:
    """A line that is written over on a terminal; nothing where standard error is a file."""
    if not sys.stderr.isatty():
        yield lambda text: None
        return
    try:
        yield lambda text: print(f"\r{text}", end="", file=sys.stderr, flush=True)
    finally:
        print(file=sys.stderr)
