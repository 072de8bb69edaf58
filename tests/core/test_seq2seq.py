from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rnnscope.core import (
    RNN,
    AdditiveScorer,
    clip_by_global_norm,
    decoder_jacobians,
    encode,
    encoder_decoder_gradients,
    greedy_decode,
    run_encoder_decoder,
)

from tests.core.seq2seq_models import EXACT, draw_model, stored_model

MODELS = [
    *(("tanh", scorer) for scorer in (None, "additive", "general", "dot", "concat")),
    ("relu", "additive"),
    ("lstm", None),
    ("lstm", "additive"),
    ("gru-before-new", "additive"),
    ("gru-after-old", None),
]
SOURCE, TARGET = np.array([3, 0, 2, 4]), np.array([2, 3, 1])
OURS = {
    "Es": "E_source", "Et": "E_target", "We": "encoder.W_hh", "Ue": "encoder.W_xh", "be": "encoder.b_h",
    "Wd": "decoder.W_hh", "bd": "decoder.b_h", "Vo": "decoder.W_hy", "co": "decoder.b_y",
    "Ws": "attention.W_s", "Wh": "attention.W_h", "v": "attention.v",
}  # fmt: skip


@pytest.mark.parametrize("attention", [False, True])
def test_teacher_forcing_agrees_with_the_stored_answers(attention, load):
    known = load("seq2seq")
    want = known["attention" if attention else "no_attention"]
    model = stored_model(known, attention)
    trace = run_encoder_decoder(model, known["src"], known["tgt"])
    np.testing.assert_allclose(trace.encoding.memory, want["enc_states"], **EXACT)
    np.testing.assert_allclose(trace.states[1:], want["dec_states"], **EXACT)
    np.testing.assert_allclose(trace.loss, want["nll"], **EXACT)
    assert trace.loss.sum() == pytest.approx(want["loss_sum"], rel=1e-12)
    assert trace.tokens.tolist() == [0, 4, 2, 5]
    if attention:
        np.testing.assert_allclose(trace.weights, want["alpha"], **EXACT)


@pytest.mark.parametrize("attention", [False, True])
def test_gradients_agree_with_the_stored_answers(attention, load):
    known = load("seq2seq")
    want = known["attention" if attention else "no_attention"]
    model = stored_model(known, attention)
    got = encoder_decoder_gradients(model, run_encoder_decoder(model, known["src"], known["tgt"]))
    np.testing.assert_allclose(got.states[1:], want["ddec_states"], **EXACT)
    # The stored gradient is that of the stacked states: what the decoder sends, before the encoder's own steps.
    np.testing.assert_allclose(got.from_decoder[1:], want["denc_states"], **EXACT)
    driven = [want["dparam"]["Ud"], *([want["dparam"]["Cd"]] if attention else [])]
    np.testing.assert_allclose(got.parameters["decoder.W_xh"], np.concatenate(driven, axis=1), **EXACT)
    checked = [name for name in want["dparam"] if name not in {"Ud", "Cd"}]
    assert len(checked) == (12 if attention else 9)
    for name in checked:
        np.testing.assert_allclose(got.parameters[OURS[name]], want["dparam"][name], **EXACT, err_msg=name)
    assert set(got.parameters) == set(model.parameters())


@pytest.mark.parametrize(("kind", "scorer"), MODELS)
@pytest.mark.parametrize("forced", [None, [True, False, True], [False, False, False]])
def test_parameter_gradients_equal_central_differences(kind, scorer, forced, slope):
    model = draw_model(kind, scorer)
    forced = None if forced is None else np.array(forced)
    trace = run_encoder_decoder(model, SOURCE, TARGET, forced)
    got = encoder_decoder_gradients(model, trace).parameters
    assert set(got) == set(model.parameters())
    for name, value in model.parameters().items():

        def total(changed, name=name):
            return run_encoder_decoder(model.with_parameters({name: changed}), SOURCE, TARGET, forced).loss.sum()

        np.testing.assert_allclose(got[name], slope(total, value), atol=2e-7, err_msg=name)


