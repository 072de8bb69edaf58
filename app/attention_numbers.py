"""What /attention shows of a run, as tables of numbers. No Panel.

A row is a token, counted from 1. Heads stand side by side: of a table of all heads the columns of head i are the
i-th block, as in the layer itself, so that entry (head, key) is number (head - 1) T + key - 1.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from rnnscope.core import (
    AttentionConfig,
    AttentionRun,
    permutation_difference,
    run_attention,
    sinusoidal_encoding,
    weight_entropy,
)

from .positions import shipped_positions

#: Terms of a sum that are written out; the rest is summed up.
SHOWN = 3
#: What is measured: field of a `ScalingMeasure`, and what it is called.
MEASURES = {
    "variance": "variance of the scores",
    "entropy": "entropy of a row, bits",
    "largest": "largest weight of a row",
    "jacobian_norm": "‖∂ weights / ∂ scores‖",
}
ENCODINGS = ("sinusoidal", "learned")
PROJECTIONS = ("q", "k", "v")


def attend_with(config: AttentionConfig) -> AttentionRun:
    """The run of a config; learned positions are those that ship."""
    table = shipped_positions(config.d_model).table if config.positions == "learned" else None
    return run_attention(config, table)


def side_by_side(heads: np.ndarray) -> np.ndarray:
    """(heads, T, k) as (T, heads k)."""
    return np.asarray(heads.transpose(1, 0, 2).reshape(heads.shape[1], -1))


def masked_scores(run: AttentionRun) -> np.ndarray:
    """(heads, T, T): what the mask bars is -inf."""
    scores = run.trace.scores
    return np.asarray(scores if run.mask is None else np.where(run.mask, scores, -np.inf))


def exponentials(run: AttentionRun) -> np.ndarray:
    """exp(s - max) of every row, (heads, T, T): softmax divides it by its sum."""
    masked = masked_scores(run)
    return np.asarray(np.exp(masked - masked.max(axis=-1, keepdims=True)))


def tables(run: AttentionRun) -> dict[str, np.ndarray]:
    """Every table of the page that has a row for each token."""
    trace, raised = run.trace, exponentials(run)
    found = {
        "token": run.tokens, "x": run.xs, "q": side_by_side(trace.Q), "k": side_by_side(trace.K),
        "v": side_by_side(trace.V), "product": side_by_side(run.products), "score": side_by_side(trace.scores),
        "masked": side_by_side(masked_scores(run)), "exp": side_by_side(raised),
        "exp_sum": raised.sum(axis=-1).T, "weight": side_by_side(trace.weights),
        "weight_sum": trace.weights.sum(axis=-1).T, "context": trace.joined, "out": trace.out,
    }  # fmt: skip
    return found if run.positions is None else found | {"pe": run.positions}


def attention_arrays(run: AttentionRun) -> dict[str, np.ndarray]:
    """What `rnnscope state` writes: the weights of the layer, and every table in the shape that core gives it."""
    trace = run.trace
    found = {f"W_{letter}": run.projection(letter) for letter in (*PROJECTIONS, "o")}
    found |= {"tokens": run.tokens, "xs": run.xs, "Q": trace.Q, "K": trace.K, "V": trace.V, "products": run.products}
    found |= {"scores": trace.scores, "weights": trace.weights, "joined": trace.joined, "out": trace.out}
    optional = {"positions": run.positions, "mask": run.mask}
    return found | {name: array for name, array in optional.items() if array is not None}


def product_terms(run: AttentionRun, head: int, t: int, j: int) -> np.ndarray:
    """The d_k products whose sum is q_t . k_j."""
    return np.asarray(run.trace.Q[head - 1, t - 1] * run.trace.K[head - 1, j - 1])


def largest(terms: np.ndarray) -> list[int]:
    """Places of the `SHOWN` largest terms, in their order."""
    return sorted(np.argsort(-np.abs(terms), kind="stable")[:SHOWN].tolist())


def rest(terms: np.ndarray) -> float:
    """What the smaller terms come to."""
    return float(np.delete(terms, largest(terms)).sum())


def head_entropies(run: AttentionRun) -> np.ndarray:
    """Mean entropy of the rows of each head, in bits, shape (1, heads)."""
    return np.asarray(weight_entropy(run.trace.weights).mean(axis=-1)[None])


def encoding(name: str, T: int, d_model: int) -> np.ndarray:
    """What an encoding adds to T tokens, (T, d_model)."""
    if name == "sinusoidal":
        return sinusoidal_encoding(T, d_model)
    return np.asarray(shipped_positions(d_model).table[:T])


def reversal(run: AttentionRun) -> float:
    """How far the outputs of the reversed tokens are from the reversed outputs."""
    return permutation_difference(run, range(run.config.T)[::-1])


def same_tokens(run: AttentionRun) -> tuple[int, int]:
    """The first two tokens that are alike, counted from 1.

    Raises
    ------
    ValueError
        Where all of them differ.
    """
    tokens = run.tokens
    for first, second in combinations(range(len(tokens)), 2):
        if np.array_equal(tokens[first], tokens[second]):
            return first + 1, second + 1
    raise ValueError("no two tokens are alike")
