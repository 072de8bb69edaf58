"""What is drawn of a beam search: every kept node, the best pruned ones, no branch over another."""

import json

import numpy as np
import pytest
from rnnscope.app.diagrams.beam_tree import MOST_PRUNED, beam_tree
from rnnscope.core import beam_search, greedy_decode

from tests.core.conftest import FOLDER
from tests.core.seq2seq_models import draw_model, stored_model

SOURCE = [0, 3, 2, 4]


def drawn(model, source, width, length):
    search = beam_search(model, source, width, length)
    greedy = tuple(int(token) for token in greedy_decode(model, source, length).tokens)
    return search, greedy, beam_tree(search, greedy)


def path_of(tree, index):
    path = []
    while tree.nodes[index]["parent"] is not None:
        path.append(tree.nodes[index]["token"])
        index = tree.nodes[index]["parent"]
    return tuple(path[::-1])


@pytest.mark.parametrize("width", [1, 3, 8])
def test_every_kept_node_and_the_best_pruned_ones_are_drawn(width):
    search, greedy, tree = drawn(draw_model("gru-before-new", vocabulary=(5, 9), seed=4), SOURCE, width, 6)
    for depth, level in enumerate(search.levels, 1):
        nodes = [node for node in tree.nodes if node["depth"] == depth]
        places = {node["place"]: node["status"] for node in nodes}
        kept = {place for place, status in places.items() if status != "pruned"}
        assert kept == set(level.kept.tolist())
        pruned = set(places) - kept
        best = set(level.ranked[width : width + MOST_PRUNED].tolist())
        assert best <= pruned
        assert all(
            path_of(tree, tree.nodes.index(nodes[[n["place"] for n in nodes].index(p)])) == greedy[:depth]
            for p in pruned - best
        )
        assert tree.undrawn[depth - 1] == level.scores.size - len(nodes)


@pytest.mark.parametrize("width", [2, 5])
def test_numbers_are_those_of_the_search(width):
    search, _, tree = drawn(draw_model("lstm", None, vocabulary=(5, 7), seed=1), SOURCE, width, 5)
    for node, numbers in zip(tree.nodes[1:], tree.numbers[1:], strict=True):
        level = search.levels[node["depth"] - 1]
        want = level.log_probabilities.ravel()[node["place"]], level.scores.ravel()[node["place"]]
        assert tuple(numbers) == (*want, np.exp(want[1]))
    assert tree.numbers[0].tolist() == [0, 0, 1]


def test_branches_never_cross():
    """From column to column the order of the children is that of their parents."""
    for seed in range(5):
        _, _, tree = drawn(draw_model("tanh", vocabulary=(5, 8), seed=seed), SOURCE, 6, 6)
        for depth in range(1, 1 + max(node["depth"] for node in tree.nodes)):
            column = sorted((node for node in tree.nodes if node["depth"] == depth), key=lambda node: node["row"])
            assert [node["row"] for node in column] == list(range(len(column)))
            above = [tree.nodes[node["parent"]]["row"] for node in column]
            assert above == sorted(above)


def test_the_best_and_the_greedy_sequence_are_marked():
    """In the stored model a beam of 3 finds [5, 1]; greedy goes another way from the first token on."""
    known = json.loads((FOLDER / "seq2seq.json").read_text("utf-8"))
    search, greedy, tree = drawn(stored_model(known, attention=True), known["src"], 3, 4)
    best = [i for i, node in enumerate(tree.nodes) if node["best"]]
    assert [path_of(tree, i) for i in best] == [(), (5,), (5, 1)]
    assert [tree.nodes[i]["status"] for i in best] == ["root", "alive", "ended"]
    marked = [path_of(tree, i) for i, node in enumerate(tree.nodes) if node["greedy"]]
    assert marked == [greedy[:length] for length in range(len(marked))]
    assert len(marked) >= 2
    assert [path_of(tree, end) for end in tree.ends] == [found.tokens for found in search.hypotheses]
    assert json.loads(json.dumps(tree.nodes)) == tree.nodes


def test_the_greedy_sequence_is_drawn_where_it_is_pruned():
    """However bad its next token is among the others', it has a node where its parent is kept."""
    seen = 0
    for seed in range(30):
        search, greedy, tree = drawn(draw_model("tanh", vocabulary=(5, 8), seed=seed), SOURCE, 3, 6)
        marked = [node for node in tree.nodes if node["greedy"]]
        last = marked[-1]
        assert last["status"] in ("pruned", "ended") or last["depth"] == len(search.levels) == len(greedy)
        seen += last["status"] == "pruned"
    assert seen
