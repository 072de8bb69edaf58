"""What /bptt must show: the loom's numbers, the lit chain, the algorithm's lines and the sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from rnnscope.app.state.bptt import BLOCKS
from rnnscope.core import Run, bptt, chain_factors, clip_by_global_norm, gradient_angle, gradient_norm
from rnnscope.core.gradients import PARAMETERS

if TYPE_CHECKING:
    from .expected import Expected

Key = tuple[str, int, int]
Numbers = Mapping[str, tuple[Any, int]]
ROOMY, NUMBERED, COMPACT_NUMBERED = 7, 12, 6


def numbers(found: Run, state: Any) -> Numbers:
    """Every array that the page may show: symbol -> (rows, step of the first row)."""
    trace, grads, T = found.trace, found.gradients, found.trace.steps
    full = bptt(found.cell, trace, found.targets, found.config.loss)
    return {
        "x": (trace.xs, 1), "h": (trace.hs, 0), "y": (trace.ys, 1), "target": (found.targets, 1),
        "L": (grads.loss, 1), "dy": (grads.outputs, 1), "dh_out": (grads.from_output, 1), "t": (range(1, T + 1), 1),
        **chains(found, full), **sums(found), **tiles(found, full, state), **whole(found, full, state),
        **lines(found, full, state),
    }  # fmt: skip


def chains(found: Run, full: Any) -> Numbers:
    chain = chain_factors(found.cell, found.trace, full)
    return {
        "contribution": (full.contributions, 0), "chain_start": (chain.starts, 0), "chain_value": (chain.values, 0),
        "chain_factor": (chain.factors.T, 0),
    }  # fmt: skip


def sums(found: Run) -> Numbers:
    through = found.gradients.through
    norms = np.linalg.norm(through, axis=1)
    live = through if found.cell.state_size == 1 else norms
    return {"live": (live, 1), "dh_live": (through, 1), "dh_live_norm": (norms, 1)}


def block(array: np.ndarray, state: Any) -> np.ndarray:
    names = BLOCKS[state.cell]
    return array[..., names.index(state.block), :, :] if names else array


def size(array: np.ndarray) -> float:
    return float(array.item()) if array.size == 1 else float(np.linalg.norm(array))


def sizes(steps: np.ndarray) -> np.ndarray:
    rows = steps.reshape(len(steps), -1)
    return rows[:, 0] if rows.shape[1] == 1 else np.linalg.norm(rows, axis=1)


def tiles(found: Run, full: Any, state: Any) -> Numbers:
    T, steps = state.T, found.gradients.W_hh_steps
    name = "" if state.n == 1 else "_norm"
    return {
        f"dW{name}": (sizes(block(steps, state)), 1),
        f"dW_sum{name}": (sizes(block(found.gradients.W_hh, state)[None]), T),
        "tile": (sizes(steps), 1),
        "dW_full": ([size(block(full.W_hh, state))], 0),
        "dW_clipped": ([size(block(clipped(found, state).W_hh, state))], 0),
    }  # fmt: skip


def clipped(found: Run, state: Any) -> Any:
    return found.gradients if state.clip is None else clip_by_global_norm(found.gradients, state.clip)[0]


def whole(found: Run, full: Any, state: Any) -> Numbers:
    """Norms and angles of all parameters as one vector."""
    norm, window = gradient_norm(found.gradients), state.truncate or state.T
    apart = [np.ravel(getattr(full, name) - getattr(found.gradients, name)) for name in PARAMETERS if name != "b_hh"]
    return {
        "gradient_norm": ([norm], 0), "full_norm": ([gradient_norm(full)], 0),
        "clipped_norm": ([gradient_norm(clipped(found, state))], 0),
        "gradient_angle": ([gradient_angle(full, found.gradients)], 0),
        "truncation_error": ([np.linalg.norm(np.concatenate(apart))], 0), "clip": ([state.clip], 0),
        "clip_scale": ([scale(state, norm)], 0), "learning_rate": ([state.learning_rate], 0),
        "cells_kept": ([sum(min(t, window) for t in range(1, state.T + 1))], 0),
    }  # fmt: skip


def scale(state: Any, norm: float) -> float:
    return 1.0 if state.clip is None or norm <= state.clip else state.clip / norm


def lines(found: Run, full: Any, state: Any) -> Numbers:
    """What the algorithm's lines and the equations behind them print."""
    trace, grads, T = found.trace, found.gradients, found.trace.steps
    delta = np.concatenate(list(grads.preactivations.values()), 1) if state.cell != "rnn" else grads.preactivations
    after = np.array([grads.W_hh_steps[t:][::-1].sum(axis=0) for t in range(T)])
    W_hh = grads.W_hh * scale(state, gradient_norm(grads))
    one = state.n == 1 and state.cell == "rnn"
    known = {
        "h_norm": (np.linalg.norm(trace.hs, axis=1), 0), "da_norm": (np.linalg.norm(delta, axis=1), 1),
        "dh_next_norm": (np.linalg.norm(grads.from_next, axis=1), 0),
        "G_norm": ([np.linalg.norm(tile) for tile in after], 1), "G_start": ([0.0], 0),
        "update_norm": ([np.linalg.norm(state.learning_rate * W_hh)], 0),
        "dh": (full.states, 0), "dh_next": (grads.from_next, 0),
    }  # fmt: skip
    if state.cell != "rnn":
        gates = {f"da{gate}": (rows, 1) for gate, rows in full.preactivations.items()}
        gates |= {gate: (rows, 1) for gate, rows in trace.gates.items()}
        lstm = {"dc": (full.states[:, state.n :], 0), "c": (trace.cs, 0)} if state.cell == "lstm" else {}
        return {**known, **gates, **lstm}
    known |= {"a": (trace.preactivations, 1), "da": (grads.preactivations, 1)}
    known["slope"] = ([found.cell.slope(a) for a in trace.preactivations], 1)
    if one:
        known["G"] = (after.reshape(T, 1), 1)
        known["G_clipped"] = ([W_hh.item()], 0)
        known["W_after"] = ([found.cell.W_hh.item() - state.learning_rate * W_hh.item()], 0)
        known["dh_carried"] = (carried(grads, state), 1)
    return known


