"""A static copy of /gradients beside a page that moves one line and does nothing else, both from disk in one run."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser
from rnnscope.app.export.static import static_copy
from rnnscope.app.export.vary import parse_variation
from rnnscope.app.state import GradientState

from .browser import chromium, fresh_page
from .report import Table, ms, p50, p95

DRIVER = (Path(__file__).parent / "static.js").read_text("utf-8")
VARIED = "rho=0:3:0.05"
VISITS, MOVES = 7, 240
#: One slider, one line of 101 points in an SVG; every value has its path from the start.
BARE = """<!doctype html><meta charset="utf-8"><title>One line</title>
<input type="range" min="0" max="3" step="0.05"><svg width="800" height="440">
<path id="line" fill="none" stroke="red" stroke-width="2"/></svg>
<script>
const paths = PATHS, line = document.getElementById('line'), slider = document.querySelector('input');
slider.addEventListener('input', () => line.setAttribute('d', paths[Math.round(slider.value / 0.05)]));
</script>"""
COLUMNS = (
    "page", "file, kB", "there, s", "first move p50, ms", "first move p95", "frames a second", "ms a frame, p95",
    "of the bare page",
)  # fmt: skip
NOTE = (
    f"{VISITS} visits each, by turns, from disk with the network cut off. There: from the start of navigation until "
    f"the slider can be moved. First move: from the change to the second frame after it. Then {MOVES} moves, one a "
    "frame. Aims: under 2 MB, the first move within 100 ms, the frame rate of the page that only moves a line."
)


@dataclass
class Visits:
    """One page: its file, what says that it is there, and what was measured."""

    name: str
    file: Path
    ready: str
    there: list[float] = field(default_factory=list)
    first: list[float] = field(default_factory=list)
    frames: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        return 1000 * len(self.frames) / sum(self.frames)


def measure() -> list[Table]:
    with TemporaryDirectory() as folder, chromium() as browser:
        pages = [
            Visits("one line", _written(Path(folder, "line.html"), _bare), "input"),
            Visits("/gradients, 61 values", _written(Path(folder, "lab.html"), _copy), ".rs[data-sequence]"),
        ]
        for number in range(VISITS):
            for page in pages[:: -1 if number % 2 else 1]:
                _visit(browser, page)
        return [_table(pages)]


def _written(path: Path, content: Callable[[], bytes]) -> Path:
    path.write_bytes(content())
    return path


def _bare() -> bytes:
    def path(value: int) -> str:
        return "M" + "L".join(f"{8 * k} {220 + (value - 30) * k / 10:.1f}" for k in range(101))

    return BARE.replace("PATHS", json.dumps([path(value) for value in range(61)])).encode()


def _copy() -> bytes:
    return static_copy("gradients", {}, [parse_variation(GradientState, VARIED)], lambda done, total: None).html


def _visit(browser: Browser, visits: Visits) -> None:
    with fresh_page(browser) as page:
        page.context.set_offline(True)
        page.goto(visits.file.as_uri())
        page.locator(visits.ready).wait_for()
        visits.there.append(page.evaluate("() => performance.now()") / 1000)
        found = page.evaluate(DRIVER, MOVES)
        visits.first.append(found["first"])
        visits.frames += found["frames"]


def _table(pages: list[Visits]) -> Table:
    rows = [(one.name, *_measured(one), f"{one.rate / pages[0].rate:.2f}") for one in pages]
    return Table("A static copy of /gradients (n = 32, T = 100) under the hand", COLUMNS, rows, [NOTE])


def _measured(one: Visits) -> list[str]:
    size, there = f"{one.file.stat().st_size / 1000:.0f}", f"{p50(one.there):.2f}"
    return [size, there, ms(p50(one.first)), ms(p95(one.first)), f"{one.rate:.1f}", ms(p95(one.frames))]
