"""Run a cell over a sequence and keep everything that it computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .arrays import Array, checked_array, read_only
from .cells import Cell
from .cells.kernels import Linearization, StepLinearization, own_fill_run, own_linearize
from .cells.readout import read_out


@dataclass(frozen=True, eq=False)
class Trace:
    """One forward run of T steps; all arrays are read-only float64.

    Attributes
    ----------
    xs : (T, d)
        Inputs; x_t is xs[t - 1].
    hs : (T + 1, n)
        Hidden states; h_0 first.
    cs : (T + 1, n) or None
        Cell states of an LSTM.
    states : (T + 1, s)
        The whole state: h, or for an LSTM [h; c].
    ys : (T, m) or None
        Outputs; None without a read-out.
    preactivations : (T, n), or a dict from gate to (T, n) for a gated cell
    gates : dict from gate to (T, n)
        Gate and candidate activations; empty for an RNN.
    """

    xs: Array
    hs: Array
    cs: Array | None
    states: Array
    ys: Array | None
    preactivations: Any
    gates: Mapping[str, Array]

    @property
    def steps(self) -> int:
        """T, the number of steps."""
        return len(self.xs)


def unroll(cell: Cell, xs: Array, h0: Array | None = None, c0: Array | None = None) -> Trace:
    """Run `cell` over xs (T, d) from h0 (n,) and, for an LSTM, c0 (n,); zeros where None.

    A linear or relu network may overflow; its states then hold inf or NaN from that step on.

    Raises
    ------
    ValueError
        For wrong shapes, non-finite numbers, and a c0 given to a cell without a cell state.
    """
    xs = checked_array("xs", xs, (None, cell.input_size))
    states = np.empty((len(xs) + 1, cell.state_size))
    states[0] = initial_state(cell, h0, c0)
    shape = (len(xs), len(cell.gate_names), cell.hidden_size) if cell.gate_names else None
    preactivations = np.empty(shape or (len(xs), cell.hidden_size))
    with np.errstate(over="ignore", invalid="ignore"):
        _fill(cell, xs, states, preactivations)
        return assemble_trace(cell, xs, states, preactivations)


def _fill(cell: Cell, xs: Array, states: Array, preactivations: Array) -> None:
    """Run every step into the given arrays, by the cell's own kernel where it has one."""
    fill_run = own_fill_run(cell)
    if fill_run is not None:
        fill_run(xs, states, preactivations)
        return
    for t, x in enumerate(xs):
        preactivations[t] = cell.preactivations(x, states[t])
        states[t + 1] = cell.advance(preactivations[t], states[t])


def initial_state(cell: Cell, h0: Array | None = None, c0: Array | None = None) -> Array:
    """Return state_0, shape (s,): h0, followed by c0 where the cell has a cell state."""
    n = cell.hidden_size
    h = np.zeros(n) if h0 is None else checked_array("h0", h0, (n,))
    if cell.state_size == n:
        if c0 is not None:
            raise ValueError(f"c0 must be None for {type(cell).__name__}, which has no cell state")
        return h
    c = np.zeros(n) if c0 is None else checked_array("c0", c0, (n,))
    return np.concatenate([h, c])


def by_gate(cell: Cell, blocks: Array) -> Any:
    """Return (T, gates, n) blocks as a dict from gate to (T, n); an RNN's (T, n) as it is."""
    read_only(blocks)
    if not cell.gate_names:
        return blocks
    return {gate: blocks[:, index] for index, gate in enumerate(cell.gate_names)}


def preactivation_blocks(cell: Cell, trace: Trace) -> Array:
    """Return a_t as the cell takes it: (T, n), or (T, gates, n) for a gated cell."""
    if not cell.gate_names:
        return np.asarray(trace.preactivations)
    return np.stack([trace.preactivations[gate] for gate in cell.gate_names], axis=1)


def linearize(cell: Cell, trace: Trace) -> Linearization:
    """Return the step Jacobians of a run, in the cell's own factors where it has them."""
    before = trace.states[:-1]
    own = own_linearize(cell)
    if own is not None:
        return own(preactivation_blocks(cell, trace), before)
    return StepLinearization(cell, trace.xs, before)


def assemble_trace(cell: Cell, xs: Array, states: Array, preactivations: Array) -> Trace:
    """Return the trace of a run whose states (T + 1, s) and a_t, (T, n) or (T, gates, n), are at hand."""
    n = cell.hidden_size
    ys = read_out(cell.W_hy, cell.b_y, read_only(states)[1:, :n])
    return Trace(
        xs=xs,
        hs=states[:, :n],
        cs=states[:, n:] if cell.state_size == 2 * n else None,
        states=states,
        ys=None if ys is None else read_only(ys),
        preactivations=by_gate(cell, preactivations),
        gates={name: read_only(gate) for name, gate in cell.gates(preactivations).items()},
    )
