"""Entropies on /seq2seq: of the next token's probabilities and of a step's weights, and the most that each could be."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
from rnnscope.core import weight_entropy

from ...words import Phrase, phrase, readout, symbol
from .answer import Asked, Entry, step_alone
from .sequences import attending, run_of
from .translated import again, summed

Shares = Callable[[Asked], np.ndarray]


def entropy_entry(what: str, shares: Shares, code: str, letter: str) -> Entry:
    """The entropy of each row of shares."""

    def exact(asked: Asked) -> float:
        row = shares(asked)[asked.t - 1].tolist()
        return -math.fsum(p * math.log(p) for p in row if p > 0) / math.log(2)

    def lines(asked: Asked) -> list[Phrase]:
        row = shares(asked)[asked.t - 1]
        return [summed(-row[row > 0] * np.log2(row[row > 0]))]

    def formula(asked: Asked) -> Phrase:
        own = symbol(letter, str(asked.t))
        return phrase("−Σ ", own, " log", symbol("", "2"), " ", own)

    return Entry(
        words=f"entropy of {what}, in bits",
        title=lambda _: phrase(symbol("H")),
        formula=formula,
        rows=lambda at: (weight_entropy(shares(at)), 1),
        code=lambda at: f"weight_entropy({code})[{at.t - 1}]",
        lines=lines,
        checks=again("Summed exactly, in natural logarithms, over ln 2", exact),
        where=step_alone,
    )


def most_entry(what: str, shares: Shares, code: str) -> Entry:
    """The most that a row of that many can have."""

    def lines(asked: Asked) -> list[Phrase]:
        count = shares(asked).shape[1]
        return [phrase("log", symbol("", "2"), f" {count} = ", readout(math.log2(count), ""))]

    def equal(asked: Asked) -> float:
        count = shares(asked).shape[1]
        return float(weight_entropy(np.full(count, 1 / count)))

    return Entry(
        words=f"the largest entropy that {what} could have, in bits: all of them the same",
        title=lambda _: phrase("largest ", symbol("H")),
        formula=lambda _: phrase("log", symbol("", "2"), " of how many there are"),
        rows=lambda at: (np.full(len(shares(at)), math.log2(shares(at).shape[1])), 1),
        code=lambda _: f"np.log2({code}.shape[1])",
        lines=lines,
        checks=again("The entropy of equal shares", equal),
    )


def weights(asked: Asked) -> np.ndarray:
    return attending(asked).attended[1]


def next_shares(asked: Asked) -> np.ndarray:
    return run_of(asked).probabilities


TOKENS, WEIGHTS = "the probabilities of the next token", "the weights of a step"
ENTROPIES: Mapping[str, Entry] = MappingProxyType(
    {
        "entropy": entropy_entry(TOKENS, next_shares, "r.probabilities", "p"),
        "entropy_most": most_entry(TOKENS, next_shares, "r.probabilities"),
        "alpha_entropy": entropy_entry(WEIGHTS, weights, "r.trace.weights", "α"),
        "alpha_entropy_most": most_entry(WEIGHTS, weights, "r.trace.weights"),
    }
)
