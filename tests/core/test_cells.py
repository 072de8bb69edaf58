from dataclasses import replace

import numpy as np
import pytest
from rnnscope.core import LSTM, RNN, unroll

GRUS = [f"gru-{reset}-{update}" for reset in ("before", "after") for update in ("new", "old")]
KINDS = ["tanh", "relu", "linear", "lstm", *GRUS]


@pytest.mark.parametrize("kind", KINDS)
def test_jacobian_equals_central_differences(kind, make_cell, slope):
    cell = make_cell(kind)
    rng = np.random.default_rng(1)
    x, state = rng.standard_normal(2), rng.standard_normal(cell.state_size)
    want = slope(lambda s: cell.step(x, s), state)
    np.testing.assert_allclose(cell.jacobian(x, state), want, atol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_vjp_equals_central_differences(kind, make_cell, slope):
    cell = make_cell(kind)
    rng = np.random.default_rng(2)
    x, state = rng.standard_normal(2), rng.standard_normal(cell.state_size)
    gradient = rng.standard_normal(cell.state_size)
    got = cell.vjp(x, state, gradient)
    want = {
        "state": slope(lambda s: gradient @ cell.step(x, s), state),
        "x": slope(lambda v: gradient @ cell.step(v, state), x),
        # b_h is added to a_t, so that its slope is that of a_t with what follows from it (a GRU's r in a_g)
        "preactivations": slope(lambda b: gradient @ replace(cell, b_h=b).step(x, state), cell.b_h),
    }
    for name, array in want.items():
        np.testing.assert_allclose(getattr(got, name), array, atol=1e-8, err_msg=name)


@pytest.mark.parametrize("kind", KINDS)
def test_leading_batch_dimensions_agree_with_single_steps(kind, make_cell):
    cell = make_cell(kind)
    rng = np.random.default_rng(3)
    xs, states = rng.standard_normal((2, 5, 2)), rng.standard_normal((2, 5, cell.state_size))
    gradients = rng.standard_normal(states.shape)
    back = cell.vjp(xs, states, gradients)
    for at in np.ndindex(2, 5):
        single = cell.vjp(xs[at], states[at], gradients[at])
        pairs = [
            (cell.step(xs, states)[at], cell.step(xs[at], states[at])),
            (cell.jacobian(xs, states)[at], cell.jacobian(xs[at], states[at])),
            *((getattr(back, n)[at], getattr(single, n)) for n in ("state", "x", "preactivations")),
        ]
        for batched, alone in pairs:
            np.testing.assert_allclose(batched, alone, rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("kind", KINDS)
def test_parameter_gradients_sum_over_the_batch_and_tiles_do_not(kind, make_cell):
    cell = make_cell(kind)
    rng = np.random.default_rng(4)
    xs, states = rng.standard_normal((2, 3, 2)), rng.standard_normal((2, 3, cell.state_size))
    delta = rng.standard_normal(cell.preactivations(xs, states).shape)
    total = cell.parameter_gradients(xs, states, delta)
    singles = [cell.parameter_gradients(xs[i], states[i], delta[i]) for i in np.ndindex(2, 3)]
    for name, array in total.items():
        assert array.shape == getattr(cell, name).shape
        np.testing.assert_allclose(array, sum(single[name] for single in singles), atol=1e-12)
    tiles = cell.recurrent_tiles(xs, states, delta)
    np.testing.assert_allclose(tiles.sum(axis=(0, 1)), total["W_hh"], atol=1e-12)


def test_scalar_example_of_the_sources(load):
    known = load("stable_functions")["scalar_rnn"]
    cell = RNN([[known["U"]]], [[known["W"]]], [known["b"]])
    x, h = np.array([known["x"]]), np.array([known["h"]])
    assert cell.preactivations(x, h)[0] == pytest.approx(known["a"], rel=1e-15)
    assert cell.step(x, h)[0] == pytest.approx(known["h_new"], rel=1e-15)
    assert cell.jacobian(x, h)[0, 0] == pytest.approx(known["dh_dh"], rel=1e-14)


def test_the_cell_block_of_an_lstm_step_is_the_forget_gate_and_nothing_else(make_cell):
    cell = make_cell("lstm", n=4)
    rng = np.random.default_rng(5)
    x, state = rng.standard_normal(2), rng.standard_normal(8)
    gates = cell.gates(cell.preactivations(x, state))
    jacobian = cell.jacobian(x, state)
    np.testing.assert_array_equal(jacobian[4:, 4:], np.diag(gates["f"]))
    tau = np.tanh(cell.step(x, state)[4:])
    through_o = (tau * gates["o"] * (1 - gates["o"]))[:, None] * cell.W_hh[2]
    determinant = np.prod(gates["f"]) * np.linalg.det(through_o)
    assert np.linalg.det(jacobian) == pytest.approx(determinant, rel=1e-10)


def test_lstm_with_saturated_gates_copies_its_cell_state():
    b_h = np.array([[50.0], [-50.0], [50.0], [0.0]])
    cell = LSTM(np.zeros((4, 1, 1)), np.zeros((4, 1, 1)), b_h)
    trace = unroll(cell, np.ones((30, 1)), c0=[0.7])
    np.testing.assert_allclose(trace.cs, 0.7, rtol=1e-15)
    jacobian = cell.jacobian(np.ones(1), np.array([0.0, 0.7]))
    assert jacobian[1].tolist() == [0.0, 1.0]


def test_extreme_preactivations_do_not_warn():
    cell = LSTM(np.full((4, 1, 1), 800.0), np.zeros((4, 1, 1)), np.zeros((4, 1)))
    trace = unroll(cell, np.array([[1.0], [-1.0]]))
    assert trace.gates["f"].ravel().tolist() == [1.0, 0.0]
    assert np.isfinite(cell.jacobian(trace.xs, trace.states[:-1])).all()


def test_cell_keeps_read_only_copies():
    W_hh = np.eye(2)
    cell = RNN(np.ones((2, 1)), W_hh, np.zeros(2))
    W_hh[0, 0] = 9.0
    assert cell.W_hh[0, 0] == 1.0
    with pytest.raises(ValueError, match="read-only"):
        cell.W_hh[0, 0] = 2.0
    with pytest.raises(AttributeError):
        cell.activation = "relu"


def test_sizes_and_parameter_count():
    rnn = RNN(np.ones((3, 2)), np.ones((3, 3)), np.ones(3), np.ones((5, 3)))
    assert (rnn.hidden_size, rnn.input_size, rnn.output_size, rnn.state_size) == (3, 2, 5, 3)
    assert rnn.parameter_count == 6 + 9 + 3 + 15 + 5
    assert rnn.b_y.tolist() == [0.0] * 5
    lstm = LSTM(np.ones((4, 3, 2)), np.ones((4, 3, 3)), np.ones((4, 3)))
    assert (lstm.hidden_size, lstm.input_size, lstm.output_size, lstm.state_size) == (3, 2, None, 6)
    assert lstm.parameter_count == 4 * (6 + 9 + 3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"W_hh": np.ones((4, 3))}, r"W_hh must be \(4, 4\), got \(4, 3\)"),
        ({"W_hh": np.ones(4)}, r"W_hh must be \(any, any\), got \(4,\)"),
        ({"W_hh": np.ones((0, 0))}, "hidden size of W_hh must be an integer at least 1, got 0"),
        ({"W_xh": np.ones((3, 2))}, r"W_xh must be \(4, any\), got \(3, 2\)"),
        ({"b_h": np.ones((4, 1))}, r"b_h must be \(4,\), got \(4, 1\)"),
        ({"W_hy": np.ones((2, 3))}, r"W_hy must be \(any, 4\), got \(2, 3\)"),
        ({"b_y": np.ones(3)}, r"b_y must be \(2,\), got \(3,\)"),
        ({"W_hy": None}, "b_y must be None where W_hy is None"),
        ({"activation": "gelu"}, "activation must be one of tanh, relu, linear, got 'gelu'"),
        ({"b_h": [0, 0, np.nan, 0]}, r"b_h must be finite, got nan at index \[2\]"),
        ({"W_hh": np.diag([1, np.inf, 1, 1])}, r"W_hh must be finite, got inf at index \[1, 1\]"),
        ({"b_h": ["a", "b", "c", "d"]}, "b_h must be an array of real numbers"),
        ({"b_h": np.ones(4) * 1j}, "b_h must be an array of real numbers"),
    ],
)
def test_rnn_refuses_and_says_why(change, message):
    good = {"W_xh": np.ones((4, 2)), "W_hh": np.ones((4, 4)), "b_h": np.ones(4)}
    good |= {"W_hy": np.ones((2, 4)), "b_y": np.ones(2)}
    RNN(**good)
    with pytest.raises(ValueError, match=message):
        RNN(**(good | change))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"W_hh": np.ones((3, 4, 4))}, r"W_hh must be \(4, any, any\), got \(3, 4, 4\)"),
        ({"W_xh": np.ones((4, 3, 2))}, r"W_xh must be \(4, 4, any\), got \(4, 3, 2\)"),
        ({"b_h": np.ones(16)}, r"b_h must be \(4, 4\), got \(16,\)"),
    ],
)
def test_lstm_refuses_and_says_why(change, message):
    good = {"W_xh": np.ones((4, 4, 2)), "W_hh": np.ones((4, 4, 4)), "b_h": np.ones((4, 4))}
    LSTM(**good)
    with pytest.raises(ValueError, match=message):
        LSTM(**(good | change))


def test_a_cell_without_inputs_runs_alone():
    cell = RNN(np.zeros((2, 0)), np.eye(2), np.zeros(2), activation="linear")
    trace = unroll(cell, np.zeros((3, 0)), h0=[1.0, -2.0])
    assert trace.hs[3].tolist() == [1.0, -2.0]
