"""Every state of a copy is what a lab says that is brought there by itself."""

import json
import math

import numpy as np
import pytest
from rnnscope.app import snapshot
from rnnscope.app.export import CannotExport
from rnnscope.app.export.static.axes import axes_of, node_of, states
from rnnscope.app.export.static.build import lab_class
from rnnscope.app.export.static.container import packed
from rnnscope.app.export.static.layout import drawn_charts
from rnnscope.app.export.static.record import check_followed, folded, record
from rnnscope.app.export.vary import parse_variation
from rnnscope.core import RNNConfig, decay, run

from tests.app.export.static.reader import unpacked

#: Lab, query, what is varied, and some of the places to look at.
CASES = [
    ("unfold", "T=3", ["W=-1:1:1"], [{"W": "-1", "t": "0"}, {"W": "1", "t": "3", "selected": "y"}]),
    ("unfold", "pattern=system&T=3", ["b=0,0.5"], [{"b": "0.5", "t": "2"}]),
    ("unfold", "n=2&T=2&input=noise", ["notation=goodfellow,pytorch"], [{"notation": "pytorch", "unit": "1"}]),
    ("gradients", "n=3&T=8&rho=1", ["rho=0:2:1"], [{"rho": "0", "lag": "8"}, {"rho": "2", "lag": "3"}]),
    ("bptt", "T=3", ["W=0.5,1"], [{"W": "0.5", "t": "2", "lag": "1", "moment": "7"}, {"W": "1", "t": "3", "lag": "2"}]),
    (
        "lstm",
        "n=2&T=3",
        ["rho=0.5,1"],
        [{"rho": "1", "t": "2", "unit": "1", "selected": "c@-1"}, {"rho": "0.5", "t": "0"}],
    ),
    ("gru", "n=2&T=3", ["substep=0:4:1"], [{"substep": "3", "t": "2"}]),
    ("bidirectional", "n=2&T=3&values=1,2,3", ["rho=0.5,1"], [{"rho": "1", "t": "2", "selected": "h_forward"}]),
    ("seq2seq", "task=reversal&text=abc", ["temperature=0.5,1"], [{"temperature": "0.5", "t": "3", "j": "2"}]),
    ("attention", "T=3&input=noise", ["seed=0,1"], [{"seed": "1", "t": "2", "unit": "2", "head": "2", "substep": "3"}]),
]
IDS = [f"{lab}-{query}" for lab, query, *_ in CASES]


def made(route, query, varied):
    lab = lab_class(route)(dict(part.split("=") for part in query.split("&") if part))
    axes = axes_of(lab, [parse_variation(snapshot.STATES[route], text) for text in varied])
    told = []
    found = record(lab, axes, drawn_charts(lab), lambda done, total: told.append((done, total)))
    assert told == [(done, states(axes)) for done in range(1, states(axes) + 1)]
    return unpacked(packed(found, {}))


def brought(route, query, place):
    """A lab of its own at that place, and what it answers to its page."""
    lab = lab_class(route)(dict(part.split("=") for part in query.split("&") if part))
    keys = {key: text for key, text in place.items() if key != "selected"}
    lab._answer({"action": "set", "values": keys})
    arrays = dict(lab.arrays()) | dict(lab.look_arrays())
    if "selected" in place:
        lab._answer({"action": "select", "node": node_of(place["selected"], lab.state.t)})
    return lab, arrays


def same(found, said):
    """Texts are equal, and the numbers in them as single precision allows."""
    if isinstance(said, dict) and said.get("kind") == "number":
        value = float(said["value"])
        assert found["value"] == pytest.approx(value, rel=2e-7, abs=0 if value else 1e-300, nan_ok=True)
        assert {**found, "value": 0} == {**said, "value": 0}
    elif isinstance(said, dict):
        assert list(found) == list(said)
        for key in said:
            same(found[key], said[key])
    elif isinstance(said, list):
        assert len(found) == len(said)
        for one, other in zip(found, said, strict=True):
            same(one, other)
    else:
        assert found == said


@pytest.mark.parametrize(("route", "query", "varied", "places"), CASES, ids=IDS)
def test_every_state_is_what_the_lab_says_there(route, query, varied, places):
    copy = made(route, query, varied)
    for place in places:
        lab, arrays = brought(route, query, place)
        shown = json.loads(lab.view.frame["json"])
        for name, text in shown["texts"].items():
            same(copy.value(f"text/{name}", **place), text)
        for key, text in shown["state"]["values"].items():
            assert copy.value(f"value/{key}", **place) == text, key
        assert copy.value("settings", **place) == shown["state"]["settings"]
        for name, (table, first) in arrays.items():
            found = copy.value(f"array/{name}", **place)
            np.testing.assert_allclose(found["data"], np.ravel(table), rtol=1e-6, atol=1e-300)
            assert (math.prod(found["shape"]), found["t0"]) == (np.size(table), first)
        for name, scene in lab.scenes().items():
            assert copy.value(f"scene/{name}", **place) == json.loads(json.dumps(scene))


@pytest.mark.parametrize(("route", "query", "varied", "places"), CASES, ids=IDS)
def test_details_are_those_of_the_lab_at_rest(route, query, varied, places):
    copy = made(route, query, varied)
    for name in copy.names("detail/"):
        lab, _ = brought(route, query, places[0])
        lab._answer({"action": "detail", "names": [name]})
        answer = json.loads(lab.view.frame["json"])
        same(copy.value(f"detail/{name}", **places[0])["texts"], answer["texts"][name])


def test_the_curve_at_every_radius_is_that_of_core():
    copy = made("gradients", "n=6&T=20&seed=3&input=noise&curves=rnn", ["rho=0.5:1.5:0.25"])
    for axis in copy.head["axes"][:1]:
        assert axis["texts"] == ["0.5", "0.75", "1", "1.25", "1.5"]
    for rho in ("0.5", "1", "1.25"):
        shown = run(RNNConfig(n=6, d=1, T=20, seed=3, rho=float(rho), input="noise", sigma_in=0.5))
        found, chart = decay(shown.cell, shown.trace), copy.value("chart/decay", rho=rho)
        np.testing.assert_allclose(chart["series"][0]["y"], found.curve, rtol=2e-7, atol=1e-12)
        for lag in ("0", "7", "20"):
            row = copy.value("text/at_lag", rho=rho, lag=lag)[0][1][0]
            assert row["value"] == pytest.approx(found.curve[int(lag)], rel=2e-7, abs=1e-12)


def test_what_the_lab_refuses_is_said():
    lab = lab_class("attention")({"T": "2"})
    axes = axes_of(lab, [parse_variation(snapshot.STATES["attention"], "heads=2,3")])
    with pytest.raises(CannotExport, match="a divisor of d_model = 8"):
        record(lab, axes, [], lambda done, total: None)


def test_what_nothing_follows_is_said():
    lab = lab_class("gradients")({"n": "2", "T": "5", "curves": "rnn"})
    found = record(lab, axes_of(lab, [parse_variation(type(lab.state), "t=1,2")]), [], lambda done, total: None)
    with pytest.raises(CannotExport, match="--vary t: nothing in a static copy of this state follows it"):
        check_followed(found)


def test_along_an_axis_that_changes_nothing_a_channel_is_kept_once():
    table = np.arange(6).reshape(3, 1, 2).repeat(4, axis=1)
    assert folded(table).shape == (3, 1, 2)
    assert folded(np.ones((3, 4), int)).shape == (1, 1)
    assert (folded(table)[:, 0] == table[:, 2]).all()
