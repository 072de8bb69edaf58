import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rnnscope.core import (
    LSTM,
    PATHS,
    cell_state_log10_norm,
    gates_held_fixed,
    lstm_path_matrices,
    lstm_paths,
    state_jacobian,
    step_jacobians,
    unroll,
)


def example(T=6, n=3, seed=0, scale=1.0):
    rng = np.random.default_rng(seed)
    cell = LSTM(*(scale * rng.standard_normal(shape) for shape in ((4, n, 2), (4, n, n), (4, n))))
    return cell, unroll(cell, rng.standard_normal((T, 2)), rng.standard_normal(n), rng.standard_normal(n))


def true_block(cell, trace, t, k):
    matrix, exponent = state_jacobian(cell, trace, t, k)
    n = cell.hidden_size
    return np.ldexp(matrix[n:, n:], exponent)


def unscaled(matrices):
    return {name: np.ldexp(matrix, matrices.exponent) for name, matrix in matrices.paths.items()}


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 8), st.integers(0, 20), st.integers(0, 2**32 - 1), st.floats(0.1, 2.0), st.data())
def test_the_paths_add_up_to_the_true_jacobian_block(n, T, seed, scale, data):
    cell, trace = example(T, n, seed, scale)
    t = data.draw(st.integers(0, T))
    k = data.draw(st.integers(0, t))
    got = lstm_path_matrices(cell, trace, k, t)
    want = true_block(cell, trace, t, k)
    size = np.abs(want).max() + sum(np.abs(path).max() for path in unscaled(got).values())
    np.testing.assert_allclose(sum(unscaled(got).values()), want, atol=1e-13 * size)
    np.testing.assert_allclose(np.ldexp(got.true, got.exponent), want, atol=1e-13 * size)


def test_each_path_is_the_sum_over_walks_that_enter_its_gate_first():
    """By enumeration: where the walk first leaves the cell line, and by which gate h then comes back."""
    cell, trace = example(T=5)
    n, t, k = 3, 5, 1
    f = np.array([np.diag(row) for row in trace.gates["f"]])
    wanted = {name: np.zeros((n, n)) for name in PATHS}
    line = np.eye(n)
    for s in range(k + 1, t + 1):
        line = f[s - 1] @ line
        if s < t:
            left = np.diag(trace.gates["o"][s - 1] * (1 - np.tanh(trace.cs[s]) ** 2)) @ line
            for index, gate in enumerate("fiog"):
                wanted[gate] += after_gate(cell, trace, t, s, index) @ left
    wanted["kept"] = line
    got = unscaled(lstm_path_matrices(cell, trace, k, t))
    for name in PATHS:
        np.testing.assert_allclose(got[name], wanted[name], rtol=1e-11, atol=1e-14, err_msg=name)


def after_gate(cell, trace, t, s, index):
    """d c_t / d h_s with h_s seen by one gate of step s + 1 alone."""
    n = cell.hidden_size
    others = [block for block in range(4) if block != index]
    W_hh, b_h = cell.W_hh.copy(), cell.b_h.copy()
    W_hh[others] = 0.0
    b_h[others] += np.einsum("gij,j->gi", cell.W_hh[others], trace.hs[s])
    alone = LSTM(cell.W_xh, W_hh, b_h)
    first = alone.jacobian(trace.xs[s], trace.states[s])[:, :n]
    matrix, exponent = state_jacobian(cell, trace, t, s + 1)
    return (np.ldexp(matrix, exponent) @ first)[n:]


def test_one_and_two_steps_are_as_the_closed_forms_say():
    cell, trace = example(T=2)
    f = gates_held_fixed(trace)
    one = unscaled(lstm_path_matrices(cell, trace, 1, 2))
    np.testing.assert_array_equal(one["kept"], np.diag(f[1]))
    assert not any(one[gate].any() for gate in "fiog")
    two = unscaled(lstm_path_matrices(cell, trace, 0, 2))
    J = step_jacobians(cell, trace)
    A, EF = J[1][3:, :3], J[0][:3, 3:]
    np.testing.assert_allclose(two["kept"], np.diag(f[1] * f[0]), rtol=1e-15)
    np.testing.assert_allclose(two["f"] + two["i"] + two["g"], A @ EF, rtol=1e-12)
    assert not two["o"].any()  # the output gate opens for the hidden state alone


