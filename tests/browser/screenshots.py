"""Pictures of every lab and the home page into screenshots/: `make screenshots`. Starts a server of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from find_browser import launch_options
from playwright.sync_api import Browser, sync_playwright

FOLDER = Path(__file__).resolve().parents[2] / "screenshots"
PAGES = {
    "home": "",
    "unfold": "unfold",
    "gradients": "gradients",
    "bptt": "bptt",
    "lstm": "lstm",
    "gru": "gru",
    "bidirectional": "bidirectional",
    "seq2seq": "seq2seq",
    "attention": "attention",
}
SIZES = ((1440, 900), (390, 844))
THEMES = ("light", "dark")
EMBED = (640, 950)
READY = ".rs[data-sequence]"


@contextmanager
def served() -> Iterator[str]:
    """The address of `rnnscope serve` on a free port; the server ends with the block."""
    command = [sys.executable, "-m", "rnnscope.app.cli", "serve", "--port", "0", "--address", "127.0.0.1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().split("   ")[0].removeprefix("RNNScope is at ").strip()
        finally:
            process.terminate()


def shoot(browser: Browser, url: str, name: str, *, ready: str, size: tuple[int, int], theme: str) -> None:
    """One picture of what is on the screen, once the page and its plots stand and every question is answered."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=theme)
    page = context.new_page()
    page.goto(url)
    page.locator(ready).first.wait_for()
    page.wait_for_function("() => (window.Bokeh?.documents ?? []).every((document) => document.is_idle)")
    page.screenshot(path=FOLDER / f"{name}.png")
    context.close()
    print(f"screenshots/{name}.png")


def main() -> None:
    options = launch_options()
    FOLDER.mkdir(exist_ok=True)
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**options)
        for name, route in PAGES.items():
            ready = READY if route else ".home .card"
            for size in SIZES:
                for theme in THEMES:
                    shoot(browser, address + route, f"{name}_{size[0]}_{theme}", ready=ready, size=size, theme=theme)
            if route:
                shoot(browser, f"{address}{route}?embed=1", f"{name}_embed", ready=READY, size=EMBED, theme="light")
        browser.close()


if __name__ == "__main__":
    main()
