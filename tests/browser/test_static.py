"""A lab as one file: opened from disk with the network cut off, it shows what core computes wherever it is moved."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect
from rnnscope.app import cli, snapshot, theme
from rnnscope.core import RNNConfig, decay, format_number, run

from tests.browser.conftest import new_context
from tests.browser.pages import Problems, button, choice, notices, number_field, resize, segment, slider, type_into

#: Lab, query, what is varied.
FILES = {
    "gradients": ("gradients", "n=8&T=30&seed=2", ["rho=0:2:0.1"]),
    "unfold": ("unfold", "n=2&input=noise&T=4", ["rho=0.5:1.5:0.5", "notation=goodfellow,pytorch"]),
    "embedded": ("gradients", "n=4&T=10&rho=1&embed=1&curves=rnn", ["rho=0,1,2"]),
}
SETTLED = ".rs[data-rest=true]"
SINGLE = 2e-7
PLAIN = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("static")
    for name, (lab, query, varied) in FILES.items():
        options = [part for text in varied for part in ("--vary", text)]
        assert cli.main(["export", lab, query, "--format", "html", *options, "-o", str(made / f"{name}.html")]) == 0
    return made


@pytest.fixture
def problems() -> Problems:
    """A file has no host: a request to any is a problem."""
    return Problems("")


@pytest.fixture
def offline(browser: Browser) -> Iterator[BrowserContext]:
    made = new_context(browser)
    made.set_offline(True)
    yield made
    made.close()


@pytest.fixture
def opened(offline: BrowserContext, folder: Path, problems: Problems) -> Iterator[Callable[..., Page]]:
    requests: list[str] = []

    def go(name: str, ready: str = SETTLED) -> Page:
        page = offline.new_page()
        problems.watch(page)
        page.on("request", lambda request: requests.append(request.url))
        page.goto((folder / f"{name}.html").as_uri())
        page.locator(ready).first.wait_for()
        return page

    yield go
    assert problems.unexpected() == []
    assert all(url.startswith((folder.as_uri(), "data:", "blob:")) for url in requests), requests


def curve(rho: float) -> np.ndarray:
    """The RNN's curve of the file `gradients`, from core."""
    shown_run = run(RNNConfig(n=8, d=1, T=30, seed=2, rho=rho, sigma_in=0.5, input="noise"))
    return decay(shown_run.cell, shown_run.trace).curve


def drawn_curve(page: Page, series: int = 0) -> np.ndarray:
    """Heights of a line of the plot, in its own numbers."""
    path = page.locator(".chart-line").nth(series).get_attribute("d")
    heights = np.array([float(pair.split(" ")[1]) for pair in re.split("[ML]", path)[1:]])
    ticks = page.locator(".chart-axes text[text-anchor=end]")
    powers = [float(text.translate(PLAIN)[2:]) for text in ticks.all_text_contents()]
    places = [float(tick.get_attribute("y")) - 4 for tick in ticks.all()]
    slope, start = np.polyfit(places, powers, 1)
    return start + slope * heights


def test_the_dragged_radius_shows_what_core_computes(opened: Callable[..., Page]) -> None:
    page = opened("gradients")
    expect(page.locator(".copy")).to_have_text(
        "A static copy: 21 values of ρ from 0 to 2, step 0.1. Numbers to 7 digits. "
        "Not in it: Jacobian film strip, Edge of chaos."
    )
    for rho in (0.9, 1.0, 1.5, 0.0):
        if rho != 0.9:
            slider(page, "rho").fill(str(rho))
        expect(page.locator(".rg h2 .readout")).to_have_text(format_number(rho))
        expected = curve(rho)
        title = float(page.locator(".rg h2 .readout").get_attribute("data-value"))
        assert title == pytest.approx(rho, rel=SINGLE)
        at_lag = page.locator(".kv .readout[data-symbol=jacobian_log10_norm][data-t='10']")
        assert float(at_lag.get_attribute("data-value")) == pytest.approx(expected[10], rel=SINGLE)
        finite = expected[np.isfinite(expected)]
        low, high = theme.nice_decades(finite.min(), finite.max())
        assert np.abs(drawn_curve(page)[: len(finite)] - finite).max() < (high - low) / 300 or rho == 0.0
    page.locator("details.data summary").first.scroll_into_view_if_needed()
    slider(page, "rho").fill("1.5")
    page.locator(SETTLED).wait_for()
    page.locator("details.data summary").first.click()
    last = page.locator(".data .readout[data-symbol=jacobian_log10_norm][data-t='30']")
    expect(last).to_have_count(1)
    assert float(last.get_attribute("data-value")) == pytest.approx(curve(1.5)[30], rel=SINGLE)


