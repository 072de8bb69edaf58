"""How soon the loom of /bptt answers a hover at T = 50: from the event to the frame with the lit chain."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, Page

from . import servers
from .browser import chromium, fresh_page, wait_until_drawn
from .report import Table, ms, p50, p95

HOVER = (Path(__file__).parent / "hover.js").read_text("utf-8")
PAGES = {
    "one unit": "/bptt?T=50&input=noise&t=50",
    "16 units": "/bptt?T=50&input=noise&t=50&n=16",
    "16 units, window 20": "/bptt?T=50&input=noise&t=50&n=16&truncate=20",
    "LSTM, 16 units": "/bptt?T=50&input=noise&t=50&n=16&cell=lstm",
}
WARM_UP, HOVERS = 10, 100
COLUMNS = ("network", "handler p50", "handler p95", "painted p50", "painted p95", "two frames alone p50", "p95")
NOTE = (
    f"{HOVERS} hovers over 1275 cells after {WARM_UP}. Handler: until every class, attribute and number is assigned; "
    "painted: until the second animation frame after the event. Aim: painted p95 at most 50 ms."
)


def measure() -> list[Table]:
    with chromium() as browser, servers.labs() as served:
        rows = [_row(browser, name, served.url(path)) for name, path in PAGES.items()]
    return [Table("A hover on the loom at T = 50, ms", COLUMNS, rows, [NOTE])]


def _row(browser: Browser, name: str, url: str) -> tuple[str, ...]:
    with fresh_page(browser) as page:
        page.goto(url)
        wait_until_drawn(page, ".rs[data-sequence]")
        _drive(page, WARM_UP)
        handled, painted = zip(*_drive(page, HOVERS), strict=True)
        _, alone = zip(*_drive(page, HOVERS, alone=True), strict=True)
    return (name, *(ms(quantile(sample)) for sample in (handled, painted, alone) for quantile in (p50, p95)))


def _drive(page: Page, count: int, *, alone: bool = False) -> list[list[float]]:
    times: list[list[float]] = page.evaluate(HOVER, {"count": count, "alone": alone})
    return times
