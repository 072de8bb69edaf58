"""What ships is what the log says, and checkpoints outlive whatever happens while they are written."""

import hashlib
import os
from itertools import islice
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from rnnscope.app.weights import SHIPPED, files, load
from rnnscope.app.weights.errors import WeightsError
from rnnscope.core.training import RECIPES, Recipe, begin, exact_match, train

SMALL = Recipe("reversal", "additive", hidden_size=6, embedding_size=4, batch=8, steps=60)

models = pytest.mark.parametrize("name", RECIPES)


def trained(name):
    return load(*name.split("_"))


def share_near(found, logged, count):
    """Within four standard errors of a share of `count` draws; one example more where the share is 0 or 1."""
    return abs(found - logged) <= 4 * sqrt(logged * (1 - logged) / count) + 1 / count


def test_the_weights_are_small_and_every_recipe_has_shipped():
    assert sum(path.stat().st_size for path in SHIPPED.iterdir()) < 2_000_000
    models = {path.stem for path in SHIPPED.glob("*.npz")} - {"positions"}  # tables of /attention, not a model
    assert models == set(RECIPES) == set(files.read_log(SHIPPED))


@models
def test_a_file_is_the_one_of_the_log_and_of_the_recipe(name):
    found, recipe = trained(name), RECIPES[name]
    content = (SHIPPED / f"{name}.npz").read_bytes()
    assert hashlib.sha256(content).hexdigest() == found.record["sha256"]
    assert Recipe(**found.record["recipe"]) == recipe
    assert found.record["seeds_tried"] == [recipe.seed] == [0]
    assert found.model.parameter_count == found.record["parameters"]
    with np.load(SHIPPED / f"{name}.npz") as file:
        for key, value in found.model.parameters().items():
            assert file[key].dtype == np.float32
            np.testing.assert_array_equal(file[key], value)


@models
def test_accuracy_on_other_held_out_examples_is_that_of_the_log(name):
    found = trained(name)
    every = found.task.held_out(np.random.default_rng(99), 1200)
    examples = [example for example in every if len(example[0]) <= found.task.trained_limit][:500]
    accuracy = exact_match(found.model, found.task, examples)
    assert share_near(accuracy, found.record["accuracy"], len(examples))
    if found.model.attention is not None:
        assert accuracy >= 0.98
        assert found.record["accuracy"] >= 0.98


@models
def test_a_point_of_the_curve_by_length_is_computed_again(name):
    found = trained(name)
    length, right, count = max(found.record["by_length"], key=lambda group: group[2] * (0 < group[1] < group[2]))
    every = found.task.held_out(np.random.default_rng(7), 6000)
    examples = [example for example in every if len(example[0]) == length]
    assert len(examples) > 50
    assert share_near(exact_match(found.model, found.task, examples), right / count, min(count, len(examples)))


@models
def test_the_log_adds_up(name):
    record = trained(name).record
    inside = [group for group in record["by_length"] if group[0] <= record["trained_limit"]]
    assert sum(group[2] for group in inside) == record["held_out"]
    assert sum(group[1] for group in inside) == round(record["accuracy"] * record["held_out"])
    assert record["curve"][-1][0] == record["recipe"]["steps"]
    assert record["curve"][0][1] > record["curve"][-1][1] > 0
    assert record["cpu_seconds"] > 1


def test_a_loaded_model_is_shared_and_cannot_be_changed():
    assert load("dates", "additive") is load("dates", "additive")
    with pytest.raises(ValueError, match="read-only"):
        load("dates", "additive").model.E_source[0, 0] = 1.0
    with pytest.raises(TypeError):
        load("dates", "additive").record["accuracy"] = 1.0


def test_a_model_that_did_not_ship_is_refused():
    with pytest.raises(ValueError, match=r"the model must be one of dates_additive, .*, got 'reversal_dot'"):
        load("reversal", "dot")


def test_a_checkpoint_goes_on_to_the_bit(tmp_path):
    whole = list(train(begin(SMALL)))
    files.write_checkpoint(tmp_path, whole[0], 1.5)
    progress, seconds = files.read_checkpoint(tmp_path, SMALL)
    assert seconds == 1.5
    last = list(train(progress))[-1]
    assert last.curve == whole[-1].curve
    for group in ("parameters", "m", "v"):
        for name, value in getattr(whole[-1].adam, group).items():
            np.testing.assert_array_equal(getattr(last.adam, group)[name], value)
    assert files.model_bytes(last.model()) == files.model_bytes(whole[-1].model())


def test_a_stop_in_the_middle_of_writing_leaves_the_checkpoint_before(tmp_path, monkeypatch):
    first, second = islice(train(begin(SMALL)), 2)
    files.write_checkpoint(tmp_path, first, 1.0)

    def stopped(descriptor):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", stopped)
        with pytest.raises(KeyboardInterrupt):
            files.write_checkpoint(tmp_path, second, 2.0)
    assert files.read_checkpoint(tmp_path, SMALL)[0].step == first.step
    files.write_checkpoint(tmp_path, second, 2.0)
    assert files.read_checkpoint(tmp_path, SMALL)[0].step == second.step
    assert [path.name for path in tmp_path.iterdir()] == ["reversal_additive.partial"]


def test_a_file_that_is_no_checkpoint_of_the_recipe_is_not_taken(tmp_path):
    assert files.read_checkpoint(tmp_path, SMALL) is None
    files.write_checkpoint(tmp_path, begin(SMALL), 0.0)
    other = Recipe("reversal", "additive", hidden_size=7)
    with pytest.raises(WeightsError, match="is of another recipe; remove it"):
        files.read_checkpoint(tmp_path, other)
    files.checkpoint_path(tmp_path, SMALL).write_bytes(b"PK\x03\x04 torn")
    with pytest.raises(WeightsError, match="is no checkpoint; remove it"):
        files.read_checkpoint(tmp_path, SMALL)


def test_the_readme_says_what_the_log_does():
    readme = (Path(__file__).parents[3] / "README.md").read_text("utf-8")
    for attention in ("none", "additive"):
        dates, reversal = (load(task, attention).record for task in ("dates", "reversal"))
        shares = {length: right / count for length, right, count in reversal["by_length"]}
        inside = [f"{100 * record['accuracy']:.1f}".removesuffix(".0") for record in (dates, reversal)]
        beyond = [f"{100 * shares[length]:.0f}" for length in (12, 14)]
        assert f"| {attention} | {' % | '.join([*inside, *beyond])} % |" in readme
    assert {load("dates", kind).record["accuracy"] for kind in ("dot", "general", "concat")} == {1.0}
