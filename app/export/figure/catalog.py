"""The figures of every lab by name: the diagrams of its page and its plots, each a picture of one state."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import Element

from ... import snapshot, url
from ...navigation import lab_class
from ...plots.chart import Chart, Matrix, Plot
from ...state import LabState
from ..errors import CannotExport
from .chart_svg import chart_size, chart_words, draw_chart
from .drawn import draw_scene, element
from .filled import Scene
from .matrix_svg import MOST_CELLS, draw_matrix, matrix_size, matrix_words
from .shown import scenes_of
from .svg import Picture

if TYPE_CHECKING:
    from ...labs.base import Lab

#: Route -> the figure that stands for the lab.
LABS = {
    "unfold": "unfolded", "gradients": "decay", "bptt": "loom", "lstm": "lstm", "gru": "gru", "bidirectional": "both",
    "seq2seq": "seq2seq", "attention": "flow",
}  # fmt: skip
#: Room between a diagram and the one below it.
BETWEEN = 14.0
#: Diagram -> the text of its page that says its numbers.
SUMMARIES = {"contributions": "sum"}

#: A figure before it is drawn: a diagram with its numbers, or a plot as data.
Content = Scene | Plot


@dataclass(frozen=True)
class Figure:
    """One figure of one state: its name, its lab, its content, what the page says of it, a diagram below it if any."""

    name: str
    lab: str
    content: Content
    title: str
    said: str
    below: Scene | None = None


def lab_of(state: LabState, route: str) -> Lab:
    """The lab of a state, without a browser; raises `CannotExport` where core refuses the state."""
    made = lab_class(route)(url.write(state))
    notices = json.loads(made.view.frame["json"])["notices"]
    if notices:
        raise CannotExport(notices[0].partition(" The lab's defaults")[0])
    return made


def figures_of(lab: Lab, route: str, variant: str = "wide") -> dict[str, Figure]:
    """Every figure that the lab has in its state, by name."""
    texts = json.loads(lab.view.frame["json"])["texts"]
    found = {
        name: Figure(name, route, scene, f"{lab.TITLE}: {name}", _summary(texts, name))
        for name, scene in scenes_of(lab, variant).items()
    }
    if "matrix" in found:
        found["itemised"] = replace(found["loom"], name="itemised", below=found["matrix"].content)
    plots = {name: Figure(name, route, plot, plot.title, _plot_words(plot)) for name, plot in lab.charts().items()}
    return found | plots


def figure_of(route: str, values: Mapping[str, Any], name: str | None = None, variant: str = "wide") -> Figure:
    """One figure of a state; raises `CannotExport` where there is none of that name."""
    found = figures_of(lab_of(snapshot.state_of(route, values), route), route, variant)
    wanted = name or LABS[route]
    if wanted not in found:
        raise CannotExport(f"/{route} has no figure {wanted!r} in this state; it has {', '.join(found)}")
    return found[wanted]


def picture(figure: Figure, variant: str = "wide") -> Picture:
    """The figure as something that can be drawn; raises `CannotExport` where it has too many cells."""
    content = figure.content
    named = (figure.name, figure.lab)
    if isinstance(content, Chart):
        size = chart_size(content, variant)
        return Picture(*named, *size, figure.title, figure.said, lambda group: draw_chart(content, variant, group))
    if isinstance(content, Matrix):
        if content.values.size > MOST_CELLS:
            raise CannotExport(f"{figure.name} has {content.values.size:,} cells; a figure takes {MOST_CELLS:,}")
        size = matrix_size(content, variant)
        return Picture(*named, *size, figure.title, figure.said, lambda group: draw_matrix(content, variant, group))
    return scene_picture(figure, content)


def scene_picture(figure: Figure, scene: Scene) -> Picture:
    """A diagram as a picture; what it says of itself stands before what is said of its numbers."""
    below = figure.below
    labels = [scene["label"], *([below["label"]] if below else []), figure.said]
    said = " ".join(part if part.endswith(".") else f"{part}." for part in labels if part)
    height = scene["height"] + (below["height"] + BETWEEN if below else 0.0)

    def draw_all(group: Element) -> None:
        draw_scene(scene, group)
        if below:
            draw_scene(below, element(group, "g", transform=f"translate(0 {scene['height'] + BETWEEN:g})"))

    return Picture(figure.name, figure.lab, scene["width"], height, figure.title, said, draw_all)


# --- in words --------------------------------------------------------------------------------


def _summary(texts: Mapping[str, Any], name: str) -> str:
    """What the page says of a diagram's numbers, as one line."""
    return plain_phrase(texts.get(SUMMARIES.get(name, "summary"), ()))


def plain_phrase(phrase: Iterable[Mapping[str, Any]]) -> str:
    """The tokens of a sentence without their looks: h with a subscript reads h_t."""
    words = [token["text"] + "".join(f"{mark}{token[key]}" for key, mark in (("sub", "_"), ("sup", "^"))
                                     if token.get(key)) for token in phrase]  # fmt: skip
    return " ".join("".join(words).split())


def _plot_words(plot: Plot) -> str:
    return chart_words(plot) if isinstance(plot, Chart) else matrix_words(plot)
