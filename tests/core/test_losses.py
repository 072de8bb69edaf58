import numpy as np
import pytest
from rnnscope.core.losses import LOSSES, cross_entropy, squared, target_array


@pytest.mark.parametrize("name", LOSSES)
def test_every_loss_stands_beside_its_own_derivative(name, slope):
    loss, derivative = LOSSES[name]
    y, target = np.array([0.3, -1.2, 2.0]), np.array([0.2, 0.5, 0.3])
    want = slope(lambda v: loss(v, target), y)
    np.testing.assert_allclose(derivative(y, target), want, atol=1e-9)


def test_known_values():
    assert squared(np.array([1.0, 2.0]), np.array([0.0, 4.0])) == 2.5
    even = cross_entropy(np.zeros(4), np.eye(4)[2])
    assert even == pytest.approx(np.log(4), rel=1e-15)


def test_cross_entropy_of_logits_far_apart_is_finite():
    y = np.array([800.0, -800.0])
    assert cross_entropy(y, np.array([0.0, 1.0])) == 1600.0
    assert cross_entropy(y, np.array([1.0, 0.0])) == 0.0


def test_losses_take_leading_axes():
    rng = np.random.default_rng(0)
    y, target = rng.standard_normal((2, 3, 4)), np.full((2, 3, 4), 0.25)
    for loss, derivative in LOSSES.values():
        assert loss(y, target).shape == (2, 3)
        assert loss(y, target)[1, 2] == pytest.approx(float(loss(y[1, 2], target[1, 2])), rel=1e-14)
        np.testing.assert_allclose(derivative(y, target)[1, 2], derivative(y[1, 2], target[1, 2]))


def test_class_indices_become_one_hot_rows():
    assert target_array([1, 0], "cross_entropy", 2, 3).tolist() == [[0, 1, 0], [1, 0, 0]]
    assert target_array([], "cross_entropy", 0, 3).shape == (0, 3)
