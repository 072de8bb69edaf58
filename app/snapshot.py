"""The run behind a lab as named arrays: what `rnnscope state` writes. No Panel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
from rnnscope.core import OperatedRun, Run, bidirectional_reach, jacobian_log10_norms, operate_on, run, run_both

from . import surgery_text
from .attention_numbers import attend_with, attention_arrays
from .files import npz, replace_file
from .pattern_runs import pattern_arrays
from .state import AttentionState, GradientState, GRUState, LabState, LSTMState, Seq2seqState, UnfoldState
from .state.bidirectional import BidirectionalState
from .state.bptt import BPTTState
from .translation import translate, translation_arrays

STATES: dict[str, type[LabState]] = {
    "unfold": UnfoldState,
    "gradients": GradientState,
    "bptt": BPTTState,
    "lstm": LSTMState,
    "gru": GRUState,
    "bidirectional": BidirectionalState,
    "seq2seq": Seq2seqState,
    "attention": AttentionState,
}

WEIGHTS = ("W_xh", "W_hh", "b_h", "b_hh", "W_hy", "b_y")


def write(lab: str, values: Mapping[str, Any], path: Path) -> None:
    """Write the run of a lab's state to an NPZ file."""
    replace_file(path, file_bytes(lab, values))


def file_bytes(lab: str, values: Mapping[str, Any]) -> bytes:
    """The run of a lab's state as an NPZ file."""
    return npz(numbers(lab, values), compressed=True)


def state_of(lab: str, values: Mapping[str, Any]) -> LabState:
    """A lab's state with these values."""
    state = STATES[lab]()
    state.apply(dict(values))
    return state


def numbers(lab: str, values: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """Every array of the run of a lab's state; parts that the lab does not have are absent."""
    state = state_of(lab, values)
    if isinstance(state, Seq2seqState):
        return translation_arrays(translate(state.config()))
    if isinstance(state, BidirectionalState):
        return both_arrays(state)
    if isinstance(state, AttentionState):
        return attention_arrays(attend_with(state.config()))
    return run_arrays(state)


def run_arrays(state: LabState) -> dict[str, np.ndarray]:
    """Every array of the run of a network that is drawn from a seed."""
    shown = run(state.config())
    patterned = isinstance(state, UnfoldState) and "pattern" in state.names() and state.pattern != "hidden"
    return pattern_arrays(state, shown) if patterned else operated_arrays(state, shown) | curves(state)


def both_arrays(state: BidirectionalState) -> dict[str, np.ndarray]:
    """Both chains by step, the read-out, and dy_t/dx_k of the selected output through each."""
    shown = run_both(state.config())
    reach = bidirectional_reach(shown, max(1, state.t))
    found = {"xs": shown.trace.xs, "hs": shown.trace.hs, "ys": shown.trace.ys}
    found |= {"hs_forward": shown.forward_hs, "hs_backward": shown.backward_hs}
    found |= {"reach_forward": reach.forward, "reach_backward": reach.backward}
    for way in ("forward", "backward"):
        found |= {f"{name}_{way}": getattr(getattr(shown.network, way), name, None) for name in WEIGHTS}
    found |= {"W_hy": shown.network.W_hy, "b_y": shown.network.b_y}
    return {name: np.asarray(array) for name, array in found.items() if array is not None}


def arrays(shown: Run) -> dict[str, np.ndarray]:
    """Every array of a run under the name that `rnnscope.core` gives it."""
    trace = shown.trace
    found = {name: getattr(shown.cell, name, None) for name in WEIGHTS}
    found |= {"xs": trace.xs, "hs": trace.hs, "cs": trace.cs, "ys": trace.ys, "targets": shown.targets}
    found |= _by_gate("preactivations", trace.preactivations)
    found |= _by_gate("gates", trace.gates or {})
    found["jacobian_log10_norms"] = jacobian_log10_norms(shown.cell, trace, t=trace.steps)
    if shown.gradients is not None:
        for field in fields(shown.gradients):
            found |= _by_gate(f"grad_{field.name}", getattr(shown.gradients, field.name))
    return {name: np.asarray(array) for name, array in found.items() if array is not None}


def operated_arrays(state: LabState, untouched: Run) -> dict[str, np.ndarray]:
    """The run as the lab shows it; where it is operated on, the untouched one under `ghost_` names too."""
    operated = surgery_of(state, untouched)
    if operated is None:
        return arrays(untouched)
    shown, before = arrays(operated.run), arrays(untouched)
    steps = untouched.trace.steps
    shown["jacobian_log10_norms"] = operated.log10_norms(steps)[:, 1]
    return shown | {f"ghost_{name}": array for name, array in before.items() if name not in (*WEIGHTS, "targets")}


def surgery_of(state: LabState, untouched: Run) -> OperatedRun | None:
    """The operated run, where the lab takes operations and there is one."""
    text = getattr(state, "surgery", "")
    return operate_on(untouched, surgery_text.parse(text, state.param["surgery"].gates)) if text else None


def curves(state: LabState) -> dict[str, np.ndarray]:
    """The norm curve of every cell whose curve is on, where a lab compares cells."""
    runs = {cell: run(state.config_of(cell)) for cell in state.curves} if isinstance(state, GradientState) else {}
    return {
        f"jacobian_log10_norms_{cell}": jacobian_log10_norms(shown.cell, shown.trace, t=shown.trace.steps)
        for cell, shown in runs.items()
    }


def _by_gate(name: str, value: Any) -> dict[str, Any]:
    """One array, or one a gate: `gates_f`, `gates_i`, …"""
    if isinstance(value, Mapping):
        return {f"{name}_{gate}": array for gate, array in value.items()}
    return {name: value}
