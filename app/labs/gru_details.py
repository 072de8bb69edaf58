"""What /gru computes at rest: what its conventions change, and the same sequence through three cells."""

from __future__ import annotations

from typing import Any

import numpy as np
from rnnscope.core import Run, VariantDifferences, run, variant_differences
from rnnscope.core.notation import find_notation, weight_token

from ..view import Arrays
from ..words import Phrase, phrase, readout, symbol, token_words
from .detail import Detail
from .surgery import WITHOUT_SURGERY

SOURCES = {
    "new": "This is how Chung et al. (2014) write it.",
    "old": "This is how Cho et al. (2014), PyTorch and Keras write it.",
    "before": "This is how Cho et al. (2014) and Chung et al. (2014) write it.",
    "after": "This is how PyTorch, and Keras unless told otherwise, compute it.",
}
CELLS = ("rnn", "gru", "lstm")
#: What is left where two ways to compute one function differ by rounding alone.
ROUNDING = 1e-12


class Convention(Detail):
    """What stays and what changes when z or r is written the other way, measured on the page's own run."""

    NAME = "convention"
    LOOKS = True  # the step, and the letters of the notation

    def arrays(self) -> Arrays:
        self._step = max(1, self.lab.state.t)
        shown: Run = self.lab.untouched
        self._seen: VariantDifferences = variant_differences(shown.cell, shown.trace, self._step)
        return {}

    def texts(self) -> dict[str, Any]:
        measured = phrase(" Measured without surgery.") if self.lab.operated else []
        return {"update_says": self._update() + measured, "reset_says": self._reset() + measured}

    def _update(self) -> Phrase:
        seen, T = self._seen, self.lab.run.trace.steps
        said = [f"{SOURCES[self.lab.state.update]} Switched alone, it moves ", symbol("h"), " by up to "]
        said += [readout(seen.update, "difference_update", T), ". Switched with the signs of ", *self._letters()]
        said += [" turned too, it leaves every ", symbol("h"), " as it is, to "]
        return phrase(*said, readout(seen.negated, "difference_negated", T), ".")

    def _letters(self) -> list[Any]:
        """The weights of the update gate: W_z, U_z and b_z, as the notation writes them."""
        letters = find_notation(self.lab.state.notation, True, "h")
        names = ["joint", "b_h"] if letters.joined else ["W_xh", "W_hh", "b_h"]
        tokens = token_words(weight_token(letters, name, "z", transposed=False) for name in names)
        plain = [{key: value for key, value in token.items() if key != "symbol"} for token in tokens]
        between = [", "] * (len(plain) - 2) + [" and ", ""]
        return [word for pair in zip(plain, between, strict=True) for word in pair]

    def _reset(self) -> Phrase:
        seen, state, T = self._seen, self.lab.state, self.lab.run.trace.steps
        step = readout(seen.reset_step, "difference_reset_step", self._step)
        whole = readout(seen.reset, "difference_reset", T)
        source = SOURCES[state.reset]
        if seen.reset < ROUNDING and self._is_diagonal():
            why = (
                "with one unit its matrix is one number" if state.n == 1 else "the candidate’s matrix is diagonal here"
            )
            return phrase(f"{source} Switched, it changes no ", symbol("h"), " by more than ", whole, f": {why}.")
        before, now = symbol("h", str(self._step - 1)), symbol("h", str(self._step))
        said = [
            f"{source} The other place is another function: from the same ",
            before,
            " it moves ",
            now,
            " by up to ",
        ]
        return phrase(
            *said, step, ", and over the run ", symbol("h"), " by up to ", whole, ". No weights make up for it."
        )

    def _is_diagonal(self) -> bool:
        U = self.lab.run.cell.W_hh[-1]
        return bool(np.array_equal(U, np.diag(np.diag(U))))


class SideBySide(Detail):
    """h of an RNN, a GRU and an LSTM of the same size and seed on the page's sequence."""

    NAME = "beside"
    LOOKS = True  # the unit

    def __init__(self, lab: Any):
        super().__init__(lab)
        self._runs: dict[str, Run] = {}

    def arrays(self) -> Arrays:
        for cell in CELLS:
            config = self.lab.state.config_of(cell)
            if cell not in self._runs or self._runs[cell].config != config:
                self._runs[cell] = self.lab.untouched if cell == "gru" else run(config)
        steps = np.arange(1, self.lab.run.trace.steps + 1)
        return {f"h_{cell}": (self._runs[cell].trace.hs[1:], 1) for cell in CELLS} | {"steps": (steps, 1)}

    def texts(self) -> dict[str, Any]:
        return {"beside_summary": self._summary(), "beside_count": self._count()}

    def _summary(self) -> Phrase:
        unit, words = self.lab.state.unit, []
        for cell in CELLS:
            h = self._runs[cell].trace.hs[1:, unit]
            ends = [readout(h[i], f"h_{cell}", int(i) + 1, unit) for i in (np.argmin(h), np.argmax(h))]
            words += [f"{', ' if words else ''}in the {cell.upper()} between ", ends[0], " and ", ends[1]]
        which = f"Unit {unit + 1} of " if self.lab.state.n > 1 else ""
        without = WITHOUT_SURGERY if self.lab.operated else ()
        return phrase(*without, which, symbol("h"), " lies ", *words, ".")

    def _count(self) -> Phrase:
        counts = {cell: self._runs[cell].cell.parameter_count for cell in CELLS}
        number = {cell: readout(count, f"parameters_{cell}", text=f"{count:,}") for cell, count in counts.items()}
        share = 1 - counts["gru"] / counts["lstm"]
        fewer = "a quarter" if share == 0.25 else f"{100 * share:.0f} %"
        return phrase(
            "Parameters: RNN ", number["rnn"], ", GRU ", number["gru"], ", LSTM ", number["lstm"],
            f": {fewer} fewer in the GRU than in the LSTM. Same units, seed, family, ρ and input; nothing is trained.",
        )  # fmt: skip


def beside_card() -> dict[str, Any]:
    """The card of the three cells, as a part of the lab's page."""
    columns: list[dict[str, Any]] = [
        {"head": "$t$", "array": "steps", "symbol": "t", "integer": True, "offset": 1},
        *({"head": f"$h$ {cell.upper()}", "array": f"h_{cell}", "symbol": f"h_{cell}", "offset": 1} for cell in CELLS),
    ]
    parts: list[dict[str, Any]] = [
        {"kind": "traces", "scene": "beside", "cls": "three"},
        {"kind": "text", "id": "beside_summary", "cls": "plot-summary"},
        {"kind": "text", "id": "beside_count", "cls": "note"},
        {"kind": "data", "label": "Hidden state of the three cells by step", "columns": columns},
    ]
    return {
        "title": "The same sequence through an RNN, a GRU and an LSTM",
        "cls": "tc more",
        "body": [{**part, "detail": "beside"} for part in parts],
    }
