"""Why weights are shared: where the year ends in two sentences, and how far apart two states are after it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from rnnscope.core import ALPHABET_SIZE
from rnnscope.core.weight_sharing import SharingComparison, compare_sharing

from ...words import phrase
from ..sharing import SENTENCES, YEAR
from .answer import Asked, Check, Entry, check


def _found(asked: Asked) -> SharingComparison:
    return compare_sharing(asked.run.config, SENTENCES, YEAR)


def _setup(_: Asked) -> list[str]:
    return [
        "from rnnscope.core.weight_sharing import compare_sharing",
        f"s = compare_sharing(r.config, {SENTENCES!r}, {YEAR!r})",
    ]


def _count_checks(copies: int) -> Any:
    """n (d + n + 1) numbers a set: U, W and b."""

    def checks(asked: Asked, value: float) -> list[Check]:
        n = asked.cell.hidden_size
        return [check("Counted: U, W and b", copies * n * (ALPHABET_SIZE + n + 1), value)]

    return checks


def _count(name: str, words: str, copies: int) -> Entry:
    return Entry(
        words=words,
        rows=lambda at: ([getattr(_found(at), name)], 0),
        code=lambda _: f"s.{name}",
        title=lambda _: phrase("parameters"),
        checks=_count_checks(copies),
        setup=_setup,
    )


def _apart(name: str, words: str, how: str) -> Entry:
    """The page's column for it may be either of two: both have the number."""
    return Entry(
        words=lambda at: f"{words}, {at.t} symbols into the common part",
        rows=lambda at: (np.column_stack([getattr(_found(at), name)] * 2), 0),
        code=lambda at: f"s.{name}[{at.t}]",
        title=lambda _: phrase("‖h − h′‖"),
        note=lambda _: phrase(how),
        setup=_setup,
    )


def _end_checks(asked: Asked, value: float) -> list[Check]:
    return [check("Counted in the sentence", len(SENTENCES[asked.unit].partition(YEAR)[0] + YEAR), value)]


SHARING: Mapping[str, Entry] = MappingProxyType(
    {
        "year_end": Entry(
            words=lambda at: f"symbol at which {YEAR} ends in “{SENTENCES[at.unit]}”",
            rows=lambda at: ([list(_found(at).places)], 0),
            code=lambda at: f"s.places[{at.unit}]",
            title=lambda _: phrase("place"),
            checks=_end_checks,
            setup=_setup,
        ),
        "common_symbols": Entry(
            words="how many symbols of the common part have been read",
            rows=lambda at: (np.arange(_found(at).common + 1), 0),
            code=lambda at: str(at.t),
            title=lambda _: phrase("symbols in common"),
            note=lambda _: phrase("A count: it names the row of its table."),
        ),
        "apart_shared": _apart(
            "shared",
            "distance between the states of the two sentences with one set of weights",
            "One cell reads both sentences from zeros; the last part is the same in both.",
        ),
        "apart_separate": _apart(
            "separate",
            "distance between the states of the two sentences with weights for each position",
            "The cell of a position is drawn with the seed one further; the year stands at other positions.",
        ),
        "parameters_shared": _count("parameters_shared", "numbers to learn with one set of weights", 1),
        "parameters_separate": _count(
            "parameters_separate",
            "numbers to learn with weights for each position",
            max(map(len, SENTENCES)),
        ),
    }
)
