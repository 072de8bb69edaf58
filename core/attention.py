"""Attention of a state over a memory: additive (Bahdanau) and multiplicative (Luong).

A scorer turns a memory H (..., T, k) into keys once, then scores any state s (..., n) against them.
Leading dimensions of states and memories broadcast as NumPy's do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .arrays import Array, checked_array, read_only
from .chain import BoolArray
from .functions import dtanh, tanh
from .scorers import Scorer, added


def attention_weights(energies: Array, mask: Any = None) -> Array:
    """softmax over the last axis of `energies` (..., T) among the places where `mask` is True.

    A row in which nothing may be attended to, which softmax leaves undefined (0 / 0), is zeros.
    Raises a ValueError for a mask that is not boolean or does not broadcast to the energies.
    """
    allowed = checked_mask(mask, energies.shape)
    if energies.shape[-1] == 0:
        return np.zeros_like(energies)
    kept = energies if allowed is None else np.where(allowed, energies, -np.inf)
    top = kept.max(axis=-1, keepdims=True)
    # Arguments 1e308 apart differ by -inf, whose exponential is the 0 that it should be.
    with np.errstate(over="ignore"):
        raised = np.exp(kept - np.where(top == -np.inf, 0.0, top))
    total = raised.sum(axis=-1, keepdims=True)
    return np.asarray(raised / np.where(total == 0.0, 1.0, total))


def attention_weights_vjp(weights: Array, gradient: Array) -> Array:
    """dL/d energies = w * (dL/dw - w . dL/dw), shape (..., T): the Jacobian is diag(w) - w w^T."""
    return np.asarray(weights * (gradient - (weights * gradient).sum(axis=-1, keepdims=True)))


def checked_mask(mask: Any, shape: tuple[int, ...]) -> BoolArray | None:
    """Return a boolean mask that broadcasts to `shape`, or None; True = may attend."""
    if mask is None:
        return None
    allowed = np.asarray(mask)
    if allowed.dtype != np.bool_:
        raise ValueError(f"mask must be boolean (True = may attend), got dtype {allowed.dtype}")
    try:
        fits = np.broadcast_shapes(allowed.shape, shape) == shape
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(f"mask must broadcast to {shape}, got {allowed.shape}")
    return allowed


@dataclass(frozen=True, eq=False)
class Attention:
    """What one state attends to: energies and weights (..., T), context (..., k)."""

    energies: Array
    weights: Array
    context: Array


@dataclass(frozen=True, eq=False)
class AttentionGradients:
    """Gradients of a loss behind the context.

    Attributes
    ----------
    s : (..., n)
    H : (..., T, k)
        Through the weighted sum and through the energies.
    energies : (..., T)
    parameters : name of a parameter of the scorer -> dL/d parameter, summed over the batch
    """

    s: Array
    H: Array
    energies: Array
    parameters: Mapping[str, Array]


def attend(scorer: Scorer, s: Any, H: Any, mask: Any = None) -> Attention:
    """Score s (..., n) against the memory H (..., T, k): context = sum_j weights_j h_j.

    Raises a ValueError where sizes do not fit the scorer, or the mask (..., T) the energies.
    """
    s, H = checked_query(scorer, s, H)
    return attend_keys(scorer, s, H, scorer.keys(H), mask)


def attend_keys(scorer: Scorer, s: Array, H: Array, keys: Array, mask: Any = None) -> Attention:
    """`attend` with keys = scorer.keys(H) at hand: made once, used by every state."""
    energies = scorer.energies(s, keys)
    weights = attention_weights(energies, mask)
    context = (weights[..., None, :] @ H)[..., 0, :]
    return Attention(read_only(energies), read_only(weights), read_only(context))


def attend_vjp(scorer: Scorer, s: Any, H: Any, weights: Array, gradient: Array) -> AttentionGradients:
    """Carry dL/d context = `gradient` (..., k) back to state, memory and parameters.

    `weights` are those of `attend`, so that a mask needs no second mention. s and H must have
    equal leading dimensions here.
    """
    s, H = checked_query(scorer, s, H)
    if s.shape[:-1] != H.shape[:-2]:
        raise ValueError(f"s must have the leading dimensions of H, {H.shape[:-2]}, got {s.shape[:-1]}")
    keys = scorer.keys(H)
    d_energies = attention_weights_vjp(weights, context_vjp(H, gradient))
    back = scorer.vjp(s, keys, d_energies)
    through_keys, parameters = scorer.keys_vjp(H, back.keys)
    summed = weights[..., :, None] * gradient[..., None, :]
    to_H = read_only(summed + through_keys)
    return AttentionGradients(read_only(back.s), to_H, read_only(d_energies), added(back.parameters, parameters))


def context_vjp(H: Array, gradient: Array) -> Array:
    """dL/d weights_j = h_j . dL/d context, shape (..., T) from H (..., T, k) and (..., k)."""
    return np.asarray((H @ gradient[..., :, None])[..., 0])


def context_jacobians(scorer: Scorer, s: Any, H: Any, mask: Any = None) -> tuple[Array, Array]:
    """d context / d s, shape (k, n), and d context / d H, shape (k, T, k), for s (n,), H (T, k).

    For additive attention, w_j = v * tanh'(.): sum_j a_j (h_j - context) (W_s^T w_j)^T, and at h_j
    a_j (I + (h_j - context) (W_h^T w_j)^T): even a place with a large weight moves the context by
    pulling at the weights as well.
    """
    s, H = checked_query(scorer, s, H)
    if s.ndim != 1 or H.ndim != 2:
        raise ValueError(f"s must be (n,) and H (T, k) for their Jacobians, got {s.shape} and {H.shape}")
    k = H.shape[1]
    weights = np.broadcast_to(attend(scorer, s, H, mask).weights, (k, len(H)))
    back = attend_vjp(scorer, np.broadcast_to(s, (k, len(s))), np.broadcast_to(H, (k, *H.shape)), weights, np.eye(k))
    return back.s, back.H


def attentional_state(W_c: Array, context: Array, s: Array) -> Array:
    """h~ = tanh(W_c [context; s]), shape (..., p) (Luong et al. 2015, equation 5); W_c (p, k + n)."""
    return tanh(np.concatenate([context, s], axis=-1) @ W_c.T)


def attentional_state_vjp(W_c: Array, context: Array, s: Array, gradient: Array) -> tuple[Array, Array, Array]:
    """Carry dL/dh~ (..., p) back: (dL/d context (..., k), dL/ds (..., n), dL/dW_c summed)."""
    joined = np.concatenate([context, s], axis=-1)
    delta = dtanh(joined @ W_c.T) * gradient
    back, k = delta @ W_c, context.shape[-1]
    return back[..., :k], back[..., k:], np.asarray(np.tensordot(delta, joined, (range(delta.ndim - 1),) * 2))


def checked_query(scorer: Scorer, s: Any, H: Any) -> tuple[Array, Array]:
    """Return s (..., n) and H (..., T, k) as arrays, or raise a ValueError that says what fits."""
    state, memory = finite_array("s", s), finite_array("H", H)
    if memory.ndim < 2 or state.ndim < 1:
        raise ValueError(f"s must be (..., n) and H (..., T, k), got {state.shape} and {memory.shape}")
    n, k = scorer.sizes(state.shape[-1], memory.shape[-1])
    if (state.shape[-1], memory.shape[-1]) != (n, k):
        raise ValueError(f"s must be (..., {n}) and H (..., T, {k}), got {state.shape} and {memory.shape}")
    return state, memory


def finite_array(name: str, value: Any) -> Array:
    """Return a finite, read-only float64 copy of `value`, whatever its shape."""
    return checked_array(name, value, (None,) * np.ndim(value))
