"""Everything can be done with keys: Tab goes everywhere and is never held, arrows move inside a diagram."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.expected import Expected
from tests.browser.pages import READY, button, readouts, resize, rested, settled

LABS = ("unfold", "gradients", "bptt", "lstm", "gru", "bidirectional", "seq2seq", "attention")
MOST_STOPS = 120

#: The focused element, through shadow roots; and every element that Tab must reach, a group of radios once.
FOCUS = """() => {
  let e = document.activeElement;
  while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
  if (!e || e === document.body) return null;
  window.stops ??= new Map();
  if (!stops.has(e)) stops.set(e, stops.size);
  return { number: stops.get(e), node: e.dataset.node ?? null, inside: e.closest('svg')?.id ?? null };
}"""
REACHABLE = """() => {
  const deeper = (e) => [e, ...(e.shadowRoot ? inside(e.shadowRoot) : [])];
  const inside = (root) => [...root.querySelectorAll('*')].flatMap(deeper);
  const groups = new Set();
  return inside(document).filter((e) => {
    const stop = 'a[href]:not([tabindex="-1"]), button, input, select, summary, svg [tabindex="0"]';
    if (!e.matches(stop) || e.disabled) return false;
    if (!e.checkVisibility({ visibilityProperty: true })) return false;
    if (e.type !== 'radio') return true;
    return !groups.has(e.name) && groups.add(e.name);
  }).filter((e) => (e.type === 'radio' ? ![...stops.keys()].some((s) => s.name === e.name) : !stops.has(e)))
    .map((e) => e.outerHTML.slice(0, 120));
}"""


def tab_through(page: Page) -> list[dict[str, object]]:
    """Press Tab until the focus leaves the page; every stop on the way."""
    found: list[dict[str, object]] = []
    while len(found) < MOST_STOPS:
        page.keyboard.press("Tab")
        stop = page.evaluate(FOCUS)
        if stop is None or (found and stop["number"] == found[0]["number"]):
            return found
        found.append(stop)
    raise AssertionError(f"Tab does not leave the page after {MOST_STOPS} stops: {found[-6:]}")


@pytest.mark.parametrize("width", [1440, 390])
@pytest.mark.parametrize("lab", LABS)
def test_tab_reaches_every_control_and_leaves_a_diagram_after_one_stop(
    visit: Callable[..., Page], lab: str, width: int
) -> None:
    page = visit(lab, width=width)
    rested(page)
    stops = tab_through(page)
    assert len({stop["number"] for stop in stops}) == len(stops), "Tab came to an element twice"
    assert page.evaluate(REACHABLE) == [], "Tab does not reach these"
    diagrams = [stop["inside"] for stop in stops if stop["node"]]
    networks = page.locator("svg[role=group][aria-roledescription='network diagram']")
    assert diagrams == [svg.get_attribute("id") for svg in networks.all() if svg.is_visible()]


def node(page: Page, diagram: str, name: str) -> Locator:
    return page.locator(f"#{diagram} [data-node={name}]")


def focused_node(page: Page) -> str | None:
    found = page.evaluate(FOCUS)
    return None if found is None else str(found["node"])


ARROWS = [
    ("h3", "ArrowRight", "h4"), ("h3", "ArrowLeft", "h2"), ("h3", "ArrowUp", "y3"), ("h3", "ArrowDown", "x3"),
    ("h1", "ArrowLeft", "h0"), ("h5", "ArrowRight", "h5"), ("x1", "ArrowDown", "x1"), ("y2", "ArrowUp", "L2"),
]  # fmt: skip


def test_arrows_go_to_the_nearest_node(visit: Callable[..., Page]) -> None:
    page = visit("unfold")
    for start, key, end in ARROWS:
        node(page, "unfolded", start).focus()
        page.keyboard.press(key)
        assert focused_node(page) == end, f"{key} on {start}"
        assert page.locator("#unfolded [data-node][tabindex='0']").count() == 1
        assert node(page, "unfolded", end).get_attribute("tabindex") == "0"


@pytest.mark.parametrize("pattern", ["output", "last", "system", "convolution"])
def test_the_keyboard_chooses_a_pattern_and_selects_in_it(visit: Callable[..., Page], pattern: str) -> None:
    page = visit("unfold")
    chosen = page.locator("input[type=radio][data-key=pattern]:checked")
    chosen.focus()
    for _ in range(4):
        if page.locator("input[data-key=pattern]:checked").get_attribute("value") != pattern:
            page.keyboard.press("ArrowRight")
    settled(page)
    node(page, "unfolded", "h2").focus()
    page.keyboard.press("Enter")
    settled(page)
    case = Expected("unfold", f"pattern={pattern}&t=2")
    assert node(page, "unfolded", "h2").get_attribute("aria-pressed") == "true"
    shown = {read.key: float(read.value) for read in readouts(page, ".eq")}
    assert shown["h", 2, 0] == case.value(("h", 2, 0))


def test_the_window_of_the_selected_step_is_lit(visit: Callable[..., Page]) -> None:
    page = visit("unfold", "pattern=convolution&window=2&t=4")
    lit = page.locator("#unfolded .k-input.lit")
    assert [each.get_attribute("data-node") for each in lit.all()] == ["x3", "x4"]
    node(page, "unfolded", "z2").focus()
    page.keyboard.press("Enter")
    settled(page)
    assert [each.get_attribute("data-node") for each in lit.all()] == ["x1", "x2"]


@pytest.mark.parametrize(
    ("lab", "query"), [("lstm", ""), ("gru", ""), ("gru", "reset=after&update=old"), ("seq2seq", "text=7 may")]
)
def test_arrows_reach_every_node_of_the_cell(visit: Callable[..., Page], lab: str, query: str) -> None:
    page = visit(lab, query)
    names = [str(each.get_attribute("data-node")) for each in page.locator(f"#{lab} [data-node]").all()]
    reached, waiting = {names[0]}, [names[0]]
    while waiting:
        start = waiting.pop()
        for key in ("ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown"):
            node(page, lab, start).focus()
            page.keyboard.press(key)
            found = str(focused_node(page))
            waiting += [] if found in reached else [found]
            reached.add(found)
    assert reached == set(names)


def test_enter_selects_a_node_and_the_equation_shows_it(visit: Callable[..., Page]) -> None:
    page = visit("unfold")
    node(page, "unfolded", "h2").focus()
    page.keyboard.press("Enter")
    settled(page)
    case = Expected("unfold", "t=2")
    forward = page.locator(".card", has=page.get_by_role("heading", name="Forward", exact=True)).locator(".eq")
    assert node(page, "unfolded", "h2").get_attribute("aria-pressed") == "true"
    assert page.locator("#unfolded [aria-pressed=true]").count() == 1
    assert re.search(r"h\s*2\s*=\s*tanh", forward.locator("div.on").inner_text().replace("\n", ""))
    shown = {read.key: float(read.value) for read in readouts(page, ".eq")}
    assert shown["h", 2, 0] == case.value(("h", 2, 0))
    assert shown["a", 2, 0] == case.value(("a", 2, 0))


PARTS = [
    ("i", "Input gate", {("ai", 5, 0), ("i", 5, 0)}), ("g", "Candidate", {("ag", 5, 0), ("g", 5, 0)}),
    ("mf", "Cell state", {("c", 5, 0), ("f", 5, 0), ("c", 4, 0)}), ("ht", "Hidden state", {("h", 5, 0), ("o", 5, 0)}),
]  # fmt: skip


def test_enter_on_a_part_of_the_cell_shows_its_equation_with_numbers(visit: Callable[..., Page]) -> None:
    page = visit("lstm", "preset=one-unit")
    for name, title, keys in PARTS:
        node(page, "lstm", name).focus()
        page.keyboard.press("Enter")
        settled(page)
        assert page.locator(".rail h2", has_text=title).count() == 1
        assert keys <= {read.key for read in readouts(page, ".rail")}


@pytest.mark.parametrize(
    ("lab", "diagram", "start"), [("unfold", "unfolded", 3), ("lstm", "lstm", 5), ("gru", "gru", 5)]
)
def test_brackets_step_the_time_by_one_in_a_diagram(
    visit: Callable[..., Page], lab: str, diagram: str, start: int
) -> None:
    page = visit(lab)
    page.locator(f"#{diagram} [data-node]").first.focus()
    for key, t in (("]", start + 1), ("]", start + 2), ("[", start + 1)):
        page.keyboard.press(key)
        settled(page)
        assert step(page) == t
    assert page.evaluate(FOCUS)["inside"] == diagram


def step(page: Page) -> int:
    return int(page.get_by_role("slider", name="Time step", exact=True).input_value())


def test_arrows_home_and_end_step_the_time_on_the_step_bar(visit: Callable[..., Page]) -> None:
    page = visit("lstm")
    bar = page.get_by_role("slider", name="Time step", exact=True)
    bar.focus()
    for key, t in (("ArrowRight", 6), ("ArrowLeft", 5), ("End", 12), ("ArrowRight", 12), ("Home", 0), ("ArrowUp", 1)):
        page.keyboard.press(key)
        settled(page)
        assert step(page) == t
        assert bar.get_attribute("aria-valuetext") == f"step {t} of 12"


def test_play_goes_on_step_by_step_and_pause_stops_it(visit: Callable[..., Page]) -> None:
    page = visit("unfold", "t=1")
    button(page, "Play").press("Enter")
    bar = page.get_by_role("slider", name="Time step", exact=True)
    for t in (2, 3):
        expect(bar).to_have_value(str(t))
    button(page, "Pause").press("Enter")
    expect(button(page, "Play")).to_be_visible()
    settled(page)
    assert page.evaluate(STAYS, page.locator(READY).element_handle()) == [step(page)]


#: The steps that are shown during the time of two steps of Play, in the page's own frames.
STAYS = """(root) => new Promise((done) => {
  const seen = new Set(), end = performance.now() + 1500;
  const look = () => {
    seen.add(Number(root.querySelector('.step input[type=range]').value));
    if (performance.now() < end) requestAnimationFrame(look); else done([...seen]);
  };
  look();
})"""


def test_play_stops_at_the_last_step(visit: Callable[..., Page]) -> None:
    page = visit("unfold", "t=4")
    button(page, "Play").click()
    expect(button(page, "Pause")).to_be_visible()
    expect(button(page, "Play")).to_be_visible()
    assert step(page) == 5


RING = """(e) => {
  const style = getComputedStyle(e), ring = e.querySelector?.('.ring');
  const outline = style.outlineStyle !== 'none' ? parseFloat(style.outlineWidth) : 0;
  const drawn = ring && getComputedStyle(ring).stroke !== 'none' ? parseFloat(getComputedStyle(ring).strokeWidth) : 0;
  const around = e.closest('.seg') ? parseFloat(getComputedStyle(e.closest('.seg')).outlineWidth) : 0;
  return Math.max(outline, drawn, around);
}"""
ACTIVE = """() => {
  let e = document.activeElement;
  while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
  return e;
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_focus_ring_is_seen_on_every_stop(visit: Callable[..., Page], theme: str) -> None:
    page = visit("unfold", theme=theme)
    for _ in range(25):
        page.keyboard.press("Tab")
        active = page.evaluate_handle(ACTIVE)
        assert page.evaluate(RING, active) >= 2, page.evaluate("(e) => e.outerHTML.slice(0, 200)", active)


def test_tab_leaves_a_diagram_whichever_node_has_the_focus(visit: Callable[..., Page]) -> None:
    page = visit("unfold")
    for name in ("h0", "L5", "x3"):
        for key in ("Tab", "Shift+Tab"):
            node(page, "unfolded", name).focus()
            page.keyboard.press(key)
            assert page.evaluate(FOCUS)["inside"] != "unfolded"


def test_a_node_keeps_the_focus_when_the_drawing_changes(visit: Callable[..., Page]) -> None:
    page = visit("unfold")
    node(page, "unfolded", "h2").focus()
    resize(page, 390, 844)
    assert page.locator("svg.fig-compact#unfolded").count() == 1
    assert focused_node(page) == "h2"
