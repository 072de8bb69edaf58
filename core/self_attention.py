"""Scaled dot-product attention, and several heads of it (Vaswani et al. 2017, section 3.2)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .arrays import Array, checked_array, checked_integer, read_only
from .attention import attention_weights, attention_weights_vjp, finite_array
from .cells.readout import count
from .cells.step import outer_sum
from .chain import BoolArray


@dataclass(frozen=True, eq=False)
class ScaledDotProduct:
    """scores and weights (..., Tq, Tk), out (..., Tq, v)."""

    scores: Array
    weights: Array
    out: Array


def causal_mask(queries: int, keys: int | None = None, offset: int = 0) -> BoolArray:
    """Return booleans (Tq, Tk), True where query i may attend to key j <= i + offset.

    For fewer queries than keys offset = Tk - Tq lets the last query see all of them.
    """
    rows = checked_integer("queries", queries, 0)
    columns = rows if keys is None else checked_integer("keys", keys, 0)
    return np.tri(rows, columns, offset, dtype=bool)


def scaled_dot_product_attention(Q: Any, K: Any, V: Any, mask: Any = None, scaled: bool = True) -> ScaledDotProduct:
    """softmax(Q K^T / sqrt(k)) V, row by row over the keys that the mask lets through.

    Parameters
    ----------
    Q : (..., Tq, k)
    K : (..., Tk, k)
    V : (..., Tk, v)
    mask : booleans that broadcast to (..., Tq, Tk), or None
        True = may attend. A query that may attend to nothing gets zeros.
    scaled : bool
        False leaves the products Q K^T as they are.

    Raises
    ------
    ValueError
        For shapes that do not fit and a mask that is not boolean.
    """
    Q, K, V = _checked_qkv(Q, K, V)
    scores = Q @ np.swapaxes(K, -1, -2) / score_divisor(Q.shape[-1], scaled)
    weights = attention_weights(scores, mask)
    return ScaledDotProduct(read_only(scores), read_only(weights), read_only(weights @ V))


def score_divisor(k: int, scaled: bool = True) -> float:
    """sqrt(k), what a product of k components is divided by; 1 where it is left as it is."""
    return math.sqrt(k) if scaled else 1.0


def scaled_dot_product_vjp(
    Q: Any, K: Any, V: Any, weights: Array, gradient: Any, scaled: bool = True
) -> tuple[Array, Array, Array]:
    """Carry dL/d out (..., Tq, v) back: (dL/dQ, dL/dK, dL/dV).

    dV = P^T dO; dP = dO V^T; dS = P * (dP - rowsum(P * dP)); dQ = dS K / sqrt(k); dK = dS^T Q /
    sqrt(k), with P the weights of the forward call, which hold its mask.
    """
    Q, K, V = _checked_qkv(Q, K, V)
    out = checked_array("gradient", gradient, (*Q.shape[:-1], V.shape[-1]))
    scores = attention_weights_vjp(weights, out @ np.swapaxes(V, -1, -2)) / score_divisor(Q.shape[-1], scaled)
    return scores @ K, np.swapaxes(scores, -1, -2) @ Q, np.swapaxes(weights, -1, -2) @ out


def _checked_qkv(Q: Any, K: Any, V: Any) -> tuple[Array, Array, Array]:
    q, k, v = finite_array("Q", Q), finite_array("K", K), finite_array("V", V)
    if min(q.ndim, k.ndim, v.ndim) < 2 or q.shape[-1] == 0:
        raise ValueError(f"Q, K and V must be (..., T, size), got {q.shape}, {k.shape} and {v.shape}")
    if k.shape != (*q.shape[:-2], k.shape[-2], q.shape[-1]):
        raise ValueError(f"K must be {q.shape[:-2]} + (Tk, {q.shape[-1]}) to fit Q, got {k.shape}")
    if v.shape[:-1] != k.shape[:-1]:
        raise ValueError(f"V must be {k.shape[:-1]} + (v,) to fit K, got {v.shape}")
    return q, k, v


@dataclass(frozen=True, eq=False)
class MultiHeadAttention:
    """Several heads of scaled dot-product attention on blocks of columns, in PyTorch's layout.

    Q, K, V = x W^T + b with W = W_q, W_k, W_v; head i works on columns i E/heads … (i + 1) E/heads
    of each, with scale 1 / sqrt(E / heads); the heads side by side go through W_o.

    Parameters
    ----------
    in_proj_weight : (3 E, E)
        Rows [W_q; W_k; W_v].
    in_proj_bias : (3 E,) or None
    out_proj_weight : (E, E) or None
        W_o; None leaves the heads as they are.
    out_proj_bias : (E,) or None
    heads : int that divides E
    scaled : bool
        False leaves out the division by sqrt(E / heads).

    Raises
    ------
    ValueError
        For shapes that do not fit; names the argument.
    """

    in_proj_weight: Array
    in_proj_bias: Array | None = None
    out_proj_weight: Array | None = None
    out_proj_bias: Array | None = None
    heads: int = 1
    scaled: bool = True

    def __post_init__(self) -> None:
        E = np.shape(self.in_proj_weight)[-1] if np.ndim(self.in_proj_weight) == 2 else None
        shapes = {
            "in_proj_weight": (None if E is None else 3 * E, E),
            "in_proj_bias": (None if E is None else 3 * E,),
            "out_proj_weight": (E, E),
            "out_proj_bias": (E,),
        }
        for name, shape in shapes.items():
            if name == "in_proj_weight" or getattr(self, name) is not None:
                object.__setattr__(self, name, checked_array(name, getattr(self, name), shape))
        if self.out_proj_weight is None and self.out_proj_bias is not None:
            raise ValueError("out_proj_bias must be None where out_proj_weight is None, got an array")
        heads = checked_integer("heads", self.heads, 1)
        if self.size % heads:
            raise ValueError(f"heads must divide the size {self.size}, got {heads}")

    @property
    def size(self) -> int:
        """E, the size of inputs and outputs."""
        return int(self.in_proj_weight.shape[1])

    @property
    def parameter_count(self) -> int:
        """How many numbers the projections hold."""
        return count(self.in_proj_weight, self.in_proj_bias, self.out_proj_weight, self.out_proj_bias)


@dataclass(frozen=True, eq=False)
class MultiHeadTrace:
    """One forward pass; read-only float64.

    Attributes
    ----------
    query, key, value : (..., Tq, E), (..., Tk, E), (..., Tk, E)
    Q, K, V : (..., heads, Tq or Tk, E / heads)
        Each head's columns of the projections.
    scores, weights : (..., heads, Tq, Tk)
    joined : (..., Tq, E)
        The heads' outputs side by side.
    out : (..., Tq, E)
    """

    query: Array
    key: Array
    value: Array
    Q: Array
    K: Array
    V: Array
    scores: Array
    weights: Array
    joined: Array
    out: Array


@dataclass(frozen=True, eq=False)
class MultiHeadGradients:
    """Gradients of a loss behind `out`: inputs as given, parameters summed over the batch.

    For self-attention the gradient of the one sequence is query + key + value.
    """

    query: Array
    key: Array
    value: Array
    parameters: Mapping[str, Array]


def multi_head_attention(
    layer: MultiHeadAttention, query: Any, key: Any, value: Any = None, mask: Any = None
) -> MultiHeadTrace:
    """Let each row of query (..., Tq, E) attend to the rows of key and value (..., Tk, E).

    Parameters
    ----------
    value : (..., Tk, E) or None
        The key where None.
    mask : booleans that broadcast to (..., Tq, Tk), or None
        True = may attend; the same for every head.
    """
    inputs = [_checked_rows(layer, "query", query), _checked_rows(layer, "key", key)]
    inputs.append(inputs[1] if value is None else _checked_rows(layer, "value", value))
    Q, K, V = (_split_heads(layer, _project(layer, i, rows)) for i, rows in enumerate(inputs))
    allowed = None if mask is None else np.asarray(mask)
    for_heads = None if allowed is None else _for_heads(allowed)
    attended = scaled_dot_product_attention(Q, K, V, for_heads, layer.scaled)
    joined = _join_heads(attended.out)
    out = joined if layer.out_proj_weight is None else joined @ layer.out_proj_weight.T
    out = out if layer.out_proj_bias is None else out + layer.out_proj_bias
    arrays = [read_only(array) for array in (Q, K, V, attended.scores, attended.weights, joined, out)]
    return MultiHeadTrace(inputs[0], inputs[1], inputs[2], *arrays)


def self_attention(layer: MultiHeadAttention, xs: Any, mask: Any = None) -> MultiHeadTrace:
    """Let the rows of xs (..., T, E) attend to one another: query, key and value are xs."""
    return multi_head_attention(layer, xs, xs, mask=mask)


def multi_head_vjp(layer: MultiHeadAttention, trace: MultiHeadTrace, gradient: Any) -> MultiHeadGradients:
    """Carry dL/d out (..., Tq, E) back to the inputs and the parameters."""
    out = checked_array("gradient", gradient, trace.out.shape)
    joined = out if layer.out_proj_weight is None else out @ layer.out_proj_weight
    back_of_heads = _split_heads(layer, joined)
    heads = scaled_dot_product_vjp(trace.Q, trace.K, trace.V, trace.weights, back_of_heads, layer.scaled)
    projected = [_join_heads(head) for head in heads]
    inputs = (trace.query, trace.key, trace.value)
    blocks = layer.in_proj_weight.reshape(3, layer.size, layer.size)
    pairs = zip(projected, inputs, strict=True)
    parameters = {"in_proj_weight": np.concatenate([outer_sum(d, rows) for d, rows in pairs])}
    if layer.in_proj_bias is not None:
        parameters["in_proj_bias"] = np.concatenate([_row_sum(d) for d in projected])
    if layer.out_proj_weight is not None:
        parameters["out_proj_weight"] = outer_sum(out, trace.joined)
    if layer.out_proj_bias is not None:
        parameters["out_proj_bias"] = _row_sum(out)
    back = [read_only(d @ W) for d, W in zip(projected, blocks, strict=True)]
    return MultiHeadGradients(back[0], back[1], back[2], parameters)


def _project(layer: MultiHeadAttention, block: int, rows: Array) -> Array:
    E = layer.size
    place = slice(block * E, (block + 1) * E)
    projected = rows @ layer.in_proj_weight[place].T
    return projected if layer.in_proj_bias is None else projected + layer.in_proj_bias[place]


def _split_heads(layer: MultiHeadAttention, rows: Array) -> Array:
    """(..., T, E) -> (..., heads, T, E / heads): each head's block of columns."""
    blocks = rows.reshape(*rows.shape[:-1], layer.heads, layer.size // layer.heads)
    return np.swapaxes(blocks, -2, -3)


def _join_heads(heads: Array) -> Array:
    """(..., heads, T, E / heads) -> (..., T, E): the inverse of `_split_heads`."""
    blocks = np.swapaxes(heads, -2, -3)
    return blocks.reshape(*blocks.shape[:-2], blocks.shape[-2] * blocks.shape[-1])


def _for_heads(mask: BoolArray) -> BoolArray:
    return mask[..., None, :, :] if mask.ndim > 2 else mask


def _checked_rows(layer: MultiHeadAttention, name: str, rows: Any) -> Array:
    array = finite_array(name, rows)
    if array.ndim < 2 or array.shape[-1] != layer.size:
        raise ValueError(f"{name} must be (..., T, {layer.size}), got {array.shape}")
    return array


def _row_sum(rows: Array) -> Array:
    return np.asarray(rows.reshape(-1, rows.shape[-1]).sum(axis=0))
