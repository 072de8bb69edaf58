"""The edge of chaos on /gradients in a browser: it grows to core's numbers, is cancelled, and moves the network."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect
from rnnscope.core import ChaosGrid, RNNConfig, chaos_grid

from tests.browser.pages import cells, number_field, settled, slider, type_into

QUERY = "n=24&T=20&seed=2&rho=1.3&sigma_in=0.4"
SIZE = 20


def card(page: Page) -> Locator:
    return page.locator("section.card").filter(has=page.get_by_role("heading", name="Edge of chaos"))


def button(page: Page, name: str) -> Locator:
    return card(page).get_by_role("button", name=name, exact=True)


def point(page: Page) -> Locator:
    return card(page).get_by_role("button", name=re.compile("Point of the page"))


def progress(page: Page) -> Locator:
    return card(page).get_by_role("progressbar")


def open_map(page: Page) -> None:
    """Scroll to the card; it asks for its first state once it is in view."""
    card(page).scroll_into_view_if_needed()
    expect(card(page).locator(".cmap")).to_have_attribute("aria-busy", "false")


def fresh(page: Page) -> None:
    """Wait until the last change is answered and the map's sentences are of it."""
    card(page).scroll_into_view_if_needed()
    settled(page)
    expect(card(page).locator(".cmap")).to_have_attribute("aria-busy", "false")


def start(page: Page, size: int = SIZE) -> None:
    card(page).get_by_text(f"{size} × {size}").click()
    card(page).get_by_role("button", name=re.compile("^Start")).click()


def finish(page: Page) -> None:
    expect(progress(page)).to_have_attribute("aria-valuenow", str(SIZE**2))
    expect(button(page, "Cancel")).to_be_hidden()


@pytest.fixture(scope="module")
def wanted() -> dict[tuple[int, int], float]:
    """The map of `QUERY` as core finds it, by row and column."""
    rhos, strengths = tuple(np.linspace(0, 3, SIZE)), tuple(np.linspace(0, 2, SIZE))
    grid = ChaosGrid(RNNConfig(n=24, d=1, T=20, seed=2), rhos, strengths)
    return {(found.row, found.column): found.exponent for found in chaos_grid(grid)}


def test_the_map_grows_and_ends_with_the_numbers_of_core(
    visit: Callable[..., Page], wanted: dict[tuple[int, int], float]
) -> None:
    page = visit("gradients", QUERY)
    open_map(page)
    expect(progress(page)).to_have_attribute("aria-valuenow", "0")
    start(page)
    finish(page)
    expect(button(page, "Start again")).to_be_visible()
    row, column = 8, 4
    card(page).get_by_text("Show data").click()
    expect(card(page).locator("td[data-symbol=map_lyapunov]")).to_have_count(SIZE)
    found = cells(card(page).locator("td[data-symbol=map_lyapunov]"))
    assert [cell.value for cell in found] == [repr(wanted[row, place]) for place in range(SIZE)]
    rhos = cells(card(page).locator("td[data-symbol=map_rho]"))
    assert {float(cell.value) for cell in rhos} == {np.linspace(0, 3, SIZE)[row]}
    summary = card(page).locator(".plot-summary")
    (here,) = cells(summary.locator("[data-symbol=map_lyapunov]"))
    assert here.value == repr(wanted[row, column])
    (share,) = cells(summary.locator("[data-symbol=map_share]"))
    assert float(share.value) == np.mean([value > 0 for value in wanted.values()])
    expect(card(page).locator(".cmap-zero")).to_have_attribute("d", re.compile("^M"))


