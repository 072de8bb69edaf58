"""Central differences of every quantity of a run agree with back-propagation."""

import numpy as np
import pytest
from rnnscope.core import (
    RNN,
    bptt,
    central_difference,
    state_difference,
    state_jacobian,
    unroll,
)

KINDS = ("tanh", "linear", "lstm", "gru-before-new", "gru-after-old")
T = 5


def one(shape, index):
    direction = np.zeros(shape)
    direction[index] = 1.0
    return direction


@pytest.fixture(params=KINDS)
def case(request, make_cell):
    cell, rng = make_cell(request.param), np.random.default_rng(3)
    trace = unroll(cell, rng.standard_normal((T, 2)), h0=rng.standard_normal(3))
    targets = rng.integers(2, size=T)
    return cell, trace, targets


def differences(case, name, shape, t=None, losses=None):
    cell, trace, targets = case
    found = [
        central_difference(cell, trace, targets, "cross_entropy", name, one(shape, i), t, losses)
        for i in np.ndindex(shape)
    ]
    return np.array(found).reshape(shape)


def stacked(cell, preactivations):
    if not cell.gate_names:
        return preactivations
    return np.stack([preactivations[gate] for gate in cell.gate_names], axis=1)


def test_states_inputs_outputs_and_preactivations(case):
    cell, trace, targets = case
    grads = bptt(cell, trace, targets)
    deltas = stacked(cell, grads.preactivations)
    for t in range(T + 1):
        np.testing.assert_allclose(differences(case, "state", (cell.state_size,), t), grads.states[t], atol=1e-9)
    for t in range(1, T + 1):
        np.testing.assert_allclose(differences(case, "x", (2,), t), grads.inputs[t - 1], atol=1e-9)
        np.testing.assert_allclose(differences(case, "y", (2,), t), grads.outputs[t - 1], atol=1e-9)
        np.testing.assert_allclose(differences(case, "b_h", deltas[0].shape, t), deltas[t - 1], atol=1e-9)


@pytest.mark.parametrize("name", ["W_xh", "W_hh", "b_h", "W_hy", "b_y"])
def test_a_parameter_everywhere(case, name):
    cell, trace, targets = case
    wanted = getattr(bptt(cell, trace, targets), name)
    np.testing.assert_allclose(differences(case, name, wanted.shape), wanted, atol=1e-9)


def test_one_use_of_the_recurrent_weights_is_its_tile(case):
    cell, trace, targets = case
    tiles = bptt(cell, trace, targets).W_hh_steps
    for t in range(1, T + 1):
        np.testing.assert_allclose(differences(case, "W_hh", tiles[0].shape, t), tiles[t - 1], atol=1e-9)


def test_what_comes_back_to_a_state_is_that_of_the_later_losses(case):
    cell, trace, targets = case
    grads = bptt(cell, trace, targets)
    for t in range(T):
        found = differences(case, "state", (cell.state_size,), t, (t + 1, T))
        np.testing.assert_allclose(found, grads.from_next[t], atol=1e-9)


def test_a_truncated_gradient_is_that_of_the_losses_that_are_kept(case):
    cell, trace, targets = case
    cut = bptt(cell, trace, targets, truncate=2)
    for t in range(1, T + 1):
        found = differences(case, "state", (cell.state_size,), t, (t, min(T, t + 1)))
        np.testing.assert_allclose(found, cut.through[t - 1], atol=1e-9)


def test_one_loss_at_a_state_is_its_contribution(case):
    cell, trace, targets = case
    table = bptt(cell, trace, targets).contributions
    found = differences(case, "state", (cell.state_size,), 2, (4, 4))
    assert np.linalg.norm(found) == pytest.approx(10 ** table[4, 2], rel=1e-6)


def test_a_direction_gives_the_slope_along_it(case):
    cell, trace, targets = case
    wanted = bptt(cell, trace, targets).states[1]
    along = np.random.default_rng(0).standard_normal(cell.state_size)
    found = central_difference(cell, trace, targets, "cross_entropy", "state", along, 1)
    assert found == pytest.approx(float(wanted @ along), abs=1e-8)


def test_states_follow_their_jacobian(case):
    cell, trace, _ = case
    matrix, exponent = state_jacobian(cell, trace, 4, 1)
    along = np.random.default_rng(0).standard_normal(cell.state_size)
    np.testing.assert_allclose(
        state_difference(cell, trace, 1, 4, along), np.ldexp(matrix, exponent) @ along, atol=1e-8
    )


def test_a_run_that_overflows_has_no_slope():
    cell = RNN([[1.0]], [[1e200]], [0.0], [[1.0]], activation="linear")
    trace = unroll(cell, np.ones((4, 1)))
    assert np.isnan(central_difference(cell, trace, np.zeros((4, 1)), "squared", "state", [1.0], 1))
    assert np.isnan(state_difference(cell, trace, 0, 4, [1.0])).all()


@pytest.mark.parametrize(
    ("name", "t", "losses", "direction", "words"),
    [
        ("z", 1, None, [1, 0, 0], "name must be one of"),
        ("x", 0, None, [1, 0], "t must be an integer in 1 … 5, got 0"),
        ("state", 6, None, [1, 0, 0], "t must be an integer in 0 … 5, got 6"),
        ("state", None, None, [1, 0, 0], "t must be given to move state"),
        ("state", 1, (3, 2), [1, 0, 0], "losses must be an integer in 1 … 2, got 3"),
        ("state", 1, (1, 9), [1, 0, 0], "losses must be an integer in 1 … 5, got 9"),
        ("state", 1, None, [1, 0], r"direction must be \(3,\), got \(2,\)"),
        ("b_hh", 1, None, [1, 0, 0], "cell must have b_hh"),
    ],
)
def test_what_is_refused(make_cell, name, t, losses, direction, words):
    cell = make_cell("tanh")
    trace = unroll(cell, np.zeros((T, 2)))
    with pytest.raises(ValueError, match=words):
        central_difference(cell, trace, np.zeros(T, int), "cross_entropy", name, direction, t, losses)


def test_a_cell_without_a_read_out_has_no_loss(make_cell):
    cell = make_cell("tanh", m=None)
    with pytest.raises(ValueError, match="read-out"):
        central_difference(cell, unroll(cell, np.zeros((T, 2))), None, "squared", "state", [1, 0, 0], 1)


@pytest.mark.parametrize(("k", "t", "direction"), [(3, 2, [1, 0, 0]), (0, 6, [1, 0, 0]), (0, 2, [1, 0])])
def test_what_a_state_difference_refuses(make_cell, k, t, direction):
    cell = make_cell("tanh")
    with pytest.raises(ValueError, match="must be"):
        state_difference(cell, unroll(cell, np.zeros((T, 2))), k, t, direction)
