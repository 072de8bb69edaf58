"""The long short-term memory cell without peepholes; its state is [h; c]."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..arrays import Array, checked_array, checked_integer
from ..functions import dsigmoid, dtanh, sigmoid, tanh
from .readout import checked_readout, count
from .sizes import Sizes
from .step import StepGradients, outer_sum


@dataclass(frozen=True, eq=False)
class LSTMLinearization:
    """The step Jacobians of a run as their factors; see `LSTM.jacobian`.

    Attributes
    ----------
    to_c : (T, 4, n) dc_t/da, 0 for o
    to_h : (T, n) dh_t/da_o
    kept : (T, n) dc_t/dc_{t-1} = f
    opened : (T, n) dh_t/dc_t
    W_hh : (4n, n), blocks in the order f, i, o, g
    """

    to_c: Array
    to_h: Array
    kept: Array
    opened: Array
    W_hh: Array

    def push(self, index: int, tangents: Array) -> Array:
        """J v for every row v = [v_h, v_c] of `tangents` (..., 2n): through a, then c, then h."""
        n = self.kept.shape[-1]
        da = tangents[..., :n].dot(self.W_hh.T).reshape(*tangents.shape[:-1], 4, n)
        dc = self.kept[index] * tangents[..., n:] + (self.to_c[index] * da).sum(axis=-2)
        dh = self.opened[index] * dc + self.to_h[index] * da[..., 2, :]
        return np.concatenate([dh, dc], axis=-1)

    def pull(self, index: int, gradients: Array) -> Array:
        """J^T g for every row g = [g_h, g_c] of `gradients` (..., 2n): `push` backwards."""
        n = self.kept.shape[-1]
        dh = gradients[..., :n]
        dc = gradients[..., n:] + self.opened[index] * dh
        da = self.to_c[index] * dc[..., None, :]
        da[..., 2, :] = self.to_h[index] * dh
        back = da.reshape(*dc.shape[:-1], 4 * n).dot(self.W_hh)
        return np.concatenate([back, self.kept[index] * dc], axis=-1)


@dataclass(frozen=True, eq=False)
class LSTM(Sizes):
    """An LSTM cell; its state s is [h; c], size 2n. Arrays are kept as read-only float64 copies.

    f, i, o = sigmoid(W h + U x + b) and g = tanh(W h + U x + b), each with its own block;
    c_t = f * c_{t-1} + i * g and h_t = o * tanh(c_t).

    Parameters
    ----------
    W_xh : (4, n, d)
        Input to hidden weights, blocks in the order f, i, o, g.
    W_hh : (4, n, n)
        Hidden to hidden weights, same order.
    b_h : (4, n)
        Biases, same order.
    W_hy : (m, n) or None
        Hidden to output weights; None for a cell without a read-out.
    b_y : (m,) or None
        Output bias; zeros where only W_hy is given.

    Raises
    ------
    ValueError
        For wrong shapes and non-finite weights; names the argument.
    """

    W_xh: Array
    W_hh: Array
    b_h: Array
    W_hy: Array | None = None
    b_y: Array | None = None

    gate_names: ClassVar[tuple[str, ...]] = ("f", "i", "o", "g")

    def __post_init__(self) -> None:
        W_hh = checked_array("W_hh", self.W_hh, (4, None, None))
        n = checked_integer("hidden size of W_hh", W_hh.shape[1], 1)
        checked = {
            "W_xh": checked_array("W_xh", self.W_xh, (4, n, None)),
            "W_hh": checked_array("W_hh", self.W_hh, (4, n, n)),
            "b_h": checked_array("b_h", self.b_h, (4, n)),
        }
        W_hy, b_y = checked_readout(self.W_hy, self.b_y, n)
        for name, value in {**checked, "W_hy": W_hy, "b_y": b_y}.items():
            object.__setattr__(self, name, value)

    @property
    def state_size(self) -> int:
        """s = 2n: the state is [h; c]."""
        return 2 * self.hidden_size

    @property
    def parameter_count(self) -> int:
        """How many numbers the cell and its read-out hold."""
        return count(self.W_xh, self.W_hh, self.b_h, self.W_hy, self.b_y)

    def preactivations(self, x: Array, state: Array) -> Array:
        """a_t = W_hh h_{t-1} + W_xh x_t + b_h for every block, shape (..., 4, n)."""
        h, _ = self._split(state)
        recurrent = h @ self.W_hh.reshape(-1, self.hidden_size).T
        driven = x @ self.W_xh.reshape(4 * self.hidden_size, self.input_size).T
        blocks = recurrent + driven
        return blocks.reshape(*blocks.shape[:-1], 4, self.hidden_size) + self.b_h

    def gates(self, preactivations: Array) -> dict[str, Array]:
        """f, i, o = sigmoid(a) and g = tanh(a) by name, each (..., n)."""
        blocks = np.moveaxis(self.gate_values(preactivations), -2, 0)
        return dict(zip(self.gate_names, blocks, strict=True))

    def gate_values(self, preactivations: Array) -> Array:
        """f, i, o = sigmoid(a) and g = tanh(a), shape (..., 4, n)."""
        squashed = sigmoid(preactivations[..., :3, :])
        return np.concatenate([squashed, tanh(preactivations[..., 3:, :])], axis=-2)

    def gate_slopes(self, preactivations: Array) -> Array:
        """sigmoid'(a) for f, i, o and tanh'(a) for g, shape (..., 4, n)."""
        squashed = dsigmoid(preactivations[..., :3, :])
        return np.concatenate([squashed, dtanh(preactivations[..., 3:, :])], axis=-2)

    def advance(self, preactivations: Array, state: Array) -> Array:
        """c_t = f * c_{t-1} + i * g and h_t = o * tanh(c_t), side by side, shape (..., 2n)."""
        f, i, o, g = np.moveaxis(self.gate_values(preactivations), -2, 0)
        c = f * self._split(state)[1] + i * g
        return np.concatenate([o * tanh(c), c], axis=-1)

    def fill_run(self, xs: Array, states: Array, preactivations: Array) -> None:
        """Write a_t (T, 4, n) and [h_t; c_t] (T + 1, 2n; the first is given) of a whole run: `step` in place."""
        n = self.hidden_size
        recurrent = self.W_hh.reshape(4 * n, n)
        preactivations[:] = np.tensordot(xs, self.W_xh, axes=(1, 2)) + self.b_h
        for t, a in enumerate(preactivations):
            np.add(a, recurrent.dot(states[t, :n]).reshape(4, n), out=a)
            f, i, o = sigmoid(a[:3])
            c = f * states[t, n:] + i * tanh(a[3])
            states[t + 1, n:] = c
            states[t + 1, :n] = o * tanh(c)

    def step(self, x: Array, state: Array) -> Array:
        """Return state_t = [h_t; c_t], shape (..., 2n), from x_t (..., d) and state_{t-1}."""
        return self.advance(self.preactivations(x, state), state)

    def jacobian(self, x: Array, state: Array) -> Array:
        """d state_t / d state_{t-1}, shape (..., 2n, 2n), in numerator layout.

        With A = dc_t/dh_{t-1} and E = diag(o tanh'(c_t)): [[E A + dh_t/do W_o', E F], [A, F]],
        rows (h_t, c_t), columns (h_{t-1}, c_{t-1}), F = diag(f).
        """
        to_c, to_h, kept, opened = self._local_slopes(self.preactivations(x, state), state)
        A = np.einsum("...gi,gij->...ij", to_c, self.W_hh)
        diagonal = kept[..., :, None] * np.eye(self.hidden_size)
        top_h = opened[..., :, None] * A + to_h[..., :, None] * self.W_hh[2]
        rows_h = np.concatenate([top_h, opened[..., :, None] * diagonal], axis=-1)
        return np.concatenate([rows_h, np.concatenate([A, diagonal], axis=-1)], axis=-2)

    def vjp(self, x: Array, state: Array, gradient: Array) -> StepGradients:
        """Carry dL/d state_t = `gradient` (..., 2n) back through one step.

        dL/dc_t collects what came through h_t: dc = gradient_c + o tanh'(c_t) gradient_h.
        """
        to_c, to_h, kept, opened = self._local_slopes(self.preactivations(x, state), state)
        dh, dc = self._split(gradient)
        dc = dc + opened * dh
        delta = to_c * dc[..., None, :]
        delta[..., 2, :] = to_h * dh
        flat = self._flat(delta)
        back = flat @ self.W_hh.reshape(-1, self.hidden_size)
        dx = flat @ self.W_xh.reshape(4 * self.hidden_size, self.input_size)
        return StepGradients(np.concatenate([back, kept * dc], axis=-1), dx, delta)

    def linearize(self, preactivations: Array, states: Array) -> LSTMLinearization:
        """Return the Jacobians of T steps in factors, from a_t (T, 4, n) and the states before (T, 2n)."""
        to_c, to_h, kept, opened = self._local_slopes(preactivations, states)
        return LSTMLinearization(to_c, to_h, kept, opened, self.W_hh.reshape(-1, self.hidden_size))

    def parameter_gradients(self, x: Array, state: Array, delta: Array) -> dict[str, Array]:
        """dL/dW_xh, dL/dW_hh, dL/db_h, summed over leading axes, from delta = dL/da (..., 4, n)."""
        flat = self._flat(delta)
        return {
            "W_xh": outer_sum(flat, x).reshape(self.W_xh.shape),
            "W_hh": outer_sum(flat, self._split(state)[0]).reshape(self.W_hh.shape),
            "b_h": delta.reshape(-1, 4, self.hidden_size).sum(axis=0),
        }

    def recurrent_tiles(self, x: Array, state: Array, delta: Array) -> Array:
        """dL/da_t h_{t-1}^T by block: what each use of W_hh adds, shape (..., 4, n, n)."""
        return np.asarray(delta[..., :, None] * self._split(state)[0][..., None, None, :])

    def _flat(self, blocks: Array) -> Array:
        return blocks.reshape(*blocks.shape[:-2], 4 * self.hidden_size)

    def _split(self, state: Array) -> tuple[Array, Array]:
        n = self.hidden_size
        return state[..., :n], state[..., n:]

    def _local_slopes(self, a: Array, state: Array) -> tuple[Array, Array, Array, Array]:
        """Return dc/da (..., 4, n; 0 for o), dh/da_o, dc_t/dc_{t-1} = f, dh/dc (all (..., n))."""
        f, i, o, g = np.moveaxis(self.gate_values(a), -2, 0)
        c_before = self._split(state)[1]
        c = f * c_before + i * g
        slopes = self.gate_slopes(a)
        to_c = slopes * np.stack([c_before, g, np.zeros_like(g), i], axis=-2)
        return to_c, slopes[..., 2, :] * tanh(c), f, o * dtanh(c)