@pytest.mark.parametrize("norm", ["spectral", "frobenius"])
def test_norms_are_those_of_the_matrices(norm):
    cell, trace = example(T=4)
    found = lstm_paths(cell, trace, norm=norm)
    order = 2 if norm == "spectral" else "fro"
    for k in range(5):
        matrices = lstm_path_matrices(cell, trace, k)
        with np.errstate(divide="ignore"):
            for name in PATHS:
                want = np.log10(np.linalg.norm(unscaled(matrices)[name], order))
                assert found.paths[name][k] == pytest.approx(want, abs=1e-12)
            want = np.log10(np.linalg.norm(true_block(cell, trace, 4, k), order))
            assert found.true[k] == pytest.approx(want, abs=1e-12)


# --- shares ----------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 8), st.integers(0, 20), st.integers(0, 2**32 - 1), st.floats(0.1, 2.0))
def test_shares_add_up_to_one_to_rounding(n, T, seed, scale):
    cell, trace = example(T, n, seed, scale)
    shares = np.array([lstm_paths(cell, trace).shares[name] for name in PATHS])
    rounding = 1e-14 * (1 + np.abs(shares).sum(axis=0))  # terms that cancel round at their own size
    assert (np.abs(shares.sum(axis=0) - 1) <= rounding).all()


def test_a_share_is_the_projection_of_its_matrix_on_the_whole():
    cell, trace = example(T=6)
    found = lstm_paths(cell, trace, t=5)
    for k in range(6):
        matrices, whole = lstm_path_matrices(cell, trace, k, 5), true_block(cell, trace, 5, k)
        for name in PATHS:
            want = np.vdot(unscaled(matrices)[name], whole) / np.vdot(whole, whole)
            assert found.shares[name][k] == pytest.approx(want, rel=1e-12, abs=1e-14)


def test_the_share_of_the_cell_line_agrees_with_central_differences():
    """Nudge c_1: with every gate held, and with the gates free to follow."""
    cell, trace = example(T=5)
    gates, h, n = trace.gates, 1e-5, 3

    def held(c):
        for s in range(1, 5):
            c = gates["f"][s] * c + gates["i"][s] * gates["g"][s]
        return c

    def free(c):
        return unroll(cell, trace.xs[1:], trace.hs[1], c).cs[-1]

    nudges = h * np.eye(n)
    line, whole = (
        np.column_stack([(run(trace.cs[1] + e) - run(trace.cs[1] - e)) / (2 * h) for e in nudges])
        for run in (held, free)
    )
    found = lstm_paths(cell, trace).shares
    assert found["kept"][1] == pytest.approx(np.vdot(line, whole) / np.vdot(whole, whole), rel=1e-8)
    through_h = sum(found[gate][1] for gate in "fiog")
    assert through_h == pytest.approx(np.vdot(whole - line, whole) / np.vdot(whole, whole), rel=1e-8)


def test_shares_of_the_stored_run(load):
    stored = load("lstm_small")
    p, n = stored["params"], 4
    cell = LSTM(*(np.array([p[letter + gate] for gate in "fiog"]) for letter in "UWb"))
    trace = unroll(cell, stored["x"], stored["h0"], stored["c0"])
    whole = np.asarray(stored["prod_T_0"])[n:, n:]
    line = np.diag(np.prod(np.asarray(stored["gates"]["f"]), axis=0))
    found = lstm_paths(cell, trace)
    assert found.shares["kept"][0] == pytest.approx(np.vdot(line, whole) / np.vdot(whole, whole), rel=1e-11)
    assert found.true[0] == pytest.approx(np.log10(np.linalg.norm(whole, 2)), abs=1e-12)


def test_nothing_has_no_shares():
    """Forget gates that underflow to 0, and no weight: d c_t / d c_k is exactly zero from lag 1 on."""
    cell = LSTM(np.zeros((4, 2, 1)), np.zeros((4, 2, 2)), np.array([[-800.0] * 2] + [[0.0] * 2] * 3))
    found = lstm_paths(cell, unroll(cell, np.ones((3, 1))))
    assert found.true.tolist() == [-np.inf] * 3 + [0.0]
    for name in PATHS:
        assert np.isnan(found.shares[name][:3]).all()
        assert found.shares[name][3] == (name == "kept")


def test_held_gates_are_not_the_gradient():
    cell, trace = example(T=4, n=5, seed=1)
    true, kept = true_block(cell, trace, 4, 0), np.diag(gates_held_fixed(trace).prod(axis=0))
    assert np.linalg.norm(true - kept) > 0.1 * np.linalg.norm(true)


