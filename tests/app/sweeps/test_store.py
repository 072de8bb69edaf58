"""Files of maps: never half, never of another map."""

import builtins
import os

import numpy as np
import pytest
import zarr
from rnnscope.app.sweeps.errors import SweepError
from rnnscope.app.sweeps.runner import empty_map
from rnnscope.app.sweeps.store import Store, fingerprint
from rnnscope.core import ChaosGrid, RNNConfig

SUFFIXES = pytest.mark.parametrize("suffix", [".npz", ".zarr"])


def contents(path):
    """Arrays and single values of a file of either kind."""
    if path.suffix == ".npz":
        with np.load(path) as file:
            return {name: file[name][()] for name in file.files}
    group = zarr.open_group(str(path), mode="r")
    return {name: group[name][:] for name in group.array_keys()} | dict(group.attrs)


@SUFFIXES
def test_a_complete_map_holds_axes_exponents_and_where_they_come_from(tmp_path, grid, suffix):
    store = Store(tmp_path / f"map{suffix}", grid, "n=4&seed=3")
    exponents, done = empty_map(grid)
    exponents[:] = np.arange(exponents.size).reshape(exponents.shape)
    store.save_partial(exponents, done)
    assert not store.complete()
    store.finish(exponents)
    assert store.complete()
    found = contents(store.path)
    assert found["exponents"].tolist() == exponents.tolist()
    assert tuple(found["rhos"]) == grid.rhos
    assert tuple(found["strengths"]) == grid.strengths
    assert (found["n"], found["steps"], found["discard"]) == (4, 40, 10)
    assert found["query"] == "n=4&seed=3"
    assert os.listdir(tmp_path) == [store.path.name]


@SUFFIXES
def test_partial_results_come_back(tmp_path, grid, suffix):
    store = Store(tmp_path / f"map{suffix}", grid)
    exponents, done = store.load()
    assert np.isnan(exponents).all()
    assert not done.any()
    exponents[2, 3], done[1] = -np.inf, True
    store.save_partial(exponents, done)
    again, known = Store(tmp_path / f"map{suffix}", grid).load()
    assert again[2, 3] == -np.inf
    assert known.tolist() == done.tolist()


@SUFFIXES
def test_what_is_of_another_map_is_neither_gone_on_with_nor_written_over(tmp_path, grid, suffix):
    other = Store(tmp_path / f"map{suffix}", ChaosGrid(grid.config, grid.rhos, grid.strengths, steps=41))
    other.save_partial(*empty_map(grid))
    store = Store(other.path, grid)
    with pytest.raises(SweepError, match=r"map\.\w+\.partial is of another map"):
        store.load()
    other.finish(empty_map(grid)[0])
    with pytest.raises(SweepError, match="is there already and holds something else"):
        store.complete()


@pytest.mark.parametrize("content", [b"", b"text", b"PK\x03\x04 broken"])
def test_a_file_that_is_no_map_is_not_written_over(tmp_path, grid, content):
    path = tmp_path / "map.npz"
    path.write_bytes(content)
    with pytest.raises(SweepError, match="holds something else"):
        Store(path, grid).complete()
    assert path.read_bytes() == content


def test_a_folder_that_is_no_map_is_not_written_over(tmp_path, grid):
    (tmp_path / "map.zarr").mkdir()
    with pytest.raises(SweepError, match="holds something else"):
        Store(tmp_path / "map.zarr", grid).complete()


def test_what_a_killed_run_left_half_written_is_in_nobodys_way(tmp_path, grid):
    for suffix in (".npz", ".zarr"):
        store = Store(tmp_path / f"map{suffix}", grid)
        rest = tmp_path / f"map{suffix}.writing"
        if suffix == ".npz":
            rest.write_bytes(b"half")
        else:
            rest.mkdir()
            (rest / "zarr.json").write_text("{")
        store.finish(empty_map(grid)[0])
        assert store.complete()
        assert not rest.exists()


def test_a_write_that_fails_leaves_what_was_there(tmp_path, grid, monkeypatch):
    store = Store(tmp_path / "map.npz", grid)
    exponents, done = empty_map(grid)
    exponents[0, 0] = 1.0
    store.save_partial(exponents, done)

    def full(*args, **kwargs):
        raise OSError("no space left on device")

    monkeypatch.setattr(np, "savez", full)
    exponents[0, 0] = 2.0
    with pytest.raises(OSError, match="no space"):
        store.save_partial(exponents, done)
    assert store.load()[0][0, 0] == 1.0


@pytest.mark.parametrize(
    ("name", "message"),
    [("map.csv", r"must end in .npz or .zarr, got 'map.csv'"), ("nowhere/map.npz", "there is no folder")],
)
def test_a_name_that_cannot_be_written_is_refused_at_once(tmp_path, grid, name, message):
    with pytest.raises(SweepError, match=message):
        Store(tmp_path / name, grid)


def test_zarr_is_asked_for_where_it_is_missing(tmp_path, grid, monkeypatch):
    real = builtins.__import__
    monkeypatch.setattr(builtins, "__import__", lambda name, *rest: _absent() if name == "zarr" else real(name, *rest))
    with pytest.raises(SweepError, match=r"pip install 'rnnscope\[dask\]'"):
        Store(tmp_path / "map.zarr", grid)


def _absent():
    raise ImportError("no such module")


def test_fingerprints_are_of_what_the_exponents_depend_on(grid):
    def of(**changes):
        return fingerprint(
            ChaosGrid(**({"config": grid.config, "rhos": grid.rhos, "strengths": grid.strengths} | changes))
        )

    assert of() == of(config=RNNConfig(n=4, d=1, T=99, seed=3, rho=2.0))
    assert len({of(), of(steps=41), of(discard=1), of(rhos=(1.0,)), of(config=RNNConfig(n=4, d=1, T=10))}) == 5
