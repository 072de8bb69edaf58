"""Surgery on /lstm and /gru in the browser: made by pointer and key, marked, ghosted, undone, linked."""

from __future__ import annotations

import math
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
from rnnscope.app.snapshot import STATES
from rnnscope.core import OperatedRun, Run, format_number, operate_on, run

from tests.browser.pages import Readout, button, cells, notices, readouts, resize, rested, settled, slider, type_into

Visit = Callable[..., Page]
EXAMPLE = "f:1,i.1@3:0,cut@5,x@2:0.5,x@4:del"
GRU_EXAMPLE = "z:1,r.1@3:0,cut@5,x@2:0.5,x@4:del"
#: The classes of the wires that run through the middle of the bars.
CROSSED = """(mark) => {
  const box = mark.getBoundingClientRect(), svg = mark.ownerSVGElement;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const here = (path) => new DOMPoint(x, y).matrixTransform(path.getScreenCTM().inverse());
  const hidden = [...svg.querySelectorAll("path.wire.r-hidden")];
  return hidden.filter((path) => path.isPointInStroke(here(path))).map((path) => path.getAttribute("class"));
}"""
#: The eleven diverging colours of the theme.
PALETTE = """(canvas) => Array.from({ length: 11 }, (_, i) => {
  const hex = getComputedStyle(canvas).getPropertyValue(`--dv${i}`).trim();
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)).join(",");
})"""
#: The colours of a canvas, row by row.
COLOURS = """(canvas) => {
  const { width, height } = canvas, { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
  const at = (x, y) => [...data.slice(4 * (y * width + x), 4 * (y * width + x) + 3)].join(",");
  return Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => at(x, y)));
}"""
LOOKS = (Path(__file__).parent / "looks.js").read_text("utf-8")


def shade(palette: list[str], value: float) -> str:
    """The colour of a value: eleven steps from -1 or less to 1 or more."""
    return palette[math.floor(5 * (max(-1.0, min(1.0, value)) + 1) + 0.5)]


class Both:
    """The two runs of a query."""

    def __init__(self, query: str, lab: str = "lstm") -> None:
        values, found = url.read(STATES[lab], dict(parse_qsl(query)))
        assert found == [], [notice.message for notice in found]
        self.state = STATES[lab]()
        self.gates = self.state.param["surgery"].gates
        self.state.apply(values)

    @cached_property
    def untouched(self) -> Run:
        return run(self.state.config())

    @cached_property
    def operated(self) -> OperatedRun:
        return operate_on(self.untouched, surgery_text.parse(self.state.surgery, self.gates))

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
        sums = {f"a{gate}" for gate in self.gates}
        own = {"h", "c", "x", "fc", "ig", "tc", *self.gates, *sums, "jacobian_log10_norm"}
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


def node(page: Page, name: str, lab: str = "lstm") -> Locator:
    return page.locator(f"#{lab} [data-node={name}]")


def badges(page: Page, lab: str = "lstm") -> list[str]:
    return [found.inner_html() for found in page.locator(f"#{lab} .badge:not([hidden]) text").all()]


def operations(page: Page) -> list[str]:
    found: list[str] = page.locator(".sg-list li").evaluate_all("(all) => all.map((e) => e.dataset.operation)")
    return found


