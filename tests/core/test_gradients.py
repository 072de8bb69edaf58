from dataclasses import fields, replace

import numpy as np
import pytest
from rnnscope.core import (
    LSTM,
    RNN,
    bptt,
    gradient_log10_norms,
    state_jacobian,
    step_jacobians,
    unroll,
)
from rnnscope.core.losses import LOSSES as FUNCTIONS
from rnnscope.core.losses import target_array

GRUS = [f"gru-{reset}-{update}" for reset in ("before", "after") for update in ("new", "old")]
KINDS = ["tanh", "relu", "linear", "lstm", *GRUS]
LOSSES = ["cross_entropy", "squared"]
T = 4


def example(kind, loss, make_cell, seed=0):
    cell = make_cell(kind, seed=seed)
    rng = np.random.default_rng(seed + 7)
    trace = unroll(cell, rng.standard_normal((T, 2)), rng.standard_normal(3))
    targets = rng.integers(2, size=T) if loss == "cross_entropy" else rng.standard_normal((T, 2))
    return cell, trace, targets


def start_of(trace):
    return trace.hs[0], None if trace.cs is None else trace.cs[0]


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["W_xh", "W_hh", "b_h", "b_hh", "W_hy", "b_y"])
def test_parameter_gradients_equal_central_differences(kind, loss, name, make_cell, slope):
    cell, trace, targets = example(kind, loss, make_cell)
    if getattr(cell, name, None) is None:
        assert getattr(bptt(cell, trace, targets, loss), name) is None
        return

    def total(value):
        changed = replace(cell, **{name: value})
        again = unroll(changed, trace.xs, *start_of(trace))
        return bptt(changed, again, targets, loss).loss.sum()

    want = slope(total, getattr(cell, name))
    np.testing.assert_allclose(getattr(bptt(cell, trace, targets, loss), name), want, atol=2e-7)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("kind", KINDS)
def test_state_and_input_gradients_equal_central_differences(kind, loss, make_cell, slope):
    cell, trace, targets = example(kind, loss, make_cell)
    gradients = bptt(cell, trace, targets, loss)
    goals = target_array(targets, loss, T, 2)
    n = cell.hidden_size

    def rest_from(t, state, xs=trace.xs):
        rest = unroll(cell, xs[t:], state[:n], state[n:] if cell.state_size > n else None)
        later = FUNCTIONS[loss][0](rest.ys, goals[t:]).sum()
        own_output = state[:n] @ cell.W_hy.T + cell.b_y
        return later if t == 0 else later + FUNCTIONS[loss][0](own_output, goals[t - 1])

    for t in range(T + 1):
        want = slope(lambda state, t=t: rest_from(t, state), trace.states[t])
        np.testing.assert_allclose(gradients.states[t], want, atol=2e-7)
    want = slope(lambda xs: rest_from(0, trace.states[0], xs), trace.xs)
    np.testing.assert_allclose(gradients.inputs, want, atol=2e-7)


@pytest.mark.parametrize("loss", LOSSES)
def test_output_gradients_equal_central_differences_of_the_loss(loss, make_cell, slope):
    cell, trace, targets = example("tanh", loss, make_cell)
    goals = target_array(targets, loss, T, 2)
    want = slope(lambda ys: FUNCTIONS[loss][0](ys, goals).sum(), trace.ys)
    np.testing.assert_allclose(bptt(cell, trace, targets, loss).outputs, want, atol=1e-8)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("truncate", [None, 1, 2])
def test_what_arrives_at_a_state_is_its_output_plus_the_next_step(kind, truncate, make_cell):
    cell, trace, targets = example(kind, "squared", make_cell)
    gradients = bptt(cell, trace, targets, "squared", truncate)
    n = cell.hidden_size
    together = gradients.from_next.copy()
    together[1:, :n] += gradients.outputs @ cell.W_hy
    np.testing.assert_allclose(gradients.states, together, rtol=1e-13, atol=1e-14)
    np.testing.assert_allclose(gradients.from_output, gradients.outputs @ cell.W_hy, rtol=1e-14)
    assert not gradients.from_next[T].any()


@pytest.mark.parametrize("kind", KINDS)
def test_tiles_sum_to_the_gradient_of_the_recurrent_weights(kind, make_cell):
    gradients = bptt(*example(kind, "cross_entropy", make_cell))
    assert gradients.W_hh_steps.shape == (T, *gradients.W_hh.shape)
    np.testing.assert_allclose(gradients.W_hh_steps.sum(axis=0), gradients.W_hh, atol=1e-13)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("truncate", [None, 1, 2, T])
