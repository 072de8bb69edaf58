"""The tables of positions that ship with the labs: learned by `rnnscope.core.learn_positions`, one for each size.

`python -m rnnscope.app.positions` learns them anew (15 s) and writes `assets/weights/positions.npz`.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np
from rnnscope.core import LearnedPositions, PositionTask, learn_positions

#: Sizes of a token for which a table is shipped, and its rows.
SHIPPED_SIZES = range(2, 17)
SHIPPED_ROWS = 12
SHIPPED = files("rnnscope.assets").joinpath("weights", "positions.npz")


def task_of(d_model: int) -> PositionTask:
    """What the table of a size was learned on."""
    return PositionTask(d_model, T=SHIPPED_ROWS)


@cache
def shipped_positions(d_model: int) -> LearnedPositions:
    """The table (12, d_model) with its accuracy, read once.

    Raises
    ------
    ValueError
        For a size without a table.
    """
    if d_model not in SHIPPED_SIZES:
        raise ValueError(f"d_model must be in 2 … 16 for learned positions, got {d_model}")
    with SHIPPED.open("rb") as file, np.load(file, allow_pickle=False) as found:
        table, (accuracy, without) = found[f"table_{d_model}"], found[f"accuracy_{d_model}"]
    table.flags.writeable = False
    return LearnedPositions(table, float(accuracy), float(without))


def write_tables(path: Path) -> None:
    """Learn every table and write them with the accuracies, with and without the table."""
    arrays: dict[str, np.ndarray] = {}
    for size in SHIPPED_SIZES:
        learned = learn_positions(task_of(size))
        arrays[f"table_{size}"] = learned.table
        arrays[f"accuracy_{size}"] = np.array([learned.accuracy, learned.accuracy_without])
    with path.open("wb") as file:
        np.savez_compressed(file, **arrays)


if __name__ == "__main__":
    with as_file(SHIPPED) as place:
        write_tables(place)
