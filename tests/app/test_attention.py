"""/attention: one run a change, heads that fit, claims that hold, and every number computed again."""

import math
from urllib.parse import parse_qsl

import numpy as np
import pytest
from bokeh.models import ColumnDataSource
from rnnscope.app import AttentionLab, url
from rnnscope.app.attention_numbers import attend_with, exponentials, largest, rest, same_tokens, tables
from rnnscope.app.labs import attention
from rnnscope.app.labs.explain import Asked, explain
from rnnscope.app.plots.cost import MODELS as DRAWN_MODELS
from rnnscope.app.plots.cost import CostPlot
from rnnscope.app.positions import shipped_positions
from rnnscope.app.snapshot import write
from rnnscope.app.state import AttentionState
from rnnscope.core import (
    MODELS,
    QUANTITIES,
    SIZES,
    AttentionConfig,
    cost_curve,
    draw_pairs,
    measure_scaling,
    permutation_difference,
    run_attention,
)

from tests.app.texts import frame, set_keys, spoken

QUERIES = [
    {},
    {"t": "4", "unit": "1", "head": "2", "substep": "4", "mask": "causal"},
    {"input": "noise", "T": "12", "d_model": "16", "heads": "8", "positions": "learned", "mask": "causal", "t": "12"},
    {"text": "a", "positions": "sinusoidal", "d_model": "7", "scale": "none"},
    {"input": "noise", "T": "7", "d_model": "2", "heads": "2", "cost": "parameters", "axis": "n", "d_k": "1"},
    {"text": "attention", "cost": "path_length", "axis": "n", "seed": "4294967295", "substep": "3", "scale": "none"},
    {"text": "aa", "mask": "causal", "substep": "4", "cost": "sequential_steps"},
    *({"preset": name} for name in AttentionState.PRESETS),
]
queries = pytest.mark.parametrize("query", QUERIES, ids=str)


def numbers(words):
    """Every named number inside texts: (symbol, t, unit, value)."""
    if isinstance(words, dict):
        own = [(words["symbol"], words["t"], words["unit"], words["value"])] if words.get("kind") == "number" else []
        return own + [found for value in words.values() for found in numbers(value)]
    return [found for item in words for found in numbers(item)] if isinstance(words, list) else []


# --- state -----------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["", *AttentionState.PRESETS])
def test_every_preset_runs(preset):
    state = AttentionState()
    state.apply(AttentionState.PRESETS.get(preset, {}))
    run = attend_with(state.config())
    assert run.xs.shape == (state.T, state.d_model)


@pytest.mark.parametrize("size", range(2, 17))
def test_a_size_keeps_the_heads_that_divide_it(size):
    state = AttentionState()
    state.apply({"d_model": size})
    assert state.heads == (1 if size % 2 else 2)
    assert url.write(state) == ("" if size == 8 else f"d_model={size}")
    state.config()


@pytest.mark.parametrize(
    ("query", "heads", "used"),
    [({"heads": "3"}, 2, "The default, 2, is used."), ({"d_model": "9", "heads": "2"}, 1, "The default, 1, is used.")],
)
def test_heads_that_do_not_divide_the_size_are_said_and_left_out_alone(query, heads, used):
    lab = AttentionLab({**query, "mask": "causal"})
    shown = frame(lab)
    assert len(shown["notices"]) == 1
    assert shown["notices"][0].startswith("heads = ")
    assert used in shown["notices"][0]
    assert (lab.state.heads, lab.state.mask, lab.state.d_model) == (heads, "causal", int(query.get("d_model", 8)))


def test_from_the_page_heads_that_do_not_fit_stay_and_a_size_takes_them_along():
    lab = AttentionLab({})
    shown = set_keys(lab, heads="3")
    assert (lab.state.heads, "It stays as it was." in shown["notices"][0]) == (2, True)
    shown = set_keys(lab, d_model="9")
    assert (lab.state.d_model, lab.state.heads, "heads = 1 is used" in shown["notices"][0]) == (9, 1, True)
    assert set_keys(lab, d_model="10", heads="5")["notices"] == []
    assert [notice.split()[0] for notice in set_keys(lab, heads="many")["notices"]] == ["heads"]
    assert lab.state.heads == 5


