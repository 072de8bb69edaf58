"""How a number is shown to a person."""

from __future__ import annotations

import math

MINUS = "\u2212"
INFINITY = "\u221e"


def format_number(x: float, digits: int = 3) -> str:
    """Write x with `digits` significant digits where 0.001 <= |x| < 1000, trailing zeros kept.

    Smaller and larger numbers take 2 digits and an exponent without padding (1.2e+38); zero is "0",
    and "NaN" and "∞" stand for themselves. Minus is U+2212, in the exponent too.
    """
    if math.isnan(x):
        return "NaN"
    sign = MINUS if x < 0 else ""
    if math.isinf(x):
        return sign + INFINITY
    if x == 0:
        return "0"
    rounded = float(f"{abs(x):.{digits - 1}e}")
    if rounded < 1e-3 or rounded >= 1e3:
        return sign + _scientific(abs(x))
    decimals = max(0, digits - 1 - math.floor(math.log10(rounded)))
    return f"{sign}{rounded:.{decimals}f}"


def _scientific(size: float) -> str:
    mantissa, exponent = f"{size:.1e}".split("e")
    sign = "+" if int(exponent) >= 0 else MINUS
    return f"{mantissa}e{sign}{abs(int(exponent))}"
