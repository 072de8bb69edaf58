import numpy as np
import pytest
from rnnscope.core.training import RECIPES, TASKS, accuracy_by_length, begin


def test_curves_by_length_count_every_example_once():
    task = TASKS["reversal"]
    examples = task.held_out(np.random.default_rng(0), 200)
    groups = accuracy_by_length(begin(RECIPES["reversal_none"]).model(), task, examples)
    assert [group.length for group in groups] == list(range(3, 21))
    assert sum(group.count for group in groups) == 200
    assert all(group.accuracy == pytest.approx(group.right / group.count) for group in groups)
