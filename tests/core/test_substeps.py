"""The sub-steps of a gated cell: each computes what the run holds, from what came before it."""

import numpy as np
import pytest
from rnnscope.core import NOTATIONS, RNN, equations, substep_values, substeps, unroll
from rnnscope.core.values import Values

GRUS = [f"gru-{reset}-{update}" for reset in ("before", "after") for update in ("new", "old")]
KINDS = ["lstm", *GRUS]
T = 4
COUNTS = {"lstm": 21} | dict.fromkeys(GRUS, 16)


def example(kind, make_cell, n=3, d=2):
    cell = make_cell(kind, n=n, d=d, m=None)
    rng = np.random.default_rng(5)
    return cell, unroll(cell, rng.standard_normal((T, d)), rng.standard_normal(n))


@pytest.mark.parametrize("kind", KINDS)
def test_every_substep_computes_what_the_run_holds(kind, make_cell):
    cell, trace = example(kind, make_cell)
    values = substep_values(cell, trace)
    for step in substeps(cell):
        for t in range(1, T + 1):
            got = step.right.evaluate(Values(cell, trace, t))
            np.testing.assert_allclose(values[step.symbol][t - 1], got, rtol=1e-12, atol=1e-12, err_msg=step.symbol)


@pytest.mark.parametrize("kind", KINDS)
def test_states_gates_and_sums_are_the_runs_own_bits(kind, make_cell):
    cell, trace = example(kind, make_cell)
    values = substep_values(cell, trace)
    assert np.array_equal(values["h"], trace.hs[1:])
    for gate in cell.gate_names:
        assert np.array_equal(values[gate], trace.gates[gate])
        assert np.array_equal(values[f"a{gate}"], trace.preactivations[gate])


@pytest.mark.parametrize("kind", KINDS)
def test_the_products_and_the_bias_add_up_to_each_preactivation(kind, make_cell):
    cell, trace = example(kind, make_cell)
    values, steps = substep_values(cell, trace), {step.symbol: step for step in substeps(cell)}
    for index, gate in enumerate(cell.gate_names):
        terms = sum(values[name] for name, _ in steps[f"a{gate}"].takes)
        np.testing.assert_allclose(terms + cell.b_h[index], values[f"a{gate}"], rtol=0, atol=1e-13)


@pytest.mark.parametrize("kind", KINDS)
def test_every_substep_takes_what_is_there_and_all_of_it_is_used(kind, make_cell):
    cell, _ = example(kind, make_cell)
    steps = substeps(cell)
    there = {("x", 0), ("h", -1)} | ({("c", -1)} if kind == "lstm" else set())
    for step in steps:
        assert set(step.takes) <= there, step.symbol
        there.add((step.symbol, 0))
    assert len(steps) == COUNTS[kind]
    assert there - {take for step in steps for take in step.takes} == {("h", 0)}


@pytest.mark.parametrize("kind", KINDS)
def test_every_substep_is_part_of_an_equation_of_its_cell(kind, make_cell):
    cell, _ = example(kind, make_cell)
    shown = {item.symbol for item in equations(cell)}
    assert {step.equation for step in substeps(cell)} == shown - {f"a{gate}" for gate in cell.gate_names}
    assert all(step.gate in (*cell.gate_names, None) for step in substeps(cell))


@pytest.mark.parametrize("notation", NOTATIONS)
def test_the_last_layer_step_is_written_as_in_the_equation(notation, make_cell):
    cell, _ = example("gru-after-old", make_cell)
    of = {item.symbol: item for item in equations(cell)}
    for step in substeps(cell):
        if step.symbol in of and step.symbol.startswith("a"):
            assert step.tokens(notation, 3) == of[step.symbol].tokens(notation, 3)[2:]


def test_an_overflowed_run_is_passed_on_without_a_warning(make_cell):
    cell, _ = example("lstm", make_cell)
    trace = unroll(cell, np.full((2, 2), 1e308))
    assert np.all(np.abs(substep_values(cell, trace)["Wxf"]) > 1e300)


def test_a_plain_cell_has_no_inside():
    with pytest.raises(ValueError, match="LSTM or a GRU, got RNN"):
        substeps(RNN([[1.0]], [[0.5]], [0.0]))