def test_contributions_and_states_equal_losses_carried_back_one_by_one(kind, truncate, make_cell):
    cell, trace, targets = example(kind, "cross_entropy", make_cell)
    gradients = bptt(cell, trace, targets, truncate=truncate)
    reach = truncate or T
    total = np.zeros((T + 1, cell.state_size))
    for t in range(1, T + 1):
        seed = np.zeros(cell.state_size)
        seed[: cell.hidden_size] = gradients.outputs[t - 1] @ cell.W_hy
        for k in range(t + 1):
            matrix, exponent = state_jacobian(cell, trace, t, k)
            message = seed @ np.ldexp(matrix, exponent) if t - k <= reach else np.zeros_like(seed)
            total[k] += message
            with np.errstate(divide="ignore"):
                want = np.log10(np.linalg.norm(message))
            assert gradients.contributions[t, k] == pytest.approx(want, abs=1e-10)
        assert np.isnan(gradients.contributions[t, t + 1 :]).all()
    assert np.isnan(gradients.contributions[0]).all()
    np.testing.assert_allclose(gradients.states, total, atol=1e-12)


def test_the_last_row_of_contributions_is_the_curve_of_the_last_loss(make_cell):
    cell, trace, targets = example("lstm", "cross_entropy", make_cell)
    gradients = bptt(cell, trace, targets)
    seed = np.concatenate([gradients.from_output[-1], np.zeros(3)])
    curve = gradient_log10_norms(cell, trace, seed)
    np.testing.assert_allclose(gradients.contributions[T], curve, atol=1e-12)


def test_last_loss_agrees_with_stored_answers(load):
    stored = load("rnn_small")
    p = stored["params"]
    for activation, known in stored["activations"].items():
        cell = RNN(p["U"], p["W"], p["b"], p["V"], p["c"], activation)
        trace = unroll(cell, stored["x"], stored["h0"])
        got = bptt(cell, trace, stored["y"]).contributions[12]
        np.testing.assert_allclose(got, np.log10(known["dLlast_dstate_norm"]), atol=1e-10)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("truncate", [1, 2, 3])
def test_truncation_equals_detaching_the_state(kind, truncate, make_cell):
    """Each loss alone, on a run that starts afresh `truncate` steps before it."""
    cell, trace, targets = example(kind, "squared", make_cell)
    W_hh = np.zeros_like(cell.W_hh)
    for t in range(1, T + 1):
        first = max(0, t - truncate)
        c0 = None if trace.cs is None else trace.cs[first]
        window = unroll(cell, trace.xs[first:t], trace.hs[first], c0)
        only_last = window.ys.copy()
        only_last[-1] = targets[t - 1]
        W_hh += bptt(cell, window, only_last, "squared").W_hh
    got = bptt(cell, trace, targets, "squared", truncate)
    np.testing.assert_allclose(got.W_hh, W_hh, atol=1e-12)


@pytest.mark.parametrize("truncate", [T, T + 5])
def test_truncation_beyond_the_run_changes_nothing(truncate, make_cell):
    example_run = example("lstm", "cross_entropy", make_cell)
    full, cut = bptt(*example_run), bptt(*example_run, truncate=truncate)
    for field in fields(full):
        if field.name not in ("preactivations", "b_hh"):
            np.testing.assert_array_equal(getattr(full, field.name), getattr(cut, field.name))


def test_preactivation_gradients_of_an_lstm_come_by_gate(make_cell):
    cell, trace, targets = example("lstm", "squared", make_cell)
    gradients = bptt(cell, trace, targets, "squared")
    assert list(gradients.preactivations) == ["f", "i", "o", "g"]
    for index, gate in enumerate("fiog"):
        total = gradients.preactivations[gate].sum(axis=0)
        np.testing.assert_allclose(total, gradients.b_h[index], atol=1e-13)


def test_soft_targets_equal_class_indices_when_one_hot(make_cell):
    cell, trace, targets = example("tanh", "cross_entropy", make_cell)
    hard, soft = bptt(cell, trace, targets), bptt(cell, trace, np.eye(2)[targets])
    np.testing.assert_array_equal(hard.loss, soft.loss)
    np.testing.assert_array_equal(hard.states, soft.states)


def test_a_zero_gradient_contributes_minus_infinity(make_cell):
    cell, trace, _ = example("tanh", "squared", make_cell)
    gradients = bptt(cell, trace, trace.ys, "squared")
    assert not gradients.loss.any()
    assert not gradients.states.any()
    assert (gradients.contributions[np.tril_indices(T + 1)][1:] == -np.inf).all()


