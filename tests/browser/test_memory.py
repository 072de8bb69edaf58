"""The memory view: three cells on one text, coupled under the pointer and the keys; each number is core's own."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qsl

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect
from rnnscope.app import url
from rnnscope.app.labs.memory import NAMES, configs
from rnnscope.app.state import GradientState
from rnnscope.core import format_number, input_gradient_norms, memory_reach, run

from tests.browser.pages import Readout, cells, notices, settled, type_into

Visit = Callable[..., Page]
TRICKY = '<b>it\'s</b> "so" &amp; 😀!'
QUERY = "n=8&output=20"


def norms(query: str) -> np.ndarray:
    """(T, 3): what core has for a page's own query."""
    values, found = url.read(GradientState, dict(parse_qsl(query)))
    assert found == []
    state = GradientState()
    state.apply(values)
    runs = [run(config) for config in configs(state)]
    return np.column_stack([input_gradient_norms(r.cell, r.trace, r.targets, state.chosen_output()) for r in runs])


def at_rest(page: Page) -> None:
    """Bring the view into sight and wait for its own answer."""
    page.locator("[data-detail=memory]").first.scroll_into_view_if_needed()
    page.locator(".mem").scroll_into_view_if_needed()
    expect(page.locator("[data-detail=memory]").first).to_have_attribute("aria-busy", "false")
    page.locator(".mc[data-k='1'][data-row='2']").wait_for()


def open_memory(visit: Visit, query: str = "", **how: int) -> Page:
    page = visit("gradients", query, **how)
    at_rest(page)
    return page


def cell(page: Page, k: int, row: int = 0) -> Locator:
    return page.locator(f".mc[data-k='{k}'][data-row='{row}']")


def reading(page: Page) -> list[Readout]:
    return cells(page.locator(".mem-read .readout"))


def text_of(page: Page, row: int) -> str:
    return "".join(page.locator(f".mc[data-row='{row}']").all_inner_texts())


def shade(log: float) -> str:
    return "none" if np.isneginf(log) else f"sq{int(min(8, max(0, np.floor(log) + 8)))}"


def test_every_character_is_shaded_by_its_own_number_on_the_fixed_scale(visit: Visit) -> None:
    page, wanted = open_memory(visit, QUERY), norms(QUERY)
    for row in range(len(NAMES)):
        found = page.locator(f".mc[data-row='{row}']").evaluate_all("(all) => all.map((e) => e.classList[1])")
        assert found == [shade(log) for log in wanted[:, row]]
    assert page.locator(".mc.later[data-k]").count() == 3 * (len(wanted) - 20)


def test_the_scale_is_the_same_for_networks_that_vanish_and_explode(visit: Visit) -> None:
    steps = set()
    for query in ("n=8&rho=0.2", "n=8&rho=3&activation=linear"):
        page, wanted = open_memory(visit, query), norms(query)
        found = page.locator(".mc[data-row='0']").evaluate_all("(all) => all.map((e) => e.classList[1])")
        assert found == [shade(log) for log in wanted[:, 0]]
        steps |= set(found)
    assert {"sq0", "sq8"} <= steps


def test_the_summary_and_the_table_hold_cores_numbers(visit: Visit) -> None:
    page, wanted = open_memory(visit, QUERY), norms(QUERY)
    reach = [
        Readout("reach", 20, i, str(float(r)), str(r)) for i, r in enumerate(memory_reach(c, 20) for c in wanted.T)
    ]
    assert cells(page.locator(".plot-summary[data-detail=memory] .readout")) == reach
    table = page.locator("details[data-detail=memory]")
    table.locator("summary").click()
    table.locator("td.readout").first.wait_for()
    found = [float(read.value) for read in cells(table.locator("td.readout"))]
    np.testing.assert_array_equal(found, np.column_stack([np.arange(1, len(wanted) + 1), wanted]).ravel())
    letters = [row.locator("td").nth(1).text_content() for row in table.locator("tbody tr").all()]
    assert "".join(map(str, letters)) == GradientState.param["text"].default


