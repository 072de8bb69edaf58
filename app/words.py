"""Text with numbers in it, as tokens that the page lays out: plain text, symbols, and readouts."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from rnnscope.core import Token, format_number

#: Decades that a float64 holds in full precision.
LARGEST_POWER = 307
Words = dict[str, Any]
Phrase = list[Words]


def token_words(tokens: Iterable[Token]) -> Phrase:
    """Core's tokens as the page's JSON: absent fields left out, the value as text that keeps every digit."""
    return [_compact(token) for token in tokens]


def _compact(token: Token) -> Words:
    fields = ("kind", "text", "sub", "sup", "accent", "symbol", "t", "unit")
    words = {field: getattr(token, field) for field in fields if getattr(token, field) is not None}
    if token.value is not None:
        words["value"] = written(token.value)
    return words


def written(value: float) -> str:
    """The shortest text that gives the float64 back; `inf`, `-inf`, `nan` by name."""
    return repr(float(value))


def plain(text: str, strong: bool = False) -> Words:
    return {"kind": "strong" if strong else "text", "text": text}


def symbol(letter: str, sub: str | None = None, sup: str | None = None) -> Words:
    words = {"kind": "symbol", "text": letter, "sub": sub, "sup": sup}
    return {key: value for key, value in words.items() if value is not None}


def readout(value: float, name: str, t: int = 0, unit: int = 0, digits: int = 3, text: str | None = None) -> Words:
    """A number that a test or a screen reader finds by symbol, step and unit."""
    shown = format_number(value, digits) if text is None else text
    return {"kind": "number", "text": shown, "symbol": name, "t": t, "unit": unit, "value": written(value)}


def power_readout(log10: float, name: str, t: int = 0, unit: int = 0) -> Words:
    """10**log10 as a readout; past the range of floats it is inf or 0, and printed as a power of ten."""
    within = abs(log10) < LARGEST_POWER
    value = 10.0**log10 if within else (math.inf if log10 > 0 else 0.0)
    text = None if within or math.isinf(log10) else f"10^{log10:.0f}".replace("-", "−")
    return readout(value, name, t, unit, text=text)


def unit_words(unit: int, n: int) -> str:
    """Which unit of a layer, where there are several."""
    return f", unit {unit + 1}" if n > 1 else ""


def phrase(*parts: str | Words) -> Phrase:
    return [plain(part) if isinstance(part, str) else part for part in parts]
