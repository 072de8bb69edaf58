"""How fast a curve of log10 norms against lag falls or grows, beside its bound and the folk law."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .arrays import Array, read_only
from .cells import RNN
from .half_life import doubling_steps, first_gone, kind_of, tail_slope
from .initializers import spectral_radius
from .jacobians import jacobian_log10_norms
from .spectrum import eigenvalues, singular_values
from .unroll import Trace


@dataclass(frozen=True, eq=False)
class Decay:
    """The Jacobian norm of an RNN against lag k, from the last step back.

    Attributes
    ----------
    true : (T + 1,) log10 ||d h_T / d h_{T-k}||_2
    bound : (T + 1,) k log10 sigma_max(W): gamma = max |phi'| = 1 for tanh, relu and linear, so no curve lies
        above it (Pascanu et al. 2013, with the largest singular value, not the spectral radius)
    folk : (T + 1,) k log10 rho(W): the limit of the linear network, often quoted for every network
    slope : decades per step of the second half of `true`, by least squares; -inf where it is exactly 0 from
        some lag on
    gone_from : first lag where the norm is exactly 0, or None
    """

    true: Array
    bound: Array
    folk: Array
    eigenvalues: np.ndarray[tuple[int, ...], np.dtype[np.complex128]]
    singular_values: Array
    spectral_radius: float
    slope: float
    gone_from: int | None

    @property
    def kind(self) -> str:
        """`vanishing`, `exploding` or `steady`, by the slope of the true curve."""
        return kind_of(self.slope)

    @property
    def doubling_steps(self) -> float:
        """Steps in which the norm halves or doubles; inf where it does neither, 0 where it is gone at once."""
        return doubling_steps(self.slope)


def decay(cell: RNN, trace: Trace) -> Decay:
    """Measure `trace` from its last step back; see `Decay`."""
    true = jacobian_log10_norms(cell, trace, t=trace.steps)[::-1]
    sigma, radius = singular_values(cell.W_hh), spectral_radius(cell.W_hh)
    return Decay(
        true=read_only(true.copy()),
        bound=read_only(_power_log10(sigma[0], trace.steps)),
        folk=read_only(_power_log10(radius, trace.steps)),
        eigenvalues=eigenvalues(cell.W_hh),
        singular_values=read_only(sigma),
        spectral_radius=radius,
        slope=tail_slope(true),
        gone_from=first_gone(true),
    )


def _power_log10(base: float, steps: int) -> Array:
    """log10 base^k for k = 0 … steps; base 0 gives 0, -inf, -inf, …"""
    with np.errstate(divide="ignore"):
        logarithm = np.log10(base)
    powers = np.zeros(steps + 1)
    powers[1:] = np.arange(1, steps + 1) * logarithm
    return powers
