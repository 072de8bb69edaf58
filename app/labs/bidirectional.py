"""/bidirectional: two chains over one sequence, what reaches an output in each, and what one changed input moves."""

from __future__ import annotations

from typing import Any

import numpy as np
from rnnscope.core import (
    BidirectionalRun,
    ChangedInput,
    InputReach,
    bidirectional_equation,
    bidirectional_reach,
    change_input,
    read_out_equation,
    run_both,
)

from .. import change_text, url
from ..diagrams.bidirectional import bidirectional_scene
from ..diagrams.chain_nodes import Chain
from ..plots.chart import Plot
from ..state.bidirectional import BidirectionalState
from ..view import Arrays, Message
from . import bidirectional_texts as texts
from .base import Lab, control_parts
from .bidirectional_presets import PRESETS
from .charts import reach_chart, units_chart

LEGEND = [
    {"label": "input", "role": "input", "cls": ""}, {"label": "state", "role": "hidden", "cls": "state"},
    {"label": "output", "role": "output", "cls": ""},
]  # fmt: skip
NAMED = {"h_forward": "forward state", "h_backward": "backward state", "y": "output", "x": "input"}


class BidirectionalLab(Lab):
    """One to eight units a direction over up to twelve steps, any cell, one linear output a step."""

    NAME = "Bidirectional"
    TITLE = "Reading in both directions"
    LEDE = (
        "One chain reads the sequence from the left, one from the right. Each output sees both, so it knows "
        "what comes before it and after it."
    )
    State = BidirectionalState
    run: BidirectionalRun

    def __init__(self, query: Any = None, **params: Any):
        self.selected = "y"
        super().__init__(query, **params)

    def compute(self) -> Any:
        """The run of both chains, and the run with the changed input beside it."""
        shown = run_both(self.state.config())
        self.changed = self._change(shown)
        return shown

    def _change(self, shown: BidirectionalRun) -> ChangedInput | None:
        found = change_text.parse(self.state.change)
        if found is None:
            return None
        return change_input(shown, found.step, found.vector(self.state.kind(), shown.trace.xs.shape[1]))

    def _set(self, texts: Any) -> None:
        """As every lab; a change that the run has no step for, or no such input, is said and stays as it was."""
        if isinstance(texts, dict) and "change" in texts and "change" not in self.state.locked():
            why = self._misfit(str(texts["change"]))
            if why:
                self._notices.append(url.Notice("change", str(texts["change"]), why, "It stays as it was.").message)
                texts = {key: text for key, text in texts.items() if key != "change"}
        super()._set(texts)

    def _misfit(self, text: str) -> str:
        """Why a typed change does not fit this run; what is no change at all is refused as in a link."""
        try:
            found = url.check(self.State, "change", text)
        except ValueError:
            return ""
        return change_text.misfit(found, self.state.kind(), self.state.T)

    @property
    def output(self) -> int:
        """The selected output; step 0, before the first input, has none: the first is shown."""
        return max(1, self.state.t)

    def reach(self) -> InputReach:
        return bidirectional_reach(self.run, self.output)

    # --- what the page holds ----------------------------------------------------------------

    def cards(self) -> list[dict[str, Any]]:
        def column(head: str, array: str, **more: Any) -> dict[str, Any]:
            return {"head": head, "array": array, "symbol": array, "offset": 1, **more}

        step = column("$t$", "steps", symbol="t", integer=True)
        states = [
            column("forward $h$", "h_forward_after", symbol="h_forward"),
            column("backward $h$", "h_backward_before", symbol="h_backward"),
        ]
        return [
            {"title": "Two chains, one output a step", "cls": "key", "steps": True, "legend": LEGEND, "body": [
                {"kind": "diagram", "scene": "both"}]},
            {"cls": "try", "body": [PRESETS.part()]},
            {"cls": "r2", "row": [
                {"title": "How each input reaches the output", "body": [
                    {"kind": "rows", "id": "reach", "label": "How each input reaches the output"},
                    {"kind": "text", "id": "reach_says", "cls": "note"}]},
                {"title": "One input changed: size of each change", "body": [
                    {"kind": "rows", "id": "changes", "label": "Size of each change"},
                    {"kind": "text", "id": "change_says", "cls": "note"}]}]},
            {"title": "Numbers", "cls": "more", "body": [
                {"kind": "text", "id": "summary", "cls": "plot-summary"},
                {"kind": "data", "label": "States and outputs by step", "columns": [
                    step, column("$x$", "x", each=True), *states, column("output", "y")]}]},
        ]  # fmt: skip

    def rail(self) -> list[dict[str, Any]]:
        return [
            {"title": "Equations", "items": [{"kind": "equations", "id": "equations"}]},
            {"items": [
                {"kind": "text", "id": "selected_title", "tag": "h2"}, {"kind": "equations", "id": "selected"},
                {"kind": "unit", "key": "unit"}]},
            {"title": "Change one input", "cls": "ctl", "items": control_parts("change")},
            {"title": "The last state", "items": [{"kind": "text", "id": "last", "cls": "note"}]},
            {"title": "What it costs", "items": [{"kind": "text", "id": "cost", "cls": "note"}]},
            {"title": "Model", "cls": "ctl", "items": control_parts(
                "cell", "n", "activation", "forget_bias", "reset", "update", "rho", "family", "sigma_in", "seed")},
            {"title": "Sequence", "cls": "ctl", "items": control_parts("T", "input", "values", "text", "d")},
            {"title": "Letters", "cls": "ctl", "items": control_parts("notation")},
        ]  # fmt: skip

    def scene_key(self) -> Any:
        state = self.state
        text = state.text if state.kind() == "text" else None
        return (state.T, state.n, self.run.trace.xs.shape[1], state.notation, text, self._step())

    def _step(self) -> int | None:
        return self.changed.step if self.changed else None

    def scenes(self) -> dict[str, Any]:
        state = self.state
        text = state.text if state.kind() == "text" else None
        chain = Chain(state.T, state.n, self.run.trace.xs.shape[1], text, state.notation)
        drawn = {size: bidirectional_scene(chain, size, self._step()) for size in ("wide", "compact")}
        return {"both": drawn}

    # --- what it shows ----------------------------------------------------------------------

    def arrays(self) -> Arrays:
        shown, changed = self.run, self.changed
        found = {
            "x": (shown.trace.xs, 1), "h_forward": (shown.forward_hs, 0), "h_backward": (shown.backward_hs, 1),
            "h_forward_after": (shown.forward_hs[1:], 1), "h_backward_before": (shown.backward_hs[:-1], 1),
            "y": (shown.trace.ys, 1),
            "steps": (np.arange(1, shown.steps + 1), 1),
        }  # fmt: skip
        if changed is None:
            return found
        return found | {
            "change_h_forward": (changed.forward, 1), "change_h_backward": (changed.backward, 1),
        }  # fmt: skip

    def charts(self) -> dict[str, Plot]:
        forward, backward = self.run.forward_hs, self.run.backward_hs
        return {
            "reach": reach_chart(self.reach(), self.output),
            "forward": units_chart("States of the forward chain", forward, "h", "hidden", self.state.t),
            "backward": units_chart("States of the backward chain", backward, "h", "hidden", self.state.t, 1),
        }

    def select(self, node: Message) -> None:
        """A click on a node moves the time to its step, and its equation is shown."""
        self.selected = str(node.get("symbol") or "y")
        t = node.get("t")
        if isinstance(t, int) and 1 <= t <= self.run.steps:
            self._set({"t": t})

    def selection(self) -> str:
        return self.selected

    def texts(self) -> dict[str, Any]:
        reach = self.reach()
        return {
            "equations": self._equations(),
            "selected_title": texts.title(NAMED.get(self.selected, "output"), self.state, self.selected),
            "selected": self._selected(),
            "reach": texts.reach_rows(self, reach), "reach_says": texts.reach_says(self, reach),
            "changes": texts.change_rows(self), "change_says": texts.change_says(self),
            "last": texts.last_states(self), "cost": texts.cost(self), "summary": texts.summary(self),
            "claim": PRESETS.claim(self.state, self),
            "announcement": f"output {self.output} of {self.run.steps}",
        }  # fmt: skip

    def _symbols(self) -> list[str]:
        """The forward quantities of one cell in the order of computation."""
        cell = self.run.network.forward
        shown = {"f": ["f", "i", "g", "c", "o", "h"], "z": ["z", "r", "g", "h"]}
        return shown[cell.gate_names[0]] if cell.gate_names else ["a", "h"]

    def _equations(self) -> list[dict[str, Any]]:
        network, at, T = self.run.network, self.output, self.run.steps
        lines = [
            texts.line(
                bidirectional_equation(network, name, way).tokens(self.state.notation, at, T),
                "hidden", self.selected == f"{name}_{way}",
            )
            for way in ("forward", "backward") for name in self._symbols()
        ]  # fmt: skip
        output = read_out_equation(network).tokens(self.state.notation, at)
        return [*lines, texts.line(output, "output", self.selected == "y")]

    def _selected(self) -> list[dict[str, Any]]:
        network, trace, at = self.run.network, self.run.trace, self.output
        if self.selected in ("h_forward", "h_backward"):
            names = ["a", self.selected[0]] if not network.forward.gate_names else [self.selected[0]]
            way, unit = self.selected.removeprefix("h_"), self.state.unit
            found = [bidirectional_equation(network, name, way) for name in names]
            return [
                texts.line([*one.tokens(self.state.notation, at, self.run.steps)[:2],
                            *one.numbers(network, trace, at, unit, self.state.notation)])
                for one in found
            ]  # fmt: skip
        if self.selected == "x":
            return texts.said("The input is what you typed or chose; both chains read it.")
        found_out = read_out_equation(network)
        start = found_out.tokens(self.state.notation, at)[:2]
        return [texts.line([*start, *found_out.numbers(network, trace, at, 0)])]
