import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rnnscope.core import (
    RNN,
    eigenvalues,
    henrici_departure,
    lyapunov_exponents,
    numerical_radius,
    recurrent_matrix,
    singular_values,
    span_svd,
    step_jacobians,
    unroll,
)


def autonomous(W, T, h0, activation="tanh"):
    cell = RNN(np.zeros((len(W), 1)), W, np.zeros(len(W)), activation=activation)
    return cell, unroll(cell, np.zeros((T, 1)), h0)


def test_eigenvalues_and_singular_values_agree_with_stored_answers(load):
    stored = load("rnn_small")
    W = np.array(stored["params"]["W"])
    np.testing.assert_allclose(singular_values(W), stored["W_svals"], rtol=1e-11)
    known = np.array([complex(*pair) for pair in stored["W_eig_re_im"]])
    got = eigenvalues(W)
    np.testing.assert_allclose(np.sort_complex(got), np.sort_complex(known), rtol=1e-11)
    assert (np.diff(np.abs(got)) <= 1e-15).all()


def test_finite_time_exponents_agree_with_stored_answers(load):
    stored = load("lyapunov")
    for case in stored["finite_time"]:
        cell, trace = autonomous(case["g"] * stored["G0"], case["T"], stored["h0"])
        want = np.sort(case["finite_time_exponents_unsorted"])[::-1]
        tolerance = 1e-8 if case["g"] < 3 else 1e-5
        np.testing.assert_allclose(lyapunov_exponents(cell, trace), want, atol=tolerance)


@pytest.mark.parametrize("kind", ["tanh", "lstm"])
def test_exponents_sum_to_the_mean_log_determinant(kind, make_cell):
    cell = make_cell(kind, n=4)
    trace = unroll(cell, np.random.default_rng(0).standard_normal((60, 2)))
    logs = np.linalg.slogdet(step_jacobians(cell, trace))[1]
    assert lyapunov_exponents(cell, trace).sum() == pytest.approx(logs.mean(), abs=1e-9)
    late = lyapunov_exponents(cell, trace, discard=20)
    assert late.sum() == pytest.approx(logs[20:].mean(), abs=1e-9)


def test_linear_exponents_are_log_moduli_of_the_eigenvalues():
    W = recurrent_matrix("symmetric", 6, 1.3, 2)
    cell, trace = autonomous(W, 400, None, "linear")
    want = np.log(np.abs(eigenvalues(W)))
    np.testing.assert_allclose(lyapunov_exponents(cell, trace, discard=200), want, atol=1e-6)


def test_exponents_of_a_contracting_network_agree_with_stored_answers(load):
    stored = load("lyapunov")
    case = stored["spectra"][0]
    cell, trace = autonomous(case["g"] * stored["G0"], 1500, stored["h0"])
    top = lyapunov_exponents(cell, trace, k=3, discard=300)
    np.testing.assert_allclose(top, case["exact_log_abs_eig_of_W"][:3], atol=1e-3)


def test_chaotic_exponent_agrees_with_stored_answers(load):
    stored = load("lyapunov")
    case = next(case for case in stored["spectra"] if case["g"] == 3)
    cell, trace = autonomous(3 * stored["G0"], 4000, stored["h0"])
    top = lyapunov_exponents(cell, trace, k=1, discard=500)[0]
    # The stored run is longer: its standard error grows with the root of the ratio.
    error = case["std_err"][0] * np.sqrt(case["T"] / 3500)
    assert top == pytest.approx(case["exponents"][0], abs=4 * error + 1e-3)


def test_an_orthogonal_linear_network_has_exponents_zero():
    cell, trace = autonomous(recurrent_matrix("orthogonal", 5, 1.0, 0), 40, None, "linear")
    np.testing.assert_allclose(lyapunov_exponents(cell, trace), 0.0, atol=1e-14)


def test_one_unit_and_a_lost_direction():
    cell, trace = autonomous(np.array([[-0.5]]), 3, None, "linear")
    assert lyapunov_exponents(cell, trace)[0] == pytest.approx(np.log(0.5), rel=1e-14)
    cell, trace = autonomous(np.diag([0.5, 0.0]), 3, None, "linear")
    assert lyapunov_exponents(cell, trace).tolist() == [np.log(0.5), -np.inf]


