"""Numbers about the layer of /attention: entropies, positions, order, the scaling of scores, and costs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from rnnscope.core import (
    MODELS,
    SCALING_KEYS,
    AttentionRun,
    cost_crossings,
    cost_of,
    position_products,
    products_by_distance,
)

from ...attention_numbers import ENCODINGS, MEASURES, encoding, head_entropies, reversal
from ...positions import shipped_positions, task_of
from ...words import phrase, symbol
from .answer import Asked, Entry
from .attending import again_checks, run_of

LAYER = "from rnnscope.app.attention_numbers import encoding, head_entropies, reversal"


def plain(
    words: str,
    letter: str,
    rows: Callable[[Asked], tuple[Any, int]],
    code: Callable[[Asked], str],
    again: Callable[[Asked], float],
    setup: str = "",
) -> Entry:
    return Entry(
        words=words,
        title=lambda _: phrase(symbol(letter)),
        rows=rows,
        code=code,
        checks=lambda at, value: again_checks(again(at), value),
        setup=lambda _: [setup] if setup else [],
    )


def only(value: float, asked: Asked) -> tuple[Any, int]:
    """One number that stands where it is asked for."""
    return [[value] * (asked.unit + 1)], asked.t


# --- the layer once more, in plain sums ------------------------------------------------------


def outputs_of(run: AttentionRun, tokens: np.ndarray) -> np.ndarray:
    """The outputs for other tokens on the same positions, head by head."""
    xs = tokens if run.positions is None else tokens + run.positions
    q, k, v = (xs @ run.projection(letter).T for letter in "qkv")
    size, found = run.config.d_k, []
    for first in range(0, run.config.d_model, size):
        head = slice(first, first + size)
        scores = q[:, head] @ k[:, head].T / (math.sqrt(size) if run.config.scaled else 1.0)
        raised = np.exp(np.where(True if run.mask is None else run.mask, scores, -np.inf))
        found.append(raised / raised.sum(axis=1, keepdims=True) @ v[:, head])
    return np.asarray(np.concatenate(found, axis=1) @ run.projection("o").T)


def reversal_again(asked: Asked) -> float:
    run = run_of(asked)
    return float(np.abs(outputs_of(run, run.tokens[::-1]) - outputs_of(run, run.tokens)[::-1]).max())


def twins(run: AttentionRun, asked: Asked) -> float:
    return float(np.abs(run.trace.out[asked.unit] - run.trace.out[asked.t - 1]).max())


def twins_again(asked: Asked) -> float:
    found = outputs_of(run_of(asked), run_of(asked).tokens)
    return float(np.abs(found[asked.unit] - found[asked.t - 1]).max())


def entropy_again(asked: Asked) -> float:
    rows = run_of(asked).trace.weights[asked.unit]
    return math.fsum(-w * math.log2(w) for w in rows.ravel() if w > 0) / len(rows)


def later_again(asked: Asked) -> float:
    weights = run_of(asked).trace.weights
    T = weights.shape[-1]
    return max((float(head[t, j]) for head in weights for t in range(T) for j in range(t + 1, T)), default=0.0)


# --- positions -------------------------------------------------------------------------------


def rows_of(name: str, asked: Asked) -> np.ndarray:
    config = run_of(asked).config
    return encoding(name, config.T, config.d_model)


def near_again(name: str) -> Callable[[Asked], float]:
    def again(asked: Asked) -> float:
        rows = rows_of(name, asked)
        found = [math.fsum(rows[i] * rows[i + asked.t]) for i in range(len(rows) - asked.t)]
        return max(found) if asked.unit else min(found)

    return again


def scales(name: str, asked: Asked) -> list[float]:
    rows = rows_of(name, asked)
    return [float(np.abs(rows).max()), float(np.abs(position_products(rows)).max())]


def scale_again(name: str) -> Callable[[Asked], float]:
    def again(asked: Asked) -> float:
        rows = rows_of(name, asked)
        pairs = [abs(math.fsum(one * other)) for one in rows for other in rows]
        return max(pairs) if asked.unit else max(abs(value) for value in rows.ravel().tolist())

    return again


def encoding_entries(name: str) -> dict[str, Entry]:
    def call(at: Asked) -> str:
        return f"encoding({name!r}, {run_of(at).config.T}, {run_of(at).config.d_model})"

    return {
        f"near_{name}": plain(
            "lowest and highest product of two positions at a distance", "p·p",
            lambda at: (products_by_distance(rows_of(name, at)), 0),
            lambda at: f"products_by_distance({call(at)})[{at.t}, {at.unit}]", near_again(name), LAYER),
        f"scale_{name}": plain(
            "largest size in a table, the end of its colours", "max", lambda at: ([scales(name, at)], 0),
            lambda at: f"np.abs({f'position_products({call(at)})' if at.unit else call(at)}).max()",
            scale_again(name), LAYER),
    }  # fmt: skip


def accuracy_rows(asked: Asked) -> tuple[Any, int]:
    found = shipped_positions(asked.t)
    return [[found.accuracy, found.accuracy_without]], asked.t


ACCURACY = Entry(
    words="share of right answers on 512 sequences that were not trained on",
    title=lambda at: phrase("with a table of zeros" if at.unit else "with the learned table"),
    rows=accuracy_rows,
    code=lambda at: f"learn_positions({task_of(at.t)!r}).accuracy{'_without' if at.unit else ''}",
    note=lambda _: phrase("Measured when the table was learned; the script learns it once more, in about a second."),
)

# --- what is measured of a softmax -----------------------------------------------------------


def measured_rows(asked: Asked) -> tuple[Any, int]:
    state, name = asked.lab.state, asked.symbol.removeprefix("sc_")
    pair = asked.lab.measured()
    return [[getattr(each, name) for each in pair]], state.d_k


def bar_rows(place: int) -> Callable[[Asked], tuple[Any, int]]:
    return lambda asked: (asked.lab.measured()[place].weights[0], 1)


def softmax_again(asked: Asked, place: int) -> np.ndarray:
    """The weights of every query, from the scores by another formula than core's."""
    scores = asked.lab.measured()[place].scores
    return np.asarray(1.0 / np.exp(np.minimum(700.0, scores[:, None, :] - scores[:, :, None])).sum(axis=-1))


