"""Operations on a run, against central differences of the operated forward pass."""

from dataclasses import replace

import numpy as np
import pytest
from rnnscope.core import (
    LSTM,
    LSTMConfig,
    Surgery,
    bptt,
    jacobian_log10_norms,
    operate,
    operate_on,
    operated_bptt,
    operated_log10_norms,
    operated_step_jacobians,
    run,
    unroll,
)

GRUS = [f"gru-{reset}-{update}" for reset in ("before", "after") for update in ("new", "old")]
KINDS = ["tanh", "relu", "lstm", *GRUS]
T = 5


def start(cell, rng):
    c0 = rng.standard_normal(cell.hidden_size) if isinstance(cell, LSTM) else None
    return rng.standard_normal(cell.hidden_size), c0


def example(kind, make_cell, seed=0):
    """A cell, inputs, a start and a surgery that touches every kind of thing the cell has."""
    cell = make_cell(kind, seed=seed)
    rng = np.random.default_rng(seed + 3)
    clamps = []
    for at, gate in enumerate(cell.gate_names):
        clamps += [(gate, 1 + at, 0.3 + 0.1 * at, None), (gate, 4, 0.7, at % 3)]
    return cell, rng.standard_normal((T, 2)), start(cell, rng), Surgery(tuple(clamps), (2, 5), ((3, 0.4, 1),))


@pytest.mark.parametrize("kind", [*KINDS, "linear"])
@pytest.mark.parametrize("surgery", [Surgery(), Surgery(cuts=(T,))])
def test_before_its_first_operation_a_run_is_that_of_unroll_bit_for_bit(kind, surgery, make_cell):
    cell, xs, (h0, c0), _ = example(kind, make_cell)
    want, got = unroll(cell, xs, h0, c0), operate(cell, xs, surgery, h0, c0)
    last = T if not surgery else T - 1
    np.testing.assert_array_equal(got.states[: last + 1], want.states[: last + 1])
    for gate in cell.gate_names:
        np.testing.assert_array_equal(got.gates[gate][:last], want.gates[gate][:last])
        np.testing.assert_array_equal(got.preactivations[gate][:last], want.preactivations[gate][:last])
    assert (got.states[T] == want.states[T]).all() == (not surgery)


@pytest.mark.parametrize("kind", ["lstm", *GRUS])
def test_a_clamp_at_the_gates_own_value_changes_no_bit(kind, make_cell):
    cell, xs, (h0, c0), _ = example(kind, make_cell)
    plain = unroll(cell, xs, h0, c0)
    clamps = tuple((gate, 3, plain.gates[gate][2, unit], unit) for gate in cell.gate_names for unit in range(3))
    again = operate(cell, xs, Surgery(clamps), h0, c0)
    np.testing.assert_array_equal(again.states, plain.states)
    np.testing.assert_array_equal(again.ys, plain.ys)


@pytest.mark.parametrize("kind", KINDS)
def test_step_jacobians_equal_central_differences(kind, make_cell, slope):
    cell, xs, (h0, c0), surgery = example(kind, make_cell)
    trace = operate(cell, xs, surgery, h0, c0)
    found = operated_step_jacobians(cell, trace, surgery)
    n = cell.hidden_size
    for t in range(1, T + 1):
        want = slope(lambda state, t=t: rest(cell, trace, surgery, t, state, n)[1], trace.states[t - 1])
        np.testing.assert_allclose(found[t - 1], want, atol=1e-8)


def rest(cell, trace, surgery, t, state, n):
    """The states from step t on, from another state before it."""
    return operate(cell, trace.xs[t - 1 :], later(surgery, t), state[:n], state[n:] if len(state) > n else None).states


def later(surgery, t):
    """What is left of a surgery at steps t … T, counted from 1."""
    clamps = tuple(
        clamp._replace(step=clamp.step and clamp.step - t + 1)
        for clamp in surgery.clamps
        if clamp.step is None or clamp.step >= t
    )
    cuts = tuple(step - t + 1 for step in surgery.cuts if step >= t)
    return Surgery(
        clamps, cuts, tuple(edit._replace(step=edit.step - t + 1) for edit in surgery.inputs if edit.step >= t)
    )


