import numpy as np
import pytest
from rnnscope.core.training import STYLES, TASKS, is_held_out

DATES, REVERSAL = TASKS["dates"], TASKS["reversal"]
tasks = pytest.mark.parametrize("task", TASKS.values(), ids=list(TASKS))


def rng(seed=0):
    return np.random.default_rng(seed)


@tasks
def test_examples_are_answered_and_encoded_within_the_limits(task):
    for source, target in task.examples(rng(), 3000) + task.held_out(rng(1), 3000):
        assert task.answer(source) == task.answer(source.upper()) == target
        assert len(task.encode_source(source)) == len(source) <= task.source_limit
        tokens = task.encode_target(target)
        assert len(tokens) == len(target) + 1 <= task.target_limit
        assert tokens[-1] == task.eos
        assert task.decode_target(tokens) == target


@tasks
def test_the_limits_are_reached(task):
    assert max(len(source) for source, _ in task.held_out(rng(), 5000)) == task.source_limit
    assert max(len(source) for source, _ in task.examples(rng(), 5000)) == task.trained_limit


@tasks
def test_held_out_targets_are_never_trained_on(task):
    trained = {target for _, target in task.examples(rng(), 20_000)}
    held_out = {target for _, target in task.held_out(rng(1), 20_000)}
    assert not trained & held_out
    assert all(is_held_out(target) for target in held_out)
    assert len(held_out) > 1000


def test_every_day_is_held_out_in_all_styles_or_in_none_and_one_in_ten_is():
    sources = {style: set() for style in STYLES}
    for source, target in DATES.held_out(rng(), 20_000):
        sources[next(style for style in STYLES if style.read(source))].add(target)
    assert all(len(found) > 500 for found in sources.values())
    days = [target for _, target in DATES.examples(rng(), 200_000)]
    assert 30_000 < len(set(days)) < 0.91 * 36_525


@tasks
def test_examples_follow_from_the_generator(task):
    assert task.examples(rng(3), 50) == task.examples(rng(3), 50) != task.examples(rng(4), 50)


@tasks
def test_tokens_beyond_the_alphabet_are_bos_and_eos(task):
    assert (task.bos, task.eos) == (len(task.target_alphabet), len(task.target_alphabet) + 1)
    assert len(set(task.source_alphabet)) == len(task.source_alphabet)


@tasks
def test_what_cannot_be_read_is_said(task):
    long = task.source_alphabet[0] * (task.source_limit + 1)
    with pytest.raises(ValueError, match=rf"at most {task.source_limit} characters, got {task.source_limit + 1}"):
        task.encode_source(long)
    with pytest.raises(ValueError, match="at least 1 character, got an empty text"):
        task.encode_source("")
    with pytest.raises(ValueError, match="got '€'"):
        task.encode_source("a€")
    with pytest.raises(ValueError, match=rf"at most {task.target_limit - 1} characters, got {task.target_limit}"):
        task.encode_target(task.target_alphabet[0] * task.target_limit)
    with pytest.raises(ValueError, match="got '€'"):
        task.encode_target("€")


def test_case_of_a_source_does_not_matter():
    np.testing.assert_array_equal(DATES.encode_source("3 MÄR"), DATES.encode_source("3 mär"))


def test_decoding_stops_at_eos_and_leaves_bos_out():
    assert REVERSAL.decode_target(np.array([2, 1, REVERSAL.eos, 0])) == "cb"
    assert REVERSAL.decode_target(np.array([2, REVERSAL.bos, 1])) == "cb"


@pytest.mark.parametrize("text", ["", "abx", "a" * 21])
def test_what_is_no_string_of_the_task_has_no_reversal(text):
    assert REVERSAL.answer(text) is None


def test_reversal_reverses():
    assert REVERSAL.answer("Cabbage") == "egabbac"
