"""The cards of attention: all weights as a matrix, and one step's score, softmax and context in numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from rnnscope.core import GeneralScorer, weight_entropy

from ...translated_parts import written_out
from ...translation import Translation
from ...translation_numbers import exponentials, score_terms
from ...view import Arrays
from ...words import Phrase, phrase, readout, symbol

#: Cards of attention stand on the page where the model has one.
ATTENDS, BOTTLENECK = "attention", "bottleneck"
#: How a scorer writes its score, in the letters of each notation.
FORMULAS = {
    "additive": {"goodfellow": "v⊤ tanh(W s + U h)", "boucher": "v⊤ tanh(W s + U h)", "concat": "v⊤ tanh(W [s; h])",
                 "pytorch": "v⊤ tanh(W_s s + W_h h)"},
    "concat": {"goodfellow": "v⊤ tanh(W [s; h])", "boucher": "v⊤ tanh(W [s; h])", "concat": "v⊤ tanh(W [s; h])",
               "pytorch": "v⊤ tanh(W [s; h])"},
}  # fmt: skip


def cards() -> list[dict[str, Any]]:
    return [
        {"cls": "s2s-cards", "row": [
            {"title": "Attention weights", "when": [ATTENDS], "body": [
                {"kind": "shares", "array": "alpha", "rows": "output", "columns": "source",
                 "label": "Attention weights, outputs down, source across"},
                {"kind": "text", "id": "matrix_summary", "cls": "plot-summary"}]},
            {"title": "Probability of every next token", "body": [
                {"kind": "shares", "array": "p_next", "rows": "output", "columns": "alphabet",
                 "label": "Probability of every next token, outputs down, tokens across"},
                {"kind": "text", "id": "next_summary", "cls": "plot-summary"}]}]},
        {"cls": "g2", "row": [
            {"when": [ATTENDS], "body": [{"kind": "text", "id": "scores_title", "tag": "h2"}, {"kind": "scores"},
                      {"kind": "equations", "id": "equations"}]},
            {"body": [{"kind": "text", "id": "next_title", "tag": "h2"}, {"kind": "topTokens"},
                      {"kind": "text", "id": "entropy", "cls": "plot-summary"}]}]},
    ]  # fmt: skip


def arrays(run: Translation) -> Arrays:
    if run.trace.weights is None:
        return {}
    energies, weights = run.attended
    raised = exponentials(energies)
    return {
        "e": (energies, 1), "alpha": (weights, 1), "exp_e": (raised, 1), "exp_sum": (raised.sum(axis=1), 1),
        "alpha_sum": (weights.sum(axis=1), 1), "c": (run.contexts, 1),
        "c_norm": (np.linalg.norm(run.contexts, axis=1), 1),
    }  # fmt: skip


class AttentionTexts:
    """Sentences and equations of one step and one source position."""

    def __init__(self, run: Translation, t: int, j: int, notation: str):
        self.run, self.t, self.j, self.notation = run, t, j, notation

    def all(self) -> dict[str, Any]:
        if self.run.trace.weights is None:
            return {"matrix_summary": [], "scores_title": [], "equations": []}
        return {
            "matrix_summary": self.summary(),
            "scores_title": phrase("Score, softmax, context at ", symbol("t"), f" = {self.t}"),
            "equations": self.equations(),
        }

    def summary(self) -> Phrase:
        row = self.run.attended[1][self.t - 1]
        top = int(row.argmax())
        return phrase(
            "A row for each output, a column for each character of the source. ",
            f"Step {self.t} looks most at character {top + 1}, with weight ",
            readout(row[top], "alpha", self.t, top), "; the entropy of its row is ",
            readout(float(weight_entropy(row)), "alpha_entropy", self.t), " bits of at most ",
            readout(float(np.log2(self.run.T)), "alpha_entropy_most", self.t), ".",
        )  # fmt: skip

    def equations(self) -> list[dict[str, Any]]:
        run, t, j = self.run, self.t, self.j
        energies, weights = run.attended
        raised = exponentials(energies)[t - 1]
        at = f"{t}, {j}"
        e, alpha = symbol("e", at), symbol("α", at)
        return [
            line(e, " = ", *self.formula()),
            line(" = ", *self.products(), " = ", readout(energies[t - 1, j - 1], "e", t, j - 1)),
            line(alpha, " = exp(", e, " − max) / Σ = ", readout(raised[j - 1], "exp_e", t, j - 1), " / ",
                 readout(float(raised.sum()), "exp_sum", t), " = ", readout(weights[t - 1, j - 1], "alpha", t, j - 1)),
            line(symbol("c", str(t)), " = Σ ", symbol("α", f"{t}, k"), symbol("h", "k"), ", entry 1: ",
                 readout(run.contexts[t - 1, 0], "c", t, 0)),
        ]  # fmt: skip

    def formula(self) -> Phrase:
        s, h = symbol("s", str(self.t - 1), "⊤"), symbol("h", str(self.j))
        if isinstance(self.run.model.attention, GeneralScorer):
            return phrase(s, symbol("W"), h)
        named = FORMULAS.get(self.run.config.attention)
        return phrase(named[self.notation]) if named else phrase(s, h)

    def products(self) -> Phrase:
        """The score as a sum: the largest products, and what the others come to."""
        terms = score_terms(self.run, self.t, self.j)
        shown, rest = written_out(terms)
        parts: list[Any] = []
        for place in shown:
            parts += [joint(terms[place], not parts), readout(terms[place], "e_term", self.t, place)]
        left = f" + … ({len(terms) - len(shown)} more: "
        return phrase(
            *parts, *([left, readout(rest, "e_rest", self.t, self.j - 1), ")"] if len(shown) < len(terms) else [])
        )


def joint(value: float, first: bool) -> str:
    """What stands before a number of a sum: a negative one brings its own sign."""
    return "" if first else " " if value < 0 else " + "


def line(*parts: Any) -> dict[str, Any]:
    return {"tokens": phrase(*parts), "hang": True}
