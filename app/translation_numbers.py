"""Numbers that are made of a translation's own: softmax taken apart, what reaches the encoder. No Panel."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from rnnscope.core import (
    AdditiveScorer,
    ConcatScorer,
    EncoderDecoder,
    encoder_decoder_gradients,
    run_encoder_decoder,
)

from .translation import Translation
from .weights import load


def exponentials(energies: np.ndarray) -> np.ndarray:
    """exp(e - max) of every row: what softmax divides by its sum."""
    return np.asarray(np.exp(energies - energies.max(axis=-1, keepdims=True)))


def score_terms(run: Translation, t: int, j: int) -> np.ndarray:
    """The products whose sum is the score e_tj: v_k tanh(…)_k, or s_k times the key's entry k."""
    scorer, encoding = run.model.attention, run.trace.encoding
    state = run.trace.states[t - 1, : run.model.hidden_size]
    keys = np.asarray(encoding.keys)
    if isinstance(scorer, ConcatScorer):
        scorer = scorer.additive
    if isinstance(scorer, AdditiveScorer):
        return np.asarray(scorer.v * np.tanh(scorer.W_s @ state + keys[j - 1]))
    return np.asarray(state * keys[j - 1])


def gradient_norms(model: EncoderDecoder, source: np.ndarray, target: np.ndarray, t: int) -> np.ndarray:
    """||dL_t / dh_j|| for j = 1 … T, shape (T,): of the loss of step t alone, the target forced.

    No later step has a part in it.
    """
    trace = run_encoder_decoder(model, source, target[:t])
    only = np.arange(1, len(trace.target) + 1) == t
    found = encoder_decoder_gradients(model, replace(trace, valid=only))
    return np.asarray(np.linalg.norm(found.encoder_states[1:, : model.hidden_size], axis=-1))


def step_loss(model: EncoderDecoder, source: np.ndarray, target: np.ndarray, t: int) -> float:
    """L_t with the target forced."""
    return float(run_encoder_decoder(model, source, target[:t]).loss[t - 1])


def models(run: Translation) -> tuple[EncoderDecoder, EncoderDecoder]:
    """The model that is shown, or of one without attention the additive one; and the one without."""
    own = run.model if run.model.attention is not None else load(run.config.task, "additive").model
    return own, load(run.config.task, "none").model
