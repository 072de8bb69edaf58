"""Every number that a page must show is there, no other, and each is core's own, bit for bit."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import BrowserContext, Page

from rnnscope.app.theme import ASSETS
from rnnscope.core import format_number
from tests.browser import expected
from tests.browser.expected import Expected, Key
from tests.browser.pages import Readout, readouts, resize

PHONE = (390, 844)
FIVE_DIGITS = ".kv"

CASES = [
    Expected("unfold", ""),
    Expected("unfold", "preset=worked-example"),
    Expected("unfold", "t=0"),
    Expected("unfold", "input=noise&T=12&t=12&activation=relu&W=-1.5"),
    Expected("unfold", "preset=next-character&n=1"),
    Expected("unfold", "n=4&unit=2&input=sine&T=6&t=4&rho=1.2"),
    Expected("unfold", "n=3&d=2&unit=1&input=noise&T=3"),
    Expected("unfold", "input=text&text=to%20be&n=4&unit=2&t=3"),
    Expected("lstm", "preset=one-unit"),
    Expected("lstm", "preset=one-unit&t=0"),
    Expected("lstm", "unit=2&t=7"),
    Expected("lstm", "t=12"),
    Expected("lstm", "input=text&text=hello&n=3&unit=1&t=1"),
    Expected("gradients", ""),
    Expected("gradients", "preset=radius-is-not-norm"),
]
PLACES = {
    "unfold": {"folded": "#folded", "unfolded": "#unfolded", "contributions": "#contributions"},
    "lstm": {"lstm": "#lstm", "traces": "svg.trace"},
    "gradients": {},
}

each_case = pytest.mark.parametrize("case", CASES, ids=[f"{case.lab}?{case.query}" for case in CASES])


@each_case
def test_every_number_is_there_and_is_cores_own(visit: Callable[..., Page], case: Expected) -> None:
    page = visit(case.lab, case.query)
    everything = readouts(page)
    assert keys_by_diagram(page, case) == expected.diagrams(case, wide=True)
    assert everything
    assert [read for read in everything if not case.holds(read.key, float(read.value))] == []
    resize(page, *PHONE)
    assert keys_by_diagram(page, case) == expected.diagrams(case, wide=False)
    assert [read for read in readouts(page) if not case.holds(read.key, float(read.value))] == []


@each_case
def test_every_number_is_printed_as_core_prints_it(visit: Callable[..., Page], case: Expected) -> None:
    page = visit(case.lab, case.query)
    inspected = readouts(page, FIVE_DIGITS)
    others = [read for read in readouts(page) if read not in inspected]
    assert others
    assert [(read, text) for read in others if read.text != (text := printed(case, read, 3))] == []
    assert [(read, text) for read in inspected if read.text != (text := printed(case, read, 5))] == []


def printed(case: Expected, read: Readout, digits: int) -> str:
    return expected.printed(case, read.key, float(read.value), digits)


def keys_by_diagram(page: Page, case: Expected) -> dict[str, set[Key]]:
    """What each diagram shows; the six traces count as one."""
    places = PLACES[case.lab]
    assert page.locator("svg[role=group]").count() == len([name for name in places if name != "traces"])
    return {name: {read.key for read in readouts(page, place)} for name, place in places.items()}


@each_case
def test_sentences_beside_plots_hold_the_figures_that_the_plots_show(
    visit: Callable[..., Page], case: Expected
) -> None:
    page = visit(case.lab, case.query)
    found = readouts(page, ".plot-summary")
    assert [read.key for read in found] == expected.summaries(case)
    assert page.locator(".bokeh ~ .plot-summary").count() == page.locator(".bokeh").count()


@each_case
def test_tables_hold_every_row_and_column_of_what_is_shown(visit: Callable[..., Page], case: Expected) -> None:
    page = visit(case.lab, case.query)
    for summary in page.locator("details.data > summary").all():
        summary.click()
    tables = expected.tables(case)
    regions = page.locator("details.data [role=region]")
    assert [f"Data: {name}" for name in tables] == [region.get_attribute("aria-label") for region in regions.all()]
    for region, name in zip(regions.all(), tables, strict=True):
        cells = [Readout(**found) for found in region.locator("td.readout").evaluate_all(CELLS)]
        check_table(cells, tables[name])


CELLS = """(cells) => cells.map((e) => ({ symbol: e.dataset.symbol, t: Number(e.dataset.t),
  unit: Number(e.dataset.unit), value: e.dataset.value, text: e.textContent }))"""


def check_table(cells: list[Readout], table: np.ndarray) -> None:
    assert len(cells) == table.size
    pairs = list(zip(cells, table.ravel().tolist(), strict=True))
    assert [(cell, value) for cell, value in pairs if not expected.same(float(cell.value), value)] == []
    counts = {"t", "lag"}
    wanted = [(str(int(v)) if cell.symbol in counts else format_number(v, 5)) for cell, v in pairs]
    assert [(cell, text) for (cell, _), text in zip(pairs, wanted, strict=True) if cell.text != text] == []


# --- the same format in both languages ------------------------------------------------------------


@pytest.fixture
def javascript(context: BrowserContext) -> Page:
    """A blank page with the module's functions for numbers."""
    page = context.new_page()
    page.add_script_tag(content=(ASSETS / "js" / "diagram_values.js").read_text("utf-8"))
    yield page
    page.close()


@pytest.mark.parametrize("digits", [3, 5])
def test_javascript_prints_numbers_as_python_does(javascript: Page, digits: int) -> None:
    numbers = sample_numbers()
    texts = javascript.evaluate("([xs, digits]) => xs.map((x) => formatNumber(x, digits))", [numbers, digits])
    wanted = [format_number(x, digits) for x in numbers]
    assert [row for row in zip(numbers, texts, wanted, strict=True) if row[1] != row[2]] == []


def test_javascript_writes_values_that_read_back_bit_for_bit(javascript: Page) -> None:
    numbers = sample_numbers()
    texts = javascript.evaluate("(xs) => xs.map(diagramExact)", numbers)
    assert [pair for pair in zip(numbers, texts, strict=True) if not expected.same(pair[0], float(pair[1]))] == []


def sample_numbers() -> list[float]:
    """Extremes, ties and borders of the format, random bit patterns, and numbers as networks have them."""
    drawn = random.Random(20240607)
    borders = [m * 10.0**e for m in (0.9994, 0.9995, 0.99949999, 1, 9.995, 9.9949) for e in range(-6, 6)]
    ties = [0.125, 0.0625, 2.5, 12.25, 12.35, 0.0005, 0.00095, 1.5e-7, 2.5e20, 999.5, 0.0009995, 1234.5, 100.5]
    extremes = [0.0, -0.0, float("nan"), float("inf"), 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308]
    bits = [struct.unpack("<d", drawn.randbytes(8))[0] for _ in range(1500)]
    usual = [drawn.gauss(0, 1) * 10 ** drawn.uniform(-5, 4) for _ in range(1500)]
    found = [*borders, *ties, *extremes, *bits, *usual]
    return [*found, *(-x for x in found)]
