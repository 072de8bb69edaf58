"""A lab's run as a NumPy script of at most 60 lines that prints the numbers of the page, and needs nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from rnnscope.core import GRU, LSTM, RNN, Cell, Run

from .cells import SIGMOID, STEPS
from .runs import address, plain_run

#: Up to so many numbers are written as a person would, more as the bytes of their float64, in hexadecimal.
READABLE = 12

HEAD = '''\
"""RNNScope, {address}: every line printed is a symbol, its step, its unit (from 0) and its value."""
import numpy as np

{array}def show(symbol, rows, first=1):
    for t, row in enumerate(rows, first):
        for unit, value in enumerate(np.atleast_1d(row)):
            print(symbol, t, unit, repr(float(value)))

'''
ARRAY = """\
def array(shape, text):  # float64, little-endian, row by row
    return np.frombuffer(bytes.fromhex(text), "<f8").reshape(shape)

"""

LOSSES = {
    "squared": """\
losses = [0.5 * ((y - goal) ** 2).sum() for y, goal in zip(ys, targets)]
dys = [y - goal for y, goal in zip(ys, targets)]
""",
    "cross_entropy": """\
losses = [np.logaddexp.reduce(y) - y[goal] for y, goal in zip(ys, targets)]
dys = [np.exp(y - np.logaddexp.reduce(y)) - (np.arange(len(y)) == goal) for y, goal in zip(ys, targets)]
""",
}

BACKWARD = """\
gradients = np.zeros_like(states)
for t in range(len(xs), 0, -1):
    gradients[t, :n] += W_hy.T @ dys[t - 1]
    gradients[t - 1] = jacobians[t - 1].T @ gradients[t]
"""
TRUNCATED = """\
gradients = np.zeros_like(states)
for t in range(1, len(xs) + 1):  # each loss, {steps} steps back
    arriving = np.pad(W_hy.T @ dys[t - 1], (0, len(start) - n))
    for k in range(t, max(t - {steps}, 0) - 1, -1):
        gradients[k] += arriving
        arriving = jacobians[k - 1].T @ arriving
"""
# Outputs, losses and gradients, printed.
READ_OUT = """\
for symbol, rows in (("y", ys), ("L", losses), ("dy", dys)):
    show(symbol, rows)
show("dh", gradients[:, :n], 0)
"""

CURVE = """\
product, scale, curve = np.eye(states[0].size), 0.0, [0.0]
for J in reversed(jacobians):  # log10 of the largest singular value of d state_T / d state_t
    product = product @ J
    norm = np.linalg.norm(product, 2)
    product, scale = product / (norm or 1), scale + (np.log10(norm) if norm else -np.inf)
    curve.append(scale)
show("jacobian_log10_norm", curve[::-1], 0)
"""


def script(lab: str, values: Mapping[str, Any]) -> str:
    """Return the script of a lab's state; raises `CannotExport` where the state is no run of one plain cell."""
    run = plain_run(lab, values, "script")
    numbers, read_out = _numbers(run), "" if run.gradients is None else _read_out(run)
    head = HEAD.format(address=address(lab, values), array=ARRAY if "array((" in numbers else "")
    functions = "" if isinstance(run.cell, RNN) else SIGMOID
    steps = STEPS[type(run.cell)](run.cell)
    return "".join([head, functions, numbers, steps, _shown(run.cell), read_out, CURVE])


def _numbers(run: Run) -> str:
    """The weights, inputs and targets, one a line."""
    cell = run.cell
    arrays = {"xs": run.trace.xs, "start": run.trace.states[0], "W_xh": cell.W_xh, "W_hh": cell.W_hh, "b_h": cell.b_h}
    arrays |= {"b_hh": getattr(cell, "b_hh", None)}
    if run.gradients is not None:
        arrays |= {"W_hy": cell.W_hy, "b_y": cell.b_y, "targets": run.targets}
    written = [f"{name} = {_literal(value)}" for name, value in arrays.items() if value is not None]
    return "\n".join([*written, f"n = {cell.hidden_size}", ""])


def _literal(value: Any) -> str:
    array = np.asarray(value)
    if array.size <= READABLE or array.dtype.kind != "f":
        return f"np.array({array.tolist()})"
    return f'array({array.shape}, "{array.astype("<f8").tobytes().hex()}")'


def _shown(cell: Cell) -> str:
    """Print the states, gates and sums."""
    lines = ['show("h", [state[:n] for state in states], 0)']
    if isinstance(cell, LSTM):
        lines += ['show("c", [state[n:] for state in states], 0)']
    if isinstance(cell, LSTM | GRU):
        lines += [f'for k, gate in enumerate("{"".join(cell.gate_names)}"):']
        lines += [
            "    show(gate, [layers[k] for layers in gates])",
            '    show("a" + gate, [layers[k] for layers in sums])',
        ]
    else:
        lines += ['show("a", sums)']
    return "\n".join([*lines, ""])


def _read_out(run: Run) -> str:
    """Outputs, losses and the gradients with respect to the states, printed."""
    steps = run.config.truncate
    backward = BACKWARD if steps is None else TRUNCATED.format(steps=steps)
    of_cell = 'show("dc", gradients[:, n:], 0)\n' if isinstance(run.cell, LSTM) else ""
    outputs = "ys = [W_hy @ state[:n] + b_y for state in states[1:]]\n"
    return "".join([outputs, LOSSES[run.config.loss], backward, READ_OUT, of_cell])
