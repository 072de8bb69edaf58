"""/gradients: what is left of a Jacobian after many steps back, beside what is often said about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from bokeh.events import Tap
from rnnscope.core import Decay, Run, decay, state_jacobian

from ..plots.decay import DecayPlot
from ..state import GradientState
from ..view import Arrays
from ..words import Phrase, phrase, plain, readout, symbol
from . import chaos_map
from .base import Lab, control_parts
from .chaos_map import ChaosMap
from .detail import Detail

FOLK_WORDS = {"vanishing": "vanishes", "exploding": "explodes", "steady": "keeps its size"}
HEATS_NOTE = "Rows are outputs, columns inputs. Both maps share one symmetric-log scale; point at a cell for its value."


def _derivative(t: int, steps: int) -> Phrase:
    """∂h_t / ∂h_{t-steps}, and over how many steps that is."""
    words = "one step" if steps == 1 else f"{steps} steps"
    return phrase("∂", symbol("h", str(t)), " / ∂", symbol("h", str(t - steps)), f", {words}")


class GradientLab(Lab):
    """The spectral radius under the hand; the true Jacobian norm, its bound and the folk law on one plot."""

    NAME = "Gradients"
    TITLE = "Vanishing and exploding gradients"
    LEDE = (
        "Each step back in time multiplies by the Jacobian of that step, diag(φ′) W. "
        "What is left after k steps is measured here, not assumed."
    )
    State = GradientState
    GRID = "pf"

    def __init__(self, query: Any = None, **params: Any):
        self.plot = DecayPlot()
        super().__init__(query, **params)
        self.plot.figure.on_event(Tap, self._choose_lag)

    def _choose_lag(self, event: Tap) -> None:
        """A click in the plot selects the lag under it."""
        if "lag" not in self.state.locked():
            self.state.apply({"lag": min(self.state.T, max(0, round(event.x)))})

    def compute(self) -> Run:
        run = super().compute()
        self.decay: Decay = decay(run.cell, run.trace)
        return run

    # --- what the page holds ----------------------------------------------------------------

    def cards(self) -> list[dict[str, Any]]:
        return [
            {"cls": "rg", "body": [
                {"kind": "group", "cls": "rgh", "parts": [
                    {"kind": "text", "id": "title", "tag": "h2"},
                    {"kind": "text", "id": "sentence", "cls": "st"}]},
                {"kind": "control", "key": "rho"}]},
            {"row": [
                {"title": "Jacobian norm and lag", "cls": "key", "body": [
                    {"kind": "figure", "index": 0, "label": "Jacobian norm against lag", "summary": "summary"},
                    {"kind": "data", "label": "Jacobian norm against lag", "columns": self._columns()}],
                 "legend": [
                    {"label": "true", "cls": "meas", "dot": True}, {"label": "bound $σ_max^k$", "cls": "bound"},
                    {"label": "folk law $ρ^k$", "cls": "asy"}]},
                {"title": "Eigenvalues of $W$", "body": [
                    {"kind": "plane", "array": "eigenvalues", "summary": "plane"},
                    {"kind": "data", "label": "Eigenvalues", "columns": [
                        {"head": "Re", "array": "eigenvalues", "unit": 0, "symbol": "eigenvalue_re"},
                        {"head": "Im", "array": "eigenvalues", "unit": 1, "symbol": "eigenvalue_im"}]}]}],
             "cls": "g2"},
            {"row": [
                {"title": "Jacobian, one step and many", "body": [
                    {"kind": "group", "cls": "heats", "parts": [
                        {"kind": "heat", "array": "J_step", "caption": "step_caption"},
                        {"kind": "heat", "array": "J_lag", "caption": "lag_caption"},
                        {"kind": "heatScale"}]},
                    {"kind": "text", "id": "heats", "cls": "plot-summary"}]},
                {"title": "Singular values of $W$", "body": [
                    {"kind": "stems", "array": "singular_values", "summary": "stems"},
                    {"kind": "data", "label": "Singular values", "columns": [
                        {"head": "$σ$", "array": "singular_values", "symbol": "singular_value"}]}]}],
             "cls": "g2 more"},
            chaos_map.card(),
        ]  # fmt: skip

    def details(self) -> list[Detail]:
        return [ChaosMap(self)]

    @staticmethod
    def _columns() -> list[dict[str, Any]]:
        names = (
            ("true", "true", "jacobian_log10_norm"),
            ("bound", "bound", "bound_log10"),
            ("folk law", "folk", "folk_log10"),
        )
        lag = {"head": "lag $k$", "array": "lags", "symbol": "lag", "integer": True}
        return [lag, *({"head": f"log₁₀ {head}", "array": array, "symbol": name} for head, array, name in names)]

    def rail(self) -> list[dict[str, Any]]:
        return [
            {"title": "At one lag", "items": [*control_parts("lag"), {"kind": "pairs", "id": "at_lag"}]},
            {"title": "Network", "cls": "ctl", "items": control_parts("family", "activation", "n", "T", "seed")},
            {"title": "Input", "cls": "ctl", "items": control_parts("input", "text", "values", "d", "sigma_in")},
            {"title": "Selected step", "cls": "ctl", "items": control_parts("t")},
        ]

    def figures(self) -> list[Any]:
        return [self.plot.figure]

    def draw_figures(self) -> None:
        self.plot.render(self.decay, self.state.lag)

    def restyle(self, theme: str) -> None:
        self.plot.restyle(theme)

    # --- what it shows ----------------------------------------------------------------------

    def arrays(self) -> Arrays:
        found = self.decay
        pairs = np.column_stack([found.eigenvalues.real, found.eigenvalues.imag])
        return {
            "lags": (np.arange(len(found.curve)), 0),
            "true": (found.curve, 0),
            "bound": (found.bound, 0),
            "folk": (found.folk, 0),
            "eigenvalues": (pairs, 0),
            "singular_values": (found.singular_values, 0),
            "rho": (np.array([found.spectral_radius]), 0),
            **self.look_arrays(),
        }

    def look_arrays(self) -> Arrays:
        return {
            "J_step": (self._product(self.state.t, 1), 0),
            "J_lag": (self._product(self.state.T, self.state.lag), 0),
        }

    def _product(self, t: int, lag: int) -> np.ndarray:
        """d h_t / d h_{t-lag} as float64; past the range of floats entries are inf or 0, as they would be."""
        matrix, exponent = state_jacobian(self.run.cell, self.run.trace, t, max(0, t - lag))
        with np.errstate(over="ignore", under="ignore"):
            return np.ldexp(matrix, exponent)

    def _show_looks(self, stale: Sequence[str] = ()) -> None:
        self.plot.cursor.location = self.state.lag
        super()._show_looks(stale)

    def texts(self) -> dict[str, Any]:
        state = self.state
        return {
            "title": self._title(),
            "sentence": self._sentence(),
            "summary": self._summary(),
            "plane": self._plane_summary(),
            "stems": self._stems_summary(),
            "at_lag": self._at_lag(),
            "step_caption": _derivative(state.t, min(1, state.t)),
            "lag_caption": _derivative(state.T, state.lag),
            "heats": phrase(HEATS_NOTE),
            "announcement": "".join(word["text"] for word in self._sentence()),
        }  # fmt: skip

    def _title(self) -> Phrase:
        radius = readout(self.decay.spectral_radius, "rho")
        return phrase("Spectral radius ", symbol("ρ"), "(", symbol("W"), ") = ", radius)

    def _sentence(self) -> Phrase:
        found = self.decay
        if found.gone_from is not None:
            return phrase(
                plain("Gone. ", strong=True),
                f"The norm is exactly 0 from lag {found.gone_from} on.",
                *self._folk_says(),
            )
        steps = readout(found.steps, "half_life")
        if found.kind == "steady":
            return phrase(
                plain("Steady. ", strong=True),
                "In the long run the norm neither halves nor doubles within 200 steps.",
                *self._folk_says(),
            )
        verb = "halves" if found.kind == "vanishing" else "doubles"
        return phrase(
            plain(f"{found.kind.capitalize()}. ", strong=True),
            f"In the long run it {verb} every ",
            steps,
            " steps.",
            *self._folk_says(),
        )

    def _folk_says(self) -> Phrase:
        """What ρ^k would have said, where it differs."""
        found = self.decay
        said = " says the same." if found.kind == found.folk_kind else f" says it {FOLK_WORDS[found.folk_kind]}."
        return phrase(" The folk law ", symbol("ρ", sup="k"), said)

    def _summary(self) -> Phrase:
        found, last = self.decay, self.state.T
        return phrase(
            f"At lag {last} log₁₀ of the norm is ", readout(found.curve[-1], "jacobian_log10_norm", last),
            "; the bound allows ", readout(found.bound[-1], "bound_log10", last),
            ", the folk law says ", readout(found.folk[-1], "folk_log10", last), ".",
        )  # fmt: skip

    def _plane_summary(self) -> Phrase:
        outside = int(np.sum(np.abs(self.decay.eigenvalues) > 1 + 1e-12))
        return phrase(
            f"{outside} of {self.state.n} eigenvalues lie outside the unit circle; the largest modulus is ",
            readout(self.decay.spectral_radius, "rho"), ".",
        )  # fmt: skip

    def _stems_summary(self) -> Phrase:
        sigma = self.decay.singular_values
        above = int(np.sum(sigma > 1 + 1e-12))
        return phrase(
            f"{above} of {len(sigma)} lie above 1, the line that keeps length; the largest, ", symbol("σ", "max"),
            ", is ", readout(sigma[0], "singular_value"), ".",
        )  # fmt: skip

    def _at_lag(self) -> list[list[Phrase]]:
        found, lag = self.decay, self.state.lag
        rows = [
            ("True norm", found.curve, "jacobian_log10_norm"),
            ("Bound", found.bound, "bound_log10"),
            ("Folk law", found.folk, "folk_log10"),
        ]
        return [[phrase(f"{name}, log₁₀"), [readout(curve[lag], key, lag, digits=5)]] for name, curve, key in rows]
