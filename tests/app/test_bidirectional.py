"""/bidirectional as the server has it: the claim of every preset, the changed input, sentences and tables."""

import json

import numpy as np
import pytest
from rnnscope.app import BidirectionalLab, change_text, snapshot
from rnnscope.app.state.bidirectional import BidirectionalState
from rnnscope.core import run_both

from tests.app.texts import numbers


def text_of(phrase):
    return "".join(word["text"] for word in phrase)


@pytest.mark.parametrize(
    ("text", "written"),
    [("3:0.8", "3:0.8"), ("3:0.80", "3:0.8"), ("2:\N{MINUS SIGN}1", "2:-1"), ("2:o", "2:o"), ("none", ""), (" ", "")],
)
def test_a_change_is_written_back_as_a_person_would(text, written):
    assert change_text.canonical(text) == written


@pytest.mark.parametrize("text", ["3", "0:1", "x:1", ":", "3:", "3:two", "-1:2"])
def test_what_is_no_change_is_refused(text):
    with pytest.raises(ValueError, match=r"step|neither"):
        change_text.canonical(text)


@pytest.mark.parametrize(
    ("text", "kind", "why"),
    [("7:1", "values", "6 steps"), ("2:o", "noise", "number"), ("2:0.5", "text", "one character"), ("2:5", "text", "")],
)
def test_a_change_that_does_not_fit_the_run_is_said(text, kind, why):
    assert why in change_text.misfit(text, kind, 6)
    assert bool(change_text.misfit(text, kind, 6)) == bool(why)


def test_a_changed_input_is_the_number_in_every_entry_or_the_character():
    np.testing.assert_array_equal(change_text.parse("2:0.5").vector("noise", 3), [0.5, 0.5, 0.5])
    assert int(np.argmax(change_text.parse("2:c").vector("text", 34))) == 2


@pytest.mark.parametrize("preset", BidirectionalState.PRESETS)
def test_every_preset_has_a_claim_with_numbers(preset):
    claim = BidirectionalLab({"preset": preset}).texts()["claim"]
    assert list(numbers(claim)), preset


@pytest.mark.parametrize(
    ("t", "way"), [(3, "the backward chain alone"), (5, "both chains"), (6, "the forward chain alone")]
)
def test_the_page_as_it_starts_says_by_which_chain_the_change_comes(t, way):
    lab = BidirectionalLab({"t": str(t)})
    claim = lab.texts()["claim"]
    assert f"through {way}" in text_of(claim)
    moved, forward, backward = (float(found["value"]) for found in numbers(claim))
    assert moved == lab.changed.outputs[t - 1] > 0.0
    assert ((forward > 0.0), (backward > 0.0)) == (t >= 5, t <= 5)
    lab.state.apply({"rho": 0.5})
    assert lab.texts()["claim"] == []


def test_the_last_state_of_the_backward_chain_has_read_everything():
    lab = BidirectionalLab({"preset": "last-state"})
    still, moved = (float(found["value"]) for found in numbers(lab.texts()["claim"]))
    assert still == 0.0
    assert moved > 0.0


def test_a_late_input_moves_an_early_output_and_no_early_forward_state():
    moved, still = (
        float(found["value"]) for found in numbers(BidirectionalLab({"preset": "late-input"}).texts()["claim"])
    )
    assert moved > 0.0
    assert still == 0.0


def test_orthogonal_linear_chains_keep_the_first_input_as_strong_as_the_nearest():
    lab = BidirectionalLab({"preset": "orthogonal"})
    W = lab.run.network.forward.W_hh
    np.testing.assert_allclose(W @ W.T, np.eye(len(W)), atol=1e-12)
    row, U = np.asarray(lab.run.network.W_hy)[0, : len(W)], lab.run.network.forward.W_xh
    for k in range(1, lab.output + 1):
        wanted = abs(float((row @ np.linalg.matrix_power(W, lab.output - k) @ U)[0]))
        assert lab.reach().forward_norms[k - 1] == pytest.approx(wanted, rel=1e-10)


