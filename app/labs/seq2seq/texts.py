"""The sentences of /seq2seq, each with the figures that are seen now."""

from __future__ import annotations

import math

from rnnscope.core import weight_entropy

from ...translation import Translation
from ...words import Phrase, phrase, plain, readout, symbol


def written_words(run: Translation) -> Phrase:
    """What the model writes by itself, how likely it is, and whether it is right."""
    best = run.best
    return phrase(
        "The model writes ", plain(f"“{run.text_of(best.tokens)}”", strong=True), " with probability ",
        readout(math.exp(best.log_probability), "written_p", len(best.tokens)),
        "" if best.ended else ", and did not end", verdict(run), ".",
    )  # fmt: skip


def verdict(run: Translation) -> str:
    """Against the task's own answer, whatever is typed to be forced."""
    right = run.task.answer(run.config.text)
    if right is None:
        return "; the task has no answer to this text"
    return "; that is right" if run.text_of(run.best.tokens) == right else f"; right is “{right}”"


NAMES = {"none": "no attention", "additive": "additive attention", "dot": "dot-product attention",
         "general": "general attention", "concat": "concat attention"}  # fmt: skip


def facts(run: Translation) -> Phrase:
    """What the model is: its size, and whether its scores are those that it was trained with."""
    model = run.model
    kind = type(model.decoder).__name__
    tempered = "" if run.config.temperature == 1 or model.attention is None else " · temperature not as trained"
    return phrase(
        f"{kind}, {model.hidden_size} units · ", plain(NAMES[run.config.attention], strong=True), " · ",
        readout(run.trained.model.parameter_count, "parameters", text=f"{run.trained.model.parameter_count:,}"),
        f" parameters{tempered}",
    )  # fmt: skip


#: How the matrix of probabilities is read.
NEXT = "A row for each output, a column for each token; every row adds up to 1. ▸ is the start, ■ the end."


def next_words(run: Translation, t: int) -> dict[str, Phrase]:
    """The card of the next token: how sure the model is at this step."""
    shares = run.probabilities[t - 1]
    return {
        "next_summary": phrase(NEXT),
        "next_title": phrase("Next token at ", symbol("t"), f" = {t}"),
        "entropy": phrase(
            "Entropy ", readout(float(weight_entropy(shares)), "entropy", t), " bits of at most ",
            readout(math.log2(len(shares)), "entropy_most", t), f" over {len(shares)} tokens.",
        ),
    }  # fmt: skip