def test_pointing_at_a_character_couples_the_three_and_shows_their_numbers(visit: Visit) -> None:
    page, wanted = open_memory(visit, QUERY), norms(QUERY)
    before = page.evaluate("() => tap.sequence")
    cell(page, 7, 1).hover()
    outlined = page.locator(".mc.at").evaluate_all("(all) => all.map((e) => [e.dataset.k, e.dataset.row])")
    assert outlined == [["7", "0"], ["7", "1"], ["7", "2"]]
    values = [Readout("dx_log10", 7, i, repr(v), format_number(v, 3)) for i, v in enumerate(wanted[6].tolist())]
    assert reading(page) == values
    cell(page, 30).hover()
    assert [read.value for read in reading(page)] == ["-inf"] * 3
    assert "cannot count" in page.locator(".mem-read").inner_text()
    assert page.evaluate("() => tap.sequence") == before


def test_a_click_chooses_the_output(visit: Visit) -> None:
    page = open_memory(visit, "n=8")
    cell(page, 12, 2).click()
    assert page.locator(".mc.out[data-k]").evaluate_all("(all) => all.map((e) => e.dataset.k)") == ["12"] * 3
    settled(page)
    at_rest(page)
    page.mouse.move(0, 0)
    wanted = norms("n=8&output=12")
    cell(page, 4).hover()
    assert [float(read.value) for read in reading(page)] == wanted[3].tolist()
    assert page.locator(".mc.later[data-row='0'][data-k]").count() == len(wanted) - 12


def test_the_keyboard_moves_and_chooses_with_one_tab_stop(visit: Visit) -> None:
    page = open_memory(visit, QUERY)
    assert page.locator(".mc[tabindex='0']").count() == 1
    page.locator("input[data-key=memory_text]").focus()
    page.keyboard.press("Tab")
    expect(cell(page, 20)).to_be_focused()
    for key in ("ArrowLeft", "ArrowLeft", "ArrowDown", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    expect(cell(page, 18, 2)).to_be_focused()
    assert [read.t for read in reading(page)] == [18] * 3
    page.keyboard.press("Enter")
    settled(page)
    at_rest(page)
    assert cell(page, 18, 2).get_attribute("aria-selected") == "true"
    expect(cell(page, 18, 2)).to_be_focused()
    page.keyboard.press("Home")
    expect(cell(page, 1, 2)).to_be_focused()
    name = str(cell(page, 1, 2).get_attribute("aria-label"))
    assert name == f"GRU, character 1, t: log10 {format_number(norms('n=8&output=18')[0, 2], 3)}"
    page.keyboard.press("Tab")
    assert page.locator(".mc:focus").count() == 0


def test_a_text_with_quotes_tags_and_emoji_is_shown_as_text(visit: Visit) -> None:
    page = open_memory(visit, "n=8&input=noise")
    type_into(page.locator("input[data-key=memory_text]"), TRICKY)
    settled(page)
    at_rest(page)
    page.locator(f".mc[data-row='0'][data-k='{len(TRICKY)}']").wait_for()
    assert [text_of(page, row) for row in range(3)] == [TRICKY.replace(" ", "\u2423")] * 3
    assert page.locator(".mem b").count() == 0
    assert page.locator("select[data-key=input]").input_value() == "noise"
    assert page.locator("input.num[data-key=T]").input_value() == "100"


@pytest.mark.parametrize("text", ["hi", "x" * 201])
def test_a_text_of_a_length_that_no_run_has_is_said(visit: Visit, text: str) -> None:
    page = open_memory(visit, "n=8")
    type_into(page.locator("input[data-key=memory_text]"), text)
    settled(page)
    assert any("takes 5 to 200" in notice for notice in notices(page))


def test_lines_align_on_a_phone_and_nothing_is_cut(visit: Visit) -> None:
    text = "a long text of two hundred characters " * 5
    page = open_memory(visit, f"n=8&input=noise&text={text.replace(' ', '%20')}", width=390, height=844)
    edges = "(all) => all.map((e) => { const b = e.getBoundingClientRect(); return [b.left, b.right]; })"
    rows = [page.locator(f".mc[data-row='{row}']").evaluate_all(edges) for row in range(3)]
    assert rows[0] == rows[1] == rows[2]
    assert len(rows[0]) == len(text)
    assert max(right for _, right in rows[0]) <= 390
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    assert page.locator(".ml").count() > 10


def test_a_locked_output_and_text_stay(visit: Visit) -> None:
    page = open_memory(visit, "n=8&output=20&lock=output,text")
    assert page.locator("input[data-key=memory_text]").is_disabled()
    cell(page, 5).click()
    assert page.locator(".mc.out[data-k]").evaluate_all("(all) => all.map((e) => e.dataset.k)") == ["20"] * 3
