"""What every cell shares: its interface, and the gradients of one step."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..arrays import Array


@dataclass(frozen=True, eq=False)
class StepGradients:
    """Gradients of a loss behind one step, from the gradient of the state that the step made.

    Attributes
    ----------
    state : (..., s)
        dL / d state_{t-1}, through this step alone.
    x : (..., d)
        dL / d x_t.
    preactivations : (..., n) or (..., gates, n)
        dL / d a_t.
    """

    state: Array
    x: Array
    preactivations: Array


def outer_sum(delta: Array, vector: Array) -> Array:
    """Sum of delta vector^T over all leading axes, shape (n, k) from (..., n) and (..., k)."""
    rows = math.prod(delta.shape[:-1])
    return np.asarray(delta.reshape(rows, delta.shape[-1]).T @ vector.reshape(rows, vector.shape[-1]))


class Cell(Protocol):
    """What `unroll`, the Jacobians and the gradients need of a cell. See `RNN` for the shapes."""

    @property
    def W_hh(self) -> Array: ...
    @property
    def W_hy(self) -> Array | None: ...
    @property
    def b_y(self) -> Array | None: ...
    @property
    def gate_names(self) -> tuple[str, ...]: ...
    @property
    def hidden_size(self) -> int: ...
    @property
    def input_size(self) -> int: ...
    @property
    def output_size(self) -> int | None: ...
    @property
    def state_size(self) -> int: ...
    @property
    def parameter_count(self) -> int: ...
    def preactivations(self, x: Array, state: Array) -> Array: ...
    def gates(self, preactivations: Array) -> dict[str, Array]: ...
    def advance(self, preactivations: Array, state: Array) -> Array: ...
    def step(self, x: Array, state: Array) -> Array: ...
    def jacobian(self, x: Array, state: Array) -> Array: ...
    def vjp(self, x: Array, state: Array, gradient: Array) -> StepGradients: ...
    def parameter_gradients(self, x: Array, state: Array, delta: Array) -> dict[str, Array]: ...
    def recurrent_tiles(self, x: Array, state: Array, delta: Array) -> Array: ...
