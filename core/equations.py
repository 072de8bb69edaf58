"""Each cell's equations, once: the labs print them, put numbers in, and the tests evaluate them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .arrays import Array, checked_choice, checked_integer
from .backward import Tree, gru_trees, lstm_trees, rnn_trees
from .cells import GRU, LSTM, RNN, Cell
from .expressions import (
    Apply,
    Bias,
    Expression,
    Hadamard,
    MatVec,
    Signal,
    Sum,
)
from .glossary import GATE_NAMES, Term, terms_of
from .gradients import Gradients
from .loss_expressions import Difference, HalfSquare, NegativeLogProbability, ProbabilityError
from .losses import LOSSES
from .notation import (
    Token,
    default_notation,
    find_notation,
    latex_text,
    number_token,
    operator,
    plain_text,
    signal_token,
)
from .slopes import OneMinus
from .unroll import Trace
from .values import Values


@dataclass(frozen=True)
class Equation:
    """One equation: symbol_t = right.

    Attributes
    ----------
    name : what it computes, in words
    symbol : the quantity on the left, as in `data-symbol`
    right : the expression tree
    gated : whether the cell has gates, which settles some letters
    terms : the symbols in it
    candidate_for : "c", or "h" for a GRU: which state a gated cell's candidate is one for
    """

    name: str
    symbol: str
    right: Expression
    gated: bool
    terms: tuple[Term, ...]
    candidate_for: str = "c"

    def tokens(self, notation: str, t: int | None = None) -> list[Token]:
        """Write the equation in a notation, at step t, or for a general t where None."""
        letters = find_notation(notation, self.gated, self.candidate_for)
        left = signal_token(letters, self.symbol, t, 0, self.gated)
        return [left, operator("="), *self.right.tokens(letters, t, self.gated)]

    def numbers(
        self,
        cell: Cell,
        trace: Trace,
        t: int,
        unit: int,
        gradients: Gradients | None = None,
        notation: str | None = None,
        targets: Any = None,
    ) -> list[Token]:
        """Write the right-hand side of one unit with numbers put in, then "= result".

        A product over one component is written out; a longer one is its sum. Numbers are rounded in
        `text` only: `value` is exact. The result is the run's own number, as it stands elsewhere on the
        page; that the right-hand side evaluates to it is tested.
        """
        values = self._values(cell, trace, t, gradients, targets)
        letters = find_notation(notation or default_notation(cell), self.gated, self.candidate_for)
        with np.errstate(over="ignore", invalid="ignore"):
            result = values.signal(self.symbol, 0)
            checked_integer("unit", unit, 0, len(result) - 1)
            tokens = self.right.numbers(values, letters, unit)
        return [*tokens, operator("="), number_token(float(result[unit]), self.symbol, t, unit)]

    def evaluate(
        self, cell: Cell, trace: Trace, t: int, gradients: Gradients | None = None, targets: Any = None
    ) -> Array:
        """Evaluate the tree at step t, without the cell's own code; shape (n,), (m,) for y, (1,) for L."""
        with np.errstate(over="ignore", invalid="ignore"):
            return self.right.evaluate(self._values(cell, trace, t, gradients, targets))

    def latex(self, notation: str, t: int | None = None) -> str:
        """Write the equation as LaTeX mathematics."""
        return latex_text(self.tokens(notation, t))

    def text(self, notation: str, t: int | None = None) -> str:
        """Write the equation as one line of Unicode text."""
        return plain_text(self.tokens(notation, t))

    def _values(self, cell: Cell, trace: Trace, t: int, gradients: Gradients | None, targets: Any) -> Values:
        return Values(cell, trace, checked_integer("t", t, 1, trace.steps), gradients, targets)


def loss_equations(loss: str, gated: bool = False) -> tuple[Equation, Equation]:
    """Return the equations of a loss: L_t, and dL_t/dy_t. Their numbers need `targets`."""
    checked_choice("loss", loss, LOSSES)
    apart = Difference(Signal("y"), Signal("target"))
    value: Expression = HalfSquare(apart) if loss == "squared" else NegativeLogProbability()
    slope: Expression = apart if loss == "squared" else ProbabilityError()
    return _make("loss", "L", value, gated), _make("gradient at the output", "dy", slope, gated)


def equations(cell: Cell) -> tuple[Equation, ...]:
    """Return a cell's equations in the order of computation.

    RNN: a, h; with a read-out also y, and backward dh, da. LSTM: f, i, g, c, o, h, each gate with
    its pre-activation inside; then the pre-activations af, ai, ag, ao alone; with a read-out y.
    GRU: z, r, g, h in the cell's variant; then az, ar, ag; with a read-out y.
    """
    if isinstance(cell, RNN):
        return _rnn(cell)
    if isinstance(cell, LSTM):
        return _lstm(cell)
    if isinstance(cell, GRU):
        return tuple(replace(item, candidate_for="h") for item in _gru(cell))
    raise ValueError(f"cell must be an RNN, LSTM or GRU, got {type(cell).__name__}")


