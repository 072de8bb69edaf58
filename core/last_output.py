"""The pattern with one output at the end: a sequence is read whole, then answered once.

The run is `unroll`'s; only its last output has a loss, so that all of a gradient comes from the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .arrays import Array, checked_choice, read_only
from .cells import Cell
from .chain import ChainGradients, at_hidden, chain_vjp
from .losses import LOSSES, target_array
from .unroll import Trace


@dataclass(frozen=True, eq=False)
class LastOutputGradients:
    """Gradients of the loss of the last output; read-only float64.

    Attributes
    ----------
    loss : float
    output : (m,)
        dL/dy_T.
    chain : ChainGradients
        Of states, inputs and preactivations; its parameters hold W_hy and b_y too.
    """

    loss: float
    output: Array
    chain: ChainGradients


def last_output_gradients(cell: Cell, trace: Trace, target: Any, loss: str = "cross_entropy") -> LastOutputGradients:
    """Differentiate the loss of y_T alone by everything in the run.

    Parameters
    ----------
    target : class index, or (m,)
        Numbers for "squared", probabilities for "cross_entropy".
    loss : "cross_entropy" or "squared"

    Raises
    ------
    ValueError
        For a cell without a read-out, a run of no steps, and a target that does not fit.
    """
    if cell.W_hy is None or trace.ys is None:
        raise ValueError("cell must have a read-out (W_hy) for an output at the end, got W_hy=None")
    if trace.steps == 0:
        raise ValueError("trace must have at least one step for an output at the end, got 0")
    checked_choice("loss", loss, LOSSES)
    goal = target_array(np.asarray(target)[None], loss, 1, trace.ys.shape[1])[0]
    output = LOSSES[loss][1](trace.ys[-1], goal)
    from_output = np.zeros((trace.steps, cell.hidden_size))
    from_output[-1] = output @ cell.W_hy
    chain = chain_vjp(cell, trace.xs, trace.states, at_hidden(cell, from_output))
    read_out = {"W_hy": read_only(np.outer(output, trace.hs[-1])), "b_y": read_only(output)}
    parameters = {**chain.parameters, **read_out}
    chain = ChainGradients(chain.states, chain.inputs, chain.preactivations, parameters)
    return LastOutputGradients(float(LOSSES[loss][0](trace.ys[-1], goal)), output, chain)
