"""An opened layer: W x + U h + b = a, and its sigma or tanh, as matrices and vectors with a cell for every number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from rnnscope.core import GRU, Cell, Run, Substep, Token
from rnnscope.core.notation import Notation, find_notation, gate_letter, weight_token

from ..diagrams.stages import Stages
from ..state.inside import InsideState
from ..view import Arrays
from ..words import Phrase, phrase, readout, symbol, token_words
from .equation_text import Line
from .substep_text import factor, operator, weight_symbol

Piece = dict[str, Any]


def weight_arrays(cell: Cell) -> Arrays:
    """Each layer's weights, transposed: a row of the table is a column of the matrix."""
    found: dict[str, tuple[np.ndarray, int]] = {}
    for k, gate in enumerate(cell.gate_names):
        found |= {
            f"W_x{gate}": (cell.W_xh[k].T, 1),
            f"W_h{gate}": (cell.W_hh[k].T, 1),
            f"b_{gate}": (cell.b_h[k][None], 0),
        }
    inner = getattr(cell, "b_hh", None)
    return found if inner is None else found | {"b_hh": (inner[None], 0)}


# --- what is drawn ---------------------------------------------------------------------------


def opened_pieces(cell: Cell, steps: Sequence[Substep], gate: str, notation: str) -> list[list[Piece]]:
    """Three groups that may stand on lines of their own: W x, + U h, + b = a and what becomes of it."""
    letters = find_notation(notation, True, "h" if isinstance(cell, GRU) else "c")
    maker = _Pieces(Stages(tuple(steps)), letters, gate)
    function = "tanh" if gate == "g" else "σ"
    result = [maker.vector(f"a{gate}", 0, _role(gate)), {"kind": "function", "text": function}]
    return [
        [maker.matrix("W_xh"), sign("×"), maker.vector("x", 0, "input")],
        [sign("+"), *_recurrent(cell, maker)],
        [sign("+"), maker.bias("b_h", f"b_{gate}"), sign("="), *result, maker.vector(gate, 0, _role(gate))],
    ]


def _recurrent(cell: Cell, maker: _Pieces) -> list[Piece]:
    """U h; of a GRU's candidate U (r ⊙ h), or r ⊙ (U h + b)."""
    matrix, before = maker.matrix("W_hh"), maker.vector("h", -1, "hidden")
    if maker.gate != "g" or not isinstance(cell, GRU):
        return [matrix, sign("×"), before]
    if cell.reset == "before":
        return [matrix, sign("×"), maker.vector("rh", 0, "hidden")]
    inner = [] if cell.b_hh is None else [sign("+"), maker.bias("b_hh", "b_hh")]
    return [maker.vector("r", 0, "gate"), sign("⊙ ("), matrix, sign("×"), before, *inner, sign(")")]


def sign(text: str) -> Piece:
    return {"kind": "op", "text": text}


def _role(gate: str) -> str:
    return "candidate" if gate == "g" else "gate"


class _Pieces:
    """Makes the pieces of one layer: what is in a piece, whose colour it wears, and its stage in the step."""

    def __init__(self, stages: Stages, letters: Notation, gate: str):
        self.stages, self.letters, self.gate = stages, letters, gate

    def matrix(self, weight: str) -> Piece:
        role, product = ("input", "Wx") if weight == "W_xh" else ("hidden", "Uh")
        head = token_words([weight_token(self.letters, weight, self.gate, transposed=False)])
        lit = [self.stages.ready(f"{product}{self.gate}")]
        return _piece("matrix", weight_symbol(weight, self.gate), role, head, {"ready": 0, "lit": lit})

    def bias(self, weight: str, name: str) -> Piece:
        head = token_words([weight_token(self.letters, weight, self.gate, transposed=False)])
        lit = [self.stages.ready(f"a{self.gate}" if weight == "b_h" else f"Uh{self.gate}")]
        return _piece("bias", name, _role(self.gate), head, {"ready": 0, "lit": lit})

    def vector(self, name: str, lag: int, role: str) -> Piece:
        stage = self.stages.carried({"symbol": name, "lag": lag, "into": [self.gate]})
        return _piece("vector", name, role, self._head(name, lag), stage) | {"lag": lag}

    def _head(self, name: str, lag: int) -> Phrase:
        """The letter; the page adds the step, which it knows first."""
        if name == "rh":
            return [*self._head("r", 0), operator("⊙"), *self._head("h", -1)]
        if name == "g":
            letter, accent, _ = self.letters.candidate
            return [word | {"lag": lag} for word in token_words([Token("symbol", letter, accent=accent)])]
        if name[0] == "a":
            return [symbol("a", gate_letter(self.letters, self.gate))]
        return [symbol(name) | {"lag": lag}]


