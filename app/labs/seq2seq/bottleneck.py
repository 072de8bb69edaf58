"""Accuracy against the length of the source, without and with attention: the record of the trained models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from rnnscope.core import format_number, wilson_interval

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
    return Measured(*np.array(trained.record["by_length"], dtype=np.int64).T)


@dataclass(frozen=True, eq=False)
class Compared:
    """Two models at every length (L,) that one of them was measured at; arrays (L, 2), NaN where it was not."""

    names: tuple[str, str]
    lengths: np.ndarray
    counts: np.ndarray
    right: np.ndarray
    shares: np.ndarray
    low: np.ndarray
    high: np.ndarray


def compared(task: str, names: tuple[str, str]) -> Compared:
    """The records of two models of a task, beside each other."""
    measured = [measured_of(load(task, name)) for name in names]
    lengths = np.unique(np.concatenate([found.lengths for found in measured]))
    table = np.full((5, len(lengths), 2), np.nan)
    for curve, found in enumerate(measured):
        ends = wilson_interval(found.right, found.counts)
        rows = np.searchsorted(lengths, found.lengths)
        table[:, rows, curve] = found.counts, found.right, found.right / found.counts, *ends
    return Compared(names, lengths, *table)


class Bottleneck(Detail):
    """Two models of the chosen task: without attention, and with that of the page or else additive."""

    NAME = "bottleneck"

    def found(self) -> Compared:
        """What the card shows."""
        state = self.lab.state
        return compared(state.task, (WITHOUT, "additive" if state.attention == WITHOUT else state.attention))

    def arrays(self) -> Arrays:
        self._shown = shown = self.found()
        arrays = {name: (getattr(shown, name), 0) for name in ("counts", "right", "shares", "low", "high")}
        return {"lengths": (shown.lengths, 0), **arrays}

    def texts(self) -> dict[str, Any]:
        without, attended = (NAMES[name] for name in self._shown.names)
        curves = [
            {"name": without, "role": "gradient", "cls": "without"},
            {"name": attended, "role": "hidden", "cls": ""},
        ]
        run = self.lab.run
        return {
            "bottleneck": {"curves": curves, "now": run.T, "trained": run.task.trained_limit},
            "bottleneck_summary": summary(self._shown),
            "bottleneck_note": phrase(NOTE),
        }


def summary(shown: Compared) -> Phrase:
    """The shortest and the longest length that both models were measured at, and the widest gap between them."""
    both = np.flatnonzero(np.isfinite(shown.shares).all(axis=1))
    if not both.size:
        return phrase("The two models were measured at no common length.")
    words: list[Any] = []
    without, attended = (NAMES[name] for name in shown.names)
    for row in dict.fromkeys((int(both[0]), int(both[-1]))):
        words += [f"{'; at ' if words else 'At '}{shown.lengths[row]} characters ", share(shown, row, 0)]
        words += [f" {without} and ", share(shown, row, 1), f" {attended}"]
    gaps = shown.shares[both, 1] - shown.shares[both, 0]
    widest = int(np.abs(gaps).argmax())
    length = int(shown.lengths[both[widest]])
    verb = "adds" if gaps[widest] >= 0 else "takes"
    gap = readout(float(gaps[widest]), "accuracy_gap", length, text=format_number(abs(float(gaps[widest]))))
    return phrase(*words, f". They are furthest apart at {length} characters, where attention {verb} ", gap, ".")


def share(shown: Compared, row: int, curve: int) -> dict[str, Any]:
    return readout(shown.shares[row, curve], "accuracy_shares", int(shown.lengths[row]), curve)


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
    return {"title": "The bottleneck: accuracy against length", "cls": "lengths more", "legend": legend, "body": body}
