"""/bidirectional in the browser: paths that light up, what a changed input moves, ends of chains, keys, phone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.expected import Expected
from tests.browser.pages import (
    READY,
    button,
    choice,
    number_field,
    readouts,
    resize,
    settled,
    slider,
    text_field,
    type_into,
)


def lit(page: Page) -> dict[str, int]:
    """Wires that lead to the selected output, by what they carry."""
    return {role: page.locator(f"#both .wire.reach.lit.r-{role}:not(.tri)").count() for role in ("input", "hidden")}


def reaching(t: int, T: int) -> dict[str, int]:
    """Inputs 1 … t go in by the forward chain, t … T by the backward one; each chain hands its state on and out."""
    return {"input": t + (T + 1 - t), "hidden": t + (T + 1 - t) + 2}


def moved(page: Page) -> set[str]:
    return set(page.locator("#both .node.moved").evaluate_all("(all) => all.map((e) => e.dataset.node)"))


def touched(k: int, T: int) -> set[str]:
    forward, backward = {f"h_forward{t}" for t in range(k, T + 1)}, {f"h_backward{t}" for t in range(1, k + 1)}
    return {f"x{k}"} | forward | backward | {f"y{t}" for t in range(1, T + 1)}


def test_a_selected_output_lights_the_ways_that_lead_to_it(visit: Callable[..., Page]) -> None:
    page = visit("bidirectional")
    assert lit(page) == reaching(3, 6)
    page.locator("#both [data-node=y5]").click()
    settled(page)
    assert lit(page) == reaching(5, 6)
    button(page, "Last step").click()
    settled(page)
    assert lit(page) == reaching(6, 6)
    button(page, "Previous step").click()
    settled(page)
    resize(page, 390, 844)
    settled(page)
    assert lit(page) == reaching(5, 6)
    assert page.locator("#both .chain-end").count() == 2
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


#: What does not follow the pointer: the band, the current step, every number of the page, questions to Python.
STANDS = """(root) => [
  root.querySelector('#both .tband').getAttribute('x'), root.querySelector('#both .current').textContent,
  window.tap.sequence, ...[...root.querySelectorAll('.readout')].map((e) => e.textContent)]"""


def ways(page: Page) -> list[str]:
    """The wires that are lit, each by its path."""
    wires = page.locator("#both .wire.reach.lit:not(.tri)")
    return list(wires.evaluate_all("(all) => all.map((e) => e.getAttribute('d'))"))


def test_pointing_at_an_output_previews_its_ways_and_leaving_brings_back_the_selected_one(
    visit: Callable[..., Page],
) -> None:
    page = visit("bidirectional", "t=5")
    of_five, before = ways(page), page.locator(READY).evaluate(STANDS)
    page.locator("#both [data-node=y2] .shape").hover()
    of_two = ways(page)
    assert lit(page) == reaching(2, 6)
    page.locator("#both [data-node=h_forward2] .shape").hover()
    assert ways(page) == of_five, "a state previews nothing"
    page.locator("#both [data-node=y2] .shape").hover()
    assert ways(page) == of_two
    page.mouse.move(0, 0)
    assert ways(page) == of_five
    page.locator("#both [data-node=x2]").focus()
    page.keyboard.press("ArrowUp")
    expect(page.locator("#both [data-node=y2]")).to_be_focused()
    assert ways(page) == of_two
    page.keyboard.press("Escape")
    assert ways(page) == of_five
    assert page.locator(READY).evaluate(STANDS) == before
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("[")
    settled(page)
    assert lit(page) == reaching(4, 6)
    page.keyboard.press("Enter")
    settled(page)
    assert ways(page) == of_two


def test_a_changed_input_lights_what_it_moves_and_nothing_else(visit: Callable[..., Page]) -> None:
    page = visit("bidirectional")
    assert moved(page) == touched(5, 6)
    choice(page, "change").select_option("2")
    type_into(number_field(page, "change"), "-1")
    settled(page)
    assert moved(page) == touched(2, 6)
    assert slider(page, "change").input_value() == "-1"
    sizes = {read.key: float(read.value) for read in readouts(page, "#both") if read.symbol.startswith("change_h")}
    assert {key for key, size in sizes.items() if size == 0.0} == {
        ("change_h_forward", 1, 0), *(("change_h_backward", t, 0) for t in range(3, 7)),
    }  # fmt: skip
    case = Expected("bidirectional", "change=2:-1")
    assert [read for read in readouts(page) if not case.holds(read.key, float(read.value))] == []
    choice(page, "change").select_option("None")
    settled(page)
    assert moved(page) == set()
    assert not slider(page, "change").is_visible()
    choice(page, "change").select_option("6")
    settled(page)
    assert moved(page) == touched(6, 6)
    assert number_field(page, "change").input_value() == "-1", "the number that was chosen last"


def moves(page: Page) -> dict[tuple[str, int, int], float]:
    return {read.key: float(read.value) for read in readouts(page, "#both")}


def test_dragging_the_new_input_moves_the_states_at_every_step_of_the_slider(visit: Callable[..., Page]) -> None:
    page = visit("bidirectional")
    handle = slider(page, "change")
    handle.focus()
    for value in ("0.91", "0.92"):
        handle.press("ArrowRight")
        settled(page)
        case = Expected("bidirectional", f"change=5:{value}")
        assert [key for key, number in moves(page).items() if not case.holds(key, number)] == []
    box = handle.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 0.9 * box["width"], box["y"] + box["height"] / 2)
    page.mouse.down()
    settled(page)
    first = moves(page)
    page.mouse.move(box["x"] + 0.2 * box["width"], box["y"] + box["height"] / 2, steps=4)
    settled(page)
    dragged = handle.input_value()
    case = Expected("bidirectional", f"change=5:{dragged}")
    assert [key for key, number in moves(page).items() if not case.holds(key, number)] == []
    assert moves(page) != first
    page.mouse.up()
    settled(page)
    assert handle.input_value() == number_field(page, "change").input_value() == dragged


def test_of_a_text_the_new_input_is_one_character(visit: Callable[..., Page]) -> None:
    page = visit("bidirectional", "preset=text&change=none")
    choice(page, "change").select_option("2")
    settled(page)
    field = text_field(page, "change")
    assert field.input_value() == "r", "a character that is not there now"
    assert not slider(page, "change").is_visible()
    field.press("o")
    field.press("u")
    settled(page)
    assert field.input_value() == "u"
    case = Expected("bidirectional", "preset=text&change=2:u")
    assert [key for key, number in moves(page).items() if not case.holds(key, number)] == []
    field.fill("")
    field.blur()
    assert field.input_value() == "u"


def test_a_locked_change_is_shown_and_disabled_a_hidden_one_is_absent(visit: Callable[..., Page]) -> None:
    page = visit("bidirectional", "lock=change")
    for control in (choice(page, "change"), slider(page, "change"), number_field(page, "change")):
        assert control.is_visible()
        assert control.is_disabled()
    assert choice(page, "change").input_value() == "5"
    page = visit("bidirectional", "hide=change")
    assert page.locator(".rs [data-key=change]").count() == 0
    assert page.get_by_role("heading", name="Change one input").count() == 0
    assert moved(page) == touched(5, 6)


def test_the_states_are_those_of_two_loops_in_plain_numpy(visit: Callable[..., Page]) -> None:
    page = visit("bidirectional", "n=3&unit=1")
    network, xs = Expected("bidirectional", "n=3&unit=1").run.network, [0.5, -0.9, 0.7, 0.3, -0.6, 0.8]
    found = {read.key: float(read.value) for read in readouts(page, "#both")}
    states: dict[tuple[str, int], np.ndarray] = {}
    for way, steps in (("forward", range(1, 7)), ("backward", range(6, 0, -1))):
        cell, h = getattr(network, way), np.zeros(3)
        for t in steps:
            h = np.tanh(cell.W_hh @ h + cell.W_xh[:, 0] * xs[t - 1] + cell.b_h)
            states[way, t] = h
            assert found[f"h_{way}", t, 1] == pytest.approx(h[1], abs=1e-14)
    for t in range(1, 7):
        both = np.concatenate([states["forward", t], states["backward", t]])
        assert found["y", t, 0] == pytest.approx(float((network.W_hy @ both + network.b_y)[0]), abs=1e-14)


def test_keys_move_inside_the_diagram_and_select(visit: Callable[..., Page]) -> None:
    page = visit("bidirectional")
    page.locator("#both [data-node=h_backward3]").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#both [data-node=h_backward2]")).to_be_focused()
    page.keyboard.press("Enter")
    settled(page)
    assert lit(page) == reaching(2, 6)
    expect(page.get_by_role("heading", name="Backward state 2, unit 1")).to_be_visible()