def measured_again(asked: Asked) -> float:
    weights, scores = softmax_again(asked, asked.unit), asked.lab.measured()[asked.unit].scores
    squares = (weights**2).sum(axis=1)
    found = {
        "variance": float((scores**2).mean() - scores.mean() ** 2),
        "entropy": float(np.mean([math.fsum(-w * math.log2(w) for w in row if w > 0) for row in weights])),
        "largest": float(np.mean([max(row) for row in weights.tolist()])),
        "jacobian_norm": float(np.sqrt(np.maximum(0.0, squares - 2 * (weights**3).sum(axis=1) + squares**2)).mean()),
    }
    return found[asked.symbol.removeprefix("sc_")]


def measure_code(asked: Asked, place: int) -> str:
    state = asked.lab.state
    return f"measure_scaling(draw_pairs({state.seed}), {state.d_k}, scaled={bool(place)})"


def measure_entry(name: str, words: str) -> Entry:
    return plain(f"{words}, mean over 64 queries" if name != "variance" else words, words, measured_rows,
                 lambda at: f"{measure_code(at, at.unit)}.{name}", measured_again)  # fmt: skip


def bar_entry(place: int) -> Entry:
    return plain(f"weight of the first drawn query, {('not divided', 'divided')[place]}", "w", bar_rows(place),
                 lambda at: f"{measure_code(at, place)}.weights[0, {at.t - 1}]",
                 lambda at: float(softmax_again(at, place)[0, at.t - 1]))  # fmt: skip


# --- costs -----------------------------------------------------------------------------------


def cost_sizes(asked: Asked) -> tuple[int, int]:
    """T and n, one of which is the size that is asked for."""
    state = asked.lab.state
    return (asked.t, state.d_model) if state.axis == "T" else (state.T, asked.t)


def counted(model: str, T: int, n: int) -> dict[str, int]:
    """The costs of a model in closed form, for inputs of n numbers and a way from first to last."""
    if model == "self_attention":
        return {"sequential_steps": 1, "path_length": 1, "parameters": 4 * n * n + 4 * n,
                "multiply_adds": 4 * T * n * n + 2 * T * T * n}  # fmt: skip
    if model == "convolution":
        layers = max(1, math.ceil((T - 1) / 2))
        return {"sequential_steps": layers, "path_length": layers, "parameters": layers * (3 * n * n + n),
                "multiply_adds": 3 * T * layers * n * n}  # fmt: skip
    blocks = {"rnn": 1, "gru": 3, "lstm": 4}[model]
    return {"sequential_steps": T, "path_length": T, "parameters": blocks * (2 * n * n + n),
            "multiply_adds": 2 * T * blocks * n * n}  # fmt: skip


