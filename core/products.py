"""The matrix products inside an equation, for one unit: the row, the vector, and what entry of which array each is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np

from .arrays import Array, checked_integer
from .cells import Cell
from .equations import Equation
from .expressions import Expression, MatVec, Signal
from .gradients import Gradients
from .notation import Notation, Token, default_notation, find_notation, weight_token
from .unroll import Trace
from .values import Values


@dataclass(frozen=True, eq=False)
class Product:
    """One unit of a matrix times a vector: sum_j row_j vector_j.

    Attributes
    ----------
    weight : str
        Name of the array, as in the cell.
    gate : str or None
        Which block of it.
    matrix_token : Token
        The matrix in the notation; transposed where its column is the row.
    vector_tokens : tuple of Token
        The vector in the notation.
    row, vector : (k,)
    places : (k,) int
        Place of every row_j in the flat array `weight`.
    signal : (symbol, t) or None
        What the vector is, where it is one quantity within the run.
    """

    weight: str
    gate: str | None
    matrix_token: Token
    vector_tokens: tuple[Token, ...]
    row: Array
    vector: Array
    places: np.ndarray[Any, np.dtype[np.int64]]
    signal: tuple[str, int] | None

    @property
    def total(self) -> float:
        """The product."""
        return float(self.row @ self.vector)


def products(
    equation: Equation,
    cell: Cell,
    trace: Trace,
    t: int,
    unit: int,
    gradients: Gradients | None = None,
    notation: str | None = None,
    targets: Any = None,
) -> tuple[Product, ...]:
    """Return every matrix product of an equation at step t, for one unit, in the order of its tree.

    Raises
    ------
    ValueError
        For a step or unit outside the run, an unknown notation, and gradients that are needed but not given.
    """
    values = Values(cell, trace, checked_integer("t", t, 1, trace.steps), gradients, targets)
    letters = find_notation(notation or default_notation(cell), equation.gated, equation.candidate_for)
    return tuple(_product(node, values, letters, unit, equation.gated) for node in _nodes(equation.right))


def _nodes(node: Expression) -> Iterator[MatVec]:
    if isinstance(node, MatVec):
        yield node
        yield from _nodes(node.vector)
    elif is_dataclass(node):
        for field in fields(node):
            value = getattr(node, field.name)
            for child in value if isinstance(value, tuple) else (value,):
                if not isinstance(child, str):
                    yield from _nodes(child)


def _product(node: MatVec, values: Values, letters: Notation, unit: int, gated: bool) -> Product:
    block, places = values.weight(node.weight, node.gate), _places(node, values)
    matrix = block.T if node.transposed else block
    checked_integer("unit", unit, 0, len(matrix) - 1)
    return Product(
        weight=node.weight,
        gate=node.gate,
        matrix_token=weight_token(letters, node.weight, node.gate, node.transposed),
        vector_tokens=tuple(node.vector.tokens(letters, values.t, gated)),
        row=matrix[unit],
        vector=np.asarray(node.vector.evaluate(values)),
        places=places[unit],
        signal=_signal(node.vector, values),
    )


def _places(node: MatVec, values: Values) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Where each entry of the matrix, as it is multiplied, stands in the flat array of the cell."""
    whole = values.weight(node.weight, None)
    places = np.arange(whole.size).reshape(whole.shape)
    block = places if node.gate is None else places[values.cell.gate_names.index(node.gate)]
    return np.asarray(block.T if node.transposed else block)


def _signal(vector: Expression, values: Values) -> tuple[str, int] | None:
    if not isinstance(vector, Signal) or values.t + vector.lag > values.trace.steps:
        return None
    return vector.name, values.t + vector.lag
