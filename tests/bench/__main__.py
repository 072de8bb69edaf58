"""Run the bench: `python -m tests.bench [--only PART ...] [--record]` from the root of the repository."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from . import machine
from .report import Table

RESULTS = Path(__file__).parent / "results.md"
PARTS = (
    "slider",
    "typing",
    "film",
    "loom",
    "substep",
    "surgery",
    "chaos_map",
    "static",
    "first_visit",
    "sessions",
    "core_speed",
)


def main() -> None:
    """Measure the parts one after the other, so that none is in another's way, and print their tables."""
    chosen = _arguments()
    heading = f"## {machine.today()}\n\n{machine.describe()}\n"
    print(heading, flush=True)
    texts = []
    for name in chosen.only or PARTS:
        for table in _measure(name)():
            texts.append(table.markdown())
            print(texts[-1], flush=True)
    if chosen.record:
        _record("\n".join([heading, *texts]))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Measure RNNScope on this machine.")
    parser.add_argument("--only", nargs="+", choices=PARTS, metavar="PART", help=f"some of {', '.join(PARTS)}")
    parser.add_argument("--record", action="store_true", help=f"append the tables to tests/bench/{RESULTS.name}")
    return parser.parse_args()


def _measure(name: str) -> Callable[[], list[Table]]:
    """Each part is imported when it runs: the bench of core needs no browser."""
    measure: Callable[[], list[Table]] = import_module(f".{name}", __package__).measure
    return measure


def _record(text: str) -> None:
    with RESULTS.open("a", encoding="utf-8") as results:
        results.write(f"\n{text}")
    print(f"Recorded in tests/bench/{RESULTS.name}")


if __name__ == "__main__":
    main()
