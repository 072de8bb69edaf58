"""One step of each cell with operations in force: what goes forward, and what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from .arrays import Array
from .cells import GRU, LSTM, RNN, Cell
from .cells.step import StepGradients, outer_sum
from .functions import ACTIVATIONS, dtanh, sigmoid, tanh


class Guide(NamedTuple):
    """The operations of one step, or of T steps at once.

    keep : (..., 1)
        1, or 0 where the recurrent weights are cut.
    clamped : (..., gates, n)
        True where a gate is held.
    values : (..., gates, n)
        What it is held at.
    """

    keep: Array
    clamped: npt.NDArray[np.bool_]
    values: Array

    def gates(self, cell: Any, a: Array) -> Array:
        """Gate values (..., gates, n), the clamped ones in place."""
        return np.where(self.clamped, self.values, cell.gate_values(a))

    def slopes(self, cell: Any, a: Array) -> Array:
        """Their derivatives by a: 0 where clamped."""
        return np.where(self.clamped, 0.0, cell.gate_slopes(a))

    def seen(self, h: Array) -> Array:
        """What the recurrent weights see of h (..., n): zeros at a cut, even where h is infinite."""
        return np.where(self.keep > 0, h, 0.0)

    def at(self, index: int) -> Guide:
        return Guide(self.keep[index], self.clamped[index], self.values[index])


class Steps(Protocol):
    """What an operation needs to know of a cell. `fill` does what an untouched run does, to the last bit."""

    def fill(self, cell: Any, xs: Array, guide: Guide, states: Array, a: Array) -> None: ...
    def vjp(self, cell: Any, x: Array, state: Array, guide: Guide, gradient: Array) -> StepGradients: ...
    def parameters(self, cell: Any, x: Array, state: Array, guide: Guide, delta: Array) -> dict[str, Array]: ...
    def tiles(self, cell: Any, x: Array, state: Array, guide: Guide, delta: Array) -> Array: ...


class _RNNSteps:
    """h_t = phi(W_hh (keep h_{t-1}) + W_xh x_t + b_h): an RNN has no gate to clamp."""

    def fill(self, cell: RNN, xs: Array, guide: Guide, states: Array, a: Array) -> None:
        np.matmul(xs, cell.W_xh.T, out=a)
        a += cell.b_h
        for t in range(len(xs)):
            np.add(a[t], cell.W_hh.dot(guide.at(t).seen(states[t])), a[t])
            ACTIVATIONS[cell.activation][0](a[t], states[t + 1])

    def vjp(self, cell: RNN, x: Array, state: Array, guide: Guide, gradient: Array) -> StepGradients:
        back = cell.vjp(x, guide.seen(state), gradient)
        return StepGradients(guide.keep * back.state, back.x, back.preactivations)

    def parameters(self, cell: RNN, x: Array, state: Array, guide: Guide, delta: Array) -> dict[str, Array]:
        return cell.parameter_gradients(x, guide.seen(state), delta)

    def tiles(self, cell: RNN, x: Array, state: Array, guide: Guide, delta: Array) -> Array:
        return cell.recurrent_tiles(x, guide.seen(state), delta)


class _LSTMSteps:
    """Clamped gates in c_t = f * c_{t-1} + i * g and h_t = o * tanh(c_t); a cut leaves the line of c as it is."""

    def fill(self, cell: LSTM, xs: Array, guide: Guide, states: Array, a: Array) -> None:
        n = cell.hidden_size
        recurrent = cell.W_hh.reshape(4 * n, n)
        a[:] = np.tensordot(xs, cell.W_xh, axes=(1, 2)) + cell.b_h
        for t in range(len(xs)):
            np.add(a[t], recurrent.dot(guide.at(t).seen(states[t, :n])).reshape(4, n), out=a[t])
            f, i, o, g = guide.at(t).gates(cell, a[t])
            states[t + 1, n:] = f * states[t, n:] + i * g
            states[t + 1, :n] = o * tanh(states[t + 1, n:])

    def vjp(self, cell: LSTM, x: Array, state: Array, guide: Guide, gradient: Array) -> StepGradients:
        n = cell.hidden_size
        c_before, dh = state[..., n:], gradient[..., :n]
        a = cell.preactivations(x, self._cut(state, guide))
        f, i, o, g = np.moveaxis(guide.gates(cell, a), -2, 0)
        slopes, c = guide.slopes(cell, a), f * c_before + i * g
        dc = gradient[..., n:] + o * dtanh(c) * dh
        ways = [c_before * dc, g * dc, tanh(c) * dh, i * dc]
        delta = slopes * np.stack(np.broadcast_arrays(*ways), axis=-2)
        flat = delta.reshape(*delta.shape[:-2], 4 * n)
        back = guide.keep * (flat @ cell.W_hh.reshape(4 * n, n))
        dx = flat @ cell.W_xh.reshape(4 * n, cell.input_size)
        return StepGradients(np.concatenate([back, f * dc], axis=-1), dx, delta)

    def parameters(self, cell: LSTM, x: Array, state: Array, guide: Guide, delta: Array) -> dict[str, Array]:
        return cell.parameter_gradients(x, self._cut(state, guide), delta)

    def tiles(self, cell: LSTM, x: Array, state: Array, guide: Guide, delta: Array) -> Array:
        return cell.recurrent_tiles(x, self._cut(state, guide), delta)

    @staticmethod
    def _cut(state: Array, guide: Guide) -> Array:
        n = state.shape[-1] // 2
        return np.concatenate([guide.seen(state[..., :n]), state[..., n:]], axis=-1)


class _GRUSteps:
    """A cut leaves the line of h (kept * h_{t-1}) as it is: z, r and the candidate alone see zeros."""

    def fill(self, cell: GRU, xs: Array, guide: Guide, states: Array, a: Array) -> None:
        for t, x in enumerate(xs):
            now = guide.at(t)
            a[t] = self._preactivations(cell, x, now.seen(states[t]), now)
            z, _, g = now.gates(cell, a[t])
            kept, written = (1.0 - z, z) if cell.update == "new" else (z, 1.0 - z)
            states[t + 1] = kept * states[t] + written * g

    def vjp(self, cell: GRU, x: Array, state: Array, guide: Guide, gradient: Array) -> StepGradients:
        before, n = guide.seen(state), cell.hidden_size
        a = self._preactivations(cell, x, before, guide)
        z, r, g = np.moveaxis(guide.gates(cell, a), -2, 0)
        sz, sr, sg = np.moveaxis(guide.slopes(cell, a), -2, 0)
        new = cell.update == "new"
        kept, written, turned = (1.0 - z, z, g - state) if new else (z, 1.0 - z, state - g)
        dz, dg = turned * sz * gradient, written * sg * gradient
        arriving = dg @ cell.W_hh[2] if cell.reset == "before" else r * dg
        through_g = r * arriving if cell.reset == "before" else arriving @ cell.W_hh[2]
        dr = sr * (before * arriving if cell.reset == "before" else self._inner(cell, before) * dg)
        back = kept * gradient + guide.keep * (dz @ cell.W_hh[0] + dr @ cell.W_hh[1] + through_g)
        delta = np.stack(np.broadcast_arrays(dz, dr, dg), axis=-2)
        dx = delta.reshape(*delta.shape[:-2], 3 * n) @ cell.W_xh.reshape(3 * n, cell.input_size)
        return StepGradients(back, dx, delta)

    def parameters(self, cell: GRU, x: Array, state: Array, guide: Guide, delta: Array) -> dict[str, Array]:
        before = guide.seen(state)
        found = cell.parameter_gradients(x, before, delta)
        rows, columns = self._candidate_use(cell, x, before, guide, delta)
        found["W_hh"] = np.concatenate([found["W_hh"][:2], outer_sum(rows, columns)[None]])
        if cell.b_hh is not None:
            found["b_hh"] = rows.reshape(-1, cell.hidden_size).sum(axis=0)
        return found

    def tiles(self, cell: GRU, x: Array, state: Array, guide: Guide, delta: Array) -> Array:
        before = guide.seen(state)
        rows, columns = self._candidate_use(cell, x, before, guide, delta)
        tiles = np.array(cell.recurrent_tiles(x, before, delta))
        tiles[..., 2, :, :] = rows[..., :, None] * columns[..., None, :]
        return tiles

    def _candidate_use(self, cell: GRU, x: Array, before: Array, guide: Guide, delta: Array) -> tuple[Array, Array]:
        """Return dL/d(U_g v) and v of the candidate's use of U_g, both (..., n); r may be clamped."""
        r = guide.gates(cell, self._preactivations(cell, x, before, guide))[..., 1, :]
        if cell.reset == "before":
            return delta[..., 2, :], r * before
        return r * delta[..., 2, :], np.asarray(before)

    def _preactivations(self, cell: GRU, x: Array, before: Array, guide: Guide) -> Array:
        """As `GRU.preactivations`, with the clamped r in the candidate's."""
        n = cell.hidden_size
        driven = x @ cell.W_xh.reshape(3 * n, cell.input_size).T
        driven = driven.reshape(*driven.shape[:-1], 3, n) + cell.b_h
        recurrent = before @ cell.W_hh[:2].reshape(2 * n, n).T
        gates = driven[..., :2, :] + recurrent.reshape(*recurrent.shape[:-1], 2, n)
        r = np.where(guide.clamped[..., 1, :], guide.values[..., 1, :], sigmoid(gates[..., 1, :]))
        inside = (r * before) @ cell.W_hh[2].T if cell.reset == "before" else r * self._inner(cell, before)
        return np.concatenate([gates, (driven[..., 2, :] + inside)[..., None, :]], axis=-2)

    @staticmethod
    def _inner(cell: GRU, before: Array) -> Array:
        """U_g h + b_hh, shape (..., n)."""
        product = np.asarray(before @ cell.W_hh[2].T)
        return product if cell.b_hh is None else product + cell.b_hh


