"""What a cell may have to be fast over a whole run; a cell without them is stepped and differentiated step by step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..arrays import Array
from .step import Cell


class Linearization(Protocol):
    """The step Jacobians J_1 … J_T of a run; index t - 1 is J_t. Rows are vectors, in any number."""

    def push(self, index: int, tangents: Array) -> Array: ...
    def pull(self, index: int, gradients: Array) -> Array: ...


FillRun = Callable[[Array, Array, Array], None]
"""`cell.fill_run(xs, states, preactivations)` writes the steps of a run into the last two, from states[0]."""

Linearize = Callable[[Array, Array], Linearization]
"""`cell.linearize(preactivations, states_before)` gives the step Jacobians in factors, without an (s, s) matrix."""


def own_fill_run(cell: Cell) -> FillRun | None:
    """Return the cell's `fill_run`, or None where it has none."""
    return getattr(cell, "fill_run", None)


def own_linearize(cell: Cell) -> Linearize | None:
    """Return the cell's `linearize`, or None where it has none."""
    return getattr(cell, "linearize", None)


@dataclass(frozen=True, eq=False)
class StepLinearization:
    """The step Jacobians of any cell, each computed when it is asked for: no memory that grows with T s^2."""

    cell: Cell
    xs: Array
    states: Array

    def push(self, index: int, tangents: Array) -> Array:
        """J v for every row v of `tangents` (..., s)."""
        return np.asarray(tangents @ self._jacobian(index).T)

    def pull(self, index: int, gradients: Array) -> Array:
        """J^T g for every row g of `gradients` (..., s)."""
        return np.asarray(gradients @ self._jacobian(index))

    def _jacobian(self, index: int) -> Array:
        return self.cell.jacobian(self.xs[index], self.states[index])
