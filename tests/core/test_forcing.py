import numpy as np
import pytest
from rnnscope.core import compare_forcing, encode, run_encoder_decoder

from tests.core.seq2seq_models import EXACT, draw_model, stored_model

SOURCE, TARGET = [0, 3, 2, 4], [2, 3, 0, 2, 1]
MIXED = np.array([True, False, True, False, True])


@pytest.mark.parametrize("scorer", [None, "additive"])
def test_each_row_is_a_run_of_its_own(scorer):
    model = draw_model("gru-before-new", scorer, seed=3)
    found = compare_forcing(model, SOURCE, TARGET, MIXED)
    for row, mask in enumerate([None, np.zeros(5, dtype=bool), MIXED]):
        alone = run_encoder_decoder(model, SOURCE, TARGET, mask)
        assert found.read[row].tolist() == alone.tokens.tolist()
        assert found.said[row].tolist() == alone.predictions.tolist()
        np.testing.assert_allclose(found.trace.logits[row], alone.logits, **EXACT)
        p = np.exp(alone.logits) / np.exp(alone.logits).sum(axis=-1, keepdims=True)
        steps = np.arange(5)
        np.testing.assert_allclose(np.exp(found.said_log_probabilities[row]), p.max(axis=-1), **EXACT)
        np.testing.assert_allclose(np.exp(found.target_log_probabilities[row]), p[steps, TARGET], **EXACT)
    assert found.masks.tolist() == [[True] * 5, [False] * 5, MIXED.tolist()]


def test_runs_part_where_a_choice_is_not_the_target(load):
    """What is read parts one step after the first wrong choice; until then all is the same, to the last bit."""
    known = load("seq2seq")
    model = stored_model(known, attention=True)
    found = compare_forcing(model, known["src"], known["tgt"], np.ones(len(known["tgt"]), dtype=bool))
    wrong = int(np.flatnonzero(found.said[0] != known["tgt"])[0])
    part = found.reads_part()
    assert part == wrong + 2
    assert found.read[0, part - 1] == known["tgt"][wrong] != found.read[1, part - 1] == found.said[1, wrong]
    np.testing.assert_array_equal(found.trace.logits[0, : part - 1], found.trace.logits[1, : part - 1])
    says = found.says_part()
    assert says is None or says >= part
    assert (found.reads_part("forced", "mixed"), found.says_part("forced", "mixed")) == (None, None)


@pytest.mark.parametrize("scorer", [None, "additive", "dot"])
def test_a_source_that_was_read_already_gives_the_same_rows(scorer):
    """To the last bit, and each row has read what the one reading has."""
    model = draw_model("gru-before-new", scorer, seed=3)
    read = encode(model, SOURCE)
    of_tokens, of_encoding = (compare_forcing(model, given, TARGET, MIXED) for given in (SOURCE, read))
    np.testing.assert_array_equal(of_encoding.trace.states, of_tokens.trace.states)
    np.testing.assert_array_equal(of_encoding.trace.loss, of_tokens.trace.loss)
    np.testing.assert_array_equal(of_encoding.trace.encoding.states, [read.states] * 3)
    assert of_encoding.trace.source.tolist() == [SOURCE] * 3


def test_says_part_is_the_first_difference():
    model = draw_model("tanh", "additive", seed=1)
    found = compare_forcing(model, SOURCE, TARGET, MIXED)
    for name, row in (("free", 1), ("mixed", 2)):
        differ = [t for t in range(5) if found.said[0, t] != found.said[row, t]]
        assert found.says_part("forced", name) == (differ[0] + 1 if differ else None)
    assert found.says_part() is not None


def test_refusals():
    model = draw_model()
    with pytest.raises(ValueError, match=r"mixed must be booleans of shape \(5,\), got int64 of shape \(5,\)"):
        compare_forcing(model, SOURCE, TARGET, [1, 0, 1, 1, 1])
    with pytest.raises(ValueError, match=r"source must be the tokens \(T,\) of one sequence, got shape \(1, 4\)"):
        compare_forcing(model, [SOURCE], TARGET, MIXED)
    with pytest.raises(ValueError, match=r"target must be the tokens \(U,\) of one sequence, got shape \(1, 5\)"):
        compare_forcing(model, SOURCE, [TARGET], MIXED)
