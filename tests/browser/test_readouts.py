"""Every number that a page must show is there, no other, and each is core's own, bit for bit."""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from playwright.sync_api import BrowserContext, Page
from rnnscope.app.snapshot import STATES
from rnnscope.app.theme import ASSETS
from rnnscope.core import format_number

from tests.browser import expected
from tests.browser.expected import Expected
from tests.browser.pages import Problems, Readout, Site, cells, open_page, readouts, resize, rested

PHONE = (390, 844)
FIVE_DIGITS = ".kv:not(.lab-bptt .kv)"

PATTERN_PRESETS = [name for name, keys in STATES["unfold"].PRESETS.items() if "pattern" in keys]
CASES = [
    Expected("unfold", ""),
    Expected("unfold", "preset=worked-example"),
    Expected("unfold", "t=0"),
    Expected("unfold", "input=noise&T=12&t=12&activation=relu&W=-1.5"),
    Expected("unfold", "preset=next-character&n=1"),
    Expected("unfold", "n=4&unit=2&input=sine&T=6&t=4&rho=1.2"),
    Expected("unfold", "n=3&d=2&unit=1&input=noise&T=3"),
    Expected("unfold", "input=text&text=to%20be&n=4&unit=2&t=3"),
    *(Expected("unfold", f"preset={name}") for name in PATTERN_PRESETS),
    Expected("unfold", "pattern=output&text=to%20be&n=4&unit=2&t=3"),
    Expected("unfold", "pattern=output&forcing=teacher&n=3&d=2&input=noise&T=7&t=0&notation=concat"),
    Expected("unfold", "pattern=last&text=hello&n=4&unit=1&t=5"),
    Expected("unfold", "pattern=system&n=4&unit=3&T=7&t=0"),
    Expected("unfold", "pattern=convolution&n=3&unit=2&d=2&input=noise&T=9&t=7&window=5&notation=pytorch"),
    Expected("lstm", "preset=one-unit"),
    Expected("lstm", "preset=one-unit&t=0"),
    Expected("lstm", "unit=2&t=7"),
    Expected("lstm", "t=12"),
    Expected("lstm", "input=text&text=hello&n=3&unit=1&t=1"),
    Expected("lstm", "preset=more-than-forget-gates&t=33"),
    Expected("lstm", "preset=constant-error-carousel&t=150"),
    Expected("lstm", "n=8&d=7&input=noise&unit=5&t=4&substep=11&open=g&notation=concat"),
    Expected("lstm", "n=3&d=2&input=noise&t=4&substep=19&open=o&notation=goodfellow"),
    Expected("gru", ""),
    Expected("gru", "t=0"),
    *(Expected("gru", f"preset={name}") for name in STATES["gru"].PRESETS),
    Expected("gru", "n=3&d=2&input=noise&t=4&substep=11&open=g&reset=after&notation=pytorch"),
    Expected("gru", "n=3&d=2&input=noise&t=4&substep=14&open=g&update=old"),
    Expected("gru", "reset=after&unit=2&t=12&n=3"),
    Expected("gru", "input=text&text=hello&n=3&unit=1&t=1&update=old&notation=concat"),
    Expected("bidirectional", ""),
    Expected("bidirectional", "n=1&t=6&change=none"),
    Expected("bidirectional", "preset=text&n=8&unit=7"),
    Expected("bidirectional", "cell=gru&n=3&d=2&input=noise&T=5&t=2&unit=1&notation=pytorch"),
    Expected("bptt", ""),
    Expected("bptt", "preset=truncated&moment=20&clip=0.5"),
    Expected("bptt", "cell=lstm&n=3&T=5&input=noise&unit=1&t=4&lag=2&truncate=2"),
    Expected("bptt", "cell=gru&text=hello&n=2&t=3&lag=1&moment=11&block=z"),
    Expected("bptt", "T=9&input=noise&t=7&lag=2&h0=0.5"),
    Expected("bptt", "preset=vanishing-loom"),
    Expected("gradients", ""),
    *(Expected("gradients", f"preset={name}") for name in STATES["gradients"].PRESETS),
    Expected("gradients", "cell=gru&n=6&T=20&reset=after&update=old"),
    Expected("gradients", "curves=rnn,lstm&cell=lstm&n=5&input=text"),
]
PLACES = {
    "unfold": {"folded": "#folded", "unfolded": "#unfolded", "contributions": "#contributions"},
    "lstm": {"lstm": "#lstm", "traces": "svg.trace", "maps": ".umaps", "opened": ".opened"},
    "gru": {
        "gru": "#gru",
        "traces": ".four > svg.trace",
        "maps": ".umaps",
        "opened": ".opened",
        "beside": ".three > svg.trace",
    },
    "gradients": {},
    "bidirectional": {"both": "#both"},
    "bptt": {"loom": "#loom", "loom-matrix": "#loom-matrix"},
}
#: Pictures of numbers that are not networks: nothing in them can be selected.
PLOTS = ("contributions", "traces", "maps", "opened", "beside")


