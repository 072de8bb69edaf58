"""A lab's run as a CSV table, one row a step."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from io import StringIO
from typing import Any

import numpy as np
from rnnscope.core import Run, jacobian_log10_norms

from .runs import plain_run


def table(lab: str, values: Mapping[str, Any]) -> str:
    """Return the table: `t`, then a column for each number of a step; empty where a step has none.

    `x_1` … are the inputs, `h_1` … the states (row 0 is the initial one), `dh_1` … dL/dh, and
    `jacobian_log10_norm` is log10 of the spectral norm of d state_T / d state_t. All 17 digits are written.
    """
    run = plain_run(lab, values, "csv")
    columns = dict(_columns(run))
    file = StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["t", *columns])
    for t in range(run.trace.steps + 1):
        writer.writerow([t, *(column[t] for column in columns.values())])
    return file.getvalue()


def _columns(run: Run) -> Iterator[tuple[str, list[str]]]:
    for symbol, rows in _tables(run).items():
        matrix = rows.reshape(len(rows), -1)
        blank = [""] * (run.trace.steps + 1 - len(matrix))
        for number, column in enumerate(matrix.T.tolist(), 1):
            name = symbol if rows.ndim == 1 else f"{symbol}_{number}"
            yield name, blank + [repr(value) for value in column]


def _tables(run: Run) -> dict[str, np.ndarray]:
    """Symbol -> its numbers, a row a step."""
    trace, found = run.trace, run.gradients
    sums = trace.preactivations
    arrays = {"x": trace.xs, "h": trace.hs, "c": trace.cs}
    arrays |= {f"a{gate}": rows for gate, rows in sums.items()} if isinstance(sums, Mapping) else {"a": sums}
    arrays |= {**(trace.gates or {}), "y": trace.ys}
    if found is not None:
        n = run.cell.hidden_size
        arrays |= {"target": np.asarray(run.targets), "L": found.loss, "dy": found.outputs, "dh": found.states[:, :n]}
        arrays |= {"dc": found.states[:, n:] if trace.cs is not None else None}
    arrays["jacobian_log10_norm"] = jacobian_log10_norms(run.cell, trace, t=trace.steps)
    return {symbol: rows for symbol, rows in arrays.items() if rows is not None}
