"""A batch of GRU steps and their gradients, time first, for training: the cell of `core.GRU` with reset="before".

What depends on tokens alone is computed for all steps at once, in one product; a step is then two products with
W_hh. In whatever precision it is given: training runs in float32, the test against `core.GRU` in float64.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.floating[Any]]


@dataclass(frozen=True, eq=False)
class GateRun:
    """Gates z, r, g (T, B, n) and states h (T + 1, B, n) of a run; a step's part is written when it is taken."""

    z: Floats
    r: Floats
    g: Floats
    h: Floats


def empty_run(steps: int, start: Floats) -> GateRun:
    """Return a run of T steps to be written, from h_0 = `start` (B, n)."""
    z, r, g = (np.empty((steps, *start.shape), start.dtype) for _ in range(3))
    h = np.empty((steps + 1, *start.shape), start.dtype)
    h[0] = start
    return GateRun(z, r, g, h)


def take_step(run: GateRun, t: int, driven: Floats, W_hh: Floats, valid: Floats | None = None) -> None:
    """h_{t+1} = h + z (g - h), from W x + b = `driven` (B, 3 n), blocks z, r, g.

    Where `valid` (B, 1) is 0, z is: the state stays, and what flows back is right with no further word.
    """
    h, n = run.h[t], run.h.shape[-1]
    gates = half_tanh(driven[:, : 2 * n] + h @ W_hh[:2].reshape(2 * n, n).T)
    run.z[t] = gates[:, :n] if valid is None else gates[:, :n] * valid
    run.r[t] = gates[:, n:]
    np.tanh(driven[:, 2 * n :] + (run.r[t] * h) @ W_hh[2].T, out=run.g[t])
    run.h[t + 1] = h + run.z[t] * (run.g[t] - h)


def step_back(run: GateRun, t: int, W_hh: Floats, gradient: Floats, delta: Floats) -> Floats:
    """Return dL/dh_t from dL/dh_{t+1} (B, n); writes dL/da into `delta` (B, 3 n)."""
    z, r, g, h, n = run.z[t], run.r[t], run.g[t], run.h[t], run.h.shape[-1]
    delta[:, :n] = gradient * (g - h) * z * (1 - z)
    delta[:, 2 * n :] = gradient * z * (1 - g * g)
    through = delta[:, 2 * n :] @ W_hh[2]
    delta[:, n : 2 * n] = through * h * r * (1 - r)
    back: Floats = gradient * (1 - z) + through * r + delta[:, : 2 * n] @ W_hh[:2].reshape(2 * n, n)
    return back


def recurrent_gradient(run: GateRun, delta: Floats) -> Floats:
    """dL/dW_hh (3, n, n) of a whole run, from dL/da (T, B, 3 n)."""
    n = run.h.shape[-1]
    before, flat = run.h[:-1].reshape(-1, n), delta.reshape(-1, 3 * n)
    gates = flat[:, : 2 * n].T @ before
    candidate = flat[:, 2 * n :].T @ (run.r.reshape(-1, n) * before)
    return np.concatenate([gates, candidate]).reshape(3, n, n)


def half_tanh(a: Floats) -> Floats:
    """1 / (1 + exp(-a)) = (1 + tanh(a / 2)) / 2: one vectorised function, and nothing overflows."""
    np.multiply(a, 0.5, out=a)
    np.tanh(a, out=a)
    np.add(a, 1, out=a)
    np.multiply(a, 0.5, out=a)
    return a
