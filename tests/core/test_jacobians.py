import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rnnscope.core import (
    LSTM,
    RNN,
    gradient_log10_norms,
    jacobian_log10_norms,
    recurrent_matrix,
    state_jacobian,
    step_jacobians,
    unroll,
)

GRUS = [f"gru-{reset}-{update}" for reset in ("before", "after") for update in ("new", "old")]
KINDS = ["tanh", "relu", "linear", "lstm", *GRUS]


def linear(W, T):
    """A linear network at rest: the Jacobian over k steps is W^k."""
    cell = RNN(np.zeros((len(W), 1)), W, np.zeros(len(W)), activation="linear")
    return cell, unroll(cell, np.zeros((T, 1)))


def driven(kind, make_cell, T=6, seed=0):
    cell = make_cell(kind, seed=seed)
    rng = np.random.default_rng(seed + 1)
    return cell, unroll(cell, rng.standard_normal((T, 2)), rng.standard_normal(3))


@pytest.mark.parametrize(("norm", "name"), [("spectral", "pair_spectral"), ("frobenius", "pair_fro")])
def test_pair_norms_agree_with_stored_answers(load, norm, name):
    stored = load("rnn_small")
    p = stored["params"]
    cell = RNN(p["U"], p["W"], p["b"])
    trace = unroll(cell, stored["x"], stored["h0"])
    known = stored["activations"]["tanh"][name]
    got = jacobian_log10_norms(cell, trace, norm)
    for t, row in enumerate(known):
        np.testing.assert_allclose(got[t, : t + 1], np.log10(row), atol=1e-10)
        assert np.isnan(got[t, t + 1 :]).all()


def test_lstm_products_agree_with_stored_answers(load):
    stored = load("lstm_small")
    p = stored["params"]
    cell = LSTM(*(np.array([p[letter + gate] for gate in "fiog"]) for letter in "UWb"))
    trace = unroll(cell, stored["x"], stored["h0"], stored["c0"])
    matrix, exponent = state_jacobian(cell, trace, 12, 0)
    product = np.ldexp(matrix, exponent)
    np.testing.assert_allclose(product, stored["prod_T_0"], rtol=1e-10, atol=1e-13)
    for norm, name in (("spectral", "prod_T_k_spectral"), ("frobenius", "prod_T_k_fro")):
        got = jacobian_log10_norms(cell, trace, norm, t=12)
        np.testing.assert_allclose(got, np.log10(stored[name]), atol=1e-10)


@pytest.mark.parametrize("kind", KINDS)
def test_product_of_steps_equals_central_differences(kind, make_cell, slope):
    cell, trace = driven(kind, make_cell, seed=3)
    start = trace.states[0]
    n = cell.hidden_size

    def last(state):
        c0 = state[n:] if cell.state_size > n else None
        return unroll(cell, trace.xs, state[:n], c0).states[-1]

    matrix, exponent = state_jacobian(cell, trace, trace.steps, 0)
    np.testing.assert_allclose(np.ldexp(matrix, exponent), slope(last, start), atol=1e-8)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("norm", ["spectral", "frobenius"])
def test_a_row_is_that_row_of_all_pairs(kind, norm, make_cell):
    cell, trace = driven(kind, make_cell, seed=5)
    everything = jacobian_log10_norms(cell, trace, norm)
    for t in range(trace.steps + 1):
        row = jacobian_log10_norms(cell, trace, norm, t=t)
        np.testing.assert_allclose(row, everything[t], atol=1e-12)


def test_state_jacobian_is_a_part_of_the_chain(make_cell):
    cell, trace = driven("lstm", make_cell)
    J = step_jacobians(cell, trace)
    matrix, exponent = state_jacobian(cell, trace, 4, 1)
    np.testing.assert_allclose(np.ldexp(matrix, exponent), J[3] @ J[2] @ J[1], rtol=1e-13)
    assert state_jacobian(cell, trace, 2, 2)[0].tolist() == np.eye(6).tolist()


def test_norms_agree_with_stored_matrix_powers(load):
    stored = load("matrices")
    for name, matrix in stored["matrices"].items():
        cell, trace = linear(np.array(matrix["A"]), max(stored["ks"]))
        for norm, key in (("spectral", "log10_spectral"), ("frobenius", "log10_fro")):
            row = jacobian_log10_norms(cell, trace, norm, t=trace.steps)[::-1]
            for power in matrix["powers"]:
                want = -np.inf if power[key] is None else power[key]
                np.testing.assert_allclose(row[power["k"]], want, atol=1e-9, err_msg=name)


