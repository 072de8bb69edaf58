"""The labs by name and route. No Panel: a lab knows its route, and needs nothing of the page around it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    """One lab in the navigation."""

    name: str
    route: str


LABS = (
    Entry("Unfold", "unfold"), Entry("Gradients", "gradients"), Entry("BPTT", "bptt"), Entry("LSTM", "lstm"),
    Entry("GRU", "gru"), Entry("Bidirectional", "bidirectional"), Entry("Seq2seq", "seq2seq"),
    Entry("Attention", "attention"),
)  # fmt: skip
