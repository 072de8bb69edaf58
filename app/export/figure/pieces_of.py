"""The pieces of a lab as tables: the opened gate of a gated cell, the way from tokens to outputs of attention."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .filled import Scene
from .pieces import Piece, Sign, Table, phrase_runs, pieces_scene, stage_of
from .read import Numbers, Read

if TYPE_CHECKING:
    from ...labs.base import Lab

#: An input of more components than this is one-hot: only the active one is drawn.
MOST_COMPONENTS = 8
Given = Mapping[str, Any]


def opened_scene(lab: Lab, layers: Mapping[str, Sequence[Sequence[Given]]], numbers: Numbers, variant: str) -> Scene:
    """The layer that the state opens: W x + U h + b and what becomes of it."""
    gate, n = getattr(lab.state, "open", ""), numbers.cursor.n
    units = [f"unit {unit + 1}" for unit in range(n)] if n > 1 else []
    groups = [[_opened(piece, numbers, units if (i, j) == (0, 0) else ()) for j, piece in enumerate(group)]
              for i, group in enumerate(layers[gate])]  # fmt: skip
    label = f"The layer of gate {gate} at step {numbers.cursor.t}: its matrices and vectors with their numbers."
    return pieces_scene("opened", label, variant, groups)


def _opened(piece: Given, numbers: Numbers, names: Sequence[str]) -> Piece:
    if piece["kind"] in ("op", "function"):
        arrow = piece["kind"] == "function"
        return Sign(phrase_runs([{"kind": "function" if arrow else "text", "text": piece["text"]}], 18), arrow)
    cursor = numbers.cursor
    head = [{**token, "sub": str(cursor.t + token["lag"])} if "lag" in token else token for token in piece["head"]]
    reads, columns = _opened_reads(piece, numbers)
    operand = piece["kind"] == "vector" and (piece["symbol"] in ("x", "rh") or piece.get("lag") == -1)
    framed = None if operand else min(cursor.unit, len(reads) - 1)
    return Table(piece["symbol"], phrase_runs(head), f"r-{piece['role']}", reads, columns, names, framed=framed,
                 stage=stage_of(piece["stage"], numbers))  # fmt: skip


def _opened_reads(piece: Given, numbers: Numbers) -> tuple[list[list[Read]], Sequence[str]]:
    """Its numbers row by row, and the numbers over its columns; of a one-hot input the active component alone."""
    name, hot = piece["symbol"], _hot(numbers)
    table = numbers.table(name)
    if table is None:
        return [[Read(name, 0, 0, None)]], ()
    if piece["kind"] == "matrix":
        whole = hot is None or len(table) != numbers.width("x")
        columns = range(len(table)) if whole else [hot or 0]
        reads = [[Read(name, c + 1, r, numbers.entry(name, c + 1, r)) for c in columns] for r in range(table.shape[1])]
        return reads, [str(c + 1) for c in columns]
    rows = [hot] if name == "x" and hot is not None else range(table.shape[1])
    if piece["kind"] == "bias":
        return [[Read(name, 0, r, numbers.entry(name, 0, r))] for r in rows], ()
    bound = {"symbol": name, "t": {"rel": piece["lag"]}, "ready": piece["stage"]["ready"]}
    return [[numbers.read({**bound, "unit": r})] for r in rows], ()


def _hot(numbers: Numbers) -> int | None:
    """Which component of a one-hot input is 1."""
    if numbers.width("x") <= MOST_COMPONENTS:
        return None
    t = max(1, numbers.cursor.t)
    return next((j for j in range(numbers.width("x")) if numbers.entry("x", t, j) == 1), 0)


def flow_scene(lab: Any, groups: Sequence[Sequence[Given]], numbers: Numbers, variant: str) -> Scene:
    """Attention of the selected head from the tokens to the output, the query's row framed."""
    tokens = ["\N{OPEN BOX}" if name == " " else name for name in lab.token_names()]
    head, heads = lab.state.head, lab.state.heads
    tables = [_flow_group(group, numbers, tokens, (head, heads)) for group in groups]
    label = f"Self-attention of head {head} stage by stage over {len(tokens)} tokens; the query is token {lab.state.t}."
    return pieces_scene("flow", label, variant, tables)


def _flow_group(group: Sequence[Given], numbers: Numbers, tokens: list[str], head: tuple[int, int]) -> list[Piece]:
    """The first table of a group has the names of the rows."""
    first = next(place for place, piece in enumerate(group) if piece["kind"] == "matrix")
    return [_flow(piece, numbers, tokens, head, tokens if place == first else ()) for place, piece in enumerate(group)]


def _flow(piece: Given, numbers: Numbers, tokens: list[str], head: tuple[int, int], names: Sequence[str]) -> Piece:
    if piece["kind"] != "matrix":
        return Sign(phrase_runs(piece["tokens"], 16), piece["kind"] == "function")
    name, cursor = piece["symbol"], numbers.cursor
    width = numbers.width(name) // (head[1] if piece["split"] else 1)
    first = (head[0] - 1) * width if piece["split"] else 0
    stage = stage_of(piece["stage"], numbers)
    reads = [[Read(name, r + 1, first + c, None if stage == "later" else numbers.entry(name, r + 1, first + c))
              for c in range(width)] for r in range(len(tokens))]  # fmt: skip
    pairs = piece["frame"] == 2
    framed = cursor.unit if piece["frame"] == 3 else cursor.t - 1
    return Table(name, phrase_runs(piece["head"]), f"r-{piece['role']}" if piece["role"] else "at-plain", reads,
                 tokens if pairs else [str(c + 1) for c in range(width)], names, name == "weight", framed,
                 (cursor.t - 1, cursor.unit) if pairs else None, stage)  # fmt: skip
