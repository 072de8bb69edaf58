"""The film strip while it plays, and the same count of frames on a page without a server, in the same run."""

from __future__ import annotations

from playwright.sync_api import Browser, Page

from . import servers
from .browser import chromium, fresh_page, wait_until_drawn
from .report import Table, p50, p95

LAB_PATH = "/gradients?n=16&T=200&t=200&lag=200"
ROUNDS = 3
SECONDS = 3
#: A page without a server: one shape that moves, by the same kind of loop.
BARE = """<svg width="260" height="260">
<ellipse id="e" cx="130" cy="130" rx="50" ry="20" fill="none" stroke="red"/></svg>
<script>
const shape = document.getElementById('e');
const step = (now) => { shape.setAttribute('rx', 50 + 20 * Math.sin(now / 300)); requestAnimationFrame(step); };
requestAnimationFrame(step);
</script>"""
#: Milliseconds between the frames that the browser draws in so many seconds.
COUNT = """(seconds) => new Promise((done) => {
  const times = [];
  const look = (now) => {
    times.push(now);
    if (now - times[0] < 1000 * seconds) requestAnimationFrame(look);
    else done(times.slice(1).map((time, i) => time - times[i]));
  };
  requestAnimationFrame(look);
})"""
COLUMNS = ("page", "frames a second", "ms a frame, p50", "p95", "of the bare page")
NOTE = f"{ROUNDS} x {SECONDS} s each, by turns. Aim: at least 0.9 of the page without a server."
SPEEDS = {"gliding, 8 steps a second": "fast", "step by step": "step"}


def measure() -> list[Table]:
    times: dict[str, list[float]] = {name: [] for name in ("without a server", *SPEEDS)}
    with chromium() as browser, servers.labs() as served:
        for _ in range(ROUNDS):
            times["without a server"] += _bare(browser)
            for name, speed in SPEEDS.items():
                times[name] += _playing(browser, served.url(LAB_PATH), speed)
    bare = _rate(times["without a server"])
    rows = [
        (name, f"{_rate(sample):.1f}", f"{p50(sample):.1f}", f"{p95(sample):.1f}", f"{_rate(sample) / bare:.2f}")
        for name, sample in times.items()
    ]
    return [Table("The film strip while it plays (n = 16, 200 steps)", COLUMNS, rows, [NOTE])]


def _rate(sample: list[float]) -> float:
    return 1000 * len(sample) / sum(sample)


def _bare(browser: Browser) -> list[float]:
    with fresh_page(browser) as page:
        page.set_content(BARE)
        return _count(page)


def _playing(browser: Browser, url: str, speed: str) -> list[float]:
    """The film in view, playing; where it was still playing in the end, so that no still picture is counted."""
    with fresh_page(browser) as page:
        page.goto(url)
        wait_until_drawn(page, ".rs[data-sequence]")
        page.locator(".card.film").scroll_into_view_if_needed()
        page.locator("figure.frame.now").wait_for()
        page.get_by_label("How the film plays").select_option(speed)
        page.get_by_role("button", name="Play the film").click()
        found = _count(page)
        page.get_by_role("button", name="Pause the film").wait_for()
        return found


def _count(page: Page) -> list[float]:
    counted: list[float] = page.evaluate(COUNT, SECONDS)
    return counted
