"""The traces under a cell diagram: which quantities, in which colours, over which fixed ranges."""

from __future__ import annotations

from typing import Any

from rnnscope.core.notation import find_notation

from .scene import line_runs, symbol

#: (array, role, name, fixed range); a cell state has no bound, so its range is chosen by its run.
LSTM_TRACES = (
    ("f", "gate", "forget", (0, 1)),
    ("i", "gate", "input", (0, 1)),
    ("o", "gate", "output", (0, 1)),
    ("g", "candidate", "candidate", (-1, 1)),
    ("c", "cell", "cell", (None, None)),
    ("h", "hidden", "hidden", (-1, 1)),
)
GRU_TRACES = (
    ("z", "gate", "update", (0, 1)),
    ("r", "gate", "reset", (0, 1)),
    ("g", "candidate", "candidate", (-1, 1)),
    ("h", "hidden", "hidden", (-1, 1)),
)


def trace_series(notation: str, cell: str = "lstm") -> list[dict[str, Any]]:
    """The series of a gated cell's traces, with the letters of a notation."""
    traces, state = (GRU_TRACES, "h") if cell == "gru" else (LSTM_TRACES, "c")
    letter, accent, _ = find_notation(notation, True, state).candidate
    letters = {"g": f"{letter}~" if accent else letter}
    return [
        {
            "symbol": name,
            "role": role,
            "name": words,
            "lo": low,
            "hi": high,
            "label": line_runs(symbol(letters.get(name, name))),
        }
        for name, role, words, (low, high) in traces
    ]


def beside_series() -> list[dict[str, Any]]:
    """The hidden state of an RNN, a GRU and an LSTM on one fixed range."""
    return [
        {
            "symbol": f"h_{cell}",
            "role": "hidden",
            "name": cell.upper(),
            "lo": -1,
            "hi": 1,
            "label": line_runs(symbol("h")),
        }
        for cell in ("rnn", "gru", "lstm")
    ]
