"""The card of costs: five models against length or size, and where two of them change order."""

from __future__ import annotations

from typing import Any

import numpy as np
from rnnscope.core import MODELS, SIZES, Crossing, cost_crossings, cost_curve, cost_of

from ...state import AttentionState
from ...view import Arrays
from ...words import Phrase, phrase, readout, symbol
from ..base import control_parts

NAMES = {
    "rnn": "the RNN", "gru": "the GRU", "lstm": "the LSTM", "convolution": "the convolution",
    "self_attention": "self-attention",
}  # fmt: skip
HEADS = {"rnn": "RNN", "gru": "GRU", "lstm": "LSTM", "convolution": "convolution", "self_attention": "self-attention"}
UNITS = {
    "sequential_steps": "sequential steps", "path_length": "steps of the path from first to last",
    "parameters": "parameters", "multiply_adds": "multiply-adds",
}  # fmt: skip
COLUMNS = [
    {"head": "size", "array": "cost_size", "symbol": "cost_size", "integer": True, "times": "cost_size"},
    *({"head": HEADS[model], "array": f"cost_{model}", "symbol": f"cost_{model}", "integer": True, "times": "cost_size"}
      for model in MODELS),
]  # fmt: skip


def card() -> dict[str, Any]:
    return {"title": "What it costs", "cls": "more", "body": [
        {"kind": "group", "cls": "at-cost", "parts": control_parts("cost", "axis")},
        {"kind": "figure", "index": 0, "summary": "cost_says", "label": "One cost of five models against T or n",
         "chart": "cost"},
        {"kind": "data", "label": "the cost of each model", "columns": COLUMNS}]}  # fmt: skip


def curves(state: AttentionState) -> dict[str, tuple[int, ...]]:
    """Each model's cost at each of `SIZES`."""
    return {model: cost_curve(model, state.cost, state.axis, state.T, state.d_model) for model in MODELS}


def arrays(state: AttentionState) -> Arrays:
    found = {f"cost_{model}": (np.array(curve)[:, None], 1) for model, curve in curves(state).items()}
    return found | {"cost_size": (np.array(SIZES)[:, None], 1)}


def says(state: AttentionState) -> Phrase:
    """What each model costs at the sizes of the page, and where two of them change order."""
    T, n = state.T, state.d_model
    fixed = ("n", n) if state.axis == "T" else ("T", T)
    crossings = cost_crossings(state.cost, state.axis, T, n)
    return phrase(
        f"{UNITS[state.cost].capitalize()} with ", symbol("T"), f" = {T} and ", symbol("n"), " = ",
        symbol("d", "model"), f" = {n}: ", *here(state), ".",
        " With ", symbol(fixed[0]), f" = {fixed[1]}, as ", symbol(state.axis), " grows: ",
        *(crossed(crossings, state.axis) if crossings else [f"no two change their order up to {SIZES[-1]:,}"]),
        ". Inputs have n numbers; the convolution is 3 wide, with as many layers as reach from first to last.",
    )  # fmt: skip


def here(state: AttentionState) -> list[Any]:
    size = state.T if state.axis == "T" else state.d_model
    words: list[Any] = []
    for model in MODELS:
        cost = cost_of(model, state.cost, state.T, state.d_model)
        words += [", " if words else "", f"{HEADS[model]} ", readout(cost, f"cost_{model}", size, text=f"{cost:,}")]
    return words


def crossed(crossings: tuple[Crossing, ...], axis: str) -> list[Any]:
    words: list[Any] = []
    for place, crossing in enumerate(crossings):
        size = readout(crossing.size, f"crossing_{crossing.over}_{crossing.under}", 0, place, text=f"{crossing.size:,}")
        words += [
            "; from " if words else "from ",
            symbol(axis),
            " = ",
            size,
            f" on {NAMES[crossing.over]} needs more than ",
        ]
        words += [NAMES[crossing.under]]
    return words
