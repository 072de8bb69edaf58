"""How soon /seq2seq answers a key stroke: encoding, a beam search of width 4, attention, and all of it drawn."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser

from . import servers
from .browser import chromium, fresh_page, wait_until_drawn
from .report import Table, ms, p50, p95

DRIVE = (Path(__file__).parent / "typing.js").read_text("utf-8")
#: What is typed, character by character, three times.
TYPED = {
    "dates, additive, up to 30 characters": ("attention=additive", "Donnerstag, 10. September 1998"),
    "dates, no attention, up to 30 characters": ("attention=none", "Donnerstag, 10. September 1998"),
    "dates, dot, up to 12 characters": ("attention=dot", "3 march 2024"),
    "reversal, additive, up to 20 characters": ("task=reversal", "abcdefghabcdefghabcd"),
}
ROUNDS = 3
COLUMNS = ("what is typed", "key strokes", "answered p50", "answered p95")
NOTE = "From the input event to the second animation frame after Python's answer. Aim: 100 ms p50."


def measure() -> list[Table]:
    with chromium() as browser, servers.labs() as served:
        rows = [
            (name, *_times(browser, served.url(f"/seq2seq?{query}"), text)) for name, (query, text) in TYPED.items()
        ]
    return [Table("A key stroke on /seq2seq, ms", COLUMNS, rows, [NOTE])]


def _times(browser: Browser, url: str, text: str) -> tuple[str, ...]:
    texts = [text[:length] for length in range(1, len(text) + 1)]
    with fresh_page(browser) as page:
        page.goto(url)
        wait_until_drawn(page, ".rs[data-sequence]")
        page.evaluate(DRIVE, texts)
        times = [time for _ in range(ROUNDS) for time in page.evaluate(DRIVE, texts)]
    return str(len(times)), ms(p50(times)), ms(p95(times))
