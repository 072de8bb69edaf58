import numpy as np
import pytest
from rnnscope.core import LSTM, RNN, decay, half_life, unroll
from rnnscope.core.half_life import tail_slope


def linear(W, T):
    cell = RNN(np.zeros((len(W), 1)), W, np.zeros(len(W)), activation="linear")
    return cell, unroll(cell, np.zeros((T, 1)))


@pytest.mark.parametrize(("factor", "steps", "kind"), [(0.5, 1, "vanishing"), (2.0, 1, "exploding"), (0.9, 6.58, None)])
def test_half_lives_of_a_scalar(factor, steps, kind):
    found = half_life(*linear(np.array([[factor]]), 60))
    assert found.steps == pytest.approx(steps, rel=1e-3)
    assert found.slope == pytest.approx(np.log10(factor), rel=1e-10)
    assert kind in {found.kind, None}
    assert found.gone_from is None


def test_a_complex_leading_pair_is_fitted_through_its_swings():
    """||W^k|| swings about 0.9^k by a factor of 30 in a skewed basis; the fit is right to 1 % of the rate."""
    angle = 0.37
    turn = 0.9 * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    skew = np.diag([1.0, 30.0])
    W = skew @ turn @ np.linalg.inv(skew)
    for T in (97, 100, 104, 120):
        found = half_life(*linear(W, T), gradient=[1.0, 0.0])
        swing = found.curve - np.arange(T + 1) * np.log10(0.9)
        assert swing.max() - swing.min() > 0.7
        assert found.slope == pytest.approx(np.log10(0.9), rel=0.01)


def test_weights_beat_plain_least_squares_on_a_swing():
    lags = np.arange(101)
    for phase in np.linspace(0, np.pi, 5):
        curve = -0.01 * lags + 0.5 * np.sin(0.8 * lags + phase)
        plain = np.polyfit(lags[50:], curve[50:], 1)[0]
        assert abs(tail_slope(curve) + 0.01) < max(0.2 * abs(plain + 0.01), 2e-4)


def test_a_defective_eigenvalue_is_biased_as_the_docstring_says():
    found = half_life(*linear(0.9 * np.eye(2) + np.eye(2, k=1), 400))
    bias = found.slope - np.log10(0.9)
    assert 1 / (400 * np.log(10)) < bias < 1 / (200 * np.log(10))


def test_an_lstm_remembers_as_its_forget_gate_says():
    zeros = np.zeros((4, 1, 1))
    cell = LSTM(zeros, zeros, np.array([[3.0], [0.0], [0.0], [0.0]]))
    found = half_life(cell, unroll(cell, np.zeros((80, 1))), gradient=[0.0, 1.0])
    assert found.steps == pytest.approx(14.3, abs=0.05)
    assert found.kind == "vanishing"


def test_a_gradient_that_is_gone_says_from_where():
    found = half_life(*linear(np.eye(3, k=1), 10))
    assert (found.gone_from, found.steps, found.kind) == (3, 0.0, "vanishing")


def test_steady_is_neither():
    found = half_life(*linear(np.eye(2), 30))
    assert found.kind == "steady"
    assert found.steps > 1e12
    assert half_life(*linear(np.eye(2), 0)).steps == np.inf


def test_decay_of_an_rnn_fits_the_same(make_cell):
    cell = make_cell("tanh")
    trace = unroll(cell, np.random.default_rng(0).standard_normal((50, 2)))
    one, other = decay(cell, trace), half_life(cell, trace)
    assert (one.slope, one.kind, one.steps) == (other.slope, other.kind, other.steps)
