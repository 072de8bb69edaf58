"""Surgery on /lstm in the browser: made by pointer and key, marked, ghosted, undone, linked."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect
from rnnscope.app import surgery_text, url
from rnnscope.app.state import LSTMState
from rnnscope.core import OperatedRun, Run, format_number, operate_on, run

from tests.browser.pages import Readout, button, cells, notices, readouts, resize, rested, settled, slider, type_into

Visit = Callable[..., Page]
EXAMPLE = "f:1,i.1@3:0,cut@5,x@2:0.5,x@4:del"
LOOKS = (Path(__file__).parent / "looks.js").read_text("utf-8")


class Both:
    """The two runs of a query."""

    def __init__(self, query: str) -> None:
        values, found = url.read(LSTMState, dict(parse_qsl(query)))
        assert found == [], [notice.message for notice in found]
        self.state = LSTMState()
        self.state.apply(values)

    @cached_property
    def untouched(self) -> Run:
        return run(self.state.config())

    @cached_property
    def operated(self) -> OperatedRun:
        return operate_on(self.untouched, surgery_text.parse(self.state.surgery, ("f", "i", "o", "g")))

    def value(self, symbol: str, t: int, unit: int) -> float:
        """The number of a readout: `ghost_` before a symbol means the untouched run."""
        found, ghost = (self.untouched, True) if symbol.startswith("ghost_") else (self.operated.run, False)
        name = symbol.removeprefix("ghost_")
        trace = found.trace
        if name == "jacobian_log10_norm":
            return float(self.operated.log10_norms(trace.steps)[t, 0 if ghost else 1])
        if name.startswith("change_"):
            before, after = (getattr(each.trace, f"{name[-1]}s") for each in (self.untouched, self.operated.run))
            return float(np.abs(after - before)[t, unit])
        if name in ("h", "c"):
            return float((trace.hs if name == "h" else trace.cs)[t, unit])
        products = {"fc": lambda: trace.gates["f"][t - 1, unit] * trace.cs[t - 1, unit]}
        products["ig"] = lambda: trace.gates["i"][t - 1, unit] * trace.gates["g"][t - 1, unit]
        products["tc"] = lambda: np.tanh(trace.cs[t, unit])
        products["x"] = lambda: trace.xs[t - 1, unit]
        if name in products:
            return float(products[name]())
        return float((trace.preactivations[name[1]] if len(name) == 2 else trace.gates[name])[t - 1, unit])

    def wrong(self, found: list[Readout]) -> list[Readout]:
        """What is not core's number; the cards beside surgery's have tests of their own."""
        own = {"h", "c", "x", "fc", "ig", "tc", *"fiog", "af", "ai", "ao", "ag", "jacobian_log10_norm"}
        known = [read for read in found if read.symbol.removeprefix("ghost_") in own or read.symbol[:7] == "change_"]
        return [read for read in known if not same(float(read.value), self.value(*read.key))]


def same(a: float, b: float) -> bool:
    return np.float64(a).tobytes() == np.float64(b).tobytes()


def numbers(page: Page) -> list[tuple[tuple[str, int, int], str]]:
    rested(page)
    return [(read.key, read.value) for read in readouts(page)]


def choose(page: Page, label: str, option: str) -> None:
    page.locator(".sg-do").get_by_label(label, exact=True).select_option(option)


def press(page: Page, name: str) -> None:
    button(page, name).click()
    settled(page)


def node(page: Page, name: str) -> Locator:
    return page.locator(f"#lstm [data-node={name}]")


def badges(page: Page) -> list[str]:
    return [found.inner_html() for found in page.locator("#lstm .badge:not([hidden]) text").all()]


def operations(page: Page) -> list[str]:
    found: list[str] = page.locator(".sg-list li").evaluate_all("(all) => all.map((e) => e.dataset.operation)")
    return found


# --- what is shown ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "query", [f"surgery={EXAMPLE}&t=5", f"surgery={EXAMPLE}&t=3&unit=1", "surgery=f@2:0&n=1&seed=7&t=2"]
)
@pytest.mark.parametrize("width", [1440, 390])
def test_live_and_ghost_numbers_are_those_of_the_two_runs(visit: Visit, query: str, width: int) -> None:
    page, both = visit("lstm", query, width=width), Both(query)
    for summary in page.locator("details.data > summary").all():
        summary.click()
    page.locator("details.data td.readout[data-symbol=ghost_c]").first.wait_for()
    assert both.wrong(readouts(page)) == []
    ghosts = cells(page.locator("#lstm .was .readout"))
    t, unit = both.state.t, both.state.unit
    owed = {(f"ghost_{name}", t, unit) for name in "figo"} | {
        (f"ghost_{name}", step, unit) for name in "hc" for step in (t - 1, t)
    }
    owed |= {("ghost_x", t, 0)}
    differ = {key for key in owed if not same(both.value(*key), both.value(key[0].removeprefix("ghost_"), *key[1:]))}
    assert {read.key for read in ghosts} == differ
    assert len(differ) >= 3
    for read in ghosts:
        assert read.text == format_number(float(read.value))


def test_marks_are_shapes_and_words(visit: Visit) -> None:
    page = visit("lstm", f"surgery={EXAMPLE}&t=3")
    assert node(page, "f").get_attribute("aria-label").split(", ")[-1] == "clamped"
    assert "clamped" in str(node(page, "f").get_attribute("class"))
    assert badges(page) == ["clamped", "1 of 4"]
    assert node(page, "i").get_attribute("aria-label").endswith(", 1 of 4 units clamped")
    expect(page.locator("#lstm .cut-mark")).to_be_hidden()
    page.get_by_label("Selected unit").select_option("1")
    expect(node(page, "i")).to_have_class(re.compile(r"\bclamped\b"))
    assert badges(page) == ["clamped", "clamped"]
    page.get_by_label("Time step", exact=True).fill("5")
    expect(page.locator("#lstm .cut-mark")).to_be_visible()
    assert "cut: the recurrent weights see 0" in str(node(page, "hp").get_attribute("aria-label"))
    page.get_by_label("Time step", exact=True).fill("4")
    expect(page.locator("#lstm .cut-mark")).to_be_hidden()
    assert sorted(badges(page)) == ["clamped", "deleted"]
    settled(page)


def test_traces_have_the_untouched_run_dashed_under_the_live_one(visit: Visit) -> None:
    page = visit("lstm", "surgery=f@2:0&n=1&seed=7")
    ghosts = page.locator("svg.trace .trace-ghost")
    assert ghosts.count() == 6
    live = page.locator("svg.trace .trace-line")
    drawn = [(ghosts.nth(i).get_attribute("d"), live.nth(i).get_attribute("d")) for i in range(6)]
    assert all(ghost and ghost != line for ghost, line in (drawn[0], drawn[4], drawn[5]))
    assert ghosts.first.evaluate("(e) => getComputedStyle(e).strokeDasharray") != "none"


def test_without_an_operation_there_is_no_card_no_ghost_and_no_mark(visit: Visit) -> None:
    page = visit("lstm")
    assert page.locator(".card.sg").count() == 0
    assert page.locator("#lstm .was .readout").count() == 0
    for part in (".badge", ".cut-mark", ".trace-ghost"):
        assert not any(found.is_visible() for found in page.locator(part).all())
    assert operations(page) == []


# --- what can be done ------------------------------------------------------------------------


def test_a_clamp_by_pointer_is_one_message_and_rebuilds_nothing(visit: Visit) -> None:
    page = visit("lstm", "t=4&n=2")
    drawn = [node(page, name).element_handle() for name in ("f", "i", "g", "o")]
    choose(page, "What", "f")
    type_into(page.get_by_label("Value to hold, number"), "0.25")
    before = page.evaluate("tap.frames")
    press(page, "Clamp")
    # One answer for the clamp; where the card of the paths is in view, another at rest.
    assert page.evaluate("tap.frames") - before in (1, 2)
    assert operations(page) == ["f@4:0.25"]
    assert Both("t=4&n=2&surgery=f@4:0.25").wrong(readouts(page)) == []
    press(page, "Undo")
    assert all(handle.evaluate("(e) => e.isConnected") for handle in drawn)


def test_everything_can_be_done_and_undone_by_the_keyboard(visit: Visit) -> None:
    page = visit("lstm", "t=4")
    start = numbers(page)
    page.locator("#surgery-what").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    for _ in range(4):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    settled(page)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    settled(page)
    assert len(operations(page)) == 2
    assert operations(page)[0].startswith("i:0.")
    assert operations(page)[1] == "cut@4"
    page.keyboard.press("Control+z")
    settled(page)
    assert len(operations(page)) == 1
    page.keyboard.press("Control+z")
    settled(page)
    assert numbers(page) == start
    page.keyboard.press("Control+Shift+Z")
    settled(page)
    assert len(operations(page)) == 1
    assert operations(page)[0].startswith("i:0.")


def test_a_drag_of_a_held_value_is_one_step_back(visit: Visit) -> None:
    page = visit("lstm", "t=4&surgery=f@4:0.5")
    value = page.get_by_role("slider", name="Value to hold")
    assert value.input_value() == "0.5"
    for text in ("0.4", "0.3", "0.2"):
        value.evaluate("(e, v) => { e.value = v; e.dispatchEvent(new Event('input', { bubbles: true })); }", text)
    value.dispatch_event("change")
    settled(page)
    assert operations(page) == ["f@4:0.2"]
    press(page, "Undo")
    assert operations(page) == ["f@4:0.5"]
    assert value.input_value() == "0.5"


def test_each_operation_can_be_taken_back_by_itself_and_undo_restores_every_number(visit: Visit) -> None:
    page = visit("lstm", f"surgery={EXAMPLE}&t=5")
    start = numbers(page)
    press(page, "Remove: Recurrent weights cut at step 5")
    assert operations(page) == ["f:1", "i.1@3:0", "x@2:0.5", "x@4:del"]
    press(page, "Remove: Forget gate held at 1, every step")
    press(page, "Undo")
    press(page, "Undo")
    assert operations(page) == EXAMPLE.split(",")
    assert numbers(page) == start
    press(page, "Redo")
    press(page, "Redo")
    assert operations(page) == ["i.1@3:0", "x@2:0.5", "x@4:del"]


def test_reset_can_be_undone_too(visit: Visit) -> None:
    page = visit("lstm", f"surgery={EXAMPLE}")
    press(page, "Reset")
    assert operations(page) == []
    assert page.locator(".card.sg").count() == 0
    press(page, "Undo")
    assert operations(page) == EXAMPLE.split(",")


def test_an_input_is_set_and_deleted(visit: Visit) -> None:
    page = visit("lstm", "t=2")
    choose(page, "What", "x")
    type_into(page.get_by_label("Value to hold, number"), "-1.5")
    press(page, "Set this input")
    assert operations(page) == ["x@2:-1.5"]
    press(page, "Delete this input")
    assert operations(page) == ["x@2:del"]
    assert slider(page, "input_now").input_value() == "0.9", "the input that was typed is still there"


def test_a_value_out_of_range_is_a_notice_and_is_not_in_the_history(visit: Visit) -> None:
    page = visit("lstm", "t=2")
    page.get_by_label("Value to hold, number").fill("7")
    press(page, "Clamp")
    assert len(notices(page)) == 1
    assert "goes from 0 to 1" in notices(page)[0]
    assert operations(page) == []
    expect(button(page, "Undo")).to_have_attribute("aria-disabled", "true")


def test_the_link_reproduces_the_page(visit: Visit) -> None:
    page = visit("lstm", "t=3")
    choose(page, "What", "o")
    choose(page, "When", "every")
    press(page, "Clamp")
    press(page, "Cut the recurrent weights here")
    page.wait_for_function("() => location.search.includes('cut@3')")
    link, shown = urlsplit(page.url).query, numbers(page)
    again = visit("lstm", link)
    assert numbers(again) == shown
    assert operations(again)[1] == "cut@3"


def test_a_lock_keeps_the_operations_and_hide_takes_the_block(visit: Visit) -> None:
    page = visit("lstm", "surgery=f:1&lock=surgery")
    for name in (
        "Clamp",
        "Cut the recurrent weights here",
        "Delete this input",
        "Remove: Forget gate held at 1, every step",
    ):
        expect(button(page, name)).to_be_disabled()
    hidden = visit("lstm", "surgery=f:1&hide=surgery")
    assert hidden.locator(".sg-do, .sg-blk").count() == 0
    assert hidden.locator(".card.sg").count() == 1


# --- looks -----------------------------------------------------------------------------------


CROWDED = [
    f"surgery={EXAMPLE},i:0,o@5:0.3&t=5",
    "n=1&surgery=f:1,i:0,o:0.5,g:0,cut@4,x@4:del&t=4",
    "n=8&d=3&input=noise&T=40&surgery=f:1,i@5:0,o:0.5,g:0,cut@5,x@5:del&t=5",
]


@pytest.mark.parametrize("query", CROWDED)
def test_nothing_overlaps_in_any_width(visit: Visit, query: str) -> None:
    page = visit("lstm", query)
    page.evaluate(LOOKS)
    found = {}
    for width, height in ((1440, 900), (1024, 768), (768, 1024), (390, 844), (360, 740)):
        resize(page, width, height)
        found |= dict.fromkeys(page.evaluate("lint()"), width)
    assert found == {}


def test_axe_finds_nothing_and_every_text_stands_out(visit: Visit) -> None:
    page = visit("lstm", f"surgery={EXAMPLE}&t=5")
    page.evaluate(LOOKS)
    page.add_style_tag(content="* { transition: none !important }")
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        settled(page)
        assert page.evaluate("contrast()")["out"] == []
        assert [rule["id"] for rule in Axe().run(page).response["violations"]] == []
