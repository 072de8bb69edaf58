import numpy as np
import pytest
from rnnscope.core import RNN, mean_field, mean_slope, recurrent_matrix, unroll


def test_mean_fields_agree_with_stored_answers(load):
    for case in load("lyapunov")["mean_field"]:
        found = mean_field(case["g"])
        assert found.variance == pytest.approx(case["field_variance"], rel=1e-9)
        assert found.mean_slope == pytest.approx(case["mean_gain"], rel=1e-9)
        assert found.chi == pytest.approx(case["g"] ** 2 * case["mean_sq_gain"], rel=1e-9)
        assert found.largest_exponent == pytest.approx(case["lambda_max"], abs=1e-9)
        assert found.mean_exponent == pytest.approx(case["mean_exponent"], abs=1e-9)


def test_a_network_of_thousands_is_near_its_mean_field(load):
    for name, g in (("g1p5", 1.5), ("g3", 3.0)):
        published = load("lyapunov")["published_N4096"][name]
        found = mean_field(g)
        assert found.largest_exponent == pytest.approx(published["max_exponent"], abs=2e-3)
        assert found.mean_exponent == pytest.approx(published["mean_exponent"], abs=2e-3)


@pytest.mark.parametrize("g", [0.3, 1.0])
def test_below_the_edge_everything_decays(g):
    found = mean_field(g)
    assert (found.variance, found.mean_slope) == (0.0, pytest.approx(1.0, rel=1e-14))
    assert found.largest_exponent == pytest.approx(np.log(g), abs=1e-14)
    assert found.mean_exponent == pytest.approx(np.log(g) - 0.5, abs=1e-14)


def test_saturation_is_the_mean_slope(make_cell):
    cell = RNN(np.ones((4, 1)), recurrent_matrix("gaussian", 4, 0.9, 0), np.zeros(4))
    trace = unroll(cell, np.array([[0.5], [50.0]]))
    want = (1 - np.tanh(trace.preactivations) ** 2).mean(axis=1)
    np.testing.assert_allclose(mean_slope(cell, trace), want, atol=1e-15)
    assert 0 < mean_slope(cell, trace)[1] < 1e-30
    with pytest.raises(ValueError, match="cell must be an RNN, got LSTM"):
        mean_slope(make_cell("lstm"), trace)


@pytest.mark.parametrize("g", [0.0, -1.0, np.nan])
def test_mean_field_refuses_and_says_why(g):
    with pytest.raises(ValueError, match="g must be"):
        mean_field(g)
