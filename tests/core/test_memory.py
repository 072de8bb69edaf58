import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rnnscope.core import (
    LSTM,
    RNN,
    bptt,
    input_gradient_norms,
    last_output_gradients,
    memory_reach,
    unroll,
)
from rnnscope.core.losses import LOSSES, target_array

KINDS = [
    "tanh",
    "relu",
    "linear",
    "lstm",
    "gru-before-new",
    "gru-before-old",
    "gru-after-new",
    "gru-after-old",
]


def log10_norms(rows):
    with np.errstate(divide="ignore"):
        return np.log10(np.linalg.norm(rows, axis=1))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("loss", ["cross_entropy", "squared"])
def test_central_differences_of_every_component_agree(make_cell, slope, kind, loss):
    cell, rng = make_cell(kind), np.random.default_rng(3)
    xs, t = rng.standard_normal((6, 2)), 4
    targets = [0, 1, 1, 0, 1, 0] if loss == "cross_entropy" else rng.standard_normal((6, 2))
    goals = target_array(targets, loss, 6, 2)
    differences = slope(lambda at: LOSSES[loss][0](unroll(cell, at).ys[t - 1], goals[t - 1]), xs)
    found = input_gradient_norms(cell, unroll(cell, xs), targets, t, loss)
    np.testing.assert_allclose(10.0**found, np.linalg.norm(differences, axis=1), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_what_bptt_gives_where_only_one_loss_counts(make_cell, kind):
    cell, rng, t = make_cell(kind), np.random.default_rng(5), 7
    trace = unroll(cell, rng.standard_normal((9, 2)))
    targets = trace.ys.copy()
    targets[t - 1] += [0.3, -0.7]
    found = input_gradient_norms(cell, trace, targets, t, "squared")
    np.testing.assert_allclose(found, log10_norms(bptt(cell, trace, targets, "squared").inputs), atol=1e-10)
    assert np.isneginf(found[t:]).all()


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(KINDS), st.integers(1, 30), st.integers(0, 1000))
def test_at_the_end_it_is_the_last_outputs_gradient(make_cell, kind, T, seed):
    cell = make_cell(kind, seed=seed)
    trace = unroll(cell, np.random.default_rng(seed).standard_normal((T, 2)))
    found = input_gradient_norms(cell, trace, np.zeros(T, dtype=int), T)
    wanted = last_output_gradients(cell, trace, 0).chain.inputs
    np.testing.assert_allclose(found, log10_norms(wanted), atol=1e-9)


@pytest.mark.parametrize("rho", [0.1, 3.0])
def test_fifteen_hundred_steps_neither_underflow_nor_overflow(rho):
    cell = RNN([[2.0]], [[rho]], [0.0], [[1.0]], activation="linear")
    trace = unroll(cell, np.zeros((1500, 1)))
    found = input_gradient_norms(cell, trace, np.ones((1500, 1)), 1500, "squared")
    wanted = np.log10(2.0) + np.arange(1499, -1, -1) * np.log10(rho)
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_weights_of_any_size(size):
    cell = RNN([[size]], [[size]], [0.0], [[1.0]], activation="linear")
    trace = unroll(cell, np.zeros((4, 1)))
    found = input_gradient_norms(cell, trace, np.ones((4, 1)), 4, "squared")
    np.testing.assert_allclose(found, np.log10(size) * np.array([4.0, 3.0, 2.0, 1.0]), rtol=1e-13)


def test_an_input_that_the_gates_shut_out_is_exactly_zero():
    cell = RNN(np.eye(2), np.eye(2), [-1.0, -1.0], np.eye(2), activation="relu")
    xs = np.array([[5.0, 0.0], [-9.0, 0.0], [3.0, 0.0]])
    found = input_gradient_norms(cell, unroll(cell, xs), np.zeros((3, 2)), 3, "squared")
    np.testing.assert_array_equal(np.isneginf(found), [True, True, False])


def test_without_recurrence_only_its_own_character_counts(make_cell):
    cell = make_cell("tanh")
    alone = RNN(cell.W_xh, np.zeros((3, 3)), cell.b_h, cell.W_hy, cell.b_y)
    trace = unroll(alone, np.random.default_rng(0).standard_normal((5, 2)))
    found = input_gradient_norms(alone, trace, [0] * 5, 3)
    np.testing.assert_array_equal(np.isfinite(found), [False, False, True, False, False])
    assert memory_reach(found, 3) == 0


def test_an_open_forget_gate_reaches_further(make_cell):
    """f = sigma(b_f): the norm of a character k steps back holds f^k of what it was, so 1 % is reached where f^k is."""
    reaches = []
    for bias in (0.0, 2.0):
        W_xh, blocks = np.zeros((4, 1, 1)), np.zeros((4, 1, 1))
        W_xh[3] = 1.0  # the input reaches the candidate alone
        b_h = np.array([[bias], [0.0], [0.0], [0.0]])
        cell = LSTM(W_xh, blocks, b_h, np.ones((1, 1)))
        trace = unroll(cell, np.zeros((100, 1)))
        norms = input_gradient_norms(cell, trace, np.ones((100, 1)), 100, "squared")
        f = 1 / (1 + np.exp(-bias))
        np.testing.assert_allclose(np.diff(norms), -np.log10(f), atol=1e-12)
        reaches.append(memory_reach(norms, 100))
    assert reaches == [int(np.log(0.01) / np.log(0.5)), int(np.log(0.01) / np.log(1 / (1 + np.exp(-2))))]


def test_how_far_it_reaches_is_the_farthest_that_counts():
    norms = np.array([-3.0, -1.9, -5.0, 0.0, -np.inf])
    assert memory_reach(norms, 4) == 2
    assert memory_reach(norms, 4, 1e-3) == 3
    assert memory_reach(norms, 4, 0.5) == 0
    assert memory_reach(np.full(3, -np.inf), 3) == 0


def test_what_does_not_fit_is_refused(make_cell):
    cell = make_cell("tanh")
    trace = unroll(cell, np.zeros((3, 2)))
    with pytest.raises(ValueError, match="t must be an integer in 1 … 3, got 4"):
        input_gradient_norms(cell, trace, [0, 0, 0], 4)
    with pytest.raises(ValueError, match="loss must be one of"):
        input_gradient_norms(cell, trace, [0, 0, 0], 1, "hinge")
    bare = make_cell("tanh", m=None)
    with pytest.raises(ValueError, match="read-out"):
        input_gradient_norms(bare, unroll(bare, np.zeros((3, 2))), [0, 0, 0], 1)
    with pytest.raises(ValueError, match="share must be above 0, got 0"):
        memory_reach(np.zeros(3), 3, 0.0)
