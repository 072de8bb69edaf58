"""Two chains over one sequence, one from each end (Schuster and Paliwal 1997)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .arrays import Array, checked_array, read_only
from .cells import Cell
from .cells.readout import checked_readout, count, read_out
from .chain import ChainGradients, at_hidden, chain_vjp
from .unroll import Trace, unroll


@dataclass(frozen=True, eq=False)
class Bidirectional:
    """A cell that reads x_1 … x_T, a cell that reads x_T … x_1, and one read-out of both.

    Parameters
    ----------
    forward, backward : cells of one input size, without read-outs of their own
    W_hy : (m, n_forward + n_backward) or None
        Read-out of [h_forward; h_backward].
    b_y : (m,) or None

    Raises
    ------
    ValueError
        For input sizes that differ, cells with read-outs, and wrong shapes.
    """

    forward: Cell
    backward: Cell
    W_hy: Array | None = None
    b_y: Array | None = None

    def __post_init__(self) -> None:
        for name in ("forward", "backward"):
            if getattr(self, name).W_hy is not None:
                raise ValueError(f"{name} must be a cell without a read-out (W_hy=None), got one with a read-out")
        sizes = self.forward.input_size, self.backward.input_size
        if sizes[0] != sizes[1]:
            raise ValueError(f"backward must take the input size of forward, {sizes[0]}, got {sizes[1]}")
        W_hy, b_y = checked_readout(self.W_hy, self.b_y, self.feature_size)
        object.__setattr__(self, "W_hy", W_hy)
        object.__setattr__(self, "b_y", b_y)

    @property
    def feature_size(self) -> int:
        """n_forward + n_backward, the size of [h_forward; h_backward]."""
        return self.forward.hidden_size + self.backward.hidden_size

    @property
    def parameter_count(self) -> int:
        """How many numbers both cells and the read-out hold."""
        return self.forward.parameter_count + self.backward.parameter_count + count(self.W_hy, self.b_y)


@dataclass(frozen=True, eq=False)
class BidirectionalTrace:
    """A run of both chains; all arrays are read-only float64.

    Attributes
    ----------
    xs : (T, d)
    forward : Trace
        Of x_1 … x_T.
    backward : Trace
        Of x_T … x_1, in the order in which it was computed: its hs[T] belongs to step 1.
    hs : (T, n_forward + n_backward)
        [h_forward; h_backward] of each step.
    ys : (T, m) or None
    """

    xs: Array
    forward: Trace
    backward: Trace
    hs: Array
    ys: Array | None


@dataclass(frozen=True, eq=False)
class BidirectionalGradients:
    """Gradients of a loss behind the concatenated states; read-only float64.

    Attributes
    ----------
    inputs : (T, d)
        dL/dx_t, through both chains.
    forward, backward : ChainGradients
        The backward chain's in the order in which it ran, as its trace: states[T] belongs to step 1.
    """

    inputs: Array
    forward: ChainGradients
    backward: ChainGradients


def run_bidirectional(network: Bidirectional, xs: Any, start: Mapping[str, Array] | None = None) -> BidirectionalTrace:
    """Run both chains over xs (T, d), each from zeros or from `start`.

    Parameters
    ----------
    start : mapping or None
        "forward_h0", "forward_c0", "backward_h0", "backward_c0", each (n,).
    """
    given = dict(start or {})
    xs = checked_array("xs", xs, (None, network.forward.input_size))
    forward = unroll(network.forward, xs, given.pop("forward_h0", None), given.pop("forward_c0", None))
    backward = unroll(network.backward, xs[::-1], given.pop("backward_h0", None), given.pop("backward_c0", None))
    if given:
        raise ValueError(f"start must hold forward_h0, forward_c0, backward_h0, backward_c0, got {', '.join(given)}")
    hs = read_only(np.concatenate([forward.hs[1:], backward.hs[:0:-1]], axis=-1))
    ys = read_out(network.W_hy, network.b_y, hs)
    return BidirectionalTrace(xs, forward, backward, hs, None if ys is None else read_only(ys))


def bidirectional_vjp(network: Bidirectional, trace: BidirectionalTrace, gradient: Any) -> BidirectionalGradients:
    """Carry dL/dhs (T, n_forward + n_backward) back through both chains.

    From dL/dy the argument is dL/dy W_hy. Raises a ValueError for another shape.
    """
    features = checked_array("gradient", gradient, trace.hs.shape)
    n = network.forward.hidden_size
    forward = _back(network.forward, trace.forward, features[:, :n])
    backward = _back(network.backward, trace.backward, features[::-1, n:])
    return BidirectionalGradients(read_only(forward.inputs + backward.inputs[::-1]), forward, backward)


def _back(cell: Cell, trace: Trace, gradient: Array) -> ChainGradients:
    return chain_vjp(cell, trace.xs, trace.states, at_hidden(cell, gradient))
