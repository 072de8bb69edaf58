"""The first visit: from the start of navigation to the first diagram with numbers, and what came over the wire."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, CDPSession, Page

from . import servers
from .browser import READY_MS, chromium, fresh_page
from .report import Table, p50

PATHS = ("/gradients", "/unfold", "/lstm")
VISITS = 5
OBSERVER = (Path(__file__).parent / "first_visit.js").read_text("utf-8")
SEEN = "() => window.firstVisit.diagram > 0 && window.firstVisit.idle > 0"
COLUMNS = (
    *("page", "first paint, s", "diagram, s", "Bokeh idle, s"),
    *("HTTP, kB", "socket, kB", "all, MB", "requests", "other hosts"),
)
NOTE = (
    f"Median of {VISITS} visits with a cold cache, from the start of navigation. Diagram: the frame after a readout "
    "with its value and a drawn SVG stand in the page; Bokeh idle: Bokeh's views have finished. HTTP with headers, "
    "compressed. Aim: /gradients under 1.5 s and under 1.5 MB, nothing from another host."
)
PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"


@dataclass
class Wire:
    """What Chromium says of its network: encoded bytes, requests, and hosts that are not ours."""

    own: str
    requests: int = 0
    http: float = 0
    socket: float = 0
    strangers: set[str] = field(default_factory=set)

    def follow(self, session: CDPSession) -> None:
        session.send("Network.enable")
        session.on("Network.requestWillBeSent", lambda event: self._ask(event["request"]["url"]))
        session.on("Network.webSocketCreated", lambda event: self._ask(event["url"]))
        session.on("Network.loadingFinished", self._finished)
        session.on("Network.webSocketFrameReceived", self._frame)

    def _ask(self, url: str) -> None:
        """Data and blob addresses do not leave the browser."""
        parts = urlsplit(url)
        if parts.scheme in ("data", "blob"):
            return
        self.requests += 1
        if parts.netloc != self.own:
            self.strangers.add(parts.netloc or parts.scheme)

    def _finished(self, event: dict[str, Any]) -> None:
        self.http += event["encodedDataLength"]

    def _frame(self, event: dict[str, Any]) -> None:
        """Text as it is; binary frames come as base64."""
        response = event["response"]
        length = len(response["payloadData"])
        self.socket += length if response["opcode"] == 1 else length * 3 / 4


@dataclass
class Visit:
    """Milliseconds and the wire of one visit."""

    paint: float
    diagram: float
    idle: float
    wire: Wire


def measure() -> list[Table]:
    with servers.labs() as served, chromium() as browser:
        _visit(browser, served, "/lstm")  # the browser's own start is not the lab's
        rows = [_row(path, [_visit(browser, served, path) for _ in range(VISITS)]) for path in PATHS]
    return [Table("The first visit", COLUMNS, rows, [NOTE])]


def _visit(browser: Browser, served: servers.Served, path: str) -> Visit:
    wire = Wire(served.address)
    with fresh_page(browser) as page:
        wire.follow(page.context.new_cdp_session(page))
        page.add_init_script(OBSERVER)
        page.goto(served.url(path))
        page.wait_for_function(SEEN, timeout=READY_MS)
        page.wait_for_load_state("networkidle", timeout=READY_MS)
        times = page.evaluate("() => window.firstVisit")
        return Visit(_paint(page), times["diagram"], times["idle"], wire)


def _paint(page: Page) -> float:
    return float(page.evaluate(PAINT))


def _row(path: str, visits: list[Visit]) -> tuple[str, ...]:
    paint, diagram, idle = (p50([getattr(v, name) for v in visits]) / 1000 for name in ("paint", "diagram", "idle"))
    http, socket = (p50([getattr(v.wire, name) for v in visits]) / 1000 for name in ("http", "socket"))
    requests = p50([v.wire.requests for v in visits])
    strangers = sorted(set().union(*(v.wire.strangers for v in visits)))
    times = (f"{paint:.2f}", f"{diagram:.2f}", f"{idle:.2f}")
    sizes = (f"{http:.0f}", f"{socket:.0f}", f"{(http + socket) / 1000:.2f}", f"{requests:.0f}")
    return (path, *times, *sizes, ", ".join(strangers) or "none")
