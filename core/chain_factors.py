"""One loss's way back through time, factor by factor: what each step multiplies its gradient by."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .arrays import Array, read_only
from .cells import Cell
from .gradients import Gradients
from .jacobians import step_jacobians
from .unroll import Trace


@dataclass(frozen=True, eq=False)
class ChainFactors:
    """Factors of every dL_t / d state_k; all arrays are read-only float64.

    Attributes
    ----------
    signed : bool
        Whether the state is one number. Then everything here has its sign; else these are norms.
    starts : (T + 1,)
        Row t: dL_t / d state_t, or its 2-norm; NaN for t = 0, which has no loss.
    factors : (T + 1, T + 1)
        [t, i], 1 <= i <= t: what step i multiplies loss t's gradient by on its way from state_i to state_{i-1}: the
        scalar d state_i / d state_{i-1}, the same for every t, phi'(a_i) W for a plain RNN; or the ratio
        ||dL_t / d state_{i-1}|| / ||dL_t / d state_i||, NaN from an exact zero on. NaN outside.
    values : (T + 1, T + 1)
        [t, k], 1 <= t, k <= t: dL_t / d state_k, or its 2-norm: starts[t] times the factors of i = t, ..., k + 1.
        NaN outside.
    """

    signed: bool
    starts: Array
    factors: Array
    values: Array


def chain_factors(cell: Cell, trace: Trace, gradients: Gradients) -> ChainFactors:
    """Take every contribution of a run apart into a start and one factor a step.

    In numerator layout dL_t/dh_k = dL_t/dh_t J_t J_{t-1} ... J_{k+1} with J_i = diag(phi'(a_i)) W_hh; Pascanu, Mikolov
    and Bengio (2013, section 2) bound its norm factor by factor; here the factors are the measured ratios of norms,
    whose product telescopes to the norm exactly.

    Parameters
    ----------
    gradients : of `bptt` without truncation
    """
    if cell.state_size == 1:
        return _signed(step_jacobians(cell, trace)[:, 0, 0], gradients.from_output[:, 0])
    return _norms(gradients.contributions)


def _signed(jacobians: Array, at_own_state: Array) -> ChainFactors:
    steps = len(jacobians)
    starts = np.concatenate([[np.nan], at_own_state])
    below = np.tri(steps + 1, dtype=bool)
    below[0] = False
    factors = np.where(below, np.concatenate([[np.nan], jacobians]), np.nan)
    factors[:, 0] = np.nan
    values = np.full((steps + 1, steps + 1), np.nan)
    with np.errstate(over="ignore", invalid="ignore"):
        for t in range(1, steps + 1):
            chain = np.concatenate([[starts[t]], jacobians[:t][::-1]])
            values[t, : t + 1] = np.cumprod(chain)[::-1]
    return _frozen(True, starts, factors, values)


def _norms(contributions: Array) -> ChainFactors:
    factors = np.full_like(contributions, np.nan)
    with np.errstate(over="ignore", invalid="ignore"):
        factors[:, 1:] = 10.0 ** (contributions[:, :-1] - contributions[:, 1:])
        values = 10.0**contributions
    return _frozen(False, np.diagonal(values), factors, values)


def _frozen(signed: bool, starts: Array, factors: Array, values: Array) -> ChainFactors:
    return ChainFactors(signed, read_only(starts), read_only(factors), read_only(values))
