"""How fast a curve of log10 norms against lag falls or grows, beside its bound and the folk law."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .arrays import Array, read_only
from .cells import RNN
from .half_life import HalfLife, half_life, kind_of
from .initializers import spectral_radius
from .spectrum import eigenvalues, singular_values
from .unroll import Trace


@dataclass(frozen=True, eq=False)
class Decay(HalfLife):
    """The Jacobian norm of an RNN against lag k, from the last step back, beside what is said about it.

    Attributes
    ----------
    curve : (T + 1,) log10 ||d h_T / d h_{T-k}||_2
    bound : (T + 1,) k log10 sigma_max(W): gamma = max |phi'| = 1 for tanh, relu and linear, so no curve lies
        above it (Pascanu et al. 2013, with the largest singular value, not the spectral radius)
    folk : (T + 1,) k log10 rho(W): the limit of the linear network, often quoted for every network
    """

    bound: Array
    folk: Array
    eigenvalues: np.ndarray[tuple[int, ...], np.dtype[np.complex128]]
    singular_values: Array
    spectral_radius: float

    @property
    def folk_kind(self) -> str:
        """What the folk law says, by the same measure as `kind`."""
        return kind_of(float(self.folk[1])) if len(self.folk) > 1 else "steady"


def decay(cell: RNN, trace: Trace) -> Decay:
    """Measure `trace` from its last step back; see `Decay`."""
    measured = half_life(cell, trace)
    sigma, radius = singular_values(cell.W_hh), spectral_radius(cell.W_hh)
    return Decay(
        curve=measured.curve,
        slope=measured.slope,
        gone_from=measured.gone_from,
        bound=read_only(_power_log10(sigma[0], trace.steps)),
        folk=read_only(_power_log10(radius, trace.steps)),
        eigenvalues=eigenvalues(cell.W_hh),
        singular_values=read_only(sigma),
        spectral_radius=radius,
    )


def _power_log10(base: float, steps: int) -> Array:
    """log10 base^k for k = 0 … steps; base 0 gives 0, -inf, -inf, …"""
    with np.errstate(divide="ignore"):
        logarithm = np.log10(base)
    powers = np.zeros(steps + 1)
    powers[1:] = np.arange(1, steps + 1) * logarithm
    return powers
