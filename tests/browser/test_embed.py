"""A lab inside a page of somebody else: the dialog that makes its link and lines, and what it leaves to that page."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect
from rnnscope.app.embedding import LISTENER, Place, iframe, server_document, snippets

from tests.browser.courses import course, height_follows, lab_in, labs_that_allow, write_page
from tests.browser.pages import (
    READY,
    Problems,
    Site,
    button,
    everything,
    number_field,
    open_page,
    readouts,
    settled,
    shown,
    slider,
)  # fmt: skip

REFUSE = "() => { navigator.clipboard.writeText = () => Promise.reject(new DOMException('', 'NotAllowedError')); }"
TITLE = 'Norms & "lags" <b>'


def seen(page: Page) -> list[tuple[tuple[str, int, int], str]]:
    return [(read.key, read.value) for read in everything(page)]


def lab_url(site: Site, lab: str, query: str) -> Place:
    return Place(site.url(lab), query, "A lab")


# --- the dialog ---------------------------------------------------------------------------------


def open_dialog(page: Page) -> Locator:
    button(page, "Embed").click()
    dialog = page.get_by_role("dialog", name="Embed this lab")
    expect(dialog.get_by_label("Link", exact=True)).to_have_value(re.compile("^http"))
    return dialog


def test_a_composed_link_opens_in_the_same_numbers_with_what_was_locked_and_hidden(
    visit: Callable[..., Page], site: Site
) -> None:
    page = visit("gradients", "n=8&T=20&rho=1.2&lock=seed")
    before = seen(page)
    dialog = open_dialog(page)
    assert dialog.get_by_label("Lock Seed").is_checked(), "what the link locks is ticked"
    dialog.get_by_label("For a frame").uncheck()
    dialog.get_by_label("Lock Spectral radius ρ").check()
    dialog.get_by_label("Hide Lag k").check()
    dialog.get_by_label("Hide Embed").check()
    dialog.get_by_label("Theme", exact=True).select_option("dark")
    link = site.url("gradients", "n=8&T=20&rho=1.2&theme=dark&lock=rho,seed&hide=lag,embed")
    expect(dialog.get_by_label("Link", exact=True)).to_have_value(link)
    assert urlsplit(page.url).query == "n=8&T=20&rho=1.2&lock=seed", "the page itself stays as it is"
    page = open_page(page, link)
    assert seen(page) == before
    assert slider(page, "rho").is_disabled()
    assert number_field(page, "seed").is_disabled()
    assert slider(page, "lag").count() == page.get_by_role("button", name="Embed", exact=True).count() == 0
    assert page.locator(".rs").get_attribute("data-theme") == "dark"


def test_every_snippet_is_that_of_the_link_the_title_and_the_height(visit: Callable[..., Page], site: Site) -> None:
    page = visit("gru", "n=2")
    dialog = open_dialog(page)
    dialog.get_by_label("Notation", exact=True).select_option("pytorch")
    dialog.get_by_label("Title of the frame").fill(TITLE)
    dialog.get_by_label("Height at first").fill("640")
    place = Place(site.url("gru"), "n=2&notation=pytorch&embed=1", TITLE, 640)
    expect(dialog.get_by_label("Link", exact=True)).to_have_value(place.link)
    expected = snippets(place)
    options = dialog.get_by_label("Lines for").locator("option")
    assert options.all_inner_texts() == [found.name for found in expected]
    for found in expected:
        dialog.get_by_label("Lines for").select_option(found.key)
        expect(dialog.get_by_label("Lines to paste")).to_have_value(found.code)
        expect(dialog.get_by_text(found.note, exact=True)).to_be_visible()


def test_what_has_no_link_is_said_and_nothing_is_there_to_copy(visit: Callable[..., Page]) -> None:
    dialog = open_dialog(visit("lstm", "n=1&T=2"))
    dialog.get_by_label("Height at first").fill("7")
    expect(dialog.get_by_role("alert")).to_have_text(re.compile("from 100 to 5000"))
    expect(dialog.get_by_label("Link", exact=True)).to_have_value("")
    expect(dialog.get_by_label("Lines to paste")).to_have_value("")
    dialog.get_by_label("Height at first").fill("700")
    expect(dialog.get_by_role("alert")).to_be_hidden()
    expect(dialog.get_by_label("Lines to paste")).to_have_value(re.compile('height="700"'))


def test_the_dialog_is_modal_for_keys_and_gives_the_focus_back(visit: Callable[..., Page]) -> None:
    page = visit("unfold", width=390, height=844)
    for opener in (button(page, "Embed"), page.locator("header").get_by_role("button", name="Embed")):
        opener.focus()
        page.keyboard.press("Enter")
        dialog = page.get_by_role("dialog", name="Embed this lab")
        expect(dialog.get_by_label("Link", exact=True)).to_have_value(re.compile("embed=1$"))
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        expect(opener).to_be_focused()


def test_a_refused_clipboard_marks_what_there_is_to_copy(visit: Callable[..., Page]) -> None:
    page = visit("bptt")
    page.evaluate(REFUSE)
    dialog = open_dialog(page)
    for name, field in (("Copy the link", "Link"), ("Copy the lines", "Lines to paste")):
        dialog.get_by_role("button", name=name).click()
        expect(dialog.get_by_label(field, exact=True)).to_be_focused()
        marked = dialog.get_by_label(field, exact=True).evaluate(
            "(e) => e.value.slice(e.selectionStart, e.selectionEnd)"
        )
        assert marked == dialog.get_by_label(field, exact=True).input_value() != ""


def test_the_lines_copied_from_the_dialog_work_in_a_page(
    clipboard_page: Page, site: Site, problems: Problems, tmp_path: Path
) -> None:
    page = open_page(clipboard_page, site.url("attention", "T=3&input=noise"))
    dialog = open_dialog(page)
    dialog.get_by_role("button", name="Copy the lines").click()
    expect(dialog.get_by_role("button", name="Copy the lines")).to_have_text("Copied")
    write_page(tmp_path / "index.html", page.evaluate("() => navigator.clipboard.readText()"))
    with course(tmp_path, problems) as origin:
        page.goto(origin)
        assert readouts(lab_in(page, 0))
        height_follows(page, 0)


# --- in a frame -----------------------------------------------------------------------------------

#: Tells the test what the labs say, besides following them.
HEARD = """<script>
window.heard = [];
addEventListener("message", ({ data }) => { if (data?.type === "rnnscope:height") heard.push(data); });
</script>"""


@pytest.fixture
def lesson(site: Site, problems: Problems, tmp_path: Path, page: Page) -> Page:
    """Two labs on a page of a course, gone to from another page."""
    labs = [iframe(lab_url(site, "gradients", "n=8&T=20&embed=1")), iframe(lab_url(site, "unfold", "T=3&embed=1"))]
    space = '<div style="height: 700px"></div>'
    write_page(tmp_path / "index.html", f"<p>Before</p>{HEARD}{labs[0]}{labs[1]}{space}{LISTENER}")
    write_page(tmp_path / "start.html", '<a href="index.html">To the lesson</a>')
    with course(tmp_path, problems) as origin:
        page.set_viewport_size({"width": 900, "height": 800})
        page.goto(f"{origin}/start.html")
        page.get_by_role("link").click()
        page.wait_for_url(f"{origin}/index.html")
        yield page


def test_two_labs_on_a_page_keep_to_themselves(lesson: Page) -> None:
    page = lesson
    gradients, unfold = lab_in(page, 0), lab_in(page, 1)
    heights = [height_follows(page, 0), height_follows(page, 1)]
    before, length, address = readouts(unfold), page.evaluate("history.length"), page.url
    assert page.evaluate("document.activeElement.tagName") == "BODY", "no lab takes the focus"
    slider(gradients, "rho").press("End")
    settled(gradients)
    expect(gradients.locator("h2 .readout[data-symbol=rho]")).to_have_text("3.00")
    assert readouts(unfold) == before
    shown(unfold, "h", 2).first.click()
    expect(unfold.get_by_role("dialog")).to_be_visible()
    settled(unfold)
    assert readouts(gradients, "h2")[0].text == "3.00"
    assert (page.evaluate("history.length"), page.url) == (length, address)
    assert heights[1] == height_follows(page, 1), "a badge does not make its frame higher"
    page.go_back()
    page.wait_for_url("**/start.html")
    expect(page.get_by_role("link")).to_be_visible()


def test_a_frame_follows_its_lab_both_ways_and_a_lab_not_its_frame(lesson: Page) -> None:
    page = lesson
    first, other = height_follows(page, 0), height_follows(page, 1)
    gradients = lab_in(page, 0)
    drawer = gradients.locator("summary", has_text="Show data").first
    drawer.click()
    gradients.wait_for_function("(low) => innerHeight > low", arg=first)
    assert height_follows(page, 0) > first
    drawer.click()
    gradients.wait_for_function("(height) => innerHeight === height", arg=first)
    assert height_follows(page, 1) == other
    heard = page.evaluate("heard")
    assert {(data["lab"], data["height"]) for data in heard} >= {("gradients", first), ("unfold", other)}
    page.evaluate("(height) => { document.querySelector('iframe').style.height = `${height}px`; }", first + 500)
    page.locator("iframe").first.scroll_into_view_if_needed()  # a frame out of sight draws nothing
    gradients.wait_for_function("(height) => innerHeight === height", arg=first + 500)
    gradients.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate("heard") == heard, "a frame that grows is no news"


def test_keys_and_wheel_of_the_page_stay_with_the_page(lesson: Page) -> None:
    page = lesson
    unfold = lab_in(page, 1)
    height_follows(page, 1)
    page.evaluate("() => { document.activeElement.blur(); scrollTo(0, 0); }")
    before = readouts(unfold)
    for key in ("]", "ArrowRight", "."):
        page.keyboard.press(key)
    page.keyboard.press("Space")
    page.wait_for_function("() => scrollY > 0")
    assert readouts(unfold) == before
    gradients = lab_in(page, 0)
    plot = gradients.locator(".bokeh")
    plot.hover()
    at = page.evaluate("scrollY")
    page.mouse.wheel(0, 200)
    page.wait_for_function("(at) => scrollY >= at + 200", arg=at)
    settled(gradients)


def test_a_dialog_in_a_high_frame_opens_where_it_was_asked_for(
    page: Page, site: Site, problems: Problems, tmp_path: Path
) -> None:
    """Without `allow` the frame may not write to the clipboard, so Copy link shows a field instead."""
    refusing = iframe(lab_url(site, "gradients", "n=8&T=20")).replace(' allow="clipboard-write"', "")
    write_page(tmp_path / "index.html", refusing + LISTENER)
    with course(tmp_path, problems) as origin:
        page.set_viewport_size({"width": 700, "height": 700})
        page.goto(origin)
        lab = lab_in(page, 0)
        assert height_follows(page, 0) > 2000
        copy = button(lab, "Copy link")
        copy.scroll_into_view_if_needed()
        at = page.evaluate("scrollY")
        copy.click()
        field = lab.get_by_role("dialog", name="Copy link").get_by_role("textbox")
        expect(field).to_be_focused()
        expect(field).to_be_in_viewport(ratio=1)
        assert field.input_value() == site.url("gradients", "n=8&T=20")
        assert page.evaluate("scrollY") == at
        page.keyboard.press("Escape")
        button(lab, "Embed").click()
        expect(lab.get_by_role("dialog", name="Embed this lab").get_by_role("button", name="Close")).to_be_in_viewport(
            ratio=1
        )
        assert page.evaluate("scrollY") == at


REFUSED = "WebSocket connection to .* failed|Could not open websocket|Failed to (connect|load Bokeh session)"


def test_a_lab_works_in_a_sandbox_with_its_own_origin_and_says_what_one_without_lacks(
    own_page: Page, site: Site, problems: Problems, tmp_path: Path
) -> None:
    lab = iframe(lab_url(site, "lstm", "n=1&T=2&embed=1"))
    for name, rights in (("some", "allow-scripts allow-same-origin"), ("few", "allow-scripts")):
        write_page(tmp_path / f"{name}.html", lab.replace("<iframe", f'<iframe sandbox="{rights}"') + LISTENER)
    with course(tmp_path, problems) as origin:
        own_page.goto(f"{origin}/some.html")
        assert readouts(lab_in(own_page, 0))
        height_follows(own_page, 0)
        problems.allow(REFUSED)
        with own_page.expect_console_message(lambda message: "Error rendering Bokeh items" in message.text):
            own_page.goto(f"{origin}/few.html")
        expect(own_page.frame_locator("iframe").get_by_text("lacks allow-same-origin")).to_be_visible()


# --- taken in by script -------------------------------------------------------------------------------


def test_server_document_works_from_an_allowed_origin_and_from_no_other(
    own_page: Page, problems: Problems, tmp_path: Path
) -> None:
    with course(tmp_path, problems) as origin, labs_that_allow(urlsplit(origin).netloc) as address:
        problems.host = urlsplit(address).netloc
        found: dict[str, str] = {}
        exec(server_document(Place(f"{address}gradients", "n=8&T=20&rho=1.2&lock=lag", "A lab")), found)
        write_page(tmp_path / "index.html", f'<p class="waiting">The course’s own</p>{found["script"]}')
        own_page.goto(f"{origin}/index.html")
        own_page.locator(READY).wait_for()
        settled(own_page)
        assert number_field(own_page, "rho").input_value() == "1.2"
        assert slider(own_page, "lag").is_disabled()
        assert button(own_page, "Embed").count() == 0, "the lines are for pages of ours"
        own_page.evaluate(REFUSE)
        button(own_page, "Copy link").click()
        field = own_page.get_by_role("dialog", name="Copy link").get_by_role("textbox")
        expect(field).to_have_value(f"{address}gradients?n=8&T=20&rho=1.2&lock=lag")
        own_page.keyboard.press("Escape")
        expect(own_page.locator(".waiting")).to_be_visible()
        assert own_page.url == f"{origin}/index.html"
        problems.allow(REFUSED)
        with course(tmp_path, problems) as other, own_page.expect_console_message(lambda m: "Could not open" in m.text):
            own_page.goto(f"{other}/index.html")
