"""Tasks to learn, made here: dates as people write them -> ISO dates, and strings -> the same reversed.

What is held out is held out by construction: a day (in every style) or a string is kept from training where a hash
of its target says so, the same one for every seed, process and machine.
"""

from __future__ import annotations

import hashlib
import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from types import MappingProxyType

import numpy as np
from numpy.random import Generator

from ..seq2seq import Tokens
from .dates import FIRST_DAY, LAST_DAY, STYLES, read_date

Example = tuple[str, str]
"""(source, target) as text."""

Draw = Callable[[Generator, int, bool], list[Example]]
"""draw(rng, count, held_out): examples of training, or held-out ones."""

#: One target in this many is held out.
HELD_OUT_ONE_IN = 10


@dataclass(frozen=True)
class Task:
    """A task of sequence to sequence over two alphabets; the case of a source does not matter.

    Attributes
    ----------
    name : "dates" or "reversal"
    source_alphabet, target_alphabet : str
        Token i is character i. Of the target, bos and eos follow.
    source_limit : int
        Most characters of a source.
    trained_limit : int
        Most characters of a source of training.
    target_limit : int
        Most target tokens, eos included.
    """

    name: str
    source_alphabet: str
    target_alphabet: str
    source_limit: int
    trained_limit: int
    target_limit: int
    draw: Draw
    solve: Callable[[str], str | None]

    @property
    def bos(self) -> int:
        """The token before the first."""
        return len(self.target_alphabet)

    @property
    def eos(self) -> int:
        """The token that ends a target."""
        return len(self.target_alphabet) + 1

    def examples(self, rng: Generator, count: int) -> list[Example]:
        """Draw `count` examples of training: (source, target)."""
        return self.draw(rng, count, False)

    def held_out(self, rng: Generator, count: int) -> list[Example]:
        """Draw `count` examples that training never sees; of a reversal also longer ones than it sees."""
        return self.draw(rng, count, True)

    def encode_source(self, text: str) -> Tokens:
        """Return the tokens (T,) of a source.

        Raises
        ------
        ValueError
            For an empty text, one of more than `source_limit` characters, and an unknown character.
        """
        if not text:
            raise ValueError("source must have at least 1 character, got an empty text")
        if len(text) > self.source_limit:
            raise ValueError(f"source must have at most {self.source_limit} characters, got {len(text)}")
        return _tokens("source", text.lower(), self.source_alphabet)

    def encode_target(self, text: str) -> Tokens:
        """Return the tokens (U,) of a target, eos included; ValueError as `encode_source`."""
        if len(text) >= self.target_limit:
            raise ValueError(f"target must have at most {self.target_limit - 1} characters, got {len(text)}")
        return np.append(_tokens("target", text, self.target_alphabet), self.eos)

    def decode_target(self, tokens: Tokens) -> str:
        """Return the text of target tokens (U,) up to eos; a bos, which no text holds, is left out."""
        listed = np.asarray(tokens).tolist()
        before = listed[: listed.index(self.eos)] if self.eos in listed else listed
        return "".join(self.target_alphabet[token] for token in before if token != self.bos)

    def answer(self, text: str) -> str | None:
        """Return the right target of a source; None where it has none (no date of a known style)."""
        return self.solve(text)


def is_held_out(target: str) -> bool:
    """Whether a hash of the target keeps it from training: one in ten."""
    digest = hashlib.blake2b(target.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") % HELD_OUT_ONE_IN == 0


def _tokens(name: str, text: str, alphabet: str) -> Tokens:
    for character in text:
        if character not in alphabet:
            raise ValueError(f"{name} must be of the characters {alphabet!r}, got {character!r}")
    return np.array([alphabet.index(character) for character in text], dtype=np.int64)


def _draw_dates(rng: Generator, count: int, held_out: bool) -> list[Example]:
    """Days and styles, each as likely as any other."""
    days = _days(held_out)
    chosen = rng.integers(len(days), size=count).tolist()
    styles = rng.integers(len(STYLES), size=count).tolist()
    return [(STYLES[style].write(days[i]), days[i].isoformat()) for i, style in zip(chosen, styles, strict=True)]


@cache
def _days(held_out: bool) -> tuple[date, ...]:
    """Return the days of training, or those held out, in order."""
    every = (date.fromordinal(day) for day in range(FIRST_DAY.toordinal(), LAST_DAY.toordinal() + 1))
    return tuple(day for day in every if is_held_out(day.isoformat()) == held_out)


def _solve_date(text: str) -> str | None:
    day = read_date(text)
    return None if day is None else day.isoformat()


LONGEST_DATE = len("Donnerstag, 10. September 1998")

LETTERS = "abcdefgh"
TRAINED_LETTERS, MOST_LETTERS = 10, 20
#: Of one or two letters there are too few strings to keep any: every one is trained on.
FEWEST_HELD_OUT = 3


def _draw_reversal(rng: Generator, count: int, held_out: bool) -> list[Example]:
    """Lengths, each as likely as any other, then letters; what is on the other side of the hash is drawn anew."""
    shortest, longest = (FEWEST_HELD_OUT, MOST_LETTERS) if held_out else (1, TRAINED_LETTERS)
    found: list[Example] = []
    while len(found) < count:
        lengths = rng.integers(shortest, longest + 1, size=count).tolist()
        letters = rng.integers(len(LETTERS), size=(count, longest)).tolist()
        texts = ("".join(LETTERS[i] for i in row[:length]) for row, length in zip(letters, lengths, strict=True))
        found += [(text, text[::-1]) for text in texts if _string_held_out(text) == held_out]
    return found[:count]


def _string_held_out(text: str) -> bool:
    return len(text) >= FEWEST_HELD_OUT and is_held_out(text[::-1])


def _solve_reversal(text: str) -> str | None:
    known = 0 < len(text) <= MOST_LETTERS and set(text.lower()) <= set(LETTERS)
    return text.lower()[::-1] if known else None


TASKS: Mapping[str, Task] = MappingProxyType(
    {
        "dates": Task(
            name="dates",
            source_alphabet=string.ascii_lowercase + "ä" + string.digits + " ,./-",
            target_alphabet=string.digits + "-",
            source_limit=LONGEST_DATE,
            trained_limit=LONGEST_DATE,
            target_limit=len("YYYY-MM-DD") + 1,
            draw=_draw_dates,
            solve=_solve_date,
        ),
        "reversal": Task(
            name="reversal",
            source_alphabet=LETTERS,
            target_alphabet=LETTERS,
            source_limit=MOST_LETTERS,
            trained_limit=TRAINED_LETTERS,
            target_limit=MOST_LETTERS + 1,
            draw=_draw_reversal,
            solve=_solve_reversal,
        ),
    }
)
"""Name -> task."""
