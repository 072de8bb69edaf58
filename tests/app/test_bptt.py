"""/bptt: the claims of its presets, the lines of its algorithm at every moment, its tiles, its check, its colours."""

import json

import numpy as np
import pytest
from rnnscope.app import BPTTLab
from rnnscope.app.diagrams.loom_scale import contribution_range
from rnnscope.app.labs.bptt_algorithm import Place, place_of, reached
from rnnscope.app.state.bptt import moments
from rnnscope.core import bptt, clip_by_global_norm, format_number, gradient_angle, gradient_norm

from tests.app.texts import numbers


def opened(**query):
    lab = BPTTLab({key: str(value) for key, value in query.items()})
    assert json.loads(lab.view.frame["json"])["notices"] == []
    return lab


def said(lab, *names):
    """Readouts of some texts: symbol -> {step: value}."""
    texts, found = lab.texts(), {}
    for name in names or texts:
        for number in numbers(texts[name]):
            found.setdefault(number["symbol"], {})[number["t"]] = float(number["value"])
    return found


# --- presets -----------------------------------------------------------------------------------


def test_six_steps_show_the_chain_of_the_mock_up():
    lab = opened(preset="six-steps")
    chain, (t, k) = lab.chain, (lab.state.t, lab.state.t - lab.state.lag)
    assert (t, k) == (5, 2)
    assert [format_number(chain.factors[5, i]) for i in (5, 4, 3)] == ["0.543", "1.03", "0.607"]
    assert round(chain.values[5, 2], 3) == 0.328


def test_truncated_cuts_three_of_21_cells_and_turns_the_gradient_by_less_than_two_degrees():
    lab = opened(preset="truncated")
    assert said(lab, "truncation")["cells_kept"] == {0: 18.0}
    assert 1 < lab.angle < 2
    assert round(float(lab.run.gradients.W_hh.item()), 2) == 1.90
    assert round(float(lab.full.W_hh.item()), 2) == 1.88


def test_clipped_is_shorter_and_not_turned():
    lab = opened(preset="clipped")
    assert lab.norm > 5
    assert lab.clipped_norm == pytest.approx(1.0, rel=1e-12)
    assert gradient_angle(lab.run.gradients, lab.clipped) == pytest.approx(0.0, abs=1e-6)


def test_long_memory_keeps_the_size_of_every_contribution_over_fifty_steps():
    rows = opened(preset="long-memory").full.contributions
    for t in range(1, 51):
        np.testing.assert_allclose(rows[t, : t + 1], rows[t, t], atol=1e-10)


def test_vanishing_loom_loses_more_than_four_decades_where_the_lstm_loses_less_than_three():
    plain, lstm = (opened(preset=name).full.contributions[50] for name in ("vanishing-loom", "lstm-loom"))
    assert plain[0] - plain[50] < -4
    assert lstm[0] - lstm[50] > -3


# --- the algorithm -----------------------------------------------------------------------------


@pytest.mark.parametrize("T", [1, 2, 6])
def test_the_moments_are_every_line_once_in_the_order_of_the_algorithm(T):
    forward = [Place(1, t) for t in range(1, T + 1)]
    back = [Place(line, t) for t in range(T, 0, -1) for line in (4, 5, 6, 7)]
    assert [place_of(m, T) for m in range(1, moments(T) + 1)] == [*forward, Place(2), *back, Place(8), Place(9)]


def test_a_line_says_the_step_at_which_it_last_ran():
    assert reached(1, Place(1, 3), 6) == 3
    assert reached(4, Place(1, 3), 6) is None
    assert [reached(line, Place(5, 4), 6) for line in (1, 2, 4, 5, 6, 7, 8)] == [6, 0, 4, 4, 5, 5, None]
    assert reached(6, Place(4, 6), 6) is None
    assert [reached(line, Place(9), 6) for line in (1, 4, 7, 8, 9)] == [6, 1, 1, 0, 0]


@pytest.mark.parametrize("query", [{}, {"truncate": 2}, {"clip": 0.5, "h0": 0.3}, {"activation": "relu", "W": -0.8}])
def test_one_unit_s_lines_add_and_multiply_to_their_own_results(query):
    lab = opened(**query)
    T, gradients = lab.state.T, lab.run.gradients
    for moment in range(1, moments(T) + 1):
        lab.state.apply({"moment": moment})
        lines = lab.texts()["algorithm"]
        assert [line["line"] for line in lines if line["on"]] == [place_of(moment, T).line]
        check_scalar_lines(lines, lab)
    total = said(lab, "algorithm")
    assert total["G"][1] == pytest.approx(gradients.W_hh.item(), rel=1e-12)
    assert total["W_after"][0] == pytest.approx(
        1.0 * lab.run.cell.W_hh.item() - 0.1 * lab.clipped.W_hh.item(), rel=1e-12
    )


def check_scalar_lines(lines, lab):
    """Sums and products of lines 4 to 7, with the numbers that they print."""
    values = [[float(n["value"]) for n in numbers(line["numbers"])] for line in lines]
    own, carried, arrived = values[3] or (0, 0, 0)
    assert own + carried == pytest.approx(arrived, abs=1e-14)
    slope, gradient, delta = values[4] or (0, 0, 0)
    assert slope * gradient == pytest.approx(delta, abs=1e-14)
    before, step, state, after = values[5] or (0, 0, 0, 0)
    assert before + step * state == pytest.approx(after, abs=1e-14)
    W, passed, back = values[6] or (0, 0, 0)
    assert W * passed == pytest.approx(back, abs=1e-14)


