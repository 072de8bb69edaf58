"""Why weights are shared: two sentences that hold the year 2009 at different places."""

from __future__ import annotations

from typing import Any

import numpy as np
from rnnscope.core import OTHER_SYMBOL, text_indices
from rnnscope.core.weight_sharing import compare_sharing

from ..view import Arrays
from ..words import Phrase, phrase, readout, symbol
from .detail import Detail

SENTENCES = ("I went to Nepal in 2009", "In 2009, I went to Nepal.")
YEAR = "2009"


def sharing_card() -> dict[str, Any]:
    """The card, as a part of the lab's page."""
    columns = [
        {"head": "symbols in common", "array": "k", "symbol": "common_symbols", "integer": True},
        {"head": "apart, shared weights", "array": "apart", "unit": 0, "symbol": "apart_shared", "times": "k"},
        {"head": "apart, weights per position", "array": "apart", "unit": 1, "symbol": "apart_separate", "times": "k"},
    ]  # fmt: skip
    parts: list[dict[str, Any]] = [
        {"kind": "sentences"},
        {"kind": "text", "id": "summary", "cls": "plot-summary"},
        {"kind": "text", "id": "counts", "cls": "note"},
        {"kind": "text", "id": "note", "cls": "note"},
        {"kind": "data", "label": "How far the two states are apart", "columns": columns},
    ]
    return {"title": "Why the weights are shared", "cls": "more", "body": [{**p, "detail": "sharing"} for p in parts]}


class Sharing(Detail):
    """The page's hidden units read both sentences, once as they are and once with weights for every position."""

    NAME = "sharing"

    def __init__(self, lab: Any):
        super().__init__(lab)
        self._asked: Any = None

    def arrays(self) -> Arrays:
        config = self.lab.run.config
        if config != self._asked:
            self._found, self._asked = compare_sharing(config, SENTENCES, YEAR), config
        found = self._found
        return {"k": (np.arange(found.common + 1), 0), "apart": (np.column_stack([found.shared, found.separate]), 0)}

    def texts(self) -> dict[str, Any]:
        found = self._found
        return {
            "sentences": [{"text": text, "end": place, "common": found.common, "part": len(YEAR)}
                          for text, place in zip(SENTENCES, found.places, strict=True)],
            "summary": self._summary(),
            "counts": self._counts(),
            "note": self._note(),
        }  # fmt: skip

    def _summary(self) -> Phrase:
        found, k = self._found, self._found.common
        ends = [readout(place, "year_end", 0, i, text=str(place)) for i, place in enumerate(found.places)]
        return phrase(
            "The year ends at symbol ", ends[0], " of the first sentence and ", ends[1],
            " of the second. After it, with one set of weights for all positions, the two states are ",
            readout(found.shared[k], "apart_shared", k),
            " apart (", readout(found.shared[0], "apart_shared", 0), f" before the {k} symbols that both share); with "
            "weights for each position they are ", readout(found.separate[k], "apart_separate", k), " apart.",
        )  # fmt: skip

    def _counts(self) -> Phrase:
        found = self._found
        shared, separate = found.parameters_shared, found.parameters_separate
        return phrase(
            "Parameters of the hidden units: ", readout(shared, "parameters_shared", text=str(shared)),
            " shared, for a text of any length; ", readout(separate, "parameters_separate", text=str(separate)),
            f" with a set for each of {len(SENTENCES[1])} positions, where what one learns the others do not know.",
        )  # fmt: skip

    def _note(self) -> Phrase:
        digits = len(set(text_indices(YEAR).tolist()) - {OTHER_SYMBOL}) == 0
        same = " The alphabet has no digits: all four are its further symbol." if digits else ""
        return phrase(
            "Drawn at random, not trained: matrices of this page’s ", symbol("n"), ", seed, family, ", symbol("ρ"),
            f" and input strength, read character by character; for a position the seed is one further.{same}",
        )  # fmt: skip
