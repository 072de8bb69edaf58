import numpy as np
import pytest
from rnnscope.core.functions import (
    ACTIVATIONS,
    drelu,
    dsigmoid,
    dtanh,
    log_sigmoid,
    logsumexp,
    sigmoid,
    softmax,
)


@pytest.mark.parametrize(
    ("name", "function"),
    [("sigmoid", sigmoid), ("log_sigmoid", log_sigmoid), ("dsigmoid", dsigmoid), ("dtanh", dtanh)],
)
def test_agree_with_stored_answers_at_extreme_arguments(load, name, function):
    stored = load("stable_functions")
    got = function(np.array(stored["x"]))
    np.testing.assert_allclose(got, stored[name], rtol=1e-13, atol=1e-300)


def test_softmax_and_logsumexp_agree_with_stored_answers(load):
    for case in load("stable_functions")["softmax"]:
        z = np.array(case["z"])
        np.testing.assert_allclose(softmax(z), case["softmax"], rtol=1e-13, atol=1e-300)
        np.testing.assert_allclose(logsumexp(z), case["logsumexp"], rtol=1e-13)


def test_sigmoid_keeps_small_values_and_does_not_warn():
    assert sigmoid(np.array(-40.0)) == pytest.approx(4.248354255291589e-18, rel=1e-13)
    assert sigmoid(np.array([-800.0, 800.0])).tolist() == [0.0, 1.0]


def test_dtanh_is_not_zero_where_tanh_has_saturated():
    assert np.tanh(20.0) == 1.0
    assert dtanh(np.array(20.0)) == pytest.approx(4 * np.exp(-40.0), rel=1e-13)


def test_softmax_takes_leading_axes():
    z = np.random.default_rng(0).standard_normal((2, 3, 4))
    np.testing.assert_array_equal(softmax(z)[1, 2], softmax(z[1, 2]))


def test_relu_slope_at_zero_is_zero():
    assert drelu(np.array([-1.0, 0.0, 1.0])).tolist() == [0.0, 0.0, 1.0]


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_every_activation_stands_beside_its_own_derivative(name, slope):
    function, derivative = ACTIVATIONS[name]
    for a in (-1.3, -0.2, 0.4, 2.1):
        assert derivative(np.array(a)) == pytest.approx(float(slope(function, a)), abs=1e-9)
