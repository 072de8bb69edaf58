"""What /unfold must show in its other patterns; the numbers come from rnnscope.core."""

from __future__ import annotations

from typing import Any

import numpy as np
from rnnscope.core import (
    CausalConvolution,
    Run,
    convolution_pattern,
    last_pattern,
    output_pattern,
    softmax,
    system_pattern,
)
from rnnscope.core.patterns import PatternRun, input_reach
from rnnscope.core.weight_sharing import compare_sharing

SENTENCES = ("I went to Nepal in 2009", "In 2009, I went to Nepal.")


def pattern_run(state: Any, shown: Run) -> PatternRun:
    if state.pattern == "output":
        return output_pattern(shown, state.forcing == "teacher")
    if state.pattern == "last":
        return last_pattern(shown)
    return system_pattern(state.config()) if state.pattern == "system" else convolution_pattern(shown, state.window)


def numbers(state: Any, shown: Run) -> dict[str, Any]:
    """Symbol -> (rows, step of the first row)."""
    found = pattern_run(state, shown)
    trace, T = found.trace, state.T
    steps = {"h": (trace.hs, 0), "a": (trace.preactivations, 1), "x": (trace.xs, 1)}
    if state.pattern == "system":
        return steps | system_numbers(found)
    if state.pattern == "convolution":
        return steps | convolution_numbers(state, shown, found)
    grads = found.gradients
    assert grads is not None
    tiles = grads.tiles[:, :, column(state, found)] if state.pattern == "output" else diagonals(grads.tiles)
    total = grads.recurrent[:, column(state, found)] if state.pattern == "output" else np.diag(grads.recurrent)
    last = state.pattern == "last"
    cut = (lambda rows: (rows[-1:], T)) if last else (lambda rows: (rows, 1))
    scores = np.array([softmax(y) for y in trace.ys])
    steps |= {name: cut(rows) for name, rows in (("y", trace.ys), ("target", found.targets), ("L", grads.loss))}
    steps |= {"dy": cut(grads.outputs), "dh_out": cut(grads.from_output), "p": cut(scores)}
    steps |= {"dy_own": (grads.own, 1), "dy_next": (grads.passed, 1), "dh": (grads.states, 0)}
    steps |= {
        "da": (grads.preactivations, 1),
        "dh_next": (grads.from_next, 0),
        "dW": (tiles, 1),
        "dW_sum": ([total], T),
    }
    steps |= {"slope": ([found.network.slope(a) for a in trace.preactivations], 1)}
    steps |= {"fed": (trace.gates["fed"], 1)} if "fed" in trace.gates else {}
    ratio = grads.states[1, 0] / grads.states[T, 0] if last else 0.0
    counts = {"parameters": ([found.network.parameter_count], 0), "L_sum": ([float(grads.loss.sum())], T)}
    return steps | counts | {"gradient_kept": ([ratio], 1)}


def diagonals(tiles: np.ndarray) -> np.ndarray:
    return np.array([np.diag(tile) for tile in tiles])


def column(state: Any, found: PatternRun) -> int:
    """Of a text, the character that a teacher feeds last."""
    return int(found.targets[-2]) if state.kind() == "text" and state.T > 1 else 0


def system_numbers(found: PatternRun) -> dict[str, Any]:
    hs, T = found.trace.hs, found.trace.steps
    changes = {"state_change": ([np.linalg.norm(hs[T] - hs[T - 1])], T)}
    changes |= {"cycle_change": ([np.linalg.norm(hs[T] - hs[max(0, T - 2)])], T)}
    slopes = {"slope": ([found.network.slope(a) for a in found.trace.preactivations], 1)}
    return changes | slopes | {"parameters": ([found.network.W_hh.size + found.network.b_h.size], 0)}


def convolution_numbers(state: Any, shown: Run, found: PatternRun) -> dict[str, Any]:
    cell, gates, t = shown.cell, found.trace.gates, state.t
    assert isinstance(found.network, CausalConvolution)
    counts = {"parameters_conv": ([found.network.parameter_count], 0)}
    counts |= {"parameters": ([cell.W_xh.size + cell.W_hh.size + cell.b_h.size], 0)}
    both = {"conv": (gates["conv"], 1), "conv_a": (gates["conv_a"], 1)}
    kernel = {"kernel": (found.network.kernel[:, :, 0], 0)}
    if t:
        seen = input_reach(shown, found, t, state.unit)
        counts |= {"k": (np.arange(1, t + 1), 1), "reach": (seen.recurrence, 1), "reach_conv": (seen.convolution, 1)}
        counts |= {"rounding": ([np.linalg.norm(gates["conv"][t - 1] - found.trace.hs[t])], t)}
    return counts | both | kernel


def sharing_numbers(shown: Run) -> dict[str, Any]:
    found = compare_sharing(shown.config, SENTENCES, "2009")
    counts = {"parameters_shared": ([found.parameters_shared], 0)}
    return counts | {
        "parameters_separate": ([found.parameters_separate], 0), "year_end": ([found.places], 0),
        "apart_shared": (found.shared, 0), "apart_separate": (found.separate[:, None].repeat(2, axis=1), 0),
        "common_symbols": (np.arange(found.common + 1), 0),
    }  # fmt: skip


# --- diagrams, sentences, tables ---------------------------------------------------------------


