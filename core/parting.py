"""Where a measured Jacobian norm, its bound and the folk law part, and why."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .arrays import Array, checked_number
from .cells import RNN
from .decay import Decay
from .transient import TransientPeak, log10_power_norm, transient_peak
from .unroll import Trace

#: The two reasons: W is not normal, or the slopes phi' are below 1 (saturation; a relu's dead units).
REASONS = ("non-normal", "saturation")


@dataclass(frozen=True)
class Parting:
    """The first lag where the measured norm is off the folk law rho^k, and the two exact parts of the gap there.

    log10 ||J_T … J_{T-k+1}|| - k log10 rho = (log10 ||W^k|| - k log10 rho) + (log10 ||J_T … || - log10 ||W^k||).
    The first part is never negative (||W^k|| >= rho^k), and where W is normal the second is never positive
    (||J … || <= sigma_max^k = rho^k): so a norm above the law needs a W that is not normal, and one below it slopes.

    Attributes
    ----------
    lag : k
    gap : decades, positive where the norm is above the law; inf or -inf where one of them is exactly 0
    nonnormal, slopes : the two parts of it, decades: what W does without slopes, and what phi' does to that
    reason : "non-normal" for a gap above 0, "saturation" below
    mean_slope : mean of phi'(a) over all units and the k steps that the lag spans
    peak : largest ||W^k|| up to lag T where W's not being normal is the reason, else None: it explains nothing there
    """

    lag: int
    gap: float
    nonnormal: float
    slopes: float
    reason: str
    mean_slope: float
    peak: TransientPeak | None


@dataclass(frozen=True)
class BoundParting:
    """The first lag where the bound sigma_max^k is far above the measured norm, and the two exact parts of the gap.

    Attributes
    ----------
    lag : k
    gap : k log10 sigma_max - log10 ||J_T … J_{T-k+1}||, decades
    nonnormal : k log10 sigma_max - log10 ||W^k||, decades: W does not stretch the same direction again; 0 if normal
    slopes : log10 ||W^k|| - log10 ||J_T … ||, decades: what phi' takes away (negative where it adds)
    reason : "non-normal" or "saturation", the larger part
    """

    lag: int
    gap: float
    nonnormal: float
    slopes: float
    reason: str


def parting(decay: Decay, cell: RNN, trace: Trace, apart: float = 1.0) -> Parting | None:
    """Find where `decay.curve` and `decay.folk` differ by more than `apart` decades first; None: nowhere in the run.

    Two norms that are both exactly 0 do not differ. See `Parting`.

    Raises
    ------
    ValueError
        For `apart` that is not a finite number of at least 0.
    """
    gaps = _difference(decay.curve, decay.folk)
    lag = _first(np.abs(gaps) > checked_number("apart", apart, low=0.0))
    if lag is None:
        return None
    power, gap = log10_power_norm(cell.W_hh, lag), float(gaps[lag])
    return Parting(
        lag=lag,
        gap=gap,
        nonnormal=float(_difference(power, decay.folk[lag])),
        slopes=float(_difference(decay.curve[lag], power)),
        reason=REASONS[gap < 0],
        mean_slope=float(cell.slope(trace.preactivations[trace.steps - lag :]).mean()),
        peak=transient_peak(cell.W_hh, trace.steps) if gap > 0 else None,
    )


def bound_parting(decay: Decay, cell: RNN, apart: float = 1.0) -> BoundParting | None:
    """Find where `decay.bound` is more than `apart` decades above `decay.curve` first; see `BoundParting`.

    Raises
    ------
    ValueError
        For `apart` that is not a finite number of at least 0.
    """
    gaps = _difference(decay.bound, decay.curve)
    lag = _first(gaps > checked_number("apart", apart, low=0.0))
    if lag is None:
        return None
    power = log10_power_norm(cell.W_hh, lag)
    nonnormal = float(_difference(decay.bound[lag], power))
    slopes = float(_difference(power, decay.curve[lag]))
    return BoundParting(lag, float(gaps[lag]), nonnormal, slopes, REASONS[slopes > nonnormal])


def _difference(one: Array | float, other: Array | float) -> Array:
    """One - other of log10 norms, 0 where both norms are exactly 0."""
    with np.errstate(invalid="ignore"):
        return np.where(np.isneginf(one) & np.isneginf(other), 0.0, np.subtract(one, other))


def _first(marks: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> int | None:
    found = np.flatnonzero(marks)
    return int(found[0]) if found.size else None
