"""A small map, and what is looked at in the process table."""

import os
from pathlib import Path

import numpy as np
import pytest
from rnnscope.app.sweeps.pool import WorkerPool
from rnnscope.core import ChaosGrid, RNNConfig


def children(pid):
    """The processes whose parent is `pid`, zombies too."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:  # it ended meanwhile
                continue
            if int(fields[1]) == pid:
                found.append(int(entry.name))
    return found


def alive(pid):
    """Whether a process runs: gone and zombie are not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture
def grid():
    """Seven batches of a small network."""
    config = RNNConfig(n=4, d=1, T=10, seed=3)
    return ChaosGrid(config, tuple(np.linspace(0.1, 2, 20)), tuple(np.linspace(0, 2, 11)), steps=40)


@pytest.fixture
def pool():
    made = WorkerPool(1)
    yield made
    made.shutdown()
    assert not set(children(os.getpid())) & set(made.pids())
