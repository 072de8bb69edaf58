"""One target decoded three ways on /seq2seq: what is read and said, and where the runs part."""

import numpy as np
import pytest
from rnnscope.app.labs.explain import Asked, explain
from rnnscope.app.labs.seq2seq.compare import Compare
from rnnscope.app.labs.seq2seq.lab import Seq2seqLab
from rnnscope.app.searched import ORDER, compare
from rnnscope.core import run_encoder_decoder

from tests.app.test_seq2seq_tree import run_code, spoken

#: A target that no model writes by itself, and one that it may.
WRONG = {"goal": "1999-12-31", "mix": "0.4", "seed": "3"}


@pytest.fixture
def opened():
    return lambda **query: Seq2seqLab(query)


def taken(lab):
    detail = lab.detail(Compare.NAME)
    return {name: array for name, (array, _) in detail.arrays().items()}, detail.texts()


@pytest.mark.parametrize("query", [{}, WRONG, {"attention": "none", **WRONG}, {"task": "reversal", "text": "abc"}])
def test_each_row_is_its_own_run(opened, query):
    lab = opened(**query)
    arrays, texts = taken(lab)
    shown, goal = lab.run, lab.run.goal
    drawn = np.random.default_rng(lab.state.seed).random(len(goal)) < lab.state.mix
    masks = {"forced": np.ones(len(goal), bool), "mixed": drawn, "free": np.zeros(len(goal), bool)}
    for place, name in enumerate(ORDER):
        alone = run_encoder_decoder(shown.model, shown.source, goal, masks[name])
        np.testing.assert_allclose(arrays["loss"][:, place], alone.loss, rtol=1e-9, atol=1e-13)
        np.testing.assert_allclose(arrays["target_p"][:, place], np.exp(-alone.loss), rtol=1e-9)
        p = np.exp(alone.logits - alone.logits.max(axis=1, keepdims=True))
        np.testing.assert_allclose(
            arrays["said_p"][:, place], (p / p.sum(axis=1, keepdims=True)).max(axis=1), rtol=1e-9
        )
        row = texts["forcing"]["runs"][place]
        characters = [shown.task.decode_target([token]) for token in alone.predictions]
        assert [text if text != "end" else "" for text in row["says"]] == characters
        assert row["own"] == [False, *(~masks[name])[1:]]
        assert row["reads"][0] == "start"
    assert arrays["sums"][0].tolist() == pytest.approx(arrays["loss"].sum(axis=0).tolist())


def test_a_wrong_target_parts_the_runs(opened):
    """The sentence names the first step at which they read different tokens, and both probabilities there."""
    lab = opened(**WRONG)
    arrays, texts = taken(lab)
    forced, _, free = texts["forcing"]["runs"]
    step = next(t for t in range(1, len(forced["reads"]) + 1) if forced["reads"][t - 1] != free["reads"][t - 1])
    assert texts["forcing"]["part"] == step
    sentence = texts["forcing_parts"]
    assert f"They part at step {step}:" in spoken(sentence)
    numbers = {(word["symbol"], word["t"], word["unit"]): float(word["value"]) for word in sentence if "value" in word}
    for place in (0, 2):
        assert numbers["forcing_target_p", step, place] == arrays["target_p"][step - 1, place]
        assert numbers["forcing_loss_sum", len(lab.run.goal), place] == pytest.approx(arrays["sums"][0, place])
    assert "as typed" in spoken(texts["forcing_goal"])


def test_what_the_model_writes_itself_parts_nothing(opened):
    """A free run on its own greedy output reads what teacher forcing reads."""
    lab = opened()
    own = lab.run.text_of(lab.run.greedy.tokens)
    lab = opened(goal=own)
    texts = taken(lab)[1]
    assert texts["forcing"]["part"] is None
    assert "never part" in spoken(texts["forcing_parts"])


def test_each_number_is_explained_and_found_again(opened):
    lab = opened(**WRONG)
    arrays, texts = taken(lab)
    places = [(t, unit) for t in (1, 4, len(lab.run.goal)) for unit in range(3)]
    asked = [(f"forcing_{name}", *place, arrays[name][place[0] - 1, place[1]])
             for name in ("said_p", "target_p", "loss") for place in places]  # fmt: skip
    asked += [("forcing_loss_sum", len(lab.run.goal), unit, arrays["sums"][0, unit]) for unit in range(3)]
    asked += [("forcing_told", 0, 0, sum(compare(lab.run).masks[2][1:]))]
    for symbol, t, unit, value in asked:
        found = explain(Asked.of(lab, {"symbol": symbol, "t": t, "unit": unit, "value": repr(float(value))}))
        assert found.value == pytest.approx(value, rel=1e-14)
        assert all(check.near for check in found.checks), symbol
        assert run_code(found.code) == pytest.approx(value, rel=1e-9), symbol
    assert "reads the target in" in spoken(texts["forcing_mixed"])
