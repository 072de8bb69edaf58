"""/seq2seq: what is typed is read by the shipped model, and every number of the page holds when computed again."""

import math

import numpy as np
import pytest
from rnnscope.app import Seq2seqLab
from rnnscope.app.labs.explain import Asked, explain
from rnnscope.app.labs.explain.sequences import SEQUENCES, central_norm
from rnnscope.app.snapshot import write
from rnnscope.app.translation import Wanted, first_difference, tempered, translate
from rnnscope.app.translation_numbers import gradient_norms, models, score_terms, step_loss
from rnnscope.app.weights import load
from rnnscope.core import greedy_decode, weight_entropy
from rnnscope.core.training import TASKS

from tests.app.texts import frame, set_keys, spoken

DATE = "Donnerstag, 10. September 1998"
MODELS = [("dates", name) for name in ("none", "additive", "dot", "general", "concat")]
MODELS += [("reversal", "none"), ("reversal", "additive")]


# --- the run ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("task", "attention"), MODELS)
def test_every_model_writes_the_answer_of_an_easy_text(task, attention):
    run = translate(Wanted(task=task, attention=attention, text="3 march 2024" if task == "dates" else "cab"))
    assert run.text_of(run.best.tokens) == TASKS[task].answer(run.config.text) == run.text_of(run.goal)
    assert (run.goal_from, first_difference(run)) == ("task", None)
    assert math.exp(run.best.log_probability) == pytest.approx(np.prod(run.chosen_probabilities), rel=1e-10)


@pytest.mark.parametrize(("task", "attention"), [pair for pair in MODELS if pair[1] != "none"])
def test_scores_are_the_sum_of_their_products_and_temperature_divides_them(task, attention):
    wanted = {"task": task, "attention": attention, "text": "3 march 2024" if task == "dates" else "cab"}
    run = translate(Wanted(**wanted, mode="forced"))
    for t, j in ((1, 1), (2, run.T)):
        assert score_terms(run, t, j).sum() == pytest.approx(run.attended[0][t - 1, j - 1], rel=1e-12)
    warm = translate(Wanted(**wanted, mode="forced", temperature=2.5))
    np.testing.assert_allclose(2.5 * warm.attended[0][0], run.attended[0][0], rtol=1e-12)
    assert tempered(run.model, 1.0) is run.model


def test_without_attention_there_are_no_scores_and_temperature_changes_nothing():
    run = translate(Wanted(attention="none", text="3 march 2024"))
    assert tempered(run.model, 3.0) is run.model
    with pytest.raises(ValueError, match="additive, dot, general, concat"):
        _ = run.attended


def test_a_mixture_is_drawn_from_its_seed_and_its_ends_are_forced_and_free():
    wanted = {"text": "hello", "goal": "1999-03-03"}
    forced = translate(Wanted(**wanted, mode="forced")).trace
    np.testing.assert_array_equal(translate(Wanted(**wanted, mode="mixed", mix=1.0)).trace.states, forced.states)
    free = translate(Wanted(**wanted, mode="mixed", mix=0.0)).trace
    np.testing.assert_array_equal(free.tokens[1:], free.predictions[:-1])
    half = [translate(Wanted(**wanted, mode="mixed", seed=seed)).forced for seed in (1, 1, 2)]
    np.testing.assert_array_equal(half[0], half[1])
    assert (half[0] != half[2]).any()


def test_a_free_run_reads_what_it_wrote():
    run = translate(Wanted(text="3 march 2024", decoding="greedy"))
    np.testing.assert_array_equal(run.trace.tokens[1:], run.trace.target[:-1])
    np.testing.assert_array_equal(run.outputs, run.trace.predictions)
    assert run.best == run.greedy


# --- what reaches the encoder ----------------------------------------------------------------


@pytest.mark.parametrize("attention", ["none", "additive", "dot", "general", "concat"])
def test_the_gradient_at_each_encoder_state_is_that_of_central_differences(attention):
    model, task = load("dates", attention).model, TASKS["dates"]
    source, goal = task.encode_source("7. mai 88"), task.encode_target("1999-03-03")
    norms = gradient_norms(model, source, goal, 3)
    for j in (1, 5, len(source)):
        assert central_norm(model, source, goal, 3, j) == pytest.approx(norms[j - 1], rel=1e-6, abs=1e-9)


def test_the_loss_of_a_step_is_that_of_the_whole_forced_run():
    run = translate(Wanted(text="7. mai 88", mode="forced"))
    losses = [step_loss(run.model, run.source, run.goal, t) for t in range(1, run.U + 1)]
    np.testing.assert_array_equal(losses, run.trace.loss)
    with pytest.raises(IndexError):
        step_loss(run.model, run.source, run.goal, run.U + 1)


def test_what_a_mode_does_not_need_is_found_when_it_is_asked_for():
    """A text without an answer: the goal is what greedy decoding writes, from the encoding of the run that is drawn."""
    run = translate(Wanted(text="hello"))
    assert len(run.best.tokens) == run.U
    assert "greedy" not in vars(run)
    assert run.goal.tolist() == list(run.greedy.tokens)
    assert run.trace.encoding is run.encoding
    alone = greedy_decode(run.model, run.source, run.task.target_limit)
    assert (list(run.greedy.tokens), run.greedy.log_probability) == (alone.tokens.tolist(), alone.log_probabilities)
    found = translate(Wanted(text="hello", decoding="greedy"))
    assert found.best == run.greedy
    assert "tree" not in vars(found)
    assert found.tree.hypotheses == run.tree.hypotheses


def test_entropy_is_in_bits_and_takes_zeros():
    np.testing.assert_allclose(weight_entropy(np.array([[0.25] * 4, [1.0, 0.0, 0.0, 0.0]])), [2.0, 0.0])


