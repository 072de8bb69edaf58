"""/gru: what its sentences claim, what a change of variant sends, and what is computed at rest."""

import numpy as np
import pytest
from rnnscope.app import GRULab
from rnnscope.app.labs import gru_presets
from rnnscope.app.labs.gru_details import Convention, SideBySide
from rnnscope.app.state import GRUState
from rnnscope.core import GRU, LSTM, RNN, from_pytorch, run, to_pytorch, unroll

from tests.app.texts import frame, set_keys, spoken

VARIANTS = [(reset, update) for reset in ("before", "after") for update in ("new", "old")]


@pytest.fixture
def opened():
    return lambda **query: GRULab({key: str(value) for key, value in query.items()})


def said(words):
    return {(word["symbol"], word["t"]): float(word["value"]) for word in words if "value" in word}


# --- presets -----------------------------------------------------------------------------------


def test_every_preset_has_a_name_and_a_sentence():
    assert set(gru_presets.LABELS) == set(gru_presets.CLAIMS) == set(GRUState.PRESETS)


def test_the_sentence_goes_with_the_first_number_that_is_changed(opened):
    lab = opened(preset="copies")
    assert lab.texts()["claim"]
    lab.state.apply({"t": 3, "notation": "pytorch"})
    assert lab.texts()["claim"]
    lab.state.apply({"seed": 4})
    assert lab.texts()["claim"] == []


def test_an_update_gate_near_0_copies(opened):
    lab = opened(preset="copies")
    trace = lab.run.trace
    assert trace.gates["z"].max() < 0.01
    assert np.abs(np.diff(trace.hs, axis=0)).max() < 0.01
    claimed = said(lab.texts()["claim"])
    assert claimed["h_largest", 12] == np.abs(trace.hs).max() < 0.01
    step, unit = np.unravel_index(trace.gates["z"].argmax(), trace.gates["z"].shape)
    assert claimed["z", step + 1] == trace.gates["z"][step, unit]


def test_a_reset_gate_near_0_lets_the_candidate_read_no_past(opened):
    lab = opened(preset="forgets-history")
    cell, trace = lab.run.cell, lab.run.trace
    assert trace.gates["r"].max() < 0.01
    other = unroll(cell, trace.xs, np.full(4, 0.9))
    assert np.abs(other.gates["g"][0] - trace.gates["g"][0]).max() < 0.02
    open_gate = opened(reset_bias=6).run
    moved = unroll(open_gate.cell, trace.xs, np.full(4, 0.9)).gates["g"][0] - open_gate.trace.gates["g"][0]
    assert np.abs(moved).max() > 0.2
    assert said(lab.texts()["claim"])["candidate_history", 12] == gru_presets.forgetful(lab.run) < 0.005


def test_the_presets_of_the_sources_are_their_variants(opened):
    found = {name: opened(preset=name).run.cell for name in ("pytorch", "cho-2014", "chung-2014")}
    assert {name: (cell.reset, cell.update) for name, cell in found.items()} == {
        "pytorch": ("after", "old"), "cho-2014": ("before", "old"), "chung-2014": ("before", "new"),
    }  # fmt: skip


def test_the_preset_of_pytorch_is_its_layout_to_the_last_bit(opened):
    lab = opened(preset="pytorch")
    again = from_pytorch(to_pytorch(lab.run.cell))
    assert np.array_equal(unroll(again, lab.run.trace.xs).hs, lab.run.trace.hs)
    numbers = said(lab.texts()["claim"])
    assert (numbers["parameters", 0], numbers["parameters_b_hh", 0]) == (76, 4)


@pytest.mark.parametrize(("preset", "word"), [("cho-2014", "kept"), ("chung-2014", "taken")])
def test_the_share_that_z_is_said_to_be_is_what_it_does(preset, word, opened):
    lab = opened(preset=preset)
    assert f"the share {word}" in spoken(lab.texts()["claim"])
    trace = lab.run.trace
    z, before, g = trace.gates["z"], trace.hs[:-1], trace.gates["g"]
    kept = z if word == "kept" else 1 - z
    np.testing.assert_allclose(trace.hs[1:], kept * before + (1 - kept) * g, rtol=1e-13, atol=1e-15)


def test_with_one_unit_the_place_of_the_reset_is_no_matter(opened):
    lab = opened(preset="one-unit")
    after = opened(preset="one-unit", reset="after")
    apart = np.abs(after.run.trace.hs - lab.run.trace.hs).max()
    assert said(lab.texts()["claim"])["difference_reset", 12] == apart < 1e-15


# --- what a sentence says at a step ------------------------------------------------------------


@pytest.mark.parametrize(("reset", "update"), VARIANTS)
def test_the_shares_of_the_blend_are_those_of_the_variant(reset, update, opened):
    lab = opened(reset=reset, update=update, t=5)
    z = lab.run.trace.gates["z"][4, 0]
    kept = 1 - z if update == "new" else z
    assert spoken(lab.texts()["meaning"]).startswith(
        f"Keeps {100 * kept:.0f} % of h and takes {100 * (1 - kept):.0f} % of the candidate"
    )
    parts = said(lab.texts()["meaning"])
    assert parts["zh", 5] + parts["zg", 5] == pytest.approx(parts["h", 5], rel=1e-13)
    assert parts["h", 5] == lab.run.trace.hs[5, 0]