_STEPS: Mapping[type, Steps] = MappingProxyType({RNN: _RNNSteps(), LSTM: _LSTMSteps(), GRU: _GRUSteps()})


def steps_of(cell: Cell) -> Steps:
    """Return what operations need to know of a cell, or raise a ValueError."""
    if type(cell) not in _STEPS:
        raise ValueError(f"cell must be an RNN, LSTM or GRU, got {type(cell).__name__}")
    return _STEPS[type(cell)]


@dataclass(frozen=True, eq=False)
class GuidedCell:
    """A cell under the knife as a cell of its own: its input is [x, keep, clamped, values], d + 1 + 2 gates n numbers.

    So everything that takes a cell and its trace takes this one too. See `guided`.
    """

    cell: Cell

    def __getattr__(self, name: str) -> Any:
        """Everything that operations do not change is the cell's own: sizes, weights, names."""
        if name in ("cell", "fill_run", "linearize"):
            raise AttributeError(name)
        return getattr(self.cell, name)

    def vjp(self, x: Array, state: Array, gradient: Array) -> StepGradients:
        """Carry dL/d state_t = `gradient` (..., s) back through one step; `x` of the result is dL/dx_t (..., d)."""
        return steps_of(self.cell).vjp(self.cell, *self._split(x, state), gradient)

    def jacobian(self, x: Array, state: Array) -> Array:
        """d state_t / d state_{t-1}, shape (..., s, s), row by row from `vjp`."""
        rows = np.eye(self.cell.state_size)
        return self.vjp(x[..., None, :], state[..., None, :], rows).state

    def parameter_gradients(self, x: Array, state: Array, delta: Array) -> dict[str, Array]:
        """Return the gradients of the cell's own parameters, summed over leading axes."""
        return steps_of(self.cell).parameters(self.cell, *self._split(x, state), delta)

    def recurrent_tiles(self, x: Array, state: Array, delta: Array) -> Array:
        """What each use of W_hh adds to dL/dW_hh: nothing at a cut."""
        return steps_of(self.cell).tiles(self.cell, *self._split(x, state), delta)

    def _split(self, x: Array, state: Array) -> tuple[Array, Array, Guide]:
        d, shape = self.cell.input_size, (len(self.cell.gate_names), self.cell.hidden_size)
        count = shape[0] * shape[1]
        lead = x.shape[:-1]
        clamped = x[..., d + 1 : d + 1 + count].reshape(*lead, *shape) > 0
        values = x[..., d + 1 + count :].reshape(*lead, *shape)
        return x[..., :d], state, Guide(x[..., d : d + 1], clamped, values)
