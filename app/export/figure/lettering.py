"""A line of plain text as an SVG text: variables in italics, raised and lowered digits by size and place.

Fonts lack Unicode's small digits more often than not, and a renderer then takes the whole line from another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from ...diagrams.scene import MINUS, SUBSCRIPT_DROP, SUBSCRIPT_SIZE, SUPERSCRIPT_RISE
from .drawn import element

LOW, HIGH = "₀₁₂₃₄₅₆₇₈₉", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"
_PLAIN = str.maketrans(LOW + HIGH, "0123456789" * 2 + MINUS)
#: Digits below or above the line, or a letter that stands alone: a variable, unless it is the article.
_PIECE = re.compile(rf"([{LOW}]+)|([{HIGH}]+)|(?<![A-Za-z0-9])([B-Zb-zλσρατ])(?![A-Za-z0-9])")
#: Width in em of characters in regular type: narrow ones, capitals, all others.
NARROW, CAPITAL, OTHER = 0.28, 0.68, 0.55
_NARROW = frozenset(" ,.:;'|()fijlt")


def text_width(text: str, size: float) -> float:
    """About how wide a line of text is."""
    return size * sum(NARROW if c in _NARROW else CAPITAL if c.isupper() else OTHER for c in text)


def text_line(
    parent: Element, x: float, y: float, text: str, size: float, style: str = "", anchor: str = ""
) -> Element:
    """A line of text on the baseline y."""
    line = element(parent, "text", style=style, x=x, y=y, font_size=size, text_anchor=anchor)
    line.set("xml:space", "preserve")
    height = 0.0
    for piece, kind in _pieces(text):
        shift = {"low": SUBSCRIPT_DROP, "high": -SUPERSCRIPT_RISE}.get(kind, 0.0) * size
        small = round(SUBSCRIPT_SIZE * size, 2) if kind in ("low", "high") else None
        looks = {"style": _style(kind, style), "font_size": small, "dy": round(shift - height, 2) or None}
        element(line, "tspan", **looks).text = piece.translate(_PLAIN)
        height = shift
    return line


def _style(kind: str, around: str) -> str:
    return "" if kind != "variable" else "sym b" if "b" in around.split() else "sym"


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """The line in pieces of one kind: `low`, `high`, `variable` or plain."""
    end = 0
    for found in _PIECE.finditer(text):
        if found.start() > end:
            yield text[end : found.start()], ""
        yield found[0], "low" if found[1] else "high" if found[2] else "variable"
        end = found.end()
    if end < len(text):
        yield text[end:], ""
