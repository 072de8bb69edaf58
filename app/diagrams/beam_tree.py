"""The tree of a beam search: what is drawn of it, column by column, so that no branch crosses another.

A column is a step. In it stand the kept expansions and the few best of the pruned ones, under their parents' order.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from rnnscope.core import SearchLevel, SearchTree

#: Pruned expansions that are drawn at a step; of a hundred the others are counted.
MOST_PRUNED = 3


@dataclass(frozen=True, eq=False)
class BeamTree:
    """What is drawn of a search.

    Attributes
    ----------
    nodes : list of dicts
        {token, depth, place, row, parent, status, best, greedy}: `place` is the expansion's within its step (core's
        SearchLevel), `parent` an index of this list, None of the root; `status` root, alive, ended or pruned.
    numbers : (nodes, 3)
        Log-probability of the token, sum from the root, probability of the whole.
    undrawn : (steps,)
        Pruned expansions of each step that are not drawn.
    ends : list of int
        The node of each hypothesis.
    """

    nodes: list[dict[str, Any]]
    numbers: np.ndarray
    undrawn: np.ndarray
    ends: list[int]


@dataclass
class _Drawing:
    """A tree in the making: the nodes, and by core's index what can still be a parent."""

    best: tuple[int, ...]
    greedy: tuple[int, ...]
    nodes: list[dict[str, Any]] = field(default_factory=list)
    numbers: list[tuple[float, float]] = field(default_factory=list)
    undrawn: list[int] = field(default_factory=list)
    paths: dict[tuple[int, ...], int] = field(default_factory=dict)

    def add(self, node: dict[str, Any], numbers: tuple[float, float], path: tuple[int, ...]) -> None:
        ahead = {"best": path == self.best[: len(path)], "greedy": path == self.greedy[: len(path)]}
        self.nodes.append({**node, **ahead})
        self.numbers.append(numbers)
        if node["status"] != "pruned":
            self.paths[path] = len(self.nodes) - 1


def beam_tree(tree: SearchTree, greedy: tuple[int, ...]) -> BeamTree:
    """Lay out a search; of its best sequence and of the greedy one every node says so."""
    drawing = _Drawing(tree.hypotheses[0].tokens, greedy)
    root = {"token": tree.bos, "depth": 0, "place": 0, "row": 0, "parent": None, "status": "root"}
    drawing.add(root, (0.0, 0.0), ())
    known: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for depth, level in enumerate(tree.levels, 1):
        known = _add_level(drawing, level, depth, tree.eos, known)
    steps, sums = np.array(drawing.numbers).T
    numbers = np.column_stack([steps, sums, np.exp(sums)])
    ends = [drawing.paths[found.tokens] for found in tree.hypotheses]
    return BeamTree(drawing.nodes, numbers, np.array(drawing.undrawn), ends)


def _add_level(
    drawing: _Drawing, level: SearchLevel, depth: int, eos: int, known: dict[int, tuple[int, tuple[int, ...]]]
) -> dict[int, tuple[int, tuple[int, ...]]]:
    """Add a step; return core's index of each kept node -> its place in the list, and its tokens."""
    outputs, kept = level.scores.shape[1], set(level.kept.tolist())
    parents = [known[index] for index in level.parents.tolist()]
    drawn = _drawn(level, parents, drawing.greedy)
    rank = {place: i for i, place in enumerate(drawn)}
    drawn.sort(key=lambda place: (drawing.nodes[parents[place // outputs][0]]["row"], rank[place]))
    found: dict[int, tuple[int, tuple[int, ...]]] = {}
    for row, place in enumerate(drawn):
        above, token = divmod(place, outputs)
        parent, path = parents[above]
        status = "pruned" if place not in kept else "ended" if token == eos else "alive"
        node = {"token": token, "depth": depth, "place": place, "row": row, "parent": parent, "status": status}
        numbers = float(level.log_probabilities[above, token]), float(level.scores[above, token])
        drawing.add(node, numbers, (*path, token))
        if status == "alive":
            found[level.first + place] = len(drawing.nodes) - 1, (*path, token)
    drawing.undrawn.append(level.scores.size - len(drawn))
    return found


def _drawn(level: SearchLevel, parents: list[tuple[int, tuple[int, ...]]], greedy: tuple[int, ...]) -> list[int]:
    """Places, best first: the kept ones, the best pruned ones, and where the greedy sequence goes on."""
    outputs = level.scores.shape[1]
    drawn: list[int] = level.ranked[: len(level.kept) + MOST_PRUNED].tolist()
    for i, (_, path) in enumerate(parents):
        length = len(path)
        if length < len(greedy) and path == greedy[:length] and i * outputs + greedy[length] not in drawn:
            drawn.append(i * outputs + greedy[length])
    return drawn
