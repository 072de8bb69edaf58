"""The backward equations of every cell: what `bptt` computes, step by step, as expression trees.

dL/dh_t and dL/dc_t are the gradients of the two halves of the state at step t, as in `Gradients.states`:
what an LSTM's c_t does to h_t of its own step counts in dL/da_t, not in dL/dc_t.
"""

from __future__ import annotations

from .cells import GRU, RNN
from .expressions import Apply, Bias, Expression, Hadamard, MatVec, Signal, Sum
from .glossary import GATE_NAMES
from .loss_expressions import Difference
from .slopes import OneMinus, OneMinusSquare, OneMinusTanhSquare, Positive

Tree = tuple[str, str, Expression]
"""(what it computes, the symbol on the left, the right-hand side)."""

H_NAME, C_NAME = "gradient at the hidden state", "gradient at the cell state"
A_NAME = "gradient at the pre-activation"


def rnn_trees(cell: RNN) -> tuple[Tree, ...]:
    """dL/dh_t, then dL/da_t."""
    arriving = Sum((_from_output(), MatVec("W_hh", Signal("da", 1), transposed=True)))
    return (H_NAME, "dh", arriving), (A_NAME, "da", through(cell.activation))


def lstm_trees() -> tuple[Tree, ...]:
    """dL/dh_t and dL/dc_t, then dL/da_t of f, i, g and o."""
    back = [_back(gate) for gate in "figo"]
    whole, after = _cell_gradient(0), _cell_gradient(1)
    ways = {
        "f": _product(whole, Signal("c", -1), *_logistic_slope("f")),
        "i": _product(whole, Signal("g"), *_logistic_slope("i")),
        "g": _product(whole, Signal("i"), OneMinusSquare(Signal("g"))),
        "o": _product(Signal("dh"), Apply("tanh", Signal("c")), *_logistic_slope("o")),
    }
    return (
        (H_NAME, "dh", Sum((_from_output(), *back))),
        (C_NAME, "dc", Hadamard(Signal("f", 1), after)),
        *(_at_gate(gate, tree) for gate, tree in ways.items()),
    )


def gru_trees(cell: GRU) -> tuple[Tree, ...]:
    """dL/dh_t, then dL/da_t of g, z and r."""
    written = Signal("z") if cell.update == "new" else OneMinus(Signal("z"))
    kept = OneMinus(Signal("z", 1)) if cell.update == "new" else Signal("z", 1)
    g, h = Signal("g"), Signal("h", -1)
    turned = Difference(g, h) if cell.update == "new" else Difference(h, g)
    ways = {
        "g": _product(Signal("dh"), written, OneMinusSquare(g)),
        "z": _product(Signal("dh"), turned, *_logistic_slope("z")),
        "r": _product(*_at_reset(cell), *_logistic_slope("r")),
    }
    arriving = (_from_output(), Hadamard(kept, Signal("dh", 1)), _back("z"), _back("r"), _back_through_reset(cell))
    return (H_NAME, "dh", Sum(arriving)), *(_at_gate(gate, tree) for gate, tree in ways.items())


def _at_gate(gate: str, tree: Expression) -> Tree:
    return f"{A_NAME} of the {GATE_NAMES[gate]}", f"da{gate}", tree


def _from_output() -> MatVec:
    return MatVec("W_hy", Signal("dy"), transposed=True)


def _back(gate: str) -> MatVec:
    """W_hh^T dL/da_{t+1} of one gate."""
    return MatVec("W_hh", Signal(f"da{gate}", 1), gate, transposed=True)


def through(activation: str) -> Expression:
    """phi'(a_t) * dL/dh_t, with the derivative as the textbooks write it."""
    if activation == "linear":
        return Signal("dh")
    slope = OneMinusSquare(Signal("h")) if activation == "tanh" else Positive(Signal("a"))
    return Hadamard(slope, Signal("dh"))


def _cell_gradient(lag: int) -> Sum:
    """dL/dc + o (1 - tanh(c)²) dL/dh: all that reaches c, through the h of its step too."""
    shown = _product(Signal("dh", lag), Signal("o", lag), OneMinusTanhSquare(Signal("c", lag)))
    return Sum((Signal("dc", lag), shown))


def _back_through_reset(cell: GRU) -> Expression:
    """r * (U^T dL/da_g), or U^T (r * dL/da_g), of the next step."""
    r, da = Signal("r", 1), Signal("dag", 1)
    if cell.reset == "before":
        return Hadamard(r, MatVec("W_hh", da, "g", transposed=True))
    return MatVec("W_hh", Hadamard(r, da), "g", transposed=True)


def _at_reset(cell: GRU) -> tuple[Expression, Expression]:
    """Return the two factors of dL/dr_t."""
    h, da = Signal("h", -1), Signal("dag")
    if cell.reset == "before":
        return MatVec("W_hh", da, "g", transposed=True), h
    product = MatVec("W_hh", h, "g")
    return da, product if cell.b_hh is None else Sum((product, Bias("b_hh")))


def _logistic_slope(gate: str) -> tuple[Expression, Expression]:
    """Return the two factors of sigmoid' = v (1 - v)."""
    return Signal(gate), OneMinus(Signal(gate))


def _product(first: Expression, *others: Expression) -> Expression:
    product = first
    for factor in others:
        product = Hadamard(product, factor)
    return product
