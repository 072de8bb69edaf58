"""The lights of the loom: its chain, its factors, its window and its moment."""

import pytest
from rnnscope.app.export.figure.loom import Lights
from rnnscope.app.export.figure.read import Cursor, Numbers


def classes(scene, wanted):
    """The classes of everything that belongs to a group such as lane-3."""
    items = [item for layer in scene["layers"].values() for item in layer]
    found = [item.get("class") or item.get("attrs", {}).get("class", "") for item in items]
    return {name for style in found if wanted in style.split() for name in style.split()}


def test_the_chain_from_the_loss_to_the_state_is_on(scene):
    loom = scene("bptt", "loom", "t=5&lag=3")  # L5 to h2
    assert [i for i in range(2, 7) if "on" in classes(loom, f"lane-{i}")] == [3, 4, 5]
    assert [i for i in range(1, 7) if "on" in classes(loom, f"loss-{i}")] == [5]
    lit = {node["id"] for node in loom["layers"]["node"] if "lit" in node["class"].split()}
    assert lit == {"L5", "h2"}


def test_a_factor_is_the_derivative_of_a_state_by_the_one_before(scene, values_of):
    loom = scene("bptt", "loom", "t=5&lag=3")
    factors = [run["readout"] for item in loom["layers"]["label"] for run in item.get("runs", ())
               if run.get("readout", {}).get("symbol") == "chain_factor"]  # fmt: skip
    assert [factor["t"] for factor in factors] == [2, 3, 4, 5, 6]
    assert all(run["text"] for item in loom["layers"]["label"] for run in item.get("runs", ()) if "readout" in run)


def test_a_window_says_where_it_stops(scene):
    labels = scene("bptt", "loom", "truncate=2")["layers"]["label"]
    said = ["".join(run["text"] for run in item["runs"]) for item in labels if item["kind"] == "text"]
    assert [text for text in said if "stops" in text] == ["L5\u200a stops"]
    assert "beyond" in classes(scene("bptt", "loom", "truncate=2"), "lane-3")


def test_what_the_algorithm_has_not_come_to_waits(scene):
    early = scene("bptt", "loom", "moment=2")
    assert "todo" in classes(early, "step-3")
    assert "todo" not in classes(early, "step-2")
    assert "todo" in classes(early, "loss-1")
    assert not [i for i in range(1, 7) if "todo" in classes(scene("bptt", "loom"), f"loss-{i}")]


@pytest.mark.parametrize(("moment", "place"), [(1, (1, 1)), (4, (2, 0)), (5, (4, 3)), (8, (7, 3)), (16, (7, 1)),
                                              (17, (8, 0)), (18, (9, 0))])  # fmt: skip
def test_a_moment_is_a_line_and_a_step(moment, place):
    assert Lights(Numbers({}, Cursor(T=3, moment=moment))).place == place
