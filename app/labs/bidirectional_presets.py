"""The presets of /bidirectional: what each is called, and the sentence that its numbers bear out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..words import readout, symbol
from .presets import Presets

LABELS = {
    "two-paths": "Two paths to each output", "late-input": "A late input, an early output",
    "last-state": "The last state", "orthogonal": "Nothing fades", "lstm": "Two LSTMs", "text": "A text",
    "one-unit": "One unit",
}  # fmt: skip


def _start(lab: Any) -> list[Any]:
    t, changed = lab.output, lab.changed
    k = changed.step
    way = "both chains" if t == k else "the backward chain alone" if t < k else "the forward chain alone"
    moved = readout(changed.outputs[t - 1], "change_y", t)
    states = (readout(changed.forward[t - 1], "change_h_forward", t),
              readout(changed.backward[t - 1], "change_h_backward", t))  # fmt: skip
    start = [symbol("x", str(k)), f" is changed and moves output {t} by ", moved, f", through {way}: "]
    return [*start, "the forward state there moves by ", states[0], ", the backward state by ", states[1], "."]


def _two_paths(lab: Any) -> list[Any]:
    t, reach = lab.output, lab.reach()
    ends = (readout(reach.forward_norms[0], "reach_forward", 1),
            readout(reach.backward_norms[-1], "reach_backward", lab.run.steps))  # fmt: skip
    start = [f"Output {t} feels the first input through the forward chain alone, by ", ends[0]]
    return [*start, ", and the last through the backward chain alone, by ", ends[1], "."]


def _late(lab: Any) -> list[Any]:
    k, changed = lab.changed.step, lab.changed
    moved = readout(changed.outputs[0], "change_y", 1)
    still = readout(changed.forward[0], "change_h_forward", 1)
    start = [symbol("x", str(k)), " comes last and yet moves output 1 by ", moved]
    return [*start, ", through the backward chain; the forward state of step 1 moves by ", still, "."]


def _last(lab: Any) -> list[Any]:
    T, changed = lab.run.steps, lab.changed
    still = readout(changed.backward[T - 1], "change_h_backward", T)
    moved = readout(changed.backward[0], "change_h_backward", 1)
    return [symbol("x", "1"), f" moves the backward state of step {T} by ", still, ", for that has read ",
            symbol("x", str(T)), " alone; the chain's last state, at step 1, moves by ", moved, "."]  # fmt: skip


def _kept(lab: Any) -> list[Any]:
    n, norms = lab.run.config.chain.n, lab.reach().forward_norms
    ends = readout(norms[0], "reach_forward", 1), readout(norms[lab.output - 1], "reach_forward", lab.output)
    return ["Linear chains with orthogonal W keep all: the first input still counts ", ends[0],
            ", the nearest ", ends[1], f", in {n} units."]  # fmt: skip


def _cells(lab: Any) -> list[Any]:
    network = lab.run.network
    one, both = (readout(count, name, text=str(count)) for name, count in (
        ("parameters_one", network.forward.parameter_count),
        ("parameters", network.forward.parameter_count + network.backward.parameter_count)))  # fmt: skip
    return ["Any cell will do: two LSTMs of four units hold ", both, " parameters, one holds ", one, "."]


def _text(lab: Any) -> list[Any]:
    t, changed = lab.output, lab.changed
    moved = readout(changed.outputs[t - 1], "change_y", t)
    return [f"Another last letter moves output {t} by ", moved, ": each output waits for the whole word."]


def _one(lab: Any) -> list[Any]:
    run, t = lab.run, lab.output
    pair = readout(run.forward_hs[t, 0], "h_forward", t), readout(run.backward_hs[t - 1, 0], "h_backward", t)
    return [f"One number a chain: output {t} reads ", pair[0], " from the left and ", pair[1], " from the right."]


CLAIMS: dict[str, Callable[[Any], list[Any]]] = {
    "": _start, "two-paths": _two_paths, "late-input": _late, "last-state": _last, "orthogonal": _kept, "lstm": _cells,
    "text": _text, "one-unit": _one,
}  # fmt: skip

PRESETS = Presets(LABELS, CLAIMS)
