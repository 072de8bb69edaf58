import numpy as np
import pytest
from rnnscope.core.training import RECIPES, TASKS, Recipe, build_model, start_model


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=list(RECIPES))
def test_a_model_starts_from_its_seed(recipe):
    first, again = start_model(recipe).parameters(), start_model(recipe).parameters()
    other = start_model(Recipe(recipe.task, recipe.attention, seed=1)).parameters()
    assert all(np.array_equal(first[name], again[name]) for name in first)
    assert not np.array_equal(first["E_source"], other["E_source"])
    task, model = TASKS[recipe.task], start_model(recipe)
    assert (model.bos, model.eos, model.hidden_size) == (task.bos, task.eos, recipe.hidden_size)
    assert (model.attention is None) == (recipe.attention == "none")
    for block in model.encoder.W_hh:
        np.testing.assert_allclose(block @ block.T, np.eye(recipe.hidden_size), atol=1e-12)


def test_all_shipped_models_have_one_seed_and_one_recipe_a_task():
    for task in TASKS:
        own = [recipe for recipe in RECIPES.values() if recipe.task == task]
        assert len({(r.seed, r.steps, r.batch, r.learning_rate, r.hidden_size, r.clip) for r in own}) == 1


def test_the_rate_rises_then_falls_to_nothing():
    recipe = Recipe("dates", "none", steps=1000, warm_up=100, learning_rate=0.01)
    rates = [recipe.rate(step) for step in range(1, 1001)]
    assert 0 < rates[0] < rates[50] < rates[99]
    assert max(rates) <= 0.01
    assert rates[500] == pytest.approx(0.005, rel=1e-2)
    assert 0 < rates[-1] < 1e-6


def test_unknown_names_and_parameters_are_refused():
    with pytest.raises(ValueError, match="attention must be one of none, additive, dot, general, concat, got 'soft'"):
        Recipe("dates", "soft")
    with pytest.raises(ValueError, match="task must be one of dates, reversal, got 'sums'"):
        Recipe("sums", "none")
    recipe = RECIPES["dates_dot"]
    with pytest.raises(ValueError, match="parameters must be those of dates_dot, got"):
        build_model(recipe, {**start_model(recipe).parameters(), "attention.W": np.eye(64)})