@pytest.mark.parametrize("kind", KINDS)
def test_norms_are_those_of_the_products_of_the_step_jacobians(kind, make_cell, slope):
    cell, xs, (h0, c0), surgery = example(kind, make_cell)
    trace = operate(cell, xs, surgery, h0, c0)
    whole = slope(lambda state: rest(cell, trace, surgery, 1, state, cell.hidden_size)[-1], trace.states[0])
    norms = operated_log10_norms(cell, trace, surgery, T)
    assert 10.0 ** norms[0] == pytest.approx(np.linalg.norm(whole, 2), abs=1e-8)  # 0 where an RNN is cut
    assert norms[T] == 0
    np.testing.assert_allclose(operated_log10_norms(cell, trace, surgery)[T], norms, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["W_xh", "W_hh", "b_h", "b_hh", "W_hy", "inputs", "states"])
def test_gradients_equal_central_differences(kind, name, make_cell, slope):
    cell, xs, (h0, c0), surgery = example(kind, make_cell)
    goals = np.random.default_rng(9).standard_normal((T, 2))
    trace = operate(cell, xs, surgery, h0, c0)
    found = getattr(operated_bptt(cell, trace, surgery, goals, "squared"), name)

    def total(changed, inputs, state):
        edits = inputs if inputs is not trace.xs else trace.xs
        again = operate(changed, edits, replace(surgery, inputs=()), state[:3], state[3:] if len(state) > 3 else None)
        return 0.5 * ((again.ys - goals) ** 2).sum()

    if name == "inputs":
        want = slope(lambda inputs: total(cell, inputs, trace.states[0]), trace.xs)
    elif name == "states":
        found, want = found[0], slope(lambda state: total(cell, trace.xs, state), trace.states[0])
    elif getattr(cell, name, None) is None:
        assert found is None
        return
    else:
        want = slope(
            lambda value: total(replace(cell, **{name: value}), trace.xs, trace.states[0]), getattr(cell, name)
        )
    np.testing.assert_allclose(found, want, atol=3e-7)


