"""What a GRU's wires carry, and what stays of a run when one of the GRU's two conventions is switched."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .arrays import Array, checked_integer
from .cells import GRU
from .unroll import Trace, unroll


def gru_wires(cell: GRU, trace: Trace) -> dict[str, Array]:
    """Return what flows between the gates of a GRU at every step, each (T, n).

    Returns
    -------
    keep : 1 - z, the share that z leaves over
    zh : the kept part, (1 - z) * h_{t-1} with update="new", z * h_{t-1} with "old"
    zg : the taken part, z * g with update="new", (1 - z) * g with "old"; zh + zg = h_t
    rh : what the reset gate's product gives: r * h_{t-1} before, r * (U h_{t-1} + b_hh) after
    Uhg : what the candidate's recurrent matrix gives: U (r * h_{t-1}) before, U h_{t-1} + b_hh after
    """
    before, z, r, g = trace.hs[:-1], trace.gates["z"], trace.gates["r"], trace.gates["g"]
    left, U = 1.0 - z, cell.W_hh[cell.gate_names.index("g")]
    kept, taken = (left, z) if cell.update == "new" else (z, left)
    if cell.reset == "before":
        rh = r * before
        uh = rh @ U.T
    else:
        uh = before @ U.T + (0.0 if cell.b_hh is None else cell.b_hh)
        rh = r * uh
    return {"keep": left, "zh": kept * before, "zg": taken * g, "rh": rh, "Uhg": uh}


@dataclass(frozen=True)
class VariantDifferences:
    """Largest |difference| of a component of h between a GRU and a switched one on the same input.

    Attributes
    ----------
    negated : over the run, with the other update and the z blocks of W, U and b negated: rounding alone
    update : over the run, with the other update and the weights as they are
    reset_step : of h_t of one step, from the same h_{t-1}, with the reset at the other place
    reset : the same over the whole run
    """

    negated: float
    update: float
    reset_step: float
    reset: float


def variant_differences(cell: GRU, trace: Trace, t: int) -> VariantDifferences:
    """Return how far the switched cells go from a run; `reset_step` is for the step t, 1 … T."""
    checked_integer("t", t, 1, trace.steps)
    elsewhere = with_other_reset(cell)
    with np.errstate(over="ignore", invalid="ignore"):
        step = elsewhere.step(trace.xs[t - 1], trace.hs[t - 1]) - trace.hs[t]
    return VariantDifferences(
        negated=_farthest(with_negated_update(cell), trace),
        update=_farthest(replace(cell, update=_other(cell.update, "new", "old")), trace),
        reset_step=float(np.abs(step).max()),
        reset=_farthest(elsewhere, trace),
    )


def with_negated_update(cell: GRU) -> GRU:
    """Return the same function with the other update: 1 - sigmoid(a) = sigmoid(-a), so the z blocks change sign."""
    sign = np.array([-1.0 if gate == "z" else 1.0 for gate in cell.gate_names])
    W_xh, W_hh = sign[:, None, None] * cell.W_xh, sign[:, None, None] * cell.W_hh
    b_h = sign[:, None] * cell.b_h
    return replace(cell, W_xh=W_xh, W_hh=W_hh, b_h=b_h, update=_other(cell.update, "new", "old"))


def with_other_reset(cell: GRU) -> GRU:
    """Return the cell with the same matrices that resets at the other place; a b_hh of "after" is 0.

    The same function where U of the candidate is diagonal (with n = 1 it is one number) or r is the same in every unit,
    and b_hh is 0; else another one, whatever the weights.
    """
    b_hh = np.zeros(cell.hidden_size) if cell.reset == "before" else None
    return replace(cell, reset=_other(cell.reset, "before", "after"), b_hh=b_hh)


def _other(name: str, one: str, other: str) -> str:
    return other if name == one else one


def _farthest(cell: GRU, trace: Trace) -> float:
    return float(np.abs(unroll(cell, trace.xs, trace.hs[0]).hs - trace.hs).max())