def test_a_map_is_cancelled_and_started_again(visit: Callable[..., Page]) -> None:
    page = visit("gradients", "n=64")
    open_map(page)
    start(page, 40)
    expect(progress(page)).not_to_have_attribute("aria-valuenow", "0")
    button(page, "Cancel").click()
    expect(card(page).get_by_text(re.compile(r"\d+ of 1,600 points, cancelled"))).to_be_visible()
    expect(button(page, "Cancel")).to_be_hidden()
    assert int(progress(page).get_attribute("aria-valuenow") or 0) < 1600
    type_into(number_field(page, "n"), "4")
    fresh(page)
    start(page)
    finish(page)


def test_the_page_answers_while_the_map_is_computed(visit: Callable[..., Page]) -> None:
    page = visit("gradients", "n=64")
    open_map(page)
    start(page, 40)
    expect(progress(page)).not_to_have_attribute("aria-valuenow", "0")
    slider(page, "rho").focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    settled(page)
    assert query(page)["rho"] == ["0.95"]
    button(page, "Cancel").click()
    expect(button(page, "Cancel")).to_be_hidden()


def test_dragging_the_point_moves_the_network(visit: Callable[..., Page]) -> None:
    page = visit("gradients", QUERY)
    open_map(page)
    frame, ring = card(page).locator(".cmap-frame").bounding_box(), point(page).bounding_box()
    assert frame
    assert ring
    page.mouse.move(ring["x"] + ring["width"] / 2, ring["y"] + ring["height"] / 2)
    page.mouse.down()
    page.mouse.move(frame["x"] + 0.7 * frame["width"], frame["y"] + 0.3 * frame["height"], steps=5)
    expect(point(page)).to_have_attribute("aria-label", re.compile(r"spectral radius 2\.\d\d, input strength 1\.4\d"))
    page.mouse.up()
    fresh(page)
    rho, strength = float(query(page)["rho"][0]), float(query(page)["sigma_in"][0])
    assert 2.0 < rho < 2.2
    assert 1.38 < strength < 1.45
    expect(number_field(page, "rho")).to_have_value(f"{rho:g}")
    expect(number_field(page, "sigma_in")).to_have_value(f"{strength:g}")


def test_the_point_is_moved_by_keyboard_and_by_a_click(visit: Callable[..., Page]) -> None:
    page = visit("gradients", QUERY)
    open_map(page)
    point(page).focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    expect(point(page)).to_have_attribute(
        "aria-label",
        "Point of the page: spectral radius 1.35, input strength 0.35: exponent not computed. Arrow keys move it.",
    )
    fresh(page)
    assert query(page)["rho"] == ["1.35"]
    assert query(page)["sigma_in"] == ["0.35"]
    frame = card(page).locator(".cmap-frame")
    box = frame.bounding_box()
    assert box
    frame.click(position={"x": box["width"] / 2, "y": box["height"] / 2})
    fresh(page)
    assert float(query(page)["rho"][0]) == pytest.approx(1.5, abs=0.02)


def test_a_locked_key_is_not_moved(visit: Callable[..., Page]) -> None:
    page = visit("gradients", f"{QUERY}&lock=rho")
    open_map(page)
    point(page).focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    fresh(page)
    assert query(page)["rho"] == ["1.3"]
    assert query(page)["sigma_in"] == ["0.45"]


def test_a_map_of_the_former_network_says_so(visit: Callable[..., Page]) -> None:
    page = visit("gradients", QUERY)
    open_map(page)
    start(page)
    finish(page)
    type_into(number_field(page, "seed"), "3")
    card(page).scroll_into_view_if_needed()
    expect(card(page).get_by_text("This map is of the former network")).to_be_visible()
    expect(card(page).locator(".cmap-box")).to_have_class(re.compile("former"))
    type_into(number_field(page, "seed"), "2")
    card(page).scroll_into_view_if_needed()
    expect(card(page).locator(".cmap-box")).not_to_have_class(re.compile("former"))


def query(page: Page) -> dict[str, list[str]]:
    """The keys of the link that the page would copy."""
    page.evaluate("() => window.dispatchEvent(new Event('pagehide'))")
    return parse_qs(urlsplit(page.url).query)
