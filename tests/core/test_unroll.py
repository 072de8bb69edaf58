import numpy as np
import pytest
from rnnscope.core import LSTM, RNN, bptt, step_jacobians, unroll


def rnn_of(stored, activation):
    p = stored["params"]
    return RNN(p["U"], p["W"], p["b"], p["V"], p["c"], activation)


def lstm_of(stored):
    p = stored["params"]
    stacked = [np.array([p[letter + gate] for gate in "fiog"]) for letter in "UWb"]
    return LSTM(*stacked, p["V"], p["c"])


CLOSE = {"rtol": 1e-11, "atol": 1e-13}


@pytest.mark.parametrize("activation", ["tanh", "relu", "linear"])
def test_rnn_agrees_with_stored_answers(load, activation):
    stored = load("rnn_small")
    known = stored["activations"][activation]
    cell = rnn_of(stored, activation)
    trace = unroll(cell, stored["x"], stored["h0"])
    np.testing.assert_allclose(trace.states, known["states"], **CLOSE)
    if "logits" in known:
        np.testing.assert_allclose(trace.ys, known["logits"], **CLOSE)
    if "J" in known:
        np.testing.assert_allclose(step_jacobians(cell, trace), known["J"], **CLOSE)
    gradients = bptt(cell, trace, stored["y"])
    np.testing.assert_allclose(gradients.loss, known["nll"], **CLOSE)
    assert gradients.loss.sum() == pytest.approx(known["loss_sum"], rel=1e-11)
    np.testing.assert_allclose(gradients.states, known["dLsum_dstate"], **CLOSE)
    names = {"W": "W_hh", "U": "W_xh", "b": "b_h", "V": "W_hy", "c": "b_y"}
    for letter, name in names.items():
        want = known["dLsum_dparam"][letter]
        np.testing.assert_allclose(getattr(gradients, name), want, **CLOSE)
    if "dLsum_dx" in known:
        np.testing.assert_allclose(gradients.inputs, known["dLsum_dx"], **CLOSE)


def test_lstm_agrees_with_stored_answers(load):
    stored = load("lstm_small")
    cell = lstm_of(stored)
    trace = unroll(cell, stored["x"], stored["h0"], stored["c0"])
    np.testing.assert_allclose(trace.states, stored["states"], **CLOSE)
    for gate, values in stored["gates"].items():
        np.testing.assert_allclose(trace.gates[gate], values, **CLOSE)
    np.testing.assert_allclose(step_jacobians(cell, trace), stored["J"], **CLOSE)
    gradients = bptt(cell, trace, stored["y"])
    np.testing.assert_allclose(gradients.loss, stored["nll"], **CLOSE)
    np.testing.assert_allclose(gradients.states, stored["dLsum_dstate"], **CLOSE)
    for letter, name in {"W": "W_hh", "U": "W_xh", "b": "b_h"}.items():
        want = [stored["dLsum_dparam"][letter + gate] for gate in "fiog"]
        np.testing.assert_allclose(getattr(gradients, name), want, **CLOSE)
    np.testing.assert_allclose(gradients.W_hy, stored["dLsum_dparam"]["V"], **CLOSE)
    np.testing.assert_allclose(gradients.b_y, stored["dLsum_dparam"]["c"], **CLOSE)


def test_trace_of_an_rnn_holds_what_the_contract_names(make_cell):
    cell = make_cell("tanh", n=3, d=2, m=2)
    trace = unroll(cell, np.ones((4, 2)), h0=[1, 2, 3])
    assert trace.steps == 4
    assert trace.hs[0].tolist() == [1.0, 2.0, 3.0]
    assert trace.cs is None
    assert trace.gates == {}
    np.testing.assert_array_equal(trace.states, trace.hs)
    np.testing.assert_array_equal(np.tanh(trace.preactivations), trace.hs[1:])
    np.testing.assert_allclose(trace.ys, trace.hs[1:] @ cell.W_hy.T + cell.b_y, rtol=1e-15)


def test_trace_of_an_lstm_holds_what_the_contract_names(make_cell):
    trace = unroll(make_cell("lstm", n=3, d=2, m=2), np.ones((4, 2)), c0=[1, 2, 3])
    assert list(trace.gates) == list(trace.preactivations) == ["f", "i", "o", "g"]
    f, i, o, g = trace.gates.values()
    np.testing.assert_allclose(trace.cs[1:], f * trace.cs[:-1] + i * g, rtol=1e-15)
    np.testing.assert_allclose(trace.hs[1:], o * np.tanh(trace.cs[1:]), rtol=1e-15)
    np.testing.assert_allclose(f, 1 / (1 + np.exp(-trace.preactivations["f"])), rtol=1e-14)
    np.testing.assert_array_equal(trace.states, np.hstack([trace.hs, trace.cs]))
    assert trace.cs[0].tolist() == [1.0, 2.0, 3.0]


def test_trace_is_read_only(make_cell):
    trace = unroll(make_cell("lstm"), np.ones((2, 2)))
    for array in (trace.xs, trace.hs, trace.cs, trace.states, trace.ys, trace.gates["f"]):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1.0


@pytest.mark.parametrize("kind", ["tanh", "lstm"])
def test_no_steps_leave_the_initial_state(kind, make_cell):
    cell = make_cell(kind, n=3)
    trace = unroll(cell, np.zeros((0, 2)), h0=[1, 2, 3])
    assert trace.states.shape == (1, cell.state_size)
    assert trace.ys.shape == (0, 2)
    assert step_jacobians(cell, trace).shape == (0, cell.state_size, cell.state_size)
    gradients = bptt(cell, trace, np.zeros((0, 2)), "squared")
    assert gradients.loss.shape == (0,)
    assert not gradients.W_hh.any()
    assert gradients.W_hh_steps.shape == (0, *cell.W_hh.shape)


def test_without_a_read_out_there_is_no_output(make_cell):
    assert unroll(make_cell("tanh", m=None), np.ones((2, 2))).ys is None


def test_an_overflowing_linear_network_is_shown_and_not_refused():
    cell = RNN([[1.0]], [[1e200]], [0.0], activation="linear")
    hs = unroll(cell, np.ones((3, 1))).hs.ravel()
    assert hs[:3].tolist() == [0.0, 1.0, 1e200]
    assert hs[3] == np.inf


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"xs": np.ones((3, 1))}, r"xs must be \(any, 2\), got \(3, 1\)"),
        ({"xs": np.ones(3)}, r"xs must be \(any, 2\), got \(3,\)"),
        ({"xs": [[0, np.nan]]}, r"xs must be finite, got nan at index \[0, 1\]"),
        ({"h0": [1.0]}, r"h0 must be \(3,\), got \(1,\)"),
        ({"c0": np.zeros(3)}, "c0 must be None for RNN"),
    ],
)
def test_unroll_refuses_and_says_why(arguments, message, make_cell):
    with pytest.raises(ValueError, match=message):
        unroll(make_cell("tanh"), **({"xs": np.ones((3, 2))} | arguments))
