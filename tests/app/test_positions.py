"""The shipped tables of positions are those that their function learns."""

import numpy as np
import pytest
from rnnscope.app.positions import SHIPPED_ROWS, SHIPPED_SIZES, shipped_positions, task_of
from rnnscope.core import learn_positions


@pytest.mark.parametrize("d_model", [4, 8])
def test_a_table_is_learned_again(d_model):
    """Another library of linear algebra may differ in the last bits, and training carries them on."""
    again, shipped = learn_positions(task_of(d_model)), shipped_positions(d_model)
    np.testing.assert_allclose(again.table, shipped.table, rtol=1e-4, atol=1e-4)
    assert again.accuracy == pytest.approx(shipped.accuracy, abs=0.01)
    assert again.accuracy_without == pytest.approx(shipped.accuracy_without, abs=0.01)


@pytest.mark.parametrize("d_model", SHIPPED_SIZES)
def test_every_size_has_a_table(d_model):
    found = shipped_positions(d_model)
    assert found.table.shape == (SHIPPED_ROWS, d_model)
    assert found.accuracy > found.accuracy_without > 1 / 8
    assert not found.table.flags.writeable


def test_every_size_from_six_on_answers_without_an_error():
    assert all(shipped_positions(d_model).accuracy == 1.0 for d_model in range(6, 17))


def test_a_size_without_a_table_is_refused():
    with pytest.raises(ValueError, match="d_model must be in 2 … 16"):
        shipped_positions(17)
