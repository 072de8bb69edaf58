import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rnnscope.core.scaling import log10_matrix_norms, rescale_power_of_two, to_float


@given(st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=6), st.integers(-200, 200))
def test_scaling_by_powers_of_two_is_exact(values, exponent):
    array = np.ldexp(np.array(values), min(exponent, 0))
    scaled, shift = rescale_power_of_two(array, (-1,))
    largest = np.abs(scaled).max()
    assert largest == 0.0 or 0.5 <= largest < 1.0
    np.testing.assert_array_equal(to_float(scaled[np.abs(scaled) > 1e-10], shift), array[np.abs(scaled) > 1e-10])


@pytest.mark.parametrize("size", [5e-324, 1e-310, 1.0, 1.7e308])
def test_the_whole_range_of_float64_is_brought_near_one(size):
    scaled, shift = rescale_power_of_two(np.array([size, 0.0]), (-1,))
    assert 0.5 <= scaled[0] < 1.0
    assert to_float(scaled, shift).tolist() == [size, 0.0]


def test_each_slice_has_its_own_exponent():
    scaled, shift = rescale_power_of_two(np.array([[1.0, 2.0], [0.0, 0.0], [8.0, -16.0]]), (-1,))
    assert shift.tolist() == [2, 0, 5]
    assert scaled.tolist() == [[0.25, 0.5], [0.0, 0.0], [0.25, -0.5]]


@pytest.mark.parametrize("norm", ["spectral", "frobenius"])
def test_norms_of_matrices_that_are_not_finite_are_nan(norm):
    matrices = np.array([[[np.inf, 0.5], [0.0, 0.5]], [[np.nan] * 2] * 2, np.eye(2) / 2])
    got = log10_matrix_norms(matrices, np.array([0, 0, 1]), norm)
    assert np.isnan(got[:2]).all()
    assert got[2] == pytest.approx(0.0 if norm == "spectral" else np.log10(2) / 2, abs=1e-15)
