"""Icons and the logo as inline SVG: neutral ink, drawn on a 20 px grid."""

from __future__ import annotations

from urllib.parse import quote


def _icon(paths: str) -> str:
    return f'<svg class="ic" viewBox="0 0 20 20" aria-hidden="true">{paths}</svg>'


ICONS = {
    "theme": _icon('<circle cx="10" cy="10" r="6.5"/><path class="f" d="M10 3.5a6.5 6.5 0 0 1 0 13z"/>'),
    "share": _icon('<path d="M10 12.5V3.5M6.5 6.5 10 3l3.5 3.5M4 11v5.5h12V11"/>'),
    "embed": _icon('<path d="M6.5 6 2.5 10l4 4M13.5 6l4 4-4 4M11.5 4.5l-3 11"/>'),
    "chevron": _icon('<path d="M6 8l4 4 4-4"/>'),
}

_RING = "M14 10.2h3.2a3.8 3.8 0 0 1 0 9.6H10.8a3.8 3.8 0 0 1-.6-7.5"


def _logo(ground: str, ink: str, attributes: str) -> str:
    return (
        f'<svg {attributes} viewBox="0 0 28 28"><rect x="1" y="1" width="26" height="26" rx="8" fill="{ground}"/>'
        f'<path d="{_RING}" fill="none" stroke="{ink}" stroke-width="2" stroke-linecap="round"/>'
        f'<rect x="6.6" y="8" width="5.2" height="5.2" rx=".8" fill="{ink}"/></svg>'
    )


LOGO = _logo("var(--accent)", "var(--on-accent)", 'width="28" height="28" aria-hidden="true"')
FAVICON = "data:image/svg+xml," + quote(_logo("#1B2028", "#FFFFFF", 'xmlns="http://www.w3.org/2000/svg"'))