@pytest.mark.parametrize(("kind", "scorer"), MODELS)
def test_state_gradients_equal_central_differences(kind, scorer, slope):
    model = draw_model(kind, scorer)
    trace = run_encoder_decoder(model, SOURCE, TARGET)
    got = encoder_decoder_gradients(model, trace)
    n = model.hidden_size

    def rest(t, state):
        """The losses from step t on, with the state at t put in place."""
        loss = 0.0 if t == 0 else nll(state, TARGET[t - 1])
        for u in range(t, len(TARGET)):
            x = model.E_target[trace.tokens[u]]
            if scorer:
                energies = model.attention.energies(state[:n], trace.encoding.keys)
                weights = np.exp(energies) / np.exp(energies).sum()
                x = np.concatenate([x, weights @ trace.encoding.memory])
            state = model.decoder.step(x, state)
            loss += nll(state, TARGET[u])
        return loss

    def nll(state, token):
        y = model.decoder.W_hy @ state[:n] + model.decoder.b_y
        return np.log(np.exp(y).sum()) - y[token]

    for t, state in enumerate(trace.states):
        want = slope(lambda s, t=t: rest(t, s), state)
        np.testing.assert_allclose(got.states[t], want, atol=2e-7)
    handed_over = got.from_decoder[-1].copy()
    if scorer is None:
        np.testing.assert_array_equal(handed_over, got.states[0])
        assert not got.from_decoder[:-1].any()


@pytest.mark.parametrize(("kind", "scorer"), MODELS)
def test_decoder_jacobians_hold_the_path_through_the_context(kind, scorer, slope):
    model = draw_model(kind, scorer)
    trace = run_encoder_decoder(model, SOURCE, TARGET)
    got = decoder_jacobians(model, trace)
    n = model.hidden_size

    def step(state, token):
        x = model.E_target[token]
        if scorer:
            energies = model.attention.energies(state[:n], trace.encoding.keys)
            x = np.concatenate([x, np.exp(energies) / np.exp(energies).sum() @ trace.encoding.memory])
        return model.decoder.step(x, state)

    for t, token in enumerate(trace.tokens):
        want = slope(lambda s, token=token: step(s, token), trace.states[t])
        np.testing.assert_allclose(got[t], want, atol=1e-8)
    plain = model.decoder.jacobian(trace.inputs, trace.states[:-1])
    assert np.allclose(got, plain) == (scorer is None)


@pytest.mark.parametrize(("kind", "scorer"), MODELS)
def test_a_padded_batch_equals_its_rows_alone(kind, scorer):
    model = draw_model(kind, scorer)
    rng = np.random.default_rng(1)
    source, target = rng.integers(5, size=(3, 6)), rng.integers(4, size=(3, 5))
    lengths, target_lengths = np.array([6, 3, 1]), np.array([2, 5, 0])
    forced = rng.random((3, 5)) < 0.5
    trace = run_encoder_decoder(model, source, target, forced, lengths, target_lengths)
    got = encoder_decoder_gradients(model, trace)
    total = {name: np.zeros_like(value) for name, value in model.parameters().items()}
    for i, (T, U) in enumerate(zip(lengths, target_lengths, strict=True)):
        alone = run_encoder_decoder(model, source[i, :T], target[i, :U], forced[i, :U])
        back = encoder_decoder_gradients(model, alone)
        np.testing.assert_allclose(trace.states[i, : U + 1], alone.states, atol=1e-13)
        np.testing.assert_allclose(trace.loss[i], [*alone.loss, *[0.0] * (5 - U)], atol=1e-13)
        np.testing.assert_allclose(got.encoder_states[i, :T], back.encoder_states[:-1], atol=1e-13)
        np.testing.assert_allclose(got.states[i, : U + 1], back.states, atol=1e-13)
        if scorer:
            assert not trace.weights[i, :, T:].any()
        for name, value in back.parameters.items():
            total[name] += value
    for name, value in got.parameters.items():
        np.testing.assert_allclose(value, total[name], atol=1e-11, err_msg=name)


