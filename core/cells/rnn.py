"""The vanilla recurrent cell h_t = phi(W_hh h_{t-1} + W_xh x_t + b_h)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..arrays import Array, checked_array, checked_choice, checked_integer
from ..functions import ACTIVATIONS
from .readout import checked_readout, count
from .sizes import Sizes
from .step import StepGradients, outer_sum


@dataclass(frozen=True, eq=False)
class RNNLinearization:
    """The step Jacobians J = diag(phi') W_hh of a run as their factors: slopes (T, n) and W_hh (n, n)."""

    slopes: Array
    W_hh: Array

    def push(self, index: int, tangents: Array) -> Array:
        """J v for every row v of `tangents` (..., n): phi' * (W_hh v)."""
        pushed: Array = tangents.dot(self.W_hh.T)
        pushed *= self.slopes[index]
        return pushed

    def pull(self, index: int, gradients: Array) -> Array:
        """J^T g for every row g of `gradients` (..., n): W_hh^T (phi' * g)."""
        pulled: Array = (gradients * self.slopes[index]).dot(self.W_hh)
        return pulled


@dataclass(frozen=True, eq=False)
class RNN(Sizes):
    """A vanilla RNN cell; its state s is h. Arrays are kept as read-only float64 copies.

    Parameters
    ----------
    W_xh : (n, d)
        Input to hidden weights.
    W_hh : (n, n)
        Hidden to hidden weights.
    b_h : (n,)
        Hidden bias.
    W_hy : (m, n) or None
        Hidden to output weights; None for a cell without a read-out.
    b_y : (m,) or None
        Output bias; zeros where only W_hy is given.
    activation : "tanh", "relu" or "linear"

    Raises
    ------
    ValueError
        For wrong shapes, non-finite weights and unknown activations; names the argument.
    """

    W_xh: Array
    W_hh: Array
    b_h: Array
    W_hy: Array | None = None
    b_y: Array | None = None
    activation: str = "tanh"

    gate_names: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        W_hh = checked_array("W_hh", self.W_hh, (None, None))
        n = checked_integer("hidden size of W_hh", len(W_hh), 1)
        checked = {
            "W_xh": checked_array("W_xh", self.W_xh, (n, None)),
            "W_hh": checked_array("W_hh", self.W_hh, (n, n)),
            "b_h": checked_array("b_h", self.b_h, (n,)),
            "activation": checked_choice("activation", self.activation, ACTIVATIONS),
        }
        checked["W_hy"], checked["b_y"] = checked_readout(self.W_hy, self.b_y, n)
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    @property
    def state_size(self) -> int:
        """s = n: the state is h."""
        return self.hidden_size

    @property
    def parameter_count(self) -> int:
        """How many numbers the cell and its read-out hold."""
        return count(self.W_xh, self.W_hh, self.b_h, self.W_hy, self.b_y)

    def preactivations(self, x: Array, state: Array) -> Array:
        """a_t = W_hh h_{t-1} + W_xh x_t + b_h, shape (..., n) from x (..., d), state (..., n)."""
        return state @ self.W_hh.T + x @ self.W_xh.T + self.b_h

    def advance(self, preactivations: Array, state: Array) -> Array:
        """h_t = phi(a_t), shape (..., n)."""
        return ACTIVATIONS[self.activation][0](preactivations)

    def gates(self, preactivations: Array) -> dict[str, Array]:
        """Return an empty dict: an RNN has no gates."""
        return {}

    def fill_run(self, xs: Array, states: Array, preactivations: Array) -> None:
        """Write a_t (T, n) and h_t (T + 1, n; h_0 is given) of a whole run: `step`, three calls a step."""
        activate, product, add = ACTIVATIONS[self.activation][0], self.W_hh.dot, np.add
        np.matmul(xs, self.W_xh.T, out=preactivations)
        preactivations += self.b_h
        for a, before, after in zip(preactivations, states[:-1], states[1:], strict=True):
            add(a, product(before), a)
            activate(a, after)

    def slope(self, preactivations: Array) -> Array:
        """phi'(a_t), shape (..., n); relu'(0) = 0."""
        return ACTIVATIONS[self.activation][1](preactivations)

    def step(self, x: Array, state: Array) -> Array:
        """h_t = phi(W_hh h_{t-1} + W_xh x_t + b_h), shape (..., n) from x (..., d), h (..., n)."""
        return self.advance(self.preactivations(x, state), state)

    def jacobian(self, x: Array, state: Array) -> Array:
        """d h_t / d h_{t-1} = diag(phi'(a_t)) W_hh, shape (..., n, n), in numerator layout."""
        return self.slope(self.preactivations(x, state))[..., :, None] * self.W_hh

    def vjp(self, x: Array, state: Array, gradient: Array) -> StepGradients:
        """Carry dL/dh_t = `gradient` (..., n) back through one step.

        dL/da_t = phi'(a_t) * dL/dh_t; dL/dh_{t-1} = W_hh^T dL/da_t; dL/dx_t = W_xh^T dL/da_t.
        """
        delta = self.slope(self.preactivations(x, state)) * gradient
        return StepGradients(state=delta @ self.W_hh, x=delta @ self.W_xh, preactivations=delta)

    def linearize(self, preactivations: Array, states: Array) -> RNNLinearization:
        """Return the Jacobians of T steps in factors, from a_t (T, n) and the states before (T, n)."""
        return RNNLinearization(self.slope(preactivations), self.W_hh)

    def parameter_gradients(self, x: Array, state: Array, delta: Array) -> dict[str, Array]:
        """dL/dW_xh, dL/dW_hh, dL/db_h, summed over leading axes, from delta = dL/da_t (..., n)."""
        return {
            "W_xh": outer_sum(delta, x),
            "W_hh": outer_sum(delta, state),
            "b_h": delta.reshape(-1, self.hidden_size).sum(axis=0),
        }

    def recurrent_tiles(self, x: Array, state: Array, delta: Array) -> Array:
        """dL/da_t h_{t-1}^T: what each use of W_hh adds to dL/dW_hh, shape (..., n, n)."""
        return np.asarray(delta[..., :, None] * state[..., None, :])
