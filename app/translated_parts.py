"""What the texts of /seq2seq name of a translation: products of a score, and words of a date."""

from __future__ import annotations

import numpy as np

#: Products that are written out; the rest is summed up.
SHOWN = 3
#: Of the preset whose month is read off its name: the step that writes the month's first digit, and that name.
MONTH_STEP, MONTH = 6, "September"


def written_out(terms: np.ndarray) -> tuple[list[int], float]:
    """Places of the largest products of a score, in their order, and what all the others come to."""
    shown = sorted(np.argsort(-np.abs(terms), kind="stable")[:SHOWN].tolist())
    return shown, float(np.delete(terms, shown).sum())


def month_letters(text: str) -> slice:
    """Where the month's name stands; ValueError where it does not."""
    first = text.index(MONTH)
    return slice(first, first + len(MONTH))


def weekday_letters(text: str) -> slice:
    """The letters before the comma; ValueError where there is none."""
    return slice(0, text.index(","))


__all__ = ["MONTH", "MONTH_STEP", "SHOWN", "month_letters", "weekday_letters", "written_out"]
