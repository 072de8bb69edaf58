"""The cards of the whole layer: every head's weights, and what positions do to a layer that reads a set."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from rnnscope.core import AttentionRun, position_products, products_by_distance

from ...attention_numbers import ENCODINGS, encoding, head_entropies, reversal
from ...positions import shipped_positions
from ...view import Arrays
from ...words import Phrase, phrase, readout

#: What is left of 0 where one sum is done in two orders.
ROUNDING = 1e-12


def cards() -> list[dict[str, Any]]:
    return [
        {"title": "Every head’s weights: queries down, keys across", "body": [
            {"kind": "attentionHeads"}, {"kind": "text", "id": "heads_says", "cls": "plot-summary"}]},
        {"title": "Positions: what is added to a token, and the products of two positions", "body": [
            {"kind": "group", "cls": "at-encodings", "parts": [
                {"kind": "attentionEncoding", "name": name} for name in ENCODINGS]},
            {"kind": "text", "id": "order_says", "cls": "plot-summary"}]},
    ]  # fmt: skip


# --- heads -----------------------------------------------------------------------------------


def heads_says(run: AttentionRun) -> Phrase:
    T = run.config.T
    most = readout(math.log2(T), "entropy_most", T)
    return phrase(
        f"Bits: the mean entropy of a row. It is 0 where a query sees one key, at most log₂ {T} = ", most, "."
    )


# --- positions -------------------------------------------------------------------------------


def arrays(run: AttentionRun) -> Arrays:
    found = {"head_entropy": (head_entropies(run), 0)}
    for name in ENCODINGS:
        rows = encoding(name, run.config.T, run.config.d_model)
        products = position_products(rows)
        found |= {f"pe_{name}": (rows, 1), f"pp_{name}": (products, 1)}
        found[f"scale_{name}"] = (np.array([[np.abs(rows).max(), np.abs(products).max()]]), 0)
    return found


def texts(run: AttentionRun) -> dict[str, Any]:
    return {"heads_says": heads_says(run), "sinusoidal_says": sinusoidal_says(run), "learned_says": learned_says(run),
            "order_says": order_says(run)}  # fmt: skip


def sinusoidal_says(run: AttentionRun) -> Phrase:
    odd = run.config.d_model % 2
    rule = "almost on their distance alone (the last sine has no cosine)" if odd else "on their distance alone"
    return phrase(f"The product of two positions depends {rule}.", *neighbours("sinusoidal", run))


def learned_says(run: AttentionRun) -> Phrase:
    learned, size = shipped_positions(run.config.d_model), run.config.d_model
    return phrase(
        "Trained to name the symbol before each symbol: right in ",
        readout(learned.accuracy, "accuracy", size, 0, text=f"{learned.accuracy:.1%}"), " of held-out answers, in ",
        readout(learned.accuracy_without, "accuracy", size, 1, text=f"{learned.accuracy_without:.1%}"),
        " without a table.", *neighbours("learned", run),
    )  # fmt: skip


def neighbours(name: str, run: AttentionRun) -> Phrase:
    """The products of positions side by side, lowest and highest."""
    if run.config.T < 2:
        return []
    low, high = products_by_distance(encoding(name, run.config.T, run.config.d_model))[1]
    return phrase(" At distance 1 it lies between ", readout(float(low), f"near_{name}", 1, 0), " and ",
                  readout(float(high), f"near_{name}", 1, 1), ".")  # fmt: skip


def order_says(run: AttentionRun) -> Phrase:
    """What the layer makes of the same tokens in reverse order."""
    difference = reversal(run)
    number = readout(difference, "permutation", run.config.T)
    told = [*(["positions"] if run.positions is not None else []), *(["the mask"] if run.mask is not None else [])]
    if not told:
        return phrase("Reverse the tokens: the outputs are the same, reversed, to within ", number,
                      ". Without positions and without a mask the layer reads a set.")  # fmt: skip
    if difference < ROUNDING:
        return phrase("Reverse the tokens: these ones give the same outputs, reversed, to within ", number, ".")
    return phrase("Reverse the tokens: the outputs differ by up to ", number,
                  f" from the reversed ones, since {' and '.join(told)} say where a token stands."
                  if len(told) > 1 or run.mask is None else
                  " from the reversed ones, since the mask says which token came first.")  # fmt: skip
