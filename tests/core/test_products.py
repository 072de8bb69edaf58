"""The products inside an equation are the entries of the cell's arrays, and add up with the rest to its value."""

import numpy as np
import pytest
from rnnscope.core import backward_equations, bptt, equation, equations, meaning_of, products, unroll

KINDS = ("tanh", "lstm", "gru-before-new", "gru-after-old")
T = 3


@pytest.fixture(params=KINDS)
def case(request, make_cell):
    cell, rng = make_cell(request.param), np.random.default_rng(2)
    trace = unroll(cell, rng.standard_normal((T, 2)), h0=rng.standard_normal(3))
    return cell, trace, bptt(cell, trace, rng.integers(2, size=T))


def test_rows_are_entries_of_the_cells_arrays(case):
    cell, trace, grads = case
    found = [
        product
        for item in (*equations(cell), *backward_equations(cell))
        for product in products(item, cell, trace, 2, 1, grads)
    ]
    assert found
    for product in found:
        np.testing.assert_array_equal(getattr(cell, product.weight).ravel()[product.places], product.row)
        assert product.total == pytest.approx(float(sum(product.row * product.vector)), abs=1e-15)


def test_an_affine_sum_is_its_products_and_its_bias(make_cell):
    for kind, symbol, gate in (("tanh", "a", None), ("lstm", "ao", "o"), ("gru-before-new", "az", "z")):
        cell = make_cell(kind)
        trace = unroll(cell, np.random.default_rng(1).standard_normal((T, 2)))
        found = products(equation(cell, symbol), cell, trace, 3, 2)
        bias = cell.b_h[2] if gate is None else cell.b_h[cell.gate_names.index(gate), 2]
        value = trace.preactivations[2, 2] if gate is None else trace.preactivations[gate][2, 2]
        assert [product.weight for product in found] == ["W_hh", "W_xh"]
        assert [product.signal for product in found] == [("h", 2), ("x", 3)]
        assert sum(product.total for product in found) + bias == pytest.approx(value, abs=1e-14)


def test_a_transposed_matrix_gives_its_column(make_cell):
    cell = make_cell("tanh")
    trace = unroll(cell, np.ones((T, 2)))
    grads = bptt(cell, trace, [0, 1, 0])
    read_out, back = products(equation(cell, "dh"), cell, trace, 2, 1, grads, "goodfellow")
    np.testing.assert_array_equal(read_out.row, cell.W_hy[:, 1])
    np.testing.assert_array_equal(back.row, cell.W_hh[:, 1])
    np.testing.assert_array_equal(back.vector, grads.preactivations[2])
    assert (read_out.matrix_token.text, read_out.matrix_token.sup, back.signal) == ("V", "T", ("da", 3))
    (_, last) = products(equation(cell, "dh"), cell, trace, T, 1, grads)
    assert last.signal is None
    assert not last.vector.any()


def test_a_product_of_a_product_is_no_signal(make_cell):
    cell = make_cell("gru-before-new")
    trace = unroll(cell, np.ones((T, 2)))
    found = products(equation(cell, "g"), cell, trace, 2, 0)
    assert [(product.weight, product.gate, product.signal) for product in found] == [
        ("W_hh", "g", None), ("W_xh", "g", ("x", 2)),
    ]  # fmt: skip
    np.testing.assert_array_equal(found[0].vector, trace.gates["r"][1] * trace.hs[1])


@pytest.mark.parametrize(("t", "unit"), [(0, 0), (T + 1, 0), (1, 3), (1, -1)])
def test_what_is_outside_of_the_run_is_refused(make_cell, t, unit):
    cell = make_cell("tanh")
    with pytest.raises(ValueError, match="must be an integer in"):
        products(equation(cell, "a"), cell, unroll(cell, np.ones((T, 2))), t, unit)


def test_every_symbol_of_the_equations_has_a_meaning(make_cell):
    for kind in KINDS:
        cell = make_cell(kind)
        for item in (*equations(cell), *backward_equations(cell)):
            assert meaning_of(item.symbol) == item.terms[0].meaning
    assert meaning_of("half_life") is None