@dataclass(frozen=True)
class Seen:
    """What a page showed in one state: by diagram, wide and compact; everything; and the tables behind "Show data"."""

    case: Expected
    wide: dict[str, list[Readout]]
    compact: dict[str, list[Readout]]
    everything: list[Readout]
    inspected: list[Readout]
    summaries: list[Readout]
    tables: dict[str, list[Readout]]
    diagrams: int


@pytest.fixture(scope="module", params=CASES, ids=[f"{case.lab}?{case.query}" for case in CASES])
def seen(request: pytest.FixtureRequest, context: BrowserContext, site: Site) -> Iterator[Seen]:
    """Open each state once; every test of this file looks at the same reading."""
    page, case = context.new_page(), request.param
    problems = Problems(site.origin.removeprefix("http://"))
    problems.watch(page)
    open_page(page, site.url(case.lab, case.query))
    rested(page)
    yield look(page, case)
    page.close()
    assert problems.unexpected() == []


def look(page: Page, case: Expected) -> Seen:
    everything, inspected = readouts(page), readouts(page, FIVE_DIGITS)
    diagrams = page.locator("svg[role=group][aria-roledescription='network diagram']").count()
    wide, summaries, tables = by_diagram(page, case), readouts(page, ".plot-summary"), read_tables(page)
    resize(page, *PHONE)
    compact = by_diagram(page, case)
    return Seen(case, wide, compact, everything, inspected, summaries, tables, diagrams)


def by_diagram(page: Page, case: Expected) -> dict[str, list[Readout]]:
    # What the loom has not computed yet is faint, but there.
    read = readouts if case.lab == "bptt" else visible
    return {name: read(page, place) for name, place in PLACES[case.lab].items()}


def visible(page: Page, place: str) -> list[Readout]:
    """What stands on the page: a pattern of /unfold has no gradient of W."""
    return cells(page.locator(f"{place} .readout:visible"))


def read_tables(page: Page) -> dict[str, list[Readout]]:
    """Open every "Show data" and read its cells."""
    for summary in page.locator("details.data > summary:visible").all():
        summary.click()
    regions = page.locator("details.data:visible [role=region]").all()
    for region in regions:
        region.locator("td.readout").first.wait_for()
    return {str(region.get_attribute("aria-label")): cells(region.locator("td.readout")) for region in regions}


def test_diagrams_show_the_whole_expected_set_and_no_more(seen: Seen) -> None:
    assert seen.diagrams == len([name for name in seen.wide if name not in PLOTS])
    for drawn, wide in ((seen.wide, True), (seen.compact, False)):
        keys = {name: {read.key for read in found} for name, found in drawn.items()}
        assert keys == expected.diagrams(seen.case, wide)


def test_every_number_on_the_page_is_cores_own_bit_for_bit(seen: Seen) -> None:
    compact = [read for found in seen.compact.values() for read in found]
    assert seen.everything
    assert [read for read in (*seen.everything, *compact) if not seen.case.holds(read.key, float(read.value))] == []


def test_every_number_is_printed_as_core_prints_it(seen: Seen) -> None:
    others = [read for read in seen.everything if read not in seen.inspected]
    assert [(read, text) for read in others if read.text != (text := printed(seen.case, read, 3))] == []
    assert [(read, text) for read in seen.inspected if read.text != (text := printed(seen.case, read, 5))] == []


def printed(case: Expected, read: Readout, digits: int) -> str:
    return expected.printed(case, read.key, float(read.value), digits)


def test_sentences_beside_plots_hold_the_figures_that_the_plots_show(seen: Seen) -> None:
    assert [read.key for read in seen.summaries] == expected.summaries(seen.case)


def test_tables_hold_every_row_and_column_of_what_is_shown(seen: Seen) -> None:
    tables = expected.tables(seen.case)
    assert list(seen.tables) == [f"Data: {name}" for name in tables]
    for name, table in tables.items():
        check_table(seen.tables[f"Data: {name}"], table)


def check_table(found: list[Readout], table: np.ndarray) -> None:
    assert len(found) == table.size
    pairs = list(zip(found, table.ravel().tolist(), strict=True))
    assert [(cell, value) for cell, value in pairs if not expected.same(float(cell.value), value)] == []
    whole = ("t", "lag", "k", "common_symbols")
    texts = [str(int(value)) if cell.symbol in whole else format_number(value, 5) for cell, value in pairs]
    assert [(cell, text) for cell, text in zip(found, texts, strict=True) if cell.text != text] == []


# --- the same format in both languages ------------------------------------------------------------


@pytest.fixture
def javascript(context: BrowserContext) -> Iterator[Page]:
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
