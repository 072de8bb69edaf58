"""The pattern whose only recurrence runs from the output to the next hidden units.

h_t = phi(W_xh x_t + W_yh o_{t-1} + b_h), y_t = W_hy h_t + b_y (Goodfellow et al. 2016, section
10.2.1). What one step passes to the next is an output, which a target can stand in for: under
teacher forcing no step waits for another, and all are computed at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .arrays import Array, checked_array, checked_choice, read_only
from .attention import attention_weights_vjp
from .cells.readout import count
from .cells.step import outer_sum
from .chain import BoolArray
from .functions import ACTIVATIONS, softmax
from .losses import LOSSES, target_array

FEEDBACKS = ("output", "softmax")


@dataclass(frozen=True, eq=False)
class OutputRecurrence:
    """A network with output-to-hidden recurrence. Arrays are kept as read-only float64 copies.

    Parameters
    ----------
    W_xh : (n, d)
    W_yh : (n, m)
        Output of the step before to hidden.
    b_h : (n,)
    W_hy : (m, n)
    b_y : (m,)
    activation : "tanh", "relu" or "linear"
    feedback : "output" or "softmax"
        What is passed on: o_t = y_t, or for classes o_t = softmax(y_t).

    Raises
    ------
    ValueError
        For wrong shapes, non-finite weights and unknown names; names the argument.
    """

    W_xh: Array
    W_yh: Array
    b_h: Array
    W_hy: Array
    b_y: Array
    activation: str = "tanh"
    feedback: str = "output"

    def __post_init__(self) -> None:
        b_h = checked_array("b_h", self.b_h, (None,))
        W_hy = checked_array("W_hy", self.W_hy, (None, len(b_h)))
        checked = {
            "W_xh": checked_array("W_xh", self.W_xh, (len(b_h), None)),
            "W_yh": checked_array("W_yh", self.W_yh, (len(b_h), len(W_hy))),
            "b_h": b_h,
            "W_hy": W_hy,
            "b_y": checked_array("b_y", self.b_y, (len(W_hy),)),
            "activation": checked_choice("activation", self.activation, ACTIVATIONS),
            "feedback": checked_choice("feedback", self.feedback, FEEDBACKS),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    @property
    def hidden_size(self) -> int:
        """n."""
        return len(self.b_h)

    @property
    def parameter_count(self) -> int:
        """How many numbers the network holds."""
        return count(self.W_xh, self.W_yh, self.b_h, self.W_hy, self.b_y)

    def preactivations(self, x: Array, fed: Array) -> Array:
        """a_t = W_xh x_t + W_yh o_{t-1} + b_h, shape (..., n)."""
        return x @ self.W_xh.T + fed @ self.W_yh.T + self.b_h

    def hidden(self, preactivations: Array) -> Array:
        """h_t = phi(a_t), shape (..., n)."""
        return ACTIVATIONS[self.activation][0](preactivations)

    def slope(self, preactivations: Array) -> Array:
        """phi'(a_t), shape (..., n)."""
        return ACTIVATIONS[self.activation][1](preactivations)

    def read_out(self, h: Array) -> Array:
        """y_t = W_hy h_t + b_y, shape (..., m)."""
        return h @ self.W_hy.T + self.b_y

    def passed_on(self, y: Array) -> Array:
        """o_t = y_t or softmax(y_t), shape (..., m)."""
        return softmax(y) if self.feedback == "softmax" else y

    def passed_on_vjp(self, y: Array, gradient: Array) -> Array:
        """dL/dy_t from dL/do_t, shape (..., m)."""
        return attention_weights_vjp(softmax(y), gradient) if self.feedback == "softmax" else gradient


@dataclass(frozen=True, eq=False)
class OutputRecurrenceTrace:
    """One run; read-only float64.

    Attributes
    ----------
    xs : (T, d)
    fed : (T, m)
        What step t read from the step before it: o_{t-1}, or the target in its place.
    forced : (T,) booleans
        Where the target was read; True at step 1, which has no step before it.
    preactivations, hs : (T, n)
    ys : (T, m)
    """

    xs: Array
    fed: Array
    forced: BoolArray
    preactivations: Array
    hs: Array
    ys: Array


