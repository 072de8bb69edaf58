"""The design tokens as CSS variables and as colours for Bokeh; fixed axis ranges; number format."""

from __future__ import annotations

import json
import math
from functools import cache
from importlib.resources import files
from typing import Any

ASSETS = files("rnnscope.assets")


@cache
def tokens() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((ASSETS / "tokens.json").read_text(encoding="utf-8"))
    return loaded


def color(theme: str, name: str) -> str:
    """A colour of `light` or `dark`: a neutral (`ink2`) or a role's stroke (`hidden`) or text (`hidden-t`)."""
    palette = tokens()["color"]["dark" if theme == "dark" else "light"]
    if name in palette["neutral"]:
        return str(palette["neutral"][name])
    role, _, part = name.partition("-")
    return str(palette["role"][role]["text" if part else "stroke"])


def css_variables(theme: str) -> str:
    """Every colour token of one theme as CSS custom properties."""
    palette = tokens()["color"][theme]
    pairs = {key.replace("_", "-"): value for key, value in palette["neutral"].items()}
    for role, tones in palette["role"].items():
        for suffix, tone in (
            ("", "stroke"),
            ("-t", "text"),
            ("-f", "fill"),
            ("-s", "fill_strong"),
            ("-on", "on_stroke"),
        ):
            pairs[role + suffix] = tones[tone]
    for weight, tones in palette["weight"].items():
        pairs |= {f"w{weight}": tones["pill"], f"w{weight}-on": tones["on_pill"]}
    for short, ramp in (("dv", "diverging"), ("sq", "sequential")):
        pairs |= {f"{short}{i}": value for i, value in enumerate(palette[ramp])}
        pairs |= {f"{short}o{i}": value for i, value in enumerate(palette[f"{ramp}_on"])}
    pairs |= {"pos": palette["sign"]["positive"], "neg": palette["sign"]["negative"]}
    return ";".join(f"--{name}:{value}" for name, value in pairs.items()) + f";color-scheme:{theme}"


def root_css() -> str:
    """The theme variables for the page and, inside a shadow root, for the lab: system, light or dark."""
    light, dark = css_variables("light"), css_variables("dark")
    family = tokens()["type"]
    fonts = f"--ui:{family['ui']};--math:{family['math']};--fast:90ms;--base:160ms;--ease:cubic-bezier(.2,0,0,1)"
    return (
        f":root,.rs{{{light};{fonts}}}"
        f"@media (prefers-color-scheme:dark){{:root:not([data-theme=light]),.rs:not([data-theme=light]){{{dark}}}}}"
        f":root[data-theme=dark],.rs[data-theme=dark]{{{dark}}}"
    )


@cache
def stylesheet() -> str:
    """Every style of a lab page, one string: the same in the page and in the component's shadow root."""
    return root_css() + _joined("css")


@cache
def module() -> str:
    """The ES module of the live page: the files of assets/js end to end, no build step."""
    return _joined("js")


def _joined(kind: str) -> str:
    found = (ASSETS / kind).iterdir()
    return "\n".join(path.read_text("utf-8") for path in sorted(found, key=str) if path.name.endswith(f".{kind}"))


#: Ends of an axis of log10 values, in decades: enough of them that no axis is half empty.
DECADES = (3, 6, 9, 12, 18, 24, 36, 48, 72, 96, 144, 192, 288, 384, 576, 768)


def nice_decades(low: float, high: float) -> tuple[int, int]:
    """A fixed axis for log10 values that changes in steps, not with every move."""
    return -_decades(-low), _decades(high)


def _decades(value: float) -> int:
    """The first end that holds `value`; past the last one, the next hundred."""
    return next((end for end in DECADES if end >= value), 100 * math.ceil(value / 100))


__all__ = [
    "ASSETS",
    "color",
    "css_variables",
    "module",
    "nice_decades",
    "root_css",
    "stylesheet",
    "tokens",
]