def test_gradients_of_the_energies_make_up_that_of_the_scorer():
    model = draw_model("tanh", "general")
    trace = run_encoder_decoder(model, SOURCE, TARGET)
    got = encoder_decoder_gradients(model, trace)
    # e_tj = s_{t-1}^T W h_j, hence dL/dW = sum_tj dL/de_tj s_{t-1} h_j^T.
    together = np.einsum("tj,tn,jk->nk", got.energies, trace.states[:-1], trace.encoding.memory)
    np.testing.assert_allclose(together, got.parameters["attention.W"], rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(got.energies.sum(axis=1), 0.0, atol=1e-13)


def test_forcing_decides_what_each_step_reads():
    model = draw_model(seed=3)
    free = run_encoder_decoder(model, SOURCE, TARGET, np.zeros(3, dtype=bool))
    assert free.tokens.tolist() == [0, *free.predictions[:-1]]
    mixed = run_encoder_decoder(model, SOURCE, TARGET, np.array([False, True, False]))
    assert mixed.tokens.tolist() == [0, TARGET[0], mixed.predictions[1]]
    full = run_encoder_decoder(model, SOURCE, TARGET, np.ones(3, dtype=bool))
    np.testing.assert_array_equal(full.loss, run_encoder_decoder(model, SOURCE, TARGET).loss)


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 8), st.integers(0, 20), st.integers(0, 8), st.integers(0, 99))
def test_forcing_what_a_free_run_chose_changes_nothing(n, T, U, seed):
    model = draw_model("tanh", "additive", n, seed=seed)
    rng = np.random.default_rng(seed)
    source, target = rng.integers(5, size=T), rng.integers(4, size=U)
    free = run_encoder_decoder(model, source, target, np.zeros(U, dtype=bool))
    again = run_encoder_decoder(model, source, free.predictions)
    np.testing.assert_array_equal(again.states, free.states)
    gradients = encoder_decoder_gradients(model, free).parameters
    assert {name: value.shape for name, value in gradients.items()} == {
        name: value.shape for name, value in model.parameters().items()
    }


def test_a_source_of_no_tokens_has_nothing_to_attend_to():
    model = draw_model("tanh", "additive")
    trace = run_encoder_decoder(model, np.zeros(0, dtype=int), TARGET)
    assert not trace.inputs[:, 3:].any()
    assert trace.weights.shape == (3, 0)
    got = encoder_decoder_gradients(model, trace)
    assert got.encoder_states.shape == (1, 3)
    assert not got.parameters["attention.W_s"].any()


def test_logits_far_apart_are_safe():
    model = draw_model("tanh", "additive")
    steep = model.with_parameters({"decoder.b_y": [1e4, -1e4, 0.0, 0.0], "attention.v": [1e4, -1e4]})
    trace = run_encoder_decoder(steep, SOURCE, TARGET)
    assert np.isfinite(trace.loss).all()
    assert trace.loss[0] > 9e3
    gradients = encoder_decoder_gradients(steep, trace)
    assert all(np.isfinite(value).all() for value in gradients.parameters.values())


@pytest.mark.parametrize("scorer", [None, "additive", "dot"])
def test_states_that_overflow_do_not_warn(scorer):
    model = draw_model("relu", scorer, seed=2)
    huge = model.with_parameters({f"{part}.W_hh": np.full((3, 3), 1e200) for part in ("encoder", "decoder")})
    trace = run_encoder_decoder(huge, SOURCE, TARGET, np.zeros(3, dtype=bool))
    assert not np.isfinite(trace.states).all()
    encoder_decoder_gradients(huge, trace)
    decoder_jacobians(huge, trace)
    greedy_decode(huge, SOURCE, 3)


def test_a_step_of_gradient_descent_lowers_the_loss():
    model = draw_model("lstm", "additive")
    trace = run_encoder_decoder(model, SOURCE, TARGET)
    gradients, _ = clip_by_global_norm(encoder_decoder_gradients(model, trace).parameters, 1.0)
    moved = {name: value - 1e-2 * gradients[name] for name, value in model.parameters().items()}
    lower = run_encoder_decoder(model.with_parameters(moved), SOURCE, TARGET)
    assert lower.loss.sum() < trace.loss.sum()


def test_parameters_come_back_and_unknown_names_are_refused():
    model = draw_model("lstm", "additive")
    again = model.with_parameters(model.parameters())
    for name, value in again.parameters().items():
        np.testing.assert_array_equal(value, model.parameters()[name])
    assert model.parameter_count == sum(value.size for value in model.parameters().values())
    with pytest.raises(ValueError, match=r"parameters must be of E_source, .*got decoder.W_xx"):
        model.with_parameters({"decoder.W_xx": np.ones(3)})


