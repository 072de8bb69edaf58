"""One target decoded three ways: by teacher forcing, free running, and a drawn mixture of the two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .arrays import Array, read_only
from .chain import BoolArray
from .functions import logsumexp
from .seq2seq import EncoderDecoder, Tokens, checked_tokens, encode_one
from .seq2seq_run import EncoderDecoderTrace, run_encoder_decoder

#: The rows of a comparison.
FORCINGS = ("forced", "free", "mixed")


@dataclass(frozen=True, eq=False)
class ForcingComparison:
    """Three runs of one model on one source and target of U tokens, in the order of FORCINGS.

    Attributes
    ----------
    trace : EncoderDecoderTrace
        Its leading dimension is that of the runs, 3.
    masks : (3, U) booleans
        Where a step reads the target's token; step 1 reads bos in any case.
    said : (3, U)
        The likeliest token of each step.
    said_log_probabilities, target_log_probabilities : (3, U)
        Natural log of the probability of what is said, and of the target's token.
    """

    trace: EncoderDecoderTrace
    masks: BoolArray
    said: Tokens
    said_log_probabilities: Array
    target_log_probabilities: Array

    @property
    def read(self) -> Tokens:
        """What each run read, shape (3, U)."""
        return self.trace.tokens

    def reads_part(self, first: str = "forced", second: str = "free") -> int | None:
        """Return the first step, from 1, at which two runs read different tokens; None without one."""
        return first_difference(*(self.read[FORCINGS.index(name)] for name in (first, second)))

    def says_part(self, first: str = "forced", second: str = "free") -> int | None:
        """Return the first step, from 1, at which two runs say different tokens; None without one."""
        return first_difference(*(self.said[FORCINGS.index(name)] for name in (first, second)))


def compare_forcing(model: EncoderDecoder, source: Any, target: Any, mixed: Any) -> ForcingComparison:
    """Decode source (T,), or its `Encoding`, against target (U,) three ways.

    Parameters
    ----------
    mixed : booleans (U,)
        Where the third run reads the target: scheduled sampling (Bengio et al. 2015) draws each
        with the same probability.

    Raises a ValueError for tokens outside the vocabularies and shapes that do not fit.
    """
    goal = checked_tokens("target", target, len(model.E_target))
    if goal.ndim != 1:
        raise ValueError(f"target must be the tokens (U,) of one sequence, got shape {goal.shape}")
    drawn = np.asarray(mixed)
    if drawn.dtype != np.bool_ or drawn.shape != goal.shape:
        raise ValueError(f"mixed must be booleans of shape {goal.shape}, got {drawn.dtype} of shape {drawn.shape}")
    masks = np.stack([np.ones(len(goal), dtype=bool), np.zeros(len(goal), dtype=bool), drawn])
    rows = len(FORCINGS)
    encoding = encode_one(model, source).rows(rows)  # read once for all three
    trace = run_encoder_decoder(model, encoding, np.broadcast_to(goal, (rows, len(goal))), masks)
    said = trace.predictions
    log_p = trace.logits - logsumexp(trace.logits)[..., None]
    of_said = np.take_along_axis(log_p, said[..., None], axis=-1)[..., 0]
    return ForcingComparison(trace, masks, said, read_only(of_said), read_only(-trace.loss))


def first_difference(first: Tokens, second: Tokens) -> int | None:
    """Return the first place, from 1, at which two sequences (U,) differ; None where they are the same."""
    places = np.flatnonzero(first != second)
    return int(places[0]) + 1 if len(places) else None
