"""How well a state fits each place of a memory: the energies of attention, and their gradients.

Each scorer splits the work in two: `keys` of a memory, made once, and `energies` of a state.
"""

from __future__ import annotations

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
    def keys_vjp(self, d_keys: Array) -> Array: ...
    def key_parameter_gradients(self, H: Array, d_keys: Array) -> dict[str, Array]: ...
    def energies(self, s: Array, keys: Array) -> Array: ...
    def vjp(self, s: Array, keys: Array, d_energies: Array) -> tuple[Array, Array]: ...
    def parameter_gradients(self, s: Array, keys: Array, d_energies: Array) -> dict[str, Array]: ...


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

    def keys_vjp(self, d_keys: Array) -> Array:
        """dL/dh_j = W_h^T dL/d key_j, shape (..., T, k)."""
        return d_keys @ self.W_h

    def key_parameter_gradients(self, H: Array, d_keys: Array) -> dict[str, Array]:
        """dL/dW_h, summed over leading axes."""
        return {"W_h": outer_sum(d_keys, H)}

    def energies(self, s: Array, keys: Array) -> Array:
        """v^T tanh(W_s s + key_j), shape (..., T)."""
        return tanh(self._inner(s, keys)) @ self.v

    def vjp(self, s: Array, keys: Array, d_energies: Array) -> tuple[Array, Array]:
        """(dL/ds (..., n), dL/d keys (..., T, a)): dL/d key_j = v * tanh'(.) dL/de_j."""
        d_keys = self._delta(s, keys, d_energies)
        return d_keys.sum(axis=-2) @ self.W_s, d_keys

    def parameter_gradients(self, s: Array, keys: Array, d_energies: Array) -> dict[str, Array]:
        """dL/dW_s and dL/dv, summed over leading axes."""
        at_state = self._delta(s, keys, d_energies).sum(axis=-2)
        each = tanh(self._inner(s, keys)) * d_energies[..., None]
        return {"W_s": outer_sum(at_state, s), "v": each.reshape(-1, len(self.v)).sum(axis=0)}

    def _inner(self, s: Array, keys: Array) -> Array:
        return np.asarray((s @ self.W_s.T)[..., None, :] + keys)

    def _delta(self, s: Array, keys: Array, d_energies: Array) -> Array:
        return np.asarray(d_energies[..., None] * self.v * dtanh(self._inner(s, keys)))


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

    def keys_vjp(self, d_keys: Array) -> Array:
        """dL/dh_j = W_h^T dL/d key_j, shape (..., T, k)."""
        return self.additive.keys_vjp(d_keys)

    def key_parameter_gradients(self, H: Array, d_keys: Array) -> dict[str, Array]:
        """dL/dW from the columns of the memory; those of the state hold 0."""
        at_memory = outer_sum(d_keys, H)
        return {"W": np.concatenate([np.zeros((len(self.v), self.state_size)), at_memory], axis=1)}

    def energies(self, s: Array, keys: Array) -> Array:
        """v^T tanh(W_s s + key_j), shape (..., T)."""
        return self.additive.energies(s, keys)

    def vjp(self, s: Array, keys: Array, d_energies: Array) -> tuple[Array, Array]:
        """(dL/ds (..., n), dL/d keys (..., T, a))."""
        return self.additive.vjp(s, keys, d_energies)

    def parameter_gradients(self, s: Array, keys: Array, d_energies: Array) -> dict[str, Array]:
        """dL/dv, and dL/dW from the columns of the state; those of the memory hold 0."""
        parts = self.additive.parameter_gradients(s, keys, d_energies)
        at_memory = np.zeros((len(self.v), self.W.shape[1] - self.state_size))
        return {"W": np.concatenate([parts["W_s"], at_memory], axis=1), "v": parts["v"]}


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

    def keys_vjp(self, d_keys: Array) -> Array:
        """dL/dh_j = dL/d key_j."""
        return d_keys

    def key_parameter_gradients(self, H: Array, d_keys: Array) -> dict[str, Array]:
        """Return an empty dict: there are no parameters."""
        return {}

    def energies(self, s: Array, keys: Array) -> Array:
        """s . key_j, shape (..., T)."""
        return np.asarray((keys @ s[..., :, None])[..., 0])

    def vjp(self, s: Array, keys: Array, d_energies: Array) -> tuple[Array, Array]:
        """dL/ds = sum_j dL/de_j key_j, and dL/d key_j = dL/de_j s."""
        ds = (d_energies[..., None, :] @ keys)[..., 0, :]
        return ds, d_energies[..., :, None] * s[..., None, :]

    def parameter_gradients(self, s: Array, keys: Array, d_energies: Array) -> dict[str, Array]:
        """Return an empty dict: there are no parameters."""
        return {}


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

    def keys_vjp(self, d_keys: Array) -> Array:
        """dL/dh_j = W^T dL/d key_j, shape (..., T, k)."""
        return d_keys @ self.W

    def key_parameter_gradients(self, H: Array, d_keys: Array) -> dict[str, Array]:
        """dL/dW, summed over leading axes."""
        return {"W": outer_sum(d_keys, H)}