def test_keyboard_lag_reset_and_values_that_are_not_there(opened: Callable[..., Page]) -> None:
    page = opened("gradients")
    slider(page, "rho").press("ArrowRight")
    expect(number_field(page, "rho")).to_have_value("1")
    slider(page, "rho").press("End")
    expect(number_field(page, "rho")).to_have_value("2")
    slider(page, "lag").press("Home")
    expect(page.locator(".kv .readout[data-symbol=jacobian_log10_norm][data-t='0']")).to_have_attribute(
        "data-value", "0"
    )
    type_into(number_field(page, "rho"), "1.27")
    expect(number_field(page, "rho")).to_have_value("1.3")
    said = "Spectral radius ρ = 1.27 is not in this copy. The nearest value that is, 1.3, is shown."
    expect(page.locator(".notice p")).to_have_text([said])
    type_into(number_field(page, "rho"), "much")
    expect(number_field(page, "rho")).to_have_value("1.3")
    assert notices(page)[1:] == ["Spectral radius ρ = much is not in this copy. It stays as it was."]
    box = page.locator(".chart").bounding_box()
    page.mouse.click(box["x"] + box["width"] - 13, box["y"] + 200)
    expect(slider(page, "lag")).to_have_value("30")
    page.mouse.move(box["x"] + box["width"] - 14, box["y"] + 210)
    expect(page.locator(".chart-tip b")).to_have_text("lag 30")
    button(page, "Reset").click()
    expect(number_field(page, "rho")).to_have_value("0.9")
    expect(slider(page, "lag")).to_have_value("10")
    assert page.get_by_role("button", name="Copy link").count() == 0
    page.locator(".rg h2 .readout").click()  # where a number comes from only Python can say
    assert page.locator(".bdg, .bdg-hint").count() == 0
    assert page.evaluate("() => location.search") == ""


def test_both_themes_both_widths_and_a_screen_reader(opened: Callable[..., Page]) -> None:
    page, axe, found = opened("gradients"), Axe(), []
    lines = page.locator(".chart-line")
    light = lines.first.evaluate("(line) => getComputedStyle(line).stroke")
    for name in ("light", "dark"):
        page.emulate_media(color_scheme=name)
        for width, height in ((1440, 900), (390, 844)):
            resize(page, width, height)
            assert page.evaluate("() => document.documentElement.scrollWidth") <= width
            assert page.locator(".chart").bounding_box()["width"] <= width
            found += [(name, width, rule["id"]) for rule in axe.run(page).response["violations"]]
    assert found == []
    assert lines.first.evaluate("(line) => getComputedStyle(line).stroke") != light
    page.get_by_role("button", name="Switch light or dark theme").click()
    assert lines.first.evaluate("(line) => getComputedStyle(line).stroke") == light
    chart = page.get_by_role("img", name=re.compile("^Jacobian norm against lag. RNN, Jacobian of the whole state h"))
    expect(chart).to_be_visible()
    announced = page.locator("[aria-live=polite]").first
    slider(page, "rho").fill("0.2")
    expect(announced).to_contain_text("vanishing")