def _piece(kind: str, name: str, role: str, head: Phrase, stage: dict[str, Any]) -> Piece:
    return {"kind": kind, "symbol": name, "role": role, "head": head, "stage": stage}


# --- what is said ----------------------------------------------------------------------------


def opened_line(run: Run, state: InsideState) -> list[Line]:
    """The selected row, every number put in."""
    if state.t == 0:
        return []
    gate, unit, cell = state.open, state.unit, run.cell
    k = cell.gate_names.index(gate)
    driven = _products(cell.W_xh[k], f"W_x{gate}", run.trace.xs[state.t - 1], "x", state.t, unit)
    total = run.trace.preactivations[gate][state.t - 1, unit]
    parts = [driven, _recurrent_terms(run, state, k), [readout(float(cell.b_h[k][unit]), f"b_{gate}", 0, unit)]]
    letters = find_notation(state.notation, True, "h" if isinstance(cell, GRU) else "c")
    left = symbol("a", f"{gate_letter(letters, gate)},{state.t}")
    lead = phrase(f"Unit {unit + 1}: ") if state.n > 1 else []
    words = [
        *lead,
        left,
        operator("="),
        *_summed(parts),
        operator("="),
        readout(float(total), f"a{gate}", state.t, unit),
    ]
    return [{"tokens": words, "hang": True}]


def _summed(parts: list[Phrase]) -> Phrase:
    words: Phrase = []
    for part in parts:
        closed = factor(part[0]) if len(part) == 1 else part
        words += [*([operator("+")] if words else []), *closed]
    return words


def _recurrent_terms(run: Run, state: InsideState, k: int) -> Phrase:
    cell, gate, unit, before = run.cell, state.open, state.unit, run.trace.hs[state.t - 1]
    weights = (cell.W_hh[k], f"W_h{gate}")
    if gate != "g" or not isinstance(cell, GRU):
        return _products(*weights, before, "h", state.t - 1, unit)
    r = run.trace.gates["r"][state.t - 1]
    if cell.reset == "before":
        return _products(*weights, r * before, "rh", state.t, unit)
    inner = [] if cell.b_hh is None else [operator("+"), *factor(readout(float(cell.b_hh[unit]), "b_hh", 0, unit))]
    product = _products(*weights, before, "h", state.t - 1, unit)
    scale = readout(float(r[unit]), "r", state.t, unit)
    return [scale, operator("×"), operator("("), *product, *inner, operator(")")]


def _products(matrix: np.ndarray, name: str, vector: np.ndarray, letter: str, t: int, unit: int) -> Phrase:
    """Row times column, term by term; of a one-hot vector the one term that is not 0."""
    words: Phrase = []
    for j in columns_shown(vector):
        weight, value = readout(float(matrix[unit, j]), name, j + 1, unit), readout(float(vector[j]), letter, t, j)
        words += [*([operator("+")] if words else []), *factor(weight), operator("×"), *factor(value)]
    return words


def columns_shown(vector: np.ndarray) -> list[int]:
    """Every component, or the active one of a character."""
    return [int(np.argmax(vector))] if len(vector) > MOST_COLUMNS else list(range(len(vector)))


#: More inputs than this are the symbols of a text, one of which is 1.
MOST_COLUMNS = 8


def opened_note(run: Run, state: InsideState) -> Phrase:
    if state.t == 0:
        return phrase("Step 0 computes nothing: choose a step from 1 on.")
    if state.input == "text":
        glyph = f"“{state.text[state.t - 1]}”"
        return phrase(
            symbol("x", str(state.t)),
            f" is 1 at {glyph} and 0 elsewhere: of the matrix only the column of {glyph} counts.",
        )
    if state.n == 1:
        return phrase("With one unit each matrix is a single row.")
    return phrase(
        f"A row is a unit, a column is a number that it reads. The row of unit {state.unit + 1} is framed; "
        "its numbers stand in the line above."
    )
