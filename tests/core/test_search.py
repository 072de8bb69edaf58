import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rnnscope.core import beam_search, encode, exhaustive_search, greedy_decode, run_encoder_decoder

from tests.core.seq2seq_models import draw_model, stored_model


def pairs(hypotheses):
    return [(list(found.tokens), found.log_probability) for found in hypotheses]


def check(found, known):
    assert [tokens for tokens, _ in pairs(found)] == [entry["tokens"] for entry in known]
    scores = [entry["logprob"] for entry in known]
    np.testing.assert_allclose([score for _, score in pairs(found)], scores, rtol=1e-11)


@pytest.mark.parametrize("attention", [False, True])
def test_every_search_agrees_with_the_stored_answers(attention, load):
    known = load("seq2seq")
    want = known["attention" if attention else "no_attention"]
    model = stored_model(known, attention)
    greedy = greedy_decode(model, known["src"], 5)
    assert greedy.tokens.tolist() == want["greedy"]["tokens"]
    assert greedy.lengths == len(want["greedy"]["tokens"])
    assert float(greedy.log_probabilities) == pytest.approx(want["greedy"]["logprob"], rel=1e-12)
    for width in (1, 2, 3, 216):
        check(beam_search(model, known["src"], width, 4).hypotheses[:3], want[f"beam{width}_top"])
    every = exhaustive_search(model, known["src"], 4)
    check(every[:8], want["exhaustive_maxlen4_top8"])
    assert len(every) == 1 + 5 + 25 + 125 * 6
    assert np.exp([found.log_probability for found in every]).sum() == pytest.approx(1.0, abs=1e-12)


def test_beam_2_misses_what_beam_3_finds(load):
    model = stored_model(load("seq2seq"), attention=True)
    source = load("seq2seq")["src"]
    best = exhaustive_search(model, source, 4)[0]
    assert beam_search(model, source, 2, 4).hypotheses[0].tokens != best.tokens
    found = beam_search(model, source, 3, 4).hypotheses[0]
    assert (found.tokens, found.ended) == ((5, 1), True)
    assert found.log_probability == pytest.approx(best.log_probability, rel=1e-14)


@pytest.mark.parametrize("width", [1, 2, 3])
def test_the_tree_holds_every_expansion_and_its_fate(width, load):
    model = stored_model(load("seq2seq"), attention=True)
    source = load("seq2seq")["src"]
    tree = beam_search(model, source, width, 4)
    assert [node.index for node in tree.nodes] == list(range(len(tree.nodes)))
    assert (tree.nodes[0].parent, tree.nodes[0].depth, tree.nodes[0].token) == (None, 0, 0)
    children = {node.index: [] for node in tree.nodes}
    for node in tree.nodes[1:]:
        parent = tree.nodes[node.parent]
        children[parent.index].append(node.token)
        assert (parent.status, parent.depth) == ("alive", node.depth - 1)
        assert node.score == pytest.approx(parent.score + node.log_probability, rel=1e-12)
        path = np.array(tree.tokens(node.index))
        assert node.score == pytest.approx(-run_encoder_decoder(model, source, path).loss.sum(), rel=1e-11)
    expanded = {index for index, tokens in children.items() if tokens}
    assert all(children[index] == list(range(6)) for index in expanded)
    assert expanded == {node.index for node in tree.nodes if node.status == "alive" and node.depth < 4}
    for depth in range(1, 5):
        level = [node for node in tree.nodes if node.depth == depth]
        kept = [node for node in level if node.status != "pruned"]
        assert len(kept) == min(width, len(level))
        assert all((node.status == "ended") == (node.token == 1) for node in kept)
        dropped = [node.score for node in level if node.status == "pruned"]
        assert min(node.score for node in kept) >= max(dropped, default=-np.inf)
    leaves = {tree.tokens(n.index) for n in tree.nodes if n.status == "ended" or (n.status == "alive" and n.depth == 4)}
    assert leaves == {found.tokens for found in tree.hypotheses}


