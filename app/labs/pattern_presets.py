"""The presets of /unfold that show a pattern: what each is called, and the sentence that its numbers bear out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..words import readout, symbol
from .patterns import Pattern
from .presets import Presets

LABELS = {
    "five-steps": "Five steps",
    "through-the-output": "Through the output",
    "teacher-forcing": "Teacher forcing",
    "one-answer": "One answer",
    "fixed-point": "Fixed point",
    "two-cycle": "Two-cycle",
    "window-and-past": "Window and past",
    "same-when-linear": "The same when linear",
}


def _five(shown: Pattern) -> list[Any]:
    found, T = shown.run.gradients, shown.state.T
    start = f"The gradient of W is a sum over {T} uses of the same W: "
    return [start, readout(found.W_hh[0, 0], "dW_sum", T), "."]


def _through(shown: Pattern) -> list[Any]:
    T, ys = shown.state.T, shown.run.trace.ys
    read = readout(ys[T - 2, 0], "y", T - 1)
    return [f"All that step {T} knows of steps 1 to {T - 1} is one number, the output ", read, f" of step {T - 1}."]


def _forced(shown: Pattern) -> list[Any]:
    found = shown.run.gradients
    own = readout(found.own[0, 0], "dy_own", 1), readout(found.outputs[0, 0], "dy", 1)
    words = "Each step reads a target, which is known beforehand: nothing comes back from later losses. "
    start = "At the output of step 1 its own loss leaves "
    return [words, start, own[0], ", and all losses together ", own[1], "."]


def _answer(shown: Pattern) -> list[Any]:
    T, found = shown.state.T, shown.run.gradients.states
    ratio = float(found[1, 0] / found[T, 0])
    return [
        f"The one loss is at step {T}. Back at step 1 its gradient is ", readout(found[1, 0], "dh", 1), ", ",
        readout(ratio, "gradient_kept", 1), " of the ", readout(found[T, 0], "dh", T), " at the end."
    ]  # fmt: skip


def _fixed(shown: Pattern) -> list[Any]:
    hs, T = shown.run.trace.hs, shown.state.T
    change = readout(float(np.linalg.norm(hs[T] - hs[T - 1])), "state_change", T)
    return ["f brings the state nearer to a point that it leaves alone: ", symbol("s", str(T)), " is ",
            readout(hs[T, 0], "h", T), ", and the last step moved it by ", change, "."]  # fmt: skip


def _cycle(shown: Pattern) -> list[Any]:
    hs, T = shown.run.trace.hs, shown.state.T
    apart = readout(float(np.linalg.norm(hs[T] - hs[T - 2])), "cycle_change", T)
    return ["f swaps two states: ", readout(hs[T - 1, 0], "h", T - 1), " and ", readout(hs[T, 0], "h", T),
            ". Two steps, f(f(s)), lead back to within ", apart, "."]  # fmt: skip


def _window(shown: Pattern) -> list[Any]:
    t, gates = shown.state.t, shown.run.trace.gates
    return [
        f"The 1 of step 1 has left the window of step {t}: ", symbol("z", str(t)), " is ",
        readout(gates["conv"][t - 1, 0], "conv", t), ", while ", symbol("h", str(t)), " is still ",
        readout(shown.run.trace.hs[t, 0], "h", t), "."
    ]  # fmt: skip


def _linear(shown: Pattern) -> list[Any]:
    t, run = shown.state.t, shown.run
    apart = float(np.linalg.norm(run.trace.gates["conv"][t - 1] - run.trace.hs[t]))
    return [
        "Without tanh, and with a window as long as the past, the recurrence is a convolution: ", symbol("z", str(t)),
        " and ", symbol("h", str(t)), " are ", readout(run.trace.hs[t, 0], "h", t), " apart from a rounding of ",
        readout(apart, "rounding", t), "."
    ]  # fmt: skip


CLAIMS: dict[str, Callable[[Pattern], list[Any]]] = {
    "five-steps": _five,
    "through-the-output": _through,
    "teacher-forcing": _forced,
    "one-answer": _answer,
    "fixed-point": _fixed,
    "two-cycle": _cycle,
    "window-and-past": _window,
    "same-when-linear": _linear,
}

PRESETS = Presets(LABELS, CLAIMS)