def test_long_run_agrees_with_stored_answers(load):
    stored = load("longrun")
    lags = np.array(stored["meta"]["lags"])
    for case in stored["cases"]:
        U = np.array(stored["U"])[:, None]
        cell = RNN(U, case["rho"] * stored["W1"], np.zeros(32), activation=case["activation"])
        xs = case["drive_amp"] * np.array(stored["x"])[:, None]
        steps, tolerance = (80, 1e-4) if case["chaotic"] else (200, 1e-9)
        trace = unroll(cell, xs[:steps], stored["h0"])
        curve = gradient_log10_norms(cell, trace, stored["gT"])[::-1]
        name = "T80_log10_norm_by_lag" if case["chaotic"] else "log10_norm_dLT_dhk_by_lag"
        want = np.array(case[name])
        np.testing.assert_allclose(curve[lags[lags <= steps]], want, atol=tolerance)
        if not case["chaotic"]:
            assert_pair_norms(cell, trace, case["dhT_dhk_lag_log10fro_log10spec"])


def assert_pair_norms(cell, trace, known):
    lags, frobenius, spectral = np.array(known).T
    at = 200 - lags.astype(int)
    for norm, want in (("frobenius", frobenius), ("spectral", spectral)):
        row = jacobian_log10_norms(cell, trace, norm, t=200)
        np.testing.assert_allclose(row[at], want, atol=1e-9)


def test_two_thousand_linear_steps_neither_overflow_nor_underflow(load):
    stored = load("longrun")
    for case in stored["linear_T2000"]:
        cell, trace = linear(case["rho"] * stored["W1"], 2000)
        curve = gradient_log10_norms(cell, trace, stored["gT"])[::-1]
        for lag, want in case["lag_log10norm"]:
            assert curve[lag] == pytest.approx(want, abs=1e-9)


def test_rho_three_over_two_thousand_steps_is_1e953(load):
    cell, trace = linear(3.0 * load("longrun")["W1"], 2000)
    curve = gradient_log10_norms(cell, trace, load("longrun")["gT"])
    assert round(float(curve[0]), 2) == 952.93
    row = jacobian_log10_norms(cell, trace, t=2000)
    assert row[0] == pytest.approx(2000 * np.log10(3), abs=2.0)
    assert np.isfinite(row).all()


def test_nonnormal_family_peaks_as_the_contract_says():
    cell, trace = linear(recurrent_matrix("nonnormal", 8, 0.9, 0), 120)
    row = jacobian_log10_norms(cell, trace, t=120)[::-1]
    assert int(row.argmax()) == 69
    assert 10 ** row.max() == pytest.approx(1.3e4, rel=0.03)


def test_radius_zero_does_not_mean_vanishing(load):
    """Weights with spectral radius 0 whose gradient grows as 2^lag, at the network's fixed point."""
    stored = load("matrices")["counterexample_rho0_explodes"]
    W = np.array(stored["W"], dtype=float)
    fixed = np.array([0.0, 0.5])
    cell = RNN(np.zeros((2, 1)), W, np.arctanh(fixed) - W @ fixed)
    trace = unroll(cell, np.zeros((12, 1)), h0=fixed)
    row = jacobian_log10_norms(cell, trace, t=12)[::-1]
    K = np.array([[8.0, 8.0], [-6.0, -6.0]])
    want = np.log10(np.linalg.norm(K, 2)) + np.arange(12) * np.log10(2)
    np.testing.assert_allclose(row[1:], want, atol=1e-6)


def test_a_jordan_block_peaks_before_it_decays():
    cell, trace = linear(recurrent_matrix("jordan", 4, 0.9, 0), 60)
    row = jacobian_log10_norms(cell, trace, t=60)[::-1]
    assert int(row.argmax()) == 29
    assert 10 ** row.max() == pytest.approx(238, rel=0.01)


def test_an_orthogonal_linear_network_keeps_every_norm_at_one():
    cell, trace = linear(recurrent_matrix("orthogonal", 8, 1.0, 1), 50)
    np.testing.assert_allclose(jacobian_log10_norms(cell, trace, t=50), 0.0, atol=1e-13)


@pytest.mark.parametrize("W", [np.zeros((3, 3)), np.eye(3, k=1)])
def test_exactly_zero_products_are_minus_infinity(W):
    cell, trace = linear(W, 6)
    zero_from = 1 if not W.any() else 3
    row = jacobian_log10_norms(cell, trace, t=6)[::-1]
    assert np.isfinite(row[:zero_from]).all()
    assert (row[zero_from:] == -np.inf).all()
    curve = gradient_log10_norms(cell, trace, [1.0, 0.0, 0.0])[::-1]
    assert (curve[zero_from:] == -np.inf).all()


