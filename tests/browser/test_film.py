"""The film strip on /gradients: its numbers are core's, the brush moves the span, the film plays."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect
from rnnscope.core import format_number, perturbation_ellipses

from tests.browser.expected import Expected, same
from tests.browser.expected_film import film_numbers, film_summary, film_tables, frames, span
from tests.browser.pages import cells, readouts, settled

CASES = ["", "n=2&T=30&t=30&lag=25", "T=120&t=110&lag=100&n=12", "cell=lstm&n=6", "preset=radius-is-not-norm", "t=0"]
#: The cells a side of each canvas, and whether it holds more than one colour.
PAINTED = """(all) => all.map((c) => {
  const bytes = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
  return [c.width, new Set(new Uint32Array(bytes.buffer)).size > 1];
})"""
#: How many pictures the page shows between the steps 2 and 3 while the film plays.
PICTURES = """() => new Promise((done) => {
  const inside = (root) => [...root.querySelectorAll('*')].flatMap((e) => [e, ...(e.shadowRoot ? inside(e.shadowRoot) : [])]);
  const elements = inside(document), find = (selector) => elements.find((e) => e.matches(selector));
  const shape = find('ellipse.film-image'), head = find('[aria-label="Step of the film"]'), seen = new Set();
  const look = () => {
    if (head.value === '2') seen.add(shape.getAttribute('rx'));
    if (Number(head.value) >= 4) done(seen.size);
    else requestAnimationFrame(look);
  };
  look();
})"""  # noqa: E501
DEGENERATE = [
    ("rho=0", "light"),
    ("lag=0", "dark"),
    ("activation=relu&family=permutation&input=zero", "light"),
    ("n=64&T=200&lag=200&t=200", "dark"),
]
PHONE = {"width": 390, "height": 844}


def film(page: Page) -> Locator:
    """The card, in view, with the answer to what the brush holds now."""
    card = page.locator(".card.film")
    card.scroll_into_view_if_needed()
    expect(card.locator(".film-strip")).to_have_attribute("aria-busy", "false")
    settled(page)
    return card


def end(page: Page, name: str) -> Locator:
    return page.get_by_role("slider", name=f"of the span, {name}")


def playhead(page: Page) -> Locator:
    return page.get_by_role("slider", name="Step of the film")


def drag(page: Page, what: Locator, steps: int) -> None:
    """With the mouse, by so many steps of the ruler, in several moves."""
    what.scroll_into_view_if_needed()
    box, track = what.bounding_box(), page.locator(".brush-track").bounding_box()
    T = int(str(end(page, "t").get_attribute("aria-valuemax")))
    assert box
    assert track
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + steps * track["width"] / T, y, steps=4)
    page.mouse.up()


def brushed(page: Page) -> list[str | None]:
    return [end(page, name).get_attribute("aria-valuetext") for name in "kt"]


def wrong(case: Expected, page: Page) -> list[object]:
    """The readouts of the card that are not core's own, bit for bit."""
    numbers = film_numbers(case)

    def known(symbol: str, t: int, unit: int) -> float:
        rows, first = numbers[symbol]
        return float(np.atleast_1d(rows[t - first])[unit])

    return [read for read in readouts(page, ".card.film") if not same(float(read.value), known(*read.key))]


@pytest.mark.parametrize("query", CASES)
def test_every_number_of_the_film_is_cores_own(visit: Callable[..., Page], query: str) -> None:
    page, case = visit("gradients", query), Expected("gradients", query)
    card = film(page)
    for summary in card.locator("details.data > summary").all():
        summary.click()
    assert wrong(case, page) == []
    found = {
        str(region.get_attribute("aria-label")).removeprefix("Data: "): cells(region.locator("td.readout"))
        for region in card.locator("details.data [role=region]").all()
    }
    want = film_tables(case)
    assert [(name, [float(cell.value) for cell in row]) for name, row in found.items()] == [
        (name, table.ravel().tolist()) for name, table in want.items()
    ]
    assert [read.key for read in readouts(page, ".card.film .plot-summary")] == film_summary(case)
    assert brushed(page) == [f"{name} = {step}" for name, step in zip("kt", span(case), strict=True)]
    check_frames(case, card.locator("figure.frame:not([hidden])"))


