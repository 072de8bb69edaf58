"""The truth badge in the browser: a click on any number opens what core has for it, by mouse, keys and on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from tests.browser.expected import Expected, same
from tests.browser.pages import READY, rested, settled, slider

Visit = Callable[..., Page]
FOCUSED = """() => {
  let e = document.activeElement;
  while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
  const name = e?.className?.baseVal ?? e?.className;
  return e && { node: e.dataset.node ?? null, name, inside: Boolean(e.closest('.bdg')) };
}"""
#: Numbers of every kind on each lab: where to click, and which number it is.
NUMBERS = [
    ("unfold", "", "#unfolded", ("h", 3, 0)),
    ("unfold", "", "#unfolded", ("dh_next", 2, 0)),
    ("unfold", "", "#contributions", ("dW", 4, 0)),
    ("unfold", "", ".eq", ("da", 3, 0)),
    ("unfold", "", ".kv", ("slope", 3, 0)),
    ("unfold", "n=4&input=noise&unit=2&d=2", "#unfolded", ("dh", 2, 2)),
    ("lstm", "", "#lstm", ("f", 5, 0)),
    ("lstm", "", "#lstm", ("fc", 5, 0)),
    ("lstm", "n=1", ".trs", ("c", 5, 0)),
    ("bptt", "", "#loom-matrix", ("contribution", 5, 2)),
    ("bptt", "", "#loom", ("chain_factor", 4, 5)),
    ("bptt", "", ".tiles", ("dW", 3, 0)),
    ("bptt", "", ".alg", ("gradient_norm", 0, 0)),
    ("bidirectional", "", "#both", ("h_backward", 3, 0)),
    ("gradients", "n=8", ".plot-summary", ("rho", 0, 0)),
    ("gradients", "n=8", ".plot-summary", ("singular_value", 0, 0)),
    ("gradients", "n=8", ".kv", ("jacobian_log10_norm", 10, 0)),
]
#: Numbers that are gradients, with a central difference of the loss beside them.
WITH_CENTRAL = {"dh_next", "dW", "da", "slope", "dh", "contribution", "chain_factor", "jacobian_log10_norm"}


def badge(page: Page) -> Locator:
    return page.locator(".bdg")


def answered(page: Page) -> Locator:
    """The badge once its answer is there."""
    expect(badge(page)).to_be_visible()
    settled(page)
    expect(page.locator(".bdg-body")).to_have_attribute("aria-busy", "false")
    return badge(page)


def number(page: Page, place: str, key: tuple[str, int, int]) -> Locator:
    symbol, t, unit = key
    return page.locator(f"{place} .readout[data-symbol={symbol}][data-t='{t}'][data-unit='{unit}']").first


@pytest.mark.parametrize(("lab", "query", "place", "key"), NUMBERS, ids=str)
def test_a_click_opens_cores_own_number_with_its_checks(
    visit: Visit, lab: str, query: str, place: str, key: tuple[str, int, int]
) -> None:
    page = visit(lab, query)
    number(page, place, key).click()
    found, case = answered(page), Expected(lab, query)
    assert same(float(found.locator(".bdg-exact").inner_text()), case.value(key))
    assert found.locator("h2").inner_text() != ""
    assert found.locator(".bdg-checks li").count() == found.locator(".bdg-checks li.near").count() > 0
    differences = found.locator("[data-symbol=badge_difference]").evaluate_all(
        "(all) => all.map((e) => e.dataset.value)"
    )
    assert all(abs(float(text)) < 1e-7 for text in differences)
    central = found.locator(".bdg-checks li", has_text="Central differences").count()
    assert central == (key[0] in WITH_CENTRAL)
    within_window(page)


def within_window(page: Page) -> None:
    box, size = badge(page).bounding_box(), page.viewport_size
    assert box is not None
    assert size is not None
    assert box["x"] >= 0
    assert box["y"] >= 0
    assert box["x"] + box["width"] <= size["width"]
    assert box["y"] + box["height"] <= size["height"]


def test_a_state_shows_formula_matrices_and_arithmetic(visit: Visit) -> None:
    page = visit("lstm", "unit=1")
    number(page, "#lstm", ("f", 5, 1)).click()
    found = answered(page)
    assert found.locator("section h3").all_inner_texts()[0::2] == ["Formula", "Arithmetic"]
    assert found.locator(".bdg-table").count() == 2
    case = Expected("lstm", "unit=1")
    row = found.locator("[data-symbol=W_hh]").evaluate_all("(all) => all.map((e) => Number(e.dataset.value))")
    assert row == case.run.cell.W_hh[0, 1].tolist()
    vector = found.locator(".bdg-table [data-symbol=h]").evaluate_all(
        "(all) => all.map((e) => Number(e.dataset.value))"
    )
    assert vector == case.run.trace.hs[4].tolist()


def test_a_number_inside_leads_on_and_back(visit: Visit) -> None:
    page = visit("unfold")
    number(page, "#unfolded", ("h", 3, 0)).click()
    answered(page).locator(".bdg-table [data-symbol=h]").click()
    expect(page.locator(".bdg-words")).to_have_text("hidden state, step 2")
    found = answered(page)
    assert float(found.locator(".bdg-exact").inner_text()) == Expected("unfold", "").value(("h", 2, 0))
    found.get_by_role("button", name="Back to the number before").click()
    expect(page.locator(".bdg-words")).to_have_text("hidden state, step 3")
    expect(found.get_by_role("button", name="Back to the number before")).to_be_hidden()


def test_a_click_in_a_diagram_selects_the_node_too(visit: Visit) -> None:
    page = visit("unfold")
    number(page, "#unfolded", ("h", 2, 0)).click()
    answered(page)
    expect(page.locator("#unfolded [data-node=h2]")).to_have_attribute("aria-pressed", "true")


# --- keys ------------------------------------------------------------------------------------


def test_e_opens_the_badge_of_a_node_and_escape_gives_the_focus_back(visit: Visit) -> None:
    page = visit("unfold")
    node = page.locator("#unfolded [data-node=h2]")
    assert node.get_attribute("aria-keyshortcuts") == "e"
    node.focus()
    page.keyboard.press("e")
    answered(page)
    expect(page.locator(".bdg-words")).to_have_text("hidden state, step 2")
    assert page.evaluate(FOCUSED)["inside"]
    assert "difference" in page.locator("[aria-live=polite]").first.inner_text()
    page.keyboard.press("Escape")
    expect(badge(page)).to_be_hidden()
    page.wait_for_function(f"() => ({FOCUSED})()?.node === 'h2'")


def test_arrows_go_through_the_numbers_of_a_table(visit: Visit) -> None:
    page = visit("lstm")
    page.locator("details.data > summary").first.click()
    page.get_by_role("region", name=re.compile("^Data")).first.focus()
    page.keyboard.press("e")
    expect(page.locator(".bdg-words")).to_have_text("number of a step")
    for key, words in (
        ("ArrowRight", "forget gate, step 1, unit 1"), ("ArrowDown", "forget gate, step 2, unit 1"),
        ("ArrowRight", "input gate, step 2, unit 1"), ("ArrowUp", "input gate, step 1, unit 1"),
        ("ArrowLeft", "forget gate, step 1, unit 1"),
    ):  # fmt: skip
        page.keyboard.press(key)
        expect(page.locator(".bdg-words")).to_have_text(words)
    answered(page)
    page.keyboard.press("Escape")
    page.wait_for_function(f"() => ({FOCUSED})()?.name === 'data-scroll'")


def test_e_in_a_field_is_a_letter(visit: Visit) -> None:
    page = visit("unfold", "input=text&text=hello")
    field = page.locator("input.txt[data-key=text]")
    field.focus()
    page.keyboard.press("e")
    expect(badge(page)).to_be_hidden()


def test_every_stop_inside_is_reached_by_tab_and_named(visit: Visit) -> None:
    page = visit("unfold")
    number(page, "#unfolded", ("dh", 3, 0)).click()
    answered(page)
    names = set()
    for _ in range(8):
        page.keyboard.press("Tab")
        if not page.evaluate(FOCUSED)["inside"]:
            break
        names.add(page.evaluate(FOCUSED)["name"])
    assert {"bdg-close", "bdg-copy", "bdg-after", "bdg-before"} <= names


# --- what happens around it --------------------------------------------------------------------


def test_a_click_elsewhere_closes_it(visit: Visit) -> None:
    page = visit("unfold")
    number(page, "#unfolded", ("h", 1, 0)).click()
    answered(page)
    page.mouse.click(5, 400)
    expect(badge(page)).to_be_hidden()
    expect(page.locator(".bdg .readout")).to_have_count(0)


def test_a_new_run_is_explained_anew_and_a_number_that_is_gone_closes_it(visit: Visit) -> None:
    page = visit("unfold")
    page.locator("#unfolded [data-node=h5]").focus()
    page.keyboard.press("e")
    answered(page)
    page.evaluate(SET, [page.locator(READY).element_handle(), "W", "0.5"])
    answered(page)
    wanted = Expected("unfold", "W=0.5").value(("h", 5, 0))
    expect(page.locator(".bdg-exact")).to_have_text(f"{wanted:.17g}")
    page.evaluate(SET, [page.locator(READY).element_handle(), "T", "3"])
    expect(badge(page)).to_be_hidden()


#: A control is set while the badge has the focus: what another tab's link or a slow answer may do.
SET = """([root, key, value]) => {
  const field = root.querySelector(`input.num[data-key=${key}]`);
  field.value = value;
  field.dispatchEvent(new Event('change', { bubbles: true }));
}"""


def test_a_slider_can_be_dragged_over_numbers_without_opening_it(visit: Visit) -> None:
    page = visit("lstm", "n=1")
    box = page.locator("svg.trace").first.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 40, box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 10, box["y"] + 8)
    page.mouse.up()
    expect(badge(page)).to_be_hidden()
    expect(slider(page, "forget_bias")).to_be_visible()


def test_the_exact_value_and_the_lines_of_python_can_be_copied(visit: Visit) -> None:
    page = visit("unfold")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    number(page, "#unfolded", ("h", 3, 0)).click()
    found = answered(page)
    found.get_by_role("button", name="Copy the exact value").click()
    expect(found.locator(".bdg-line .bdg-copy")).to_have_text("Copied")
    assert float(page.evaluate("navigator.clipboard.readText()")) == Expected("unfold", "").value(("h", 3, 0))
    found.locator("summary").click()
    found.get_by_role("button", name="Copy the lines of Python").click()
    page.wait_for_function("navigator.clipboard.readText().then((text) => text.includes('r.trace.hs[3, 0]'))")
    page.context.clear_permissions()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_on_a_phone_it_is_a_sheet_at_the_bottom_and_axe_finds_nothing(visit: Visit, theme: str) -> None:
    page = visit("unfold", "input=text&text=hello&n=8", width=390, height=844, theme=theme)
    number(page, ".eq", ("dh", 3, 0)).click()
    box = answered(page).bounding_box()
    assert box is not None
    assert (box["x"], round(box["width"]), round(box["y"] + box["height"])) == (0, 390, 844)
    assert badge(page).evaluate("(e) => e.scrollWidth <= e.clientWidth")
    small = badge(page).locator("button:visible").evaluate_all("(all) => all.filter((e) => e.offsetHeight < 40).length")
    assert small == 0
    assert [rule["id"] for rule in Axe().run(page).response["violations"]] == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_beside_a_wide_page(visit: Visit, theme: str) -> None:
    page = visit("lstm", "n=8", theme=theme)
    number(page, "#lstm", ("i", 5, 0)).click()
    answered(page)
    assert [rule["id"] for rule in Axe().run(page).response["violations"]] == []


def test_it_works_in_a_course_page(visit: Visit) -> None:
    page = visit("unfold", "embed=1", width=640, height=700)
    number(page, "#unfolded", ("h", 2, 0)).click()
    answered(page)
    within_window(page)


@pytest.mark.parametrize(
    ("lab", "query"),
    [
        ("unfold", ""),
        ("lstm", ""),
        ("bptt", "preset=truncated"),
        ("gradients", "n=6&T=20"),
        ("bidirectional", ""),
        ("seq2seq", "preset=month-by-name"),
    ],
)
def test_no_number_of_a_page_is_without_an_explanation(visit: Visit, lab: str, query: str) -> None:
    """Every symbol that the page shows, the first element of each, as the page itself asks.

    Those of a diagram come last: a click on a node shows another equation beside it.
    """
    page = visit(lab, query)
    rested(page)
    symbols = page.locator(".rs .readout[data-symbol]").evaluate_all(
        """(all) => {
          const drawn = new Map(all.toReversed().map((e) => [e.dataset.symbol, Boolean(e.closest('svg'))]));
          return [...drawn.keys()].sort((a, b) => drawn.get(a) - drawn.get(b));
        }"""
    )
    assert symbols
    for symbol in symbols:
        first = page.locator(f".rs .readout[data-symbol={symbol}]").first
        first.evaluate("(e) => e.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true }))")
        found = answered(page)
        value = float(str(first.get_attribute("data-value")))
        assert same(float(found.locator(".bdg-exact").inner_text()), value), symbol
        assert "no equation" not in found.inner_text(), symbol
        assert found.locator(".bdg-checks li.far").count() == 0, symbol
        page.keyboard.press("Escape")
        expect(badge(page)).to_be_hidden()
