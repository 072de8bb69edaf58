"""Controls as data, made from the declarations in `app.state`: what the page builds and what it shows."""

from __future__ import annotations

from typing import Any

import param

from . import values
from .state import ChangedInput, LabState, Numbers, Subset

#: Words of a choice as a teacher says them; the key's value is what the query string says.
OPTION_WORDS = {
    "gaussian": "Gaussian", "orthogonal": "Orthogonal", "identity": "Identity", "symmetric": "Symmetric",
    "nonnormal": "Non-normal", "jordan": "Jordan block", "permutation": "Cycle",
    "tanh": "tanh", "relu": "ReLU", "linear": "Identity (linear)",
    "zero": "Zero", "impulse": "Impulse", "sine": "Sine", "noise": "Noise", "text": "Text", "values": "Typed values",
    "goodfellow": "U, W, V", "boucher": "W_x, W_h, W_y", "concat": "W [h, x]", "pytorch": "PyTorch",
    "rnn": "RNN", "lstm": "LSTM", "gru": "GRU", "before": "before the product", "after": "after the product",
    "dates": "Dates", "reversal": "Reversal", "additive": "Additive (Bahdanau)", "dot": "Dot (Luong)",
    "general": "General (Luong)", "attention:concat": "Concat (Luong)", "attention:none": "None: the bottleneck",
    "forced": "Target", "mode:free": "Own output", "mixed": "Mixture", "greedy": "Greedy", "beam": "Beam",
    "causal": "Causal", "sinusoidal": "Sinusoidal", "learned": "Learned",
    "scale:sqrt": "√$d_k$", "scale:none": "1: not at all",
    "input:text": "Text", "input:noise": "Drawn", "axis:T": "T", "axis:n": "n",
    "sequential_steps": "Sequential steps", "path_length": "Path length", "parameters": "Parameters",
    "multiply_adds": "Multiply-adds",
    "new": "z takes the new", "old": "z keeps the old",
    "hidden": "Hidden to hidden", "output": "Output to hidden", "last": "One output at the end",
    "system": "Dynamical system", "convolution": "Convolution", "free": "Own output", "teacher": "Target",
    "whole": "Whole", "grown": "Up to step t",
    "open:f": "Forget gate", "open:i": "Input gate", "open:o": "Output gate", "open:g": "Candidate",
    "open:z": "Update gate", "open:r": "Reset gate",
    "none": "None", "forward": "Forward", "backward": "Backward", "both": "Both", "light": "Light", "dark": "Dark",
}  # fmt: skip


def describe(state: LabState) -> dict[str, dict[str, Any]]:
    """For every key: which control, its label, its options or range, and whether it changes looks alone."""
    return {key: _describe(state, key) for key in state.names() if key not in state.SETTINGS}


def _describe(state: LabState, key: str) -> dict[str, Any]:
    parameter = state.param[key]
    control = {"label": parameter.label, "help": parameter.doc, "look": key in state.LOOKS}
    if isinstance(parameter, param.Selector):
        words = [[choice, option_words(key, choice)] for choice in parameter.objects if choice]
        return {**control, "kind": "segments" if key in state.SEGMENTS else "choice", "options": words}
    if isinstance(parameter, Subset):
        words = [[choice, OPTION_WORDS.get(choice, choice)] for choice in parameter.objects]
        return {**control, "kind": "checks", "options": words}
    if isinstance(parameter, ChangedInput):
        return {**control, "kind": "changed"}
    if isinstance(parameter, (Numbers, param.String)):
        return {**control, "kind": "text"}
    low, high = parameter.softbounds or parameter.bounds
    marks = state.MARKS.get(key, ())
    slider = {**control, "kind": "slider", "min": low, "max": high, "step": parameter.step or 1, "marks": marks}
    return {**slider, "none": True} if values.optional(parameter) else slider


def option_words(key: str, choice: str) -> str:
    """What a choice is called; under some keys a letter has a name of its own."""
    return OPTION_WORDS.get(f"{key}:{choice}", OPTION_WORDS.get(choice, choice))


def shown_values(state: LabState) -> dict[str, Any]:
    """What every control shows now, as text, and what the state makes of its range."""
    texts = {key: values.write_value(value) for key, value in state.values_of().items()}
    return {"values": texts, "settings": state.control_settings()}