@pytest.mark.parametrize("kind", KINDS)
def test_without_an_operation_the_gradients_are_those_of_the_run(kind, make_cell):
    cell, xs, (h0, c0), _ = example(kind, make_cell)
    trace, goals = unroll(cell, xs, h0, c0), np.zeros((T, 2))
    found, want = operated_bptt(cell, trace, Surgery(), goals, "squared"), bptt(cell, trace, goals, "squared")
    for name in ("W_xh", "W_hh", "b_h", "states", "inputs", "W_hh_steps"):
        np.testing.assert_allclose(getattr(found, name), getattr(want, name), rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(
        operated_log10_norms(cell, trace, Surgery()), jacobian_log10_norms(cell, trace), rtol=1e-9, atol=1e-12
    )


def test_an_open_forget_gate_and_a_shut_input_gate_make_the_carousel(make_cell):
    cell, xs, (h0, c0), _ = example("lstm", make_cell)
    carousel = Surgery((("f", None, 1.0, None), ("i", None, 0.0, None)))
    trace = operate(cell, np.tile(xs, (60, 1)), carousel, h0, c0)
    np.testing.assert_array_equal(trace.cs, np.tile(c0, (301, 1)))
    product = np.linalg.multi_dot(operated_step_jacobians(cell, trace, carousel)[::-1])
    np.testing.assert_array_equal(product[3:, 3:], np.eye(3))
    assert (trace.gates["f"] == 1).all()
    assert np.ptp(trace.preactivations["f"]) > 0


def test_a_cut_leaves_the_line_of_c_and_takes_the_way_of_h(make_cell):
    cell, xs, (h0, c0), _ = example("lstm", make_cell)
    cut = Surgery(cuts=(3,))
    trace = operate(cell, xs, cut, h0, c0)
    jacobian = operated_step_jacobians(cell, trace, cut)[2]
    assert (jacobian[:, :3] == 0).all()
    np.testing.assert_allclose(np.diag(jacobian[3:, 3:]), trace.gates["f"][2], rtol=1e-14)
    alone = unroll(cell, xs[2:3], None, trace.cs[2])
    np.testing.assert_allclose(trace.states[3], alone.states[1], rtol=1e-15)


def test_a_cut_holds_where_the_state_has_overflowed(make_cell):
    cell = make_cell("linear", scale=1e200)
    cut = operate(cell, np.ones((4, 2)), Surgery(cuts=(4,)))
    assert not np.isfinite(cut.hs[3]).all()
    assert np.isfinite(cut.hs[4]).all()


def test_a_later_operation_wins_and_a_deleted_input_is_zero(make_cell):
    cell, xs, _, _ = example("lstm", make_cell)
    trace = operate(cell, xs, Surgery((("f", None, 1, None), ("f", 2, 0.25, 1)), (), ((1, "deleted"), (2, 3.0, 0))))
    assert trace.gates["f"].tolist()[1] == [1, 0.25, 1]
    np.testing.assert_array_equal(trace.xs, [[0, 0], [3, xs[1, 1]], *xs[2:]])


def test_an_operated_run_keeps_the_untouched_one():
    untouched = run(LSTMConfig(n=3, d=2, T=6, input="noise", seed=2))
    operated = operate_on(untouched, Surgery((("f", 2, 0.0, None),)))
    assert operated.untouched is untouched
    assert (operated.run.trace.cs[:2] == untouched.trace.cs[:2]).all()
    norms = operated.log10_norms(6)
    np.testing.assert_array_equal(norms[:, 0], jacobian_log10_norms(untouched.cell, untouched.trace, t=6))
    np.testing.assert_allclose(norms[5:], norms[5:, :1].repeat(2, axis=1), atol=1)
    assert norms[0, 1] < norms[0, 0]


def test_equal_surgeries_are_one_key():
    one = Surgery((("f", 2, 0, None),), (3,), ((1, "deleted"),))
    assert {one: "x"}[Surgery((("f", 2, 0.0),), (3,), ((1, "deleted", None),))] == "x"
    assert (bool(one), bool(Surgery())) == (True, False)


@pytest.mark.parametrize(
    ("surgery", "words"),
    [
        (lambda: Surgery((("f", 0, 1.0, None),)), "step of the clamp of f must be an integer at least 1, got 0"),
        (lambda: Surgery((("f", 1, np.inf, None),)), "value of the clamp of f must be a finite number, got inf"),
        (lambda: Surgery((("f", 1, 1.0, -1),)), "unit must be an integer at least 0, got -1"),
        (lambda: Surgery(cuts=(1.5,)), "step of a cut must be an integer at least 1, got 1.5"),
        (lambda: Surgery(inputs=((2, np.nan, 0),)), "value of the input at step 2 must be a finite number, got nan"),
        (lambda: Surgery(inputs=((2, "gone", 0),)), "value of the input at step 2 must be a finite number, got 'gone'"),
    ],
)
def test_what_no_run_could_take_is_refused(surgery, words):
    with pytest.raises(ValueError, match=words):
        surgery()


@pytest.mark.parametrize(
    ("kind", "surgery", "words"),
    [
        ("lstm", Surgery((("z", 1, 1.0, None),)), "clamped gate must be one of f, i, o, g, got 'z'"),
        ("tanh", Surgery((("f", 1, 1.0, None),)), "an RNN has no gates"),
        ("lstm", Surgery((("f", 6, 1.0, None),)), "step of the clamp of f must be an integer in 1 … 5, got 6"),
        ("lstm", Surgery((("f", 1, 1.0, 3),)), "unit of the clamp of f must be an integer in 0 … 2, got 3"),
        ("lstm", Surgery(cuts=(9,)), "step of a cut must be an integer in 1 … 5, got 9"),
        ("lstm", Surgery(inputs=((6, 0.0, 0),)), "step of an input must be an integer in 1 … 5, got 6"),
        ("lstm", Surgery(inputs=((5, 0.0, 2),)), "component of an input must be an integer in 0 … 1, got 2"),
    ],
)
def test_what_this_run_cannot_take_is_refused(kind, surgery, words, make_cell):
    with pytest.raises(ValueError, match=words):
        operate(make_cell(kind), np.zeros((T, 2)), surgery)


def test_a_cell_of_another_kind_is_refused(make_cell):
    class Other:
        def __init__(self, cell):
            self.cell = cell

        def __getattr__(self, name):
            return getattr(self.cell, name)

    with pytest.raises(ValueError, match="cell must be an RNN, LSTM or GRU, got Other"):
        operate(Other(make_cell("lstm")), np.zeros((T, 2)), Surgery(cuts=(1,)))
