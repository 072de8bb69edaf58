"""What the libraries' weight layouts share: blocks in another order, two biases, one way to update."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .arrays import Array, checked_array, checked_choice, shape_text
from .cells import GRU, LSTM, RNN, Cell
from .cells.gru import UPDATES

Orders = Mapping[int, tuple[str, ...]]
"""Number of blocks -> the gates in a library's order, by their names here."""


@dataclass(frozen=True, eq=False)
class Blocks:
    """A recurrent layer in a library's order of g blocks: g = 1 for an RNN, 3 a GRU, 4 an LSTM.

    Attributes
    ----------
    W_xh, W_hh : (g, n, d), (g, n, n)
    b_xh, b_hh : (g, n)
        Biases beside the product with x, and beside the product with h.
    """

    W_xh: Array
    W_hh: Array
    b_xh: Array
    b_hh: Array


@dataclass(frozen=True)
class Beside:
    """What no layout holds, and a cell needs: see `from_pytorch`."""

    activation: str
    reset: str
    update: str
    W_hy: Any
    b_y: Any


def to_blocks(cell: Cell, orders: Orders) -> Blocks:
    """Return copies of a cell's blocks in a library's order, a GRU's z as "old" has it.

    All of b_h stands in b_xh, and a GRU's b_hh in the candidate's place of b_hh.
    """
    if isinstance(cell, RNN):
        W_xh, W_hh, b_h = (array[None].copy() for array in (cell.W_xh, cell.W_hh, cell.b_h))
        return Blocks(W_xh, W_hh, b_h, np.zeros_like(b_h))
    if not isinstance(cell, LSTM | GRU):
        raise ValueError(f"cell must be an RNN, LSTM or GRU, got {type(cell).__name__}")
    inner = np.zeros_like(cell.b_h)
    if isinstance(cell, GRU) and cell.b_hh is not None:
        inner[cell.gate_names.index("g")] = cell.b_hh
    order = [cell.gate_names.index(gate) for gate in orders[len(cell.gate_names)]]
    update = cell.update if isinstance(cell, GRU) else "old"
    return Blocks(*(_turned(array, update)[order] for array in (cell.W_xh, cell.W_hh, cell.b_h, inner)))


def from_blocks(blocks: Blocks, orders: Orders, beside: Beside) -> RNN | LSTM | GRU:
    """Return the cell of blocks in a library's order: the inverse of `to_blocks`.

    The two biases are added up, but for the candidate's of a GRU with reset="after".
    """
    count = len(blocks.W_hh)
    _check_beside(beside, count)
    b_h = _added(blocks.b_xh, blocks.b_hh)
    if count == 1:
        return RNN(blocks.W_xh[0], blocks.W_hh[0], b_h[0], beside.W_hy, beside.b_y, beside.activation)
    names = LSTM.gate_names if count == 4 else GRU.gate_names
    order = [orders[count].index(gate) for gate in names]
    if count == 4:
        return LSTM(blocks.W_xh[order], blocks.W_hh[order], b_h[order], beside.W_hy, beside.b_y)
    b_hh, candidate = None, orders[count].index("g")
    if beside.reset == "after":
        b_h[candidate], b_hh = blocks.b_xh[candidate], blocks.b_hh[candidate]
    W_xh, W_hh, b_h = (_turned(array[order], beside.update) for array in (blocks.W_xh, blocks.W_hh, b_h))
    return GRU(W_xh, W_hh, b_h, beside.W_hy, beside.b_y, beside.reset, b_hh, beside.update)


def block_count(name: str, shape: tuple[int, ...], rows: int, n: int) -> int:
    """Return how many blocks of n make `rows`: 1, 3 or 4; else raise a ValueError."""
    if n == 0 or rows not in (n, 3 * n, 4 * n):
        raise ValueError(f"{name} must hold 1, 3 or 4 square blocks (RNN, GRU, LSTM), got shape {shape_text(shape)}")
    return rows // n


def checked_names(weights: Mapping[str, Any], required: Collection[str], optional: Collection[str]) -> None:
    """Raise a ValueError where a name is missing, or is none of one layer in one direction."""
    missing = [name for name in required if name not in weights]
    if missing:
        held = ", ".join(weights) or "nothing"
        raise ValueError(f"weights must hold {', '.join(required)}, got {held}: {missing[0]} is missing")
    unknown = [name for name in weights if name not in {*required, *optional}]
    if unknown:
        accepted = ", ".join([*required, *optional])
        raise ValueError(
            f"weights must be of one layer in one direction ({accepted}), got {unknown[0]}: a cell holds no more"
        )


def read_bias(weights: Mapping[str, Any], name: str, shape: tuple[int, ...]) -> Array:
    """Return a bias of this shape; zeros where the layer has none."""
    return checked_array(name, weights[name], shape) if name in weights else np.zeros(shape)


def _check_beside(beside: Beside, count: int) -> None:
    checked_choice("update", beside.update, UPDATES)
    if count != 1 and beside.activation != "tanh":
        raise ValueError(f"activation must be tanh for the candidate of a gated cell, got {beside.activation!r}")
    if count != 3 and beside.update != "old":
        raise ValueError(f'update must be "old" for weights of an RNN or LSTM, got {beside.update!r}')


def _turned(array: Array, update: str) -> Array:
    """Negate the first block, a GRU's z, for "new": 1 - sigmoid(a) = sigmoid(-a)."""
    turned = array.copy()
    if update == "new":
        turned[0] = -turned[0]
    return turned


def _added(first: Array, second: Array) -> Array:
    """Add two biases; adding 0 changes no bit, not even the sign of -0.0."""
    return np.where(second == 0.0, first, first + second)
