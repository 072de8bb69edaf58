from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rnnscope.core import CausalConvolution, convolution_vjp, convolve, receptive_field


def draw(width=3, n=2, d=2, dilation=1, activation="tanh", seed=0):
    rng = np.random.default_rng(seed)
    return CausalConvolution(rng.standard_normal((width, n, d)), rng.standard_normal(n), activation, dilation)


def test_the_sum_by_hand():
    layer = CausalConvolution([[[1.0]], [[10.0]], [[100.0]]], [0.5], "linear", dilation=2)
    got = convolve([layer], [[1.0], [2.0], [3.0], [4.0], [5.0]]).values[-1]
    assert got.ravel().tolist() == [1.5, 2.5, 13.5, 24.5, 135.5]


@pytest.mark.parametrize("batch", [(), (2,)])
@pytest.mark.parametrize("activation", ["tanh", "relu", "linear"])
def test_gradients_equal_central_differences(batch, activation, slope):
    layers = [draw(2, 3, 2, 1, activation), draw(3, 2, 3, 2, activation, seed=1)]
    rng = np.random.default_rng(2)
    xs, direction = rng.standard_normal((*batch, 5, 2)), rng.standard_normal((*batch, 5, 2))

    def objective(xs=xs, layers=layers):
        return (direction * convolve(layers, xs).values[-1]).sum()

    to_xs, parameters = convolution_vjp(layers, convolve(layers, xs), direction)
    np.testing.assert_allclose(to_xs, slope(objective, xs), atol=1e-7)
    for i, layer in enumerate(layers):
        for name in ("kernel", "b"):

            def changed(value, i=i, layer=layer, name=name):
                return objective(layers=[*layers[:i], replace(layer, **{name: value}), *layers[i + 1 :]])

            np.testing.assert_allclose(parameters[i][name], slope(changed, getattr(layer, name)), atol=1e-7)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 3), st.integers(1, 3)), min_size=1, max_size=3), st.integers(1, 20))
def test_one_input_reaches_exactly_the_outputs_of_the_receptive_field(shapes, T):
    layers = [CausalConvolution(np.ones((w, 1, 1)), [0.0], "linear", dilation) for w, dilation in shapes]
    last = np.zeros((T, 1))
    last[-1] = 1.0
    to_xs, _ = convolution_vjp(layers, convolve(layers, np.zeros((T, 1))), last)
    seen = T - 1 - np.flatnonzero(to_xs)[0]
    if receptive_field(layers) <= T:
        assert seen == receptive_field(layers) - 1
    impulse = np.zeros((T, 1))
    impulse[T // 2] = 1.0
    assert not convolve(layers, impulse).values[-1][: T // 2].any()


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 8), st.integers(1, 8), st.integers(1, 4), st.integers(1, 20), st.integers(0, 19))
def test_a_shift_in_time_shifts_the_output(n, d, width, T, k):
    layer, rng = draw(width, n, d), np.random.default_rng(T)
    xs = rng.standard_normal((T, d))
    shifted = convolve([layer], np.concatenate([np.zeros((k, d)), xs])).values[-1]
    np.testing.assert_allclose(shifted[k:], convolve([layer], xs).values[-1], rtol=1e-11, atol=1e-12)


def test_sizes_edges_and_refusals():
    layer = draw(3, 2, 4)
    assert layer.parameter_count == 3 * 2 * 4 + 2
    assert receptive_field([]) == 1
    assert convolve([], np.ones((3, 2))).values[0].shape == (3, 2)
    assert convolve([layer], np.ones((0, 4))).values[-1].shape == (0, 2)
    assert convolve([draw(5, 2, 2)], np.ones((1, 2))).values[-1].shape == (1, 2)
    with pytest.raises(ValueError, match=r"xs of layer 1 must be \(..., T, 4\), got \(3, 2\)"):
        convolve([layer, layer], np.ones((3, 4)))
    with pytest.raises(ValueError, match=r"kernel must be \(any, 2, any\), got \(3, 1, 4\)"):
        CausalConvolution(np.ones((3, 1, 4)), np.ones(2))
    with pytest.raises(ValueError, match="width of kernel must be an integer at least 1, got 0"):
        CausalConvolution(np.ones((0, 2, 4)), np.ones(2))
    with pytest.raises(ValueError, match="dilation must be an integer at least 1, got 0"):
        draw(dilation=0)
