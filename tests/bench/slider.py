"""A drag of rho on /gradients beside a bare Bokeh page with the same figure and the same core run."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, WebSocket

from . import servers, share
from .browser import chromium, fresh_page, wait_until_drawn
from .report import Table, ms, p50, p95

DRIVER = (Path(__file__).parent / "drive.js").read_text("utf-8")
LAB_PATH = "/gradients?n=32&T=100"
ROUNDS = 2
WARM_UP, DRAG_MOVES, REST_MOVES = 10, 60, 30
REST_MS = 120
#: Hundredths of rho where a drag goes back and forth: vanishing on one end, exploding on the other.
LOW, HIGH = 70, 150


@dataclass
class Moves:
    """Milliseconds from the change to its data and to the second frame, and what the socket brought."""

    data: list[float] = field(default_factory=list)
    frame: list[float] = field(default_factory=list)

    def add(self, pairs: list[list[float]]) -> None:
        self.data += [data for data, _ in pairs]
        self.frame += [frame for _, frame in pairs]


@dataclass
class Row:
    """One line of the table: a page, how to drive it, and its samples of both regimes."""

    name: str
    kind: str
    serve: Callable[[], AbstractContextManager[servers.Served]]
    path: str
    drag: Moves = field(default_factory=Moves)
    rest: Moves = field(default_factory=Moves)
    traffic: Traffic | None = None


class Traffic:
    """The messages that come over a page's WebSocket: how many patches, how many bytes."""

    def __init__(self) -> None:
        self.patches = self.bytes = 0

    def follow(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._count)

    def _count(self, payload: str | bytes) -> None:
        self.bytes += len(payload.encode() if isinstance(payload, str) else payload)
        if isinstance(payload, str) and payload.startswith('{"msgid"'):
            self.patches += json.loads(payload)["msgtype"] == "PATCH-DOC"


def measure() -> list[Table]:
    rows = [
        Row("bare Bokeh, as it comes", "bare", lambda: servers.bare(nodelay=False), "/"),
        Row("bare Bokeh, Nagle off", "bare", lambda: servers.bare(nodelay=True), "/"),
        Row("RNNScope /gradients", "lab", servers.labs, LAB_PATH),
    ]
    floor = Row("two frames alone", "nothing", servers.labs, LAB_PATH)
    with chromium() as browser:
        for order in ([floor, *rows], rows[::-1])[:ROUNDS]:
            for row in order:
                _visit(browser, row)
    server = share.measure()
    return [_table(floor, rows), _traffic_table(rows), server.table(p50(rows[-1].drag.frame))]


def _visit(browser: Browser, row: Row) -> None:
    """One round of one row: its own server, its own page, warm-up, a drag, moves with rests."""
    with row.serve() as served, fresh_page(browser) as page:
        row.traffic = traffic = Traffic()
        page.on("websocket", traffic.follow)
        page.goto(served.url(row.path))
        wait_until_drawn(page)

        def drive(count: int, rest: int) -> list[list[float]]:
            return page.evaluate(DRIVER, {"kind": row.kind, "values": _values(count), "rest": rest})

        drive(WARM_UP, 0)
        traffic.patches = traffic.bytes = 0
        row.drag.add(drive(DRAG_MOVES, 0))
        row.rest.add(drive(REST_MOVES, REST_MS))


def _values(count: int) -> list[float]:
    """A drag up and down in steps of 0.01, the same for every page; no value stands twice in a row."""
    span = HIGH - LOW
    return [(LOW + abs((i + span) % (2 * span) - span)) / 100 for i in range(1, count + 1)]


def _table(floor: Row, rows: list[Row]) -> Table:
    lab = rows[-1]
    lines = [_times(row) for row in (floor, *rows)]
    for row in rows[:-1]:
        pairs = [(lab.drag.data, row.drag.data), (lab.drag.frame, row.drag.frame), (lab.rest.data, row.rest.data), (lab.rest.frame, row.rest.frame)]
        ratios = [f"{quantile(ours) / quantile(theirs):.2f}" for ours, theirs in pairs for quantile in (p50, p95)]
        lines.append((f"RNNScope / {row.name}", *ratios))
    columns = [f"{regime}, {what} {quantile}" for regime in ("drag", "rests") for what in ("data", "frame") for quantile in ("p50", "p95")]
    return Table("One move of rho on /gradients (n = 32, T = 100), ms in Chromium", ["page", *columns], lines, _notes())


def _notes() -> list[str]:
    return [
        f"drag: the next move as soon as the second frame is there, {ROUNDS} x {DRAG_MOVES} moves after {WARM_UP}; "
        f"rests: {REST_MS} ms between moves, {ROUNDS} x {REST_MOVES}. data: from the change until the new data is in the "
        "page (lab: laid out and painted too); frame: until the second animation frame after that. Aim: frame p50 of the "
        "drag at most 50 ms and 1.3 times the bare page.",
    ]


def _times(row: Row) -> tuple[str, ...]:
    samples = (row.drag.data, row.drag.frame, row.rest.data, row.rest.frame)
    return (row.name, *(ms(quantile(sample)) for sample in samples for quantile in (p50, p95)))


def _traffic_table(rows: list[Row]) -> Table:
    moves = DRAG_MOVES + REST_MOVES
    lines = [
        (row.name, f"{row.traffic.patches / moves:.2f}", f"{row.traffic.bytes / moves / 1000:.1f}")
        for row in rows
        if row.traffic
    ]
    return Table("What comes to the browser for one move", ["page", "patch messages", "kB"], lines)
