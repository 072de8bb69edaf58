"""The sentences of /bptt, each with the figures that are seen now."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..words import Phrase, phrase, plain, readout, symbol
from .bptt_algorithm import ADD, ARRIVE, BACK, CLEAR, CLIP, FORWARD, THROUGH, UPDATE, Place

CELLS = {"rnn": "", "lstm": "LSTM", "gru": "GRU"}
#: What a moment does, for the announcement.
DOES = {
    FORWARD: "forward", CLEAR: "G is set to 0", ARRIVE: "what arrives at the state", THROUGH: "through the activation",
    ADD: "its tile is added to G", BACK: "passed back one step", CLIP: "clipping", UPDATE: "update",
}  # fmt: skip


class LoomTexts:
    """Texts of a lab's present run and selection."""

    def __init__(self, lab: Any):
        self.lab, self.state, self.run = lab, lab.state, lab.run

    def all(self) -> dict[str, Any]:
        return {
            "facts": self.facts(),
            "summary": self.summary(),
            "truncation": self.truncation(),
            "clipping": self.clipping(),
            "tiles_title": self.tiles_title(),
            "tiles_note": self.tiles_note(),
        }

    def facts(self) -> Phrase:
        state = self.state
        units = "1 unit" if state.n == 1 else f"{state.n} units"
        kind = CELLS[state.cell] or {"linear": "linear"}.get(state.activation, state.activation)
        loss = "softmax and cross-entropy" if state.loss == "cross_entropy" else "squared error"
        whole = {"rnn": "", "lstm": " · state (h, c) as one", "gru": ""}[state.cell]
        return phrase(f"{units} · ", plain(kind, strong=True), f" · linear output · {loss}{whole}")

    def algorithm_note(self, scalar: bool) -> Phrase:
        letter = "o" if self.state.notation == "goodfellow" and self.state.cell == "rnn" else "y"
        error = phrase(symbol("e", "t"), " = ∂", symbol("L", "t"), "/∂", symbol(letter, "t"), ".")
        return error if scalar else phrase(*error, " Vectors and matrices are shown by their norms.")

    def summary(self) -> Phrase:
        state, table = self.state, self.lab.full.contributions
        if state.t == 0:
            return phrase("Step 0 has no loss: choose one from 1 on.")
        k = state.t - state.lag
        best = np.unravel_index(int(np.nanargmax(table[1:, 1:])), (state.T, state.T))
        top_t, top_k = int(best[0]) + 1, int(best[1]) + 1
        return phrase(
            symbol("L", str(state.t)), " reaches ", symbol("h", str(k)), " with ",
            readout(self.lab.chain.values[state.t, k], "chain_value", state.t, k),
            "" if self.lab.chain.signed else " (norm)", ", log₁₀ ",
            readout(table[state.t, k], "contribution", state.t, k),
            "; the largest log₁₀ is ", readout(table[top_t, top_k], "contribution", top_t, top_k), ", of ",
            symbol("L", str(top_t)), " at ", symbol("h", str(top_k)), ".",
        )  # fmt: skip

    def kept(self) -> tuple[int, int]:
        """Cells inside the window, and cells in all."""
        T, window = self.state.T, self.state.truncate or self.state.T
        return sum(min(t, window) for t in range(1, T + 1)), T * (T + 1) // 2

    def truncation(self) -> list[list[Phrase]]:
        kept, cells = self.kept()
        rows = [[phrase("Cells kept"), phrase(readout(kept, "cells_kept", text=str(kept)), f" of {cells}")]]
        full, cut = readout(self.lab.full_norm, "full_norm"), readout(self.lab.norm, "gradient_norm")
        if self.state.truncate is None:
            return [*rows, [phrase("Gradient norm"), [full]]]
        return [
            *rows,
            [phrase("Norm, full → truncated"), phrase(full, " → ", cut)],
            [phrase("Angle between them"), phrase(readout(self.lab.angle, "gradient_angle"), "°")],
        ]

    def clipping(self) -> list[list[Phrase]]:
        before, after = readout(self.lab.norm, "gradient_norm"), readout(self.lab.clipped_norm, "clipped_norm")
        name = phrase("Norm ‖", symbol("G"), "‖ of all parameters")
        return [[name, phrase(before, " → ", after)]]

    def tiles_title(self) -> Phrase:
        T = self.state.T
        count = "1 tile" if T == 1 else f"{T} tiles and their sum"
        return phrase("∂", symbol("L"), "/∂", *self._weight(), f": {count}")

    def _weight(self) -> Phrase:
        if self.state.cell == "rnn":
            return phrase(symbol("W"))
        return phrase(symbol("U" if self.state.notation == "boucher" else "W", self.state.block))

    def tiles_note(self) -> Phrase:
        """The same sum without the window and after clipping: numbers for one unit, norms for more."""
        full, clipped = (self._size(found.W_hh) for found in (self.lab.full, self.lab.clipped))
        without = phrase("Without the window ", readout(full, "dW_full"), ". ") if self.state.truncate else []
        scaled = phrase("Clipped ", readout(clipped, "dW_clipped"), ". ") if self.state.clip is not None else []
        return [*without, *scaled, *self._about_tiles()]

    def _about_tiles(self) -> Phrase:
        if self.state.n > 1:
            return phrase("Under each map its norm; one symmetric-log scale for all.")
        if self.state.cell == "rnn" and self.run.trace.hs[0, 0] == 0:
            return phrase("Tile 1 is 0 because ", symbol("h", "0"), " = 0.")
        return []

    def _size(self, array: np.ndarray) -> float:
        block = self.lab.block_of(array)
        return float(block.item()) if block.size == 1 else float(np.linalg.norm(block))

    def announcement(self, place: Place) -> str:
        state = self.state
        where = f" at step {place.t}" if place.t else ""
        cell = f"; loss {state.t}, state {state.t - state.lag}" if state.t else ""
        return f"{DOES.get(place.line, '')}{where}{cell}"
