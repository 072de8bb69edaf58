"""The presets of /attention, and what each claims of its run."""

from __future__ import annotations

from typing import Any

import numpy as np
from rnnscope.core import AttentionRun, ScalingMeasure

from ...attention_numbers import head_entropies, reversal, same_tokens
from ...words import readout
from ..presets import Presets


def twins(run: AttentionRun) -> tuple[int, int, float]:
    """The two tokens that are alike, and the largest |difference| between their outputs."""
    first, second = same_tokens(run)
    return first, second, float(np.abs(run.trace.out[first - 1] - run.trace.out[second - 1]).max())


def a_set(run: AttentionRun, _: Any) -> list[Any]:
    first, second, apart = twins(run)
    return [
        f"Tokens {first} and {second} are the same letter: their outputs differ by ",
        readout(apart, "twins", second, first - 1),
        ". Reversing the word reverses the outputs, to within ",
        readout(reversal(run), "permutation", run.config.T), ".",
    ]  # fmt: skip


def with_places(run: AttentionRun, _: Any) -> list[Any]:
    first, second, apart = twins(run)
    return [
        f"Each token now says where it stands: the outputs of the letters {first} and {second} differ by up to ",
        readout(apart, "twins", second, first - 1), ". Reversed, the word gives outputs that differ by up to ",
        readout(reversal(run), "permutation", run.config.T), ".",
    ]  # fmt: skip


def no_future(run: AttentionRun, _: Any) -> list[Any]:
    barred = float(np.triu(run.trace.weights, 1).max())
    return [
        "Query 1 sees itself alone: weight ", readout(float(run.trace.weights[0, 0, 0]), "weight", 1, 0),
        ". The largest weight on a later token is ", readout(barred, "barred_most"), ".",
    ]  # fmt: skip


def one_number_each(run: AttentionRun, _: Any) -> list[Any]:
    bits = head_entropies(run)[0]
    low, high = int(bits.argmin()), int(bits.argmax())
    return [
        f"{run.config.heads} heads with {run.config.d_k} number each look in as many ways: ",
        f"the rows of head {low + 1} have ", readout(float(bits[low]), "head_entropy", 0, low),
        f" bits on average, those of head {high + 1} ", readout(float(bits[high]), "head_entropy", 0, high), ".",
    ]  # fmt: skip


def saturated(run: AttentionRun, measured: tuple[ScalingMeasure, ScalingMeasure]) -> list[Any]:
    plain, divided = measured
    return [
        "Not divided, the largest of 16 weights is ", readout(plain.largest, "sc_largest", 256, 0),
        " on average and the softmax lets ", readout(plain.jacobian_norm, "sc_jacobian_norm", 256, 0),
        " of a gradient through; divided ", readout(divided.largest, "sc_largest", 256, 1), " and ",
        readout(divided.jacobian_norm, "sc_jacobian_norm", 256, 1), ".",
    ]  # fmt: skip


PRESETS = Presets(
    labels={
        "a-set": "Without positions it reads a set",
        "with-places": "Sinusoids tell two l apart",
        "learned-places": "Learned positions",
        "no-future": "A causal mask",
        "one-score-each": "Eight heads of one number",
        "saturated": "Softmax without the division",
    },
    claims={
        "a-set": a_set,
        "with-places": with_places,
        "learned-places": with_places,
        "no-future": no_future,
        "one-score-each": one_number_each,
        "saturated": saturated,
    },
)
