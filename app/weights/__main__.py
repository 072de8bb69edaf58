"""`python -m rnnscope.app.weights`: make the trained models again."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from rnnscope.core.training import RECIPES

from ..cli import INTERRUPTED
from ..sweeps.errors import SweepError
from . import files
from .command import Standing, make_weights
from .errors import WeightsError

#: Characters of the progress bar.
BAR = 24


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    chosen = _parser().parse_args(arguments)
    recipes = [RECIPES[name] for name in dict.fromkeys(chosen.only or RECIPES)]
    shown = _Shown(sys.stderr.isatty())
    try:
        records = make_weights(recipes, chosen.out, chosen.workers, shown)
    except (WeightsError, SweepError, OSError) as error:
        shown.end()
        print(f"weights: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        shown.end()
        print(
            f"weights: stopped; what is done is in {chosen.out}: the same command goes on from there", file=sys.stderr
        )
        return INTERRUPTED
    shown.end()
    for name, record in records.items():
        right, seconds = 100 * record["accuracy"], record["cpu_seconds"]
        print(f"{name}: {right:.2f} % of {record['held_out']} held-out examples exact, {seconds:.0f} s of CPU")
    return 0


class _Parser(argparse.ArgumentParser):
    """argparse, with its error on one line."""

    def error(self, message: str) -> None:  # type: ignore[override]
        print(f"weights: {message} (see {self.prog} --help)", file=sys.stderr)
        raise SystemExit(2)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="python -m rnnscope.app.weights",
        description="Train the models that ship. A run that was stopped goes on when the same command is given again.",
    )
    parser.add_argument(
        "--only", action="append", choices=tuple(RECIPES), metavar="NAME",
        help=f"make this model alone; may be given again: {', '.join(RECIPES)}",
    )  # fmt: skip
    parser.add_argument(
        "--out", type=Path, default=files.SHIPPED, metavar="DIR", help="default: the package's own folder"
    )
    parser.add_argument("--workers", type=_count, default=os.cpu_count() or 1, metavar="N", help="default: all cores")
    return parser


def _count(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"a number of processes is 1 or more, not {text!r}")
    return int(text)


class _Shown:
    """A bar that is written over on a terminal; elsewhere a line when a model has begun, and for each tenth of it."""

    def __init__(self, terminal: bool) -> None:
        self._terminal = terminal
        self._tenths: dict[str, int] = {}
        self._open = False

    def __call__(self, standings: Sequence[Standing]) -> None:
        if self._terminal:
            print(f"\r\x1b[K{bar_text(standings)}", end="", file=sys.stderr, flush=True)
            self._open = True
            return
        for standing in standings:
            name, step = standing.progress.recipe.name, standing.progress.step
            tenth = 10 * step // standing.progress.recipe.steps
            if step and tenth > self._tenths.get(name, -1):
                self._tenths[name] = tenth
                print(line_text(standing), file=sys.stderr, flush=True)

    def end(self) -> None:
        """Leave the line of the bar."""
        if self._open:
            print(file=sys.stderr)
            self._open = False


def bar_text(standings: Sequence[Standing]) -> str:
    """All models as one line: a bar, and how many are trained."""
    done = sum(standing.progress.step for standing in standings)
    total = sum(standing.progress.recipe.steps for standing in standings)
    filled = BAR * done // total
    ready = sum(standing.progress.done for standing in standings)
    return f"[{'#' * filled}{'.' * (BAR - filled)}] {100 * done // total} %, {ready} of {len(standings)} models trained"


def line_text(standing: Standing) -> str:
    """One model: its step, loss and accuracy."""
    progress = standing.progress
    return (
        f"{progress.recipe.name}: step {progress.step} of {progress.recipe.steps}, "
        f"loss {progress.loss:.4f}, {100 * progress.accuracy:.1f} % right with teacher forcing"
    )


if __name__ == "__main__":
    sys.exit(main())
