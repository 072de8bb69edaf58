"""Training's own forward and backward pass against the general ones of core, and against central differences."""

import numpy as np
import pytest
from rnnscope.core import encoder_decoder_gradients, run_encoder_decoder
from rnnscope.core.training import ATTENTIONS, TASKS, Recipe, forced_gradients, make_batch, start_model

kinds = pytest.mark.parametrize("kind", ATTENTIONS)
TASK = TASKS["reversal"]


def case(kind, seed=3):
    recipe = Recipe("reversal", kind, hidden_size=5, embedding_size=3, seed=seed)
    rng = np.random.default_rng(seed)
    model = start_model(recipe)
    moved = {name: value + 0.3 * rng.standard_normal(value.shape) for name, value in model.parameters().items()}
    batch = make_batch(TASK, TASK.examples(rng, 6))
    assert len(set(batch.source_lengths.tolist())) > 2
    return model.with_parameters(moved), batch


def forced(kind, parameters, batch):
    return forced_gradients(kind, parameters, TASK.bos, batch)


@kinds
def test_loss_and_gradients_are_those_of_the_general_functions(kind):
    model, batch = case(kind)
    found = forced(kind, model.parameters(), batch)
    trace = run_encoder_decoder(model, batch.source, batch.target, None, batch.source_lengths, batch.target_lengths)
    gradients = encoder_decoder_gradients(model, trace).parameters
    count = batch.target_lengths.sum()
    assert found.loss == pytest.approx(trace.loss.sum() / count, rel=1e-12)
    assert found.gradients.keys() == gradients.keys()
    for name, gradient in gradients.items():
        np.testing.assert_allclose(found.gradients[name], gradient / count, rtol=1e-10, atol=1e-12, err_msg=name)


@kinds
def test_gradients_are_central_differences_of_the_loss(kind):
    model, batch = case(kind)
    parameters = model.parameters()
    gradients = forced(kind, parameters, batch).gradients
    rng = np.random.default_rng(0)
    for name, value in parameters.items():
        direction, step = rng.standard_normal(value.shape), 1e-5
        ahead, behind = (
            forced(kind, {**parameters, name: value + sign * step * direction}, batch).loss for sign in (1, -1)
        )
        slope = float((gradients[name] * direction).sum())
        assert (ahead - behind) / (2 * step) == pytest.approx(slope, rel=1e-6, abs=1e-9), name


@kinds
def test_single_precision_is_as_near_as_it_can_be(kind):
    model, batch = case(kind)
    exact = forced(kind, model.parameters(), batch)
    single = forced(kind, {name: value.astype(np.float32) for name, value in model.parameters().items()}, batch)
    assert single.loss == pytest.approx(exact.loss, rel=1e-5)
    for name, gradient in single.gradients.items():
        assert gradient.dtype == np.float32, name
        np.testing.assert_allclose(gradient, exact.gradients[name], rtol=1e-3, atol=1e-5, err_msg=name)


def test_rows_are_right_where_every_token_is_the_likeliest():
    model, batch = case("additive")
    trace = run_encoder_decoder(model, batch.source, batch.target, None, batch.source_lengths, batch.target_lengths)
    # targets that are the model's own choices after themselves: of a prefix the next choice is known
    target = batch.target.copy()
    for t in range(target.shape[1]):
        again = run_encoder_decoder(model, batch.source, target, None, batch.source_lengths, batch.target_lengths)
        target[:, t] = again.predictions[:, t]
    own = type(batch)(batch.source, batch.source_lengths, target, batch.target_lengths)
    assert forced("additive", model.parameters(), own).right == len(target)
    valid = np.arange(target.shape[1]) < batch.target_lengths[:, None]
    wanted = ((trace.predictions == batch.target) | ~valid).all(axis=1).sum()
    assert forced("additive", model.parameters(), batch).right == wanted
