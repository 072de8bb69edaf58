"""Accuracy against length on /seq2seq: counts of the training run's record, shares, and how far they can be off."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from rnnscope.core.intervals import Z_95

from ...words import Phrase, phrase, readout
from .answer import OTHER_WAY, Asked, Check, Entry, MissingError, check

WHAT = {
    "counts": "held-out sources of {t} characters",
    "right": "held-out sources of {t} characters that were decoded exactly",
    "shares": "share of the held-out sources of {t} characters that were decoded exactly",
    "low": "lower end of the 95 % interval of the accuracy at {t} characters",
    "high": "upper end of the 95 % interval of the accuracy at {t} characters",
}
CODE = {
    "counts": "n", "right": "s", "shares": "s / n", "low": "wilson_interval(s, n)[0]",
    "high": "wilson_interval(s, n)[1]",
}  # fmt: skip
RECORD = "The counts are those of the record that was written when the model was trained."
INTERVAL = "score interval of s / n"
TITLE = {"counts": "n", "right": "s", "shares": "s / n", "low": INTERVAL, "high": INTERVAL}


def table(asked: Asked) -> Any:
    """What the card shows."""
    return asked.lab.detail("bottleneck").found()


def _rows(name: str) -> Callable[[Asked], tuple[Any, int]]:
    def rows(asked: Asked) -> tuple[Any, int]:
        shown = table(asked)
        lengths = shown.lengths
        found = np.full((int(lengths[-1]) + 1, 2), np.nan)
        found[lengths] = getattr(shown, name)
        if 0 <= asked.t < len(found) and np.isnan(found[asked.t]).all():
            raise MissingError(f"No source of {asked.t} characters was measured.")
        return found, 0

    return rows


def _setup(asked: Asked) -> list[str]:
    name, task = table(asked).names[asked.unit], asked.lab.state.task
    record = f'load("{task}", "{name}").record["by_length"]'
    return [
        "from rnnscope.app.weights import load",
        f"s, n = next((s, n) for length, s, n in {record} if length == {asked.t})",
    ]


def _checks(name: str) -> Callable[[Asked, float], list[Check]]:
    def checks(asked: Asked, value: float) -> list[Check]:
        s, n = (_rows(key)(asked)[0][asked.t, asked.unit] for key in ("right", "counts"))
        if name == "shares":
            return [check("Counted right over counted", s / n, value)]
        if name not in ("low", "high"):
            return []
        a = Z_95**2 / n
        roots = sorted(np.roots([1 + a, -(2 * s / n + a), (s / n) ** 2]).real)
        return [check("Root of n (s/n − p)² = z² p (1 − p)", roots[name == "high"], value, "other", OTHER_WAY)]

    return checks


def _words(name: str) -> Callable[[Asked], str]:
    return lambda at: f"{WHAT[name].format(t=at.t)}, {'without' if at.unit == 0 else 'with'} attention"


def _gap(asked: Asked) -> tuple[Any, int]:
    shares, first = _rows("shares")(asked)
    return (shares[:, 1] - shares[:, 0])[:, None], first


def _quotients(asked: Asked) -> tuple[float, float]:
    """Right over counted, without attention and with it."""
    right, counts = (_rows(name)(asked)[0][asked.t] for name in ("right", "counts"))
    return float(right[0] / counts[0]), float(right[1] / counts[1])


def _gap_lines(asked: Asked) -> list[Phrase]:
    without, attended = _quotients(asked)
    return [phrase(readout(attended, ""), " − ", readout(without, ""), " = ", readout(attended - without, ""))]


def _gap_setup(asked: Asked) -> list[str]:
    names, task = table(asked).names, asked.lab.state.task
    return [
        "from rnnscope.app.weights import load",
        f'records = [load("{task}", name).record["by_length"] for name in {names!r}]',
        f"shares = [next(s / n for length, s, n in record if length == {asked.t}) for record in records]",
    ]


LENGTHS: Mapping[str, Entry] = MappingProxyType(
    {
        **{
            f"accuracy_{name}": Entry(
                words=_words(name),
                rows=_rows(name),
                code=lambda _, name=name: CODE[name],  # type: ignore[misc]
                title=lambda _, name=name: phrase(TITLE[name]),  # type: ignore[misc]
                checks=_checks(name),
                note=lambda _: phrase(RECORD),
                setup=_setup,
            )
            for name in WHAT
        },
        "accuracy_gap": Entry(
            words=lambda at: f"accuracy with attention less that without, at {at.t} characters",
            rows=_gap,
            code=lambda _: "shares[1] - shares[0]",
            title=lambda _: phrase("difference of two shares"),
            lines=_gap_lines,
            checks=lambda at, value: [check("Their quotients", -np.subtract(*_quotients(at)), value)],
            setup=_gap_setup,
        ),
    }
)
