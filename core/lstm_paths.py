"""What of an LSTM's d c_t / d c_k goes along the forget gates, and what through h and each of the four gates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from .arrays import Array, checked_choice, checked_integer, read_only
from .cells import LSTM
from .cells.lstm import LSTMLinearization
from .jacobians import state_jacobian
from .scaling import NORMS, Exponents, log10_matrix_norms, rescale_power_of_two, to_float
from .unroll import Trace, preactivation_blocks

#: The terms of the split: the cell line alone, then by the gate that h enters first after leaving the line.
PATHS = ("kept", "f", "i", "o", "g")

# The exponent of an exact zero in a sum of scaled terms: below every other one.
_NOTHING = -(2**60)


@dataclass(frozen=True, eq=False)
class LSTMPaths:
    """Norms of d c_t / d c_k and of its five terms, and their shares, for one t; all arrays are read-only float64.

    Attributes
    ----------
    t : int
    true : (t + 1,)
        [k] = log10 ||d c_t / d c_k||, the (c, c) block of the Jacobian of the whole state.
    paths : dict from "kept", "f", "i", "o", "g" to (t + 1,)
        log10 norms of the terms; -inf where a term is exactly zero. The matrices add up, norms do not.
    shares : dict from "kept", "f", "i", "o", "g" to (t + 1,)
        What adds up to 1: [k] = <P_q, P> / <P, P>, with P = d c_t / d c_k the whole, P_q its term and <A, B> the sum
        of A_ij B_ij: the length of the term's projection on the whole, in parts of the whole's own length. Below 0
        where a path works against the whole, above 1 where others do; NaN where the whole is exactly zero.
    """

    t: int
    true: Array
    paths: Mapping[str, Array]
    shares: Mapping[str, Array]


@dataclass(frozen=True, eq=False)
class PathMatrices:
    """d c_t / d c_k = true * 2**exponent, and its terms on the same scale: they add up to `true`, each (n, n)."""

    true: Array
    paths: Mapping[str, Array]
    exponent: int


def gates_held_fixed(trace: Trace) -> Array:
    """Return the diagonals f_t of d c_t / d c_{t-1} with all gates held, shape (T, n).

    This is the (c, c) block of one step exactly, because no gate sees c_{t-1}. A product of these is not the
    gradient over two steps or more: c also reaches the later gates through h. See `lstm_paths`.
    """
    if "f" not in trace.gates or trace.cs is None:
        raise ValueError("trace must be a run of an LSTM, got one without forget gates")
    return trace.gates["f"]


def lstm_paths(cell: LSTM, trace: Trace, t: int | None = None, norm: str = "spectral") -> LSTMPaths:
    """Split d c_t / d c_k into the forget-gate path and the paths through h, for every k = 0 … t.

    A path from c_k to c_t runs along the cell line, from c_{s-1} to c_s by diag(f_s), until it leaves it for the
    first time: from c_s to h_s by E_s = diag(o_s tanh'(c_s)). From there it enters a gate of step s + 1. Each path
    is booked by that first gate, and goes on from there along every path to c_t:

        kept_k = diag(f_t * … * f_{k+1}),    the paths that never leave the line
        q_k    = sum over s = k+1 … t-1 of Q^q_s E_s diag(f_s * … * f_{k+1}),    q = f, i, o, g

    with Q^q_s the part of d c_t / d h_s through gate q at step s + 1: C_{s+1} diag(d c_{s+1} / d a^q) W_q for f, i
    and g, where C_s = d c_t / d c_s + (d c_t / d h_s) E_s, and (d c_t / d h_{s+1}) diag(d h_{s+1} / d a^o) W_o for o.
    Every path is in exactly one term, so that the five add up to the (c, c) block of J_t … J_{k+1} to rounding.

    Parameters
    ----------
    t : int in 0 … T, or None for T
    norm : "spectral" (largest singular value) or "frobenius"

    Raises
    ------
    ValueError
        For a cell that is no LSTM, t outside 0 … T, an unknown norm.
    """
    checked_choice("norm", norm, NORMS)
    last = _checked_last(cell, trace, t)
    norms = np.empty((1 + len(PATHS), last + 1))
    shares = np.empty((len(PATHS), last + 1))
    for k, line in _backwards(cell, trace, last):
        norms[:, k] = log10_matrix_norms(line.matrices, line.exponents, norm)
        shares[:, k] = _shares(line)
    read_only(norms), read_only(shares)
    return LSTMPaths(last, norms[0], _by_path(norms[1:]), _by_path(shares))


def lstm_path_matrices(cell: LSTM, trace: Trace, k: int, t: int | None = None) -> PathMatrices:
    """Return the matrices of `lstm_paths` for one k in 0 … t."""
    last = _checked_last(cell, trace, t)
    first = checked_integer("k", k, 0, last)
    line = next(line for at, line in _backwards(cell, trace, last) if at == first)
    exponent = int(line.exponents.max())
    aligned = read_only(_at_scale(line, np.full(len(line.exponents), exponent)))
    return PathMatrices(aligned[0], _by_path(aligned[1:]), exponent)


def _by_path(rows: Array) -> Mapping[str, Array]:
    return MappingProxyType(dict(zip(PATHS, rows, strict=True)))


def cell_state_log10_norm(cell: LSTM, trace: Trace, t: int, k: int, norm: str = "spectral") -> float:
    """log10 ||d c_t / d c_k|| for one pair, 0 <= k <= t <= T: `lstm_paths(cell, trace, t).true[k]`, unsplit."""
    _checked_last(cell, trace, t)
    matrix, exponent = state_jacobian(cell, trace, t, k)
    n = cell.hidden_size
    block, extra = rescale_power_of_two(matrix[n:, n:], (-2, -1))
    return float(log10_matrix_norms(block, extra + exponent, norm))


def _checked_last(cell: LSTM, trace: Trace, t: int | None) -> int:
    if not isinstance(cell, LSTM):
        raise ValueError(f"cell must be an LSTM, got {type(cell).__name__}")
    return trace.steps if t is None else checked_integer("t", t, 0, trace.steps)


@dataclass(frozen=True, eq=False)
class _Terms:
    """A sum and its five terms in the order of `PATHS`, each with its own scale: (6, n, n) * 2**exponents (6,)."""

    matrices: Array
    exponents: Exponents

    def times(self, diagonal: Array) -> _Terms:
        """Every term times diag(`diagonal`)."""
        return _normal(self.matrices * diagonal, self.exponents)

    def plus(self, other: _Terms) -> _Terms:
        top = np.maximum(self.exponents, other.exponents)
        return _normal(_at_scale(self, top) + _at_scale(other, top), top)


def _shares(line: _Terms) -> Array:
    """<P_q, P> / <P, P> of each term, shape (5,): on the terms' own scales, so that nothing over- or underflows."""
    products = (line.matrices * line.matrices[0]).sum(axis=(-2, -1))
    with np.errstate(invalid="ignore"):
        ratios = products[1:] / products[0]
    return to_float(ratios, np.maximum(line.exponents[1:] - line.exponents[0], -2000))


def _backwards(cell: LSTM, trace: Trace, last: int) -> Iterator[tuple[int, _Terms]]:
    """Yield k and d c_t / d c_k with its terms, for k = t … 0; nothing older than one step is kept."""
    n = cell.hidden_size
    factors = cell.linearize(preactivation_blocks(cell, trace), trace.states[:-1])
    zeros = np.zeros((4, n, n))
    line = _normal(np.concatenate([np.eye(n)[None], np.eye(n)[None], zeros]), np.zeros(6, dtype=np.int64))
    through_h = _normal(np.zeros((6, n, n)), np.zeros(6, dtype=np.int64))
    yield last, line
    for index in range(last - 1, -1, -1):
        at_c = line.plus(through_h.times(factors.opened[index]))
        through_h = _through_gates(cell, factors, index, at_c, through_h)
        line = at_c.times(factors.kept[index])
        yield index, line


def _through_gates(cell: LSTM, factors: LSTMLinearization, index: int, at_c: _Terms, at_h: _Terms) -> _Terms:
    """d c_t / d h_{t-1} from what c_t and h_t do: the sum, nothing along the line, then by f, i, o and g."""
    by_gate = (at_c.matrices[0] * factors.to_c[index][:, None, :]) @ cell.W_hh
    by_gate[2] = (at_h.matrices[0] * factors.to_h[index]) @ cell.W_hh[2]
    c, h = at_c.exponents[0], at_h.exponents[0]
    gates = _normal(by_gate, np.array([c, c, h, c]))
    top = gates.exponents.max()
    total = _at_scale(gates, np.full(4, top)).sum(axis=0)
    matrices = np.concatenate([total[None], np.zeros_like(total)[None], gates.matrices])
    return _normal(matrices, np.array([top, 0, *gates.exponents]))


def _normal(matrices: Array, exponents: Exponents) -> _Terms:
    """Bring every largest entry to [0.5, 1); an exact zero gets the exponent that never decides a sum's scale."""
    scaled, extra = rescale_power_of_two(matrices, (-2, -1))
    return _Terms(scaled, np.where(matrices.any(axis=(-2, -1)), exponents + extra, _NOTHING))


def _at_scale(terms: _Terms, exponents: Exponents) -> Array:
    # 2**-2000 is 0: what lies so far below the scale of a sum adds nothing to it.
    return to_float(terms.matrices, np.maximum(terms.exponents - exponents, -2000)[:, None, None])
