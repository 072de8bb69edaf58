"""How well a state fits each place of a memory: the energies of attention, and their gradients.

Each scorer splits the work in two: `keys` of a memory, made once, and `energies` of a state.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from .arrays import Array, checked_array, checked_integer
from .cells.readout import count
from .cells.step import outer_sum
from .functions import dtanh, tanh


class Scorer(Protocol):
    """What attention needs of a scorer. s (..., n), H (..., T, k), keys (..., T, a)."""

    @property
    def parameter_count(self) -> int: ...
    def sizes(self, n: int, k: int) -> tuple[int, int]: ...
    def keys(self, H: Array) -> Array: ...
    def keys_vjp(self, H: Array, d_keys: Array) -> tuple[Array, dict[str, Array]]: ...
    def energies(self, s: Array, keys: Array) -> Array: ...
    def vjp(self, s: Array, keys: Array, d_energies: Array) -> ScorerGradients: ...


@dataclass(frozen=True, eq=False)
class ScorerGradients:
    """Gradients behind energies: s (..., n), keys (..., T, a), parameters summed over the batch."""

    s: Array
    keys: Array
    parameters: dict[str, Array]


@dataclass(frozen=True, eq=False)
class AdditiveScorer:
    """e_j = v^T tanh(W_s s + W_h h_j) (Bahdanau et al. 2015, appendix A.1.2).

    Parameters
    ----------
    W_s : (a, n)
    W_h : (a, k)
    v : (a,)
    """

    W_s: Array
    W_h: Array
    v: Array

    def __post_init__(self) -> None:
        v = checked_array("v", self.v, (None,))
        object.__setattr__(self, "v", v)
        object.__setattr__(self, "W_s", checked_array("W_s", self.W_s, (len(v), None)))
        object.__setattr__(self, "W_h", checked_array("W_h", self.W_h, (len(v), None)))

    @property
    def parameter_count(self) -> int:
        """How many numbers the scorer holds."""
        return count(self.W_s, self.W_h, self.v)

    def sizes(self, n: int, k: int) -> tuple[int, int]:
        """Return the sizes of state and memory that fit."""
        return self.W_s.shape[1], self.W_h.shape[1]

    def keys(self, H: Array) -> Array:
        """W_h h_j, shape (..., T, a)."""
        return H @ self.W_h.T

    def keys_vjp(self, H: Array, d_keys: Array) -> tuple[Array, dict[str, Array]]:
        """(dL/dh_j = W_h^T dL/d key_j, shape (..., T, k), and dL/dW_h summed over leading axes)."""
        return d_keys @ self.W_h, {"W_h": outer_sum(d_keys, H)}

    def energies(self, s: Array, keys: Array) -> Array:
        """v^T tanh(W_s s + key_j), shape (..., T)."""
        return tanh(self._inner(s, keys)) @ self.v

    def vjp(self, s: Array, keys: Array, d_energies: Array) -> ScorerGradients:
        """dL/d key_j = v * tanh'(.) dL/de_j, whose sum over j goes on to W_s s."""
        inner = self._inner(s, keys)
        d_keys = np.asarray(d_energies[..., None] * self.v * dtanh(inner))
        at_state = d_keys.sum(axis=-2)
        v = (d_energies[..., None, :] @ tanh(inner)).reshape(-1, len(self.v)).sum(axis=0)
        return ScorerGradients(at_state @ self.W_s, d_keys, {"W_s": outer_sum(at_state, s), "v": v})

    def _inner(self, s: Array, keys: Array) -> Array:
        return np.asarray((s @ self.W_s.T)[..., None, :] + keys)


