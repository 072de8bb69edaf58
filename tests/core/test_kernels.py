"""The fast paths beside the plain ones: whole runs beside steps, factors beside matrices, blocks beside products."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rnnscope.core import (
    LSTM,
    RNN,
    bptt,
    gradient_log10_norms,
    jacobian_log10_norms,
    lyapunov_exponents,
    recurrent_matrix,
    state_jacobian,
    unroll,
)
from rnnscope.core.cells.kernels import StepLinearization, own_fill_run, own_linearize
from rnnscope.core.jacobians import BLOCK
from rnnscope.core.unroll import linearize

KINDS = ["tanh", "relu", "linear", "lstm"]


class Plain:
    """A cell with what the protocol `Cell` asks for, and no kernels."""

    def __init__(self, cell):
        self._cell = cell

    def __getattr__(self, name):
        if name in {"fill_run", "linearize"}:
            raise AttributeError(name)
        return getattr(self._cell, name)


def driven(kind, make_cell, T=9, seed=0, n=3):
    cell = make_cell(kind, n=n, seed=seed)
    rng = np.random.default_rng(seed + 1)
    return cell, unroll(cell, rng.standard_normal((T, 2)), rng.standard_normal(n))


@pytest.mark.parametrize("kind", KINDS)
def test_only_the_wrapped_cell_has_kernels(kind, make_cell):
    cell = make_cell(kind)
    for kernel in (own_fill_run, own_linearize):
        assert kernel(cell) is not None
        assert kernel(Plain(cell)) is None


@pytest.mark.parametrize("kind", KINDS)
def test_a_whole_run_is_its_steps(kind, make_cell):
    cell, trace = driven(kind, make_cell)
    state = trace.states[0]
    for t, x in enumerate(trace.xs):
        state = cell.step(x, state)
        np.testing.assert_allclose(trace.states[t + 1], state, rtol=1e-12, atol=1e-14)
    plain = unroll(Plain(cell), trace.xs, trace.hs[0])
    np.testing.assert_allclose(trace.states, plain.states, rtol=1e-12, atol=1e-14)


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(KINDS), st.integers(1, 8), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_factors_push_and_pull_as_the_jacobian_does(kind, n, count, seed):
    rng = np.random.default_rng(seed)
    blocks = (4,) if kind == "lstm" else ()
    weights = [rng.standard_normal(blocks + shape) for shape in ((n, 2), (n, n), (n,))]
    cell = LSTM(*weights) if kind == "lstm" else RNN(*weights, activation=kind)
    trace = unroll(cell, rng.standard_normal((3, 2)), rng.standard_normal(n))
    rows = rng.standard_normal((count, cell.state_size))
    for chain in (linearize(cell, trace), StepLinearization(cell, trace.xs, trace.states[:-1])):
        for index in range(3):
            J = cell.jacobian(trace.xs[index], trace.states[index])
            np.testing.assert_allclose(chain.push(index, rows), rows @ J.T, rtol=1e-11, atol=1e-12)
            np.testing.assert_allclose(chain.pull(index, rows), rows @ J, rtol=1e-11, atol=1e-12)
            np.testing.assert_allclose(chain.pull(index, rows[0]), rows[0] @ J, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_a_cell_without_kernels_gives_the_same_answers(kind, make_cell):
    cell, trace = driven(kind, make_cell)
    plain, targets = Plain(cell), np.zeros(9, dtype=int)
    gradient = np.arange(1.0, cell.state_size + 1)
    close = {"rtol": 1e-11, "atol": 1e-12}
    want, got = gradient_log10_norms(cell, trace, gradient), gradient_log10_norms(plain, trace, gradient)
    np.testing.assert_allclose(got, want, **close)
    for name in ("W_hh", "states", "contributions"):
        want, got = getattr(bptt(cell, trace, targets), name), getattr(bptt(plain, trace, targets), name)
        np.testing.assert_allclose(got, want, **close)
    exponents = lyapunov_exponents(plain, trace, k=2)
    np.testing.assert_allclose(exponents, lyapunov_exponents(cell, trace, k=2), **close)


@pytest.mark.parametrize("norm", ["spectral", "frobenius"])
@pytest.mark.parametrize("T", [BLOCK - 1, BLOCK, 2 * BLOCK + 3])
def test_all_pairs_over_several_blocks_are_the_norms_of_the_products(T, norm, make_cell):
    cell, trace = driven("tanh", make_cell, T=T)
    table = jacobian_log10_norms(cell, trace, norm)
    for t, k in ((T, 0), (T, T), (T - 1, BLOCK - 2), (BLOCK - 1, 3), (T // 2, T // 3)):
        matrix, exponent = state_jacobian(cell, trace, t, k)
        size = np.linalg.norm(matrix, 2 if norm == "spectral" else "fro")
        assert table[t, k] == pytest.approx(np.log10(size) + exponent * np.log10(2), abs=1e-10)
    assert np.isnan(table[np.triu_indices(T + 1, 1)]).all()


def extreme(W, T, activation="linear"):
    cell = RNN(np.zeros((len(W), 1)), W, np.zeros(len(W)), np.eye(len(W)), activation=activation)
    return cell, unroll(cell, np.zeros((T, 1)))


@pytest.mark.parametrize("size", [1e-300, 1e-160, 1e-60, 1e-3, 1e3, 1e60, 1e160, 1e300])
def test_factors_of_any_size_are_scaled_in_time(size):
    """Also where one step leaves the range of float64, and where sixteen do."""
    W = size * recurrent_matrix("orthogonal", 4, 1.0, 0)
    cell, trace = extreme(W, 40)
    want = np.log10(size) * np.arange(40, -1, -1)
    assert gradient_log10_norms(cell, trace, [1.0, 0, 0, 0]) == pytest.approx(want, rel=1e-11)
    assert jacobian_log10_norms(cell, trace)[40] == pytest.approx(want, rel=1e-11)
    assert jacobian_log10_norms(cell, trace, "frobenius")[40] == pytest.approx(want + np.log10(2), rel=1e-11)
    targets = np.zeros((40, 4))
    targets[-1, 0] = -1.0
    got = bptt(cell, trace, targets, "squared").contributions[40]
    assert got == pytest.approx(want, rel=1e-11)


def test_gradients_survive_one_step_of_enormous_saturation():
    """phi' = 4 e^{-2|a|} = 1e-173 in one step and 1 in the others: the curve drops once and goes on."""
    cell = RNN([[200.0]], [[1.0]], [0.0])
    trace = unroll(cell, np.eye(1, 21, 10).T)
    curve = gradient_log10_norms(cell, trace, [1.0])
    drop = np.log10(4) - 2 * trace.preactivations[10, 0] / np.log(10)
    assert curve[11] - curve[10] == pytest.approx(-drop, abs=1e-9)
    assert np.isfinite(curve).all()


