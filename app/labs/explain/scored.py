"""A score of /seq2seq taken apart: each product of its sum, and what the products that are not written out come to."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from rnnscope.core import AdditiveScorer, ConcatScorer, GeneralScorer

from ...translated_parts import written_out
from ...translation_numbers import score_terms
from ...words import Phrase, phrase, readout, symbol
from .answer import Asked, Entry, MissingError, step_alone
from .sequences import at_character, run_of
from .translated import again, summed

SCORES = "from rnnscope.app.translation_numbers import score_terms"


def chosen(asked: Asked) -> int:
    """The selected character, from 1."""
    return min(int(asked.lab.state.j), run_of(asked).T)


def terms_of(asked: Asked) -> np.ndarray:
    """The products of the step's score of the selected character."""
    run = run_of(asked)
    if run.model.attention is None or not 1 <= asked.t <= run.U:
        raise MissingError(f"There is no score at step {asked.t} here.")
    return score_terms(run, asked.t, chosen(asked))


def factors(asked: Asked) -> tuple[float, float]:
    """What is multiplied in the place asked for: v and what is under its tanh, or the state and the key."""
    run, k = run_of(asked), asked.unit
    state, h = run.trace.states[asked.t - 1, : run.model.hidden_size], run.trace.encoding.memory[chosen(asked) - 1]
    scorer = run.model.attention
    scorer = scorer.additive if isinstance(scorer, ConcatScorer) else scorer
    if isinstance(scorer, AdditiveScorer):
        return float(scorer.v[k]), math.fsum([*(scorer.W_s[k] * state), *(scorer.W_h[k] * h)])
    return float(state[k]), math.fsum(scorer.W[k] * h) if isinstance(scorer, GeneralScorer) else float(h[k])


def has_tanh(asked: Asked) -> bool:
    return isinstance(run_of(asked).model.attention, (AdditiveScorer, ConcatScorer))


def term_again(asked: Asked) -> float:
    first, second = factors(asked)
    return first * (math.tanh(second) if has_tanh(asked) else second)


def term_formula(asked: Asked) -> Phrase:
    s, h, k = symbol("s", str(asked.t - 1)), symbol("h", str(chosen(asked))), str(asked.unit + 1)
    if has_tanh(asked):
        return phrase(symbol("v", k), " tanh(…)", symbol("", k))
    key = ["(", symbol("W"), h, ")"] if isinstance(run_of(asked).model.attention, GeneralScorer) else [h]
    return phrase("entry ", k, " of ", s, " times entry ", k, " of ", *key)


def term_lines(asked: Asked) -> list[Phrase]:
    first, second = factors(asked)
    right = ["tanh(", readout(second, ""), ")"] if has_tanh(asked) else ["(", readout(second, ""), ")"]
    return [phrase("(", readout(first, ""), ") × ", *right, " = ", readout(term_again(asked), ""))]


def rest_lines(asked: Asked) -> list[Phrase]:
    terms = terms_of(asked)
    return [summed(np.delete(terms, written_out(terms)[0]))]


def rest_again(asked: Asked) -> float:
    """The score less the products that are written out."""
    terms = terms_of(asked)
    score = float(run_of(asked).attended[0][asked.t - 1, chosen(asked) - 1])
    return math.fsum([score, *(-terms[written_out(terms)[0]])])


def rest_rows(asked: Asked) -> tuple[Any, int]:
    row = np.full((1, run_of(asked).T), np.nan)
    row[0, chosen(asked) - 1] = written_out(terms_of(asked))[1]
    return row, asked.t


SCORED: Mapping[str, Entry] = MappingProxyType(
    {
        "e_term": Entry(
            words=lambda at: f"product number {at.unit + 1} of the score of character {chosen(at)}",
            title=lambda at: phrase("product ", str(at.unit + 1), " of ", symbol("e", f"{at.t}, {chosen(at)}")),
            formula=term_formula,
            rows=lambda at: (terms_of(at)[None], at.t),
            setup=lambda _: [SCORES],
            code=lambda at: f"score_terms(r, {at.t}, {chosen(at)})[{at.unit}]",
            lines=term_lines,
            checks=again("The matrices’ rows summed exactly", term_again),
            where=step_alone,
        ),
        "e_rest": Entry(
            words="what the products that are not written out come to",
            title=lambda at: phrase("rest of ", symbol("e", f"{at.t}, {at.unit + 1}")),
            formula=lambda at: phrase("Σ of the products but the largest ", str(len(written_out(terms_of(at))[0]))),
            rows=rest_rows,
            setup=lambda _: [SCORES, "from rnnscope.app.translated_parts import written_out"],
            code=lambda at: f"written_out(score_terms(r, {at.t}, {at.unit + 1}))[1]",
            lines=rest_lines,
            checks=again("The score less the products that are written out", rest_again),
            where=at_character,
        ),
    }
)
