"""Stages: every part of a cell's diagram has one, and each sub-step lights what it takes and what it makes."""

import pytest
from rnnscope.app.diagrams.lstm import lstm_scene
from rnnscope.app.diagrams.parts import node
from rnnscope.app.diagrams.scene import Scene, binding, rel
from rnnscope.app.diagrams.stages import Stages, staged
from rnnscope.core import GRU, LSTM, substeps

LSTM_STEPS = substeps(LSTM([[[0.0]]] * 4, [[[0.0]]] * 4, [[0.0]] * 4))
DRAWN = [(variant, n) for variant in ("wide", "compact") for n in (1, 4, 8)]


def gru_steps(reset):
    return substeps(GRU([[[0.0]]] * 3, [[[0.0]]] * 3, [[0.0]] * 3, reset=reset))


def at(steps, symbol):
    return next(k for k, step in enumerate(steps, 1) if step.symbol == symbol)


def scene(variant, n):
    return staged(lstm_scene(variant, n), LSTM_STEPS)


def parts(drawn, *layers):
    return [item for layer in layers for item in drawn["layers"][layer]]


def lit(drawn, k):
    return {item["id"] for item in drawn["layers"]["node"] if k in item["stage"]["lit"]}


@pytest.mark.parametrize(("variant", "n"), DRAWN)
def test_every_part_has_one_stage_and_every_substep_lights_some(variant, n):
    drawn = scene(variant, n)
    staged_parts = parts(drawn, "halo", "wire", "head", "dot", "node")
    assert all(set(item["stage"]) == {"ready", "lit"} for item in staged_parts)
    assert all(item["stage"]["lit"] for item in staged_parts)
    for k in range(1, len(LSTM_STEPS) + 1):
        assert lit(drawn, k), LSTM_STEPS[k - 1].symbol


@pytest.mark.parametrize(("variant", "n"), DRAWN)
def test_staging_changes_nothing_else_and_keeps_no_mark_of_its_own(variant, n):
    plain, drawn = lstm_scene(variant, n), scene(variant, n)
    assert {layer: len(items) for layer, items in plain["layers"].items()} == {
        layer: len(items) for layer, items in drawn["layers"].items()
    }
    assert not [item for items in drawn["layers"].values() for item in items if "of" in item]


@pytest.mark.parametrize(("variant", "n"), DRAWN)
def test_every_label_with_a_number_is_there_from_the_substep_that_makes_it(variant, n):
    for item in parts(scene(variant, n), "label"):
        bound = [run["value"] for run in item.get("runs", []) if "value" in run]
        assert all(item["stage"]["ready"] == value["ready"] == at(LSTM_STEPS, value["symbol"]) for value in bound)


def test_a_substep_lights_the_nodes_that_it_takes_and_makes():
    drawn = scene("wide", 4)
    expected = {
        "Wxf": {"x", "f"}, "Uhf": {"hp", "f"}, "af": {"f"}, "f": {"f"}, "Wxo": {"x", "o"}, "fc": {"cp", "mf"},
        "ig": {"mi"}, "c": {"add", "ct"}, "tc": {"tanh"}, "h": {"mo", "ht"},
    }  # fmt: skip
    assert {symbol: lit(drawn, at(LSTM_STEPS, symbol)) for symbol in expected} == expected


@pytest.mark.parametrize("variant", ["wide", "compact"])
def test_the_trunk_is_lit_as_far_as_the_layer_that_takes_it(variant):
    """Four pieces of each strand; the output gate is the last one, so its product lights them all."""
    strands = [item for item in scene(variant, 4)["layers"]["wire"] if "strand r-input" in item["attrs"]["class"]]
    counts = [sum(at(LSTM_STEPS, f"Wx{gate}") in item["stage"]["lit"] for item in strands) for gate in "figo"]
    assert counts == [2, 3, 4, 4]  # pieces of the trunk, and the branch; the last layer stands at its end


def test_numbers_inside_a_gate_come_one_after_the_other():
    gate = next(item for item in scene("wide", 4)["layers"]["node"] if item["id"] == "f")
    bound = [run["value"] for child in gate["children"] for run in child.get("runs", []) if "value" in run]
    assert {value["symbol"]: value["ready"] for value in bound} == {"f": 4, "af": 3}
    assert gate["stage"] == {"ready": 1, "lit": [1, 2, 3, 4]}


def test_what_the_step_starts_from_is_there_from_the_start():
    nodes = {item["id"]: item for item in scene("wide", 4)["layers"]["node"]}
    assert [nodes[name]["stage"]["ready"] for name in ("cp", "hp", "x")] == [0, 0, 0]
    assert nodes["x"]["stage"]["lit"] == [at(LSTM_STEPS, f"Wx{gate}") for gate in "figo"]


@pytest.mark.parametrize("reset", ["before", "after"])
def test_stages_of_a_gru_follow_the_reset(reset):
    steps = gru_steps(reset)
    stages = Stages(steps)
    assert stages.carried({"symbol": "r", "lag": 0, "into": []})["lit"] == [at(steps, "r"), at(steps, "rh")]
    into_reset = stages.carried({"symbol": "h", "lag": -1, "into": ["rh"]})["lit"]
    assert into_reset == ([at(steps, "rh")] if reset == "before" else [])
    assert stages.layer("g")["lit"] == [k for k, step in enumerate(steps, 1) if step.gate == "g"]


def test_carrying_marks_what_is_drawn_inside_it_alone():
    drawn = Scene("s", "wide", 10, 10, [])
    with drawn.carrying("h", -1, "f"):
        drawn.add("wire", {"kind": "shape"})
    drawn.add("wire", node("x", "", (0, 0), [], name=[], select=binding("x", rel(0))))
    assert drawn.layers["wire"][0]["of"] == {"symbol": "h", "lag": -1, "into": ["f"]}
    assert "of" not in drawn.layers["wire"][1]
