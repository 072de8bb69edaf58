"""Weights to and from the layouts of PyTorch, Keras and ONNX, as dicts of arrays.

A layout holds one recurrent layer in one direction. It does not hold the read-out (pass `W_hy` and
`b_y` on the way back), nor a vanilla RNN's activation (pass `activation`). cell -> layout -> cell
changes no bit; only a GRU with reset="after" and no b_hh comes back with one of zeros, which computes
the same.

All three compute h_t = z * h_{t-1} + (1 - z) * g, update="old" here. A GRU with update="new" is written
with its z blocks negated, since 1 - sigmoid(a) = sigmoid(-a); read it back with update="new".

Sources: torch.nn.RNN, LSTM and GRU; keras.layers.SimpleRNN, LSTM and GRU; the ONNX operators RNN, LSTM
and GRU.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from .arrays import Array, checked_array, checked_choice
from .cells import GRU, LSTM, RNN, Cell
from .cells.gru import RESETS
from .layouts import Beside, Blocks, Orders, block_count, checked_names, from_blocks, read_bias, to_blocks

PYTORCH_ORDERS: Orders = MappingProxyType({3: ("r", "z", "g"), 4: ("i", "f", "g", "o")})
KERAS_ORDERS: Orders = MappingProxyType({3: ("z", "r", "g"), 4: ("i", "f", "g", "o")})
ONNX_ORDERS: Orders = MappingProxyType({3: ("z", "r", "g"), 4: ("i", "o", "f", "g")})

PYTORCH_ACTIVATIONS = ("tanh", "relu")


def to_pytorch(cell: Cell) -> dict[str, Array]:
    """Return a cell's weights as torch.nn.RNN, LSTM or GRU keep them.

    Returns
    -------
    weight_ih_l0 (g n, d), weight_hh_l0 (g n, n), bias_ih_l0 (g n,), bias_hh_l0 (g n,), with blocks in
    the order i, f, g, o or r, z, n. b_h stands in bias_ih_l0; bias_hh_l0 is 0 but for a GRU's b_hh.

    Raises
    ------
    ValueError
        For a GRU with reset="before" and for a linear RNN, which PyTorch does not have.
    """
    if isinstance(cell, GRU) and cell.reset != "after":
        raise ValueError(
            'cell must have reset="after" for PyTorch, got reset="before": torch.nn.GRU resets '
            "after the product, r * (U h + b_hh), and no weights make the two equal"
        )
    if isinstance(cell, RNN):
        _check_pytorch_activation("activation of cell", cell.activation)
    blocks = to_blocks(cell, PYTORCH_ORDERS)
    return {
        "weight_ih_l0": _stacked(blocks.W_xh),
        "weight_hh_l0": _stacked(blocks.W_hh),
        "bias_ih_l0": blocks.b_xh.ravel(),
        "bias_hh_l0": blocks.b_hh.ravel(),
    }


def from_pytorch(
    weights: Mapping[str, Any], activation: str = "tanh", update: str = "old", W_hy: Any = None, b_y: Any = None
) -> RNN | LSTM | GRU:
    """Return the cell of a one-layer torch.nn.RNN, LSTM or GRU (told apart by the number of blocks).

    Parameters
    ----------
    weights : mapping with weight_ih_l0, weight_hh_l0 and, unless bias=False, bias_ih_l0, bias_hh_l0
        The two biases are added up; of a GRU's candidate they stay apart, as b_h and b_hh.
    activation : "tanh" or "relu", the `nonlinearity` of a torch.nn.RNN
    update : "old", or "new" to hold a GRU's z as Chung et al. 2014 do: the same function, z negated
    W_hy, b_y : read-out of the cell, or None

    Raises
    ------
    ValueError
        For missing names, names of further layers, directions or projections, and wrong shapes.
    """
    biases = ("bias_ih_l0", "bias_hh_l0")
    checked_names(weights, ("weight_ih_l0", "weight_hh_l0"), biases)
    _check_pytorch_activation("activation", activation)
    recurrent = checked_array("weight_hh_l0", weights["weight_hh_l0"], (None, None))
    rows, n = recurrent.shape
    count = block_count("weight_hh_l0", recurrent.shape, rows, n)
    driven = checked_array("weight_ih_l0", weights["weight_ih_l0"], (rows, None))
    b_xh, b_hh = (read_bias(weights, name, (rows,)).reshape(count, n) for name in biases)
    blocks = Blocks(_split(driven, count), _split(recurrent, count), b_xh, b_hh)
    return from_blocks(blocks, PYTORCH_ORDERS, Beside(activation, "after", update, W_hy, b_y))


def to_keras(cell: Cell) -> dict[str, Array]:
    """Return a cell's weights as keras.layers.SimpleRNN, LSTM or GRU keep them.

    Returns
    -------
    kernel (d, g n), recurrent_kernel (n, g n), bias (g n,), with blocks in the order i, f, c, o or
    z, r, h. A GRU with reset="after" (reset_after=True) has a bias (2, 3 n): b_h, then 0, 0, b_hh.

    Keras holds every variant of the cells here; a vanilla RNN's activation is the layer's `activation`.
    """
    blocks = to_blocks(cell, KERAS_ORDERS)
    bias = blocks.b_xh.ravel()
    if isinstance(cell, GRU) and cell.reset == "after":
        bias = np.stack([bias, blocks.b_hh.ravel()])
    return {
        "kernel": np.ascontiguousarray(_stacked(blocks.W_xh).T),
        "recurrent_kernel": np.ascontiguousarray(_stacked(blocks.W_hh).T),
        "bias": bias,
    }


def from_keras(
    weights: Mapping[str, Any],
    activation: str = "tanh",
    reset: str | None = None,
    update: str = "old",
    W_hy: Any = None,
    b_y: Any = None,
) -> RNN | LSTM | GRU:
    """Return the cell of a keras.layers.SimpleRNN, LSTM or GRU (told apart by the number of blocks).

    Parameters
    ----------
    weights : mapping with kernel, recurrent_kernel and, unless use_bias=False, bias
    activation : "tanh", "relu" or "linear", of a SimpleRNN
    reset : "before", "after" or None
        A GRU's reset_after. None reads it from the bias: (2, 3 n) is "after", (3 n,) "before".
    update, W_hy, b_y : see `from_pytorch`

    Raises
    ------
    ValueError
        For missing and unknown names, wrong shapes, a bias that contradicts `reset`, and a GRU without
        bias whose `reset` is not given.
    """
    checked_names(weights, ("kernel", "recurrent_kernel"), ("bias",))
    recurrent = checked_array("recurrent_kernel", weights["recurrent_kernel"], (None, None))
    n, columns = recurrent.shape
    count = block_count("recurrent_kernel", recurrent.shape, columns, n)
    driven = checked_array("kernel", weights["kernel"], (None, columns))
    placed = _keras_reset(weights, count, reset)
    shape = (2, columns) if count == 3 and placed == "after" else (columns,)
    bias = read_bias(weights, "bias", shape).reshape(-1, count, n)
    b_hh = bias[1] if len(bias) == 2 else np.zeros((count, n))
    blocks = Blocks(_split(driven.T, count), _split(recurrent.T, count), bias[0], b_hh)
    return from_blocks(blocks, KERAS_ORDERS, Beside(activation, placed, update, W_hy, b_y))


def to_onnx(cell: Cell) -> dict[str, npt.NDArray[Any]]:
    """Return a cell's weights as the inputs of the ONNX operators RNN, LSTM and GRU.

    Returns
    -------
    W (1, g n, d), R (1, g n, n), B (1, 2 g n), with blocks in the order i, o, f, c or z, r, h, and B the
    biases beside W, then beside R. Of a GRU also its attribute linear_before_reset, 1 for
    reset="after", else 0.

    ONNX holds every variant of the cells here. A vanilla RNN's activation is the attribute
    `activations`: Tanh, Relu, and for "linear" Affine with alpha = 1, beta = 0.
    """
    blocks = to_blocks(cell, ONNX_ORDERS)
    weights: dict[str, npt.NDArray[Any]] = {
        "W": _stacked(blocks.W_xh)[None],
        "R": _stacked(blocks.W_hh)[None],
        "B": np.concatenate([blocks.b_xh.ravel(), blocks.b_hh.ravel()])[None],
    }
    if isinstance(cell, GRU):
        weights["linear_before_reset"] = np.array(RESETS.index(cell.reset))
    return weights


def from_onnx(
    weights: Mapping[str, Any], activation: str = "tanh", update: str = "old", W_hy: Any = None, b_y: Any = None
) -> RNN | LSTM | GRU:
    """Return the cell of an ONNX operator RNN, LSTM or GRU (told apart by the number of blocks).

    Parameters
    ----------
    weights : mapping with W, R and, where the operator has them, B and linear_before_reset
        Without the latter a GRU resets before the product, as the operator's default does.
    activation : "tanh", "relu" or "linear", of an RNN
    update, W_hy, b_y : see `from_pytorch`

    Raises
    ------
    ValueError
        For missing names, peepholes (P), two directions, and wrong shapes.
    """
    checked_names(weights, ("W", "R"), ("B", "linear_before_reset"))
    recurrent = checked_array("R", weights["R"], (1, None, None))
    _, rows, n = recurrent.shape
    count = block_count("R", recurrent.shape, rows, n)
    driven = checked_array("W", weights["W"], (1, rows, None))
    b_xh, b_hh = read_bias(weights, "B", (1, 2 * rows)).reshape(2, count, n)
    blocks = Blocks(_split(driven[0], count), _split(recurrent[0], count), b_xh, b_hh)
    return from_blocks(blocks, ONNX_ORDERS, Beside(activation, _onnx_reset(weights), update, W_hy, b_y))


def _check_pytorch_activation(name: str, activation: str) -> None:
    if activation not in PYTORCH_ACTIVATIONS:
        raise ValueError(
            f"{name} must be tanh or relu for PyTorch, got {activation!r}: torch.nn.RNN has no other nonlinearity"
        )


def _keras_reset(weights: Mapping[str, Any], count: int, reset: str | None) -> str:
    """Return where a Keras GRU resets, from its bias where `reset` is None; "before" for other cells."""
    if count != 3:
        if reset is not None:
            raise ValueError(f"reset must be None for weights of an RNN or LSTM, got {reset!r}")
        return "before"
    if reset is not None:
        return checked_choice("reset", reset, RESETS)
    if "bias" not in weights:
        raise ValueError('reset must be "before" or "after" for a GRU without bias, got None')
    return "after" if np.ndim(weights["bias"]) == 2 else "before"


def _onnx_reset(weights: Mapping[str, Any]) -> str:
    flag = np.asarray(weights.get("linear_before_reset", 0))
    if flag.shape != () or flag not in (0, 1):
        raise ValueError(f"linear_before_reset must be 0 or 1, got {flag!r}")
    return RESETS[int(flag)]


def _stacked(blocks: Array) -> Array:
    """(g, n, k) -> (g n, k)."""
    return blocks.reshape(blocks.shape[0] * blocks.shape[1], blocks.shape[2])


def _split(stacked: Array, count: int) -> Array:
    """(g n, k) -> (g, n, k)."""
    return stacked.reshape(count, stacked.shape[0] // count, stacked.shape[1])