def test_locked_heads_hold_the_size_that_they_divide():
    lab = AttentionLab({"lock": "heads"})
    shown = set_keys(lab, d_model="9", mask="causal")
    assert (lab.state.d_model, lab.state.heads, lab.state.mask) == (8, 2, "causal")
    assert shown["notices"][0].startswith("d_model")
    assert set_keys(lab, d_model="10")["notices"] == []


@queries
def test_a_link_opens_what_was_on_screen(query):
    lab = AttentionLab(query)
    assert frame(lab)["notices"] == []
    again = AttentionLab(dict(parse_qsl(frame(lab)["query"])))
    assert frame(again)["notices"] == []
    assert again.state.values_of() == lab.state.values_of()


def test_a_text_sets_the_tokens_and_what_it_has_no_room_for_is_said():
    lab = AttentionLab({"text": "abc", "t": "9", "unit": "9", "head": "9"})
    assert (lab.state.T, lab.state.t, lab.state.unit, lab.state.head) == (3, 3, 2, 2)
    assert [notice.split()[0] for notice in frame(lab)["notices"]] == ["t", "unit", "head"]
    for bad in ("", "a" * 13):
        assert "1 to 12" in frame(AttentionLab({"text": bad}))["notices"][0]


# --- one change, one run ---------------------------------------------------------------------


def test_a_change_is_one_run_and_a_look_is_none(monkeypatch):
    lab, runs = AttentionLab({}), []
    monkeypatch.setattr(attention.lab, "attend_with", lambda config: runs.append(config) or attend_with(config))
    for change in ({"d_model": "4"}, {"seed": "3"}, {"text": "abc"}, {"d_k": "9"}, {"preset": "no-future"}):
        assert set_keys(lab, **change)["kind"] == "run"
        assert runs == [lab.state.config()], change
        runs.clear()
    for look in ({"t": "2"}, {"unit": "1"}, {"head": "2"}, {"substep": "5"}):
        assert set_keys(lab, **look)["kind"] == "look"
    assert runs == []


def test_the_figure_is_built_once_and_shows_the_costs_of_core():
    lab = AttentionLab({})
    assert len(list(lab.plot.figure.select({"type": ColumnDataSource}))) <= 2
    for cost in QUANTITIES:
        set_keys(lab, cost=cost, axis="n")
        for model in MODELS:
            assert tuple(lab.plot.source.data[model]) == cost_curve(model, cost, "n", 5, 8)
        assert lab.plot.figure.y_range.end >= max(max(lab.plot.source.data[model]) for model in MODELS)
    set_keys(lab, cost="sequential_steps", axis="T")
    assert lab.plot.names.data["name"] == ["RNN, GRU, LSTM", "convolution", "self-attention"]
    lab._answer({"action": "theme", "sequence": 2, "theme": "dark"})
    assert lab.plot.theme == "dark"


def test_names_of_close_curves_move_apart():
    plot = CostPlot(SIZES)
    plot.render({model: cost_curve(model, "parameters", "n", 5, 8) for model in MODELS}, "n")
    heights = sorted(math.log10(cost) for cost in plot.names.data["cost"])
    assert set(DRAWN_MODELS) == set(MODELS)
    assert min(np.diff(heights)) >= 0.05 * math.log10(plot.figure.y_range.end)


# --- what is shown ---------------------------------------------------------------------------


def test_tables_hold_the_heads_side_by_side():
    run = attend_with(AttentionConfig(T=4, d_model=6, heads=3, mask="causal", positions="learned"))
    found = tables(run)
    np.testing.assert_array_equal(found["q"], run.xs @ run.projection("q").T)
    np.testing.assert_array_equal(found["weight"][2, 4:8], run.trace.weights[1, 2])
    np.testing.assert_array_equal(found["pe"], shipped_positions(6).table[:4])
    assert (found["masked"][0, 1:4] == -np.inf).all()
    np.testing.assert_allclose(exponentials(run) / exponentials(run).sum(-1, keepdims=True), run.trace.weights)
    terms = np.array([0.5, -3.0, 0.1, 2.0, -0.2])
    assert (largest(terms), rest(terms)) == ([0, 1, 3], pytest.approx(-0.1))
    with pytest.raises(ValueError, match="alike"):
        same_tokens(run)


