"""Which figures each lab has in TikZ, and the file of one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ... import snapshot
from ...plots.chart import Matrix
from ..errors import CannotExport
from ..figure.catalog import lab_of
from ..runs import address
from .attention import Attention
from .both import Both
from .cell import Cell
from .chain import Chain, unfolded
from .chart import chart_picture
from .folded import folded, folded_convolution, folded_output, folded_system
from .gru import gru_picture
from .loom import Loom
from .lstm import lstm_picture
from .patterns import convolution, output_to_hidden, system
from .picture import Picture, document
from .table import table_picture
from .translation import Written
from .uses import uses_chart
from .words import comment

Draw = Callable[[], Picture]
Figures = dict[str, Draw]

#: Whether pgfplots draws -> how exact the numbers are.
PRECISION = {
    False: "Numbers as the page prints them; the run has float64.",
    True: "Coordinates have six significant digits; the run has float64.",
}


def tikz(lab: str, values: Mapping[str, Any], figure: str | None = None) -> str:
    """Return the file of a figure of a lab's state, the first one where none is named; raises `CannotExport`."""
    figures = figures_of(lab, lab_of(snapshot.state_of(lab, values), lab))
    name = figure or next(iter(figures))
    if name not in figures:
        raise CannotExport(f"/{lab} has no figure {name!r} in TikZ here; it has {', '.join(figures)}")
    return file_of(figures[name](), f"{address(lab, values)}, figure {name}")


def file_of(picture: Picture, where: str) -> str:
    """The file of a picture of what stands at an address."""
    return document(picture, comment(where), PRECISION[picture.plotted])


def figures_of(lab: str, shown: Any) -> Figures:
    """Every figure of a lab in its state: diagrams first, then the plots of the page."""
    return {**DIAGRAMS.get(lab, _none)(shown), **{name: _plot(plot) for name, plot in shown.charts().items()}}


def _plot(plot: Any) -> Draw:
    return lambda: table_picture(plot) if isinstance(plot, Matrix) else chart_picture(plot)


def _none(shown: Any) -> Figures:
    return {}


def _unfold(shown: Any) -> Figures:
    """The pattern of the state, unfolded and folded."""
    pattern, state, chain = shown.state.pattern, shown.state, Chain(shown.pattern.run, shown.state)
    forced = state.forcing == "teacher"
    drawn: dict[str, tuple[Draw, Draw]] = {
        "hidden": (lambda: unfolded(chain), lambda: folded(chain)),
        "last": (lambda: unfolded(chain), lambda: folded(chain)),
        "output": (lambda: output_to_hidden(chain, forced), lambda: folded_output(chain, forced)),
        "system": (lambda: system(chain), lambda: folded_system(chain)),
        "convolution": (lambda: convolution(chain, state.window), lambda: folded_convolution(chain, state.window)),
    }
    found: Figures = dict(zip(("unfolded", "folded"), drawn[pattern], strict=True))
    return found | ({"contributions": lambda: chart_picture(uses_chart(shown))} if "dW" in shown.arrays() else {})


def _lstm(shown: Any) -> Figures:
    return {"lstm": lambda: lstm_picture(Cell(shown, "c"))}


def _gru(shown: Any) -> Figures:
    return {"gru": lambda: gru_picture(Cell(shown, "h"))}


def _bidirectional(shown: Any) -> Figures:
    return {"both": Both(shown).drawn}


def _bptt(shown: Any) -> Figures:
    return {"loom": lambda: Loom(shown).drawn()}


def _attention(shown: Any) -> Figures:
    return {"flow": lambda: Attention(shown).drawn()}


def _seq2seq(shown: Any) -> Figures:
    return {"seq2seq": lambda: Written(shown).drawn()}


DIAGRAMS: Mapping[str, Callable[[Any], Figures]] = {
    "unfold": _unfold, "lstm": _lstm, "gru": _gru, "bidirectional": _bidirectional,
    "bptt": _bptt, "seq2seq": _seq2seq, "attention": _attention,
}  # fmt: skip
"""Lab -> its diagrams by the names that its scenes have."""
