from dataclasses import replace

import numpy as np
import pytest
from rnnscope.core import RNN, bptt, gradient_check, unroll


def example(kind, loss, make_cell):
    cell = make_cell(kind)
    rng = np.random.default_rng(4)
    targets = rng.integers(2, size=5) if loss == "cross_entropy" else rng.standard_normal((5, 2))
    return cell, rng.standard_normal((5, 2)), targets


@pytest.mark.parametrize("loss", ["cross_entropy", "squared"])
@pytest.mark.parametrize("kind", ["tanh", "relu", "linear", "lstm"])
def test_right_gradients_deviate_by_rounding(kind, loss, make_cell):
    cell, xs, targets = example(kind, loss, make_cell)
    found = gradient_check(cell, xs, targets, loss, h0=[0.3, -0.2, 0.5])
    assert found.absolute.error < 1e-8
    assert found.relative.error < 1e-6
    assert found.entries == cell.parameter_count + cell.state_size
    assert abs(found.absolute.analytic - found.absolute.numeric) == found.absolute.error


@pytest.mark.parametrize("name", ["W_xh", "W_hh", "b_h", "W_hy", "b_y"])
@pytest.mark.parametrize("kind", ["tanh", "lstm"])
def test_a_planted_error_is_found_where_it_is(kind, name, make_cell):
    cell, xs, targets = example(kind, "cross_entropy", make_cell)
    right = bptt(cell, unroll(cell, xs), targets)
    wrong = getattr(right, name).copy()
    index = tuple(size - 1 for size in wrong.shape)
    wrong[index] += 1e-4
    found = gradient_check(cell, xs, targets, gradients=replace(right, **{name: wrong}))
    assert (found.absolute.parameter, found.absolute.index) == (name, index)
    assert found.absolute.error == pytest.approx(1e-4, rel=1e-3)


@pytest.mark.parametrize(("place", "name"), [(1, "h0"), (4, "c0")])
def test_a_planted_error_of_the_initial_state_is_found(place, name, make_cell):
    cell, xs, targets = example("lstm", "cross_entropy", make_cell)
    right = bptt(cell, unroll(cell, xs), targets)
    states = right.states.copy()
    states[0, place] *= 1.01
    found = gradient_check(cell, xs, targets, gradients=replace(right, states=states))
    assert (found.relative.parameter, found.relative.index) == (name, (place % 3,))
    assert found.relative.error == pytest.approx(0.01, rel=0.02)


def test_a_gradient_that_is_not_a_number_is_the_worst(make_cell):
    cell, xs, targets = example("tanh", "cross_entropy", make_cell)
    right = bptt(cell, unroll(cell, xs), targets)
    found = gradient_check(cell, xs, targets, gradients=replace(right, b_h=np.array([0.0, np.nan, 9.0])))
    assert (found.absolute.parameter, found.absolute.index) == ("b_h", (1,))
    assert np.isnan(found.relative.error)


def test_large_weights_are_moved_by_more(make_cell):
    cell = RNN([[1e-6]], [[0.5]], [0.0], [[1e6]], activation="linear")
    found = gradient_check(cell, np.ones((3, 1)), np.zeros((3, 1)), "squared")
    assert found.relative.error < 1e-6


def test_no_steps_have_no_gradient(make_cell):
    found = gradient_check(make_cell("tanh"), np.zeros((0, 2)), np.zeros((0, 2)), "squared")
    assert found.absolute.error == found.relative.error == 0.0


def test_the_check_refuses_and_says_why(make_cell):
    cell, xs, targets = example("tanh", "cross_entropy", make_cell)
    with pytest.raises(ValueError, match="step must be a positive number, got 0"):
        gradient_check(cell, xs, targets, step=0)
    with pytest.raises(ValueError, match="cell must have a read-out"):
        gradient_check(make_cell("tanh", m=None), xs, targets)


def test_a_bounded_check_looks_at_entries_spread_from_the_first_to_the_last(make_cell):
    cell, xs, targets = example("tanh", "squared", make_cell)
    found = gradient_check(cell, xs, targets, "squared", most=7)
    assert (found.entries, found.total) == (7, cell.parameter_count + cell.state_size)
    assert found.absolute.error < 1e-8
    right = bptt(cell, unroll(cell, xs), targets, "squared")
    wrong = right.W_xh.copy()
    wrong[0, 0] += 1e-4
    first = gradient_check(cell, xs, targets, "squared", gradients=replace(right, W_xh=wrong), most=2)
    assert (first.absolute.parameter, first.absolute.index) == ("W_xh", (0, 0))
    assert gradient_check(cell, xs, targets, "squared", most=10**6).entries == found.total


def test_a_bound_below_one_is_refused(make_cell):
    cell, xs, targets = example("tanh", "squared", make_cell)
    with pytest.raises(ValueError, match="most must be"):
        gradient_check(cell, xs, targets, "squared", most=0)
