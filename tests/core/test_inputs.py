import numpy as np
import pytest
from rnnscope.core import ALPHABET, ALPHABET_SIZE, OTHER_SYMBOL, input_sequence, text_targets
from rnnscope.core.inputs import text_indices


def test_generated_sequences():
    assert not input_sequence("zero", 3, 2).any()
    impulse = input_sequence("impulse", 3, 2)
    assert impulse.tolist() == [[1, 1], [0, 0], [0, 0]]
    assert input_sequence("impulse", 0, 2).shape == (0, 2)


def test_sine_has_period_twelve_and_phases_over_the_components():
    xs = input_sequence("sine", 25, 4)
    np.testing.assert_allclose(xs[0], [0, 1, 0, -1], atol=1e-15)
    np.testing.assert_allclose(xs[3, 0], 1.0, atol=1e-15)
    np.testing.assert_allclose(xs[12:24], xs[:12], atol=1e-14)


def test_noise_is_standard_normal_and_seeded():
    xs = input_sequence("noise", 4000, 2, seed=1)
    assert abs(xs.mean()) < 0.05
    assert xs.std() == pytest.approx(1.0, abs=0.03)
    np.testing.assert_array_equal(xs, input_sequence("noise", 4000, 2, seed=1))
    assert not np.array_equal(xs, input_sequence("noise", 4000, 2, seed=2))


def test_alphabet_is_the_contracts():
    assert ALPHABET == "abcdefghijklmnopqrstuvwxyz .,'?!-"
    assert (ALPHABET_SIZE, OTHER_SYMBOL) == (34, 33)


def test_text_is_one_hot_and_its_target_is_the_next_character():
    xs = input_sequence("text", 3, 34, text="Hi!")
    assert xs.sum(axis=1).tolist() == [1, 1, 1]
    assert xs.argmax(axis=1).tolist() == [7, 8, 31]
    assert text_targets("Hi!").tolist() == [8, 31, 33]


@pytest.mark.parametrize("character", ["é", "7", "\n", "İ", "–", "😀"])
def test_any_other_character_is_one_further_symbol(character):
    assert text_indices(f"a{character}b").tolist() == [0, OTHER_SYMBOL, 1]


def test_an_empty_text_has_no_steps():
    assert input_sequence("text", 0, 34, text="").shape == (0, 34)
    assert text_targets("").shape == (0,)


def test_values_are_a_column():
    assert input_sequence("values", 2, 1, values=[1.5, -2]).tolist() == [[1.5], [-2.0]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("ramp", 3, 1), "input must be one of zero, impulse"),
        (("text", 3, 34), 'text must be given for input "text", got None'),
        (("values", 3, 1), 'values must be given for input "values", got None'),
        (("text", 3, 5, 0, None, "abc"), "d must be 34 for this input, got 5"),
        (("text", 4, 34, 0, None, "abc"), "T must be 3, the length of the input, got 4"),
        (("values", 3, 1, 0, [1.0]), "T must be 1, the length of the input, got 3"),
        (("values", 1, 1, 0, [np.nan]), "values must be finite"),
        (("zero", -1, 1), "T must be an integer at least 0, got -1"),
        (("zero", 1, 0), "d must be an integer at least 1, got 0"),
    ],
)
def test_input_sequence_refuses_and_says_why(arguments, message):
    with pytest.raises(ValueError, match=message):
        input_sequence(*arguments)
