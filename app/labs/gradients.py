"""/gradients: what is left of a Jacobian after many steps back, beside what is often said about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from bokeh.events import Tap
from rnnscope.core import Run

from ..plots.chart import Plot
from ..plots.decay import DecayPlot
from ..plots.decay_chart import decay_chart
from ..state import GradientState
from ..view import Arrays
from ..words import phrase, readout, symbol
from . import chaos_map
from . import gradient_texts as say
from .base import Lab, control_parts
from .chaos_map import ChaosMap
from .charts import eigenvalue_chart, stems_chart
from .curves import Curves
from .detail import Detail
from .film import Film, film_card
from .gradient_presets import PRESETS
from .measured import Measured, measure
from .memory import Memory, memory_card

#: Cell -> the mark of its curve, and the marks of the RNN's laws.
LEGEND = {
    "rnn": {"label": "RNN", "cls": "meas", "dot": "circle"},
    "lstm": {"label": "LSTM", "cls": "lstm", "dot": "square"},
    "gru": {"label": "GRU", "cls": "gru", "dot": "triangle"},
}
LAWS = [{"label": "bound $σ_max^k$", "cls": "bound"}, {"label": "folk law $ρ^k$", "cls": "asy"}]


class GradientLab(Lab):
    """The spectral radius under the hand; the true Jacobian norm, its bound and the folk law on one plot."""

    NAME = "Gradients"
    TITLE = "Vanishing and exploding gradients"
    LEDE = (
        "Each step back in time multiplies by the Jacobian of that step. "
        "What is left after k steps is measured here, not assumed."
    )
    State = GradientState
    GRID = "pf"

    def __init__(self, query: Any = None, **params: Any):
        self.plot = DecayPlot()
        self._known: dict[str, Measured] = {}
        super().__init__(query, **params)
        self.plot.figure.on_event(Tap, self._choose_lag)

    def _choose_lag(self, event: Tap) -> None:
        """A click in the plot selects the lag under it."""
        if "lag" not in self.state.locked():
            self.state.apply({"lag": min(self.state.T, max(0, round(event.x)))})

    def compute(self) -> Run:
        self.measured = self.measured_of(self.state.cell)
        return self.measured.run

    def measured_of(self, cell: str) -> Measured:
        """Run and measure a cell of the state now; what has been measured for this very configuration is kept."""
        key = self.state.config_of(cell)
        known = self._known.get(cell)
        if known is None or known.run.config != key:
            self._known[cell] = measure(cell, self.run_of(key))
        return self._known[cell]

    def details(self) -> list[Detail]:
        drawn = [] if self.state.given else [ChaosMap(self), Memory(self)]
        return [Curves(self), Film(self), *drawn]

    # --- what the page holds ----------------------------------------------------------------

    def cards(self) -> list[dict[str, Any]]:
        return [
            {"cls": "rg", "body": [
                {"kind": "group", "cls": "rgh", "parts": [
                    {"kind": "text", "id": "title", "tag": "h2"},
                    {"kind": "text", "id": "sentence", "cls": "st"}]},
                {"kind": "control", "key": "rho"}]},
            {"cls": "try", "body": [PRESETS.part()]},
            {"row": [
                {"title": "Jacobian norm and lag", "cls": "key", "body": [
                    {"kind": "figure", "index": 0, "label": "Jacobian norm against lag", "summary": "summary",
                     "chart": "decay", "follows": "lag"},
                    {"kind": "text", "id": "parts", "cls": "note"},
                    Curves.table()],
                 "legend": self._legend()},
                {"column": [
                    {"title": "Eigenvalues of $W$", "body": [
                        {"kind": "plane", "array": "eigenvalues", "summary": "plane"},
                        {"kind": "data", "label": "Eigenvalues", "columns": [
                            {"head": "Re", "array": "eigenvalues", "unit": 0, "symbol": "eigenvalue_re"},
                            {"head": "Im", "array": "eigenvalues", "unit": 1, "symbol": "eigenvalue_im"}]}]},
                    {"title": "Singular values of $W$", "body": [
                        {"kind": "stems", "array": "singular_values", "summary": "stems"},
                        {"kind": "data", "label": "Singular values", "columns": [
                            {"head": "$σ$", "array": "singular_values", "symbol": "singular_value"}]}]}]}],
             "cls": "g2"},
            film_card(),
            *([] if self.state.given else [chaos_map.card(), memory_card()]),
        ]  # fmt: skip

    def _legend(self) -> list[dict[str, Any]]:
        """Every curve that the page can show: of a cell that is given its own alone."""
        cells = self.state.curves if self.state.given else tuple(LEGEND)
        return [LEGEND[cell] for cell in cells] + (LAWS if "rnn" in cells else [])

    def rail(self) -> list[dict[str, Any]]:
        return [
            {"title": "At one lag", "items": [*control_parts("lag"), {"kind": "pairs", "id": "at_lag"}]},
            {"title": "Curves", "cls": "ctl", "items": [
                *control_parts("curves"),
                {"kind": "pairs", "id": "rates", "detail": "curves", "heading": "Largest Lyapunov exponent $λ_1$"},
                *control_parts("cell")]},
            {"title": "Network", "cls": "ctl", "items": control_parts(
                "family", "activation", "forget_bias", "reset", "update", "n", "T", "seed")},
            {"title": "Input", "cls": "ctl", "items": control_parts("input", "text", "values", "d", "sigma_in")},
            {"title": "Selected step", "cls": "ctl", "items": control_parts("t")},
        ]  # fmt: skip

    def figures(self) -> list[Any]:
        return [self.plot.figure]

    def draw_figures(self) -> None:
        self.plot.follow(self.measured, self.state.curves, self.state.lag)

    def charts(self) -> dict[str, Plot]:
        shown = self.measured
        return {
            "decay": decay_chart([self.measured_of(cell) for cell in self.state.curves], self.state.lag),
            "eigenvalues": eigenvalue_chart(shown.eigenvalues, float(np.abs(shown.eigenvalues[0]))),
            "singular_values": stems_chart(shown.singular_values),
        }

    def restyle(self, theme: str) -> None:
        self.plot.restyle(theme)

    # --- what it shows ----------------------------------------------------------------------

    def arrays(self) -> Arrays:
        shown = self.measured
        pairs = np.column_stack([shown.eigenvalues.real, shown.eigenvalues.imag])
        return {
            "eigenvalues": (pairs, 0),
            "singular_values": (shown.singular_values, 0),
            "rho": (np.abs(shown.eigenvalues[:1]), 0),
        }

    def _show_looks(self, stale: Sequence[str] = ()) -> None:
        self.plot.cursor.location = self.state.lag
        super()._show_looks(stale)

    def texts(self) -> dict[str, Any]:
        state, shown = self.state, self.measured
        sentence = say.sentence(shown)
        return {
            "title": phrase("Spectral radius ", symbol("ρ"), "(", symbol("W"), ") = ", self._radius()),
            "sentence": sentence,
            "claim": PRESETS.claim(state, shown),
            "summary": say.summary(shown),
            "parts": say.parts(shown),
            "plane": say.plane(shown),
            "stems": say.stems(shown),
            "at_lag": say.at_lag(shown, state.lag),
            "announcement": "".join(word["text"] for word in sentence),
        }  # fmt: skip

    def _radius(self) -> dict[str, Any]:
        """The measured radius, of a gated cell the largest of its blocks."""
        found = self.measured
        return readout(found.decay.spectral_radius if found.decay else float(np.abs(found.eigenvalues[0])), "rho")