def test_what_arrives_is_the_column_of_the_kept_cells():
    lab = opened(truncate=2)
    for t in range(1, 7):
        kept = [lab.chain.values[loss, t] for loss in range(t, min(6, t + 1) + 1)]
        assert lab.live()[t - 1] == pytest.approx(sum(kept), abs=1e-14)


@pytest.mark.parametrize("cell", ["rnn", "lstm", "gru"])
def test_lines_of_several_units_are_norms_of_cores_arrays(cell):
    lab = opened(cell=cell, n=4, moment=22)
    place, gradients = place_of(22, 6), lab.run.gradients
    assert place == Place(6, 3)
    found = said(lab, "algorithm")
    assert found["dh_live_norm"][3] == np.linalg.norm(gradients.through[2])
    assert found["G_norm"][3] == pytest.approx(np.linalg.norm(gradients.W_hh_steps[2:].sum(axis=0)), rel=1e-12)
    assert found["dh_next_norm"][3] == np.linalg.norm(gradients.from_next[3])


# --- window, clipping, tiles -------------------------------------------------------------------


@pytest.mark.parametrize("query", [{"truncate": 2, "clip": 0.5}, {"cell": "lstm", "n": 3, "truncate": 3, "clip": 0.01}])
def test_norms_and_the_angle_are_those_of_core(query):
    lab = opened(**query)
    run = lab.run
    full = bptt(run.cell, run.trace, run.targets, run.config.loss)
    found = said(lab, "truncation", "clipping")
    assert found["full_norm"][0] == gradient_norm(full)
    assert found["gradient_norm"][0] == gradient_norm(run.gradients)
    assert found["gradient_angle"][0] == gradient_angle(full, run.gradients) > 0.1
    assert found["clipped_norm"][0] == gradient_norm(clip_by_global_norm(run.gradients, query["clip"])[0])


def test_a_window_of_all_steps_is_no_window():
    lab = opened(truncate=6)
    assert lab.state.truncate is None
    assert lab.full is lab.run.gradients
    assert lab.angle == 0.0


@pytest.mark.parametrize("block", ["f", "i", "o", "g"])
def test_tiles_of_a_block_sum_to_its_gradient(block):
    lab = opened(cell="lstm", n=3, block=block)
    arrays = lab.tiles()
    np.testing.assert_allclose(arrays["tiles"][0].sum(axis=0), arrays["tile_sum"][0][0], atol=1e-14)
    index = "fiog".index(block)
    np.testing.assert_array_equal(arrays["tile_sum"][0][0], lab.run.gradients.W_hh[index].ravel())


def test_a_gru_has_no_forget_block_and_shows_its_candidate():
    assert opened(cell="gru", block="f").state.block == "g"


def test_t_cut_short_takes_the_moment_and_the_cell_with_it_and_an_end_stays_an_end():
    lab = opened(t=6, lag=5)
    lab.state.apply({"T": 3})
    assert (lab.state.t, lab.state.lag, lab.state.moment) == (3, 2, moments(3))
    lab.state.apply({"T": 9})
    assert lab.state.moment == moments(9)
    lab.state.apply({"moment": 5})
    lab.state.apply({"T": 12})
    assert lab.state.moment == 5


# --- the check ---------------------------------------------------------------------------------


def check(lab):
    lab._answer({"action": "tell", "detail": "check", "message": {"check": True}, "sequence": 1})
    return json.loads(lab.view.frame["json"])


@pytest.mark.parametrize("query", [{}, {"cell": "lstm", "n": 2}, {"text": "hello", "n": 2}])
def test_a_check_finds_the_gradient_right(query):
    lab = opened(**query)
    frame = check(lab)
    assert frame["kind"] == "detail"
    found = {n["symbol"]: float(n["value"]) for n in numbers(frame["texts"]["check"]["rows"])}
    assert 0 <= found["check_absolute"] < 1e-6
    assert 0 <= found["check_relative"] < 1e-4
    assert "Checked all" in frame["texts"]["check"]["note"][0]["text"]
    assert frame["texts"]["check"]["bias"] == []


def test_a_check_of_a_window_names_what_the_window_takes():
    lab = opened(truncate=2)
    bias = check(lab)["texts"]["check"]["bias"]
    apart = [(getattr(lab.full, name) - getattr(lab.run.gradients, name)).ravel() for name in ("W_xh", "W_hh", "b_h")]
    assert float(next(numbers(bias))["value"]) == pytest.approx(np.linalg.norm(np.concatenate(apart)), rel=1e-12)


def test_a_check_is_forgotten_when_the_run_changes():
    lab = opened()
    assert check(lab)["texts"]["check"]["rows"]
    lab.state.apply({"W": 0.5})
    lab._answer({"action": "detail", "names": ["check"], "sequence": 2})
    assert json.loads(lab.view.frame["json"])["texts"]["check"]["rows"] == []


# --- the range of the colours ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high", "ends"),
    [(-1.5, -0.1, (-1.6, 0)), (-1.4, 0.25, (-1.4, 0.2)), (-7.9, 0.4, (-8, 0)), (-30, 0, (-40, 0)), (-2, 5, (-3, 5))],
)
def test_the_range_changes_in_steps_and_holds_every_value(low, high, ends):
    assert contribution_range(np.array([low, high, np.nan, -np.inf])) == ends


def test_nothing_finite_still_has_a_range():
    assert contribution_range(np.array([np.nan, -np.inf])) == (-1.6, 0)