# --- the page --------------------------------------------------------------------------------


def test_what_cannot_be_read_is_said_beside_the_field_and_what_stood_stays():
    lab = Seq2seqLab({})
    for wrong, why in (("", "It is empty"), ("3 märz %", "does not know the character “%”"), ("1" * 31, "up to 30")):
        shown = set_keys(lab, text=wrong)
        assert why in spoken(shown["texts"]["problem"])
        assert (shown["notices"], shown["state"]["values"]["text"]) == ([], "3 march 2024")
    shown = set_keys(lab, text="4 march 2024")
    assert (shown["texts"]["problem"], shown["query"]) == ([], "text=4%20march%202024")
    assert "“2024-03-04”" in spoken(shown["texts"]["written"])


def test_a_link_that_does_not_fit_its_task_is_said_key_by_key():
    notices = frame(Seq2seqLab({"task": "reversal", "text": "xyz", "goal": "9", "attention": "dot", "j": "99"}))[
        "notices"
    ]
    assert [text.split(" ")[0] for text in notices] == ["text", "goal", "attention", "j"]
    assert "a–h" in notices[0]
    assert "none or additive" in notices[2]


def test_another_task_brings_a_text_of_its_own_and_a_link_without_one_too():
    lab = Seq2seqLab({"goal": "1999-03-03", "attention": "dot"})
    shown = set_keys(lab, task="reversal")
    assert (shown["query"], shown["state"]["values"]["text"]) == ("task=reversal", "cabbage")
    assert frame(Seq2seqLab({"task": "reversal"}))["notices"] == []


@pytest.mark.parametrize(
    ("task", "goal", "words"),
    [
        ("dates", "tomorrow", "does not know the character “t”; it knows 0–9 -"),
        ("reversal", "ABC", "does not know the character “A”; it knows a–h"),
        ("reversal", "a" * 40, "it has 40 characters; the model for reversal takes up to 20"),
    ],
)
def test_a_target_that_the_model_cannot_write_is_said_in_a_notice(task, goal, words):
    lab = Seq2seqLab({"task": task, "goal": goal})
    assert [words in notice for notice in frame(lab)["notices"]] == [True]
    shown = set_keys(Seq2seqLab({"task": task}), goal=goal)
    (notice,) = shown["notices"]
    assert notice.startswith("goal = “")
    assert words in notice
    assert shown["state"]["values"]["goal"] == ""


def test_the_step_stays_within_what_is_written():
    lab = Seq2seqLab({"task": "reversal", "text": "abcdefgh", "t": "9"})
    assert set_keys(lab, text="ab")["state"]["values"] | {"t": "3", "T": "3"} == frame(lab)["state"]["values"]


@pytest.mark.parametrize("preset", list(Seq2seqLab.State.PRESETS))
def test_each_preset_claims_what_its_run_shows(preset):
    lab = Seq2seqLab({"preset": preset})
    run, claim = lab.run, spoken(frame(lab)["texts"]["claim"])
    assert claim
    if preset == "month-by-name":
        row = run.attended[1][5]
        assert row[16:25].sum() > 3 * row[:10].sum()
    elif preset == "bottleneck":
        assert f"step {first_difference(run)} writes the first wrong letter" in claim
        assert lab.state.t == first_difference(run)
        pairs = zip(run.text_of(run.best.tokens) + ".", run.config.text[::-1] + ".", strict=False)
        assert first_difference(run) == next(t for t, (own, right) in enumerate(pairs, 1) if own != right)
    elif preset == "same-with-attention":
        assert first_difference(run) is None
        assert f"At {run.T} of {run.T} steps" in claim
    elif preset == "greedy-misses":
        assert run.tree.hypotheses[0].log_probability > run.greedy.log_probability + 0.5
        assert "greedy misses" in claim
    elif preset == "not-a-date":
        assert run.goal_from == "model"
        assert run.best.log_probability < math.log(0.5)
    else:
        assert run.probabilities[0, run.goal[0]] < 1e-3
        assert run.probabilities[1, run.goal[1]] > 0.2


QUERIES = [
    {"text": DATE, "t": "4", "j": "3"},
    {"attention": "dot", "mode": "mixed", "mix": "0.4"},
    {"attention": "general", "temperature": "0.5"},
    {"attention": "concat"},
]


@pytest.mark.parametrize("query", QUERIES)
def test_every_number_of_the_page_is_explained_and_agrees(query):
    lab = Seq2seqLab(query)
    lab._answer({"action": "detail", "sequence": 2, "names": ["reach"]})
    for name in SEQUENCES:
        answer = explain(Asked(lab, name, 2, 0))
        assert answer.checks, name
        assert all(check.near for check in answer.checks), name


def test_a_copied_script_prints_the_same_number(capsys):
    lab = Seq2seqLab({"text": "7. mai 88", "t": "3"})
    for name in ("alpha", "grad_without", "c", "L_with"):
        answer = explain(Asked(lab, name, 3, 1 if name != "L_with" else 0))
        exec(answer.code, {})
        assert float(capsys.readouterr().out) == answer.value, name


def test_the_snapshot_holds_the_run_and_the_weights(tmp_path):
    write("seq2seq", {"text": "7. mai 88", "attention": "dot"}, tmp_path / "run.npz")
    with np.load(tmp_path / "run.npz") as found:
        run = translate(Wanted(text="7. mai 88", attention="dot"))
        np.testing.assert_array_equal(found["weights"], run.trace.weights)
        np.testing.assert_array_equal(found["decoder.W_hh"], run.model.decoder.W_hh)


def test_the_way_without_attention_is_that_of_the_model_without():
    run = translate(Wanted(attention="none", text="7. mai 88"))
    on, off = models(run)
    assert (on.attention is None, off.attention is None) == (False, True)