def test_every_stage_says_what_it_does():
    lab = AttentionLab({"mask": "causal"})
    texts = [spoken(set_keys(lab, substep=str(stage))["texts"]["substep"]) for stage in range(8)]
    assert len(set(texts)) == 8
    set_keys(lab, mask="none", scale="none")
    assert "no mask" in spoken(set_keys(lab, substep="4")["texts"]["substep"])
    assert "not divided" in spoken(set_keys(lab, substep="3")["texts"]["substep"])


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({}, "reads a set"),
        ({"positions": "sinusoidal"}, "since positions say where a token stands"),
        ({"mask": "causal"}, "since the mask says which token came first"),
        ({"mask": "causal", "positions": "learned"}, "since positions and the mask say"),
        ({"text": "a", "mask": "causal"}, "these ones give the same"),
    ],
)
def test_the_order_of_the_tokens_is_told_with_its_number(query, words):
    lab = AttentionLab(query)
    told = frame(lab)["texts"]["order_says"]
    assert words in spoken(told)
    T = lab.state.T
    assert numbers(told)[0][-1] == repr(permutation_difference(lab.run, range(T)[::-1]))


def test_each_preset_claims_what_its_run_shows():
    for preset in AttentionState.PRESETS:
        lab = AttentionLab({"preset": preset})
        claim = frame(lab)["texts"]["claim"]
        values = {name: float(value) for name, _, _, value in numbers(claim)}
        assert values, preset
        if preset == "a-set":
            assert values["twins"] == 0
            assert values["permutation"] < 1e-12
        elif preset in ("with-places", "learned-places"):
            assert values["twins"] > 0.1
            assert values["permutation"] > 1
        elif preset == "no-future":
            assert (values["weight"], values["barred_most"]) == (1.0, 0.0)
        elif preset == "one-score-each":
            low, high = (float(value) for *_, value in numbers(claim))
            assert high > low + 0.5
        else:
            plain, divided = (measure_scaling(draw_pairs(0), 256, scaled) for scaled in (False, True))
            assert plain.largest > 2 * divided.largest
            assert plain.jacobian_norm < divided.jacobian_norm / 2


# --- every number ----------------------------------------------------------------------------


def shown_numbers(lab):
    """Numbers of the texts, and one of each table, with the value that the page has."""
    found = numbers(frame(lab)["texts"])
    for name, (array, first) in lab.arrays().items():
        if name in ("sc_keys", "cost_size") or name.startswith(("pe", "pp_")):
            continue
        units = [0] if array.shape[1] == 1 else range(array.shape[1])
        times = array.shape[0] - 1 if not name.startswith("cost_") else 7
        t = SIZES[times] if name.startswith("cost_") else first + times
        found += [(name, t, unit, repr(float(array[times, unit]))) for unit in list(units)[:2] + list(units)[-1:]]
    return found


@queries
def test_every_number_of_the_page_is_explained_and_agrees(query):
    lab = AttentionLab(query)
    for name, t, unit, value in shown_numbers(lab):
        answer = explain(Asked(lab, name, t, unit, float(value)))
        assert answer.checks or name == "accuracy", name
        assert all(found.near for found in answer.checks), (name, t, unit, answer.checks)
        assert answer.value == float(value) or math.isnan(answer.value), name


@pytest.mark.parametrize("query", [QUERIES[1], QUERIES[3], QUERIES[4], {"positions": "learned", "preset": "a-set"}])
def test_a_copied_script_prints_the_same_number(query, capsys):
    lab, done = AttentionLab(query), set()
    for name, t, unit, value in shown_numbers(lab):
        if name in done or name == "accuracy":
            continue
        done.add(name)
        answer = explain(Asked(lab, name, t, unit, float(value)))
        assert "r = run_attention(AttentionConfig(" in answer.code
        exec(answer.code, {})
        assert float(capsys.readouterr().out) == pytest.approx(answer.value, rel=1e-12, abs=1e-15), name


def test_the_snapshot_holds_the_run(tmp_path):
    write("attention", {"text": "abc", "mask": "causal", "positions": "learned"}, tmp_path / "run.npz")
    config = AttentionConfig(T=3, text="abc", input="text", mask="causal", positions="learned")
    run = run_attention(config, shipped_positions(8).table)
    with np.load(tmp_path / "run.npz") as found:
        np.testing.assert_array_equal(found["weights"], run.trace.weights)
        np.testing.assert_array_equal(found["W_q"], run.projection("q"))
        np.testing.assert_array_equal(found["mask"], run.mask)
        np.testing.assert_array_equal(found["positions"], run.positions)
