"""The edge-of-chaos map: the time the pool takes, the first picture, and what the slider feels of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter

import numpy as np
from playwright.sync_api import Page
from rnnscope.app.sweeps.pool import WorkerPool, spare_cores
from rnnscope.app.sweeps.runner import completed
from rnnscope.core import ChaosGrid, RNNConfig

from . import servers
from .browser import chromium, fresh_page, wait_until_drawn
from .report import Table, ms, p50, p95
from .slider import DRAG_MOVES, DRIVER, WARM_UP, drag_values

SIZE, REPEATS, ROUNDS = 40, 3, 6
LAB_PATH = "/gradients?n=64&T=100"


@dataclass
class Drags:
    """Milliseconds of the moves of one regime."""

    data: list[float] = field(default_factory=list)
    frame: list[float] = field(default_factory=list)

    def add(self, pairs: list[list[float]]) -> None:
        self.data += [data for data, _ in pairs]
        self.frame += [frame for _, frame in pairs]


def measure() -> list[Table]:
    return [_pool(), _slider()]


def _pool() -> Table:
    firsts, wholes = zip(*(_one_map() for _ in range(REPEATS)), strict=True)
    rows = [
        ("first coarse picture, pool start included", f"{p50(firsts):.2f}", f"{max(firsts):.2f}", "1"),
        ("whole map", f"{p50(wholes):.2f}", f"{max(wholes):.2f}", "20"),
    ]
    title = f"Edge of chaos by the pool, {SIZE} x {SIZE}, n = 64, 500 steps, {spare_cores()} worker(s), s"
    return Table(title, ["what", "p50", "largest", "asked"], rows, [f"{REPEATS} maps, each by a fresh pool."])


def _one_map() -> tuple[float, float]:
    """Seconds until the first batch and until the last, from before the pool is made."""
    sides = tuple(np.linspace(0, 3, SIZE)), tuple(np.linspace(0, 2, SIZE))
    grid = ChaosGrid(RNNConfig(n=64, d=1, T=100), *sides, steps=500)
    start = perf_counter()
    pool = WorkerPool(spare_cores())
    times = [perf_counter() - start for _ in completed(pool, grid, range(len(grid.batches())), pool.count + 1)]
    pool.shutdown()
    return times[0], times[-1]


def _slider() -> Table:
    quiet, busy = Drags(), Drags()
    with chromium() as browser, servers.labs() as served, fresh_page(browser) as page:
        page.goto(served.url(LAB_PATH))
        wait_until_drawn(page, ".rs[data-sequence]")
        _drive(page, WARM_UP)
        for _ in range(ROUNDS):
            quiet.add(_drive(page, DRAG_MOVES // 2))
            page.get_by_role("button", name="Start").click()
            page.locator("[role=progressbar]:not([aria-valuenow='0'])").wait_for()
            busy.add(_drive(page, DRAG_MOVES // 2))
            page.get_by_role("button", name="Cancel", exact=True).click()  # fails where the map ended before the drag
            page.get_by_role("button", name="Cancel", exact=True).wait_for(state="hidden")
    rows = [_row("no map", quiet, quiet), _row("a map is computed", busy, quiet)]
    columns = ["meanwhile", "data p50", "data p95", "frame p50", "frame p95", "frame p50, ratio", "frame p95, ratio"]
    note = f"{ROUNDS} x {DRAG_MOVES // 2} moves each, one after the other on one page. Aim: p95 at most 1.5 times."
    return Table("A drag of rho on /gradients (n = 64, T = 100) beside a map, ms", columns, rows, [note])


def _drive(page: Page, count: int) -> list[list[float]]:
    """A drag of rho; a page that is scrolled to the map would also ask for the map's sentences at rest."""
    pairs: list[list[float]] = page.evaluate(DRIVER, {"kind": "lab", "values": drag_values(count), "rest": 0})
    return pairs


def _row(name: str, drags: Drags, quiet: Drags) -> tuple[str, ...]:
    times = [ms(quantile(sample)) for sample in (drags.data, drags.frame) for quantile in (p50, p95)]
    return (name, *times, *(f"{quantile(drags.frame) / quantile(quiet.frame):.2f}" for quantile in (p50, p95)))