def test_equals_go_by_their_tokens():
    flat = draw_model("tanh", None, vocabulary=(5, 4)).with_parameters(
        {"decoder.W_hy": np.zeros((4, 3)), "decoder.b_y": np.zeros(4)}
    )
    tree = beam_search(flat, [0, 1], 3, 2)
    kept = [tree.tokens(node.index) for node in tree.nodes if node.status != "pruned"]
    assert kept == [(), (0,), (1,), (2,), (0, 0), (0, 1), (0, 2)]
    assert [found.tokens for found in tree.hypotheses] == [(1,), (0, 0), (0, 1), (0, 2)]
    assert greedy_decode(flat, [0, 1], 2).tokens.tolist() == [0, 0]


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(["tanh", "lstm"]), st.sampled_from([None, "additive"]), st.integers(1, 3), st.integers(0, 99))
def test_a_wide_beam_is_exhaustive_and_width_1_is_greedy(kind, scorer, length, seed):
    model = draw_model(kind, scorer, seed=seed, vocabulary=(5, 3))
    source = np.random.default_rng(seed).integers(5, size=4)
    every, wide = exhaustive_search(model, source, length), beam_search(model, source, 3**length, length)
    assert [found.tokens for found in wide.hypotheses] == [found.tokens for found in every]
    assert np.exp([found.log_probability for found in every]).sum() == pytest.approx(1.0)
    narrow, greedy = beam_search(model, source, 1, length).hypotheses, greedy_decode(model, source, length)
    assert [list(found.tokens) for found in narrow] == [greedy.tokens.tolist()]
    assert narrow[0].ended == (greedy.tokens[-1] == 1)
    assert narrow[0].log_probability == pytest.approx(float(greedy.log_probabilities), rel=1e-12)


def test_refusals():
    model = draw_model()
    with pytest.raises(ValueError, match="width must be an integer at least 1, got 0"):
        beam_search(model, [1, 2], 0, 3)
    with pytest.raises(ValueError, match="max_length must be an integer at least 1, got 0"):
        greedy_decode(model, [1, 2], 0)
    with pytest.raises(ValueError, match=r"source must be the tokens \(T,\) of one sequence, got shape \(1, 2\)"):
        beam_search(model, [[1, 2]], 1, 3)
    with pytest.raises(ValueError, match=r"max_length must keep 4 \*\* max_length within 2000000, got 11"):
        exhaustive_search(model, [1], 11)


def test_levels_say_what_the_nodes_say(load):
    model = stored_model(load("seq2seq"), attention=True)
    tree = beam_search(model, load("seq2seq")["src"], 3, 4)
    assert (tree.bos, tree.eos, len(tree.levels)) == (0, 1, 4)
    for depth, level in enumerate(tree.levels, 1):
        nodes = [node for node in tree.nodes if node.depth == depth]
        assert [node.index for node in nodes] == list(range(level.first, level.first + level.scores.size))
        assert [node.score for node in nodes] == level.scores.ravel().tolist()
        assert [node.log_probability for node in nodes] == level.log_probabilities.ravel().tolist()
        assert [node.parent for node in nodes] == np.repeat(level.parents, 6).tolist()
        assert [i for i, node in enumerate(nodes) if node.status != "pruned"] == sorted(level.kept.tolist())
        scores = level.scores.ravel()[level.ranked]
        assert level.ranked[:3].tolist() == level.kept.tolist()
        assert sorted(level.ranked.tolist()) == list(range(len(nodes)))
        assert (np.diff(scores) <= 0).all()


@pytest.mark.parametrize("scorer", [None, "additive", "dot"])
def test_a_source_that_was_read_already_is_searched_as_its_tokens_are(scorer):
    """To the last bit: one reading serves every search."""
    model, source = draw_model("gru-before-new", scorer, seed=4), [3, 0, 2, 4, 1]
    read = encode(model, source)
    of_tokens, of_encoding = (beam_search(model, given, 3, 4) for given in (source, read))
    assert of_encoding.hypotheses == of_tokens.hypotheses
    assert of_encoding.nodes == of_tokens.nodes
    assert exhaustive_search(model, read, 3) == exhaustive_search(model, source, 3)
    greedy, again = greedy_decode(model, source, 4), greedy_decode(model, read, 4)
    for name in ("tokens", "lengths", "log_probabilities"):
        np.testing.assert_array_equal(getattr(again, name), getattr(greedy, name))


def test_a_batch_that_was_read_already_keeps_its_lengths():
    model, sources, lengths = draw_model("lstm", "additive"), [[3, 0, 2], [1, 4, 4]], [3, 1]
    of_tokens = greedy_decode(model, sources, 4, lengths)
    of_encoding = greedy_decode(model, encode(model, sources, lengths), 4)
    np.testing.assert_array_equal(of_encoding.tokens, of_tokens.tokens)
    np.testing.assert_array_equal(of_encoding.log_probabilities, of_tokens.log_probabilities)
