from dataclasses import fields, replace

import numpy as np
import pytest
from rnnscope.core import RNN, bptt, last_output_gradients, unroll


@pytest.mark.parametrize("activation", ["tanh", "relu", "linear"])
def test_state_gradients_agree_with_the_stored_answers(activation, load):
    stored = load("rnn_small")
    known, p = stored["activations"][activation], stored["params"]
    cell = RNN(p["U"], p["W"], p["b"], p["V"], p["c"], activation)
    trace = unroll(cell, stored["x"], stored["h0"])
    got = last_output_gradients(cell, trace, stored["y"][-1])
    assert got.loss == pytest.approx(known["nll"][-1], rel=1e-11)
    np.testing.assert_allclose(got.chain.states, known["dLlast_dstate"], rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("kind", ["tanh", "relu", "lstm"])
@pytest.mark.parametrize(
    ("loss", "target"), [("cross_entropy", 1), ("cross_entropy", [0.3, 0.7]), ("squared", [1.0, -1.0])]
)
def test_gradients_equal_central_differences(kind, loss, target, make_cell, slope):
    cell, rng = make_cell(kind), np.random.default_rng(1)
    xs = rng.standard_normal((4, 2))
    got = last_output_gradients(cell, unroll(cell, xs), target, loss)

    def objective(xs=xs, cell=cell):
        return last_output_gradients(cell, unroll(cell, xs), target, loss).loss

    np.testing.assert_allclose(got.chain.inputs, slope(objective, xs), atol=1e-7)
    names = {field.name for field in fields(cell)} - {"activation"}
    assert set(got.chain.parameters) == names
    for name in names:
        want = slope(lambda v, name=name: objective(cell=replace(cell, **{name: v})), getattr(cell, name))
        np.testing.assert_allclose(got.chain.parameters[name], want, atol=1e-7, err_msg=name)


def test_one_step_is_what_bptt_gives(make_cell):
    cell = make_cell("lstm")
    trace = unroll(cell, np.ones((1, 2)))
    got, want = last_output_gradients(cell, trace, 1), bptt(cell, trace, [1])
    np.testing.assert_allclose(got.chain.states, want.states, atol=1e-15)
    np.testing.assert_allclose(got.chain.parameters["W_hy"], want.W_hy, atol=1e-15)


def test_refusals(make_cell):
    cell = make_cell("tanh")
    trace = unroll(cell, np.ones((2, 2)))
    with pytest.raises(ValueError, match="cell must have a read-out"):
        last_output_gradients(make_cell("tanh", m=None), trace, 1)
    with pytest.raises(ValueError, match="trace must have at least one step"):
        last_output_gradients(cell, unroll(cell, np.ones((0, 2))), 1)
    with pytest.raises(ValueError, match="targets must be classes 0 … 1, got 2"):
        last_output_gradients(cell, trace, 2)
    with pytest.raises(ValueError, match="loss must be one of"):
        last_output_gradients(cell, trace, 1, "hinge")
