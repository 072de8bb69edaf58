"""What a random network does in the limit of many units: the mean field beside which a drawn one is read."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .arrays import Array, checked_number, read_only
from .cells import RNN
from .unroll import Trace

# Averages over a standard normal z by the trapezoid rule, whose error falls exponentially for smooth functions: from
# -12 to 12 the density falls to 1e-32, and steps of 1/200 resolve tanh(sqrt(Delta) z) to rounding up to g = 30.
_Z = read_only(np.linspace(-12.0, 12.0, 4801))
_DENSITY = read_only(np.exp(-0.5 * _Z**2) / np.exp(-0.5 * _Z**2).sum())


@dataclass(frozen=True)
class MeanField:
    """h_t = tanh(W h_{t-1}) with W_ij ~ N(0, g^2 / n), n to infinity; natural logarithms, per step.

    Attributes
    ----------
    variance : Delta = g^2 E tanh^2(sqrt(Delta) z), the variance of a_t; 0 for g <= 1
    mean_slope : E phi'(a)
    chi : g^2 E phi'(a)^2: how the squared length of a perturbation changes in a step
    largest_exponent : ln(chi) / 2
    mean_exponent : ln g + E ln phi'(a) - 1/2, the mean of all exponents
    """

    variance: float
    mean_slope: float
    chi: float
    largest_exponent: float
    mean_exponent: float


def mean_field(g: float) -> MeanField:
    """Return the mean field of a Gaussian tanh network without input and bias, in discrete time.

    Chaos begins at g = 1, as n goes to infinity only: at n = 32 most draws with g = 1.5 are not chaotic.

    Raises
    ------
    ValueError
        For a g that is not positive and finite.
    """
    if not checked_number("g", g) > 0:
        raise ValueError(f"g must be a positive number, got {g!r}")
    variance = _variance(float(g))
    a = math.sqrt(variance) * _Z
    # ln phi' = -2 ln cosh a, without cosh, which overflows.
    log_slope = -2.0 * (np.logaddexp(a, -a) - math.log(2.0))
    chi = g**2 * _mean(np.exp(2.0 * log_slope))
    mean_exponent = math.log(g) + _mean(log_slope) - 0.5
    return MeanField(variance, _mean(np.exp(log_slope)), chi, 0.5 * math.log(chi), mean_exponent)


def mean_slope(cell: RNN, trace: Trace) -> Array:
    """Mean of phi'(a_t) over the units, shape (T,): 1 where none is saturated, near 0 where nearly all are.

    sqrt(mean phi'^2) ||W||_F / sqrt(n) predicts the factor a gradient takes in a step better than the radius does.
    """
    if not isinstance(cell, RNN):
        raise ValueError(f"cell must be an RNN, got {type(cell).__name__}")
    return np.asarray(cell.slope(trace.preactivations).mean(axis=1))


def _variance(g: float) -> float:
    """Solve Delta = g^2 E tanh^2(sqrt(Delta) z) by bisection: the right side over Delta falls from g^2 to 0."""
    if g <= 1.0:
        return 0.0
    low, high = 0.0, g**2
    for _ in range(80):
        middle = 0.5 * (low + high)
        grows = g**2 * _mean(np.tanh(math.sqrt(middle) * _Z) ** 2) > middle
        low, high = (middle, high) if grows else (low, middle)
    return 0.5 * (low + high)


def _mean(values: Array) -> float:
    return float(_DENSITY @ values)
