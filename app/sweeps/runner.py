"""Run the batches of a map on an executor: the worker pool or a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from itertools import islice
from threading import Event, Thread

import numpy as np
from rnnscope.core import ChaosGrid, chaos_batch

Batch = tuple[int, np.ndarray]


def completed(executor: Executor, grid: ChaosGrid, indices: Iterable[int], ahead: int) -> Iterator[Batch]:
    """Yield (index, exponents) of the batches as they are done, with at most `ahead` of them submitted.

    Few are submitted ahead, so that maps that share a pool take turns. Leaving the iterator cancels what waits.
    """
    todo, waiting = iter(indices), dict[Future[np.ndarray], int]()

    def submit(count: int) -> None:
        for index in islice(todo, count):
            waiting[executor.submit(chaos_batch, grid, index)] = index

    try:
        submit(ahead)
        while waiting:
            done, _ = wait(waiting, return_when=FIRST_COMPLETED)
            results = [(waiting.pop(future), future.result()) for future in done]
            submit(len(results))
            yield from results
    finally:
        for future in waiting:
            future.cancel()


def empty_map(grid: ChaosGrid) -> tuple[np.ndarray, np.ndarray]:
    """Return exponents (rows, columns), not yet a number, and which batches are done (batches,), none."""
    return np.full(grid.shape, np.nan), np.zeros(len(grid.batches()), dtype=bool)


def put_batch(grid: ChaosGrid, exponents: np.ndarray, batch: Batch) -> None:
    """Write the exponents of a batch to their places in the map."""
    index, found = batch
    rows, columns = np.array(grid.batches()[index]).T
    exponents[rows, columns] = found


class Sweep:
    """A map computed on a thread of its own, for a page.

    Parameters
    ----------
    executor, ahead : where, and how many batches at a time
    on_batch : called on the sweep's thread with every batch
    on_end : called there once at the end, with the error or None; not after `cancel`
    """

    def __init__(
        self,
        grid: ChaosGrid,
        executor: Executor,
        ahead: int,
        on_batch: Callable[[Batch], None],
        on_end: Callable[[Exception | None], None],
    ) -> None:
        self.grid = grid
        self._executor, self._ahead = executor, ahead
        self._on_batch, self._on_end = on_batch, on_end
        self._cancelled = Event()
        self._thread = Thread(target=self._run, name="map", daemon=True)
        self._thread.start()

    def cancel(self) -> None:
        """Submit no more; what is in flight is left to end, and nobody hears of it."""
        self._cancelled.set()

    def join(self, timeout: float | None = None) -> bool:
        """Wait for the thread; whether it has ended."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _run(self) -> None:
        error: Exception | None = None
        try:
            for batch in completed(self._executor, self.grid, range(len(self.grid.batches())), self._ahead):
                if self._cancelled.is_set():
                    return
                self._on_batch(batch)
        except Exception as failure:  # on a thread nobody else would hear of it: `on_end` says it
            error = failure
        if not self._cancelled.is_set():
            self._on_end(error)
