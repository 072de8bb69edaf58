"""How the browser tests open a lab, wait for it, and read what it shows. Waits are conditions, never times."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from playwright.sync_api import ConsoleMessage, Dialog, Locator, Page, Request, WebSocket, expect

READY = ".rs[data-sequence]"

#: Runs before every script of a page: notes what passes the WebSocket. `sequence` is the number of the last question
#: that the page sent, `patches` how many PATCH-DOC messages came in, `frames` how many of them carried a frame.
TAP = r"""
(() => {
  const tap = window.tap = { sequence: 0, patches: 0, frames: 0 };
  const Native = window.WebSocket;
  window.WebSocket = class extends Native {
    constructor(...given) {
      super(...given);
      this.addEventListener('message', ({ data }) => {
        if (typeof data !== 'string') return;
        if (data.includes('"PATCH-DOC"')) tap.patches += 1;
        if (data.includes('"attr":"frame"')) tap.frames += 1;
      });
    }
    send(data) {
      const found = typeof data === 'string' && /"sequence"[:,]\s*(\d+)/.exec(data);
      if (found) tap.sequence = Number(found[1]);
      super.send(data);
    }
  };
})();
"""


@dataclass(frozen=True)
class Site:
    """A running server."""

    port: int
    host: str = "127.0.0.1"

    @property
    def origin(self) -> str:
        return f"http://{self.host}:{self.port}"

    def url(self, route: str, query: str = "") -> str:
        return f"{self.origin}/{route}{'?' + query if query else ''}"


@dataclass
class Problems:
    """What a page may not do: complain on the console, fail, open a dialog, or ask another host for anything."""

    host: str
    found: list[str] = field(default_factory=list)
    allowed: list[str] = field(default_factory=list)

    def watch(self, page: Page) -> None:
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.found.append(f"pageerror: {error}"))
        page.on("request", self._request)
        page.on("requestfailed", lambda request: self.found.append(f"failed: {request.url}: {request.failure}"))
        page.on("websocket", self._websocket)
        page.on("dialog", self._dialog)

    def allow(self, pattern: str) -> None:
        """A message that the test itself provokes; the test says why where it calls this."""
        self.allowed.append(pattern)

    def unexpected(self) -> list[str]:
        return [text for text in self.found if not any(re.search(pattern, text) for pattern in self.allowed)]

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.found.append(f"console {message.type}: {message.text}")

    def _request(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob") and parts.netloc != self.host:
            self.found.append(f"request to another host: {request.url}")

    def _websocket(self, socket: WebSocket) -> None:
        if urlsplit(socket.url).netloc != self.host:
            self.found.append(f"socket to another host: {socket.url}")

    def _dialog(self, dialog: Dialog) -> None:
        self.found.append(f"dialog: {dialog.message}")
        dialog.dismiss()


def open_page(
    page: Page, url: str, *, width: int = 1440, height: int = 900, theme: str = "light", ready: str = READY
) -> Page:
    """Go to `url` and wait until the first frame is drawn and every question of the page is answered."""
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme=theme)
    page.goto(url)
    page.locator(ready).first.wait_for()
    if ready == READY:
        settled(page)
    return page


def settled(page: Page) -> None:
    """Wait until the page shows the answer to the last question it sent, and has nothing more to ask.

    A waiting question is sent before the page says so; what is computed at rest is asked for when it is in view.
    """
    root = page.locator(READY).element_handle()
    done = "({ dataset }) => Number(dataset.sequence) === window.tap.sequence && dataset.rest === 'true'"
    page.wait_for_function(done, arg=root)


def rested(page: Page) -> None:
    """Bring every part that is computed at rest into view, and wait until each shows its answer."""
    parts = page.locator("[data-detail]").all()
    for part in (one for one in parts if one.evaluate("(e) => e.checkVisibility()")):  # an embedded lab hides some
        part.scroll_into_view_if_needed()
        expect(part).to_have_attribute("aria-busy", "false")
    page.evaluate("() => scrollTo(0, 0)")
    settled(page)


def resize(page: Page, width: int, height: int = 900) -> None:
    """Another size of window; two frames later the page has chosen its drawing."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


# --- controls --------------------------------------------------------------------------------


def slider(page: Page, key: str) -> Locator:
    return page.locator(f"input[type=range][data-key={key}]")


def number_field(page: Page, key: str) -> Locator:
    return page.locator(f"input.num[data-key={key}]")


def text_field(page: Page, key: str) -> Locator:
    return page.locator(f"input.txt[data-key={key}]")


def choice(page: Page, key: str) -> Locator:
    return page.locator(f"select[data-key={key}]")


def segment(page: Page, key: str, value: str) -> Locator:
    return page.locator(f"label:has(> input[type=radio][data-key={key}][value={value}])")


def button(page: Page, name: str) -> Locator:
    """A button of the lab itself; the header has icons of the same names."""
    return page.locator(".rs").get_by_role("button", name=name, exact=True)


def type_into(field: Locator, text: str) -> None:
    """Type as a person does: replace what stands there, then Enter."""
    field.fill(text)
    field.press("Enter")


def notices(page: Page) -> list[str]:
    return page.locator(".notices .notice p").all_inner_texts()


# --- readouts --------------------------------------------------------------------------------

READ = """(elements) => elements.map((e) => ({ symbol: e.dataset.symbol, t: Number(e.dataset.t),
  unit: Number(e.dataset.unit), value: e.dataset.value, text: e.textContent.trim() }))"""


@dataclass(frozen=True)
class Readout:
    """One number that a page shows."""

    symbol: str
    t: int
    unit: int
    value: str
    text: str

    @property
    def key(self) -> tuple[str, int, int]:
        return self.symbol, self.t, self.unit


def cells(locator: Locator) -> list[Readout]:
    return [Readout(**found) for found in locator.evaluate_all(READ)]


def readouts(page: Page, within: str = ".rs") -> list[Readout]:
    """Every number inside `within`, in the order of the page."""
    return cells(page.locator(f"{within} .readout"))


def everything(page: Page) -> list[Readout]:
    """Every number of the page, those that are computed at rest too."""
    rested(page)
    return readouts(page)


def shown(page: Page, symbol: str, t: int, unit: int = 0) -> Locator:
    """The elements that show one number."""
    return page.locator(f".readout[data-symbol={symbol}][data-t='{t}'][data-unit='{unit}']")
