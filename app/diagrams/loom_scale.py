"""The range of the loom's colours: stepwise, so that it changes seldom, and written in the legend."""

from __future__ import annotations

import math

import numpy as np

#: Decades a colour step may stand for.
STEPS = (0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
#: The scale has nine colours: eight steps from its lowest to its highest.
COLOUR_STEPS = 8


def contribution_range(contributions: np.ndarray) -> tuple[float, float]:
    """Ends of the scale of log10 norms: from 0 down where nothing is above 1, else from the highest step needed.

    The smallest step of `STEPS` whose eight steps hold every finite value; past the last one the ends are clipped.
    """
    finite = contributions[np.isfinite(contributions)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    for step in STEPS:
        top = step * max(0, math.ceil(high / step - 0.5))
        bottom = top - COLOUR_STEPS * step
        if low >= bottom - step / 2 or step == STEPS[-1]:
            break
    return round(bottom, 6), round(top, 6)
