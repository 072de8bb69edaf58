"""How far a share that was counted can be from the true one."""

from __future__ import annotations

from typing import Any

import numpy as np

from .arrays import Array

#: The normal distribution has 95 % of its mass within this many standard deviations.
Z_95 = 1.959963984540054


def wilson_interval(successes: Any, trials: Any, z: float = Z_95) -> tuple[Array, Array]:
    """Return the ends (low, high) of the score interval of a binomial share (Wilson 1927).

    The shares p with |s/n - p| <= z sqrt(p (1 - p) / n); within 0 … 1 also where all or none succeed.

    Parameters
    ----------
    successes, trials : integers (...)
        0 <= successes <= trials, at least 1 trial.
    z : float
        1.96 for 95 %.

    Raises a ValueError for counts that are none.
    """
    s, n = np.asarray(successes), np.asarray(trials)
    if s.dtype.kind not in "iu" or n.dtype.kind not in "iu" or (n < 1).any() or (s < 0).any() or (s > n).any():
        raise ValueError("successes and trials must be integers with 0 <= successes <= trials and trials >= 1")
    centre, spread = s + z * z / 2, z * np.sqrt(s * (n - s) / n + z * z / 4)
    share = s / n  # an end may not pass it by rounding
    low, high = (centre - spread) / (n + z * z), (centre + spread) / (n + z * z)
    return np.clip(low, 0.0, share), np.clip(high, share, 1.0)