def test_greedy_decoding_of_a_batch_equals_its_rows(load):
    model = stored_model(load("seq2seq"), attention=True)
    source = np.array([[3, 5, 2, 4, 3], [1, 1, 0, 0, 0], [2, 4, 4, 5, 0]])
    lengths = [5, 2, 4]
    together = greedy_decode(model, source, 6, lengths)
    for i, length in enumerate(lengths):
        alone = greedy_decode(model, source[i, :length], 6)
        ended = int(alone.lengths)
        assert together.tokens[i, :ended].tolist() == alone.tokens.tolist()
        assert (together.tokens[i, ended:] == 1).all()
        assert together.log_probabilities[i] == pytest.approx(float(alone.log_probabilities), rel=1e-12)


def test_models_refuse_what_does_not_fit():
    model = draw_model()
    wide = replace(model.encoder, W_hy=np.ones((2, 3)))
    other = RNN(np.ones((2, 6)), np.ones((2, 2)), np.ones(2), np.ones((4, 2)))
    changes = [
        ({"encoder": wide}, "encoder must be a cell without a read-out"),
        ({"decoder": other}, "decoder must have the encoder's state size 3, got 2"),
        (
            {"decoder": replace(model.decoder, W_hy=None, b_y=None)},
            "read-out of size 4, the rows of E_target, got None",
        ),
        ({"E_source": np.ones((5, 3))}, r"E_source must be \(any, 2\), got \(5, 3\)"),
        ({"E_target": np.ones((4, 2))}, r"E_target must be \(any, 3\), got \(4, 2\)"),
        ({"attention": None}, r"E_target must be \(any, 6\), got \(4, 3\)"),
        ({"attention": AdditiveScorer(np.ones((2, 4)), np.ones((2, 3)), np.ones(2))}, r"size 3, got \(4, 3\)"),
        ({"eos": 4}, "eos must be an integer in 0 … 3, got 4"),
    ]
    for change, message in changes:
        with pytest.raises(ValueError, match=message):
            replace(model, **change)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"source": [0, 5]}, "source must be tokens 0 … 4, got 5"),
        ({"source": [0.5]}, "source must be integer tokens"),
        ({"target": [-1]}, "target must be tokens 0 … 3, got -1"),
        ({"target": [[1, 2]]}, r"target must have the leading dimensions of source, \(\), got \(1,\)"),
        ({"forced": [True]}, r"forced must be booleans of shape \(3,\), got bool of shape \(1,\)"),
        ({"forced": [1, 0, 1]}, r"forced must be booleans"),
        ({"source_lengths": 5}, r"source_lengths must be in 0 … 4"),
        ({"target_lengths": [1]}, r"target_lengths must be integers of shape \(\)"),
    ],
)
def test_runs_refuse_what_does_not_fit(change, message):
    arguments = {"source": SOURCE, "target": TARGET} | change
    with pytest.raises(ValueError, match=message):
        run_encoder_decoder(draw_model(), **arguments)


def test_encoding_stays_at_the_last_valid_state():
    model = draw_model()
    short = encode(model, SOURCE[None], [2])
    np.testing.assert_allclose(short.states[0, 4], encode(model, SOURCE[:2]).states[2], rtol=1e-14)


@pytest.mark.parametrize(("kind", "scorer"), MODELS)
def test_a_source_that_was_read_already_is_run_as_its_tokens_are(kind, scorer):
    model = draw_model(kind, scorer)
    read, forced = encode(model, SOURCE), np.array([True, False, True])
    of_tokens, of_encoding = (run_encoder_decoder(model, given, TARGET, forced) for given in (SOURCE, read))
    assert of_encoding.encoding is encode(model, read) is read
    for name in ("source", "tokens", "inputs", "states", "logits", "loss"):
        np.testing.assert_array_equal(getattr(of_encoding, name), getattr(of_tokens, name), err_msg=name)
    gradients = [encoder_decoder_gradients(model, trace).encoder_states for trace in (of_tokens, of_encoding)]
    np.testing.assert_array_equal(*gradients)


def test_an_encoding_that_does_not_fit_is_refused():
    model, read = draw_model("tanh", "additive"), encode(draw_model("tanh", "additive"), SOURCE)
    with pytest.raises(ValueError, match="source_lengths must be None where source is an encoding"):
        run_encoder_decoder(model, read, TARGET, source_lengths=4)
    with pytest.raises(ValueError, match=r"encoding by this model.*\(3, False\), got one with \(3, True\)"):
        greedy_decode(draw_model("tanh", None), read, 3)
    with pytest.raises(ValueError, match=r"encoding by this model.*\(6, True\), got one with \(3, True\)"):
        greedy_decode(draw_model("lstm", "additive"), read, 3)
