"""/lstm: one cell at one step, every wire with its number, and the traces of its gates over time."""

from __future__ import annotations

from typing import Any

import numpy as np
from rnnscope.core import Run

from ..diagrams.lstm import cut_place, lstm_scene
from ..diagrams.surgery import with_surgery
from ..diagrams.traces import trace_series
from ..state import LSTMState
from ..view import Arrays
from ..words import Phrase, phrase, readout, symbol
from . import inside
from .detail import Detail
from .gated import GatedLab
from .gradient_paths import Paths, paths_card
from .lstm_presets import PRESETS
from .surgery import surgery_block, surgery_card

ROLES = {"f": "gate", "i": "gate", "g": "candidate", "c": "cell", "o": "gate", "h": "hidden"}
NAMES = {
    "f": "forget gate",
    "i": "input gate",
    "g": "candidate",
    "c": "cell state",
    "o": "output gate",
    "h": "hidden state",
}
#: Array -> letter, for the table of every step.
COLUMNS = {"f": "f", "i": "i", "o": "o", "g": "g", "c_after": "c", "h_after": "h"}
#: A product or a pre-activation belongs to the equation that it is part of.
BELONGS = {"fc": "c", "ig": "c", "tc": "h", "af": "f", "ai": "i", "ag": "g", "ao": "o"}


class LSTMLab(GatedLab):
    """One to eight units; the cell diagram follows the step and the unit, the traces follow the unit."""

    NAME = "LSTM"
    TITLE = "Inside an LSTM cell"
    LEDE = (
        "Three gates decide what the cell state forgets, what it takes in and what it shows. "
        "Every wire carries its number for the step you are on."
    )
    State = LSTMState

    ROLES = ROLES
    NAMES = NAMES
    BELONGS = BELONGS
    FIRST = "f"
    STATES = "hc"
    BLOCKS = "four"
    BIASES = ("forget_bias", "input_bias")

    # --- what the page holds ----------------------------------------------------------------

    def cards(self) -> list[dict[str, Any]]:
        legend = [
            {"label": "cell state", "role": "cell", "cls": "state"},
            {"label": "hidden state", "role": "hidden", "cls": ""},
            {"label": "input", "role": "input", "cls": ""}, {"label": "gate, 0 to 1", "role": "gate", "cls": ""},
            {"label": "candidate, −1 to 1", "role": "candidate", "cls": ""},
        ]  # fmt: skip
        return [
            {"cls": "try", "body": [PRESETS.part()]},
            {"title": "Inside the cell", "cls": "key", "steps": True, "legend": legend, "body": [
                {"kind": "diagram", "scene": "lstm"}, *inside.substep_parts(self.run)]},
            inside.opened_card(),
            {"cls": "tc", "body": [
                *inside.maps_parts(),
                {"kind": "text", "id": "summary", "cls": "plot-summary"},
                {"kind": "data", "label": "Gates and states by step", "columns": self.columns(COLUMNS)}]},
            paths_card(given=self.state.given is not None),
            surgery_card(self.columns(COLUMNS)),
        ]  # fmt: skip

    def details(self) -> list[Detail]:
        self.paths = Paths(self)
        return [self.paths]

    def own_blocks(self) -> list[dict[str, Any]]:
        return [surgery_block([(gate, NAMES[gate]) for gate in "figo"], "; the line of c goes on")]

    def scene_key(self) -> Any:
        state = self.state
        return (state.n, state.d, state.notation, state.text if state.input == "text" else None)

    def scenes(self) -> dict[str, Any]:
        state = self.state
        text = state.text if state.input == "text" else None
        d = 1 if state.typed() else state.d
        drawn = {}
        for variant in ("wide", "compact"):
            plain = lstm_scene(variant, state.n, d, state.notation, text)
            drawn[variant] = with_surgery(plain, "figo", cut_place(variant, state.n))
        stepped = inside.scenes(drawn, self.run, state.notation)
        return {"lstm": stepped["drawn"], "opened": stepped["opened"], "traces": trace_series(state.notation)}

    # --- what it shows ----------------------------------------------------------------------

    def drawn(self, run: Run) -> Arrays:
        trace, T = run.trace, run.trace.steps
        gates, sums = trace.gates, trace.preactivations
        return {
            "x": (trace.xs, 1), "h": (trace.hs, 0), "c": (trace.cs, 0),
            **{key: (gates[key], 1) for key in "fiog"}, **{f"a{key}": (sums[key], 1) for key in "fiog"},
            **inside.arrays(run, self.cuts(run)),
            "h_after": (trace.hs[1:], 1), "c_after": (trace.cs[1:], 1), "steps": (np.arange(1, T + 1), 1),
        }  # fmt: skip

    def texts(self) -> dict[str, Any]:
        return super().texts() | {"claim": PRESETS.claim(self.state, self.run, self.paths.split)}

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
