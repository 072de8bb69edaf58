from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rnnscope.core import OutputRecurrence, output_recurrence_gradients, run_output_recurrence

NAMES = ("W_xh", "W_yh", "b_h", "W_hy", "b_y")
FORCED = [None, [True, False, True, False], [False] * 4]


def draw(feedback="output", activation="tanh", n=3, d=2, m=2, seed=0):
    rng = np.random.default_rng(seed)
    arrays = [rng.standard_normal(shape) for shape in ((n, d), (n, m), (n,), (m, n), (m,))]
    return OutputRecurrence(*arrays, activation, feedback)


def example(forced, loss, T=4):
    rng = np.random.default_rng(2)
    targets = rng.integers(2, size=T) if loss == "cross_entropy" else rng.standard_normal((T, 2))
    teacher = np.eye(2)[targets] if loss == "cross_entropy" else targets
    return rng.standard_normal((T, 2)), teacher, None if forced is None else np.array(forced), targets


@pytest.mark.parametrize("feedback", ["output", "softmax"])
@pytest.mark.parametrize("forced", FORCED)
@pytest.mark.parametrize("loss", ["cross_entropy", "squared"])
def test_gradients_equal_central_differences(feedback, forced, loss, slope):
    network = draw(feedback)
    xs, teacher, forced, targets = example(forced, loss)

    def objective(xs=xs, network=network):
        trace = run_output_recurrence(network, xs, teacher, forced)
        return output_recurrence_gradients(network, trace, targets, loss).loss.sum()

    got = output_recurrence_gradients(network, run_output_recurrence(network, xs, teacher, forced), targets, loss)
    np.testing.assert_allclose(got.inputs, slope(objective, xs), atol=1e-7)
    for name in NAMES:
        want = slope(lambda v, name=name: objective(network=replace(network, **{name: v})), getattr(network, name))
        np.testing.assert_allclose(got.parameters[name], want, atol=1e-7, err_msg=name)


@pytest.mark.parametrize("feedback", ["output", "softmax"])
def test_gradients_of_what_is_fed_and_put_out(feedback, slope):
    network = draw(feedback)
    xs, _, _, targets = example(None, "squared")
    trace = run_output_recurrence(network, xs, start=[0.3, -0.2])
    got = output_recurrence_gradients(network, trace, targets, "squared")

    def from_start(start):
        again = run_output_recurrence(network, xs, start=start)
        return output_recurrence_gradients(network, again, targets, "squared").loss.sum()

    np.testing.assert_allclose(got.fed[0], slope(from_start, np.array([0.3, -0.2])), atol=1e-7)
    np.testing.assert_allclose(got.outputs[-1], trace.ys[-1] - targets[-1], rtol=1e-14)
    passed = network.passed_on_vjp(trace.ys[0], got.fed[1])
    np.testing.assert_allclose(got.outputs[0], trace.ys[0] - targets[0] + passed, rtol=1e-12)


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 8), st.integers(1, 20), st.integers(0, 99))
def test_forced_steps_need_not_wait_for_one_another(n, T, seed):
    network, rng = draw(n=n, seed=seed), np.random.default_rng(seed)
    xs, teacher = rng.standard_normal((T, 2)), rng.standard_normal((T, 2))
    trace = run_output_recurrence(network, xs, teacher)
    for t in range(T):
        alone = run_output_recurrence(network, xs[t : t + 1], start=teacher[t - 1] if t else None)
        np.testing.assert_allclose(trace.ys[t], alone.ys[0], rtol=1e-12, atol=1e-14)
    free = run_output_recurrence(network, xs)
    again = run_output_recurrence(network, xs, free.ys)
    np.testing.assert_allclose(again.hs, free.hs, rtol=1e-12, atol=1e-14)


def test_a_free_run_step_by_step():
    network = draw("softmax")
    xs = np.random.default_rng(3).standard_normal((3, 2))
    trace, fed = run_output_recurrence(network, xs), np.zeros(2)
    for t, x in enumerate(xs):
        h = np.tanh(network.W_xh @ x + network.W_yh @ fed + network.b_h)
        y = network.W_hy @ h + network.b_y
        np.testing.assert_allclose(trace.ys[t], y, rtol=1e-13)
        np.testing.assert_allclose(trace.fed[t], fed, rtol=1e-13)
        fed = np.exp(y) / np.exp(y).sum()
    assert trace.forced.tolist() == [True, False, False]


def test_with_linear_units_it_is_an_rnn_on_its_outputs():
    network = draw(activation="linear")
    trace = run_output_recurrence(network, np.zeros((5, 2)), start=[1.0, 0.0])
    through = network.W_hy @ network.W_yh
    constant = network.W_hy @ network.b_h + network.b_y
    y = np.array([1.0, 0.0])
    for t in range(5):
        y = through @ y + constant
        np.testing.assert_allclose(trace.ys[t], y, rtol=1e-11)


def test_no_steps_and_refusals():
    network = draw()
    empty = run_output_recurrence(network, np.zeros((0, 2)), np.zeros((0, 2)))
    got = output_recurrence_gradients(network, empty, np.zeros((0, 2)), "squared")
    assert not got.parameters["W_yh"].any()
    assert network.parameter_count == 6 + 6 + 3 + 6 + 2
    cases = [
        (lambda: draw("argmax"), "feedback must be one of output, softmax, got 'argmax'"),
        (lambda: replace(network, W_yh=np.ones((3, 3))), r"W_yh must be \(3, 2\), got \(3, 3\)"),
        (lambda: replace(network, W_hy=np.ones((2, 4))), r"W_hy must be \(any, 3\), got \(2, 4\)"),
        (lambda: run_output_recurrence(network, np.ones((3, 2)), np.ones((2, 2))), r"teacher must be \(3, 2\)"),
        (lambda: run_output_recurrence(network, np.ones((3, 2)), forced=[True] * 3), "teacher must be given"),
        (lambda: run_output_recurrence(network, np.ones((3, 2)), forced=[1, 0, 1]), "forced must be booleans"),
    ]
    for call, message in cases:
        with pytest.raises(ValueError, match=message):
            call()