def test_nothing_underflows_over_a_thousand_steps():
    """Forget gates nearly shut: the kept path is sigmoid(-5)^lag, 1e-2175 at the start."""
    n, T = 2, 1000
    W_hh = np.zeros((4, n, n))
    W_hh[3] = 0.9 * np.eye(n)
    b_h = np.array([[-5.0] * n, [10.0] * n, [10.0] * n, [0.0] * n])
    cell = LSTM(np.zeros((4, n, 1)), W_hh, b_h)
    found = lstm_paths(cell, unroll(cell, np.zeros((T, 1))))
    f = 1 / (1 + np.exp(5.0))
    assert found.paths["kept"][0] == pytest.approx(T * np.log10(f), rel=1e-12)
    assert found.paths["kept"][0] < -2000
    rate = np.diff(found.true)[:900]
    np.testing.assert_allclose(rate, -np.log10(f + 0.9 / (1 + np.exp(-10.0)) ** 2), atol=1e-6)
    np.testing.assert_allclose(found.paths["g"][:900], found.true[:900], atol=1e-3)
    np.testing.assert_allclose(found.shares["g"][:900], 1, atol=2e-2)
    assert (found.shares["kept"][:900] < 1e-100).sum() > 800
    np.testing.assert_allclose(sum(found.shares.values()), 1, atol=1e-12)


@pytest.mark.parametrize("norm", ["spectral", "frobenius"])
def test_one_norm_alone_is_that_of_the_split(norm):
    cell, trace = example(T=6, scale=0.05)
    found = lstm_paths(cell, trace, t=5, norm=norm)
    alone = [cell_state_log10_norm(cell, trace, 5, k, norm) for k in range(6)]
    np.testing.assert_allclose(alone, found.true, atol=1e-12)
    shut = LSTM(np.zeros((4, 1, 1)), np.zeros((4, 1, 1)), np.array([[-700.0], [0], [0], [0]]))
    assert cell_state_log10_norm(shut, unroll(shut, np.zeros((9, 1))), 9, 0) == pytest.approx(-6300 / np.log(10))


def test_a_gate_shut_off_takes_nothing():
    cell, trace = example(T=5)
    W_hh = cell.W_hh.copy()
    W_hh[1] = 0.0
    changed = LSTM(cell.W_xh, W_hh, cell.b_h)
    found = lstm_paths(changed, unroll(changed, trace.xs))
    assert (found.paths["i"] == -np.inf).all()
    assert np.isfinite(found.paths["f"][:4]).all()


def test_the_paths_of_a_lag_of_zero_are_the_identity():
    cell, trace = example(T=0)
    found = lstm_paths(cell, trace)
    assert found.true.tolist() == found.paths["kept"].tolist() == [0.0]
    assert all(found.paths[gate].tolist() == [-np.inf] for gate in "fiog")


def test_results_are_read_only():
    cell, trace = example()
    found = lstm_paths(cell, trace)
    matrices = lstm_path_matrices(cell, trace, 0)
    for array in (found.true, found.paths["i"], found.shares["i"], matrices.true, matrices.paths["kept"]):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0.0


def test_paths_refuse_and_say_why(make_cell):
    cell, trace = example()
    with pytest.raises(ValueError, match="t must be an integer in 0 … 6, got 7"):
        lstm_paths(cell, trace, 7)
    with pytest.raises(ValueError, match="k must be an integer in 0 … 3, got 4"):
        lstm_path_matrices(cell, trace, 4, 3)
    with pytest.raises(ValueError, match="norm must be one of spectral, frobenius"):
        lstm_paths(cell, trace, norm="nuclear")
    rnn = make_cell("tanh")
    run = unroll(rnn, np.ones((2, 2)))
    with pytest.raises(ValueError, match="cell must be an LSTM, got RNN"):
        lstm_paths(rnn, run)
    with pytest.raises(ValueError, match="cell must be an LSTM, got RNN"):
        cell_state_log10_norm(rnn, run, 1, 0)
    with pytest.raises(ValueError, match="t must be an integer in 0 … 6, got 7"):
        cell_state_log10_norm(cell, trace, 7, 0)
    with pytest.raises(ValueError, match="trace must be a run of an LSTM"):
        gates_held_fixed(run)
