"""The sentences and tables of /bidirectional."""

from __future__ import annotations

from typing import Any

import numpy as np
from rnnscope.core import InputReach, Token

from ..words import Phrase, Words, phrase, plain, readout, symbol, token_words, unit_words

Row = dict[str, Any]
ARROWS = {"forward": "right", "backward": "left"}


def line(tokens: list[Token], role: str = "", on: bool = False) -> Row:
    """A line of an equation list."""
    return {"tokens": token_words(tokens), "role": role, "on": on}


def said(*parts: Any) -> list[Row]:
    """A line of words where there is no equation to show."""
    return [{"tokens": phrase(*parts)}]


def state_symbol(direction: str, t: int) -> Words:
    """h of one chain."""
    return symbol("h", str(t)) | {"accent": ARROWS[direction]}


def title(name: str, state: Any, selected: str) -> Phrase:
    unit = unit_words(state.unit, state.n) if selected.startswith("h_") else ""
    return phrase(f"{name.capitalize()} {max(1, state.t)}{unit}")


def heads(*texts: Any) -> list[Phrase]:
    return [text if isinstance(text, list) else phrase(text) for text in texts]


def _number(value: float, name: str, t: int) -> Phrase:
    return [readout(float(value), name, t)]


# --- what reaches an output ------------------------------------------------------------------


def reach_rows(lab: Any, reach: InputReach) -> dict[str, Any]:
    """One row an input: its path through each chain and how strongly it reaches the output there."""
    t, T = lab.output, lab.run.steps
    rows = []
    for k in range(1, T + 1):
        cells = [
            [symbol("x", str(k))], _path("forward", k, t), _number(reach.forward_norms[k - 1], "reach_forward", k),
            _path("backward", k, t), _number(reach.backward_norms[k - 1], "reach_backward", k),
        ]  # fmt: skip
        rows.append({"on": k == t, "cells": cells})
    return {"heads": heads("Input", "Forward path", "‖∂y/∂x‖", "Backward path", "‖∂y/∂x‖"), "rows": rows}


def _path(direction: str, k: int, t: int) -> Phrase:
    """The states that input k goes through to output t; a long way is shortened."""
    if (k > t) if direction == "forward" else (k < t):
        return [plain("none")]
    way = 1 if t >= k else -1
    steps = list(range(k, t + way, way))
    if len(steps) == 1:
        return [state_symbol(direction, t), plain(" only")]
    shown: list[Any] = [state_symbol(direction, k), plain(" → "), state_symbol(direction, t)]
    if len(steps) > 2:
        middle = [plain("… → ")] if len(steps) > 3 else [state_symbol(direction, steps[1]), plain(" → ")]
        shown[2:2] = middle
    return shown


def reach_says(lab: Any, reach: InputReach) -> Phrase:
    t, T = lab.output, lab.run.steps
    k = int(np.argmax(reach.norms)) + 1
    start = [f"Output {t} reads inputs 1 to {t} through the forward chain and {t} to {T} through the backward chain. "]
    strongest = readout(reach.norms[k - 1], "reach", k)
    return phrase(*start, "Strongest counts ", symbol("x", str(k)), ": ", strongest, " through both together.")


# --- one changed input -----------------------------------------------------------------------


def change_rows(lab: Any) -> dict[str, Any]:
    """One row a step: how far each state has moved, and the output before and after."""
    changed, names = lab.changed, heads("Step", "‖Δh‖ forward", "‖Δh‖ backward", "before", "after")
    if changed is None:
        return {"heads": names, "rows": []}
    rows = []
    for t in range(1, lab.run.steps + 1):
        i = t - 1
        step = f"{t}, changed" if t == changed.step else str(t)
        cells = [
            phrase(step), _number(changed.forward[i], "change_h_forward", t),
            _number(changed.backward[i], "change_h_backward", t),
            _number(changed.before.ys[i, 0], "y", t), _number(changed.after.ys[i, 0], "y_after", t),
        ]  # fmt: skip
        rows.append({"on": t == lab.output, "cells": cells})
    return {"heads": names, "rows": rows}


def change_says(lab: Any) -> Phrase:
    changed, T = lab.changed, lab.run.steps
    if changed is None:
        return phrase("No input is changed. Choose a step under “Change one input”.")
    k = changed.step
    parts: list[Any] = [symbol("x", str(k)), " is changed. "]
    parts += _same("forward", 1, k - 1) + _same("backward", k + 1, T)
    moved = readout(changed.outputs[lab.output - 1], "change_y", lab.output)
    return phrase(*parts, f"Output {lab.output} moves by ", moved, ".")


def _same(direction: str, first: int, last: int) -> list[Any]:
    if first > last:
        return [f"Every {direction} state may change. "]
    where = f"step {first}" if first == last else f"steps {first} to {last}"
    return [f"The {direction} state{'' if first == last else 's'} of {where} cannot: exactly 0. "]


# --- last states, cost -----------------------------------------------------------------------


def last_states(lab: Any) -> Phrase:
    """The usual mistake: the backward state at the last step has seen one input."""
    run, unit, T = lab.run, lab.state.unit, lab.run.steps
    forward = readout(run.forward_hs[T, unit], "h_forward", T, unit)
    right = readout(run.backward_hs[0, unit], "h_backward", 1, unit)
    wrong = readout(run.backward_hs[T - 1, unit], "h_backward", T, unit)
    return phrase(
        "The forward chain ends at step ", f"{T}: ", state_symbol("forward", T), " = ", forward,
        ". The backward chain ends at step 1: ", state_symbol("backward", 1), " = ", right,
        f". At step {T} it has only begun: ", state_symbol("backward", T), " = ", wrong,
        " has read one input, ", symbol("x", str(T)), ".",
    )  # fmt: skip


def cost(lab: Any) -> Phrase:
    network, T = lab.run.network, lab.run.steps
    one = network.forward.parameter_count
    both = one + network.backward.parameter_count
    numbers = [readout(count, name, text=str(count)) for name, count in (("parameters", both), ("parameters_one", one))]
    return phrase(
        "Two chains hold ", numbers[0], " parameters, one holds ", numbers[1],
        f". No output can be given before the last of {T} inputs is read: a bidirectional network cannot stream.",
    )  # fmt: skip


def summary(lab: Any) -> Phrase:
    ys = lab.run.trace.ys[:, 0]
    low, high = int(np.argmin(ys)), int(np.argmax(ys))
    ends = readout(ys[low], "y", low + 1), readout(ys[high], "y", high + 1)
    start = ["The output is lowest at step ", f"{low + 1}: ", ends[0]]
    return phrase(*start, f", and highest at step {high + 1}: ", ends[1], ".")
