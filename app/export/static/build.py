"""One HTML file with everything in it: the page, its styles and scripts, and every answer."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import threadpoolctl
from markupsafe import Markup

from ... import page, theme
from ...navigation import lab_class
from ..errors import CannotExport
from ..vary import Variation
from .axes import Axis, axes_of, states, usual_variation
from .container import packed
from .layout import drawn_charts, static_layout
from .record import Foresight, check_followed, record
from .words import copy_words

if TYPE_CHECKING:
    from ...labs.base import Lab

#: A file that a course page can hold.
LARGEST = 10_000_000
#: Share of what fits by calculation that is advised.
MARGIN = 0.9
#: Numbers with so many times the bytes of such a file are not recorded to the end; about a byte is written of each.
FAR_TOO_LARGE, DENSITY = 3.0, 1.0
#: Nothing from anywhere.
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"


@dataclass(frozen=True)
class StaticCopy:
    """The file, and in words what is in it."""

    html: bytes
    said: str
    states: int


def static_copy(
    lab: str, query: Mapping[str, str], variations: Sequence[Variation], progress: Callable[[int, int], None]
) -> StaticCopy:
    """Make the file; raises `CannotExport` where a state is refused or the file is too large."""
    with threadpoolctl.threadpool_limits(limits=1, user_api="blas"):  # as the served labs have: the same last bit
        shown = lab_class(lab)(query)
        varied = [*variations] or usual_variation(shown)
        axes = axes_of(shown, varied)
        layout = static_layout(shown, axes)
        said = copy_words(shown, axes, layout.missing)
        found = record(shown, axes, drawn_charts(shown), progress, _foresee(axes))
        check_followed(found)
        answers = packed(found, {"layout": layout.content})
    html = _page(shown, said, answers).encode()
    _check_size(len(html), len(answers), axes)
    return StaticCopy(html, said, states(axes))


def _page(lab: Lab, said: str, answers: str) -> str:
    """The page around the answers; base64 and our own files are the only text that is not escaped."""
    content = page.shell(lab.NAME, lab.TITLE, getattr(lab, "COPIED_LEDE", lab.LEDE), lab.state.theme, lab.state.embed)
    content |= {"policy": POLICY, "css": Markup(theme.stylesheet() + _joined(".css"))}
    content |= {"said": said, "answers": Markup(answers), "script": Markup(theme.module() + _joined(".js"))}
    return page.template("static.html").render(**content)


@cache
def _joined(suffix: str) -> str:
    """The files of assets/static end to end: the player's part of the one module."""
    found = sorted((theme.ASSETS / "static").iterdir(), key=str)
    return "".join("\n" + file.read_text("utf-8") for file in found if file.name.endswith(suffix))


def _check_size(size: int, answers: int, axes: Sequence[Axis]) -> None:
    """Refuse what is too large, and say about how many values of the first varied key would fit."""
    if size > LARGEST:
        raise CannotExport(too_large(size, (LARGEST - (size - answers)) / answers, axes))


def _foresee(axes: Sequence[Axis]) -> Foresight:
    """Refuse after a few runs what would be far too large, rather than after hours."""

    def check(numbers: float) -> None:
        if numbers > FAR_TOO_LARGE * LARGEST:
            size = DENSITY * numbers
            raise CannotExport(too_large(size, LARGEST / size, axes))

    return check


def too_large(size: float, room: float, axes: Sequence[Axis]) -> str:
    """One line; `room` is the share of the answers for which there is room."""
    varied = next((axis for axis in axes if axis.varied), None)
    fitting = max(1, math.floor(MARGIN * room * len(varied.texts))) if varied else 0
    advice = f"vary fewer values: about {fitting} of {varied.key} fit" if varied else "make the run shorter"
    return f"the file would have {size / 1e6:.1f} MB and may have {LARGEST / 1e6:g} MB: {advice}"
