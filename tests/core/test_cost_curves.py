"""Costs against length and size, and where two models change order."""

import pytest
from rnnscope.core import COST_AXES, MODELS, QUANTITIES, SIZES, cost_crossings, cost_curve, cost_of, costs


def test_a_curve_is_the_cost_at_each_size():
    assert cost_curve("lstm", "multiply_adds", "T", 9, 8)[3] == costs("lstm", SIZES[3], 8, 8).multiply_adds
    assert cost_curve("lstm", "parameters", "n", 9, 8)[3] == costs("lstm", 9, SIZES[3], SIZES[3]).parameters


@pytest.mark.parametrize("n", [4, 8, 15])
def test_self_attention_overtakes_a_gru_at_T_n_and_an_lstm_at_2n(n):
    """4 n² T + 2 T² n against 6 n² T and 8 n² T."""
    found = {(one.over, one.under): one.size for one in cost_crossings("multiply_adds", "T", 9, n)}
    assert found["self_attention", "gru"] == n + 1
    assert found["self_attention", "lstm"] == 2 * n + 1
    assert ("self_attention", "rnn") not in found


@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize("axis", COST_AXES)
@pytest.mark.parametrize(("T", "n"), [(9, 8), (1, 2), (12, 16)])
def test_a_crossing_is_the_first_size_at_which_the_order_changed(quantity, axis, T, n):
    def cost(model, size):
        return cost_of(model, quantity, *((size, n) if axis == "T" else (T, size)))

    found = {(one.over, one.under): one.size for one in cost_crossings(quantity, axis, T, n)}
    for over in MODELS:
        for under in MODELS:
            below = [size for size in range(1, 200) if cost(over, size) < cost(under, size)]
            above = [size for size in range(1, 200) if cost(over, size) > cost(under, size)]
            wanted = [size for size in above if below and size > below[0]]
            if found.get((over, under), 200) < 200:
                assert found[over, under] == wanted[0]
            else:
                assert not wanted


def test_unknown_names_are_said():
    with pytest.raises(ValueError, match="quantity must be one of"):
        cost_of("rnn", "time", 1, 1)
    with pytest.raises(ValueError, match="axis must be one of"):
        cost_curve("rnn", "parameters", "d", 1, 1)