def test_a_row_that_is_gone_stays_gone_beside_one_that_is_not():
    cell, trace = extreme(np.diag([0.5, 0.0]), 30)
    targets = np.zeros((30, 2))
    targets[:, 0], targets[5] = 1.0, [0.0, 1.0]
    contributions = bptt(cell, trace, targets, "squared").contributions
    assert (contributions[6, :6] == -np.inf).all()
    np.testing.assert_allclose(contributions[30], np.log10(0.5) * np.arange(30, -1, -1), atol=1e-9)


def test_states_beyond_float64_warn_of_nothing():
    cell, _ = extreme(np.array([[1e200]]), 1)
    run = unroll(cell, np.zeros((4, 1)), h0=[1.0])
    assert np.isinf(run.hs[2:]).all()
    np.testing.assert_allclose(gradient_log10_norms(cell, run, [1.0]), [800, 600, 400, 200, 0], atol=1e-9)


@pytest.mark.parametrize("norm", ["spectral", "frobenius"])
def test_pairs_over_a_state_that_is_not_a_number_are_nan_and_warn_of_nothing(norm):
    huge = np.full((2, 2), 1.7e308)
    cell = RNN(-huge, huge, np.zeros(2))
    table = jacobian_log10_norms(cell, unroll(cell, np.ones((3, 2)), h0=[1.0, 1.0]), norm)
    assert np.isnan(table[3, :3]).all()
    assert np.isfinite(np.diag(table)).all()
