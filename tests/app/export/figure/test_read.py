"""Bindings and their text, as the pages have them."""

import numpy as np
import pytest
from rnnscope.app.diagrams.scene import binding, rel
from rnnscope.app.export.figure.read import (
    Cursor,
    Numbers,
    Read,
    character,
    colour_step,
    number_text,
    share_text,
    teal_step,
)

ARRAYS = {"h": (np.array([[0.0, 0.1], [1.0, 1.1], [2.0, 2.1]]), 0), "x": (np.array([5.0, 6.0]), 1),
          "target": (np.array([1.0, 0.0]), 1)}  # fmt: skip


def numbers(**cursor):
    return Numbers(ARRAYS, Cursor(**cursor))


def test_a_binding_names_a_step_and_a_unit():
    assert numbers().read(binding("h", 2, 1)) == Read("h", 2, 1, 2.1)


def test_a_step_and_a_unit_may_follow_the_cursor():
    assert numbers(t=2, unit=1).read(binding("h", rel(-1))) == Read("h", 1, 1, 1.1)


def test_a_unit_is_never_past_the_width():
    assert numbers(unit=7).read(binding("x", 2)) == Read("x", 2, 0, 6.0)


def test_a_unit_may_be_the_class_that_another_array_holds():
    assert numbers().read(binding("h", 1, {"from": "target"})) == Read("h", 1, 1, 1.1)


@pytest.mark.parametrize("bound", [binding("h", 3, 0), binding("h", -1, 0), binding("x", 0, 0), binding("q", 1, 0)])
def test_where_there_is_nothing_there_is_none(bound):
    assert numbers().read(bound).value is None
    assert numbers().text({"value": bound}) == "–"


def test_a_number_that_a_later_sub_step_makes_is_not_there_yet():
    bound = {**binding("h", 1, 0), "ready": 3}
    assert numbers(t=1, substep=2).read(bound).value is None
    assert numbers(t=1, substep=3).read(bound).value == 1.0
    assert numbers(t=1).read(bound).value == 1.0  # the whole step


def test_the_number_before_an_operation_is_there_only_where_it_differs():
    ghosted = Numbers({"h": (np.array([[1.0], [2.0]]), 0), "ghost_h": (np.array([[1.0], [3.0]]), 0)}, Cursor())
    assert ghosted.before(binding("h", 0, 0)).value is None
    assert ghosted.before(binding("h", 1, 0)) == Read("ghost_h", 1, 0, 3.0)


def test_how_much_of_a_gate_is_held():
    held = Numbers({"clamped_f": (np.array([[1.0, 0.0, 1.0]]), 1)}, Cursor(t=1, unit=0))
    assert held.held(binding("clamped_f", rel(0))) == "clamped"
    assert Numbers({"clamped_f": (np.array([[0.0, 1.0]]), 1)}, Cursor()).held(binding("clamped_f", 1)) == "1 of 2"
    assert numbers().held(binding("clamped_f", 1)) == ""


@pytest.mark.parametrize(
    ("run", "text"),
    [
        ({"text": "a"}, "a"), ({"step": rel(-3)}, "−1"), ({"unit": True}, "2"),
        ({"glyphs": ["▸", "b"], "t": rel(0)}, "b"), ({"glyphs": ["▸", "b"], "t": rel(1)}, "–"),
        ({"value": binding("h", 2, 1), "digits": 5}, "2.1000"), ({"share": binding("h", 0, 1)}, "0.10"),
        ({"share": binding("h", 0, 1), "tight": True}, ".10"),
    ],
)  # fmt: skip
def test_the_text_of_a_run(run, text):
    assert numbers(t=2, unit=1).text(run) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0.00"), (1e-9, "<0.01"), (0.125, "0.13"), (0.9951, ">0.99"), (1.0, "1.00"), (None, "–"),
     (float("nan"), "NaN")],
)  # fmt: skip
def test_shares_never_round_to_nothing_or_to_all(value, text):
    assert share_text(value) == text


def test_characters_have_signs_where_they_are_none():
    assert [character(code) for code in (97, 32, -1, -2, None)] == ["a", "␣", "▸", "■", "–"]


def test_steps_of_the_scales_are_rounded_half_up():
    assert [colour_step(value) for value in (-5, -0.8, 0, 0.1, 0.3, 1)] == [0, 1, 5, 6, 7, 10]
    assert [teal_step(share) for share in (None, 0, 0.0625, 0.5, 1)] == [0, 0, 1, 4, 8]


def test_a_number_that_is_not_known_is_an_en_dash():
    assert number_text(None) == "–"
    assert number_text(-0.5) == "−0.500"