@dataclass(frozen=True, eq=False)
class OutputRecurrenceGradients:
    """Gradients of L_1 + … + L_T; read-only float64.

    Attributes
    ----------
    loss : (T,)
    parameters : W_xh, W_yh, b_h, W_hy, b_y -> dL/d parameter
    outputs : (T, m)
        dL/dy_t: of its own loss, and of later ones where it was passed on.
    hidden, preactivations : (T, n)
    inputs : (T, d)
    fed : (T, m)
        dL/d fed_t.
    """

    loss: Array
    parameters: Mapping[str, Array]
    outputs: Array
    hidden: Array
    preactivations: Array
    inputs: Array
    fed: Array


def run_output_recurrence(
    network: OutputRecurrence, xs: Any, teacher: Any = None, forced: Any = None, start: Any = None
) -> OutputRecurrenceTrace:
    """Run over xs (T, d), passing on own outputs, or the teacher's.

    Parameters
    ----------
    teacher : (T, m) or None
        Step t reads teacher_{t-1}; None passes on the network's own outputs (free running).
    forced : (T,) booleans or None
        Which steps read the teacher; all where None.
    start : (m,) or None
        What step 1 reads; zeros where None.
    """
    inputs = checked_array("xs", xs, (None, network.W_xh.shape[1]))
    steps, m = len(inputs), len(network.b_y)
    mask = _checked_forced(forced, teacher is not None, steps)
    fed = np.zeros((steps, m))
    if teacher is not None:
        fed[1:] = checked_array("teacher", teacher, (steps, m))[:-1]
    fed[:1] = np.zeros(m) if start is None else checked_array("start", start, (m,))
    with np.errstate(over="ignore", invalid="ignore"):
        for t in np.flatnonzero(~mask):
            _feed_back(network, inputs, fed, int(t))
        a = network.preactivations(inputs, fed)
        hs = network.hidden(a)
        ys = network.read_out(hs)
    arrays = [read_only(array) for array in (a, hs, ys)]
    return OutputRecurrenceTrace(inputs, read_only(fed), mask, *arrays)


def _feed_back(network: OutputRecurrence, xs: Array, fed: Array, t: int) -> None:
    """Put o_{t-1} where the step at index t reads it: the one thing that cannot wait for the rest."""
    before = network.hidden(network.preactivations(xs[t - 1], fed[t - 1]))
    fed[t] = network.passed_on(network.read_out(before))


def _checked_forced(forced: Any, has_teacher: bool, steps: int) -> BoolArray:
    mask = np.full(steps, has_teacher) if forced is None else np.array(forced)
    if mask.dtype != np.bool_ or mask.shape != (steps,):
        raise ValueError(f"forced must be booleans of shape ({steps},), got {mask.dtype} of shape {mask.shape}")
    if mask[1:].any() and not has_teacher:
        raise ValueError("teacher must be given where steps are forced, got None")
    mask[:1] = True
    mask.flags.writeable = False
    return mask


def output_recurrence_gradients(
    network: OutputRecurrence, trace: OutputRecurrenceTrace, targets: Any, loss: str = "cross_entropy"
) -> OutputRecurrenceGradients:
    """Differentiate the sum of the losses; nothing passes a forced step, whose input was given.

    Parameters
    ----------
    targets : (T,) class indices, or (T, m)
    loss : "cross_entropy" or "squared"
    """
    checked_choice("loss", loss, LOSSES)
    goals = target_array(targets, loss, *trace.ys.shape)
    outputs = LOSSES[loss][1](trace.ys, goals)
    slopes = network.slope(trace.preactivations)
    for t in np.flatnonzero(~trace.forced)[::-1]:
        fed = (slopes[t] * (outputs[t] @ network.W_hy)) @ network.W_yh
        outputs[t - 1] += network.passed_on_vjp(trace.ys[t - 1], fed)
    hidden = outputs @ network.W_hy
    delta = slopes * hidden
    parameters = {
        "W_xh": outer_sum(delta, trace.xs),
        "W_yh": outer_sum(delta, trace.fed),
        "b_h": delta.sum(axis=0),
        "W_hy": outer_sum(outputs, trace.hs),
        "b_y": outputs.sum(axis=0),
    }
    return OutputRecurrenceGradients(
        loss=read_only(LOSSES[loss][0](trace.ys, goals)),
        parameters={name: read_only(value) for name, value in parameters.items()},
        outputs=read_only(outputs),
        hidden=read_only(hidden),
        preactivations=read_only(delta),
        inputs=read_only(delta @ network.W_xh),
        fed=read_only(delta @ network.W_yh),
    )
