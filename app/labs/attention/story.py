"""From the tokens to the output of one head: the matrices in their order, and one row of them in numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from rnnscope.core import AttentionRun

from ...attention_numbers import exponentials, largest, masked_scores, product_terms, rest
from ...state import AttentionState
from ...words import Phrase, phrase, plain, readout, symbol


def parts() -> list[dict[str, Any]]:
    return [
        {"kind": "attentionFlow", "scene": "flow"},
        {"kind": "group", "cls": "at-under", "parts": [
            {"kind": "substepBar", "key": "substep", "heading": "Stage by stage", "gates": [None] * len(STAGE_WORDS)},
            {"kind": "signScale"}]},
    ]  # fmt: skip


# --- what is drawn ---------------------------------------------------------------------------


def flow(config: Any) -> list[list[dict[str, Any]]]:
    """Three groups that may stand on lines of their own: q, k and v; the scores; the weights and the output."""
    divided = [sign("÷ √d", "k"), matrix("score", [symbol("S")], "", 3, 2, split=True)]
    barred = [sign("mask"), matrix("masked", [symbol("S"), plain(" masked")], "", 4, 2, split=True)]
    scores = [*(divided if config.scaled else []), *(barred if config.mask == "causal" else [])]
    return [
        [matrix("x", [symbol("X")], "input", 0, 0), projected("q", "Q", "hidden", 1), projected("k", "K", "gate", 3),
         projected("v", "V", "candidate", 3)],
        [matrix("product", [symbol("Q"), symbol("K", sup="⊤")], "", 2, 2, split=True), *scores],
        [sign("softmax", arrow=True), matrix("weight", [symbol("A")], "", 5, 2, split=True), sign("× V", arrow=True),
         matrix("context", [symbol("A"), symbol("V")], "cell", 6, 1, split=True), sign("heads, W", "O", arrow=True),
         matrix("out", [symbol("Y")], "output", 7, 1)],
    ]  # fmt: skip


def projected(name: str, letter: str, role: str, rows: int) -> dict[str, Any]:
    head = [symbol(letter), plain(" = "), symbol("X"), symbol("W", letter, "⊤")]
    return matrix(name, head, role, 1, rows, split=True)


def matrix(name: str, head: Phrase, role: str, stage: int, rows: int, split: bool = False) -> dict[str, Any]:
    """`rows`: 0 no row is framed, 1 the query's, 2 the query's with the key's cell, 3 the key's.

    `split`: of the columns only those of the selected head are drawn.
    """
    lit = {"ready": stage, "lit": [stage]}
    return {"kind": "matrix", "symbol": name, "role": role, "head": head, "stage": lit, "frame": rows, "split": split}


def sign(text: str, sub: str | None = None, arrow: bool = False) -> dict[str, Any]:
    return {"kind": "function" if arrow else "op", "tokens": [symbol(text, sub)]}


# --- what is said ----------------------------------------------------------------------------

STAGE_WORDS = (
    "Each token x is projected three times: to query, key and value. Head {head} has {size} numbers of each.",
    "Query {t} is multiplied with every key: row {t} of the products, {keys} numbers.",
    "Each product is divided by √{size}, so that its variance does not grow with {size}.",
    "The mask lets through what it may: a barred score is −∞.",
    "Softmax makes each row positive with the sum 1: the weights of query {t}.",
    "The values, each times its weight, add up to the context of query {t}.",
    "The contexts of {heads} stand side by side, and W_O mixes them into the output.",
)


def stage_words(run: AttentionRun, state: AttentionState) -> Phrase:
    """What the sub-step does; where the layer leaves it out, that."""
    if not state.substep:
        return phrase(f"All of head {state.head} at once; the framed row is query {state.t}.")
    if state.substep == 3 and not run.config.scaled:
        return phrase("The products are not divided: they are the scores.")
    if state.substep == 4 and run.mask is None:
        return phrase("There is no mask: every query sees every key.")
    heads = f"{state.heads} heads" if state.heads > 1 else "1 head"
    named = {"head": state.head, "size": run.config.d_k, "t": state.t, "keys": state.T, "heads": heads}
    return phrase(STAGE_WORDS[state.substep - 1].format(**named))


class RowTexts:
    """Sentences and equations of one query, one key and one head."""

    def __init__(self, run: AttentionRun, state: AttentionState):
        self.run, self.t, self.j, self.head = run, state.t, state.unit + 1, state.head
        self.first = (state.head - 1) * run.config.T

    def all(self) -> dict[str, Any]:
        head = f", head {self.head}" if self.run.config.heads > 1 else ""
        return {
            "row_title": phrase(f"Query {self.t} in numbers{head}"),
            "row_says": self.says(),
            "pair_title": phrase(f"Query {self.t} and key {self.j}{head}"),
            "pair": self.pair(),
        }

    def weights(self) -> np.ndarray:
        return np.asarray(self.run.trace.weights[self.head - 1, self.t - 1])

    def says(self) -> Phrase:
        row = self.weights()
        top = int(row.argmax())
        return phrase(
            f"Query {self.t} looks most at key {top + 1}, with weight ",
            readout(float(row[top]), "weight", self.t, self.first + top), ".",
        )  # fmt: skip

    def pair(self) -> list[dict[str, Any]]:
        run, t, j, place = self.run, self.t, self.j, self.first + self.j - 1
        at = (self.head - 1, t - 1, j - 1)
        q, k, s, a = symbol("q", str(t)), symbol("k", str(j)), symbol("s", f"{t}{j}"), symbol("α", f"{t}{j}")
        raised = exponentials(run)[at[:2]]
        return [
            line(q, " · ", k, " = ", *self.terms(), " = ", readout(run.products[at], "product", t, place)),
            line(s, " = ", *self.divided(q, k), readout(run.trace.scores[at], "score", t, place)),
            *self.barred(s, at, place),
            line(a, " = exp(", s, " − max) / Σ = ", readout(raised[j - 1], "exp", t, place), " / ",
                 readout(float(raised.sum()), "exp_sum", t, self.head - 1), " = ",
                 readout(run.trace.weights[at], "weight", t, place)),
            self.context(),
        ]  # fmt: skip

    def divided(self, q: Any, k: Any) -> list[Any]:
        if not self.run.config.scaled:
            return [q, " · ", k, ", not divided = "]
        return [q, " · ", k, f" / √{self.run.config.d_k} = "]

    def barred(self, s: Any, at: tuple[int, int, int], place: int) -> list[dict[str, Any]]:
        if self.run.mask is None or self.run.mask[at[1:]]:
            return []
        shown = readout(masked_scores(self.run)[at], "masked", self.t, place)
        return [line("the key comes later: ", s, " = ", shown)]

    def terms(self) -> Phrase:
        """The product as a sum: the largest terms, and what the others come to."""
        terms = product_terms(self.run, self.head, self.t, self.j)
        shown, base = largest(terms), (self.head - 1) * self.run.config.d_k
        words: list[Any] = []
        for place in shown:
            words += [" + " if words else "", *self.factors(place, base)]
        left = len(terms) - len(shown)
        more = [f" + … ({left} more: ", readout(rest(terms), "product_rest", self.t, self.first + self.j - 1), ")"]
        return phrase(*words, *(more if left else []))

    def factors(self, place: int, base: int) -> list[Any]:
        at = self.head - 1
        query = readout(self.run.trace.Q[at, self.t - 1, place], "q", self.t, base + place)
        key = readout(self.run.trace.K[at, self.j - 1, place], "k", self.j, base + place)
        return [*bracketed(query), " × ", *bracketed(key)]

    def context(self) -> dict[str, Any]:
        """The first entry of the context, as the sum that it is."""
        column, row = (self.head - 1) * self.run.config.d_k, self.weights()
        order = largest(row)
        words: list[Any] = []
        for key in order:
            value = readout(self.run.trace.V[self.head - 1, key, 0], "v", key + 1, column)
            weight = readout(float(row[key]), "weight", self.t, self.first + key)
            words += [" + " if words else "", weight, " × ", *bracketed(value)]
        more = " + …" if len(order) < len(row) else ""
        total = readout(float(self.run.trace.joined[self.t - 1, column]), "context", self.t, column)
        return line("context, entry 1: ", *words, more, " = ", total)


def bracketed(word: dict[str, Any]) -> list[Any]:
    """A negative factor stands in brackets."""
    return [plain("("), word, plain(")")] if word["value"].startswith("-") else [word]


def line(*parts: Any) -> dict[str, Any]:
    return {"tokens": phrase(*parts), "hang": True}
