"""How soon /seq2seq answers a key stroke: encoding, a beam search of width 4, attention, and all of it drawn."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import threadpoolctl
from playwright.sync_api import Browser
from rnnscope.app import Seq2seqLab
from rnnscope.app.translation import Wanted, translate

from . import servers
from .browser import chromium, fresh_page, wait_until_drawn
from .report import Table, ms, p50, p95

DRIVE = (Path(__file__).parent / "typing.js").read_text("utf-8")
#: What is typed, character by character, three times.
TYPED = {
    "dates, additive, up to 30 characters": ("attention=additive", "Donnerstag, 10. September 1998"),
    "dates, no attention, up to 30 characters": ("attention=none", "Donnerstag, 10. September 1998"),
    "dates, dot, up to 12 characters": ("attention=dot", "3 march 2024"),
    "reversal, additive, up to 20 characters": ("task=reversal", "abcdefghabcdefghabcd"),
}
#: What Python alone is measured with: typed character by character too.
READ = {
    "dates, additive, 12 characters, beam 4": Wanted(text="3 march 2024"),
    "dates, additive, 30 characters, beam 4": Wanted(text="Donnerstag, 10. September 1998"),
    "reversal, additive, 20 characters, beam 8": Wanted(task="reversal", text="abcdefghabcdefghabcd", beam=8),
}
ROUNDS = 3
COLUMNS = ("what is typed", "key strokes", "answered p50", "answered p95")
NOTE = "From the input event to the second animation frame after Python's answer. Aim: 100 ms p50."

CPU_COLUMNS = ("source", "whole source read, searched, run", "its scenes", "answer p50", "answer p95")
CPU_NOTE = (
    "CPU time of the process, so that other load does not count, on one BLAS thread as the served labs have. "
    "The answers are those to every prefix of the source in turn, up to the frame that is sent."
)


def measure() -> list[Table]:
    with threadpoolctl.threadpool_limits(limits=1, user_api="blas"):
        rows = [(name, *_cpu_times(wanted)) for name, wanted in READ.items()]
    return [Table("A key stroke on /seq2seq in Python alone, ms of CPU", CPU_COLUMNS, rows, [CPU_NOTE]), _seen()]


def _cpu_times(wanted: Wanted) -> tuple[str, ...]:
    lab = Seq2seqLab({key: str(value) for key, value in asdict(wanted).items()})
    turns = range(ROUNDS * len(wanted.text))
    runs, scenes = _cpu(lambda _: translate(wanted).trace, turns), _cpu(lambda _: lab.scenes(), turns)
    texts = [wanted.text[: 1 + turn % len(wanted.text)] for turn in turns]
    answers = _cpu(lambda text: lab._answer({"action": "set", "sequence": 1, "values": {"text": text}}), texts)
    return ms(p50(runs)), ms(p50(scenes)), ms(p50(answers)), ms(p95(answers))


def _cpu(call: Callable[[Any], Any], inputs: Iterable[Any]) -> list[float]:
    """Milliseconds of CPU that each call takes."""
    times = []
    for given in inputs:
        start = time.process_time()
        call(given)
        times.append(1000 * (time.process_time() - start))
    return times


def _seen() -> Table:
    with chromium() as browser, servers.labs() as served:
        rows = [
            (name, *_times(browser, served.url(f"/seq2seq?{query}"), text)) for name, (query, text) in TYPED.items()
        ]
    return Table("A key stroke on /seq2seq, ms", COLUMNS, rows, [NOTE])


def _times(browser: Browser, url: str, text: str) -> tuple[str, ...]:
    texts = [text[:length] for length in range(1, len(text) + 1)]
    with fresh_page(browser) as page:
        page.goto(url)
        wait_until_drawn(page, ".rs[data-sequence]")
        page.evaluate(DRIVE, texts)
        times = [time for _ in range(ROUNDS) for time in page.evaluate(DRIVE, texts)]
    return str(len(times)), ms(p50(times)), ms(p95(times))
