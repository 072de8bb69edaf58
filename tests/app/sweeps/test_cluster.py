"""The same batches on a Dask cluster."""

import builtins
import re
import warnings

import pytest
from rnnscope.app.sweeps import cluster
from rnnscope.app.sweeps.command import Order, sweep
from rnnscope.app.sweeps.errors import SweepError
from rnnscope.app.sweeps.runner import empty_map, put_batch
from rnnscope.core import chaos_batch

from .test_store import contents


@pytest.fixture(scope="module")
def scheduler():
    """The address of a cluster with one worker, in threads of this process."""
    distributed = pytest.importorskip("distributed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = distributed.LocalCluster(
            n_workers=1,
            threads_per_worker=1,
            processes=False,
            dashboard_address=None,
            protocol="tcp://",
            host="127.0.0.1",
        )
    with made:
        yield made.scheduler_address


@pytest.mark.parametrize("suffix", [".npz", ".zarr"])
def test_a_cluster_finds_the_same_numbers(tmp_path, grid, scheduler, suffix):
    path = tmp_path / f"map{suffix}"
    sweep(Order(grid, path, "n=4", scheduler=scheduler))
    wanted, done = empty_map(grid)
    for index in range(len(done)):
        put_batch(grid, wanted, (index, chaos_batch(grid, index)))
    assert contents(path)["exponents"].tolist() == wanted.tolist()


def test_few_batches_are_in_flight(scheduler):
    with cluster.connect(scheduler) as (_, ahead):
        assert ahead == cluster.AHEAD


def test_an_address_that_does_not_answer_is_one_line():
    with (
        pytest.raises(SweepError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9 within 1 s"),
        cluster.connect("tcp://127.0.0.1:9", timeout=1),
    ):
        raise AssertionError("connected to nothing")


@pytest.mark.parametrize("address", ["here", "tcp://here", "", "a b:1"])
def test_what_is_no_address_is_one_line(address):
    with (
        pytest.raises(SweepError, match=re.escape(f"is HOST:PORT, e.g. tcp://127.0.0.1:8786, got {address!r}")),
        cluster.connect(address),
    ):
        raise AssertionError("connected to nothing")


def test_dask_is_asked_for_where_it_is_missing(monkeypatch):
    real = builtins.__import__

    def without(name, *rest):
        if name == "distributed":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(SweepError, match=r"pip install 'rnnscope\[dask\]'"), cluster.connect("127.0.0.1:1"):
        raise AssertionError("connected to nothing")
