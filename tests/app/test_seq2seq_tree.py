"""The search of /seq2seq: its sentence, its list, and that each number of it is explained."""

import math

import numpy as np
import pytest
from rnnscope.app.labs.explain import Asked, explain
from rnnscope.app.labs.seq2seq.lab import Seq2seqLab
from rnnscope.app.labs.seq2seq.tree import MOST_LISTED, Tree, found_words

from tests.app.texts import spoken

EACH = [{}, {"beam": 1}, {"beam": 8, "task": "reversal", "text": "badge"}, {"attention": "none", "decoding": "greedy"}]


@pytest.fixture
def opened():
    return lambda **query: Seq2seqLab({key: str(value) for key, value in query.items()})


def said(words):
    return {word["symbol"]: float(word["value"]) for word in words if "value" in word}


def taken(lab):
    detail = lab.detail(Tree.NAME)
    arrays = detail.arrays()
    return arrays, detail.texts()


@pytest.mark.parametrize("query", EACH)
def test_both_probabilities_are_computed_and_the_better_one_is_told(opened, query):
    lab = opened(**query)
    words = found_words(lab.run)
    greedy, best = lab.run.greedy, lab.run.tree.hypotheses[0]
    numbers = said(words)
    assert numbers["best_p"] == math.exp(best.log_probability)
    if greedy.tokens == best.tokens:
        assert "find the same" in spoken(words)
    else:
        assert numbers["greedy_p"] == math.exp(greedy.log_probability)
        assert ("greedy misses" in spoken(words)) == (best.log_probability > greedy.log_probability)


@pytest.mark.parametrize("query", EACH)
def test_the_list_is_the_search_s_own_best_first(opened, query):
    lab = opened(**query)
    arrays, texts = taken(lab)
    listed, tree = texts["tree"]["hypotheses"], texts["tree"]
    numbers = arrays["hypotheses"][0]
    assert len(listed) == len(numbers) <= MOST_LISTED
    assert (np.diff(numbers[:, 0]) <= 0).all()
    np.testing.assert_array_equal(numbers[:, 1], np.exp(numbers[:, 0]))
    for one, (total, _) in zip(listed, numbers, strict=True):
        assert arrays["numbers"][0][one["node"], 1] == total
        assert one["ended"] == (tree["nodes"][one["node"]]["status"] == "ended")
    assert tree["width"] == (1 if query.get("decoding") == "greedy" else lab.state.beam)


def test_what_is_counted(opened):
    lab = opened(beam=3)
    numbers = said(taken(lab)[1]["tree_counts"])
    levels = lab.run.tree.levels
    assert (
        numbers["beam_looked"] == sum(level.log_probabilities.size for level in levels) == len(lab.run.tree.nodes) - 1
    )
    assert numbers["beam_kept"] == sum(node.status != "pruned" for node in lab.run.tree.nodes[1:])


def answer(lab, symbol, t, unit, value):
    return explain(Asked.of(lab, {"symbol": symbol, "t": t, "unit": unit, "value": repr(float(value))}))


def test_each_number_is_explained_and_found_again(opened):
    lab = opened(beam=2)
    arrays, texts = taken(lab)
    numbers, nodes = arrays["numbers"][0], texts["tree"]["nodes"]
    picked = [1, len(nodes) // 2, len(nodes) - 1, texts["tree"]["hypotheses"][0]["node"]]
    asked = [(name, nodes[i]["depth"], nodes[i]["place"], numbers[i, column])
             for i in picked for column, name in enumerate(("beam_log_p", "beam_sum", "beam_p"))]  # fmt: skip
    asked += [(name, 0, column, arrays["hypotheses"][0][0, column])
              for column, name in enumerate(("hypothesis_sum", "hypothesis_p"))]  # fmt: skip
    words = [*found_words(lab.run), *texts["tree_counts"]]
    asked += [(word["symbol"], word["t"], word["unit"], float(word["value"])) for word in words if "value" in word]
    asked += [("beam_undrawn", t, 0, count) for t, count in enumerate(arrays["undrawn"][0], 1)]
    for symbol, t, unit, value in asked:
        found = answer(lab, symbol, t, unit, value)
        assert found.value == value
        assert all(check.near for check in found.checks), symbol
        assert run_code(found.code) == pytest.approx(value, rel=1e-12), symbol


def run_code(code):
    """What the script that the badge offers prints."""
    *lines, last = code.splitlines()
    names = {}
    exec("\n".join(lines), names)
    return eval(last.removeprefix("print"), names)
