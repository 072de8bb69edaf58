"""How soon /lstm shows another sub-step, and another notation: the looks, and then Python's sentence and letters."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, Page

from . import servers
from .browser import chromium, fresh_page, wait_until_drawn
from .report import Table, ms, p50, p95

DRIVE = (Path(__file__).parent / "substep.js").read_text("utf-8")
PAGES = {
    "4 units": "/lstm",
    "one unit": "/lstm?preset=one-unit",
    "8 units, 8 inputs, 40 steps": "/lstm?n=8&d=8&T=40&input=noise",
    "text, 8 units": "/lstm?n=8&input=text",
}
WARM_UP, MOVES = 8, 60
COLUMNS = ("what changes", "network", "handler p50", "painted p50", "painted p95", "answered p50", "answered p95")
NOTE = (
    f"{MOVES} changes after {WARM_UP}. Handler: until every class and number is assigned; painted: until the second "
    "animation frame after the event; answered: until the frame after Python's answer, which for a notation brings "
    "the letters. Aim: 50 ms p50, a sub-step painted and a notation answered."
)


def measure() -> list[Table]:
    with chromium() as browser, servers.labs() as served:
        rows = [
            (kind, name, *_times(browser, served.url(path), kind))
            for kind in ("substep", "notation")
            for name, path in PAGES.items()
        ]
    return [Table("A sub-step and a notation on /lstm, ms", COLUMNS, rows, [NOTE])]


def _times(browser: Browser, url: str, kind: str) -> tuple[str, ...]:
    with fresh_page(browser) as page:
        page.goto(url)
        wait_until_drawn(page, ".rs[data-sequence]")
        _drive(page, WARM_UP, kind)
        handled, painted, answered = zip(*_drive(page, MOVES, kind), strict=True)
    return ms(p50(handled)), *(ms(quantile(sample)) for sample in (painted, answered) for quantile in (p50, p95))


def _drive(page: Page, count: int, kind: str) -> list[list[float]]:
    times: list[list[float]] = page.evaluate(DRIVE, {"count": count, "kind": kind})
    return times