def test_logits_of_ten_thousand_give_finite_losses():
    cell = RNN([[1.0]], [[0.5]], [0.0], [[1e4], [-1e4]])
    trace = unroll(cell, np.ones((2, 1)))
    gradients = bptt(cell, trace, [1, 0])
    assert gradients.loss[0] == pytest.approx(2e4 * np.tanh(1.0), rel=1e-14)
    assert gradients.loss[1] == 0.0
    assert gradients.outputs[0].tolist() == [1.0, -1.0]


def test_contributions_survive_where_the_gradient_itself_underflows():
    cell = RNN([[1.0]], [[0.1]], [0.0], [[1.0]], activation="linear")
    trace = unroll(cell, np.zeros((400, 1)))
    gradients = bptt(cell, trace, np.eye(1, 400, 399).T, "squared")
    assert gradients.contributions[400, 0] == pytest.approx(-400, abs=1e-9)
    assert gradients.states[0, 0] == 0.0


def test_an_exploding_gradient_is_infinite_and_its_contribution_is_not():
    cell = RNN([[1.0]], [[10.0]], [0.0], [[1.0]], activation="linear")
    trace = unroll(cell, np.zeros((400, 1)))
    gradients = bptt(cell, trace, -np.eye(1, 400, 399).T, "squared")
    assert gradients.contributions[400, 0] == pytest.approx(400, abs=1e-9)
    assert gradients.states[0, 0] == np.inf


@pytest.mark.parametrize("kind", ["tanh", "lstm"])
def test_one_step(kind, make_cell):
    cell = make_cell(kind)
    trace = unroll(cell, np.ones((1, 2)))
    gradients = bptt(cell, trace, [1])
    J = step_jacobians(cell, trace)[0]
    np.testing.assert_allclose(gradients.states[0], gradients.states[1] @ J, rtol=1e-12)


def test_gradients_are_read_only(make_cell):
    gradients = bptt(*example("lstm", "cross_entropy", make_cell))
    for name in ("loss", "W_hh", "states", "contributions", "from_next"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(gradients, name)[0] = 0.0
    with pytest.raises(ValueError, match="read-only"):
        gradients.preactivations["f"][0, 0] = 0.0


@pytest.mark.parametrize(
    ("targets", "options", "message"),
    [
        ([0, 1], {}, r"targets must be \(4,\), got \(2,\)"),
        ([0, 1, 2, 0], {}, "targets must be classes 0 … 1, got 2"),
        ([0, 1, -1, 0], {}, "targets must be classes 0 … 1, got -1"),
        ([0.0, 1.0, 0.5, 0.0], {}, "targets must be integer class indices, got dtype float64"),
        (np.ones((4, 2)), {}, "rows of probabilities that sum to 1"),
        (np.ones((4, 3)), {"loss": "squared"}, r"targets must be \(4, 2\), got \(4, 3\)"),
        ([0, 1, 1, 0], {"loss": "hinge"}, "loss must be one of cross_entropy, squared"),
        ([0, 1, 1, 0], {"truncate": 0}, "truncate must be an integer at least 1, got 0"),
    ],
)
def test_bptt_refuses_and_says_why(targets, options, message, make_cell):
    cell, trace, _ = example("tanh", "squared", make_cell)
    with pytest.raises(ValueError, match=message):
        bptt(cell, trace, targets, **options)


def test_bptt_needs_a_read_out():
    cell = LSTM(np.ones((4, 1, 1)), np.ones((4, 1, 1)), np.ones((4, 1)))
    with pytest.raises(ValueError, match="cell must have a read-out"):
        bptt(cell, unroll(cell, np.ones((2, 1))), [0, 0])


@pytest.mark.parametrize("truncate", [None, 1, 2, T])
@pytest.mark.parametrize("kind", ["tanh", "lstm", "gru-before-new"])
def test_what_goes_through_a_step_is_the_sum_of_the_losses_that_are_live_there(kind, truncate, make_cell):
    cell, trace, targets = example(kind, "squared", make_cell)
    found = bptt(cell, trace, targets, "squared", truncate)
    alone = [bptt(cell, trace, targets, "squared").from_output[t] for t in range(T)]
    for k in range(1, T + 1):
        total = np.zeros(cell.state_size)
        for t in range(k, min(T, k + (truncate or T) - 1) + 1):
            row = np.zeros(cell.state_size)
            row[: cell.hidden_size] = alone[t - 1]
            matrix, exponent = state_jacobian(cell, trace, t, k)
            total += row @ np.ldexp(matrix, exponent)
        np.testing.assert_allclose(found.through[k - 1], total, atol=1e-12)
