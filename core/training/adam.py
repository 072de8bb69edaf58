"""Adam (Kingma and Ba 2015, algorithm 1) as one pure function."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..arrays import Array, read_only


@dataclass(frozen=True, eq=False)
class Adam:
    """Parameters and their moments after `step` updates; arrays are read-only float64.

    Attributes
    ----------
    parameters, m, v : name -> array
        Values, and the moving means of gradient and squared gradient.
    step : int
    """

    parameters: Mapping[str, Array]
    m: Mapping[str, Array]
    v: Mapping[str, Array]
    step: int = 0

    @classmethod
    def start(cls, parameters: Mapping[str, Array]) -> Adam:
        """Return the state before the first update: both moments 0."""
        zeros = {name: read_only(np.zeros_like(value)) for name, value in parameters.items()}
        return cls(dict(parameters), zeros, zeros)

    def updated(
        self,
        gradients: Mapping[str, Array],
        rate: float,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
    ) -> Adam:
        """Take one step: p - rate * m_hat / (sqrt(v_hat) + epsilon), with m_hat = m / (1 - beta1^t), v_hat likewise.

        Raises
        ------
        ValueError
            For gradients of other names than the parameters'.
        """
        if gradients.keys() != self.parameters.keys():
            raise ValueError(f"gradients must be of {', '.join(self.parameters)}, got {', '.join(gradients)}")
        t = self.step + 1
        m = {name: _mean(self.m[name], gradient, beta1) for name, gradient in gradients.items()}
        v = {name: _mean(self.v[name], gradient**2, beta2) for name, gradient in gradients.items()}
        first, second = 1.0 - beta1**t, 1.0 - beta2**t
        parameters = {
            name: read_only(value - rate * (m[name] / first) / (np.sqrt(v[name] / second) + epsilon))
            for name, value in self.parameters.items()
        }
        return Adam(parameters, m, v, t)


def _mean(mean: Array, value: Array, beta: float) -> Array:
    return read_only(beta * mean + (1.0 - beta) * value)
