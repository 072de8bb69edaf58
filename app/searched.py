"""What the cards of /seq2seq take from a translation: its search, its tokens as signs, its target three ways."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from rnnscope.core import ForcingComparison, Hypothesis, SearchTree, beam_search, compare_forcing

from .translation import Translation, read_from_target

#: From what is always told to what never is.
ORDER = ("forced", "mixed", "free")
NAMES = {"forced": "Teacher forcing", "mixed": "Mixture", "free": "Free running"}


def search_of(shown: Translation) -> SearchTree:
    """The search on the page: greedy decoding is a beam of one."""
    if shown.config.decoding == "beam":
        return shown.tree
    return beam_search(shown.model, shown.encoding, 1, shown.task.target_limit)


def hypothesis_numbers(listed: tuple[Hypothesis, ...]) -> np.ndarray:
    """(hypotheses, 2): sum of log-probabilities, probability."""
    sums = np.array([found.log_probability for found in listed])
    return np.column_stack([sums, np.exp(sums)])


def glyph(shown: Translation, token: int) -> str:
    """A token as one character, or as the word for what is none."""
    if token == shown.model.eos:
        return "end"
    if token == shown.model.bos:
        return "start"
    character = str(shown.task.decode_target([token]))
    return "␣" if character == " " else character


def compare(shown: Translation) -> ForcingComparison:
    """The three runs of what is on the page against its target, whatever mode is drawn above."""
    mask = read_from_target(replace(shown.config, mode="mixed"), len(shown.goal))
    return compare_forcing(shown.model, shown.encoding, shown.goal, mask)