def test_a_diagram_steps_lights_and_selects(opened: Callable[..., Page]) -> None:
    page, drawing = opened("unfold"), "svg[id^=unfolded]"
    page.get_by_role("button", name="Next step").click()
    expect(page.locator(".cf .ro")).to_have_text("t = 4 of 4")
    segment(page, "highlight", "U").click()
    segment(page, "direction", "forward").click()
    expect(page.locator(drawing)).to_have_attribute("data-highlight", "U")
    expect(page.locator(drawing)).to_have_attribute("data-pass", "forward")
    page.get_by_label("Selected unit").select_option("1")
    slider(page, "rho").fill("1.5")
    expect(number_field(page, "rho")).to_have_value("1.5")
    hs = snapshot.numbers("unfold", {"n": 2, "input": "noise", "T": 4, "rho": 1.5})["hs"]
    for t in range(5):
        drawn = page.locator(f"{drawing} .readout[data-symbol=h][data-t='{t}'][data-unit='1']").first
        assert float(drawn.get_attribute("data-value")) == pytest.approx(hs[t, 1], rel=SINGLE)
    said = page.locator(".rail .kv .readout[data-symbol=h]")
    assert float(said.get_attribute("data-value")) == pytest.approx(hs[4, 1], rel=SINGLE)
    page.locator(f"{drawing} [data-node]").filter(has_text="h2").first.click()
    expect(page.locator(".cf .ro")).to_have_text("t = 2 of 4")
    expect(page.locator(".rail .blk h2").nth(1)).to_contain_text("t = 2")
    choice(page, "notation").select_option("pytorch")
    expect(page.locator(".eq").first).to_contain_text("hh")
    assert page.locator(".rail input, .rail select").count() == 4 + 3 + 1 + 2 + 1  # those that were used above
    with page.expect_download() as waiting:  # drawn by the browser alone, from a picture in its memory
        page.get_by_role("button", name="Save the picture as PNG").click()
    assert waiting.value.suggested_filename == "unfold.png"
    assert Path(waiting.value.path()).read_bytes().startswith(b"\x89PNG")


COURSE = """<!doctype html><meta charset="utf-8"><title>Course</title>
<iframe title="1" src="embedded.html" width="640" height="400"></iframe>
<iframe title="2" src="embedded.html" width="640" height="400"></iframe>
<script>addEventListener('message', ({ data, source }) => {
  const frame = [...document.querySelectorAll('iframe')].find(({ contentWindow }) => contentWindow === source);
  if (frame && data.type === 'rnnscope:height') frame.height = data.height;
});</script>"""


def test_two_copies_in_one_page_keep_apart_and_tell_their_height(
    offline: BrowserContext, folder: Path, problems: Problems
) -> None:
    (folder / "course.html").write_text(COURSE, "utf-8")
    page = offline.new_page()
    problems.watch(page)
    page.goto((folder / "course.html").as_uri())
    one, other = (page.frame_locator(f"iframe[title='{number}']") for number in (1, 2))
    for frame in (one, other):
        expect(frame.locator(".rs.embed")).to_be_visible()
        expect(frame.locator(".copy")).to_contain_text("3 values of ρ from 0 to 2, step 1.")
        assert frame.locator("header").count() == 0
    page.wait_for_function("() => [...document.querySelectorAll('iframe')].every(({ height }) => height > 700)")
    length = page.evaluate("() => history.length")
    one.locator("input[type=range][data-key=rho]").press("End")
    expect(one.locator("input.num[data-key=rho]")).to_have_value("2")
    expect(other.locator("input.num[data-key=rho]")).to_have_value("1")
    assert page.evaluate("() => history.length") == length
    assert problems.unexpected() == []


def test_a_browser_or_a_file_that_cannot_be_read_is_said(
    opened: Callable[..., Page], folder: Path, offline: BrowserContext, problems: Problems
) -> None:
    whole = (folder / "embedded.html").read_text("utf-8")
    (folder / "cut.html").write_text(re.sub(r'(id="copy-answers">.{400})[^<]*', r"\1", whole), "utf-8")
    problems.allow("pageerror")  # a cut file: the error is for whoever looks for it
    page = opened("cut", ready=".notice.lost")
    expect(page.get_by_role("alert").first).to_have_text("This copy cannot be read. It may be cut off: load it again.")
    offline.add_init_script("delete window.DecompressionStream")
    page = opened("embedded", ready=".notice.lost")
    said = "This page needs a newer browser: one from 2023 or later can unpack its numbers."
    expect(page.locator(".notice.lost")).to_have_text(said)
