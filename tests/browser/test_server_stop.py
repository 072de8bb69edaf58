"""Servers of their own: stopped under an open page and started again; `panel serve`; Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import READY, Problems, Site, button, number_field, open_page, readouts, settled, type_into

ROOT = Path(__file__).resolve().parents[2]
HOST = "127.0.0.1"
STOP_SECONDS = 15
NAMES = ["Unfold", "Gradients", "BPTT", "LSTM", "GRU", "Bidirectional", "Seq2seq", "Attention"]
SERVE = [sys.executable, "-m", "rnnscope.app.cli", "serve", "--address", HOST]
PANEL = [sys.executable, "-m", "panel", "serve", "--address", HOST, "--port", "0"]


@contextmanager
def running(command: list[str]) -> Iterator[subprocess.Popen[str]]:
    """A server in a process group of its own, which is gone when the block ends."""
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(STOP_SECONDS)
        assert process.stdout is not None
        process.stdout.close()


def port_of(process: subprocess.Popen[str]) -> int:
    """Read what the server prints until it names its address."""
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line)
        if f"http://{HOST}:" in line:
            return int(line.split(f"http://{HOST}:")[1].split("/")[0])
    raise AssertionError("The server did not start: " + "".join(lines))


def own_site(own_page: Page, problems: Problems, process: subprocess.Popen[str]) -> Site:
    site = Site(port_of(process))
    problems.host = f"{HOST}:{site.port}"
    return site


def test_a_page_whose_server_stops_says_so_and_a_reload_brings_the_state_back(
    own_page: Page, problems: Problems
) -> None:
    problems.allow("WebSocket|ERR_CONNECTION_REFUSED|[Ll]ost|[Cc]onnection")  # the server is killed on purpose
    with running([*SERVE, "--port", "0"]) as process:
        site = own_site(own_page, problems, process)
        open_page(own_page, site.url("unfold"))
        type_into(number_field(own_page, "W"), "0.75")
        settled(own_page)
        before = [(read.key, read.value) for read in readouts(own_page)]
        process.kill()
        alert = own_page.get_by_role("alert")
        expect(alert).to_contain_text("server does not answer")
        expect(alert).to_contain_text("reload")
    with running([*SERVE, "--port", str(site.port)]) as process:
        port_of(process)
        button(own_page, "Reload").click()
        own_page.wait_for_function("() => document.readyState === 'complete'")
        own_page.locator(READY).wait_for()
        settled(own_page)
        assert own_page.get_by_role("alert").inner_text() == ""
        assert [(read.key, read.value) for read in readouts(own_page)] == before
        assert own_page.url == site.url("unfold", "W=0.75")


def test_plain_panel_serve_shows_every_lab_and_stays_quiet(own_page: Page, problems: Problems) -> None:
    pages = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "app" / "pages").glob("*.py"))
    with running([*PANEL, *pages]) as process:
        site = own_site(own_page, problems, process)
        for lab in ("unfold", "gradients", "bptt", "lstm"):
            open_page(own_page, site.url(lab))
            assert readouts(own_page)
            assert own_page.locator("header.app").is_visible()
            key = {"unfold": "W", "gradients": "rho", "bptt": "W", "lstm": "forget_bias"}[lab]
            type_into(number_field(own_page, key), "0.5")
            settled(own_page)
            assert number_field(own_page, key).input_value() == "0.5"
        own_page.goto("about:blank")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "SIGTERM"])
def test_a_signal_stops_the_server_cleanly(own_page: Page, problems: Problems, number: signal.Signals) -> None:
    problems.allow("WebSocket|ERR_CONNECTION_REFUSED|[Ll]ost|[Cc]onnection")  # the server is stopped on purpose
    with running([*SERVE, "--port", "0"]) as process:
        site = own_site(own_page, problems, process)
        open_page(own_page, site.url("lstm"))
        process.send_signal(number)
        assert process.wait(STOP_SECONDS) == 0
        assert process.stdout is not None
        assert process.stdout.read() == "", "nothing more is printed, no traceback"
        assert not group_lives(process.pid)


def group_lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_the_printed_address_opens_the_home_page_and_every_lab_answers(own_page: Page, problems: Problems) -> None:
    with running([*SERVE, "--port", "0"]) as process:
        site = own_site(own_page, problems, process)
        open_page(own_page, site.url(""), ready=".home .card")
        links = own_page.locator(".home h2 a")
        assert links.all_inner_texts() == NAMES
        links.last.click()
        own_page.locator(READY).wait_for()
        assert own_page.url == site.url("attention")
        own_page.goto("about:blank")
