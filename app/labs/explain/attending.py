"""Numbers of the layer of /attention: tokens, queries, keys, values, scores, weights, contexts and outputs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from rnnscope.core import AttentionRun

from ...attention_numbers import SHOWN, product_terms, rest, tables
from ...words import Phrase, phrase, symbol
from .answer import OTHER_WAY, Asked, Check, Entry, check

Place = tuple[int, int, int]


def run_of(asked: Asked) -> AttentionRun:
    found: AttentionRun = asked.lab.run
    return found


def entry(
    words: str, letter: str, again: Callable[[Asked], float], code: str, formula: str = "", by: str = "component"
) -> Entry:
    """A table with a row for each token; `by` says what its columns are."""
    places = {"component": component, "pair": pair, "head": head_alone}[by]
    return Entry(
        words=words,
        title=lambda at: phrase(symbol(letter, subscript(at, by))),
        rows=lambda at: (tables(run_of(at)).get(at.symbol, np.empty((0, 0))), 1),
        code=lambda at: code.format(p=at.t - 1, unit=at.unit, **named(at, by)),
        checks=lambda at, value: again_checks(again(at), value),
        formula=lambda _: phrase(formula) if formula else [],
        where=places,
    )


def again_checks(other: float, value: float) -> list[Check]:
    return [check("Computed again from its equation", other, value, "other", OTHER_WAY)]


# --- where a number stands -------------------------------------------------------------------


def at_pair(asked: Asked) -> Place:
    """Head, query and key, counted from 0."""
    head, key = divmod(asked.unit, run_of(asked).config.T)
    return head, asked.t - 1, key


def at_component(asked: Asked) -> Place:
    """Head, token and entry within the head, counted from 0."""
    head, column = divmod(asked.unit, run_of(asked).config.d_k)
    return head, asked.t - 1, column


def named(asked: Asked, by: str) -> dict[str, int]:
    head, _, last = at_pair(asked) if by == "pair" else at_component(asked)
    return {"head": asked.unit if by == "head" else head, "last": last}


def subscript(asked: Asked, by: str) -> str:
    return f"{asked.t}, {at_pair(asked)[2] + 1}" if by == "pair" else str(asked.t)


def pair(asked: Asked) -> str:
    head, query, key = at_pair(asked)
    return f", head {head + 1}, query {query + 1}, key {key + 1}"


def component(asked: Asked) -> str:
    return f", token {asked.t}, entry {asked.unit + 1}"


def head_alone(asked: Asked) -> str:
    return f", query {asked.t}, head {asked.unit + 1}"


# --- the same numbers again, with exact sums -------------------------------------------------


def token_again(asked: Asked) -> float:
    run = run_of(asked)
    added = 0.0 if run.positions is None else float(run.positions[asked.t - 1, asked.unit])
    return float(run.tokens[asked.t - 1, asked.unit]) + added


def projected_again(asked: Asked) -> float:
    run = run_of(asked)
    return math.fsum(run.projection(asked.symbol)[asked.unit] * run.xs[asked.t - 1])


def product_again(asked: Asked) -> float:
    head, query, key = at_pair(asked)
    return math.fsum(product_terms(run_of(asked), head + 1, query + 1, key + 1))


def score_again(asked: Asked) -> float:
    config = run_of(asked).config
    return product_again(asked) / (math.sqrt(config.d_k) if config.scaled else 1.0)


def row_again(run: AttentionRun, head: int, query: int) -> list[float]:
    """The scores of a query, -inf where the mask bars."""
    scores = run.trace.scores[head, query]
    allowed = np.ones(len(scores), bool) if run.mask is None else run.mask[query]
    return [float(score) if ok else -math.inf for score, ok in zip(scores, allowed, strict=True)]


def masked_again(asked: Asked) -> float:
    head, query, key = at_pair(asked)
    barred = row_again(run_of(asked), head, query)[key] == -math.inf
    return -math.inf if barred else score_again(asked)


def raised_again(run: AttentionRun, head: int, query: int) -> list[float]:
    row = row_again(run, head, query)
    return [math.exp(score - max(row)) for score in row]


def exp_again(asked: Asked) -> float:
    head, query, key = at_pair(asked)
    return raised_again(run_of(asked), head, query)[key]


def exp_sum_again(asked: Asked) -> float:
    return math.fsum(raised_again(run_of(asked), asked.unit, asked.t - 1))


def weight_again(asked: Asked) -> float:
    head, query, key = at_pair(asked)
    raised = raised_again(run_of(asked), head, query)
    return raised[key] / math.fsum(raised)


def context_again(asked: Asked) -> float:
    run, (head, query, column) = run_of(asked), at_component(asked)
    return math.fsum(run.trace.weights[head, query] * run.trace.V[head, :, column])


def out_again(asked: Asked) -> float:
    run = run_of(asked)
    return math.fsum(run.projection("o")[asked.unit] * run.trace.joined[asked.t - 1])


def rest_row(asked: Asked) -> tuple[Any, int]:
    """What is left of each product of the query beside its largest terms."""
    run = run_of(asked)
    T, heads = run.config.T, run.config.heads
    return [
        [rest(product_terms(run, head + 1, asked.t, key + 1)) for head in range(heads) for key in range(T)]
    ], asked.t


def rest_again(asked: Asked) -> float:
    head, query, key = at_pair(asked)
    terms = product_terms(run_of(asked), head + 1, query + 1, key + 1)
    return math.fsum(sorted(terms, key=abs)[: max(0, len(terms) - SHOWN)])


def title_of(letter: str) -> Callable[[Asked], Phrase]:
    return lambda _: phrase(symbol(letter))


MASKED = "np.where(True if r.mask is None else r.mask[{p}], r.trace.scores[{head}, {p}], -np.inf)"
RAISED = f"np.exp({MASKED} - {MASKED}.max())"

ATTENDING = {
    "token": entry("token, before its position is added", "e", lambda at: float(run_of(at).tokens[at.t - 1, at.unit]),
                   "r.tokens[{p}, {unit}]"),
    "x": entry("token that the layer reads", "x", token_again, "r.xs[{p}, {unit}]", "token + position"),
    "q": entry("query", "q", projected_again, "r.trace.Q[{head}, {p}, {last}]", "W_Q x"),
    "k": entry("key", "k", projected_again, "r.trace.K[{head}, {p}, {last}]", "W_K x"),
    "v": entry("value", "v", projected_again, "r.trace.V[{head}, {p}, {last}]", "W_V x"),
    "product": entry("product of a query and a key", "q·k", product_again, "r.products[{head}, {p}, {last}]",
                     "Σ q k", "pair"),
    "score": entry("score", "s", score_again, "r.trace.scores[{head}, {p}, {last}]", "q · k / √d_k", "pair"),
    "masked": entry("score behind the mask", "s", masked_again, MASKED + "[{last}]", by="pair"),
    "exp": entry("exponential of a score, the largest score of the row taken off", "exp s", exp_again,
                 RAISED + "[{last}]", "exp(s − max)", "pair"),
    "exp_sum": entry("sum of the exponentials of a row", "Σ exp s", exp_sum_again, RAISED + ".sum()", by="head"),
    "weight": entry("attention weight", "α", weight_again, "r.trace.weights[{head}, {p}, {last}]",
                    "exp(s − max) / Σ", "pair"),
    "weight_sum": entry("sum of the weights of a row", "Σ α", lambda _: 1.0, "r.trace.weights[{head}, {p}].sum()",
                        by="head"),
    "context": entry("entry of the context", "c", context_again, "r.trace.joined[{p}, {unit}]", "Σ α v"),
    "out": entry("output", "y", out_again, "r.trace.out[{p}, {unit}]", "W_O c"),
    "product_rest": Entry(
        words="the smaller terms of a product, summed", title=title_of("…"), rows=rest_row,
        code=lambda at: f"rest(product_terms(r, {at_pair(at)[0] + 1}, {at.t}, {at_pair(at)[2] + 1}))",
        setup=lambda _: ["from rnnscope.app.attention_numbers import product_terms, rest"],
        checks=lambda at, value: again_checks(rest_again(at), value), where=pair,
    ),
}  # fmt: skip