@pytest.mark.parametrize("symbol", ["z", "r", "g", "h", "keep", "zh", "zg", "rh", "Uhg", "az", "ar", "ag", "x"])
@pytest.mark.parametrize(("reset", "update"), VARIANTS)
def test_every_part_of_the_cell_has_its_block(symbol, reset, update, opened):
    lab = opened(reset=reset, update=update)
    lab.select({"symbol": symbol, "t": 5})
    texts = lab.texts()
    assert texts["selected"]
    assert bool(texts["meaning"]) == (symbol != "x")
    marked = [line["on"] for line in texts["equations"]]
    assert sum(marked) == (symbol != "x")


def test_before_the_first_step_there_is_only_the_state(opened):
    lab = opened(t=0)
    assert spoken(lab.texts()["selected"][0]["tokens"]) == "Step 0 is before the first input: h is 0."
    assert lab.texts()["meaning"] == []


# --- a change of variant -----------------------------------------------------------------------


def test_a_change_of_variant_sends_the_cell_and_nothing_else_to_draw(opened):
    lab = opened()
    assert set(frame(lab)["scenes"]) == {"gru", "opened", "traces", "beside"}
    assert set(set_keys(lab, update="old")["scenes"]) == {"gru"}
    assert set(set_keys(lab, reset="after")["scenes"]) == {"gru", "opened"}
    assert set_keys(lab, update_bias="1")["scenes"] == {}
    assert set(set_keys(lab, notation="pytorch")["scenes"]) == {"gru", "opened", "traces"}


# --- computed at rest --------------------------------------------------------------------------


@pytest.mark.parametrize(("reset", "update"), VARIANTS)
@pytest.mark.parametrize("n", [1, 4])
def test_what_a_switch_changes_is_measured_by_switching(n, reset, update, opened):
    lab = opened(n=n, reset=reset, update=update, t=5)
    other = {"reset": "after" if reset == "before" else "before", "update": "old" if update == "new" else "new"}
    apart = {
        key: np.abs(
            opened(**{"n": n, "reset": reset, "update": update, key: value}).run.trace.hs - lab.run.trace.hs
        ).max()
        for key, value in other.items()
    }
    detail = Convention(lab)
    detail.arrays()
    texts = detail.texts()
    numbers = said(texts["update_says"]) | said(texts["reset_says"])
    assert numbers["difference_update", 12] == apart["update"] > 0.01
    assert numbers["difference_reset", 12] == apart["reset"]
    assert 0 < numbers["difference_negated", 12] < 1e-15
    assert ("another function" in spoken(texts["reset_says"])) == (n > 1) == (apart["reset"] > 1e-6)


def test_a_sentence_about_equal_resets_needs_a_diagonal_matrix(opened):
    for query, reason in (({"n": 1}, "one number"), ({"family": "identity"}, "diagonal"), ({"rho": 0}, "diagonal")):
        detail = Convention(opened(**query))
        detail.arrays()
        assert reason in spoken(detail.texts()["reset_says"])


def test_three_cells_read_the_same_sequence(opened):
    lab = opened(n=3, seed=5, unit=1)
    detail = SideBySide(lab)
    arrays = detail.arrays()
    for cell, kind in (("rnn", RNN), ("gru", GRU), ("lstm", LSTM)):
        fresh = run(lab.state.config_of(cell))
        assert isinstance(fresh.cell, kind)
        assert np.array_equal(fresh.trace.xs, lab.run.trace.xs)
        assert np.array_equal(arrays[f"h_{cell}"][0], fresh.trace.hs[1:])
    assert np.array_equal(arrays["h_gru"][0], lab.run.trace.hs[1:])


@pytest.mark.parametrize(("reset", "words"), [("before", "a quarter fewer"), ("after", "21 % fewer")])
def test_the_parameters_are_counted(reset, words, opened):
    detail = SideBySide(opened(reset=reset))
    detail.arrays()
    counts = said(detail.texts()["beside_count"])
    assert counts == {
        ("parameters_rnn", 0): 24,
        ("parameters_gru", 0): 72 + 4 * (reset == "after"),
        ("parameters_lstm", 0): 96,
    }
    assert words in spoken(detail.texts()["beside_count"])


def test_the_cells_beside_are_run_again_only_where_they_have_changed(opened):
    lab = opened()
    detail = SideBySide(lab)
    first = detail.arrays()
    lab.state.apply({"update_bias": 2.0})
    second = detail.arrays()
    assert first["h_rnn"][0].base is second["h_rnn"][0].base
    assert not np.array_equal(first["h_gru"][0], second["h_gru"][0])


def test_an_unknown_cell_is_refused():
    with pytest.raises(ValueError, match="cell must be one of rnn, lstm, gru, got 'elman'"):
        GRUState().config_of("elman")