def check_frames(case: Expected, shown: Locator) -> None:
    """A frame a step, with its spectrum in words and a heat map that is not empty."""
    largest = film_numbers(case)["step_singular_value"][0]
    names = [shown.nth(i).get_attribute("aria-label") or "" for i in range(shown.count())]
    assert [name.split(", ")[0] for name in names] == [
        f"t = {step}: largest singular value {format_number(largest[step - 1])}" for step in frames(case)
    ]
    assert shown.locator("canvas").evaluate_all(PAINTED) == [[case.run.cell.state_size, True]] * len(names)


# --- the brush ------------------------------------------------------------------------------------


def test_the_brush_follows_the_pointer_and_the_page_follows_the_brush(visit: Callable[..., Page]) -> None:
    page = visit("gradients", "n=4&T=40&t=30&lag=10")
    film(page)
    drag(page, end(page, "k"), -12)
    assert brushed(page) == ["k = 8", "t = 30"]
    drag(page, end(page, "t"), 5)
    assert brushed(page) == ["k = 8", "t = 35"]
    drag(page, page.locator(".brush-span"), -3)
    assert brushed(page) == ["k = 5", "t = 32"]
    drag(page, page.locator(".brush-span"), 30)
    assert brushed(page) == ["k = 13", "t = 40"]
    settled(page)
    query = "n=4&T=40&t=40&lag=27"
    assert wrong(Expected("gradients", query), page) == []
    assert page.locator("input[type=range][data-key=t]").input_value() == "40"
    assert page.locator("input[type=range][data-key=lag]").input_value() == "27"


def test_the_brush_is_two_sliders_for_the_keyboard(visit: Callable[..., Page]) -> None:
    page = visit("gradients", "n=4&T=40&t=30&lag=10")
    film(page)
    start, last = end(page, "k"), end(page, "t")
    moves = [
        (start, "ArrowLeft", ["k = 19", "t = 30"]), (start, "PageDown", ["k = 9", "t = 30"]),
        (start, "End", ["k = 30", "t = 30"]), (start, "Home", ["k = 0", "t = 30"]),
        (last, "ArrowRight", ["k = 0", "t = 31"]), (last, "End", ["k = 0", "t = 40"]),
        (last, "Home", ["k = 0", "t = 0"]), (last, "PageUp", ["k = 0", "t = 10"]),
    ]  # fmt: skip
    for where, key, shows in moves:
        where.press(key)
        assert brushed(page) == shows
    settled(page)
    assert wrong(Expected("gradients", "n=4&T=40&t=10&lag=10"), page) == []


def test_a_locked_end_stays(visit: Callable[..., Page]) -> None:
    page = visit("gradients", "n=4&T=40&t=30&lag=10&lock=t")
    film(page)
    drag(page, end(page, "t"), -5)
    drag(page, page.locator(".brush-span"), -5)
    assert brushed(page) == ["k = 20", "t = 30"]
    assert end(page, "t").get_attribute("aria-disabled") == "true"
    drag(page, end(page, "k"), -5)
    assert brushed(page) == ["k = 15", "t = 30"]


# --- the film -------------------------------------------------------------------------------------


