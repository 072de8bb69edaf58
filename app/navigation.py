"""The labs by name and route. No Panel: a lab knows its route, and needs nothing of the page around it."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .labs.base import Lab


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


def lab_class(route: str) -> type[Lab]:
    """The lab of a route; Panel is loaded now."""
    app, name = import_module(__package__), next(entry.name for entry in LABS if entry.route == route)
    found: type[Lab] = next(lab for lab in (getattr(app, one) for one in app.__all__) if name == lab.NAME)
    return found
