"""What the output remembers: each character of a text, by how much it counts for one output of three cells."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from rnnscope.core import (
    ALPHABET_SIZE,
    Config,
    build_cell,
    build_inputs,
    build_targets,
    input_gradient_norms,
    memory_reach,
    unroll,
)

from ..state import CELLS, GradientState
from ..view import Arrays
from ..words import Phrase, phrase, plain, readout
from .detail import Detail

NAMES = tuple(cell.upper() for cell in CELLS)
#: log10 of a norm ||dL_t / dx_k||; its unit is the place of its cell in NAMES.
SYMBOL = "dx_log10"
NOTE = (
    "The weights are drawn at random from this page’s settings: nothing has been trained. "
    "The cells share n, seed, family, ρ and input strength; the forget bias is the LSTM’s, reset and update the GRU’s."
)


def configs(state: GradientState) -> list[Config]:
    """The page's RNN, LSTM and GRU, reading the text and answering with the next character."""
    text: dict[str, Any] = {"input": "text", "text": state.text, "values": None, "T": len(state.text)}
    text |= {"d": ALPHABET_SIZE, "outputs": ALPHABET_SIZE, "loss": "cross_entropy"}
    return [replace(state.config_of(cell), **text) for cell in CELLS]


def norms(config: Config, t: int) -> np.ndarray:
    """log10 ||dL_t / dx_k|| for every character k of a config's text."""
    cell = build_cell(config)
    return input_gradient_norms(cell, unroll(cell, build_inputs(config)), build_targets(config), t)


def memory_card() -> dict[str, Any]:
    """The card, as a part of the lab's page."""
    columns: list[dict[str, Any]] = [
        {"head": "character $k$", "array": "k", "symbol": "t", "integer": True},
        {"head": "it is", "array": "k", "letters": "letters"},
        *({"head": f"{name}, log₁₀", "array": "norms", "unit": i, "symbol": SYMBOL} for i, name in enumerate(NAMES)),
    ]
    parts: list[dict[str, Any]] = [
        {"kind": "memoryText", "key": "text"},
        {"kind": "memory"},
        {"kind": "memoryScale"},
        {"kind": "text", "id": "summary", "cls": "plot-summary"},
        {"kind": "text", "id": "note", "cls": "note"},
        {"kind": "data", "label": "Gradient of each character", "columns": columns},
    ]
    return {
        "title": "What the output remembers",
        "cls": "more",
        "body": [p if p["kind"] == "memoryScale" else {**p, "detail": "memory"} for p in parts],
    }


class Memory(Detail):
    """The norms of three cells on one text, found again only where what they depend on has changed."""

    NAME = "memory"
    LOOKS = True  # the chosen output

    def __init__(self, lab: Any):
        super().__init__(lab)
        self._asked: Any = None
        self._norms = np.empty((0, len(CELLS)))

    def arrays(self) -> Arrays:
        asked = (*configs(self.lab.state), self._output())
        if asked != self._asked:
            self._norms = np.column_stack([norms(config, asked[-1]) for config in asked[:-1]])
            self._asked = asked
        return {"norms": (self._norms, 1), "k": (np.arange(1, len(self._norms) + 1), 1)}

    def texts(self) -> dict[str, Any]:
        return {
            "letters": list(self.lab.state.text),
            "output": self._output(),
            "cells": list(NAMES),
            "summary": self._summary(),
            "note": phrase(NOTE),
        }

    def _output(self) -> int:
        return self.lab.state.chosen_output()

    def _summary(self) -> Phrase:
        t, words = self._output(), []
        for i, name in enumerate(NAMES):
            reach = memory_reach(self._norms[:, i], t)
            words += [", " if i else "", f"{name} ", readout(reach, "reach", t, i, text=str(reach))]
        back = phrase("Characters back from the output that still count at least 1 % of its largest: ", *words)
        return [*back, plain(f". Output {t} of {len(self._norms)}.")]
