"""A change of the GRU's variant or of its letters moves the drawing: nothing is drawn again, wires and parts glide."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.expected import Expected
from tests.browser.pages import choice, readouts, rested, segment, settled

#: Keeps the elements of the diagram and of the traces, and notes what moves from now on.
WATCH = """() => {
  const all = (root) => [...root.querySelectorAll('*')].flatMap((e) => [e, ...(e.shadowRoot ? all(e.shadowRoot) : [])]);
  const parts = (selector) => all(document).filter((e) => e.matches(selector));
  const kept = '#gru, #gru .wire, #gru [data-node], .four > svg, .three > svg';
  const before = parts(kept), moved = (window.moved = new Set());
  window.same = () => {
    const now = parts(kept);
    return now.length === before.length && now.every((e, i) => e === before[i]);
  };
  const glide = SVGElement.prototype.animate;
  SVGElement.prototype.animate = function (...given) {
    moved.add(`glides ${this.dataset.node ?? this.localName}`);
    return glide.apply(this, given);
  };
  before[0].addEventListener('transitionrun', (e) => moved.add(`${e.propertyName} ${e.target.getAttribute('class')}`));
}"""

#: By switch: which parts glide, and how many wires and heads take another way.
SWITCHES = [("update", "old", "om"), ("reset", "after", "uh")]


def moves(page: Page) -> set[str]:
    return set(page.evaluate("[...window.moved]"))


@pytest.mark.parametrize(("key", "value", "node"), SWITCHES)
def test_a_switch_moves_what_the_variant_moves_and_draws_nothing_again(
    visit: Callable[..., Page], key: str, value: str, node: str
) -> None:
    page = visit("gru")
    page.emulate_media(reduced_motion="no-preference")
    rested(page)
    page.evaluate(WATCH)
    segment(page, key, value).click()
    rested(page)
    assert page.evaluate("window.same()")
    found = moves(page)
    assert f"glides {node}" in found
    assert {
        name for name in found if name.startswith("glides") and name.split()[1] in ("om", "uh", "mr", "mz", "z")
    } == {f"glides {node}"}
    assert any(name.startswith("d wire") for name in found)
    case = Expected("gru", f"{key}={value}")
    assert [read for read in readouts(page) if not case.holds(read.key, float(read.value))] == []


def test_who_asked_for_less_motion_sees_the_new_drawing_at_once(visit: Callable[..., Page]) -> None:
    page = visit("gru")
    page.emulate_media(reduced_motion="reduce")
    page.evaluate(WATCH)
    segment(page, "reset", "after").click()
    settled(page)
    assert moves(page) == set()
    assert page.evaluate("window.same()")


def test_the_focus_stays_on_a_part_that_moves_and_its_name_follows(visit: Callable[..., Page]) -> None:
    page = visit("gru")
    part = page.locator("#gru [data-node=uh]")
    part.focus()
    assert "reset state" in str(part.get_attribute("aria-label"))
    page.locator("input[data-key=reset][value=after]").evaluate("(e) => e.click()")
    settled(page)
    assert "state before" in str(part.get_attribute("aria-label"))
    assert part.evaluate("(e) => e.getRootNode().activeElement === e")
    assert "after the product" in str(page.locator("#gru").get_attribute("aria-label"))


@pytest.mark.parametrize("lab", ["gru", "lstm"])
def test_other_letters_rebuild_no_diagram(visit: Callable[..., Page], lab: str) -> None:
    page = visit(lab)
    diagram = page.locator(f"#{lab}").element_handle()
    for notation, letter in (("pytorch", "n" if lab == "gru" else "g"), ("goodfellow", "\u02dc")):
        choice(page, "notation").select_option(notation)
        settled(page)
        assert page.locator(f"#{lab}").evaluate("(e, known) => e === known", diagram)
        assert letter in str(page.locator(f"#{lab} .layer-label").text_content())
        case = Expected(lab, f"notation={notation}")
        assert [read for read in readouts(page, f"#{lab}") if not case.holds(read.key, float(read.value))] == []


def test_a_moved_drawing_is_the_one_that_its_link_opens(visit: Callable[..., Page]) -> None:
    page = visit("gru", "n=1")
    segment(page, "reset", "after").click()
    segment(page, "update", "old").click()
    settled(page)
    moved = drawn(page)
    assert moved == drawn(visit("gru", "n=1&reset=after&update=old"))


def drawn(page: Page) -> list[str]:
    """Every path and text of the diagram, with its place."""
    places = "['d', 'x', 'y', 'cx', 'cy'].map((name) => e.getAttribute(name)).join()"
    read = f"(all) => all.map((e) => {places} + e.textContent)"
    return list(page.locator("#gru :is(path, text, circle, rect)").evaluate_all(read))
