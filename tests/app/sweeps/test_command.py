"""`rnnscope sweep`: the numbers of core, whatever stopped it on the way."""

import os
import re
import signal
import subprocess
import sys

import numpy as np
import pytest
from rnnscope.app import cli
from rnnscope.app.sweeps import command
from rnnscope.core import ChaosGrid, RNNConfig, chaos_grid

from tests.app.held import wait_for

from .conftest import alive, children
from .test_store import contents

SMALL = ["n=6&seed=2&input=sine", "--rho", "0:2:5", "--strength", "0:1:3", "--steps", "50", "--discard", "10"]
#: A map that takes long enough to be stopped in its middle.
LONG = ["n=32", "--rho", "0:3:20", "--strength", "0:2:20", "--steps", "2500", "--workers", "1"]


def start(*arguments):
    return subprocess.Popen(
        [sys.executable, "-m", "rnnscope.app.cli", "sweep", *arguments], stderr=subprocess.PIPE, text=True
    )


def exponents(grid):
    found = np.full(grid.shape, np.nan)
    for point in chaos_grid(grid):
        found[point.row, point.column] = point.exponent
    return found


@pytest.mark.parametrize("suffix", [".npz", ".zarr"])
def test_the_file_holds_what_core_says(tmp_path, capsys, suffix):
    path = tmp_path / f"map{suffix}"
    assert cli.main(["sweep", *SMALL, "-o", str(path)]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert re.fullmatch(r"rnnscope: \S+: 5 x 3 points, \d+ % chaotic\n", err)
    rhos, strengths = tuple(np.linspace(0, 2, 5)), tuple(np.linspace(0, 1, 3))
    grid = ChaosGrid(RNNConfig(n=6, d=1, T=100, seed=2, input="sine"), rhos, strengths, 50, 10)
    assert contents(path)["exponents"].tolist() == exponents(grid).tolist()
    assert cli.main(["sweep", *SMALL, "-o", str(path)]) == 0
    assert "is complete already" in capsys.readouterr().err


def test_a_sweep_killed_in_its_middle_goes_on_and_gives_the_same_bits(tmp_path):
    path = tmp_path / "map.npz"
    with start(*LONG, "-o", path) as killed:
        wait_for((tmp_path / "map.npz.partial").exists, "no partial results")
        workers = children(killed.pid)
        killed.kill()
    wait_for(lambda: not any(alive(worker) for worker in workers), "a worker outlives its parent")
    assert workers
    assert not path.exists()
    with start(*LONG, "-o", path) as again:
        _, err = again.communicate()
    assert again.returncode == 0
    assert re.match(r"rnnscope: going on from [1-9]\d* of 400 points\n", err)
    grid = ChaosGrid(RNNConfig(n=32, d=1, T=100), tuple(np.linspace(0, 3, 20)), tuple(np.linspace(0, 2, 20)), 2500)
    assert contents(path)["exponents"].tolist() == exponents(grid).tolist()
    assert os.listdir(tmp_path) == ["map.npz"]


def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(tmp_path):
    with start(*LONG, "-o", tmp_path / "map.zarr") as process:
        wait_for(lambda: children(process.pid), "no worker")
        workers = children(process.pid)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()
    assert process.returncode == 130
    assert re.fullmatch(
        r"rnnscope: stopped; what is done is in \S+\.partial: the same command goes on from there\n", err
    )
    assert os.listdir(tmp_path) == ["map.zarr.partial"]
    assert not any(alive(worker) for worker in workers)


def test_a_killed_worker_is_one_line_and_loses_nothing(tmp_path):
    with start(*LONG, "-o", tmp_path / "map.npz") as process:
        wait_for((tmp_path / "map.npz.partial").exists, "no partial results")
        os.kill(children(process.pid)[0], signal.SIGKILL)
        _, err = process.communicate()
    assert process.returncode == 2
    assert re.fullmatch(r"rnnscope: a worker process ended: SIGKILL; what is done is in [^\n]+\n", err)
    assert os.listdir(tmp_path) == ["map.npz.partial"]


def test_a_file_of_another_map_is_one_line(tmp_path, capsys):
    path = tmp_path / "map.npz"
    assert cli.main(["sweep", *SMALL, "-o", str(path)]) == 0
    capsys.readouterr()
    assert cli.main(["sweep", "n=7", *SMALL[1:], "-o", str(path)]) == 2
    assert re.fullmatch(r"rnnscope: [^\n]+holds something else[^\n]+\n", capsys.readouterr().err)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--rho", "0:3"], "an axis is LOW:HIGH:COUNT, e.g. 0:3:40, not '0:3'"),
        (["--rho", "0:3:x"], "not '0:3:x'"),
        (["--strength", "0:nan:3"], "not '0:nan:3'"),
        (["--rho", "0:1:0"], "not '0:1:0'"),
        (["--rho=-1:3:4"], "rhos must be a finite number of at least 0, got -1.0"),
        (["--rho", "0:1:300", "--strength", "0:1:300"], "at most 40000 points, got 300 x 300 = 90000"),
        (["--steps", "0"], "steps must be an integer in 1 … 100000, got 0"),
        (["--steps", "5", "--discard", "5"], "discard must be an integer in 0 … 4, got 5"),
        (["--discard", "-1"], "discard"),
        (["--workers", "0"], "a number of processes is 1 or more, not '0'"),
        (["--workers", "1", "--scheduler", "a:1"], "not allowed with argument"),
        (["-o", "map.csv"], "must end in .npz or .zarr"),
        (["-o", "no/map.npz"], "there is no folder 'no'"),
        (["n=900"], "n = “900” is not accepted"),
        (["rhoo=1"], "did you mean rho"),
    ],
)
def test_what_cannot_be_done_is_one_line(tmp_path, monkeypatch, capsys, arguments, message):
    monkeypatch.chdir(tmp_path)
    try:
        status = cli.main(["sweep", "-o", "map.npz", *arguments])
    except SystemExit as stop:
        status = stop.code
    out, err = capsys.readouterr()
    assert (status, out) == (2, "")
    assert re.fullmatch(r"rnnscope: [^\n]+\n", err)
    assert message in err
    assert os.listdir(tmp_path) == []


def test_a_terminal_gets_a_moving_line(tmp_path, monkeypatch, capsys, grid):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    command.sweep(command.Order(grid, tmp_path / "map.npz", workers=1))
    err = capsys.readouterr().err
    assert "\r32 of 220 points" in err
    assert "\r220 of 220 points\n" in err
