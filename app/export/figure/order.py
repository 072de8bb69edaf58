"""What is asked for: which figure of which state, in which form, and what goes with what. Loads no Panel."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...values import finite
from ..errors import CannotExport

STILLS = ("svg", "png", "pdf")
MOVIES = ("gif", "mp4", "frames")
PICTURES = (*STILLS, *MOVIES)
FORMATS = (*PICTURES, "tikz")
#: A page without a server varies keys as a movie does.
COPY = "html"
VARIANTS = ("wide", "compact")
#: Pixels to each of the picture's own, where nothing is said: a GIF grows fast.
SCALES = {"png": 2.0, "mp4": 2.0, "frames": 2.0, "gif": 1.0}
LARGEST_SCALE, FASTEST = 8.0, 60.0
FRAMES_A_SECOND = 10.0

#: Option -> the formats that it goes with.
GOES_WITH = {
    "figure": FORMATS, "variant": PICTURES, "theme": PICTURES, "background": (*STILLS, "frames"),
    "scale": tuple(SCALES), "vary": (*MOVIES, COPY), "fps": ("gif", "mp4"),
}  # fmt: skip


@dataclass(frozen=True)
class Order:
    """One file of figures.

    Attributes
    ----------
    lab, values : the state
    form : one of `FORMATS`
    path : the file, or for frames the folder
    figure : its name; None for the one that stands for the lab
    variant : `wide` or `compact`
    theme : `light` or `dark`
    background : whether the ground of the theme is behind it; without it the picture is transparent
    scale : pixels to each of the picture's own
    vary : of a sweep the key and its values, as `--vary` has them
    fps : frames a second
    """

    lab: str
    values: Mapping[str, Any]
    form: str
    path: Path
    figure: str | None = None
    variant: str = "wide"
    theme: str = "light"
    background: bool = True
    scale: float = 2.0
    vary: str = ""
    fps: float = FRAMES_A_SECOND


def add_options(command: ArgumentParser) -> None:
    """The options of `rnnscope export` that a figure has."""
    group = command.add_argument_group("figures", f"of the formats {', '.join(FORMATS)}")
    group.add_argument("--figure", metavar="NAME", help="which figure of the lab (default: the one that stands for it)")
    group.add_argument("--variant", choices=VARIANTS, help="as on a wide card (default) or on a phone")
    group.add_argument("--theme", choices=("light", "dark"), help="colours (default: theme= of QUERY, else light)")
    group.add_argument("--background", choices=("theme", "none"), help="none leaves the ground transparent")
    group.add_argument("--scale", type=_scale, metavar="S", help="pixels a unit (default 2; of a gif 1)")
    group.add_argument(
        "--vary", action="append", default=[], metavar="KEY=LOW:HIGH:STEP",
        help="a frame for each value; also KEY=VALUE,VALUE,...; of html the values of a slider, and may be given again",
    )  # fmt: skip
    group.add_argument("--fps", type=_fps, metavar="F", help=f"frames a second (default {FRAMES_A_SECOND:g})")


def order_of(chosen: Namespace, values: Mapping[str, Any]) -> Order:
    """The order that a command line gives; raises `CannotExport` for what does not go together."""
    check_options(chosen)
    if chosen.format in MOVIES and not chosen.vary:
        raise CannotExport(f"{chosen.format} shows a sweep: say which with --vary, e.g. --vary rho=0:3:0.05")
    if len(chosen.vary) > 1:
        raise CannotExport(f"{chosen.format} varies one key: give --vary once")
    return Order(
        chosen.lab, values, chosen.format, chosen.output, chosen.figure, chosen.variant or "wide",
        chosen.theme or values.get("theme") or "light", chosen.background != "none",
        chosen.scale or SCALES.get(chosen.format, 1.0), "".join(chosen.vary), chosen.fps or FRAMES_A_SECOND,
    )  # fmt: skip


def check_options(chosen: Namespace) -> None:
    """Raise `CannotExport` for an option that the format does not have."""
    for name, formats in GOES_WITH.items():
        if getattr(chosen, name, None) not in (None, []) and chosen.format not in formats:
            raise CannotExport(f"--{name} goes with {', '.join(formats)}, not with {chosen.format}")


def _scale(text: str) -> float:
    return _within(text, LARGEST_SCALE)


def _fps(text: str) -> float:
    return _within(text, FASTEST)


def _within(text: str, most: float) -> float:
    number = finite(text)
    if number is None or not 0 < number <= most:
        raise ArgumentTypeError(f"it takes a number above 0, up to {most:g}, not {text!r}")
    return number
