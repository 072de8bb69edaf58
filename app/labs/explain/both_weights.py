"""Weights and counts of two chains: where each entry comes from."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from rnnscope.core import build_bidirectional, build_cell
from rnnscope.core.notation import find_notation, weight_token

from ...words import Phrase, phrase, token_words
from . import origin
from .answer import Asked, Check, Entry, MissingError, check
from .both_chain import WAYS, shown_run

ARROWS = {"forward": "right", "backward": "left"}
ALONE = ("W_hh", "W_xh", "b_h", "b_hh")


class Chain:
    """One chain as a lab of one cell."""

    def __init__(self, lab: Any, way: str):
        self.run, self.cell = self, getattr(lab.run.network, way)
        self.config, self.state = lab.run.config.chain, lab.state


def _inside(asked: Asked, way: str, name: str) -> Asked:
    return replace(asked, lab=Chain(asked.lab, way), symbol=name)


def _array(asked: Asked, way: str, name: str) -> np.ndarray:
    found = getattr(getattr(shown_run(asked).network, way), name, None)
    if found is None:
        raise MissingError(f"This cell has no {name}.")
    return np.asarray(found)


def _gate(asked: Asked, way: str, name: str) -> str | None:
    """The block of a gated cell in which an entry stands."""
    gates, array = getattr(shown_run(asked).network, way).gate_names, _array(asked, way, name)
    if not gates or name == "b_hh":
        return None
    found: str = gates[asked.unit // (array.size // len(gates))]
    return found


def _title(way: str, name: str) -> Any:
    def title(asked: Asked) -> Phrase:
        inside = _inside(asked, way, name)
        token = weight_token(inside.letters, name, _gate(asked, way, name), transposed=False)
        return token_words([replace(token, accent=ARROWS[way])])

    return title


def _note(way: str, name: str) -> Any:
    def note(asked: Asked) -> Phrase:
        said = origin.weight_origin(_inside(asked, way, name), name, _gate(asked, way, name))
        return phrase(said if way == "forward" else said.replace("stream ", "stream backward_"))

    return note


def _weight(way: str, name: str) -> Entry:
    def checks(asked: Asked, value: float) -> list[Check]:
        drawn = build_cell(shown_run(asked).config.chain, "" if way == "forward" else "backward_")
        return [check(origin.MADE_AGAIN, getattr(drawn, name).flat[asked.unit], value)]

    return Entry(
        words=f"{'bias' if name.startswith('b') else 'weight'} of the {way} chain",
        rows=lambda at: (_array(at, way, name).reshape(1, -1), at.t),
        code=lambda at: f"r.network.{way}.{name}.flat[{at.unit}]",
        title=_title(way, name),
        checks=checks,
        note=_note(way, name),
        where=lambda at: f", entry {at.unit + 1}",
    )


def _read_out(name: str, words: str, said: str) -> Entry:
    def title(asked: Asked) -> Phrase:
        letters = find_notation(asked.notation, bool(shown_run(asked).network.forward.gate_names))
        return token_words([weight_token(letters, name, None, transposed=False)])

    def checks(asked: Asked, value: float) -> list[Check]:
        drawn = getattr(build_bidirectional(shown_run(asked).config), name)
        return [check(origin.MADE_AGAIN, drawn.flat[asked.unit], value)]

    return Entry(
        words=words,
        rows=lambda at: (np.asarray(getattr(shown_run(at).network, name)).reshape(1, -1), at.t),
        code=lambda at: f"r.network.{name}.flat[{at.unit}]",
        title=title,
        checks=checks,
        note=lambda at: phrase(said.format(seed=shown_run(at).config.chain.seed)),
        where=lambda at: f", entry {at.unit + 1}",
    )


# --- counts ------------------------------------------------------------------------------------


def _counted(asked: Asked, ways: tuple[str, ...]) -> int:
    arrays = [getattr(getattr(shown_run(asked).network, way), name, None) for way in ways for name in ALONE]
    return sum(int(array.size) for array in arrays if array is not None)


def _count(ways: tuple[str, ...], words: str) -> Entry:
    return Entry(
        words=words,
        rows=lambda at: (
            [sum(getattr(shown_run(at).network, way).parameter_count for way in ways)],
            0,
        ),
        code=lambda _: " + ".join(f"r.network.{way}.parameter_count" for way in ways),
        title=lambda _: phrase("parameters"),
        formula=lambda _: phrase("all entries of the weights and biases, without the read-out"),
        checks=lambda at, value: [check("Counted in the arrays", _counted(at, ways), value)],
    )


WEIGHTS = {
    **{f"{name}_{way}": _weight(way, name) for name in ALONE for way in WAYS},
    "W_hy": _read_out(
        "W_hy", "weight of the read-out", "Drawn from N(0, 1/(2n)), stream bidirectional_W_hy of seed {seed}."
    ),
    "b_y": _read_out("b_y", "bias of the read-out", "0, as every bias starts."),
    "parameters": _count(WAYS, "how many numbers two chains have to learn"),
    "parameters_one": _count(("forward",), "how many numbers one chain has to learn"),
}
