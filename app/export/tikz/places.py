"""Numbers as coordinates of a plot, and how large a plot is."""

from __future__ import annotations

import math

#: Of a plot in cm, without its labels; of a square one with them.
WIDTH, HEIGHT, SQUARE = 11, 7, 8


def coordinate(value: float) -> str:
    """A number in a plot, six digits of it; what is no number is nan, and the curve has a gap there."""
    return f"{float(value) + 0.0:.6g}" if math.isfinite(value) else "nan"
