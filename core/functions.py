"""Scalar functions and their derivatives, safe at every float64 argument.

Functions take and return arrays of any shape. Each derivative stands below its function and is
taken at the same argument, so that it stays right where the function's value has saturated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Protocol

import numpy as np

from .arrays import Array


def sigmoid(a: Array) -> Array:
    """1 / (1 + exp(-a)), computed from exp(-|a|) so that nothing overflows."""
    small = np.exp(-np.abs(a))
    return np.where(a >= 0, 1.0, small) / (1.0 + small)


def dsigmoid(a: Array) -> Array:
    """d sigmoid / d a = e / (1 + e)^2 with e = exp(-|a|): not 0 where sigmoid rounds to 1."""
    small = np.exp(-np.abs(a))
    return small / (1.0 + small) ** 2


def log_sigmoid(a: Array) -> Array:
    """log(sigmoid(a)) = -log(1 + exp(-a))."""
    return -np.logaddexp(0.0, -a)


def tanh(a: Array, out: Array | None = None) -> Array:
    """Hyperbolic tangent, written into `out` where given."""
    return np.tanh(a, out=out)


def dtanh(a: Array) -> Array:
    """d tanh / d a = 1 / cosh(a)^2 = 4 e / (1 + e)^2 with e = exp(-2|a|).

    1 - tanh(a)^2 is the same number until |a| is about 10, and is exactly 0 from 19.
    """
    small = np.exp(-2.0 * np.minimum(np.abs(a), 1e4))
    rest = 1.0 + small
    rest *= rest  # in place: of a large array the fresh pages cost more than the arithmetic
    small *= 4.0
    small /= rest
    return small


def relu(a: Array, out: Array | None = None) -> Array:
    """max(a, 0), written into `out` where given."""
    return np.maximum(a, 0.0, out=out)


def drelu(a: Array) -> Array:
    """1 where a > 0, else 0: the derivative at 0 is taken to be 0, as autograd libraries do."""
    return np.where(a > 0, 1.0, 0.0)


def linear(a: Array, out: Array | None = None) -> Array:
    """Return a itself, or written into `out` where given."""
    return a if out is None else np.positive(a, out=out)


def dlinear(a: Array) -> Array:
    """1 everywhere."""
    return np.ones_like(a)


def logsumexp(z: Array) -> Array:
    """log(sum(exp(z))) over the last axis, with the maximum taken out."""
    return np.asarray(z.max(axis=-1) + np.log(_exp_below_maximum(z).sum(axis=-1)))


def softmax(z: Array) -> Array:
    """exp(z) / sum(exp(z)) over the last axis."""
    weights = _exp_below_maximum(z)
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


def _exp_below_maximum(z: Array) -> Array:
    # Arguments 1e308 apart differ by -inf, whose exponential is the 0 that it should be.
    with np.errstate(over="ignore"):
        return np.asarray(np.exp(z - z.max(axis=-1, keepdims=True)))


class Activation(Protocol):
    """A function of an array that can write its result into another one."""

    def __call__(self, a: Array, out: Array | None = None) -> Array: ...


Function = Callable[[Array], Array]

ACTIVATIONS: Mapping[str, tuple[Activation, Function]] = MappingProxyType(
    {"tanh": (tanh, dtanh), "relu": (relu, drelu), "linear": (linear, dlinear)}
)
"""Name of an activation -> (the function, its derivative)."""
