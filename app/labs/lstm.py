"""/lstm: one cell at one step, every wire with its number, and the traces of its gates over time."""

from __future__ import annotations

from typing import Any

import numpy as np
from rnnscope.core import Run, equation

from .. import url, values
from ..diagrams.lstm import lstm_scene
from ..diagrams.surgery import with_surgery
from ..diagrams.traces import trace_series
from ..state import LSTMState
from ..view import Arrays, Message
from ..words import Phrase, phrase, readout, symbol
from . import inside
from .base import Lab, control_parts
from .detail import Detail
from .equation_text import Line, numeric, said, symbolic
from .gradient_paths import Paths, paths_card
from .lstm_presets import claim, links
from .surgery import Operable, surgery_block, surgery_card

ROLES = {"f": "gate", "i": "gate", "g": "candidate", "c": "cell", "o": "gate", "h": "hidden"}
NAMES = {
    "f": "forget gate",
    "i": "input gate",
    "g": "candidate",
    "c": "cell state",
    "o": "output gate",
    "h": "hidden state",
}
#: A product or a pre-activation belongs to the equation that it is part of.
BELONGS = {"fc": "c", "ig": "c", "tc": "h", "af": "f", "ai": "i", "ag": "g", "ao": "o"}


class LSTMLab(Operable, Lab):
    """One to eight units; the cell diagram follows the step and the unit, the traces follow the unit."""

    NAME = "LSTM"
    TITLE = "Inside an LSTM cell"
    LEDE = (
        "Three gates decide what the cell state forgets, what it takes in and what it shows. "
        "Every wire carries its number for the step you are on."
    )
    State = LSTMState

    def __init__(self, query: Any = None, **params: Any):
        self.selected, self.step_before = "f", False
        super().__init__(query, **params)

    # --- what the page holds ----------------------------------------------------------------

    def cards(self) -> list[dict[str, Any]]:
        legend = [
            {"label": "cell state", "role": "cell", "cls": "state"},
            {"label": "hidden state", "role": "hidden", "cls": ""},
            {"label": "input", "role": "input", "cls": ""}, {"label": "gate, 0 to 1", "role": "gate", "cls": ""},
            {"label": "candidate, −1 to 1", "role": "candidate", "cls": ""},
        ]  # fmt: skip
        return [
            {"cls": "try", "body": [{"kind": "presets", "links": links(), "id": "claim"}]},
            {"title": "Inside the cell", "cls": "key", "steps": True, "legend": legend, "body": [
                {"kind": "diagram", "scene": "lstm"}, *inside.substep_parts(self.run)]},
            inside.opened_card(),
            {"cls": "tc", "body": [
                *inside.maps_parts(),
                {"kind": "text", "id": "summary", "cls": "plot-summary"},
                {"kind": "data", "label": "Gates and states by step", "columns": self._columns()}]},
            paths_card(),
            surgery_card(self._columns()),
        ]  # fmt: skip

    def details(self) -> list[Detail]:
        self.paths = Paths(self)
        return [self.paths]

    @staticmethod
    def _columns() -> list[dict[str, Any]]:
        steps = {"head": "$t$", "array": "steps", "symbol": "t", "integer": True, "offset": 1}
        heads = {"f": "f", "i": "i", "o": "o", "g": "g", "c_after": "c", "h_after": "h"}
        return [
            steps,
            *({"head": f"${head}$", "array": name, "symbol": head, "offset": 1} for name, head in heads.items()),
        ]

    def rail(self) -> list[dict[str, Any]]:
        return [
            {"title": "Equations", "items": [{"kind": "equations", "id": "equations"}]},
            {"items": [
                {"kind": "text", "id": "selected_title", "tag": "h2"}, {"kind": "equations", "id": "selected"},
                {"kind": "text", "id": "meaning", "cls": "note"},
                {"kind": "text", "id": "sums", "cls": "note"}, {"kind": "unit", "key": "unit"}]},
            surgery_block([(gate, NAMES[gate]) for gate in "figo"], "; the line of c goes on"),
            {"title": "Parameters", "cls": "ctl", "items": [
                *control_parts("forget_bias", "input_bias"), {"kind": "inputAt", "key": "values"}]},
            {"title": "Input", "cls": "ctl", "items": control_parts("input", "values", "text", "T", "d")},
            {"title": "Weights", "cls": "ctl", "items": [
                *control_parts("n", "rho", "family", "sigma_in", "seed"),
                {"kind": "text", "id": "count", "cls": "note"}]},
            {"title": "Letters", "cls": "ctl", "items": control_parts("notation")},
        ]  # fmt: skip

    def scene_key(self) -> Any:
        state = self.state
        return (state.n, state.d, state.notation, state.text if state.input == "text" else None)

    def scenes(self) -> dict[str, Any]:
        state = self.state
        text = state.text if state.input == "text" else None
        d = 1 if state.typed() else state.d
        drawn = {
            variant: with_surgery(lstm_scene(variant, state.n, d, state.notation, text), "figo")
            for variant in ("wide", "compact")
        }
        stepped = inside.scenes(drawn, self.run, state.notation)
        return {"lstm": stepped["drawn"], "opened": stepped["opened"], "traces": trace_series(state.notation)}

    # --- what it shows ----------------------------------------------------------------------

    def arrays(self) -> Arrays:
        return {**self.drawn(self.run), **self.ghosts()}

    def drawn(self, run: Run) -> Arrays:
        trace, T = run.trace, run.trace.steps
        gates, sums = trace.gates, trace.preactivations
        return {
            "x": (trace.xs, 1), "h": (trace.hs, 0), "c": (trace.cs, 0),
            **{key: (gates[key], 1) for key in "fiog"}, **{f"a{key}": (sums[key], 1) for key in "fiog"},
            **inside.arrays(run, self.surgery().cuts if run is self.run else ()),
            "h_after": (trace.hs[1:], 1), "c_after": (trace.cs[1:], 1), "steps": (np.arange(1, T + 1), 1),
        }  # fmt: skip

    def select(self, node: Message) -> None:
        """A click on a gate, a wire's operation or a state shows its equation at the step it belongs to."""
        name = str(node.get("symbol") or "f")
        self.selected = BELONGS.get(name, name)
        self.step_before = node.get("t") == self.state.t - 1
        inside.open_layer(self.state, self.selected, self.run)

    def _act(self, message: Message) -> None:
        if message.get("action") == "input":
            self._set_input(str(message.get("value")))
        else:
            super()._act(message)

    def _set_input(self, text: str) -> None:
        """One number of the input under the hand: the sequence becomes typed values with that one replaced."""
        t, state = self.state.t, self.state
        if self.untouched.trace.xs.shape[1] != 1 or t == 0 or "values" in state.locked():
            return
        if values.finite(text) is None:
            self._notices.append(url.Notice("input", text, "it takes a number.", "It stays as it was.").message)
            return
        shown = [repr(float(x)) for x in self.untouched.trace.xs[:, 0]]
        shown[t - 1] = text
        self._set({"input": "values", "values": ",".join(shown)})

    def texts(self) -> dict[str, Any]:
        state = self.state
        return {
            "equations": self._equations(),
            "selected_title": phrase(NAMES.get(self.selected, "input").capitalize(), self._which_unit()),
            "selected": self._selected(),
            "meaning": self._meaning(),
            "sums": phrase(f"A recurrent product is one number: the sum over {state.n} units.") if state.n > 1 else [],
            "summary": self._summary(),
            "claim": claim(state.preset, self.run, self.paths.split()) if state.at_preset() else [],
            "count": self._count(),
            "announcement": inside.announcement(state, self.run),
            **inside.texts(state, self.run),
            **self.surgery_texts(),
        }  # fmt: skip

    def _which_unit(self) -> str:
        return f", unit {self.state.unit + 1}" if self.state.n > 1 else ""

    def _equations(self) -> list[Line]:
        t, active = max(1, self.state.t), inside.current(self.state, self.run)
        marked = active.equation if active else self.selected
        return [
            symbolic(equation(self.run.cell, name), self.state.notation, t, role, name == marked)
            for name, role in ROLES.items()
        ]  # fmt: skip

    def _selected(self) -> list[Line]:
        t = max(0, self.state.t - self.step_before)
        if self.selected not in ROLES:
            return said("The input is what you typed or chose; it goes to every gate.")
        if t == 0:
            return said("Step 0 is before the first input: ", symbol("h", "0"), " and ", symbol("c", "0"), " are 0.")
        names = [f"a{self.selected}", self.selected] if f"a{self.selected}" in BELONGS else [self.selected]
        return [line for name in names for line in self._with_numbers(name, t)]

    def _with_numbers(self, name: str, t: int) -> list[Line]:
        found, state = equation(self.run.cell, name), self.state
        if name in "fiog":
            return self._gate_numbers(name, t)
        if name in ("af", "ai", "ag", "ao") and self.is_cut(t):
            return said("Cut at this step: the recurrent weights see 0.")
        return [symbolic(found, state.notation, t), numeric(found, self.run, t, state.unit, state.notation)]

    def _gate_numbers(self, name: str, t: int) -> list[Line]:
        """f = σ(1.74) = 0.851: the pre-activation stands a line above with its own numbers."""
        unit, trace = self.state.unit, self.run.trace
        left = equation(self.run.cell, name).tokens(self.state.notation, t)[0]
        letter = {"kind": "symbol", "text": left.text, "sub": left.sub, "accent": left.accent}
        function = {"kind": "function", "text": "tanh" if name == "g" else "σ"}
        value = trace.gates[name][t - 1, unit]
        if self.clamped(name, t, unit):
            return said(letter, " = ", readout(value, name, t, unit), ", held there whatever the weights say")
        summed = trace.preactivations[name][t - 1, unit]
        return said(
            letter, " = ", function, "(", readout(summed, f"a{name}", t, unit), ") = ", readout(value, name, t, unit)
        )

    def _meaning(self) -> Phrase:
        t, unit, trace = self.state.t, self.state.unit, self.run.trace
        if t == 0 or self.step_before:
            return []
        before, kept = trace.cs[t - 1, unit], trace.gates["f"][t - 1, unit]
        letter, previous = symbol("c", str(t - 1)), str(t)
        if self.selected == "f":
            return phrase(
                f"Keeps {100 * kept:.0f} % of ",
                letter,
                ": ",
                readout(before, "c", t - 1, unit),
                " becomes ",
                readout(kept * before, "fc", t, unit),
                ".",
            )
        if self.selected in "ig":
            written = trace.gates["i"][t - 1, unit] * trace.gates["g"][t - 1, unit]
            return phrase("Together they add ", readout(written, "ig", t, unit), " to the cell state.")
        if self.selected == "c":
            return phrase(
                "Kept part plus new part: ", symbol("c", previous), " = ", readout(trace.cs[t, unit], "c", t, unit), "."
            )
        opened = trace.gates["o"][t - 1, unit]
        return phrase(
            f"Shows {100 * opened:.0f} % of tanh ",
            symbol("c", previous),
            ": ",
            readout(trace.hs[t, unit], "h", t, unit),
            ".",
        )

    def _summary(self) -> Phrase:
        unit, trace = self.state.unit, self.run.trace
        forget, peak = trace.gates["f"][:, unit], int(np.argmax(np.abs(trace.cs[:, unit])))
        return phrase(
            "The forget gate lies between ", readout(forget.min(), "f", int(np.argmin(forget)) + 1, unit), " and ",
            readout(forget.max(), "f", int(np.argmax(forget)) + 1, unit), "; the cell state is largest at step ",
            f"{peak}, where it is ", readout(trace.cs[peak, unit], "c", peak, unit), ".",
        )  # fmt: skip

    def _count(self) -> Phrase:
        count = self.run.cell.parameter_count
        return phrase(
            readout(count, "parameters", text=str(count)), " parameters: four blocks, whatever the number of steps."
        )