@pytest.mark.parametrize("cell", ["rnn", "lstm", "gru"])
@pytest.mark.parametrize("step", [1, 3, 6])
def test_states_that_have_not_read_the_input_stay_and_the_page_says_so(cell, step):
    lab = BidirectionalLab({"cell": cell, "change": f"{step}:-2"})
    rows = lab.texts()["changes"]["rows"]
    forward, backward = ([float(row["cells"][i][0]["value"]) for row in rows] for i in (1, 2))
    assert [value == 0.0 for value in forward] == [t < step for t in range(1, 7)]
    assert [value == 0.0 for value in backward] == [t > step for t in range(1, 7)]
    said = text_of(lab.texts()["change_says"])
    assert said.count("exactly 0") == (step > 1) + (step < 6)


def test_the_table_of_paths_counts_only_what_a_path_carries():
    lab = BidirectionalLab({"t": "2"})
    for k, row in enumerate(lab.texts()["reach"]["rows"], 1):
        _, forward, through, backward, back = row["cells"]
        assert (text_of(forward) == "none") == (k > 2) == (float(through[0]["value"]) == 0.0)
        assert (text_of(backward) == "none") == (k < 2) == (float(back[0]["value"]) == 0.0)


def test_the_last_states_and_the_cost_are_those_of_the_run():
    lab = BidirectionalLab({"unit": "1"})
    last = [(n["symbol"], n["t"], float(n["value"])) for n in numbers(lab.texts()["last"])]
    run = lab.run
    assert last == [("h_forward", 6, run.forward_hs[6, 1]), ("h_backward", 1, run.backward_hs[0, 1]),
                    ("h_backward", 6, run.backward_hs[5, 1])]  # fmt: skip
    both, one = (int(n["text"]) for n in numbers(lab.texts()["cost"]))
    assert (one, both) == (4 * 1 + 4 * 4 + 4, 2 * one)
    assert "before the last of 6 inputs" in text_of(lab.texts()["cost"])


def test_a_click_on_a_node_shows_its_equation_and_moves_the_time():
    lab = BidirectionalLab({})
    lab.select({"symbol": "h_backward", "t": 5})
    assert (lab.state.t, lab.selected) == (5, "h_backward")
    assert "Backward state 5" in text_of(lab.texts()["selected_title"])
    result = list(numbers(lab.texts()["selected"]))[-1]
    assert float(result["value"]) == lab.run.backward_hs[4, 0]


def test_the_state_is_written_as_arrays(tmp_path):
    snapshot.write("bidirectional", {"cell": "lstm", "n": 2, "T": 4, "input": "noise"}, tmp_path / "run.npz")
    state = BidirectionalState()
    state.apply({"cell": "lstm", "n": 2, "T": 4, "input": "noise"})
    run = run_both(state.config())
    with np.load(tmp_path / "run.npz") as found:
        np.testing.assert_array_equal(found["hs_forward"], run.forward_hs)
        np.testing.assert_array_equal(found["hs_backward"], run.backward_hs)
        np.testing.assert_array_equal(found["W_hh_backward"], run.network.backward.W_hh)
        np.testing.assert_array_equal(found["ys"], found["hs"] @ found["W_hy"].T + found["b_y"])
        assert found["reach_forward"].shape == (4, 1, 1)


@pytest.mark.parametrize(("text", "why"), [("9:0.5", "the run has 6 steps"), ("2:o", "this input is a number")])
def test_a_typed_change_that_does_not_fit_is_said_and_the_one_before_stays(text, why):
    lab = BidirectionalLab({})
    lab._answer({"action": "set", "sequence": 1, "values": {"change": text, "n": "3"}})
    frame = json.loads(lab.view.frame["json"])
    assert [why in notice for notice in frame["notices"]] == [True]
    assert (lab.state.change, lab.state.n) == ("5:0.9", 3)


def test_fewer_steps_than_the_change_needs_leave_it_out():
    lab = BidirectionalLab({"T": "3"})
    assert (lab.state.change, lab.changed) == ("", None)
    assert "No input is changed" in text_of(lab.texts()["change_says"])