# --- what is shown ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lab", "query"),
    [
        ("lstm", f"surgery={EXAMPLE}&t=5"),
        ("lstm", f"surgery={EXAMPLE}&t=3&unit=1"),
        ("lstm", "surgery=f@2:0&n=1&seed=7&t=2"),
        ("gru", f"surgery={GRU_EXAMPLE}&t=5&reset=after"),
        ("gru", "surgery=r@2:0,cut@3&n=1&seed=7&t=3&update=old"),
    ],
)
@pytest.mark.parametrize("width", [1440, 390])
def test_live_and_ghost_numbers_are_those_of_the_two_runs(visit: Visit, lab: str, query: str, width: int) -> None:
    page, both = visit(lab, query, width=width), Both(query, lab)
    states = "hc" if lab == "lstm" else "h"
    for summary in page.locator("details.data > summary").all():
        summary.click()
    page.locator(f"details.data td.readout[data-symbol=ghost_{states[-1]}]").first.wait_for()
    assert both.wrong(readouts(page)) == []
    ghosts = cells(page.locator(f"#{lab} .was .readout"))
    t, unit = both.state.t, both.state.unit
    owed = {(f"ghost_{name}", t, unit) for name in both.gates} | {
        (f"ghost_{name}", step, unit) for name in states for step in (t - 1, t)
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


def test_a_gru_is_cut_on_the_way_to_its_weights_and_not_on_the_line_of_h(visit: Visit) -> None:
    page = visit("gru", f"surgery={GRU_EXAMPLE}&t=3")
    assert badges(page, "gru") == ["clamped", "1 of 4"]
    page.get_by_label("Time step", exact=True).fill("5")
    mark = page.locator("#gru .cut-mark")
    for width in (1440, 390):
        resize(page, width, 900)
        expect(mark).to_be_visible()
        crossed = mark.evaluate(CROSSED)
        assert crossed, "no strand of h runs through the bars"
        assert all("strand" in found.split() for found in crossed)
    assert "cut: the recurrent weights see 0" in str(node(page, "hp", "gru").get_attribute("aria-label"))
    press(page, "Remove: Recurrent weights cut at step 5")
    expect(mark).to_be_hidden()
    press(page, "Undo")
    assert operations(page) == GRU_EXAMPLE.split(",")
    assert Both(f"surgery={GRU_EXAMPLE}&t=5", "gru").wrong(readouts(page)) == []


@pytest.mark.parametrize("lab", ["lstm", "gru"])
def test_a_cell_of_a_map_is_split_and_its_lower_third_is_the_untouched_run(visit: Visit, lab: str) -> None:
    query = "surgery=g@2:0.9,cut@5&T=6&t=3&n=3&input=noise&unit=1&theme=light"
    page, both = visit(lab, query), Both(query, lab)
    palette = page.locator(".umap-box canvas").first.evaluate(PALETTE)
    for i, name in enumerate([*both.gates, *("ch" if lab == "lstm" else "h")]):
        live, ghost = (
            [[shade(palette, both.value(f"{before}{name}", t, unit)) for t in range(1, 7)] for unit in range(3)]
            for before in ("", "ghost_")
        )
        wanted = [row for unit in range(3) for row in (live[unit], live[unit], ghost[unit])]
        assert page.locator(".umap-box canvas").nth(i).evaluate(COLOURS) == wanted, name
    was = cells(page.locator(".umap-was .readout"))
    assert {read.key for read in was} >= {("ghost_h", 3, 1)}
    assert both.wrong(readouts(page)) == []
    press(page, "Remove: Recurrent weights cut at step 5")
    press(page, "Remove: Candidate held at 0.9, step 2")
    assert page.locator(".umap-box canvas").first.evaluate("(e) => [e.width, e.height]") == [6, 3]
    assert page.locator(".umap-was .readout").count() == 0


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


GRU_CROWDED = [
    f"surgery={GRU_EXAMPLE},g@5:0.3&t=5&reset=after&update=old",
    "n=1&surgery=z:0.2,r:0.5,g:-0.3,cut@4,x@4:del&t=4",
    "n=1&surgery=z:0.2,r:0.5,g:-0.3,cut@4,x@4:0.4&t=4&reset=after&update=old",
    "n=8&d=3&input=noise&T=40&surgery=z:1,r@5:0,g:-0.3,cut@5,x@5:del&t=5&update=old",
]


@pytest.mark.parametrize(
    ("lab", "query"), [*(("lstm", query) for query in CROWDED), *(("gru", query) for query in GRU_CROWDED)]
)
def test_nothing_overlaps_in_any_width(visit: Visit, lab: str, query: str) -> None:
    page = visit(lab, query)
    page.evaluate(LOOKS)
    found = {}
    for width, height in ((1440, 900), (1024, 768), (768, 1024), (390, 844), (360, 740)):
        resize(page, width, height)
        found |= dict.fromkeys(page.evaluate("lint()"), width)
    assert found == {}


@pytest.mark.parametrize(("lab", "surgery"), [("lstm", EXAMPLE), ("gru", GRU_EXAMPLE)])
def test_axe_finds_nothing_and_every_text_stands_out(visit: Visit, lab: str, surgery: str) -> None:
    page = visit(lab, f"surgery={surgery}&t=5")
    page.evaluate(LOOKS)
    page.add_style_tag(content="* { transition: none !important }")
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        settled(page)
        assert page.evaluate("contrast()")["out"] == []
        assert [rule["id"] for rule in Axe().run(page).response["violations"]] == []