def test_fewer_exponents_are_the_first_ones(make_cell):
    cell = make_cell("lstm")
    trace = unroll(cell, np.random.default_rng(0).standard_normal((300, 2)))
    everything = lyapunov_exponents(cell, trace)
    np.testing.assert_allclose(lyapunov_exponents(cell, trace, k=2), everything[:2], atol=1e-10)
    assert (np.diff(everything) <= 0).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": 0}, "k must be an integer in 1 … 3, got 0"),
        ({"k": 4}, "k must be an integer in 1 … 3, got 4"),
        ({"discard": 5}, "discard must be an integer in 0 … 4, got 5"),
        ({"discard": -1}, "discard must be an integer in 0 … 4, got -1"),
    ],
)
def test_lyapunov_refuses_and_says_why(options, message, make_cell):
    cell = make_cell("tanh")
    with pytest.raises(ValueError, match=message):
        lyapunov_exponents(cell, unroll(cell, np.ones((5, 2))), **options)


def test_lyapunov_needs_a_step(make_cell):
    cell = make_cell("tanh")
    with pytest.raises(ValueError, match="trace must hold at least one step"):
        lyapunov_exponents(cell, unroll(cell, np.ones((0, 2))))


def test_departures_and_numerical_radii_agree_with_stored_answers(load):
    for name, stored in load("matrices")["matrices"].items():
        A = np.array(stored["A"])
        assert henrici_departure(A) == pytest.approx(stored["henrici_dep_F"], rel=1e-11, abs=1e-13), name
        # The stored radii of the two rotations, whose every angle is a maximum, are 1e-9 low.
        assert numerical_radius(A) == pytest.approx(stored["numerical_radius"], rel=3e-9, abs=1e-13), name


@given(st.integers(1, 8), st.integers(0, 2**32 - 1))
@settings(max_examples=30, deadline=None)
def test_radii_are_in_order_and_normal_matrices_depart_by_nothing(n, seed):
    W = recurrent_matrix("gaussian", n, 0.9, seed)
    radius, sigma = numerical_radius(W), singular_values(W)[0]
    assert radius * (1 + 1e-9) >= 0.9
    assert radius <= sigma * (1 + 1e-12) <= 2 * radius * (1 + 1e-9)
    for family in ("orthogonal", "symmetric", "permutation", "identity"):
        assert henrici_departure(recurrent_matrix(family, n, 0.7, seed)) == 0.0
    # ||W||_F^2 is invariant under rotation, and so are the eigenvalues.
    Q = recurrent_matrix("orthogonal", n, 1.0, seed)
    assert henrici_departure(Q.T @ W @ Q) == pytest.approx(henrici_departure(W), abs=1e-6)


def test_the_departure_of_weights_of_any_size():
    W = np.array([[1.0, 2.0], [0.5, 1.0]])
    for size in (1e-300, 1e300):
        assert henrici_departure(size * W) == pytest.approx(size * henrici_departure(W), rel=1e-12)


@pytest.mark.parametrize("kind", ["tanh", "lstm"])
def test_a_span_is_the_svd_of_its_product(kind, make_cell):
    cell = make_cell(kind)
    trace = unroll(cell, np.random.default_rng(0).standard_normal((7, 2)))
    J = step_jacobians(cell, trace)
    found = span_svd(cell, trace, 2, 5)
    product = J[4] @ J[3] @ J[2]
    again = np.ldexp(found.U @ np.diag(found.values) @ found.Vt, found.exponent)
    np.testing.assert_allclose(again, product, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(10**found.log10_values, np.linalg.svd(product, compute_uv=False), rtol=1e-9, atol=1e-15)
    first = found.Vt[0]
    assert np.linalg.norm(product @ first) == pytest.approx(10 ** found.log10_values[0], rel=1e-12)
    assert span_svd(cell, trace, 3, 3).log10_values.tolist() == pytest.approx([0.0] * cell.state_size, abs=1e-15)


def test_a_span_of_a_thousand_steps_keeps_its_size():
    cell, trace = autonomous(recurrent_matrix("orthogonal", 4, 0.1, 0), 1000, None, "linear")
    np.testing.assert_allclose(span_svd(cell, trace, 0, 1000).log10_values, -1000.0, atol=1e-9)
    cell, trace = autonomous(np.zeros((2, 2)), 3, None, "linear")
    assert (span_svd(cell, trace, 0, 3).log10_values == -np.inf).all()


def test_spans_refuse_and_say_why(make_cell):
    cell = make_cell("tanh")
    trace = unroll(cell, np.ones((4, 2)))
    with pytest.raises(ValueError, match="t must be an integer in 0 … 4, got 5"):
        span_svd(cell, trace, 0, 5)
    with pytest.raises(ValueError, match="k must be an integer in 0 … 2, got 3"):
        span_svd(cell, trace, 3, 2)
    weights = np.full((2, 2), 1.7e308)
    huge = RNN(-weights, weights, np.zeros(2))
    with pytest.raises(ValueError, match="trace must have finite Jacobians"):
        span_svd(huge, unroll(huge, np.ones((2, 2)), h0=[1.0, 1.0]), 0, 1)
