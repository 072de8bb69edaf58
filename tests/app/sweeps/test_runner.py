"""Batches on an executor: all of them, few at a time, fairly, and none after a cancel."""

from concurrent.futures import Executor, ThreadPoolExecutor

import numpy as np
import pytest
from rnnscope.app.sweeps.runner import Sweep, completed, empty_map, put_batch
from rnnscope.core import chaos_grid

from tests.app.held import Held, wait_for


def whole(grid):
    exponents = np.full(grid.shape, np.nan)
    for point in chaos_grid(grid):
        exponents[point.row, point.column] = point.exponent
    return exponents


def test_all_batches_make_the_map_of_core(pool, grid):
    exponents, done = empty_map(grid)
    for batch in completed(pool, grid, range(len(done)), 2):
        put_batch(grid, exponents, batch)
        done[batch[0]] = True
    assert done.all()
    assert exponents.tolist() == whole(grid).tolist()


def test_few_are_submitted_ahead_and_leaving_cancels_them(grid):
    executor = Held()
    batches = completed(executor, grid, range(7), 2)
    with ThreadPoolExecutor(1) as thread:
        first = thread.submit(next, batches)
        while not executor.calls:
            pass
        executor.run()
        assert first.result()[0] == 0
    assert [args[1] for _, _, args in executor.calls] == [1, 2]
    batches.close()
    assert all(future.cancelled() for future, _, _ in executor.calls)


def test_two_maps_take_turns(grid):
    """With two ahead each, neither waits for the other's end."""
    executor, order = Held(), []
    sweeps = [
        Sweep(grid, executor, 2, lambda batch, name=name: order.append(name), lambda error: None) for name in (0, 1)
    ]
    wait_for(lambda: len(executor.calls) == 4, "two batches of each map are submitted")
    for done in range(1, 15):
        executor.run()
        wait_for(lambda done=done: len(order) == done, f"batch {done} is told")
    assert all(sweep.join(20) for sweep in sweeps)
    assert sorted(order) == [0] * 7 + [1] * 7
    assert set(order[:4]) == set(order[-4:]) == {0, 1}


def test_after_a_cancel_nobody_hears_anything(grid):
    executor, heard = Held(), []
    sweep = Sweep(grid, executor, 2, heard.append, heard.append)
    while len(executor.calls) < 2:
        pass
    sweep.cancel()
    executor.run()
    assert sweep.join(20)
    assert heard == []
    assert all(future.cancelled() for future, _, _ in executor.calls)


def test_an_error_ends_the_sweep_and_is_told(grid):
    class Broken(Executor):
        def submit(self, fn, /, *args):
            raise OSError("no more processes")

    heard = []
    assert Sweep(grid, Broken(), 2, heard.append, heard.append).join(20)
    with pytest.raises(OSError, match="no more processes"):
        raise heard[0]
