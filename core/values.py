"""The numbers behind the symbols of an equation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .arrays import Array
from .cells import Cell
from .gradients import Gradients
from .unroll import Trace


@dataclass(frozen=True, eq=False)
class Values:
    """Where the numbers of an equation come from: a cell and its run at step t."""

    cell: Cell
    trace: Trace
    t: int
    gradients: Gradients | None = None
    targets: Any = None

    def weight(self, name: str, gate: str | None) -> Array:
        """Return a weight, or one gate's block of it."""
        array: Array = getattr(self.cell, name)
        return array if gate is None else np.asarray(array[self.cell.gate_names.index(gate)])

    def signal(self, name: str, lag: int) -> Array:
        """Return a quantity of step t + lag; what stands after the last step, (n,), is zero."""
        t = self.t + lag
        if t > self.trace.steps:
            return np.zeros(self.cell.hidden_size)
        if name in ("h", "c"):
            states = self.trace.hs if name == "h" else self.trace.cs
            return np.asarray(np.asarray(states)[t])
        if name.startswith("d"):
            return self._gradient(name, t)
        if name == "L":
            return self._loss(t)
        if name == "target":
            return np.atleast_1d(np.asarray(self._target(), dtype=np.float64))
        arrays = {"x": self.trace.xs, "y": self.trace.ys, **self.trace.gates}
        source = arrays[name] if name in arrays else self._preactivations(name)
        return np.asarray(np.asarray(source)[t - 1])

    def target_class(self) -> int:
        """Return the target of a class index loss."""
        return int(self._target())

    def _target(self) -> Any:
        if self.targets is None:
            raise ValueError("targets must be given to evaluate a loss, got None")
        return self.targets[self.t - 1]

    def _preactivations(self, name: str) -> Array:
        source = self.trace.preactivations
        return np.asarray(source[name[1]] if len(name) == 2 else source)

    def _loss(self, t: int) -> Array:
        if self.gradients is None:
            raise ValueError("gradients must be given to show a loss, got None")
        return np.atleast_1d(self.gradients.loss[t - 1])

    def _gradient(self, name: str, t: int) -> Array:
        if self.gradients is None:
            raise ValueError(f"gradients must be given to evaluate {name}, got None")
        if name in ("dh", "dc"):
            halves = np.split(self.gradients.states[t], [self.cell.hidden_size])
            return halves[0] if name == "dh" else halves[1]
        if name == "dy":
            return np.asarray(self.gradients.outputs[t - 1])
        source = self.gradients.preactivations
        return np.asarray((source[name[2]] if len(name) == 3 else source)[t - 1])
