from dataclasses import replace
from itertools import islice

import numpy as np
from rnnscope.core.training import (
    TASKS,
    Recipe,
    begin,
    draw_batches,
    exact_match,
    tasks,
    train,
)

SMALL = Recipe("reversal", "dot", hidden_size=8, embedding_size=4, batch=8, steps=60)


def same(one, other):
    named = ("parameters", "m", "v")
    arrays = [(getattr(one.adam, group), getattr(other.adam, group)) for group in named]
    return all(np.array_equal(a[name], b[name]) for a, b in arrays for name in a) and one.curve == other.curve


def test_a_run_that_goes_on_is_the_run_that_never_stopped_to_the_bit():
    whole = list(train(begin(SMALL)))
    (stopped,) = islice(train(begin(SMALL)), 1)
    assert [progress.step for progress in whole] == [25, 50, 60]
    assert same(list(train(stopped))[-1], whole[-1])
    assert whole[-1].done
    assert list(train(whole[-1])) == []


def test_nothing_is_known_before_the_first_round():
    progress = begin(SMALL)
    assert np.isnan([progress.loss, progress.accuracy]).all()
    assert progress.step == 0


def test_a_model_learns_to_reverse_short_strings(monkeypatch):
    monkeypatch.setattr(tasks, "TRAINED_LETTERS", 3)
    recipe = replace(SMALL, hidden_size=24, embedding_size=12, batch=64, steps=700, learning_rate=1e-2, warm_up=50)
    run = list(train(begin(recipe)))
    losses = [progress.loss for progress in run]
    assert losses[0] > 1.5
    assert losses[-1] < 0.05
    task = TASKS["reversal"]
    examples = [(text, task.answer(text)) for text in ("a", "bc", "hgf", "aab", "cde", "ha", "ddd")]
    assert exact_match(run[-1].model(), task, examples) == 1.0


def test_a_model_is_in_single_precision_as_it_ships():
    parameters = next(train(begin(SMALL))).model().parameters()
    assert all(np.array_equal(value, value.astype(np.float32)) for value in parameters.values())


def test_batches_hold_examples_of_like_lengths_in_any_order():
    batches = draw_batches(TASKS["dates"], np.random.default_rng(0), 10, 32)
    spreads = [int(np.ptp(batch.source_lengths)) for batch in batches]
    assert np.mean(spreads) < 5
    longest = [batch.source.shape[1] for batch in batches]
    assert sorted(longest) != longest
    assert sum(len(batch.source) for batch in batches) == 320
