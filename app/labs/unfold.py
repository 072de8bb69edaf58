"""/unfold: the folded circuit beside its copies over time, in each of the design patterns."""

from __future__ import annotations

from typing import Any

from rnnscope.core import Run

from ..plots.chart import Plot
from ..state import UnfoldState
from ..view import Arrays, Message
from .base import Lab, control_parts
from .charts import units_chart
from .detail import Detail
from .pattern_presets import PRESETS
from .patterns import PATTERNS, Pattern
from .sharing import Sharing, sharing_card

#: Patterns whose W has a gradient, and those that read inputs.
WITH_LOSS = ["hidden", "output", "last"]
WITH_INPUT = [*WITH_LOSS, "convolution"]


class UnfoldLab(Lab):
    """One unit by default, up to eight; up to twelve copies; linear output and squared error, or softmax for text."""

    NAME = "Unfold"
    TITLE = "Unfolding a recurrent network"
    LEDE = (
        "The loop on the left becomes the chain on the right: one copy per time step, "
        "and every copy shares the same three weights."
    )
    State = UnfoldState

    def __init__(self, query: Any = None, **params: Any):
        self.selected = "h"
        super().__init__(query, **params)

    def compute(self) -> Run:
        """The run of the page's network, and what the chosen pattern makes of its weights and inputs."""
        shown = super().compute()
        self.pattern: Pattern = PATTERNS[self.state.pattern](self.state, shown)
        return shown

    def details(self) -> list[Detail]:
        return [] if self.state.given else [Sharing(self)]

    # --- what the page holds ----------------------------------------------------------------

    def cards(self) -> list[dict[str, Any]]:
        legend = [
            {"label": "forward", "cls": "fwd"},
            {"label": "gradient of the loss, backward", "cls": "bwd", "when": WITH_LOSS},
            {"label": "one-step delay", "shape": "square"},
        ]
        return [
            {"cls": "try pat", "body": [
                {"kind": "control", "key": "pattern"},
                {"kind": "text", "id": "trade", "cls": "st"},
                PRESETS.part()]},
            {"title": "One circuit and its copies", "cls": "key", "steps": True, "legend": legend, "body": [
                {"kind": "group", "cls": "uf", "parts": [
                    {"kind": "diagram", "scene": "folded", "heading": "Folded"},
                    {"kind": "diagram", "scene": "unfolded", "heading": "Unfolded"}]}]},
            {"cls": "r3", "row": [
                {"title": "Forward", "body": [{"kind": "equations", "id": "forward"}]},
                {"title": "Backward", "when": WITH_LOSS, "body": [{"kind": "equations", "id": "backward"}]},
                {"title": "The gradient of $W$", "when": WITH_LOSS, "body": [
                    {"kind": "diagram", "scene": "contributions"},
                    {"kind": "text", "id": "sum", "cls": "plot-summary"}]},
                {"title": "The nesting", "when": ["system"], "body": [
                    {"kind": "equations", "id": "nesting"}, {"kind": "text", "id": "nesting_note", "cls": "note"}]},
                {"title": "The recurrence beside it", "when": ["convolution"], "body": [
                    {"kind": "equations", "id": "recurrence"}]}]},
            {"title": "Numbers", "cls": "more", "body": [
                {"kind": "text", "id": "summary", "cls": "plot-summary"},
                {"kind": "data", "label": "How much each input counts", "when": ["convolution"], "columns": [
                    {"head": "input $k$", "array": "k", "symbol": "k", "offset": 1, "integer": True},
                    {"head": "for $z_t$", "array": "reach_conv", "offset": 1, "symbol": "reach_conv"},
                    {"head": "for $h_t$", "array": "reach", "offset": 1, "symbol": "reach"}]},
                *({"kind": "data", **table} for table in _tables())]},
            *([] if self.state.given else [sharing_card()]),
        ]  # fmt: skip

    def rail(self) -> list[dict[str, Any]]:
        equations = (
            [{"title": "Forward", "items": [{"kind": "equations", "id": "forward"}]}] if self.state.embed else []
        )
        return [
            {"title": "View", "items": control_parts("highlight", "direction")},
            *equations,
            {"items": [
                {"kind": "text", "id": "selected_title", "tag": "h2"}, {"kind": "unit", "key": "unit"},
                {"kind": "pairs", "id": "selected"}]},
            {"title": "Pattern", "when": ["output", "convolution"], "items": control_parts("forcing", "window")},
            {"title": "Parameters", "cls": "ctl", "items": [
                *control_parts(*UnfoldState.SCALARS, "rho", "family", "sigma_in", "seed", "activation"),
                {"kind": "text", "id": "count", "cls": "note"}]},
            {"title": "Sequence", "cls": "ctl", "items":
                control_parts("T", "input", "values", "text", "target", "n", "d")},
            {"title": "Letters", "cls": "ctl", "items": control_parts("notation")},
        ]  # fmt: skip

    def scene_key(self) -> Any:
        state = self.state
        own = (state.pattern, state.forcing, state.window)
        return (*own, state.T, state.n, state.d, state.notation, state.text if state.kind() == "text" else None)

    def scenes(self) -> dict[str, Any]:
        return self.pattern.scenes()

    # --- what it shows ----------------------------------------------------------------------

    def arrays(self) -> Arrays:
        return self.pattern.arrays()

    def look_arrays(self) -> Arrays:
        return self.pattern.look_arrays()

    def charts(self) -> dict[str, Plot]:
        found, t = self.arrays(), self.state.t
        drawn: dict[str, Plot] = {"states": units_chart("States by step", found["h"][0], "h", "hidden", t)}
        if "dh" in found:
            rows, first = found["dh"]
            drawn["gradients"] = units_chart("Gradient of the loss by step", rows, "∂L/∂h", "gradient", t, first)
        return drawn

    def select(self, node: Message) -> None:
        """A click on a node moves the time to its step, and its equation is marked."""
        self.selected = str(node.get("symbol") or "h")
        if node.get("t") is not None:
            self._set({"t": node["t"]})

    def selection(self) -> str:
        return self.selected

    def texts(self) -> dict[str, Any]:
        said = PRESETS.claim(self.state, self.pattern)
        return {**self.pattern.texts(self.selected), "claim": said}


def _column(head: str, array: str, **more: Any) -> dict[str, Any]:
    return {"head": head, "array": array, "symbol": array.removesuffix("_after"), "offset": 1, **more}


def _tables() -> list[dict[str, Any]]:
    """Label, columns and patterns of each table; only one stands on the page at a time."""
    step = _column("$t$", "steps", symbol="t", integer=True)
    x, h = _column("$x$", "x", each=True), _column("$h$", "h_after")
    y, loss = _column("output", "y", unit="target"), _column("$L$", "L")
    dy, dh = _column("∂$L$/∂output", "dy", unit="target"), _column("∂$L$/∂$h$", "dh_after")
    state, convolved = {**h, "head": "$s$"}, _column("$z$", "conv")
    tables = [
        ("Values and gradients by step", [step, x, h, y, loss, dy, dh], ["hidden", "output"]),
        ("States and gradients by step", [step, x, h, dh], ["last"]),
        ("States by step", [step, _column("$a$", "a"), state], ["system"]),
        ("Convolution and recurrence by step", [step, x, convolved, h], ["convolution"]),
    ]
    return [{"label": label, "columns": columns, "when": when} for label, columns, when in tables]
