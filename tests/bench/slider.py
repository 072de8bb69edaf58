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
COLUMNS = ("page", "data p50", "data p95", "frame p50", "frame p95", "RNNScope / it, p50", "RNNScope / it, p95")
DRAG_NOTE = (
    f"The next move as soon as the second frame is there, {ROUNDS} x {DRAG_MOVES} moves after {WARM_UP}. Data: from "
    "the change until the new data is in the page (RNNScope: laid out too); frame: until the second animation frame "
    "after that. Aim: frame p50 at most 50 ms, and 1.3 times the bare page."
)
REST_NOTE = f"{REST_MS} ms of rest between moves, {ROUNDS} x {REST_MOVES} moves."
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
        Row("two frames alone", "nothing", servers.labs, LAB_PATH),
        Row("bare Bokeh, as it comes", "bare", lambda: servers.bare(nodelay=False), "/"),
        Row("bare Bokeh, Nagle off", "bare", lambda: servers.bare(nodelay=True), "/"),
        Row("RNNScope /gradients", "lab", servers.labs, LAB_PATH),
    ]
    with chromium() as browser:
        for number in range(ROUNDS):
            for row in rows[:: -1 if number % 2 else 1]:
                _visit(browser, row)
    tables = [_table("drag", DRAG_NOTE, rows), _table("rest", REST_NOTE, rows), _traffic_table(rows[1:])]
    return [*tables, share.measure().table(p50(rows[-1].drag.frame))]


def _visit(browser: Browser, row: Row) -> None:
    """One round of one row: its own server, its own page, warm-up, a drag, moves with rests."""
    with row.serve() as served, fresh_page(browser) as page:
        row.traffic = traffic = Traffic()
        page.on("websocket", traffic.follow)
        page.goto(served.url(row.path))
        wait_until_drawn(page, "canvas" if row.kind == "bare" else ".rs[data-sequence]")

        def drive(count: int, rest: int) -> list[list[float]]:
            return page.evaluate(DRIVER, {"kind": row.kind, "values": drag_values(count), "rest": rest})

        drive(WARM_UP, 0)
        traffic.patches = traffic.bytes = 0
        row.drag.add(drive(DRAG_MOVES, 0))
        row.rest.add(drive(REST_MOVES, REST_MS))


def drag_values(count: int) -> list[float]:
    """A drag up and down in steps of 0.01, the same for every page; no value stands twice in a row."""
    span = HIGH - LOW
    return [(LOW + abs((i + span) % (2 * span) - span)) / 100 for i in range(1, count + 1)]


def _table(regime: str, note: str, rows: list[Row]) -> Table:
    """Times of one regime; the last columns say how much longer RNNScope takes than this row's page."""
    lab: Moves = getattr(rows[-1], regime)
    lines = []
    for row in rows:
        moves: Moves = getattr(row, regime)
        times = [ms(quantile(sample)) for sample in (moves.data, moves.frame) for quantile in (p50, p95)]
        ratios = [f"{quantile(lab.frame) / quantile(moves.frame):.2f}" for quantile in (p50, p95)]
        lines.append((row.name, *times, *ratios))
    return Table(f"One move of rho on /gradients (n = 32, T = 100), ms: {regime}", COLUMNS, lines, [note])


def _traffic_table(rows: list[Row]) -> Table:
    moves = DRAG_MOVES + REST_MOVES
    lines = [
        (row.name, f"{row.traffic.patches / moves:.2f}", f"{row.traffic.bytes / moves / 1000:.1f}")
        for row in rows
        if row.traffic
    ]
    return Table("What comes to the browser for one move", ["page", "patch messages", "kB"], lines)
