"""What each number of a page is: symbol, formula, matrices, arithmetic, and the same number by another way."""

from __future__ import annotations

from rnnscope.core import Run

from ...words import phrase, symbol
from . import derived, network, origin, patterns, surgery
from .answer import Answer, Asked, Check, Entry, MissingError, check, script
from .tables import table_of

__all__ = ["Answer", "Asked", "Check", "Entry", "MissingError", "entry_of", "explain"]


def entry_of(asked: Asked) -> Entry | None:
    """The entry of a symbol on its page; of an operated run, or of the untouched one beside it, what holds there."""
    if surgery.of_untouched(asked):
        inner = entry_of(surgery.untouched(asked))
        return inner and surgery.as_untouched(inner)
    found = _plain_entry(asked)
    return found and surgery.operated(asked, found)


def _plain_entry(asked: Asked) -> Entry | None:
    """The lab's own first, then those of any run; None where there is none."""
    found = table_of(asked.lab).get(asked.symbol)
    if found is not None or not isinstance(asked.lab.run, Run) or not patterns.as_hidden(asked):
        return found
    return network.find(asked) or origin.find(asked) or _derived(asked).get(asked.symbol)


def _derived(asked: Asked) -> dict[str, Entry]:
    own = derived.LSTM if "f" in asked.cell.gate_names else {}
    return {**derived.ANY, **own, **(derived.WITH_LOSS if asked.run.gradients is not None else {})}


def explain(asked: Asked) -> Answer:
    """Everything there is to say of a number, computed now.

    Raises
    ------
    MissingError
        For a step or unit that the run does not have.
    """
    entry = entry_of(asked)
    if entry is None:
        return _unknown(asked)
    value = entry.value(asked)
    return Answer(
        title=entry.title(asked),
        words=(entry.words if isinstance(entry.words, str) else entry.words(asked)) + entry.where(asked),
        value=value,
        formula=entry.formula(asked),
        products=entry.products(asked),
        lines=entry.lines(asked),
        checks=[*_as_shown(asked, value), *entry.checks(asked, value)],
        code=script(entry.config(asked), entry.code(asked), entry.setup(asked)),
        note=entry.note(asked),
    )


def _as_shown(asked: Asked, value: float) -> list[Check]:
    """Said only where the page shows another number than core has."""
    if asked.shown is None:
        return []
    found = check("The page shows", asked.shown, value, share=0.0)
    return [] if found.near else [found]


def _unknown(asked: Asked) -> Answer:
    if asked.shown is None:
        raise MissingError(f"There is no number called {asked.symbol} on this page.")
    words = "There is no equation for this number here. What you see is its exact value."
    return Answer(
        title=phrase(symbol(asked.symbol)), words="a number of this page", value=asked.shown, note=phrase(words)
    )
