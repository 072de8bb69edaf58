"""Accuracy against the length of the source, without and with attention: the record of the trained models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from rnnscope.core import wilson_interval

from ...view import Arrays
from ...weights import Trained, load
from ...words import Phrase, phrase, readout
from ..detail import Detail

WITHOUT = "none"
NAMES = {
    "none": "without attention", "additive": "with additive attention", "dot": "with dot attention",
    "general": "with general attention", "concat": "with concat attention",
}  # fmt: skip
NOTE = (
    "Measured once after training on sources that were not trained on; a source is right where its whole output is. "
    "Bars are 95 % Wilson intervals of the counts. Gold is the length of the text above."
)


@dataclass(frozen=True, eq=False)
class Measured:
    """Right answers of one model by the length of the source; arrays (L,) of whole numbers."""

    lengths: np.ndarray
    right: np.ndarray
    counts: np.ndarray


def measured_of(trained: Trained) -> Measured:
    """The record of the training run."""
    rows = sorted((row["length"], row["right"], row["count"]) for row in trained.record["by_length"])
    return Measured(*np.array(rows, dtype=np.int64).T)


class Bottleneck(Detail):
    """Two models of the chosen task: without attention, and with that of the page or else additive."""

    NAME = "bottleneck"

    def arrays(self) -> Arrays:
        task, chosen = self.lab.state.task, self.lab.state.attention
        self._names = (WITHOUT, "additive" if chosen == WITHOUT else chosen)
        self._measured = [measured_of(load(task, name)) for name in self._names]
        self._lengths = np.unique(np.concatenate([found.lengths for found in self._measured]))
        found = {
            name: np.full((len(self._lengths), 2), np.nan) for name in ("shares", "low", "high", "counts", "right")
        }
        for curve, measured in enumerate(self._measured):
            rows = np.searchsorted(self._lengths, measured.lengths)
            low, high = wilson_interval(measured.right, measured.counts)
            values = (measured.right / measured.counts, low, high, measured.counts, measured.right)
            for name, column in zip(found, values, strict=True):
                found[name][rows, curve] = column
        self._found = found
        return {"lengths": (self._lengths, 0), **{name: (array, 0) for name, array in found.items()}}

    def texts(self) -> dict[str, Any]:
        curves = [
            {"name": NAMES[self._names[0]], "role": "gradient", "cls": "without"},
            {"name": NAMES[self._names[1]], "role": "hidden", "cls": ""},
        ]
        shown = self.lab.run
        return {
            "bottleneck": {"curves": curves, "now": shown.T, "trained": shown.task.source_limit},
            "bottleneck_summary": self._summary(),
            "bottleneck_note": phrase(NOTE),
        }

    def _summary(self) -> Phrase:
        """The shortest and the longest length that both models were measured at, and the widest gap between them."""
        both = np.flatnonzero(np.isfinite(self._found["shares"]).all(axis=1))
        if not both.size:
            return phrase("The two models were measured at no common length.")
        words: list[Any] = []
        for row in dict.fromkeys((int(both[0]), int(both[-1]))):
            words += [f"{'; at ' if words else 'At '}{self._lengths[row]} characters "]
            words += [
                self._share(row, 0),
                f" {NAMES[self._names[0]]} and ",
                self._share(row, 1),
                f" {NAMES[self._names[1]]}",
            ]
        gaps = np.diff(self._found["shares"][both], axis=1)[:, 0]
        widest = int(both[np.abs(gaps).argmax()])
        gap = readout(
            float(self._found["shares"][widest, 1] - self._found["shares"][widest, 0]),
            "accuracy_gap",
            int(self._lengths[widest]),
        )
        return phrase(
            *words,
            ". The curves are furthest apart at ",
            f"{self._lengths[widest]} characters: attention adds ",
            gap,
            ".",
        )

    def _share(self, row: int, curve: int) -> dict[str, Any]:
        return readout(self._found["shares"][row, curve], "accuracy_shares", int(self._lengths[row]), curve)


def bottleneck_card() -> dict[str, Any]:
    """The card, as a part of the lab's page."""
    columns: list[dict[str, Any]] = [
        {"head": "length", "array": "lengths", "symbol": "length", "integer": True, "times": "lengths"}
    ]
    heads = {"counts": "sources", "right": "right", "shares": "share", "low": "from", "high": "to"}
    for curve, which in enumerate(("without", "with attention")):
        for array, head in heads.items():
            whole = array in ("right", "counts")
            column = {"head": f"{head}, {which}", "array": array, "unit": curve, "symbol": f"accuracy_{array}"}
            columns.append({**column, "times": "lengths", "blank": True, "integer": whole})
    parts: list[dict[str, Any]] = [
        {"kind": "bottleneck"},
        {"kind": "text", "id": "bottleneck_summary", "cls": "plot-summary"},
        {"kind": "text", "id": "bottleneck_note", "cls": "note"},
        {"kind": "data", "label": "Accuracy by length", "columns": columns},
    ]
    legend = [
        {"label": "without attention", "role": "gradient", "cls": "without"},
        {"label": "with attention", "role": "hidden", "cls": ""},
    ]
    body = [{**part, "detail": Bottleneck.NAME} for part in parts]
    return {"title": "The bottleneck: accuracy against length", "cls": "more", "legend": legend, "body": body}
