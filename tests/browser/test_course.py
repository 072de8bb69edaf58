"""The pages of examples/course, as a teacher serves them: live labs, a quiet console, nothing from elsewhere."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from rnnscope.app.embedding import LISTENER

from tests.browser.courses import course, height_follows, lab_in
from tests.browser.pages import Problems, Site, number_field, readouts, settled, shown, slider

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "course"
WRITTEN = "http://localhost:5006"


@pytest.fixture
def lessons(site: Site, problems: Problems, tmp_path: Path) -> Iterator[str]:
    """The examples, pointed to the labs of this test by their one setting, and served."""
    shutil.copytree(EXAMPLES, tmp_path / "course", ignore=shutil.ignore_patterns("_build"))
    for page in (tmp_path / "course" / "page" / "index.html", tmp_path / "course" / "slides" / "index.html"):
        text = page.read_text("utf-8")
        assert text.count(WRITTEN) == 1, "one setting"
        page.write_text(text.replace(WRITTEN, site.origin), "utf-8")
    with course(tmp_path / "course", problems) as origin:
        yield origin


@pytest.mark.parametrize("path", ["page/index.html", "sphinx/index.md"])
def test_the_examples_have_the_listener_of_the_dialog(path: str) -> None:
    assert LISTENER in (EXAMPLES / path).read_text("utf-8")


def test_the_course_page_says_what_its_two_labs_show(page: Page, lessons: str) -> None:
    page.goto(f"{lessons}/page/index.html")
    unfold, gradients = lab_in(page, 0), lab_in(page, 1)
    for index in (0, 1):
        height_follows(page, index)
    assert len({read.t for read in readouts(unfold) if read.symbol == "h" and read.t > 0}) == 3, "three steps"
    assert unfold.locator("[data-key=pattern], [data-key=highlight]").count() == 0
    assert unfold.locator("[data-key=direction]").first.is_disabled()
    assert number_field(gradients, "rho").input_value() == "1.2"
    assert slider(gradients, "lag").is_disabled()
    expect(gradients.locator(".rg")).to_contain_text("vanishing")
    before, length = readouts(unfold), page.evaluate("history.length")
    slider(gradients, "rho").press("Home")
    settled(gradients)
    assert number_field(gradients, "rho").input_value() == "0"
    assert readouts(unfold) == before
    assert page.evaluate("history.length") == length
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 844})
        height_follows(page, 1)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_sphinx_page_is_built_without_a_warning_and_shows_live_labs(
    page: Page, site: Site, lessons: str, tmp_path: Path
) -> None:
    source, built = tmp_path / "course" / "sphinx", tmp_path / "course" / "built"
    build = [sys.executable, "-m", "sphinx", "-W", "-q", "-D", f"labs={site.origin}", str(source), str(built)]
    subprocess.run(build, check=True, timeout=300)
    page.goto(f"{lessons}/built/index.html")
    kept, lost = lab_in(page, 0), lab_in(page, 1)
    for index in (0, 1):
        height_follows(page, index)
    opened = [float(str(shown(lab, "f", 5).first.get_attribute("data-value"))) for lab in (kept, lost)]
    assert opened[0] > 0.9
    assert opened[1] < 0.1
    assert kept.locator("select[data-key=unit]").count() == 0
    kept.get_by_role("button", name="Next step").first.click()
    settled(kept)
    assert shown(kept, "f", 6).count() > 0
    assert shown(lost, "f", 6).count() == 0
    assert page.locator("h1").inner_text().startswith("A gate that keeps")


def test_a_slide_shows_its_lab_and_the_deck_keeps_its_keys(page: Page, lessons: str) -> None:
    page.goto(f"{lessons}/slides/index.html")
    page.wait_for_function("() => Reveal.isReady()")
    assert page.evaluate("document.querySelector('iframe').src") == "", "a lab starts with its slide"
    page.keyboard.press("ArrowRight")
    lab = lab_in(page, 0)
    assert number_field(lab, "rho").input_value() == "1.2"
    assert lab.locator(".rs").get_attribute("data-theme") == "light"
    slider(lab, "rho").press("ArrowRight")
    settled(lab)
    assert number_field(lab, "rho").input_value() == "1.21"
    assert page.evaluate("Reveal.getIndices().h") == 1, "an arrow inside the lab turns no page"
    page.locator("h2").nth(0).click()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => Reveal.getIndices().h === 2")
