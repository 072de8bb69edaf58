"""A figure at every value of one key: the same axes throughout, and over each frame what has been varied."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from xml.etree.ElementTree import Element

from ... import snapshot
from ...diagrams.scene import Run, symbol, text, words
from ...state import LabState
from ..errors import CannotExport
from ..vary import Variation, parse_variation
from .axes import with_shared_axes
from .catalog import Figure, figure_of, picture
from .drawn import draw, element
from .order import Order
from .svg import Picture, svg_text

#: Height of what stands over a frame; the track that says how far the sweep is.
CAPTION, TRACK, KNOB = 40.0, 150.0, 6.0
Tell = Callable[[int, int], object]


def sweep_svgs(order: Order, tell: Tell) -> Iterator[str]:
    """A picture for each value, all of one size; `tell` hears how many of how many parts of the work are done."""
    variation = parse_variation(snapshot.STATES[order.lab], order.vary)
    total = 2 * len(variation.values)
    figures = []
    for value, said in zip(variation.values, variation.texts, strict=True):
        figures.append(_figure(order, variation.key, value, said))
        tell(len(figures), total)
    pictures = [picture(figure, order.variant) for figure in with_shared_axes(figures)]
    size = (max(one.width for one in pictures), max(one.height for one in pictures))
    for place, own in enumerate(pictures):
        yield svg_text(_framed(own, size, variation, place, snapshot.STATES[order.lab]), order.theme, order.background)
        tell(len(pictures) + place + 1, total)


def _figure(order: Order, key: str, value: object, said: str) -> Figure:
    try:
        return figure_of(order.lab, {**order.values, key: value}, order.figure, order.variant)
    except ValueError as error:
        raise CannotExport(f"at {key}={said}: {error}") from error


def _framed(
    own: Picture, size: tuple[float, float], variation: Variation, place: int, state: type[LabState]
) -> Picture:
    """A picture under its caption, in the room of the largest of them."""
    width = max(size[0], 420.0)

    def draw_frame(group: Element) -> None:
        _caption(group, width, variation, place, state)
        own.draw(element(group, "g", transform=f"translate(0 {CAPTION:g})"))

    return replace(own, width=width, height=size[1] + CAPTION, draw=draw_frame)


def _caption(group: Element, width: float, variation: Variation, place: int, state: type[LabState]) -> None:
    figure = element(group, "g", style="fig")
    runs = caption_runs(str(state.param[variation.key].label), aligned(variation.texts)[place], variation.key)
    draw([text(0, 18, runs)], figure)
    share, left = place / max(1, len(variation.texts) - 1), width - TRACK - KNOB
    element(figure, "path", style="axis", d=f"M{left:g} 13h{TRACK:g}")
    element(figure, "circle", cx=left + share * TRACK, cy=13, r=KNOB, fill="var(--ink)")


def caption_runs(label: str, value: str, key: str) -> list[Run]:
    """`Spectral radius $ρ$` and 1.20 as a line: mathematics between dollar signs is set as such."""
    runs: list[Run] = []
    for place, part in enumerate((label or key).split("$")):
        letter, _, sub = part.partition("_")
        runs += symbol(letter, sub=sub or None, size=17) if place % 2 else words(part, 15) if part else []
    return [*runs, *words(f" = {value}", 15, "num")]


def aligned(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Numbers with as many decimals as the longest has, so that a caption does not jump."""
    decimals = max(len(one.partition(".")[2]) for one in texts)
    if not all(one.replace(".", "", 1).removeprefix("-").isdigit() for one in texts):
        return texts
    return tuple(f"{float(one):.{decimals}f}".replace("-", "\N{MINUS SIGN}") for one in texts)
