"""The itemised loom: what a hover lights, what a window cuts, how the algorithm walks, and the check."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.expected import Expected
from tests.browser.pages import button, cells, choice, number_field, readouts, settled, shown, type_into

#: The steps back that are lit in the graph, and in the row of the matrix.
LIT_LANES = """(graph) => {
  const found = [...graph.querySelectorAll('.wire.bwd.on')].map((e) => /lane-(\\d+)/.exec(e.getAttribute('class')));
  return [...new Set(found.filter(Boolean).map((match) => Number(match[1])))];
}"""
LIT_THREADS = "(matrix) => matrix.querySelectorAll('.thread.on').length"


def cell(page: Page, t: int, k: int) -> Locator:
    return page.locator(f"#loom-matrix [data-node=L{t}h{k}]")


def lit(page: Page) -> list[int]:
    return list(page.locator("#loom").evaluate(LIT_LANES))


def chain(page: Page) -> dict[str, list[float]]:
    """Symbol -> the values that the rail shows of the lit chain, in their order."""
    found: dict[str, list[float]] = {}
    for read in readouts(page, ".chain"):
        found.setdefault(read.symbol, []).append(float(read.value))
    return found


@pytest.mark.parametrize("query", ["", "cell=lstm&n=3&input=noise&T=6", "T=10&input=noise"])
def test_a_hover_lights_the_chain_in_graph_matrix_and_rail_and_asks_the_server_nothing(
    visit: Callable[..., Page], query: str
) -> None:
    page, case = visit("bptt", query), Expected("bptt", query)
    asked = page.evaluate("tap.sequence")
    cell(page, 6, 2).hover()
    assert sorted(lit(page)) == [3, 4, 5, 6]
    assert page.locator(".loom-under").evaluate(LIT_THREADS) == 4
    found = chain(page)
    assert found["chain_factor"] == [case.value(("chain_factor", i, 6)) for i in (6, 5, 4, 3)]
    product = found["chain_start"][0] * np.prod(found["chain_factor"])
    assert found["chain_value"] == [case.value(("chain_value", 6, 2))]
    assert product == pytest.approx(found["chain_value"][0], rel=1e-12)
    assert page.locator("#loom [data-node=L6].lit, #loom [data-node=h2].lit").count() == 2
    assert page.evaluate("tap.sequence") == asked
    page.locator(".rail h2").first.hover()
    assert sorted(lit(page)) == [3, 4, 5]


def test_a_click_selects_the_cell_and_goes_into_the_link(visit: Callable[..., Page]) -> None:
    page = visit("bptt")
    cell(page, 4, 3).click()
    settled(page)
    expect(cell(page, 4, 3)).to_have_attribute("aria-pressed", "true")
    assert page.locator("#loom-matrix [aria-pressed=true]").count() == 1
    page.wait_for_function("() => location.search === '?t=4&lag=1'")
    assert next(read.key for read in readouts(page, ".plot-summary")) == ("chain_value", 4, 3)


def test_a_node_of_the_graph_chooses_a_loss_or_a_state(visit: Callable[..., Page]) -> None:
    page = visit("bptt")
    page.locator("#loom [data-node=L6]").click()
    page.locator("#loom [data-node=h4]").click()
    settled(page)
    expect(cell(page, 6, 4)).to_have_attribute("aria-pressed", "true")
    assert sorted(lit(page)) == [5, 6]


def test_arrows_move_in_the_matrix_light_each_chain_and_enter_selects(visit: Callable[..., Page]) -> None:
    page = visit("bptt")
    cell(page, 5, 2).focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowLeft")
    expect(cell(page, 6, 1)).to_be_focused()
    assert sorted(lit(page)) == [2, 3, 4, 5, 6]
    page.keyboard.press("ArrowLeft")
    expect(cell(page, 6, 1)).to_be_focused()
    page.keyboard.press("Enter")
    settled(page)
    expect(cell(page, 6, 1)).to_have_attribute("aria-pressed", "true")
    assert page.locator("#loom-matrix [tabindex='0']").count() == 1
    page.keyboard.press("[")
    settled(page)
    assert page.get_by_label("Moment of the algorithm", exact=True).input_value() == "32"


def test_a_window_cuts_cells_and_says_what_it_takes(visit: Callable[..., Page]) -> None:
    page = visit("bptt")
    type_into(number_field(page, "truncate"), "4")
    settled(page)
    cut = page.locator("#loom-matrix .k-mcell.off").evaluate_all("(all) => all.map((e) => e.dataset.node)")
    assert sorted(cut) == ["L5h1", "L6h1", "L6h2"]
    case = Expected("bptt", "truncate=4")
    assert [read for read in readouts(page) if not case.holds(read.key, float(read.value))] == []
    assert shown(page, "cells_kept", 0).inner_text() == "18"
    assert shown(page, "gradient_angle", 0).inner_text() == "1.92"
    assert "cut" in str(cell(page, 6, 1).get_attribute("aria-label"))
    type_into(number_field(page, "truncate"), "none")
    settled(page)
    assert page.locator("#loom-matrix .k-mcell.off").count() == 0


def test_a_threshold_shortens_the_gradient(visit: Callable[..., Page]) -> None:
    page = visit("bptt")
    type_into(number_field(page, "clip"), "1")
    settled(page)
    assert shown(page, "clipped_norm", 0).first.inner_text() == "1.00"
    assert "5.84 > 1.00: times 0.171" in page.locator(".alg li").nth(7).inner_text()


def test_the_step_bar_walks_the_lines_and_what_is_not_computed_shows_no_number(visit: Callable[..., Page]) -> None:
    page = visit("bptt", "moment=3")
    on = page.locator(".alg li[aria-current=step]")
    expect(on).to_contain_text("for t = 1")
    assert page.locator("#loom [data-node=h4].todo").count() == 1
    assert page.locator("#loom [data-node=h3].todo").count() == 0
    seen = []
    for _ in range(6):
        button(page, "Next step").click()
        settled(page)
        seen.append(on.locator(".ln").inner_text())
    assert seen == ["1", "1", "1", "2", "4", "5"]
    expect(cell(page, 6, 5).locator("text")).to_have_css("visibility", "hidden")
    expect(cell(page, 6, 6).locator("text")).to_have_css("visibility", "visible")
    button(page, "Last step").click()
    settled(page)
    assert on.locator(".ln").inner_text() == "9"
    assert page.locator(".loom .todo").count() == 0


@pytest.mark.parametrize("query", ["", "cell=gru&n=2&truncate=2"])
def test_the_check_button_shows_the_largest_error(visit: Callable[..., Page], query: str) -> None:
    page = visit("bptt", query)
    button(page, "Check by central differences").click()
    error = page.locator(".check .readout[data-symbol=check_absolute]")
    error.wait_for()
    assert float(str(error.get_attribute("data-value"))) < 1e-6
    expect(page.locator(".check")).to_contain_text("Checked all")
    assert page.locator(".check .readout[data-symbol=truncation_error]").count() == ("truncate" in query)
    settled(page)


@pytest.mark.parametrize("n", ["1", "4"])
def test_tiles_sum_to_the_gradient_and_follow_the_block(visit: Callable[..., Page], n: str) -> None:
    page = visit("bptt", f"cell=lstm&n={n}")
    choice(page, "block").select_option("o")
    settled(page)
    case = Expected("bptt", f"cell=lstm&n={n}&block=o")
    found = cells(page.locator(".tiling .readout"))
    assert len(found) == 7
    assert [read for read in found if not case.holds(read.key, float(read.value))] == []


def test_fifty_steps_are_marks_and_still_light_up_and_scroll_on_a_phone(visit: Callable[..., Page]) -> None:
    page = visit("bptt", "preset=long-memory")
    assert page.locator("#loom-matrix [data-node]").count() == 1275
    cell(page, 40, 30).hover()
    assert sorted(lit(page)) == list(range(31, 41))
    assert chain(page)["chain_factor"] == pytest.approx([1.0] * 10, rel=1e-10)
    page.set_viewport_size({"width": 390, "height": 844})
    scroller = page.locator(".loom-scroll")
    assert scroller.evaluate("(e) => e.scrollWidth > e.clientWidth + 300")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("query", ["", "T=9&input=noise", "preset=vanishing-loom"])
def test_every_column_of_the_matrix_stands_under_its_state(visit: Callable[..., Page], query: str) -> None:
    page = visit("bptt", query)
    for k in (1, 3, 6):
        assert centre(cell(page, 6, k)) == pytest.approx(centre(page.locator(f"#loom [data-node=h{k}]")), abs=0.6)


def centre(node: Locator) -> float:
    return float(node.locator(".shape").evaluate("(e) => (({ x, width }) => x + width / 2)(e.getBoundingClientRect())"))