@dataclass(frozen=True, eq=False)
class ConcatScorer:
    """e_j = v^T tanh(W [s; h_j]) (Luong et al. 2015, equation 8): additive, W cut in two.

    Parameters
    ----------
    W : (a, n + k)
    v : (a,)
    state_size : int
        n, where W is cut.

    Attributes
    ----------
    additive : AdditiveScorer
        The same scorer with W_s = W[:, :n] and W_h = W[:, n:].
    """

    W: Array
    v: Array
    state_size: int
    additive: AdditiveScorer = field(init=False, repr=False)

    def __post_init__(self) -> None:
        v = checked_array("v", self.v, (None,))
        W = checked_array("W", self.W, (len(v), None))
        n = checked_integer("state_size", self.state_size, 1, W.shape[1] - 1)
        object.__setattr__(self, "W", W)
        object.__setattr__(self, "v", v)
        object.__setattr__(self, "additive", AdditiveScorer(W[:, :n], W[:, n:], v))

    @property
    def parameter_count(self) -> int:
        """How many numbers the scorer holds."""
        return count(self.W, self.v)

    def sizes(self, n: int, k: int) -> tuple[int, int]:
        """Return the sizes of state and memory that fit."""
        return self.state_size, self.W.shape[1] - self.state_size

    def keys(self, H: Array) -> Array:
        """W_h h_j, shape (..., T, a)."""
        return self.additive.keys(H)

    def keys_vjp(self, H: Array, d_keys: Array) -> tuple[Array, dict[str, Array]]:
        """Return dL/dH (..., T, k), and dL/dW from the columns of the memory, 0 in the others."""
        back, parts = self.additive.keys_vjp(H, d_keys)
        return back, {"W": np.concatenate([np.zeros_like(self.additive.W_s), parts["W_h"]], axis=1)}

    def energies(self, s: Array, keys: Array) -> Array:
        """v^T tanh(W_s s + key_j), shape (..., T)."""
        return self.additive.energies(s, keys)

    def vjp(self, s: Array, keys: Array, d_energies: Array) -> ScorerGradients:
        """As additive; dL/dW from the columns of the state, 0 in the others."""
        back = self.additive.vjp(s, keys, d_energies)
        W = np.concatenate([back.parameters["W_s"], np.zeros_like(self.additive.W_h)], axis=1)
        return ScorerGradients(back.s, back.keys, {"W": W, "v": back.parameters["v"]})


@dataclass(frozen=True, eq=False)
class DotScorer:
    """e_j = s . h_j (Luong et al. 2015): no parameters, equal sizes of state and memory."""

    @property
    def parameter_count(self) -> int:
        """0."""
        return 0

    def sizes(self, n: int, k: int) -> tuple[int, int]:
        """Return the sizes of state and memory that fit: any, as long as they are equal."""
        return k, k

    def keys(self, H: Array) -> Array:
        """h_j itself, shape (..., T, k)."""
        return H

    def keys_vjp(self, H: Array, d_keys: Array) -> tuple[Array, dict[str, Array]]:
        """(dL/dh_j = dL/d key_j, no parameters)."""
        return d_keys, {}

    def energies(self, s: Array, keys: Array) -> Array:
        """s . key_j, shape (..., T)."""
        return np.asarray((keys @ s[..., :, None])[..., 0])

    def vjp(self, s: Array, keys: Array, d_energies: Array) -> ScorerGradients:
        """dL/ds = sum_j dL/de_j key_j, and dL/d key_j = dL/de_j s; no parameters of the state's side."""
        ds = (d_energies[..., None, :] @ keys)[..., 0, :]
        return ScorerGradients(ds, d_energies[..., :, None] * s[..., None, :], {})


@dataclass(frozen=True, eq=False)
class GeneralScorer(DotScorer):
    """e_j = s^T W h_j (Luong et al. 2015): the dot product with the key W h_j.

    Parameters
    ----------
    W : (n, k)
    """

    W: Array

    def __post_init__(self) -> None:
        object.__setattr__(self, "W", checked_array("W", self.W, (None, None)))

    @property
    def parameter_count(self) -> int:
        """How many numbers W holds."""
        return count(self.W)

    def sizes(self, n: int, k: int) -> tuple[int, int]:
        """Return the sizes of state and memory that fit."""
        return self.W.shape[0], self.W.shape[1]

    def keys(self, H: Array) -> Array:
        """W h_j, shape (..., T, n)."""
        return H @ self.W.T

    def keys_vjp(self, H: Array, d_keys: Array) -> tuple[Array, dict[str, Array]]:
        """(dL/dh_j = W^T dL/d key_j, shape (..., T, k), and dL/dW summed over leading axes)."""
        return d_keys @ self.W, {"W": outer_sum(d_keys, H)}


def added(total: Mapping[str, Array], more: Mapping[str, Array]) -> dict[str, Array]:
    """Return the sum of two sets of named gradients; a name may be in one of them only."""
    both = {name: total[name] + more[name] for name in total.keys() & more.keys()}
    return {**total, **more, **both}
