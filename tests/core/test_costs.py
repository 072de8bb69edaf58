import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rnnscope.core import (
    LSTM,
    RNN,
    CausalConvolution,
    MultiHeadAttention,
    costs,
    receptive_field,
    self_attention,
)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 20), st.integers(1, 8), st.integers(1, 8))
def test_recurrent_costs_are_those_of_the_cells(T, n, d):
    for name, cell in {
        "rnn": RNN(np.ones((n, d)), np.ones((n, n)), np.ones(n)),
        "lstm": LSTM(np.ones((4, n, d)), np.ones((4, n, n)), np.ones((4, n))),
    }.items():
        got = costs(name, T, n, d)
        assert got.parameters == cell.parameter_count
        assert got.multiply_adds == T * (cell.W_xh.size + cell.W_hh.size)
        assert (got.layers, got.sequential_steps, got.path_length) == (1, T, T)
    assert 4 * costs("gru", T, n, d).multiply_adds == 3 * costs("lstm", T, n, d).multiply_adds
    assert 4 * costs("gru", T, n, d).parameters == 3 * costs("lstm", T, n, d).parameters


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 20), st.integers(1, 8), st.integers(1, 8), st.integers(2, 5))
def test_convolution_costs_are_those_of_a_stack_that_just_reaches(T, n, d, width):
    got = costs("convolution", T, n, d, width=width)
    sizes = [d] + [n] * (got.layers - 1)
    layers = [CausalConvolution(np.ones((width, n, size)), np.ones(n)) for size in sizes]
    assert got.parameters == sum(layer.parameter_count for layer in layers)
    assert got.multiply_adds == T * sum(layer.kernel.size for layer in layers)
    assert got.sequential_steps == got.path_length == len(layers)
    assert receptive_field(layers) >= T
    assert len(layers) == 1 or receptive_field(layers[1:]) < T


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 20), st.integers(1, 8))
def test_self_attention_costs_are_those_of_the_layer(T, n):
    layer = MultiHeadAttention(np.ones((3 * n, n)), np.ones(3 * n), np.ones((n, n)), np.ones(n))
    got, trace = costs("self_attention", T, n, n), self_attention(layer, np.ones((T, n)))
    assert got.parameters == layer.parameter_count
    projections = (trace.Q.size + trace.K.size + trace.V.size + trace.out.size) * n
    assert got.multiply_adds == projections + trace.scores.size * n + trace.joined.size * T
    assert (got.sequential_steps, got.path_length) == (1, 1)


def test_paths_grow_with_the_lag_and_work_with_the_length():
    assert [costs("rnn", 100, 4, 2, lag).path_length for lag in (0, 1, 99)] == [1, 2, 100]
    assert [costs("convolution", 100, 4, 2, lag).path_length for lag in (0, 1, 2, 3, 99)] == [1, 1, 1, 2, 50]
    short, long = (costs("self_attention", T, 4, 2).multiply_adds for T in (1000, 2000))
    assert 3.9 < long / short < 4.0
    assert costs("rnn", 2000, 4, 2).multiply_adds == 2 * costs("rnn", 1000, 4, 2).multiply_adds


def test_refusals():
    with pytest.raises(ValueError, match="model must be one of rnn, gru, lstm, convolution, self_attention, got 'cnn'"):
        costs("cnn", 3, 2, 2)
    with pytest.raises(ValueError, match="lag must be an integer in 0 … 2, got 3"):
        costs("rnn", 3, 2, 2, lag=3)
    with pytest.raises(ValueError, match="width must be an integer at least 2, got 1"):
        costs("convolution", 3, 2, 2, width=1)
    with pytest.raises(ValueError, match="T must be an integer at least 1, got 0"):
        costs("rnn", 0, 2, 2)
