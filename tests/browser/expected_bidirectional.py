"""What /bidirectional must show: the states of both chains, what reaches the output, what a changed input moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from rnnscope.app import change_text
from rnnscope.core import bidirectional_reach, change_input, read_out_equation, run_both

if TYPE_CHECKING:
    from tests.browser.expected import Expected, Key, Numbers


def numbers(case: Expected) -> Numbers:
    """Every array that the lab may show."""
    shown, state = run_both(case.state.config()), case.state
    network, trace, T = shown.network, shown.trace, shown.steps
    reach = bidirectional_reach(shown, max(1, state.t))
    parts = [read_out_equation(network).parts(network, trace, t) for t in range(1, T + 1)]
    one = network.forward.parameter_count
    return {
        "x": (trace.xs, 1), "h_forward": (shown.forward_hs, 0), "h_backward": (shown.backward_hs, 1),
        "y": (trace.ys, 1), "b_y": ([network.b_y], 0), "reach": (reach.norms, 1),
        "reach_forward": (reach.forward_norms, 1), "reach_backward": (reach.backward_norms, 1),
        "y_forward": ([each["forward"] for each in parts], 1), "y_backward": ([each["backward"] for each in parts], 1),
        "parameters": ([one + network.backward.parameter_count], 0), "parameters_one": ([one], 0),
        **changes(case),
    }  # fmt: skip


def changes(case: Expected) -> Numbers:
    """The run with the changed input beside the shown one."""
    found, shown = change_text.parse(case.state.change), run_both(case.state.config())
    if found is None:
        return {}
    moved = change_input(shown, found.step, found.vector(case.state.kind(), shown.trace.xs.shape[1]))
    return {
        "change_h_forward": (moved.forward, 1), "change_h_backward": (moved.backward, 1),
        "change_y": (moved.outputs, 1), "y_after": (moved.after.ys, 1),
    }  # fmt: skip


def diagrams(case: Expected, _wide: bool) -> dict[str, set[Key]]:
    """Both chains from their starts, inputs of one number, outputs, and the size of every change."""
    T, unit, state = case.state.T, case.state.unit, case.state
    steps = range(1, T + 1)
    found = {("h_forward", t, unit) for t in range(T + 1)} | {("h_backward", t, unit) for t in range(1, T + 2)}
    found |= {("y", t, 0) for t in steps}
    if state.kind() != "text" and (state.d == 1 or state.typed()):
        found |= {("x", t, 0) for t in steps}
    if state.change:
        found |= {(f"change_h_{way}", t, 0) for way in ("forward", "backward") for t in steps}
    return {"both": found}


def summaries(case: Expected) -> list[Key]:
    """The lowest and the highest output."""
    ys = np.asarray(case.numbers["y"][0])[:, 0]
    return [("y", int(np.argmin(ys)) + 1, 0), ("y", int(np.argmax(ys)) + 1, 0)]


def tables(case: Expected) -> dict[str, np.ndarray]:
    """Step, input, the selected unit of each chain, output."""
    unit, T = case.state.unit, case.state.T
    rows = {name: np.asarray(case.numbers[name][0]) for name in ("x", "h_forward", "h_backward", "y")}
    states = [rows["h_forward"][1:, unit], rows["h_backward"][:T, unit]]
    return {"States and outputs by step": np.column_stack([np.arange(1, T + 1), rows["x"], *states, rows["y"]])}
