"""Find a Chromium for Playwright, install one where that is allowed, or say which command to run.

Run as a script it makes sure that there is one; imported, `launch_options()` says how to start it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

NAMES = ("chromium", "google-chrome", "chrome", "chromium-browser")
#: A test needs no update, no sync and no telemetry; without a way out each of them waits and then complains.
QUIET = ("--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run")
DOWNLOAD_SECONDS = 300
ADVICE = "No browser found. Run: playwright install chromium (or: apt-get install chromium)"


def own_browser() -> str | None:
    """Playwright's own Chromium, where it is installed."""
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def on_path() -> str | None:
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def find() -> str | None:
    """Playwright's own browser, else one on the PATH."""
    return own_browser() or on_path()


def install() -> str | None:
    """As root on Debian and Ubuntu from the distribution; else what Playwright can download."""
    if shutil.which("apt-get") and os.geteuid() == 0:
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "update", "-qq"], check=False, env=quiet)
        subprocess.run(
            ["apt-get", "install", "-y", "-qq", "chromium"], check=False, env=quiet, stdout=subprocess.DEVNULL
        )
        if on_path():
            return on_path()
    download = [sys.executable, "-m", "playwright", "install", "chromium"]
    try:
        subprocess.run(download, check=False, timeout=DOWNLOAD_SECONDS)
    except subprocess.TimeoutExpired:
        return None
    return find()


def launch_options(*extra: str) -> dict[str, Any]:
    """Keyword arguments for `playwright.chromium.launch`."""
    path = find()
    if path is None:
        raise RuntimeError(ADVICE)
    root = ("--no-sandbox",) if hasattr(os, "geteuid") and os.geteuid() == 0 else ()
    return {"executable_path": path, "args": [*root, *QUIET, "--disable-gpu", "--hide-scrollbars", *extra]}


if __name__ == "__main__":
    found = find() or install()
    if found is None:
        sys.exit(f"None could be installed. {ADVICE}")
    print(f"Browser: {found}")
