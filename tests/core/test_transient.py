import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rnnscope.core import recurrent_matrix, transient_peak


@pytest.mark.parametrize(
    ("family", "n", "lag", "size"),
    [("nonnormal", 8, 69, 1.277e4), ("jordan", 4, 29, 238.45), ("jordan", 32, 309, 7.608e29)],
)
def test_known_peaks(family, n, lag, size):
    peak = transient_peak(recurrent_matrix(family, n, 0.9, 0))
    assert peak.lag == lag
    assert 10**peak.log10 == pytest.approx(size, rel=1e-3)
    assert peak.settled


def test_two_by_two_peak():
    peak = transient_peak([[0.9, 10.0], [0.0, 0.9]])
    assert (peak.lag, peak.settled) == (9, True)
    assert 10**peak.log10 == pytest.approx(38.75, rel=1e-3)


@pytest.mark.parametrize("family", ["orthogonal", "identity", "permutation", "symmetric"])
def test_normal_matrices_of_radius_one_never_grow(family):
    peak = transient_peak(recurrent_matrix(family, 9, 1.0, 3))
    assert (peak.log10, peak.lag, peak.settled) == (0.0, 0, True)


def test_growth_without_end_is_followed_to_the_horizon():
    peak = transient_peak(np.diag([2.0, 0.5]), horizon=1500)
    assert (peak.lag, peak.settled) == (1500, False)
    assert peak.log10 == pytest.approx(1500 * np.log10(2), rel=1e-12)


def test_zero_and_nilpotent_matrices_settle():
    assert transient_peak(np.zeros((2, 2))).settled
    peak = transient_peak(np.eye(3, k=1) * 1e200)
    assert (peak.lag, peak.settled) == (2, True)
    assert peak.log10 == pytest.approx(400, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 8), st.integers(0, 2**32 - 1), st.floats(0.3, 0.97))
def test_a_settled_peak_is_the_largest_of_all_powers(n, seed, rho):
    W = recurrent_matrix("gaussian", n, rho, seed)
    peak = transient_peak(W)
    norms = [np.log10(np.linalg.norm(np.linalg.matrix_power(W, k), 2)) for k in range(200)]
    assert peak.settled
    assert peak.log10 == pytest.approx(max(norms), abs=1e-10)
    assert norms[peak.lag] == pytest.approx(peak.log10, abs=1e-10)


def test_transients_refuse_and_say_why():
    with pytest.raises(ValueError, match=r"W must be \(2, 2\), got \(2, 3\)"):
        transient_peak(np.ones((2, 3)))
    with pytest.raises(ValueError, match="horizon must be an integer at least 1, got 0"):
        transient_peak(np.eye(2), 0)
