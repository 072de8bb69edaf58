"""The truth badge: a number of the page, where it comes from, and the same number computed again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from rnnscope.core import Product

from ..words import plain, readout, token_words, written
from .detail import Told
from .explain import Answer, Asked, Check, MissingError, explain

#: Entries of a product that are shown; of a longer one those that count most.
MOST_ENTRIES = 16


class Badge(Told):
    """Answers what the page asks of one number. No card holds it: it is only ever told."""

    NAME: ClassVar[str] = "badge"

    def texts(self) -> dict[str, Any]:
        """The answer to the last question, computed now; `missing` says why there is none."""
        asked = {key: self._told.get(key) for key in ("symbol", "t", "unit")}
        try:
            answer = explain(Asked.of(self.lab, self._told))
        except MissingError as error:
            return {"asked": asked, "missing": str(error)}
        return {"asked": asked, **answer_texts(answer, Asked.of(self.lab, self._told))}


def answer_texts(answer: Answer, asked: Asked) -> dict[str, Any]:
    """An answer as the page takes it."""
    return {
        "title": answer.title,
        "words": answer.words,
        "value": [_shown(answer.value, asked.symbol, asked.t, asked.unit)],
        "exact": f"{answer.value:.17g}",
        "formula": answer.formula,
        "cells": [product_table(product) for product in answer.products],
        "lines": answer.lines,
        "checks": [_check_words(found, asked, place) for place, found in enumerate(answer.checks)],
        "code": answer.code,
        "note": answer.note,
    }


def _shown(value: float, name: str, t: int, unit: int) -> dict[str, Any]:
    """Five digits; a count has no decimals."""
    whole = str(int(value)) if value.is_integer() and 1 <= abs(value) < 1e6 else None
    return readout(value, name, t, unit, digits=5, text=whole and whole.replace("-", "−"))


def _check_words(found: Check, asked: Asked, place: int) -> dict[str, Any]:
    t, unit = asked.t, asked.unit
    apart = readout(found.difference, "badge_difference", t, place, digits=2)
    value = _shown(found.value, "badge_value", t, place)
    return {
        "words": found.words,
        "value": [value],
        "difference": [apart],
        "near": found.near,
        "kind": found.kind,
        "unit": unit,
    }


# --- matrix products ---------------------------------------------------------------------------


def product_table(product: Product) -> dict[str, Any]:
    """Row, vector and their products side by side; of many entries those whose products are largest."""
    terms = product.row * product.vector
    chosen = shown_entries(terms)
    left = (
        "" if len(chosen) == len(terms) else f"The {len(chosen)} largest of {len(terms)} products; the sum is of all."
    )
    return {
        "columns": [int(j) + 1 for j in chosen],
        "rows": [
            {"head": token_words([product.matrix_token]), "numbers": [
                readout(product.row[j], product.weight, 0, int(product.places[j])) for j in chosen]},
            {"head": token_words(product.vector_tokens), "numbers": [_entry(product, int(j)) for j in chosen]},
            {"head": [plain("product")], "numbers": [_number(terms[j]) for j in chosen]},
        ],
        "total": [_number(product.total)],
        "left": left,
    }  # fmt: skip


def shown_entries(terms: np.ndarray) -> Sequence[int]:
    """Places of all terms, or of the largest in their order."""
    if len(terms) <= MOST_ENTRIES:
        return range(len(terms))
    return sorted(int(j) for j in np.argsort(-np.abs(terms), kind="stable")[:MOST_ENTRIES])


def _entry(product: Product, j: int) -> dict[str, Any]:
    if product.signal is None:
        return _number(product.vector[j])
    name, t = product.signal
    return readout(product.vector[j], name, t, j)


def _number(value: float) -> dict[str, Any]:
    """A number of the arithmetic that no symbol of the page names."""
    shown = readout(value, "")
    return {"kind": "number", "text": shown["text"], "value": written(value)}
