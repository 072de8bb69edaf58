"""The inside of a step on the page: what a sub-step lights, an opened layer, the maps, and that nothing is rebuilt."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from rnnscope.core import NOTATIONS

from tests.browser import expected
from tests.browser.expected import Expected
from tests.browser.pages import button, choice, readouts, settled, shown
from tests.browser.test_moves import REMEMBER, SAME

QUERY = "n=3&d=2&input=noise&unit=1&t=4"
LIT = "#lstm [data-node].lit"


def lit(page: Page, within: str = LIT) -> set[str]:
    return {str(found.get_attribute("data-node")) for found in page.locator(within).all()}


def at_substep(page: Page, wanted: str) -> None:
    """Go there from the address bar's point of view: the slider of sub-steps."""
    page.get_by_label("Sub-step", exact=True).fill(wanted)
    settled(page)


@pytest.mark.parametrize("width", [1440, 390])
def test_each_substep_lights_what_it_takes_and_makes(visit: Callable[..., Page], width: int) -> None:
    page = visit("lstm", QUERY, width=width)
    wanted = {
        "1": {"x", "f"},
        "2": {"hp", "f"},
        "4": {"f"},
        "17": {"cp", "mf"},
        "19": {"add", "ct"},
        "21": {"mo", "ht"},
    }
    for substep, nodes in wanted.items():
        at_substep(page, substep)
        assert lit(page) == nodes
    button(page, "Whole step").click()
    settled(page)
    assert lit(page) == set()


def test_numbers_that_come_later_are_not_shown_nor_named(visit: Callable[..., Page]) -> None:
    page = visit("lstm", QUERY)
    for substep in range(1, 22):
        button(page, "Next sub-step").click()
        settled(page)
        case = Expected("lstm", f"{QUERY}&substep={substep}")
        assert {read.key for read in readouts(page, "#lstm")} == expected.diagrams(case, wide=True)["lstm"]
    at_substep(page, "3")
    expect(page.locator("#lstm-f")).to_have_attribute(
        "aria-label",
        "Forget σ – af " + page.locator("#lstm-f .readout").inner_html() + ", forget gate at step 4, unit 2 of 3",
    )
    expect(page.locator("#lstm-ht")).to_have_attribute("aria-label", "h4 –, new hidden state, unit 2 of 3")


def test_a_substep_marks_its_equation_opens_its_layer_and_says_what_it_does(visit: Callable[..., Page]) -> None:
    page = visit("lstm", QUERY)
    at_substep(page, "10")
    assert page.locator(".rail .eql").first.locator(".on").inner_text().startswith("c")
    expect(choice(page, "open")).to_have_value("g")
    expect(page.locator(".og-piece.lit")).to_have_count(2)
    assert [piece.get_attribute("aria-label") for piece in page.locator(".og-piece.lit").all()] == [
        "Uc, 3 by 3, in use", "h3, 3 numbers, in use",
    ]  # fmt: skip
    said = page.locator(".substep-said")
    assert said.inner_text().startswith("Candidate: Uch3 for unit 2: ")
    value = said.locator(".readout").get_attribute("data-value")
    assert float(str(value)) == Expected("lstm", QUERY).value(("Uhg", 4, 1))
    expect(page.locator(".rs > .page > .vh[aria-live]")).to_contain_text("sub-step 10: Candidate")


def test_keys_step_inside_from_the_diagram_and_brackets_step_time(visit: Callable[..., Page]) -> None:
    page = visit("lstm", QUERY)
    page.locator("#lstm-f").focus()
    for key, substep, t in ((".", "1", 4), (".", "2", 4), ("]", "2", 5), (",", "1", 5), (",", "0", 5), (",", "0", 5)):
        page.keyboard.press(key)
        settled(page)
        expect(page.get_by_label("Sub-step", exact=True)).to_have_value(substep)
        assert f"t = {t}" in page.locator(".cf.step .ro").inner_text()
    assert page.evaluate("() => document.activeElement !== document.body")


def test_a_substep_and_a_notation_rebuild_nothing(visit: Callable[..., Page]) -> None:
    page = visit("lstm", QUERY)
    page.evaluate(REMEMBER)
    for substep in ("3", "17", "0"):
        at_substep(page, substep)
    for notation in NOTATIONS:
        choice(page, "notation").select_option(notation)
        settled(page)
    assert page.evaluate("unchanged()") == SAME
    assert page.locator("#lstm-g").get_attribute("aria-label") != ""


@pytest.mark.parametrize(("lab", "diagram", "query"), [("lstm", "#lstm", QUERY), ("unfold", "#unfolded", "n=2&T=4")])
def test_a_notation_writes_the_diagram_as_a_fresh_page_does(
    visit: Callable[..., Page], lab: str, diagram: str, query: str
) -> None:
    page = visit(lab, f"{query}&notation=boucher")
    choice(page, "notation").select_option("pytorch")
    settled(page)
    changed = page.locator(diagram).inner_html()
    fresh = visit(lab, f"{query}&notation=pytorch")
    assert fresh.locator(diagram).inner_html() == changed


def test_the_opened_layer_follows_the_selected_gate_and_a_click_on_a_row_selects_its_unit(
    visit: Callable[..., Page],
) -> None:
    page = visit("lstm", QUERY)
    page.locator("#lstm-o").click()
    settled(page)
    assert page.locator(".inside h2").inner_text() == "Opened: output gate at t = 4"
    page.locator(".og-piece").nth(2).locator(".og-cell").nth(7).click()
    settled(page)
    assert shown(page, "ao", 4, 2).count() > 0
    expect(choice(page, "unit")).to_have_value("2")


def test_maps_choose_step_and_unit_by_pointer_and_keys(visit: Callable[..., Page]) -> None:
    page = visit("lstm", "n=4&T=12&t=5&unit=1")
    box = page.locator("svg.umap").nth(1).bounding_box()
    assert box is not None
    scale = box["width"] / 320
    page.locator("svg.umap").nth(1).click(position={"x": (22 + 298 * 8.5 / 12) * scale, "y": (20 + 18 * 3.5) * scale})
    settled(page)
    assert "t=9&unit=3" in page.evaluate("() => location.search") or shown(page, "i", 9, 3).count() > 0
    page.locator(".umaps").press("ArrowLeft")
    page.locator(".umaps").press("ArrowUp")
    settled(page)
    case = Expected("lstm", "n=4&T=12&t=8&unit=2")
    assert {read.key for read in readouts(page, ".umaps")} == expected.diagrams(case, wide=True)["maps"]


def test_one_unit_is_drawn_as_traces_and_several_as_maps(visit: Callable[..., Page]) -> None:
    page = visit("lstm", "preset=one-unit")
    expect(page.locator("svg.trace")).to_have_count(6)
    expect(page.locator("svg.umap")).to_have_count(0)
    page.locator("input.num[data-key=n]").fill("5")
    page.locator("input.num[data-key=n]").press("Enter")
    settled(page)
    expect(page.locator("svg.trace")).to_have_count(0)
    expect(page.locator("svg.umap")).to_have_count(6)


def test_a_locked_substep_stays(visit: Callable[..., Page]) -> None:
    page = visit("lstm", f"{QUERY}&substep=4&lock=substep,open")
    expect(button(page, "Next sub-step")).to_be_disabled()
    expect(choice(page, "open")).to_be_disabled()
    page.locator("#lstm-i").focus()
    page.keyboard.press(".")
    assert lit(page) == {"f"}
