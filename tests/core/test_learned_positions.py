"""Positions that have been learned: the gradient, the answers, and what a layer without them can do."""

import numpy as np
import pytest
from rnnscope.core import PositionTask, learn_positions, position_loss, start_model
from rnnscope.core.learned_positions import previous_symbols


def test_the_answer_is_the_symbol_before():
    assert previous_symbols(np.array([[3, 1, 2], [0, 0, 7]])).tolist() == [[3, 3, 1], [0, 0, 0]]


@pytest.mark.parametrize("name", ["embedding", "table", "projections", "readout"])
def test_the_gradient_equals_central_differences(name, slope):
    task = PositionTask(3, T=4, symbols=3)
    model, symbols = start_model(task), np.random.default_rng(1).integers(3, size=(5, 4))
    want = slope(lambda moved: np.array([position_loss(task, {**model, name: moved}, symbols)[0]]), model[name])[0]
    np.testing.assert_allclose(position_loss(task, model, symbols)[1][name], want, rtol=1e-5, atol=1e-8)


def test_a_table_solves_what_a_set_cannot():
    learned = learn_positions(PositionTask(6, T=6, symbols=4, steps=300))
    assert learned.accuracy > 0.95
    assert learned.accuracy_without < 0.6
    assert learned.table.shape == (6, 6)


def test_the_same_seed_learns_the_same_table():
    tasks = [PositionTask(4, T=5, symbols=3, steps=20, seed=seed) for seed in (2, 2, 3)]
    one, again, other = (learn_positions(task).table for task in tasks)
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)