def cost_entry(model: str) -> Entry:
    def code(at: Asked) -> str:
        return "cost_of({!r}, {!r}, {}, {})".format(model, at.lab.state.cost, *cost_sizes(at))

    return plain(f"cost: {model.replace('_', '-')}", "cost",
                 lambda at: only(cost_of(model, at.lab.state.cost, *cost_sizes(at)), at), code,
                 lambda at: counted(model, *cost_sizes(at))[at.lab.state.cost])  # fmt: skip


def crossings_of(asked: Asked) -> tuple[Any, int]:
    state = asked.lab.state
    return [[found.size for found in cost_crossings(state.cost, state.axis, state.T, state.d_model)]], 0


def crossing_again(over: str, under: str) -> Callable[[Asked], float]:
    """The size that is told where the order changes just there by the closed forms, else nan."""

    def again(asked: Asked) -> float:
        state, size = asked.lab.state, int(asked.shown or crossings_of(asked)[0][0][asked.unit])

        def above(at: int) -> bool:
            sizes = (at, state.d_model) if state.axis == "T" else (state.T, at)
            return counted(over, *sizes)[state.cost] > counted(under, *sizes)[state.cost]

        return float(size) if above(size) and not above(size - 1) else math.nan

    return again


def crossing_entry(over: str, under: str) -> Entry:
    def code(at: Asked) -> str:
        state = at.lab.state
        return f"cost_crossings({state.cost!r}, {state.axis!r}, {state.T}, {state.d_model})[{at.unit}].size"

    return plain("first size at which one model needs more than the other", "size", crossings_of, code,
                 crossing_again(over, under))  # fmt: skip


WEIGHED = {
    "head_entropy": plain("mean entropy of a row of weights, in bits", "H", lambda at: (head_entropies(run_of(at)), 0),
                          lambda at: f"head_entropies(r)[0, {at.unit}]", entropy_again, LAYER),
    "entropy_most": plain("entropy of a row of equal weights, in bits", "log₂ T",
                          lambda at: only(math.log2(run_of(at).config.T), at), lambda at: f"np.log2({at.t})",
                          lambda at: math.log(at.t) / math.log(2)),
    "permutation": plain("largest |difference| between the outputs of the reversed tokens and the reversed outputs",
                         "max", lambda at: only(reversal(run_of(at)), at), lambda _: "reversal(r)", reversal_again,
                         LAYER),
    "twins": plain("largest |difference| between the outputs of two tokens that are alike", "max",
                   lambda at: only(twins(run_of(at), at), at),
                   lambda at: f"np.abs(r.trace.out[{at.unit}] - r.trace.out[{at.t - 1}]).max()", twins_again),
    "barred_most": plain("largest weight on a later token", "max",
                         lambda at: only(float(np.triu(run_of(at).trace.weights, 1).max()), at),
                         lambda _: "np.triu(r.trace.weights, 1).max()", later_again),
    "layer_parameters": plain("numbers in the four projections", "4 d²",
                              lambda at: only(run_of(at).layer.parameter_count, at),
                              lambda _: "r.layer.parameter_count", lambda at: 4 * run_of(at).config.d_model ** 2),
    "accuracy": ACCURACY,
    **{symbol_: made for name in ENCODINGS for symbol_, made in encoding_entries(name).items()},
    **{f"sc_{name}": measure_entry(name, words) for name, words in MEASURES.items()},
    "sc_entropy_most": plain("entropy of equal weights on every key, in bits", "log₂",
                             lambda at: only(math.log2(SCALING_KEYS), at), lambda _: f"np.log2({SCALING_KEYS})",
                             lambda _: math.log(SCALING_KEYS) / math.log(2)),
    "sc_plain": bar_entry(0),
    "sc_divided": bar_entry(1),
    **{f"cost_{model}": cost_entry(model) for model in MODELS},
    **{f"crossing_{over}_{under}": crossing_entry(over, under) for over in MODELS for under in MODELS if over != under},
}  # fmt: skip
