"""One changed input and its text in a query string: `change=3:0.8`, of a text `change=3:o`. Pure, no Panel."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from rnnscope.core import ALPHABET_SIZE, text_indices

from .values import NONE, finite, shorten, write_value

_CHANGE = re.compile(r"(\d{1,6}):(.+)", re.DOTALL)


@dataclass(frozen=True)
class Change:
    """The input of `step` becomes `value`: a number, or of a text a character."""

    step: int
    value: str

    def vector(self, kind: str, d: int) -> np.ndarray:
        """The new input (d,): the number in every entry, or the one-hot character."""
        if kind == "text":
            return np.eye(ALPHABET_SIZE)[int(text_indices(self.value)[0])]
        return np.full(d, finite(self.value))


def parse(text: str) -> Change | None:
    """The change that `text` means, None for nothing; ValueError says what is accepted."""
    if text.strip() in ("", NONE):
        return None
    match = _CHANGE.fullmatch(text.replace("−", "-"))
    if match is None or int(match[1]) < 1:
        raise ValueError("it takes a step and its new input, as in 3:0.8, and of a text 3:o.")
    number = finite(match[2])
    if number is None and len(match[2]) > 1:
        raise ValueError(f"the new input {shorten(match[2])} is neither a number nor one character.")
    return Change(int(match[1]), match[2] if number is None else write_value(number))


def canonical(text: str) -> str:
    """The same change as it is written back."""
    found = parse(text)
    return "" if found is None else f"{found.step}:{found.value}"


def misfit(text: str, kind: str, T: int) -> str:
    """Why a change does not fit a run, or nothing."""
    found = parse(text)
    if found is None:
        return ""
    if found.step > T:
        return f"the run has {T} step{'' if T == 1 else 's'}."
    if kind == "text" and len(found.value) != 1:
        return "an input of a text is one character."
    if kind != "text" and finite(found.value) is None:
        return "this input is a number."
    return ""