def test_identity_pairs_have_spectral_norm_one_and_frobenius_root_n(make_cell):
    cell, trace = driven("lstm", make_cell)
    np.testing.assert_allclose(np.diag(jacobian_log10_norms(cell, trace)), 0.0, atol=1e-15)
    frobenius = np.diag(jacobian_log10_norms(cell, trace, "frobenius"))
    np.testing.assert_allclose(frobenius, np.log10(np.sqrt(6)), atol=1e-15)


def test_a_vanishing_product_of_weights_beyond_float64_is_exact():
    cell, trace = linear(np.array([[1e-200]]), 4)
    np.testing.assert_allclose(jacobian_log10_norms(cell, trace, t=4), [-800, -600, -400, -200, 0], atol=1e-9)
    cell, trace = linear(np.full((2, 2), 1e200), 3)
    row = jacobian_log10_norms(cell, trace, "frobenius", t=3)
    np.testing.assert_allclose(row[:3], np.array([3, 2, 1]) * (200 + np.log10(2)), atol=1e-9)


def test_denormal_weights_keep_their_magnitude():
    cell, trace = linear(np.array([[5e-324]]), 3)
    row = jacobian_log10_norms(cell, trace, t=3)
    np.testing.assert_allclose(row[0], 3 * -1074 * np.log10(2), atol=1e-9)


def test_a_state_that_is_not_a_number_makes_its_norms_nan():
    huge = np.full((2, 2), 1.7e308)
    cell = RNN(-huge, huge, np.zeros(2))
    trace = unroll(cell, np.ones((2, 2)), h0=[1.0, 1.0])
    assert np.isnan(trace.hs[1]).all()
    for norm in ("spectral", "frobenius"):
        row = jacobian_log10_norms(cell, trace, norm, t=2)
        assert np.isnan(row[:2]).all()
        assert np.isfinite(row[2])


def test_a_saturated_unit_gives_a_finite_logarithm():
    cell = RNN([[30.0]], [[1.0]], [0.0])
    trace = unroll(cell, np.ones((2, 1)))
    want = np.log10(4) - 2 * trace.preactivations[1, 0] / np.log(10)
    assert jacobian_log10_norms(cell, trace, t=2)[1] == pytest.approx(want, abs=1e-9)


@pytest.mark.parametrize("T", [0, 1])
def test_short_runs(T, make_cell):
    cell = make_cell("tanh")
    trace = unroll(cell, np.ones((T, 2)))
    assert jacobian_log10_norms(cell, trace).shape == (T + 1, T + 1)
    assert jacobian_log10_norms(cell, trace, t=T)[T] == pytest.approx(0.0, abs=1e-15)
    curve = gradient_log10_norms(cell, trace, [3.0, 4.0, 0.0])
    assert curve[T] == pytest.approx(np.log10(5.0), rel=1e-15)
    assert curve.shape == (T + 1,)


def test_a_zero_gradient_stays_zero(make_cell):
    cell, trace = driven("tanh", make_cell)
    assert (gradient_log10_norms(cell, trace, np.zeros(3)) == -np.inf).all()


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 5), st.integers(0, 8), st.integers(0, 2**32 - 1), st.floats(0.01, 3.0))
def test_spectral_norm_lies_between_frobenius_over_root_n_and_frobenius(n, T, seed, rho):
    cell = RNN(np.ones((n, 1)), recurrent_matrix("orthogonal", n, rho, seed), np.zeros(n))
    trace = unroll(cell, np.random.default_rng(seed).standard_normal((T, 1)))
    spectral = jacobian_log10_norms(cell, trace, "spectral", t=T)
    frobenius = jacobian_log10_norms(cell, trace, "frobenius", t=T)
    assert (spectral <= frobenius + 1e-12).all()
    assert (frobenius <= spectral + 0.5 * np.log10(n) + 1e-12).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"norm": "nuclear"}, "norm must be one of spectral, frobenius, got 'nuclear'"),
        ({"t": 7}, "t must be an integer in 0 … 6, got 7"),
        ({"t": -1}, "t must be an integer in 0 … 6, got -1"),
        ({"t": 1.5}, "t must be an integer in 0 … 6, got 1.5"),
    ],
)
def test_jacobian_norms_refuse_and_say_why(arguments, message, make_cell):
    with pytest.raises(ValueError, match=message):
        jacobian_log10_norms(*driven("tanh", make_cell), **arguments)


def test_other_arguments_are_refused(make_cell):
    cell, trace = driven("lstm", make_cell)
    with pytest.raises(ValueError, match=r"gradient must be \(6,\), got \(3,\)"):
        gradient_log10_norms(cell, trace, np.ones(3))
    with pytest.raises(ValueError, match="k must be an integer in 0 … 2, got 3"):
        state_jacobian(cell, trace, 2, 3)
