"""What dividing by sqrt(d_k) does to a softmax and to what it lets through: measured on drawn queries and keys."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .arrays import Array, checked_array, checked_integer, read_only
from .attention import attention_weights
from .config import LARGEST_SEED
from .self_attention import score_divisor

LARGEST_KEY = 256
SCALING_QUERIES, SCALING_KEYS = 64, 16

# Past those of `attention_run`.
_STREAM = 23


@dataclass(frozen=True, eq=False)
class DrawnPairs:
    """Queries (64, 256) and keys (64, 16, 256), N(0, 1): of a smaller d_k the first components are used."""

    queries: Array
    keys: Array


@dataclass(frozen=True, eq=False)
class ScalingMeasure:
    """A softmax over `scores` (queries, keys).

    Attributes
    ----------
    scores, weights : (queries, keys)
    variance : float
        Of all scores about their mean.
    entropy : float
        Mean over the queries of -sum w log2 w, in bits; log2 of the keys where all are alike.
    largest : float
        Mean of the largest weight.
    jacobian_norm : float
        Mean of ||diag(w) - w w^T||, Frobenius: what the softmax lets through of a gradient.
    """

    scores: Array
    weights: Array
    variance: float
    entropy: float
    largest: float
    jacobian_norm: float


def draw_pairs(seed: int) -> DrawnPairs:
    """Draw queries and keys once for every d_k, so that a larger one only adds components."""
    checked_integer("seed", seed, 0, LARGEST_SEED)
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(_STREAM,)))
    queries = rng.standard_normal((SCALING_QUERIES, LARGEST_KEY))
    keys = rng.standard_normal((SCALING_QUERIES, SCALING_KEYS, LARGEST_KEY))
    return DrawnPairs(read_only(queries), read_only(keys))


def measure_scaling(pairs: DrawnPairs, d_k: int, scaled: bool = True) -> ScalingMeasure:
    """Score each query against its keys by their first d_k components, then take the softmax.

    The variance of q . k is d_k for independent components of mean 0 and variance 1, and that of
    q . k / sqrt(d_k) is 1 (Vaswani et al. 2017, footnote 4).
    """
    size = checked_integer("d_k", d_k, 1, pairs.queries.shape[-1])
    products = np.einsum("qi,qki->qk", pairs.queries[:, :size], pairs.keys[..., :size])
    return measure_scores(products / score_divisor(size, scaled))


def measure_scores(scores: Array) -> ScalingMeasure:
    """Measure the softmax over the last axis of `scores` (queries, keys)."""
    rows = checked_array("scores", scores, (None, None))
    weights = attention_weights(rows)
    norms = softmax_jacobian_norms(weights)
    return ScalingMeasure(
        scores=rows,
        weights=read_only(weights),
        variance=float(rows.var()),
        entropy=float(weight_entropy(weights).mean()),
        largest=float(weights.max(axis=-1).mean()),
        jacobian_norm=float(norms.mean()),
    )


def weight_entropy(weights: Array) -> Array:
    """-sum w log2 w over the last axis, in bits; a weight of 0 adds 0."""
    logs = np.log2(np.where(weights > 0, weights, 1.0))
    return np.asarray(-(weights * logs).sum(axis=-1))


def softmax_jacobian(weights: Array) -> Array:
    """d w_i / d s_j = w_i (1[i = j] - w_j), shape (..., k, k), of weights w = softmax(s) (..., k)."""
    outer = weights[..., :, None] * weights[..., None, :]
    return np.asarray(weights[..., :, None] * np.eye(weights.shape[-1]) - outer)


def softmax_jacobian_norms(weights: Array) -> Array:
    """Frobenius norms of `softmax_jacobian`, shape (...)."""
    return np.asarray(np.linalg.norm(softmax_jacobian(weights), axis=(-2, -1)))
