"""Tables and signs in a row: the opened gate, attention stage by stage."""

import numpy as np
import pytest
from rnnscope.app import AttentionLab, LSTMLab
from rnnscope.app.export.figure.pieces import ROOM, phrase_runs
from rnnscope.app.export.figure.shown import scenes_of

from tests.app.export.figure.test_filled import readouts, walk

LABS = {"flow": AttentionLab, "opened": LSTMLab}


@pytest.mark.parametrize(
    ("name", "query", "least"),
    [
        ("flow", {}, 100), ("flow", {"mask": "causal", "head": "2", "t": "3"}, 150), ("opened", {}, 35),
        ("opened", {"open": "g", "t": "7", "n": "3"}, 25), ("opened", {"input": "text", "text": "hello"}, 35),
    ],
)  # fmt: skip
def test_every_number_is_that_of_the_page(name, query, least):
    lab = LABS[name](query)
    arrays, found = lab.arrays(), readouts(scenes_of(lab)[name])
    assert len(found) >= least
    for readout in found:
        rows, first = arrays[readout["symbol"]]
        assert np.asarray(rows).reshape(len(rows), -1)[readout["t"] - first, readout["unit"]] == readout["value"]


def test_the_query_is_framed_and_the_key_marked():
    places = {}
    for t in (1, 3):
        scene = scenes_of(AttentionLab({"t": str(t), "unit": "1"}))["flow"]
        product = next(own for own in walk(scene) if own.get("id") == "product")
        places[t] = [own["place"] for own in product["children"] if own["kind"] == "mark"]
    assert [len(found) for found in places.values()] == [2, 2]
    assert places[1][0][1] < places[3][0][1]


def test_what_a_sub_step_has_not_made_is_an_en_dash():
    scene = scenes_of(AttentionLab({"substep": "2"}))["flow"]
    assert {readout["symbol"] for readout in readouts(scene)} == {"q", "k", "v", "product"}
    texts = [own["text"] for own in walk(scene) if "size" in own and "text" in own]
    assert "\N{EN DASH}" in texts


@pytest.mark.parametrize("variant", ROOM)
@pytest.mark.parametrize(("name", "query"), [("flow", {}), ("flow", {"text": "attention"}), ("opened", {"n": "8"})])
def test_it_keeps_to_the_room(name, query, variant):
    scene = scenes_of(LABS[name](query), variant)[name]
    assert scene["width"] <= ROOM[variant] + 60
    for node in scene["layers"]["node"]:
        inside = node.get("children", [node])
        assert all(0 <= own["x"] <= scene["width"] and 0 <= own["y"] <= scene["height"] for own in inside if "x" in own)


def test_lines_are_written_in_characters_that_every_font_has():
    runs = phrase_runs([{"kind": "symbol", "text": "W", "sub": "Q", "sup": "⊤"}, {"kind": "operator", "text": "⊙"}])
    assert [run["text"].strip("\u2009") for run in runs] == ["W", "Q", "T", "·"]
