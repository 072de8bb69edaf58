"""/unfold: the folded circuit beside its copies over time, with every forward and backward number."""

from __future__ import annotations

from typing import Any

import numpy as np
from rnnscope.core import ALPHABET, equation, loss_equations, softmax

from ..diagrams.folded import contribution_scene, folded_scene
from ..diagrams.unfold import unfolded_scene
from ..state import UnfoldState
from ..view import Arrays, Message
from ..words import Phrase, phrase, readout, symbol
from .base import Lab, control_parts
from .equation_text import Line, both, said

VARIANTS = ("wide", "compact")
COUNT_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


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

    # --- what the page holds ----------------------------------------------------------------

    def cards(self) -> list[dict[str, Any]]:
        legend = [
            {"label": "forward", "cls": "fwd"},
            {"label": "gradient of the loss, backward", "cls": "bwd"},
            {"label": "one-step delay", "shape": "square"},
        ]
        return [
            {"title": "One circuit and its copies", "cls": "key", "steps": True, "legend": legend, "body": [
                {"kind": "group", "cls": "uf", "parts": [
                    {"kind": "diagram", "scene": "folded", "heading": "Folded"},
                    {"kind": "diagram", "scene": "unfolded", "heading": "Unfolded"}]}]},
            {"cls": "r3", "row": [
                {"title": "Forward", "body": [{"kind": "equations", "id": "forward"}]},
                {"title": "Backward", "body": [{"kind": "equations", "id": "backward"}]},
                {"title": "The gradient of $W$", "body": [
                    {"kind": "diagram", "scene": "contributions"},
                    {"kind": "text", "id": "sum", "cls": "plot-summary"}]}]},
            {"title": "Numbers", "cls": "more", "body": [
                {"kind": "text", "id": "summary", "cls": "plot-summary"},
                {"kind": "data", "label": "Values and gradients by step", "columns": self._columns()}]},
        ]  # fmt: skip

    @staticmethod
    def _columns() -> list[dict[str, Any]]:
        def column(head: str, array: str, **more: Any) -> dict[str, Any]:
            return {"head": head, "array": array, "symbol": array.removesuffix("_after"), "offset": 1, **more}

        return [
            column("$t$", "steps", symbol="t", integer=True), column("$x$", "x", each=True), column("$h$", "h_after"),
            column("output", "y", unit="target"), column("$L$", "L"), column("∂$L$/∂output", "dy", unit="target"),
            column("∂$L$/∂$h$", "dh_after"),
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
            {"title": "Parameters", "cls": "ctl", "items": [
                *control_parts(*UnfoldState.SCALARS, "rho", "family", "sigma_in", "seed", "activation"),
                {"kind": "text", "id": "count", "cls": "note"}]},
            {"title": "Sequence", "cls": "ctl", "items":
                control_parts("T", "input", "values", "text", "target", "n", "d")},
            {"title": "Letters", "cls": "ctl", "items": control_parts("notation")},
        ]  # fmt: skip

    def scene_key(self) -> Any:
        state = self.state
        return (state.T, state.n, state.d, state.notation, state.text if state.input == "text" else None)

    def scenes(self) -> dict[str, Any]:
        state = self.state
        text = state.text if state.input == "text" else None
        size = {"n": state.n, "d": 1 if state.typed() else state.d, "text": text, "notation": state.notation}
        return {
            "folded": {variant: folded_scene(variant, **size) for variant in VARIANTS},
            "unfolded": {variant: unfolded_scene(state.T, variant, **size) for variant in VARIANTS},
            "contributions": {variant: contribution_scene(state.T, variant) for variant in VARIANTS},
        }

    # --- what it shows ----------------------------------------------------------------------

    def arrays(self) -> Arrays:
        trace, gradients, n, T = self.run.trace, self.run.gradients, self.state.n, self.state.T
        tiles = np.diagonal(gradients.W_hh_steps, axis1=1, axis2=2)
        return {
            "x": (trace.xs, 1), "h": (trace.hs, 0), "a": (trace.preactivations, 1), "y": (trace.ys, 1),
            "target": (self.run.targets, 1), "L": (gradients.loss, 1), "dy": (gradients.outputs, 1),
            "dh": (gradients.states[:, :n], 0), "da": (gradients.preactivations, 1),
            "dh_out": (gradients.from_output, 1), "dh_next": (gradients.from_next[:, :n], 0),
            "dW": (tiles, 1), "dW_sum": (np.diagonal(gradients.W_hh)[None, :], T),
            "h_after": (trace.hs[1:], 1), "dh_after": (gradients.states[1:, :n], 1), "steps": (np.arange(1, T + 1), 1),
        }  # fmt: skip

    def select(self, node: Message) -> None:
        """A click on a node moves the time to its step, and its equation is marked."""
        self.selected = str(node.get("symbol") or "h")
        if node.get("t") is not None:
            self._set({"t": node["t"]})

    def texts(self) -> dict[str, Any]:
        state = self.state
        copies = "one copy" if state.T == 1 else f"{COUNT_WORDS[state.T]} copies"
        unit = f", unit {state.unit + 1}" if state.n > 1 else ""
        return {
            "unfolded_heading": phrase("Unfolded, ", symbol("T"), f" = {state.T}: {copies}"),
            "forward": self._forward(),
            "backward": self._backward(),
            "sum": self._sum(),
            "summary": self._summary(),
            "selected_title": phrase("At step ", symbol("t"), f" = {state.t}", unit),
            "selected": self._selected(),
            "count": self._count(),
            "announcement": f"step {state.t} of {state.T}",
        }  # fmt: skip

    def _forward(self) -> list[Line]:
        if self.state.t == 0:
            return said(symbol("h", "0"), " is given: the state before the first input.")
        lines = [line for name in ("a", "h", "y") for line in self._both(name)]
        return [*lines, *(self._loss_lines(0) if self.selected in ("L", "target") else [])]

    def _loss_lines(self, which: int) -> list[Line]:
        """The loss of the step, or its gradient at the output."""
        state, found = self.state, loss_equations(self.run.config.loss)[which]
        unit = self._shown_output() if which else 0
        role, on = ("gradient", False) if which else ("", True)
        return both(found, self.run, state.t, unit, state.notation, role, on)

    def _both(self, name: str) -> list[Line]:
        state = self.state
        unit = self._shown_output() if name == "y" else state.unit
        roles = {"y": "output", "dh": "gradient", "da": "gradient"}
        return both(
            equation(self.run.cell, name),
            self.run,
            state.t,
            unit,
            state.notation,
            roles.get(name, "hidden"),
            name == self.selected,
        )

    def _shown_output(self) -> int:
        """For text the output shown is the score of the character that comes next."""
        return int(self.run.targets[self.state.t - 1]) if self.state.input == "text" else 0

    def _backward(self) -> list[Line]:
        if self.state.t == 0:
            total = self.run.gradients.states[0, self.state.unit]
            return said(
                "∂",
                symbol("L"),
                "/∂",
                symbol("h", "0"),
                " = ",
                readout(total, "dh", 0, self.state.unit),
                ", from step 1 alone.",
            )
        lines = [line for name in ("dh", "da") for line in self._both(name)]
        return [*(self._loss_lines(1) if self.selected in ("L", "target", "y") else []), *lines]

    def _sum(self) -> Phrase:
        state = self.state
        entry = "" if state.n == 1 else f"Entry ({state.unit + 1}, {state.unit + 1}): "
        uses = "1 use of W, 1 term" if state.T == 1 else f"{state.T} uses of W, {state.T} terms, one sum"
        total = self.run.gradients.W_hh[state.unit, state.unit]
        return phrase(f"{entry}{uses}: ", readout(total, "dW_sum", state.T, state.unit), ".")

    def _summary(self) -> Phrase:
        losses = self.run.gradients.loss
        kind = "−log p of the next character" if self.state.input == "text" else "½ (output − target)²"
        worst = int(np.argmax(losses)) + 1
        return phrase(
            f"The loss of a step is {kind}; over all steps it sums to ",
            readout(float(losses.sum()), "L_sum", self.state.T),
            f", most of it at step {worst} (",
            readout(losses[worst - 1], "L", worst),
            ").",
        )

    def _selected(self) -> list[list[Phrase]]:
        t, unit, trace, gradients = self.state.t, self.state.unit, self.run.trace, self.run.gradients
        step = str(t)
        rows = [[phrase("State ", symbol("h", step)), [readout(trace.hs[t, unit], "h", t, unit, 5)]]]
        if t > 0:
            rows.append(
                [
                    phrase("Pre-activation ", symbol("a", step)),
                    [readout(trace.preactivations[t - 1, unit], "a", t, unit, 5)],
                ]
            )
        rows.append(
            [phrase("∂", symbol("L"), "/∂", symbol("h", step)), [readout(gradients.states[t, unit], "dh", t, unit, 5)]]
        )
        return [*rows, *(self._step_rows(t, unit) if t else [])]

    def _step_rows(self, t: int, unit: int) -> list[list[Phrase]]:
        slope = self.run.cell.slope(self.run.trace.preactivations[t - 1])[unit]
        rows = [[phrase("Slope φ′(", symbol("a", str(t)), ")"), [readout(slope, "slope", t, unit, 5)]]]
        rows.append([phrase("Loss ", symbol("L", str(t))), [readout(self.run.gradients.loss[t - 1], "L", t, 0, 5)]])
        if self.state.input == "text":
            target = self._shown_output()
            wanted = f"“{ALPHABET[target]}”" if target < len(ALPHABET) else "the end"
            rows.append(
                [phrase(f"p of {wanted}"), [readout(softmax(self.run.trace.ys[t - 1])[target], "p", t, target, 5)]]
            )
        return rows

    def _count(self) -> Phrase:
        count = self.run.cell.parameter_count
        return phrase(
            readout(count, "parameters", text=str(count)),
            " parameters, whatever the number of steps: every copy uses the same ones.",
        )