def carried(grads: Any, state: Any) -> np.ndarray:
    """What comes back from later steps: core's own, or with a window what is left of the live sum."""
    window = state.truncate or state.T
    rest = grads.through - grads.from_output
    whole = [grads.from_next[t, 0] if state.T - t + 1 <= window else rest[t - 1, 0] for t in range(1, state.T + 1)]
    return np.array(whole)


# --- the diagrams --------------------------------------------------------------------------------


def diagrams(case: Expected, wide: bool) -> dict[str, set[Key]]:
    """The graph and the matrix; of many steps they are marks without numbers."""
    T = case.state.T
    if T > NUMBERED:
        return {"loom": set(), "loom-matrix": set()}
    cells = {("contribution", t, k) for t in range(1, T + 1) for k in range(1, t + 1)}
    graph = {("h", 0, case.state.unit), *(key for t in range(1, T + 1) for key in copy(case, t, wide)), *factors(case)}
    return {"loom": graph, "loom-matrix": cells if wide or T <= COMPACT_NUMBERED else set()}


def copy(case: Expected, t: int, wide: bool) -> set[Key]:
    state = case.state
    text, unit, roomy = state.input == "text", state.unit, state.T <= ROOMY
    output = int(case.run.targets[t - 1]) if text else 0
    found = {("h", t, unit), ("y", t, output), ("L", t, 0)}
    if wide and not text and state.d == 1:
        found.add(("x", t, 0))
    if roomy or not wide:
        found.add(("dh_out", t, unit))
    if (roomy and wide) or (not wide and not text):
        found.add(("target", t, 0))
    return found | ({("dy", t, output)} if roomy and wide else set())


def factors(case: Expected) -> set[Key]:
    """One number has the same factor for every loss; ratios of norms are those of the selected loss."""
    state, signed = case.state, case.run.cell.state_size == 1
    chosen = {i: state.t if i <= state.t else state.T for i in range(2, state.T + 1) if signed or i <= state.t}
    return {("chain_factor", i, t) for i, t in chosen.items()}


# --- sentences and tables ------------------------------------------------------------------------


def summaries(case: Expected) -> list[Key]:
    state = case.state
    full = bptt(case.run.cell, case.run.trace, case.run.targets, case.run.config.loss).contributions
    t, k = np.unravel_index(int(np.nanargmax(full[1:, 1:])), (state.T, state.T))
    at = (state.t, state.t - state.lag)
    return [("chain_value", *at), ("contribution", *at), ("contribution", int(t) + 1, int(k) + 1)]


def tables(case: Expected) -> dict[str, np.ndarray]:
    """Steps, losses, what arrives, tiles, and the kept triangle; the rest of it is blank."""
    T = range(1, case.state.T + 1)
    rows = [
        [t, *(case.value((name, t, 0)) for name in ("L", "live", "tile")),
         *(case.value(("contribution", t, k)) for k in range(1, t + 1))]
        for t in T
    ]  # fmt: skip
    return {"Every loss, every state": np.array([number for row in rows for number in row])}
