"""The inside of one time step of a gated cell: what each sub-step takes and makes, in the order of computation."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .arrays import Array
from .cells import GRU, LSTM, Cell
from .expressions import Apply, Bias, Expression, Hadamard, MatVec, Signal, Sum
from .notation import Token, find_notation
from .slopes import OneMinus
from .unroll import Trace

Take = tuple[str, int]


@dataclass(frozen=True)
class Substep:
    """One thing that a cell computes within a time step.

    Attributes
    ----------
    symbol : what it makes, as in `data-symbol`: "Wxf" is W_f x, "Uhf" the recurrent product of the same layer
    right : how, as the equation of the cell has it
    takes : (symbol, lag) of every vector that it uses; lag -1 is the step before
    equation : the symbol of the equation that it is part of
    gate : the layer with weights that it belongs to, or None
    candidate_for : which state the candidate is one for, which settles its letter
    """

    symbol: str
    right: Expression
    takes: tuple[Take, ...]
    equation: str
    gate: str | None = None
    candidate_for: str = "c"

    def tokens(self, notation: str, t: int | None = None) -> list[Token]:
        """Write what is computed in a notation, at step t, or for a general t where None."""
        return self.right.tokens(find_notation(notation, True, self.candidate_for), t, True)


def substeps(cell: Cell) -> tuple[Substep, ...]:
    """Return the sub-steps of a gated cell, each after all that it takes.

    Layers with weights have four: W x, U h, their sum with b, and sigma or tanh; the candidate of a GRU five,
    with the reset product before U or after it. Then the products, their sum, and the output.

    Raises
    ------
    ValueError
        For a cell without gates.
    """
    if isinstance(cell, LSTM):
        return _lstm()
    if isinstance(cell, GRU):
        return tuple(replace(step, candidate_for="h") for step in _gru(cell))
    raise ValueError(f"cell must be an LSTM or a GRU, got {type(cell).__name__}")


def substep_values(cell: LSTM | GRU, trace: Trace) -> dict[str, Array]:
    """What every sub-step makes at every step of a run: symbol -> (T, n).

    Sums, gates and states are the run's own numbers; the products inside are computed here, so that a sum agrees
    with its terms to rounding. inf and NaN of an overflowed run are passed on.
    """
    layers = {f"a{gate}": trace.preactivations[gate] for gate in cell.gate_names} | dict(trace.gates)
    with np.errstate(over="ignore", invalid="ignore"):
        layers |= {f"Wx{gate}": trace.xs @ W.T for gate, W in zip(cell.gate_names, cell.W_xh, strict=True)}
        layers |= {f"Uh{gate}": trace.hs[:-1] @ U.T for gate, U in zip(cell.gate_names, cell.W_hh, strict=True)}
        return layers | (_gru_values(cell, trace) if isinstance(cell, GRU) else _lstm_values(trace))


def _layer(gate: str, vector: Expression, before: Take = ("h", -1)) -> tuple[Substep, ...]:
    """The sub-steps of a layer whose recurrent weights meet `vector`."""
    driven, recurrent = MatVec("W_xh", Signal("x"), gate), MatVec("W_hh", vector, gate)
    return (
        Substep(f"Wx{gate}", driven, (("x", 0),), gate, gate),
        Substep(f"Uh{gate}", recurrent, (before,), gate, gate),
        *_activation(gate, Sum((recurrent, driven, Bias("b_h", gate))), f"Uh{gate}"),
    )


def _activation(gate: str, total: Sum, recurrent: str) -> tuple[Substep, Substep]:
    function = "tanh" if gate == "g" else "sigmoid"
    terms = ((f"Wx{gate}", 0), (recurrent, 0))
    return (
        Substep(f"a{gate}", total, terms, gate, gate),
        Substep(gate, Apply(function, Signal(f"a{gate}")), ((f"a{gate}", 0),), gate, gate),
    )


def _lstm() -> tuple[Substep, ...]:
    kept, written = Hadamard(Signal("f"), Signal("c", -1)), Hadamard(Signal("i"), Signal("g"))
    squashed = Apply("tanh", Signal("c"))
    return (
        *(step for gate in "figo" for step in _layer(gate, Signal("h", -1))),
        Substep("fc", kept, (("f", 0), ("c", -1)), "c"),
        Substep("ig", written, (("i", 0), ("g", 0)), "c"),
        Substep("c", Sum((kept, written)), (("fc", 0), ("ig", 0)), "c"),
        Substep("tc", squashed, (("c", 0),), "h"),
        Substep("h", Hadamard(Signal("o"), squashed), (("o", 0), ("tc", 0)), "h"),
    )


def _lstm_values(trace: Trace) -> dict[str, Array]:
    gates, cs = trace.gates, np.asarray(trace.cs)
    products = {"fc": gates["f"] * cs[:-1], "ig": gates["i"] * gates["g"], "tc": np.tanh(cs[1:])}
    return products | {"c": cs[1:], "h": trace.hs[1:]}


def _gru(cell: GRU) -> tuple[Substep, ...]:
    z, left, h = Signal("z"), OneMinus(Signal("z")), Signal("h", -1)
    share_kept, share_new = (left, z) if cell.update == "new" else (z, left)
    kept, written = Hadamard(share_kept, h), Hadamard(share_new, Signal("g"))
    return (
        *(step for gate in "zr" for step in _layer(gate, h)),
        *(_reset_after(cell) if cell.reset == "after" else _reset_before()),
        Substep("zh", kept, (("z", 0), ("h", -1)), "h"),
        Substep("zg", written, (("z", 0), ("g", 0)), "h"),
        Substep("h", Sum((kept, written)), (("zh", 0), ("zg", 0)), "h"),
    )


def _reset_before() -> tuple[Substep, ...]:
    """r * h, and then U meets it."""
    product = Hadamard(Signal("r"), Signal("h", -1))
    return Substep("rh", product, (("r", 0), ("h", -1)), "g", "g"), *_layer("g", product, ("rh", 0))


def _reset_after(cell: GRU) -> tuple[Substep, ...]:
    """U h (with b_hh, where the cell has it), and then r scales it."""
    driven, product = MatVec("W_xh", Signal("x"), "g"), MatVec("W_hh", Signal("h", -1), "g")
    inner: Expression = product if cell.b_hh is None else Sum((product, Bias("b_hh")))
    scaled = Hadamard(Signal("r"), inner)
    return (
        Substep("Wxg", driven, (("x", 0),), "g", "g"),
        Substep("Uhg", inner, (("h", -1),), "g", "g"),
        Substep("rh", scaled, (("r", 0), ("Uhg", 0)), "g", "g"),
        *_activation("g", Sum((scaled, driven, Bias("b_h", "g"))), "rh"),
    )


def _gru_values(cell: GRU, trace: Trace) -> dict[str, Array]:
    z, r, g, before = trace.gates["z"], trace.gates["r"], trace.gates["g"], trace.hs[:-1]
    share_kept, share_new = (1.0 - z, z) if cell.update == "new" else (z, 1.0 - z)
    states = {"zh": share_kept * before, "zg": share_new * g, "h": trace.hs[1:]}
    if cell.reset == "before":
        return states | {"rh": r * before, "Uhg": (r * before) @ cell.W_hh[2].T}
    inner = before @ cell.W_hh[2].T
    inner = inner if cell.b_hh is None else inner + cell.b_hh
    return states | {"Uhg": inner, "rh": r * inner}