@pytest.mark.parametrize("query", ["n=2&T=30&t=30&lag=25", "n=16&T=60&t=50&lag=40"])
def test_the_playhead_shows_the_ellipse_of_its_step(visit: Callable[..., Page], query: str) -> None:
    page, case = visit("gradients", query), Expected("gradients", query)
    card, (k, t) = film(page), span(case)
    ellipses = perturbation_ellipses(case.run.cell, case.run.trace, k, t)
    for j in (k, k + 1, (k + t) // 2, t):
        playhead(page).fill(str(j))
        assert wrong(case, page) == []
        assert {read.t for read in readouts(page, ".film-ellipse")} == {j}
        drawn = card.locator("ellipse.film-image").evaluate("(e) => [e.rx.baseVal.value, e.ry.baseVal.value]")
        ring = int(re.sub("−", "-", card.locator("svg.ellipse").get_attribute("aria-label").rsplit("e", 1)[-1])
                   if "1e" in card.locator("svg.ellipse").get_attribute("aria-label") else 0)  # fmt: skip
        want = np.maximum(50 * 10.0 ** (ellipses.log10_semi_axes[j - k] - ring), 0.75)
        np.testing.assert_allclose(drawn, want, rtol=1e-5)
        now = card.locator("figure.frame.now")
        steps = [step for step in frames(case) if step >= j] if j > k else []
        assert now.count() == bool(steps)
        if steps:
            assert str(now.get_attribute("aria-label")).startswith(f"t = {steps[0]}:")


def test_two_units_are_said_to_be_exact(visit: Callable[..., Page]) -> None:
    assert "Exact: the state has two units." in film(visit("gradients", "n=2")).inner_text()
    assert "two leading directions of the span" in film(visit("gradients", "n=3")).inner_text()


def test_play_runs_to_the_end_and_can_be_held(visit: Callable[..., Page]) -> None:
    page = visit("gradients", "n=4&T=40&t=30&lag=12")
    film(page).get_by_label("How the film plays").select_option("fast")
    page.get_by_role("button", name="Play the film").click()
    page.wait_for_function("(e) => Number(e.value) > 20", arg=playhead(page).element_handle())
    page.get_by_role("button", name="Pause the film").click()
    held = int(playhead(page).input_value())
    assert 20 < held <= 30
    page.get_by_role("button", name="Play the film").click()
    page.get_by_role("button", name="Play the film").wait_for()
    assert playhead(page).input_value() == "30"
    assert wrong(Expected("gradients", "n=4&T=40&t=30&lag=12"), page) == []


def test_the_film_glides_only_where_motion_is_welcome(visit: Callable[..., Page]) -> None:
    """Between two steps: the same picture with reduced motion, another one without."""
    page = visit("gradients", "n=4&T=40&t=30&lag=30")
    film(page).get_by_label("How the film plays").select_option("slow")
    playhead(page).fill("0")
    page.get_by_role("button", name="Play the film").click()
    assert page.evaluate(PICTURES) == 1
    page.emulate_media(reduced_motion="no-preference")
    page.get_by_role("button", name="Pause the film").click()
    playhead(page).fill("0")
    page.get_by_role("button", name="Play the film").click()
    assert page.evaluate(PICTURES) > 2


def test_the_strip_scrolls_by_itself_and_the_page_does_not(visit: Callable[..., Page]) -> None:
    page = visit("gradients", "n=4&T=60&t=60&lag=24", width=PHONE["width"], height=PHONE["height"])
    card = film(page)
    strip = card.locator(".strip")
    assert strip.evaluate("(e) => e.scrollWidth > e.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for j in (60, 40, 50):
        playhead(page).fill(str(j))
        inside = """(e) => { const s = e.parentElement.getBoundingClientRect(), b = e.getBoundingClientRect();
          return b.left >= s.left - 1 && b.right <= s.right + 1; }"""
        assert card.locator("figure.frame.now").evaluate(inside)
    drag(page, end(page, "k"), 6)
    assert brushed(page) == ["k = 42", "t = 60"]


@pytest.mark.parametrize(("query", "theme"), DEGENERATE)
def test_a_degenerate_span_is_a_sentence_and_no_error(visit: Callable[..., Page], query: str, theme: str) -> None:
    page = visit("gradients", query, theme=theme)
    card = film(page)
    assert card.locator(".plot-summary").inner_text().strip()
    playhead(page).evaluate("(e) => { e.value = e.min; e.dispatchEvent(new Event('input', { bubbles: true })); }")
    assert "NaN" not in "".join(card.locator("svg [d]").evaluate_all("(all) => all.map((e) => e.getAttribute('d'))"))
