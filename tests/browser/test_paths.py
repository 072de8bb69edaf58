"""Where the gradient of the cell state goes, on /lstm: what is drawn, pointed at, chosen; each number is core's own."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect
from rnnscope.core import format_number

from tests.browser.expected import Expected
from tests.browser.expected_paths import split
from tests.browser.pages import button, cells, choice, number_field, resize, rested, settled, slider, type_into
from tests.browser.test_looks import LOOKS, SIZES

Visit = Callable[..., Page]
QUERY = "preset=more-than-forget-gates&t=20"
ONE = "preset=one-unit&t=4"


@cache
def numbers(query: str) -> tuple[np.ndarray, np.ndarray]:
    return split(Expected("lstm", query))


def open_paths(visit: Visit, query: str, **how: object) -> Page:
    page = visit("lstm", query, **how)
    at_rest(page)
    return page


def at_rest(page: Page) -> None:
    page.locator(".paths-view").scroll_into_view_if_needed()
    expect(page.locator(".paths-view")).to_have_attribute("aria-busy", "false")
    settled(page)


def reading(page: Page) -> list[tuple[str, int, int, float, str]]:
    found = cells(page.locator(".paths-read .readout"))
    return [(*read.key, float(read.value), read.text) for read in found]


def wanted(query: str, t: int) -> list[tuple[str, int, int, float, str]]:
    norms, shares = numbers(query)
    rows = [("dc_log10", norms[t, :3]), ("path_share", shares[t])]
    return [(symbol, t, i, value, format_number(value)) for symbol, row in rows for i, value in enumerate(row.tolist())]


def picture(page: Page) -> Locator:
    return page.locator("svg.paths")


def point(page: Page, t: int, T: int) -> tuple[float, float]:
    """Where step t is on the page; the drawing has 50 px before step 0 and 40 px after step T."""
    box = picture(page).bounding_box()
    assert box is not None
    return box["x"] + 50 + t / T * (box["width"] - 90), box["y"] + 120


def points(path: str) -> np.ndarray:
    """The corners of a path of straight lines."""
    return np.array([[float(x) for x in pair.split()] for pair in path.strip("MZ").split("L")])


def drawn(page: Page) -> list[list[np.ndarray]]:
    """The parts of each area, in the order of the paths."""
    found = page.locator(".paths g > .paths-area").evaluate_all("(all) => all.map((e) => e.getAttribute('d'))")
    return [[points(part) for part in d.split("Z") if part] for d in found]


def test_the_stack_is_exact(visit: Visit) -> None:
    """At every step: the heights of the areas, those below 0 taken off, are the shares, and together they are 1."""
    page = open_paths(visit, ONE)
    _, shares = numbers(ONE)
    scale = (364 - 204) / 9  # pixels of a share: the axis runs from -4 to 5
    for parts, share in zip(drawn(page), shares.T, strict=True):
        heights = np.zeros(len(share))
        for part in parts:
            above = part[:, 1].max() < 364 - 4 * scale + 0.01
            upper, lower = part[: len(share), 1], part[len(share) :][::-1, 1]
            heights += (lower - upper) * (1 if above else -1)
        np.testing.assert_allclose(heights / scale, share, atol=0.01 / scale)


def test_curves_end_at_one_and_begin_where_core_says(visit: Visit) -> None:
    page, (norms, _) = open_paths(visit, QUERY), numbers(QUERY)
    lines = page.locator(".paths .paths-line").evaluate_all("(all) => all.map((e) => e.getAttribute('d'))")
    assert len(lines) == 3
    for line, curve in zip(lines, norms.T[:3], strict=True):
        found = points(line)
        low, high = -9, 0
        np.testing.assert_allclose(found[:, 1], 172 - (curve - low) / (high - low) * 150, atol=0.01)


def test_the_selected_step_is_marked_and_its_numbers_are_cores_own(visit: Visit) -> None:
    page = open_paths(visit, QUERY)
    assert reading(page) == wanted(QUERY, 20)
    assert page.locator(".paths-step").inner_text() == "t = 20, lag 40"
    x, _ = point(page, 20, 60)
    box = page.locator(".paths .tline").bounding_box()
    assert box is not None
    assert abs(box["x"] + box["width"] / 2 - x) < 1.5


def test_pointing_shows_the_numbers_there_and_asks_nothing(visit: Visit) -> None:
    page = open_paths(visit, QUERY)
    before = page.evaluate("() => tap.sequence")
    page.mouse.move(*point(page, 47, 60))
    assert reading(page) == wanted(QUERY, 47)
    page.mouse.move(5, 5)
    assert reading(page) == wanted(QUERY, 20)
    assert page.evaluate("() => tap.sequence") == before


def test_a_click_selects_the_step_and_the_keys_step_on(visit: Visit) -> None:
    page = open_paths(visit, QUERY)
    page.mouse.click(*point(page, 33, 60))
    settled(page)
    page.mouse.move(5, 5)
    assert slider(page, "t").count() == 0
    assert page.locator(".step input[type=range]").input_value() == "33"
    assert reading(page) == wanted(QUERY, 33)
    button(page, "Next step").click()
    settled(page)
    assert reading(page) == wanted(QUERY, 34)
    expect(page.locator(".paths-view")).to_have_attribute("aria-busy", "false")


def test_a_locked_step_stays(visit: Visit) -> None:
    page = open_paths(visit, f"{QUERY}&lock=t")
    page.mouse.click(*point(page, 33, 60))
    page.mouse.move(5, 5)
    assert reading(page) == wanted(QUERY, 20)


def test_the_forget_bias_moves_the_stack_when_the_hand_rests(visit: Visit) -> None:
    page = open_paths(visit, QUERY)
    type_into(number_field(page, "forget_bias"), "4")
    settled(page)
    at_rest(page)
    assert reading(page) == wanted(f"{QUERY}&forget_bias=4", 20)
    low, high = slider(page, "forget_bias").get_attribute("min"), slider(page, "forget_bias").get_attribute("max")
    assert (low, high) == ("-4", "6")


def test_the_carousel_is_a_click_away(visit: Visit) -> None:
    page = open_paths(visit, "")
    page.get_by_role("link", name="Constant error carousel").click()
    settled(page)
    at_rest(page)
    query = "preset=constant-error-carousel&t=5"
    assert reading(page) == wanted(query, 5)
    assert reading(page)[0][3] == pytest.approx(0, abs=1e-15)
    assert "exactly 1.00" in page.locator(".claim").inner_text()
    assert number_field(page, "T").input_value() == "300"
    page.mouse.move(*point(page, 0, 300))
    assert reading(page) == wanted(query, 0)


def test_areas_are_told_by_name_and_hatching_too(visit: Visit) -> None:
    page = open_paths(visit, QUERY)
    names = page.locator(".paths-name:visible").all_text_contents()
    assert {"cell line", "g"} <= set(names)
    fills = page.locator(".paths g > path[fill]").evaluate_all("(all) => all.map((e) => e.getAttribute('fill'))")
    assert fills == [f"url(#paths-{name})" for name in "fiog"]
    assert page.locator(".paths pattern").count() == 4
    label = str(picture(page).get_attribute("aria-label"))
    assert "At step 20, lag 40: log10 of the norm: true norm −3.08, product of forget gates " in label
    assert label.endswith("h into g 0.934")


def test_where_nothing_is_left_nothing_is_drawn(visit: Visit) -> None:
    page = open_paths(visit, "values=-1e300,1e300,-1e300,1e300&n=1&t=0")
    assert [text for *_, text in reading(page)] == ["−∞", "−∞", "−∞", *["NaN"] * 5]
    assert "NaN" not in "".join(page.locator(".paths path").evaluate_all("(all) => all.map((e) => e.outerHTML)"))


@pytest.mark.parametrize("query", [ONE, "preset=constant-error-carousel&t=300", "preset=forget-bias-1&t=0", "T=1&n=8"])
def test_nothing_overlaps_at_any_width(visit: Visit, query: str) -> None:
    page = open_paths(visit, query)
    page.evaluate(LOOKS)
    for width, height in SIZES:
        resize(page, width, height)
        at_rest(page)
        assert [finding for finding in page.evaluate("lint()") if "paths" in finding] == [], width
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_text_stands_out(visit: Visit, theme: str) -> None:
    page = open_paths(visit, ONE, theme=theme)
    rested(page)
    page.evaluate(LOOKS)
    page.add_style_tag(content="* { transition: none !important }")
    assert page.evaluate("contrast()")["out"] == []


def test_another_notation_changes_letters_alone(visit: Visit) -> None:
    page = open_paths(visit, QUERY)
    choice(page, "notation").select_option("pytorch")
    settled(page)
    at_rest(page)
    assert reading(page) == wanted(QUERY, 20)
