"""Worker processes: what they return, and that none of them stays."""

import os
import signal
import subprocess
import sys
import time

import pytest
import threadpoolctl
from rnnscope.app.sweeps.pool import WorkerLostError, WorkerPool, close_shared_pool, shared_pool, spare_cores
from rnnscope.core import chaos_batch

from tests.app.held import wait_for

from .conftest import alive, children

PARENT = """
import signal
from rnnscope.app.sweeps.pool import WorkerPool
pool = WorkerPool(1)
pool.submit(abs, -1).result()
pool.submit(signal.pause)
print(*pool.pids(), flush=True)
signal.pause()
"""


def test_a_worker_returns_what_the_call_returns(pool, grid):
    assert pool.submit(chaos_batch, grid, 1).result().tolist() == chaos_batch(grid, 1).tolist()


def test_an_error_of_the_call_is_the_callers_and_the_worker_goes_on(pool, grid):
    before = pool.submit(os.getpid).result()
    with pytest.raises(ValueError, match="index must be an integer"):
        pool.submit(chaos_batch, grid, 99).result()
    assert pool.submit(os.getpid).result() == before


def test_what_a_call_prints_does_not_mix_with_the_answers(pool):
    assert pool.submit(print, "hello").result() is None
    assert pool.submit(abs, -2).result() == 2


def test_workers_are_niced_and_use_one_thread(pool):
    assert pool.submit(os.nice, 0).result() == 19
    libraries = pool.submit(threadpoolctl.threadpool_info).result()
    assert {library["num_threads"] for library in libraries if library["user_api"] == "blas"} <= {1}


def test_ctrl_c_of_the_terminal_does_not_reach_a_worker(pool):
    assert pool.submit(os.getpgrp).result() != os.getpgrp()


def test_a_killed_worker_costs_its_call_and_the_next_gets_a_new_one(pool):
    pid = pool.submit(os.getpid).result()
    call = pool.submit(time.sleep, 60)
    wait_for(call.running, "the call does not start")
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(WorkerLostError, match="a worker process ended: SIGKILL"):
        call.result()
    assert pool.submit(os.getpid).result() != pid
    assert pid not in children(os.getpid())


def test_shutdown_ends_a_call_in_its_middle_and_cancels_those_that_wait():
    pool = WorkerPool(1)
    pid = pool.submit(os.getpid).result()
    running, waiting = pool.submit(time.sleep, 60), pool.submit(abs, 1)
    wait_for(running.running, "the call does not start")
    pool.shutdown()
    pool.shutdown()
    assert isinstance(running.exception(), WorkerLostError)
    assert waiting.cancelled()
    assert pid not in children(os.getpid())
    with pytest.raises(RuntimeError):
        pool.submit(abs, 1)


def test_workers_end_with_a_parent_that_is_killed():
    parent = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True)
    with parent:
        worker = int(parent.stdout.readline())
        assert alive(worker)
        parent.kill()
    wait_for(lambda: not alive(worker), "the worker outlives its parent")


def test_the_shared_pool_is_one_and_comes_back_after_it_was_closed():
    pool = shared_pool()
    assert pool is shared_pool()
    assert pool.count == spare_cores() >= 1
    close_shared_pool()
    close_shared_pool()
    assert shared_pool() is not pool
    close_shared_pool()


def test_keywords_are_refused(pool):
    with pytest.raises(TypeError, match="positional arguments only, got base"):
        pool.submit(int, "10", base=2)
