"""A bidirectional network from one config: its run, what reaches an output, and what one changed input moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .arrays import Array, checked_array, checked_integer, read_only
from .bidirectional import Bidirectional, BidirectionalTrace, bidirectional_vjp, run_bidirectional
from .build import build_cell, build_inputs
from .config import Config, stream


@dataclass(frozen=True)
class BidirectionalConfig:
    """Two chains of one kind over one input, and a linear read-out of both.

    Attributes
    ----------
    chain : RNNConfig, LSTMConfig or GRUConfig without a read-out
        Cell, sizes, families, seed and input of both chains. The forward chain is the cell of this config; the
        weights of the backward chain have streams of their own, so that no other array moves.
    outputs : m
        W_hy (m, 2n) ~ N(0, 1/(2n)), b_y = 0.

    Raises
    ------
    ValueError
        For a chain with a read-out, and for outputs that are no positive integer.
    """

    chain: Config
    outputs: int = 1

    def __post_init__(self) -> None:
        checked_integer("outputs", self.outputs, 1)
        if not isinstance(self.chain, Config):
            raise ValueError(f"chain must be an RNNConfig, LSTMConfig or GRUConfig, got {type(self.chain).__name__}")
        if self.chain.outputs is not None:
            raise ValueError(f"chain must have no read-out (outputs=None), got outputs = {self.chain.outputs}")


@dataclass(frozen=True, eq=False)
class BidirectionalRun:
    """A config, the network that it describes and its run."""

    config: BidirectionalConfig
    network: Bidirectional
    trace: BidirectionalTrace

    @property
    def steps(self) -> int:
        """T."""
        return len(self.trace.xs)

    @property
    def forward_hs(self) -> Array:
        """States of the forward chain by step, (T + 1, n): row t is of step t, row 0 its start."""
        return self.trace.forward.hs

    @property
    def backward_hs(self) -> Array:
        """States of the backward chain by step, (T + 1, n): row t - 1 is of step t, the last its start at T + 1."""
        return read_only(self.trace.backward.hs[::-1])


@dataclass(frozen=True, eq=False)
class InputReach:
    """What each input counts for output t: dy_t/dx_k by chain; their sum is dy_t/dx_k.

    Attributes
    ----------
    forward, backward : (T, m, d)
        Exactly zero for k > t, and for k < t.
    forward_norms, backward_norms, norms : (T,)
        Their spectral norms, and those of the sum.
    """

    forward: Array
    backward: Array

    @property
    def forward_norms(self) -> Array:
        """||dy_t/dx_k|| through the forward chain."""
        return _norms(self.forward)

    @property
    def backward_norms(self) -> Array:
        """||dy_t/dx_k|| through the backward chain."""
        return _norms(self.backward)

    @property
    def norms(self) -> Array:
        """||dy_t/dx_k||."""
        return _norms(self.forward + self.backward)


@dataclass(frozen=True, eq=False)
class ChangedInput:
    """Two runs that differ in one input.

    Attributes
    ----------
    step : k, from 1
    before, after : BidirectionalTrace
    forward, backward : (T,)
        ||change of h_t|| of each chain; exactly zero for t < k, and for t > k.
    outputs : (T,)
        ||change of y_t||.
    """

    step: int
    before: BidirectionalTrace
    after: BidirectionalTrace
    forward: Array
    backward: Array
    outputs: Array


def build_bidirectional(config: BidirectionalConfig) -> Bidirectional:
    """Draw the network of a config."""
    n, m = config.chain.n, config.outputs
    rng = np.random.default_rng(stream(config.chain.seed, "bidirectional_W_hy"))
    W_hy = rng.standard_normal((m, 2 * n)) / np.sqrt(2 * n)
    return Bidirectional(build_cell(config.chain), build_cell(config.chain, "backward_"), W_hy, np.zeros(m))


def run_both(config: BidirectionalConfig) -> BidirectionalRun:
    """Draw the network and the inputs of a config and run both chains."""
    network = build_bidirectional(config)
    return BidirectionalRun(config, network, run_bidirectional(network, build_inputs(config.chain)))


def bidirectional_reach(shown: BidirectionalRun, t: int) -> InputReach:
    """Return dy_t/dx_k for k = 1 … T through each chain, one vector-Jacobian product an output."""
    checked_integer("t", t, 1, shown.steps)
    W_hy = np.asarray(shown.network.W_hy)
    forward, backward = [], []
    for row in W_hy:
        seed = np.zeros(shown.trace.hs.shape)
        seed[t - 1] = row
        found = bidirectional_vjp(shown.network, shown.trace, seed)
        forward.append(found.forward.inputs)
        backward.append(found.backward.inputs[::-1])
    return InputReach(read_only(np.stack(forward, axis=1)), read_only(np.stack(backward, axis=1)))


def change_input(shown: BidirectionalRun, step: int, x: Any) -> ChangedInput:
    """Run the network again with x (d,) in place of x_step."""
    checked_integer("step", step, 1, shown.steps)
    xs = np.array(shown.trace.xs)
    xs[step - 1] = checked_array("x", x, (xs.shape[1],))
    after, n = run_bidirectional(shown.network, xs), shown.network.forward.hidden_size
    apart, moved = after.hs - shown.trace.hs, np.asarray(after.ys) - np.asarray(shown.trace.ys)
    sizes = (np.linalg.norm(part, axis=1) for part in (apart[:, :n], apart[:, n:], moved))
    return ChangedInput(step, shown.trace, after, *(read_only(size) for size in sizes))


def _norms(jacobians: Array) -> Array:
    return np.asarray(np.linalg.norm(jacobians, ord=2, axis=(1, 2)))
