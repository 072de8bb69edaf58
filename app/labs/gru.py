"""/gru: one cell at one step in any of its four variants, its traces, and its neighbours RNN and LSTM."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from rnnscope.core import Run, gru_wires

from ..diagrams.gru import cut_place, gru_scene
from ..diagrams.surgery import with_surgery
from ..diagrams.traces import beside_series, trace_series
from ..state import GRUState
from ..view import Arrays
from ..words import Phrase, phrase, readout, symbol
from . import inside
from .base import control_parts
from .detail import Detail
from .gated import GatedLab
from .gru_details import Convention, SideBySide, beside_card
from .gru_presets import PRESETS
from .seen import reads_weights, seen_trace
from .surgery import surgery_block, surgery_card

LEGEND = [
    {"label": "hidden state", "role": "hidden", "cls": "state"},
    {"label": "input", "role": "input", "cls": ""}, {"label": "gate, 0 to 1", "role": "gate", "cls": ""},
    {"label": "candidate, −1 to 1", "role": "candidate", "cls": ""},
]  # fmt: skip


class GRULab(GatedLab):
    """One to eight units; the drawing follows the variant, the step and the unit."""

    NAME = "GRU"
    TITLE = "Inside a GRU cell"
    LEDE = (
        "One gate blends the old state with a candidate; another decides how much of the old state the candidate may "
        "read. Sources write both in two ways: switch them and see what moves."
    )
    State = GRUState

    ROLES: ClassVar[dict[str, str]] = {"z": "gate", "r": "gate", "g": "candidate", "h": "hidden"}
    NAMES: ClassVar[dict[str, str]] = {"z": "update gate", "r": "reset gate", "g": "candidate", "h": "hidden state"}
    BELONGS: ClassVar[dict[str, str]] = {
        "az": "z", "ar": "r", "ag": "g", "keep": "h", "zh": "h", "zg": "h", "rh": "g", "Uhg": "g",
    }  # fmt: skip
    FIRST = "z"
    STATES = "h"
    BLOCKS = "three"
    BIASES = ("update_bias", "reset_bias")

    def details(self) -> list[Detail]:
        return [Convention(self), *([] if self.state.given else [SideBySide(self)])]

    # --- what the page holds ----------------------------------------------------------------

    def cards(self) -> list[dict[str, Any]]:
        heads = {"z": "z", "r": "r", "g": "g", "h_after": "h"}
        columns = self.columns(heads)
        return [
            {"title": "Inside the cell", "cls": "key", "steps": True, "legend": LEGEND, "body": [
                {"kind": "diagram", "scene": "gru"}, *inside.substep_parts(self.run)]},
            {"cls": "try", "body": [PRESETS.part()]},
            inside.opened_card(),
            {"cls": "tc", "body": [
                *inside.maps_parts("four"),
                {"kind": "text", "id": "summary", "cls": "plot-summary"},
                {"kind": "data", "label": "Gates and states by step", "columns": columns}]},
            surgery_card(columns),
            *([] if self.state.given else [beside_card()]),
        ]  # fmt: skip

    def own_blocks(self) -> list[dict[str, Any]]:
        return [
            {"title": "Convention", "cls": "ctl", "items": [
                *control_parts("update"), {"kind": "text", "id": "update_says", "cls": "note", "detail": "convention"},
                *control_parts("reset"), {"kind": "text", "id": "reset_says", "cls": "note", "detail": "convention"}]},
            surgery_block([(gate, self.NAMES[gate]) for gate in "zrg"], "; the share of h that z keeps goes on"),
        ]  # fmt: skip

    def scene_key(self) -> Any:
        state = self.state
        text = state.text if state.input == "text" else None
        return (state.n, state.d, state.notation, text, state.reset, state.update)

    def scenes(self) -> dict[str, Any]:
        state = self.state
        text = state.text if state.input == "text" else None
        d, variant = 1 if state.typed() else state.d, {"reset": state.reset, "update": state.update}
        drawn = {}
        for size in ("wide", "compact"):
            plain = gru_scene(size, state.n, d, state.notation, text, **variant)
            drawn[size] = with_surgery(plain, "zrg", cut_place(size, state.n))
        stepped = inside.scenes(drawn, self.run, state.notation)
        series = {"traces": trace_series(state.notation, "gru"), "beside": beside_series()}
        return {"gru": stepped["drawn"], "opened": stepped["opened"], **series}

    # --- what it shows ----------------------------------------------------------------------

    def arrays(self) -> Arrays:
        self.wires = self._wires_of(self.run)
        return super().arrays()

    def _wires_of(self, run: Run) -> dict[str, np.ndarray]:
        """What each wire carries; past a cut what the recurrent weights make of 0."""
        blind = gru_wires(run.cell, seen_trace(run.trace, self.cuts(run)))
        return gru_wires(run.cell, run.trace) | {name: wire for name, wire in blind.items() if reads_weights(name)}

    def drawn(self, run: Run) -> Arrays:
        trace, cuts = run.trace, self.cuts(run)
        gates, sums = trace.gates, trace.preactivations
        return {
            "x": (trace.xs, 1), "h": (trace.hs, 0),
            **{key: (gates[key], 1) for key in "zrg"}, **{f"a{key}": (sums[key], 1) for key in "zrg"},
            **inside.arrays(run, cuts), **{key: (wire, 1) for key, wire in self._wires_of(run).items()},
            "h_after": (trace.hs[1:], 1), "steps": (np.arange(1, trace.steps + 1), 1),
        }  # fmt: skip

    def texts(self) -> dict[str, Any]:
        return super().texts() | {"claim": PRESETS.claim(self.state, self.run)}

    def _meaning(self) -> Phrase:
        if self.state.t == 0 or self.step_before:
            return []
        said = {"z": self._blends, "h": self._blends, "r": self._lets_through, "g": self._proposes}
        return said[self.selected]() if self.selected in said else []

    def _wire(self, name: str) -> dict[str, Any]:
        t, unit = self.state.t, self.state.unit
        return readout(self.wires[name][t - 1, unit], name, t, unit)

    def _shares(self) -> tuple[float, float]:
        """Per cent of the old state that are kept, and of the candidate that are taken."""
        z = 100 * float(self.run.trace.gates["z"][self.state.t - 1, self.state.unit])
        return (100 - z, z) if self.state.update == "new" else (z, 100 - z)

    def _blends(self) -> Phrase:
        t, unit, (kept, taken) = self.state.t, self.state.unit, self._shares()
        start = [f"Keeps {kept:.0f} % of ", symbol("h", str(t - 1)), f" and takes {taken:.0f} % of the candidate: "]
        total = readout(self.run.trace.hs[t, unit], "h", t, unit)
        return phrase(*start, self._wire("zh"), " + ", self._wire("zg"), " = ", total, ".")

    def _lets_through(self) -> Phrase:
        t, unit = self.state.t, self.state.unit
        if self.is_cut(t):
            return phrase("Cut at this step: it scales what is there with 0 in place of ", symbol("h", str(t - 1)), ".")
        share, before = 100 * float(self.run.trace.gates["r"][t - 1, unit]), self.state.reset == "before"
        what: list[Any] = [symbol("h", str(t - 1))] if before else ["the matrix’s answer to ", symbol("h", str(t - 1))]
        whole = readout(self.run.trace.hs[t - 1, unit], "h", t - 1, unit) if before else self._wire("Uhg")
        start = [f"Lets {share:.0f} % of ", *what, " through to the candidate: "]
        return phrase(*start, whole, " becomes ", self._wire("rh"), ".")

    def _proposes(self) -> Phrase:
        t, unit = self.state.t, self.state.unit
        candidate = readout(self.run.trace.gates["g"][t - 1, unit], "g", t, unit)
        start = ["What ", symbol("h", str(t)), " would be with nothing kept: ", candidate, ". "]
        return phrase(*start, f"{self._shares()[1]:.0f} % of it are taken: ", self._wire("zg"), ".")

    def _summary(self) -> Phrase:
        unit, trace = self.state.unit, self.run.trace
        z, peak = trace.gates["z"][:, unit], int(np.argmax(np.abs(trace.hs[:, unit])))
        return phrase(
            "The update gate lies between ", readout(z.min(), "z", int(np.argmin(z)) + 1, unit), " and ",
            readout(z.max(), "z", int(np.argmax(z)) + 1, unit), "; the hidden state is largest at step ",
            f"{peak}, where it is ", readout(trace.hs[peak, unit], "h", peak, unit), ".",
        )  # fmt: skip