def diagrams(case: Any, wide: bool) -> dict[str, set[tuple[str, int, int]]]:
    """Diagram -> every (symbol, t, unit) that it shows."""
    state = case.state
    shown = {"output": output_keys, "last": last_keys, "system": system_keys, "convolution": convolution_keys}
    folded, unfolded = shown[state.pattern](case, wide)
    T, unit = state.T, state.unit
    bars = {("dW_sum", T, unit), *(("dW", step, unit) for step in range(1, T + 1))}
    contributions = bars if state.pattern in ("output", "last") else set()
    return {"folded": folded, "unfolded": unfolded, "contributions": contributions}


def inputs(case: Any, t: int) -> set[tuple[str, int, int]]:
    size = 0 if case.state.kind() == "text" else case.run.trace.xs.shape[1]
    return {("x", t, i) for i in range(size)}


def loss_keys(case: Any, t: int) -> set[tuple[str, int, int]]:
    output = int(case.run.targets[t - 1]) if case.state.kind() == "text" else 0
    return {("y", t, output), ("L", t, 0), ("target", t, 0)}


def output_keys(case: Any, wide: bool) -> tuple[set, set]:
    state, unit, t = case.state, case.state.unit, case.state.t
    unfolded = set()
    for step in range(1, state.T + 1):
        output = next(key[2] for key in loss_keys(case, step) if key[0] == "y")
        unfolded |= inputs(case, step) | loss_keys(case, step) | {("h", step, unit), ("dh", step, unit)}
        unfolded |= {("dy_own", step, output)}
        unfolded |= {("dy_next", step, output)} if step < state.T and state.forcing == "free" else set()
    folded = inputs(case, t) | {("h", t, unit)} | loss_keys(case, t) if t else set()
    if not wide and state.forcing == "free":
        folded = {key for key in folded if key[0] in "xhy"}
    return folded, unfolded


def last_keys(case: Any, wide: bool) -> tuple[set, set]:
    unit, t, T = case.state.unit, case.state.t, case.state.T
    unfolded = {("h", 0, unit), *(("dh_next", step, unit) for step in range(1, T))}
    for step in range(1, T + 1):
        unfolded |= inputs(case, step) | {("h", step, unit), ("dh", step, unit)}
    output = next(key[2] for key in loss_keys(case, T) if key[0] == "y")
    unfolded |= loss_keys(case, T) | {("dy", T, output), ("dh_out", T, unit)}
    folded = (inputs(case, t) if t else set()) | {("h", t, unit)} | (loss_keys(case, T) if t == T else set())
    return (folded if wide else {key for key in folded if key[0] in "xhy"}), unfolded


def system_keys(case: Any, wide: bool) -> tuple[set, set]:
    unit = case.state.unit
    return {("h", case.state.t, unit)}, {("h", step, unit) for step in range(case.state.T + 1)}


def convolution_keys(case: Any, wide: bool) -> tuple[set, set]:
    state, unit = case.state, case.state.unit
    unfolded = {("h", 0, unit)}
    for step in range(1, state.T + 1):
        unfolded |= inputs(case, step) | {("h", step, unit), ("conv", step, unit)}
    return ({("conv", state.t, unit)} if state.t else set()), unfolded


def sharing_summary(case: Any) -> list[tuple[str, int, int]]:
    common = compare_sharing(case.run.config, SENTENCES, "2009").common
    return [
        ("year_end", 0, 0), ("year_end", 0, 1), ("apart_shared", common, 0), ("apart_shared", 0, 0),
        ("apart_separate", common, 0),
    ]  # fmt: skip


def summaries(case: Any) -> list[tuple[str, int, int]]:
    state, unit, T = case.state, case.state.unit, case.state.T
    if state.pattern == "system":
        return [("h", 0, unit), ("h", T, unit), ("state_change", T, 0)]
    if state.pattern == "convolution":
        return [("reach_conv", 1, 0), ("reach", 1, 0)] if state.t else []
    if state.pattern == "last":
        return [("dW_sum", T, unit), ("L", T, 0), ("dh", T, unit), ("dh", 1, unit)]
    worst = int(np.argmax(case.numbers["L"][0])) + 1
    return [("dW_sum", T, unit), ("L_sum", T, 0), ("L", worst, 0)]


def tables(case: Any) -> dict[str, np.ndarray]:
    """The rows and columns behind each "Show data" of a pattern."""
    state, unit, found = case.state, case.state.unit, case.numbers
    steps, hs = np.arange(1, state.T + 1), np.asarray(found["h"][0])[1:, unit]
    xs = np.asarray(found["x"][0])
    if state.pattern == "system":
        return {"States by step": np.column_stack([steps, np.asarray(found["a"][0])[:, unit], hs])}
    if state.pattern == "last":
        return {"States and gradients by step": np.column_stack([steps, xs, hs, found["dh"][0][1:, unit]])}
    if state.pattern == "convolution":
        reach = np.column_stack([found[name][0] for name in ("k", "reach_conv", "reach")])
        conv = np.asarray(found["conv"][0])[:, unit]
        return {
            "How much each input counts": reach,
            "Convolution and recurrence by step": np.column_stack([steps, xs, conv, hs]),
        }
    picked = [case.run.targets[t - 1] if state.kind() == "text" else 0 for t in steps]
    ys, dys = ([found[name][0][t - 1, int(k)] for t, k in zip(steps, picked, strict=True)] for name in ("y", "dy"))
    columns = [steps, xs, hs, ys, found["L"][0], dys, found["dh"][0][1:, unit]]
    return {"Values and gradients by step": np.column_stack(columns)}


def sharing_tables(case: Any) -> dict[str, np.ndarray]:
    found = compare_sharing(case.run.config, SENTENCES, "2009")
    rows = np.column_stack([np.arange(found.common + 1), found.shared, found.separate])
    return {"How far the two states are apart": rows}
