"""The card of 1 / sqrt(d_k): drawn queries and keys, their softmax as it is and divided, side by side."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from rnnscope.core import SCALING_KEYS, SCALING_QUERIES, DrawnPairs, ScalingMeasure, draw_pairs, measure_scaling

from ...attention_numbers import MEASURES
from ...view import Arrays
from ...words import Phrase, phrase, readout, symbol
from ..base import control_parts

COLUMNS = [
    {"head": "key", "array": "sc_keys", "symbol": "sc_key", "integer": True, "offset": 1},
    {"head": "$q · k$", "array": "sc_plain", "symbol": "sc_plain", "offset": 1},
    {"head": "divided", "array": "sc_divided", "symbol": "sc_divided", "offset": 1},
]


def card() -> dict[str, Any]:
    return {"title": "Why the products are divided by √$d_k$", "cls": "more", "body": [
        {"kind": "group", "cls": "at-slider", "parts": control_parts("d_k")},
        {"kind": "attentionScaling", "measures": [[f"sc_{name}", words] for name, words in MEASURES.items()]},
        {"kind": "text", "id": "scaling_says", "cls": "plot-summary"},
        {"kind": "data", "label": "weights of the first query", "columns": COLUMNS}]}  # fmt: skip


class Scaling:
    """The pairs of a seed, drawn once for every d_k, and what was last measured of them."""

    def __init__(self) -> None:
        self.seed: int | None = None
        self.d_k: int | None = None
        self.pairs: DrawnPairs
        self.measured: tuple[ScalingMeasure, ScalingMeasure]

    def measure(self, seed: int, d_k: int) -> tuple[ScalingMeasure, ScalingMeasure]:
        """The products as they are, and divided."""
        if seed != self.seed:
            self.pairs = draw_pairs(seed)
        if (seed, d_k) != (self.seed, self.d_k):
            self.measured = measure_scaling(self.pairs, d_k, scaled=False), measure_scaling(self.pairs, d_k)
        self.seed, self.d_k = seed, d_k
        return self.measured


def arrays(measured: tuple[ScalingMeasure, ScalingMeasure], d_k: int) -> Arrays:
    found: dict[str, tuple[np.ndarray, int]] = {
        f"sc_{name}": (np.array([[getattr(each, name) for each in measured]]), d_k) for name in MEASURES
    }
    for name, each in zip(("plain", "divided"), measured, strict=True):
        found[f"sc_{name}"] = (each.weights[0][:, None], 1)
    return found | {"sc_keys": (np.arange(1, SCALING_KEYS + 1)[:, None], 1)}


def says(measured: tuple[ScalingMeasure, ScalingMeasure], d_k: int) -> Phrase:
    plain, divided = measured
    return phrase(
        f"{SCALING_QUERIES} queries with {SCALING_KEYS} keys each, every component drawn from N(0, 1). ",
        "The variance of ", symbol("q"), " · ", symbol("k"), " is near ", symbol("d", "k"), f" = {d_k}: ",
        readout(plain.variance, "sc_variance", d_k, 0), "; divided it is ",
        readout(divided.variance, "sc_variance", d_k, 1), ". The largest weight is ",
        readout(plain.largest, "sc_largest", d_k, 0), " and ", readout(divided.largest, "sc_largest", d_k, 1),
        "; the entropy ", readout(plain.entropy, "sc_entropy", d_k, 0), " and ",
        readout(divided.entropy, "sc_entropy", d_k, 1), " of at most ",
        readout(math.log2(SCALING_KEYS), "sc_entropy_most", d_k),
        " bits. What the softmax lets through of a gradient, the norm of its Jacobian, is ",
        readout(plain.jacobian_norm, "sc_jacobian_norm", d_k, 0), " and ",
        readout(divided.jacobian_norm, "sc_jacobian_norm", d_k, 1), ".",
    )  # fmt: skip
