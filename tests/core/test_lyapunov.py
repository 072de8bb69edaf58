import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rnnscope.core import LSTM, RNN, largest_lyapunov_exponent, lyapunov_exponents, step_jacobians, unroll


def stored_run(load, g, T):
    stored = load("lyapunov")
    case = next(case for case in stored["spectra"] if case["g"] == g)
    W = g * stored["G0"]
    cell = RNN(np.zeros((50, 1)), W, np.zeros(50))
    return case, cell, unroll(cell, np.zeros((T, 1)), stored["h0"])


def test_a_contracting_network_has_the_exponents_of_its_weights(load):
    case, cell, trace = stored_run(load, 0.5, 2500)
    got = lyapunov_exponents(cell, trace, discard=500)
    np.testing.assert_allclose(got, case["exact_log_abs_eig_of_W"], atol=5e-3)  # O(1/T) swings of complex pairs
    np.testing.assert_allclose(got.sum(), np.sum(case["exact_log_abs_eig_of_W"]), atol=1e-9)


def test_a_periodic_orbit_has_its_exact_exponents(load):
    case, cell, trace = stored_run(load, 1.5, 3000)
    got = lyapunov_exponents(cell, trace, k=6, discard=1000)
    exact = next(value for name, value in case.items() if name.startswith("exact"))
    np.testing.assert_allclose(got[:2], np.asarray(exact)[:2], atol=1e-3)


def test_a_chaotic_spectrum_agrees_with_stored_answers(load):
    case, cell, trace = stored_run(load, 3, 22_000)
    got = lyapunov_exponents(cell, trace, discard=2000)
    # The stored run is ten times as long: its standard error grows with the root of the ratio.
    error = np.array(case["std_err"]) * np.sqrt(case["T"] / 20_000)
    want = np.sort(case["exponents"])[::-1]
    assert (np.abs(got - want) <= 4 * error + 1e-3).all()
    logs = np.linalg.slogdet(step_jacobians(cell, trace))[1][2000:]
    assert got.sum() == pytest.approx(logs.mean(), abs=1e-9)


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 8), st.integers(1, 20), st.integers(0, 2**32 - 1), st.booleans())
def test_the_sum_is_the_mean_log_determinant(n, T, seed, gated):
    rng = np.random.default_rng(seed)
    blocks = (4,) if gated else ()
    cell = (LSTM if gated else RNN)(*(rng.standard_normal(blocks + shape) for shape in ((n, 2), (n, n), (n,))))
    trace = unroll(cell, rng.standard_normal((T, 2)))
    logs = np.linalg.slogdet(step_jacobians(cell, trace))[1]
    assert lyapunov_exponents(cell, trace).sum() == pytest.approx(logs.mean(), abs=1e-7)


@pytest.mark.parametrize("size", [1e-300, 1e-120, 1e120, 1e300])
def test_one_exponent_of_weights_of_any_size(size):
    cell = RNN([[0.0]], [[size]], [0.0], activation="linear")
    got = lyapunov_exponents(cell, unroll(cell, np.zeros((3, 1))), k=1)
    assert got[0] == pytest.approx(np.log(size), rel=1e-13)


def test_one_exponent_of_many_is_the_first(make_cell):
    cell = make_cell("lstm")
    trace = unroll(cell, np.random.default_rng(0).standard_normal((200, 2)))
    first = lyapunov_exponents(cell, trace, k=1)[0]
    assert first == pytest.approx(lyapunov_exponents(cell, trace)[0], abs=1e-10)


def test_the_largest_exponent_does_not_depend_on_what_the_first_unit_does():
    """The first unit's relu is off: only the second carries a tangent on, by 0.9 a step."""
    cell = RNN(np.array([[-1.0], [1.0]]), np.diag([0.5, 0.9]), np.zeros(2), None, None, "relu")
    trace = unroll(cell, np.ones((40, 1)))
    assert lyapunov_exponents(cell, trace, k=1)[0] == -np.inf
    assert largest_lyapunov_exponent(cell, trace, discard=1) == pytest.approx(np.log(0.9), rel=1e-13)


def test_the_largest_exponent_is_the_first_of_many(load):
    _, cell, trace = stored_run(load, 3.0, 400)
    got = largest_lyapunov_exponent(cell, trace, discard=200)
    assert got == pytest.approx(lyapunov_exponents(cell, trace, discard=200)[0], abs=5e-3)
    with pytest.raises(ValueError, match="discard"):
        largest_lyapunov_exponent(cell, trace, discard=400)
