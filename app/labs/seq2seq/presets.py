"""The presets of /seq2seq, and what each claims of its run."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from rnnscope.core import weight_entropy

from ...translated_parts import MONTH_STEP, month_letters, weekday_letters
from ...translation import Translation, first_difference
from ...words import plain, readout
from ..presets import Presets
from .tree import found_words


def month_by_name(run: Translation) -> list[Any]:
    """The first digit of the month is read off its name; the weekday gets less."""
    row = run.attended[1][MONTH_STEP - 1]
    name = run.config.text
    weekday, month = weekday_letters(name), month_letters(name)
    return [
        f"To write the month’s first digit, step {MONTH_STEP} gives the nine letters of “{name[month]}” ",
        readout(float(row[month].sum()), "month_share", MONTH_STEP), " of its weight, and “", name[weekday], "” ",
        readout(float(row[weekday].sum()), "weekday_share", MONTH_STEP), ".",
    ]  # fmt: skip


def bottleneck(run: Translation) -> list[Any]:
    wrong, n, longest = first_difference(run), run.model.hidden_size, run.task.trained_limit
    return [
        f"{run.T} letters through {n} numbers: step {wrong} writes the first wrong letter. ",
        f"No text it was trained on had more than {longest} letters.",
    ]


def same_with_attention(run: Translation) -> list[Any]:
    places, mirrored = run.attended[1].argmax(axis=1)[: run.T], np.arange(run.T)[::-1]
    near = int((np.abs(places - mirrored) <= 1).sum())
    return [
        "The same text, and ", plain("right", strong=True), ": each step can look back. ",
        f"At {near} of {run.T} steps the largest weight is on the mirrored letter or on one beside it.",
    ]  # fmt: skip


def greedy_misses(run: Translation) -> list[Any]:
    return [*found_words(run), " The search below shows where they part."]


def not_a_date(run: Translation) -> list[Any]:
    return [
        "No date, and still it writes one: “", run.text_of(run.best.tokens), "”, with probability ",
        readout(math.exp(run.best.log_probability), "written_p", len(run.best.tokens)),
        ". The entropy at step 1 is ", readout(float(weight_entropy(run.probabilities[:1])[0]), "entropy", 1), " bits.",
    ]  # fmt: skip


def wrong_year_forced(run: Translation) -> list[Any]:
    return [
        "Step 1 gives the wrong “1” probability ", readout(math.exp(-run.trace.loss[0]), "target_p", 1),
        ". Having read it, the model gives “9” at step 2 ",
        readout(math.exp(-run.trace.loss[1]), "target_p", 2), ".",
    ]  # fmt: skip


PRESETS = Presets(
    labels={
        "month-by-name": "The month is read off its name",
        "bottleneck": "16 letters through the bottleneck",
        "same-with-attention": "The same with attention",
        "greedy-misses": "Greedy misses the better one",
        "not-a-date": "What it makes of “hello”",
        "wrong-year-forced": "Forced to read a wrong year",
    },
    claims={
        "month-by-name": month_by_name,
        "bottleneck": bottleneck,
        "same-with-attention": same_with_attention,
        "greedy-misses": greedy_misses,
        "not-a-date": not_a_date,
        "wrong-year-forced": wrong_year_forced,
    },
)
