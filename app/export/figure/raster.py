"""An SVG as PNG and PDF, drawn by vl-convert: one wheel, no system library, fonts of its own for a bare machine."""

from __future__ import annotations

from .extra import needed

#: The one font that vl-convert brings.
OWN_FONT = "Liberation Sans"


def png(svg: str, scale: float) -> bytes:
    """The picture with `scale` pixels to each of its own."""
    made: bytes = needed("vl_convert", "png").svg_to_png(with_own_font(svg), scale=scale)
    return made


def pdf(svg: str) -> bytes:
    """The picture as one page, its text as text."""
    made: bytes = needed("vl_convert", "pdf").svg_to_pdf(with_own_font(svg))
    return made


def with_own_font(svg: str) -> str:
    """The same text; without a serif on the machine it is set in the font that comes with vl-convert, not left out."""
    return svg.replace(", serif", f", {OWN_FONT}, serif")
