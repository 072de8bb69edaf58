"""The first column of a table: a number of a step, or of a lag."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from ...words import phrase, symbol
from .answer import Entry

COUNTERS: Mapping[str, Entry] = MappingProxyType(
    {
        name: Entry(
            words=words,
            rows=lambda at: (np.arange(at.t + 1), 0),
            code=lambda at: str(at.t),
            title=lambda _, letter=letter: phrase(symbol(letter)),  # type: ignore[misc]
            note=lambda _: phrase("A count: it names the row of its table."),
        )
        for name, letter, words in (
            ("t", "t", "number of a step"),
            ("k", "k", "number of an input"),
            ("lag", "k", "how many steps back"),
            ("length", "T", "characters of a source"),
        )
    }
)
