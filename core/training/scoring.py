"""Attention during training: energies of a batch of states against a memory, and back; batch first.

Two kinds cover the four: dot and general are a product with keys, additive and concat a tanh of keys and query.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from .gru_chain import Floats

Parameters = Mapping[str, Floats]


@dataclass(eq=False)
class ProductScoring:
    """e_j = s . k_j with k_j = W h_j (general) or h_j (dot). Gathers dL/d keys over the steps.

    Parameters
    ----------
    memory : (B, T, n)
    W : (n, n) or None
    """

    memory: Floats
    W: Floats | None = None
    keys: Floats = field(init=False)
    d_keys: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.keys = self.memory if self.W is None else self.memory @ self.W.T
        self.d_keys = np.zeros_like(self.keys)

    def energies(self, s: Floats) -> Floats:
        """s . k_j, shape (B, T) from s (B, n)."""
        found: Floats = (self.keys @ s[:, :, None])[:, :, 0]
        return found

    def back(self, t: int, s: Floats, d_energies: Floats) -> Floats:
        """dL/ds = sum_j dL/de_j k_j; dL/dk_j grows by dL/de_j s."""
        self.d_keys += d_energies[:, :, None] * s[:, None, :]
        found: Floats = (d_energies[:, None, :] @ self.keys)[:, 0]
        return found

    def finish(self) -> tuple[Floats, dict[str, Floats]]:
        """Return dL/dH (B, T, n) through the keys, and the parameters' gradients."""
        if self.W is None:
            return self.d_keys, {}
        return self.d_keys @ self.W, {"W": rows(self.d_keys).T @ rows(self.memory)}


@dataclass(eq=False)
class TanhScoring:
    """e_j = v . tanh(W_s s + W_h h_j). Keeps every step's tanh for the way back, and gathers gradients over it.

    Parameters
    ----------
    memory : (B, T, n)
    W_s, W_h : (a, n)
    v : (a,)
    joined : bool
        The parameter is W = [W_s, W_h] (concat), not the two (additive).
    """

    memory: Floats
    W_s: Floats
    W_h: Floats
    v: Floats
    joined: bool = False
    keys: Floats = field(init=False)
    d_keys: Floats = field(init=False)
    d_W_s: Floats = field(init=False)
    d_v: Floats = field(init=False)
    inner: list[Floats] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.keys = self.memory @ self.W_h.T
        self.d_keys, self.d_W_s, self.d_v = (np.zeros_like(like) for like in (self.keys, self.W_s, self.v))

    def energies(self, s: Floats) -> Floats:
        """v . tanh(W_s s + k_j), shape (B, T) from s (B, n)."""
        inner = self.keys + (s @ self.W_s.T)[:, None, :]
        np.tanh(inner, out=inner)
        self.inner.append(inner)
        found: Floats = inner @ self.v
        return found

    def back(self, t: int, s: Floats, d_energies: Floats) -> Floats:
        """dL/dk_j = dL/de_j v (1 - tanh²), whose sum over j goes on to W_s s; step t's tanh is used up."""
        inner = self.inner[t]
        self.d_v += d_energies.reshape(-1) @ rows(inner)
        np.multiply(inner, inner, out=inner)
        np.subtract(1, inner, out=inner)
        inner *= d_energies[:, :, None]
        inner *= self.v
        self.d_keys += inner
        at_state = inner.sum(axis=1)
        self.d_W_s += at_state.T @ s
        found: Floats = at_state @ self.W_s
        return found

    def finish(self) -> tuple[Floats, dict[str, Floats]]:
        """Return dL/dH (B, T, n) through the keys, and the parameters' gradients."""
        d_W_h = rows(self.d_keys).T @ rows(self.memory)
        if self.joined:
            return self.d_keys @ self.W_h, {"W": np.concatenate([self.d_W_s, d_W_h], axis=1), "v": self.d_v}
        return self.d_keys @ self.W_h, {"W_s": self.d_W_s, "W_h": d_W_h, "v": self.d_v}


def scoring(kind: str, parameters: Parameters, memory: Floats) -> ProductScoring | TanhScoring | None:
    """Return the scoring of a kind with the model's parameters; None of "none"."""
    if kind == "none":
        return None
    own = {name.partition(".")[2]: value for name, value in parameters.items() if name.startswith("attention.")}
    if kind == "additive":
        return TanhScoring(memory, own["W_s"], own["W_h"], own["v"])
    if kind == "concat":
        n = memory.shape[-1]
        return TanhScoring(memory, own["W"][:, :n], own["W"][:, n:], own["v"], joined=True)
    return ProductScoring(memory, own.get("W"))


def rows(array: Floats) -> Floats:
    """Return (..., k) as rows (N, k)."""
    return array.reshape(-1, array.shape[-1])