def backward_equations(cell: Cell) -> tuple[Equation, ...]:
    """Return how the gradients of step t follow from those of step t + 1; their numbers need `gradients`.

    RNN: dh, da. LSTM: dh, dc, daf, dai, dag, dao. GRU: dh, dag, daz, dar. None without a read-out.
    Quantities of step T + 1 are zero.
    """
    if cell.W_hy is None:
        return ()
    if isinstance(cell, RNN):
        return _from_trees(rnn_trees(cell), gated=False)
    if isinstance(cell, LSTM):
        return _from_trees(lstm_trees(), gated=True)
    if isinstance(cell, GRU):
        return tuple(replace(item, candidate_for="h") for item in _from_trees(gru_trees(cell), gated=True))
    raise ValueError(f"cell must be an RNN, LSTM or GRU, got {type(cell).__name__}")


def equation(cell: Cell, symbol: str) -> Equation:
    """Return the equation of a cell that computes `symbol`, forward or backward, or raise a ValueError."""
    found = {item.symbol: item for item in (*equations(cell), *backward_equations(cell))}
    if symbol not in found:
        raise ValueError(f"symbol must be one of {', '.join(found)}, got {symbol!r}")
    return found[symbol]


def _rnn(cell: RNN) -> tuple[Equation, ...]:
    forward = (
        _make("pre-activation", "a", _affine(None), gated=False),
        _make("hidden state", "h", Apply(cell.activation, Signal("a")), gated=False),
    )
    return forward if cell.W_hy is None else (*forward, _output(gated=False), *backward_equations(cell))


def _lstm(cell: LSTM) -> tuple[Equation, ...]:
    gates = {gate: _gate(gate, _affine(gate)) for gate in cell.gate_names}
    kept = Hadamard(Signal("f"), Signal("c", -1))
    written = Hadamard(Signal("i"), Signal("g"))
    shown = Hadamard(Signal("o"), Apply("tanh", Signal("c")))
    return (
        gates["f"],
        gates["i"],
        gates["g"],
        _make("cell state", "c", Sum((kept, written)), gated=True),
        gates["o"],
        _make("hidden state", "h", shown, gated=True),
        *(_make(f"{GATE_NAMES[gate]} pre-activation", f"a{gate}", _affine(gate), True) for gate in "figo"),
        *(() if cell.W_hy is None else (_output(gated=True),)),
    )


def _gru(cell: GRU) -> tuple[Equation, ...]:
    sums = {"z": _affine("z"), "r": _affine("r"), "g": _candidate_sum(cell)}
    z, left = Signal("z"), OneMinus(Signal("z"))
    kept, written = (left, z) if cell.update == "new" else (z, left)
    mixed = Sum((Hadamard(kept, Signal("h", -1)), Hadamard(written, Signal("g"))))
    return (
        *(_gate(gate, total) for gate, total in sums.items()),
        _make("hidden state", "h", mixed, gated=True),
        *(_make(f"{GATE_NAMES[gate]} pre-activation", f"a{gate}", total, True) for gate, total in sums.items()),
        *(() if cell.W_hy is None else (_output(gated=True),)),
    )


def _candidate_sum(cell: GRU) -> Sum:
    """W x + U (r * h) + b, or W x + r * (U h + b_hh) + b."""
    r, h = Signal("r"), Signal("h", -1)
    recurrent: Expression = MatVec("W_hh", Hadamard(r, h), "g")
    if cell.reset == "after":
        product = MatVec("W_hh", h, "g")
        recurrent = Hadamard(r, product if cell.b_hh is None else Sum((product, Bias("b_hh"))))
    return Sum((recurrent, MatVec("W_xh", Signal("x"), "g"), Bias("b_h", "g")))


def _gate(gate: str, total: Sum) -> Equation:
    function = "tanh" if gate == "g" else "sigmoid"
    return _make(GATE_NAMES[gate], gate, Apply(function, total), gated=True)


def _affine(gate: str | None) -> Sum:
    recurrent = MatVec("W_hh", Signal("h", -1), gate)
    return Sum((recurrent, MatVec("W_xh", Signal("x"), gate), Bias("b_h", gate)))


def _output(gated: bool) -> Equation:
    read_out = Sum((MatVec("W_hy", Signal("h")), Bias("b_y")))
    return _make("output", "y", read_out, gated)


def _from_trees(trees: tuple[Tree, ...], gated: bool) -> tuple[Equation, ...]:
    return tuple(_make(name, symbol, right, gated) for name, symbol, right in trees)


def _make(name: str, symbol: str, right: Expression, gated: bool) -> Equation:
    return Equation(name, symbol, right, gated, terms_of(symbol, right))
