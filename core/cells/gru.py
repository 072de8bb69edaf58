"""The gated recurrent unit in its four variants; its state is h."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..arrays import Array, checked_array, checked_choice, checked_integer
from ..functions import dsigmoid, dtanh, sigmoid, tanh
from .readout import checked_readout, count
from .sizes import Sizes
from .step import StepGradients, outer_sum

RESETS = ("before", "after")
UPDATES = ("new", "old")


class _Slopes(NamedTuple):
    """What the derivatives of one step share, each (..., n): d h_t / d a_z and d a_g, and more."""

    kept: Array
    to_z: Array
    to_g: Array
    r: Array
    dr: Array


@dataclass(frozen=True, eq=False)
class GRU(Sizes):
    """A GRU cell; its state s is h. Arrays are kept as read-only float64 copies.

    z, r = sigmoid(W x + U h + b), each with its own block. The variants:

    reset="before": g = tanh(W x + U (r * h) + b), as Cho et al. 2014 (v3), Chung et al. 2014;
    reset="after": g = tanh(W x + r * (U h + b_hh) + b), as cuDNN, PyTorch, Keras.
    update="new": h_t = (1 - z) * h_{t-1} + z * g, as Chung et al. 2014: z is what is overwritten;
    update="old": h_t = z * h_{t-1} + (1 - z) * g, as Cho et al. 2014, PyTorch, Keras: z is what is kept.

    The two updates are one family: negate the z blocks. The two resets are not: `r` scales the rows
    of U after the product and its columns before it.

    Parameters
    ----------
    W_xh : (3, n, d)
        Input to hidden weights, blocks in the order z, r, g.
    W_hh : (3, n, n)
        Hidden to hidden weights, same order.
    b_h : (3, n)
        Biases, same order.
    W_hy : (m, n) or None
        Hidden to output weights; None for a cell without a read-out.
    b_y : (m,) or None
        Output bias; zeros where only W_hy is given.
    reset : "before" or "after"
    b_hh : (n,) or None
        The candidate's bias inside r * ( ), for reset="after"; None for a cell without it.
    update : "new" or "old"

    Raises
    ------
    ValueError
        For wrong shapes, non-finite weights, unknown variants, and b_hh with reset="before", where it
        would be a second name for the candidate's b_h; names the argument.
    """

    W_xh: Array
    W_hh: Array
    b_h: Array
    W_hy: Array | None = None
    b_y: Array | None = None
    reset: str = "before"
    b_hh: Array | None = None
    update: str = "new"

    gate_names: ClassVar[tuple[str, ...]] = ("z", "r", "g")

    def __post_init__(self) -> None:
        W_hh = checked_array("W_hh", self.W_hh, (3, None, None))
        n = checked_integer("hidden size of W_hh", W_hh.shape[1], 1)
        W_hy, b_y = checked_readout(self.W_hy, self.b_y, n)
        reset = checked_choice("reset", self.reset, RESETS)
        checked = {
            "W_xh": checked_array("W_xh", self.W_xh, (3, n, None)),
            "W_hh": checked_array("W_hh", self.W_hh, (3, n, n)),
            "b_h": checked_array("b_h", self.b_h, (3, n)),
            "W_hy": W_hy,
            "b_y": b_y,
            "b_hh": _checked_inner_bias(self.b_hh, reset, n),
            "update": checked_choice("update", self.update, UPDATES),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    @property
    def state_size(self) -> int:
        """s = n: the state is h."""
        return self.hidden_size

    @property
    def parameter_count(self) -> int:
        """How many numbers the cell and its read-out hold; 3/4 of an LSTM's where b_hh is None."""
        return count(self.W_xh, self.W_hh, self.b_h, self.b_hh, self.W_hy, self.b_y)

    def preactivations(self, x: Array, state: Array) -> Array:
        """a_t of z, r and g, shape (..., 3, n); that of g depends on r.

        a = W x + U h + b for z and r; a_g = W x + U (r * h) + b, or W x + r * (U h + b_hh) + b.
        """
        n = self.hidden_size
        driven = x @ self.W_xh.reshape(3 * n, self.input_size).T
        driven = driven.reshape(*driven.shape[:-1], 3, n) + self.b_h
        recurrent = state @ self.W_hh[:2].reshape(2 * n, n).T
        gates = driven[..., :2, :] + recurrent.reshape(*recurrent.shape[:-1], 2, n)
        candidate = driven[..., 2, :] + self._reset_product(sigmoid(gates[..., 1, :]), state)
        return np.concatenate([gates, candidate[..., None, :]], axis=-2)

    def gates(self, preactivations: Array) -> dict[str, Array]:
        """z, r = sigmoid(a) and g = tanh(a) by name, each (..., n)."""
        blocks = np.moveaxis(self.gate_values(preactivations), -2, 0)
        return dict(zip(self.gate_names, blocks, strict=True))

    def gate_values(self, preactivations: Array) -> Array:
        """z, r = sigmoid(a) and g = tanh(a), shape (..., 3, n)."""
        squashed = sigmoid(preactivations[..., :2, :])
        return np.concatenate([squashed, tanh(preactivations[..., 2:, :])], axis=-2)

    def gate_slopes(self, preactivations: Array) -> Array:
        """sigmoid'(a) for z, r and tanh'(a) for g, shape (..., 3, n)."""
        squashed = dsigmoid(preactivations[..., :2, :])
        return np.concatenate([squashed, dtanh(preactivations[..., 2:, :])], axis=-2)

    def advance(self, preactivations: Array, state: Array) -> Array:
        """h_t = (1 - z) * h_{t-1} + z * g, or z * h_{t-1} + (1 - z) * g, shape (..., n)."""
        z, g = sigmoid(preactivations[..., 0, :]), tanh(preactivations[..., 2, :])
        kept, written = (1.0 - z, z) if self.update == "new" else (z, 1.0 - z)
        return np.asarray(kept * state + written * g)

    def step(self, x: Array, state: Array) -> Array:
        """Return h_t, shape (..., n), from x_t (..., d) and h_{t-1} (..., n)."""
        return self.advance(self.preactivations(x, state), state)

    def jacobian(self, x: Array, state: Array) -> Array:
        """d h_t / d h_{t-1}, shape (..., n, n), in numerator layout.

        diag(kept) + diag(dh/da_z) U_z + diag(dh/da_g) N, with N = d a_g / d h_{t-1}:
        U_g (diag(r) + diag(h r') U_r) before, diag(r) U_g + diag((U_g h + b_hh) r') U_r after.
        """
        at = self._slopes(x, state)
        U_z, U_r, U_g = self.W_hh
        if self.reset == "before":
            inner = U_g * at.r[..., None, :] + (U_g * (state * at.dr)[..., None, :]) @ U_r
        else:
            inner = at.r[..., :, None] * U_g + (self._inner(state) * at.dr)[..., :, None] * U_r
        skip = at.kept[..., :, None] * np.eye(self.hidden_size)
        return np.asarray(skip + at.to_z[..., :, None] * U_z + at.to_g[..., :, None] * inner)

    def vjp(self, x: Array, state: Array, gradient: Array) -> StepGradients:
        """Carry dL/dh_t = `gradient` (..., n) back through one step.

        dL/da_r is what reaches r through the candidate: dL/dr is h * U_g^T dL/da_g before, and
        (U_g h + b_hh) * dL/da_g after.
        """
        at = self._slopes(x, state)
        dz, dg = at.to_z * gradient, at.to_g * gradient
        if self.reset == "before":
            arriving = dg @ self.W_hh[2]
            dr, through_g = at.dr * state * arriving, at.r * arriving
        else:
            dr, through_g = at.dr * self._inner(state) * dg, (at.r * dg) @ self.W_hh[2]
        back = at.kept * gradient + dz @ self.W_hh[0] + dr @ self.W_hh[1] + through_g
        delta = np.stack([dz, dr, dg], axis=-2)
        dx = self._flat(delta) @ self.W_xh.reshape(3 * self.hidden_size, self.input_size)
        return StepGradients(back, dx, delta)

    def parameter_gradients(self, x: Array, state: Array, delta: Array) -> dict[str, Array]:
        """dL/dW_xh, dL/dW_hh, dL/db_h (and dL/db_hh), summed over leading axes, from dL/da (..., 3, n)."""
        rows, columns = self._used(x, state, delta)
        blocks = [outer_sum(rows[..., index, :], columns[..., index, :]) for index in range(3)]
        found = {
            "W_xh": outer_sum(self._flat(delta), x).reshape(self.W_xh.shape),
            "W_hh": np.stack(blocks),
            "b_h": delta.reshape(-1, 3, self.hidden_size).sum(axis=0),
        }
        if self.b_hh is not None:
            found["b_hh"] = rows[..., 2, :].reshape(-1, self.hidden_size).sum(axis=0)
        return found

    def recurrent_tiles(self, x: Array, state: Array, delta: Array) -> Array:
        """What each use of W_hh adds to dL/dW_hh, by block, shape (..., 3, n, n).

        dL/da h_{t-1}^T; of the candidate dL/da_g (r * h)^T before, (r * dL/da_g) h^T after.
        """
        rows, columns = self._used(x, state, delta)
        return np.asarray(rows[..., :, None] * columns[..., None, :])

    def _used(self, x: Array, state: Array, delta: Array) -> tuple[Array, Array]:
        """Return dL/d(W_hh v) and v for each use W_hh v, both (..., 3, n)."""
        r = sigmoid(self.preactivations(x, state)[..., 1, :])
        rows, columns = delta.copy(), np.broadcast_to(state[..., None, :], delta.shape).copy()
        if self.reset == "before":
            columns[..., 2, :] *= r
        else:
            rows[..., 2, :] *= r
        return rows, columns

    def _reset_product(self, r: Array, state: Array) -> Array:
        """U_g (r * h), or r * (U_g h + b_hh): the state's part in a_g, shape (..., n)."""
        if self.reset == "before":
            return np.asarray((r * state) @ self.W_hh[2].T)
        return r * self._inner(state)

    def _inner(self, state: Array) -> Array:
        """U_g h + b_hh, shape (..., n)."""
        product = np.asarray(state @ self.W_hh[2].T)
        return product if self.b_hh is None else product + self.b_hh

    def _flat(self, blocks: Array) -> Array:
        return blocks.reshape(*blocks.shape[:-2], 3 * self.hidden_size)

    def _slopes(self, x: Array, state: Array) -> _Slopes:
        a = self.preactivations(x, state)
        z, r, g = np.moveaxis(self.gate_values(a), -2, 0)
        dz, dr, dg = np.moveaxis(self.gate_slopes(a), -2, 0)
        if self.update == "new":
            return _Slopes(kept=1.0 - z, to_z=(g - state) * dz, to_g=z * dg, r=r, dr=dr)
        return _Slopes(kept=z, to_z=(state - g) * dz, to_g=(1.0 - z) * dg, r=r, dr=dr)


def _checked_inner_bias(b_hh: Any, reset: str, n: int) -> Array | None:
    if b_hh is None:
        return None
    if reset == "before":
        raise ValueError('b_hh must be None with reset="before" (b_h holds the only bias), got an array')
    return checked_array("b_hh", b_hh, (n,))
