"""How soon a clamp on /lstm or /gru is on screen: laid and taken back, and while its value is dragged."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, Page

from . import servers
from .browser import chromium, fresh_page, wait_until_drawn
from .report import Table, ms, p50, p95

DRIVER = (Path(__file__).parent / "surgery.js").read_text("utf-8")
#: Name, how it is driven, path: a drag moves a clamp that is in force.
CASES = (
    ("GRU, 4 units, 12 steps, clamp and undo", "click", "/gru?t=5"),
    ("GRU, 8 units, 40 steps, drag", "drag", "/gru?n=8&T=40&input=noise&t=5&surgery=z@5:0.5"),
    ("4 units, 12 steps, clamp and undo", "click", "/lstm?t=5"),
    ("4 units, 12 steps, drag", "drag", "/lstm?t=5&surgery=f@5:0.5"),
    ("8 units, 40 steps, clamp and undo", "click", "/lstm?n=8&T=40&input=noise&t=5"),
    ("8 units, 40 steps, drag", "drag", "/lstm?n=8&T=40&input=noise&t=5&surgery=f@5:0.5"),
)
WARM_UP, MOVES = 10, 60
COLUMNS = ("page", "laid out p50", "laid out p95", "frame p50", "frame p95")
NOTE = (
    f"{MOVES} moves after {WARM_UP}. Laid out: from the event until its answer is in the page; frame: until the second "
    "animation frame after that. Aim: frame p50 at most 50 ms."
)


def measure() -> list[Table]:
    with chromium() as browser, servers.labs() as served:
        rows = [_row(browser, name, kind, served.url(path)) for name, kind, path in CASES]
    return [Table("A clamp on /lstm and /gru, ms", COLUMNS, rows, [NOTE])]


def _row(browser: Browser, name: str, kind: str, url: str) -> tuple[str, ...]:
    with fresh_page(browser) as page:
        page.goto(url)
        wait_until_drawn(page, ".rs[data-sequence]")
        _drive(page, kind, WARM_UP)
        laid, frame = zip(*_drive(page, kind, MOVES), strict=True)
    return (name, *(ms(quantile(sample)) for sample in (laid, frame) for quantile in (p50, p95)))


def _drive(page: Page, kind: str, count: int) -> list[list[float]]:
    times: list[list[float]] = page.evaluate(DRIVER, {"kind": kind, "count": count})
    return times
