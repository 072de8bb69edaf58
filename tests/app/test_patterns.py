"""The patterns of /unfold: arrays are core's, scenes bind them, one change is one run and one frame, claims hold."""

import json

import numpy as np
import pytest
from rnnscope.app import UnfoldLab, url
from rnnscope.app.labs import base
from rnnscope.app.labs.pattern_presets import CLAIMS, LABELS
from rnnscope.app.snapshot import write
from rnnscope.app.state import UnfoldState
from rnnscope.core import run

from tests.browser import expected_patterns

PATTERNS = ("output", "last", "system", "convolution")
QUERIES = [
    {"pattern": pattern, **query}
    for pattern in PATTERNS
    for query in (
        {},
        {"n": "4", "unit": "2", "text": "hello", "t": "5"},
        {"n": "3", "d": "2", "input": "noise", "T": "12"},
    )
]
LATER = {"steps", "h_after", "dh_after"}


def arrays_of(lab):
    return {name: (np.asarray(rows), first) for name, (rows, first) in lab.arrays().items() if name not in LATER}


@pytest.mark.parametrize("query", [*QUERIES, {"pattern": "output", "forcing": "teacher"}], ids=str)
def test_the_arrays_are_those_of_core(query):
    lab = UnfoldLab(query)
    wanted = expected_patterns.numbers(lab.state, run(lab.state.config()))
    for name, (rows, first) in arrays_of(lab).items():
        table, start = wanted[name]
        np.testing.assert_array_equal(rows, np.asarray(table)[first - start :], err_msg=name)


def bindings(node):
    if isinstance(node, list):
        return [found for part in node for found in bindings(part)]
    if not isinstance(node, dict):
        return []
    own = [node["value"]] if isinstance(node.get("value"), dict) and "symbol" in node["value"] else []
    return own + [found for key, part in node.items() if key != "value" for found in bindings(part)]


@pytest.mark.parametrize("query", QUERIES, ids=str)
def test_every_number_of_a_scene_is_bound_to_an_array_that_has_it(query):
    lab = UnfoldLab(query)
    arrays = arrays_of(lab)
    for variants in lab.scenes().values():
        for scene in variants.values():
            for bound in bindings(scene["layers"]):
                rows, first = arrays[bound["symbol"]]
                if isinstance(bound["t"], int):
                    assert first <= bound["t"] < first + len(rows), bound


@pytest.mark.parametrize("query", QUERIES, ids=str)
def test_nodes_stand_inside_their_scene_and_apart(query):
    for variants in (UnfoldLab(query).scenes()[name] for name in ("folded", "unfolded")):
        for scene in variants.values():
            boxes = [outline(item) for item in scene["layers"]["node"]]
            for i, (x, y, width, height) in enumerate(boxes):
                assert min(x, y) >= -1
                assert x + width <= scene["width"] + 1
                assert y + height <= scene["height"] + 1
                apart = [x + width <= u or u + w <= x or y + height <= v or v + h <= y for u, v, w, h in boxes[i + 1 :]]
                assert all(apart), (scene["id"], scene["variant"])


def outline(item):
    attrs = next(child["attrs"] for child in item["children"] if child.get("attrs", {}).get("class") == "shape")
    return attrs["x"], attrs["y"], attrs["width"], attrs["height"]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_is_one_run_and_one_frame(pattern, monkeypatch):
    lab, runs, real, frames = UnfoldLab(), [], base.run, []
    monkeypatch.setattr(base, "run", lambda config: runs.append(config) or real(config))
    lab.view.param.watch(lambda event: frames.append(json.loads(event.new["json"])), "frame", onlychanged=False)
    lab._answer({"action": "set", "sequence": 1, "values": {"pattern": pattern}})
    assert (len(runs), len(frames), frames[0]["kind"]) == (1, 1, "run")
    assert frames[0]["query"] == f"pattern={pattern}"
    lab._answer({"action": "set", "sequence": 2, "values": {"t": "1", "highlight": "U"}})
    assert (len(runs), len(frames), frames[1]["kind"]) == (1, 2, "look")


@pytest.mark.parametrize("query", QUERIES, ids=str)
@pytest.mark.parametrize("symbol", ["h", "y", "L"])
def test_every_step_has_texts_in_every_pattern(query, symbol):
    lab = UnfoldLab(query)
    lab.selected = symbol
    for t in range(lab.state.T + 1):
        lab.state.apply({"t": t})
        texts = lab.texts()
        assert texts["forward"]
        assert texts["trade"]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_input_comes_back_after_a_system(pattern):
    lab = UnfoldLab({"values": "1,2,3", "pattern": pattern})
    lab._set({"pattern": "system"})
    assert not np.any(lab.pattern.run.trace.xs)
    lab._set({"pattern": "hidden"})
    assert lab.run.trace.xs.ravel().tolist() == [1, 2, 3]


def test_every_pattern_has_a_preset_with_a_sentence():
    presets = UnfoldLab.State.PRESETS
    assert set(LABELS) == set(CLAIMS) <= set(presets)
    assert {keys["pattern"] for keys in presets.values() if "pattern" in keys} == set(PATTERNS)


@pytest.mark.parametrize("preset", LABELS)
def test_a_claim_stands_at_its_preset_and_goes_with_the_next_change(preset):
    lab = UnfoldLab({"preset": preset})
    assert lab.texts()["claim"]
    lab.state.apply({"W": 0.123})
    assert lab.texts()["claim"] == []


def said(preset):
    words = UnfoldLab({"preset": preset}).texts()["claim"]
    return [float(word["value"]) for word in words if "value" in word]


def test_the_claims_hold():
    own, total = said("teacher-forcing")
    assert own == total
    first, kept, last = said("one-answer")
    assert abs(first) < 0.2 * abs(last)
    assert kept == pytest.approx(first / last)
    assert said("fixed-point")[1] < 1e-3
    before, after, apart = said("two-cycle")
    assert before == pytest.approx(-after, abs=1e-3)
    assert apart < 1e-3
    outside, inside = said("window-and-past")
    assert outside == 0
    assert abs(inside) > 0.1
    assert said("same-when-linear")[1] < 1e-15


@pytest.mark.parametrize("pattern", PATTERNS)
def test_state_writes_the_run_of_the_pattern(pattern, tmp_path):
    write("unfold", {"pattern": pattern, "n": 3}, tmp_path / "run.npz")
    lab, found = UnfoldLab({"pattern": pattern, "n": "3"}), np.load(tmp_path / "run.npz")
    np.testing.assert_array_equal(found["preactivations"], lab.arrays()["a"][0])
    np.testing.assert_array_equal(found["hs"], lab.arrays()["h"][0])
    assert {"output": "W_yh", "last": "grad_loss", "system": "W_hh", "convolution": "kernel"}[pattern] in found


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ({"window": "4"}, "window = “4” is not accepted: it goes with pattern = convolution. It is left out."),
        (
            {"pattern": "convolution", "forcing": "teacher"},
            "forcing = “teacher” is not accepted: it goes with pattern = output. It is left out.",
        ),
    ],
)
def test_a_key_of_another_pattern_is_said_and_left_out(query, says):
    values, notices = url.read(UnfoldState, query)
    assert [notice.message for notice in notices] == [says]
    assert not {"window", "forcing"} & set(values)


def test_a_key_of_the_presets_own_pattern_is_taken():
    assert url.read(UnfoldState, {"preset": "window-and-past", "window": "2"})[1] == []
    assert url.read(UnfoldState, {"pattern": "output", "forcing": "teacher"})[1] == []
