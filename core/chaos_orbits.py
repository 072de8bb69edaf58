"""Many networks that differ by two numbers, run side by side: states and tangents of a batch of orbits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from .arrays import Array, read_only
from .build import build_cell, build_inputs
from .cells import RNN
from .config import RNNConfig, stream
from .functions import ACTIVATIONS

# Orbits that run side by side, always this many: a matrix product then rounds alike for every row, wherever a point
# stands and whatever runs beside it, and a chaotic orbit, which rounding decides, is the same in every order.
BATCH = 32


@dataclass(frozen=True, eq=False)
class Network:
    """What all points of a map share.

    Attributes
    ----------
    base, slope : (n, n) each, W(rho) = base + rho * slope; `base` is None where it is 0
    drives : (T, n), W_xh x_t for sigma_in = 1
    start, tangent : (n,), the state and the perturbation to start from
    activation : str
    """

    base: Array | None
    slope: Array
    drives: Array
    start: Array
    tangent: Array
    activation: str


@lru_cache(maxsize=8)  # the same for every batch of a map: drawing it costs as much as a fifth of a batch
def draw_network(config: RNNConfig, steps: int) -> Network:
    """Draw what the points of a map share: every family is affine in rho, W(rho) = W(0) + rho (W(1) - W(0))."""
    base, unit = (_cell(replace(config, rho=rho, sigma_in=1.0)) for rho in (0.0, 1.0))
    start, tangent = (
        np.random.default_rng(stream(config.seed, name)).standard_normal(config.n) for name in ("start", "tangent")
    )
    return Network(
        base=base.W_hh if base.W_hh.any() else None,
        slope=read_only(unit.W_hh - base.W_hh),
        drives=read_only(_inputs(config, steps) @ unit.W_xh.T),
        start=read_only(start),
        tangent=read_only(tangent),
        activation=config.activation,
    )


def _cell(config: RNNConfig) -> RNN:
    cell = build_cell(config)
    assert isinstance(cell, RNN)  # noqa: S101 -- the cell of an RNNConfig
    return cell


def _inputs(config: RNNConfig, steps: int) -> Array:
    """The config's kind of input over `steps` steps, (steps, d): typed text and values are repeated."""
    if config.input in ("text", "values"):
        return np.resize(build_inputs(config), (steps, config.d))
    return build_inputs(replace(config, T=steps))


def largest_exponents(network: Network, rhos: Array, strengths: Array, discard: int) -> Array:
    """Largest Lyapunov exponents (k,) of k = `BATCH` networks; NaN where a state left the range of floats."""
    k, (steps, n) = len(rhos), network.drives.shape
    activate, derive = ACTIVATIONS[network.activation]
    rows = np.repeat(np.stack([network.start, network.tangent]), k, axis=0)
    _normalize(rows[k:].copy(), rows[k:])
    pushed, lost, growths = np.empty_like(rows), np.zeros((k, n)), np.empty((steps, k))
    states, tangents, a, pushed_tangents = rows[:k], rows[k:], pushed[:k], pushed[k:]
    scales, columns = np.tile(rhos, 2)[:, None], strengths[:, None]
    with np.errstate(all="ignore"):
        for t, drive in enumerate(network.drives):
            _push(network, rows, scales, pushed)
            a += columns * drive
            pushed_tangents *= derive(a)
            activate(a, states)
            growths[t] = _normalize(pushed_tangents, tangents)
            lost += np.multiply(states, 0.0, out=a)  # NaN once a state was infinite, and for good
        found = np.log(growths[discard:]).mean(axis=0)
    return np.where(np.isnan(lost).any(axis=1), np.nan, found)


def _push(network: Network, rows: Array, scales: Array, out: Array) -> None:
    """W(rho) v for every row v, each with its own rho."""
    np.matmul(rows, network.slope.T, out=out)
    out *= scales
    if network.base is not None:
        out += rows @ network.base.T


def _normalize(tangents: Array, out: Array) -> Array:
    """Write rows of norm 1 into `out`; return their norms before. A zero row stays zero.

    Squares are taken after division by the largest component: slopes of 1e-200 are no loss.
    """
    largest = np.abs(tangents, out=out).max(axis=1, keepdims=True)
    largest[largest == 0.0] = 1.0
    np.divide(tangents, largest, out=out)
    norms = np.sqrt(np.einsum("ki,ki->k", out, out))
    out /= np.where(norms > 0.0, norms, 1.0)[:, None]
    return np.asarray(norms * largest[:, 0])
