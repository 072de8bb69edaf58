"""The matrix under the loom: its cells, its chain, its sums."""

import pytest
from rnnscope.app import snapshot

from tests.app.export.figure.test_filled import readouts, walk


def cells(scene):
    return {node["id"]: node for node in scene["layers"]["node"]}


def test_a_cell_holds_log10_of_what_a_loss_sends_to_a_state(scene, values_of):
    arrays = snapshot.numbers("bptt", values_of("bptt"))["grad_contributions"]
    found = [own for own in readouts(scene("bptt", "matrix")) if own["symbol"] == "contribution"]
    assert len(found) == 21  # 6 losses, each against itself and what is before it
    assert all(own["value"] == arrays[own["t"], own["unit"]] for own in found)


def test_there_is_no_cell_where_the_state_comes_after_the_loss(scene):
    assert "L2h3" not in cells(scene("bptt", "matrix"))
    assert {"L3h2", "L3h3"} <= set(cells(scene("bptt", "matrix")))


def test_the_selected_cell_is_framed(scene):
    frames = [own for own in walk(scene("bptt", "matrix", "t=5&lag=3")) if own.get("class") == "loom-frame"]
    node = cells(scene("bptt", "matrix", "t=5&lag=3"))["L5h2"]
    [x, y, width, height] = frames[0]["place"]
    assert (x + width / 2, y + height / 2) == (node["x"], node["y"])
    assert len(frames) == 1


def test_what_the_window_cuts_is_off(scene):
    found = cells(scene("bptt", "matrix", "truncate=2"))
    assert {name for name, node in found.items() if "off" in node["class"].split()} == {
        f"L{t}h{k}" for t in range(1, 7) for k in range(1, t - 1)
    }


def test_what_the_way_back_has_not_come_to_has_no_number(scene):
    early = readouts(scene("bptt", "matrix", "moment=7"))
    assert not [own for own in early if own["symbol"] in ("contribution", "live")]


@pytest.mark.parametrize("steps", [1, 6, 12, 13, 50])
@pytest.mark.parametrize("variant", ["wide", "compact"])
def test_all_of_it_is_inside(scene, steps, variant):
    matrix = scene("bptt", "matrix", f"T={steps}&t=1&lag=0", variant)
    for node in matrix["layers"]["node"]:
        assert 0 < node["x"] < matrix["width"]
        assert 0 < node["y"] < matrix["height"]


def test_the_columns_stand_under_the_states(scene):
    states = {node["id"]: node["x"] for node in scene("bptt", "loom")["layers"]["node"]}
    found = cells(scene("bptt", "matrix"))
    assert all(found[f"L6h{k}"]["x"] == states[f"h{k}"] for k in range(1, 7))


def test_both_are_one_picture(figures):
    both, loom = figures("bptt")["itemised"], figures("bptt")["loom"]
    assert both.content is loom.content
    assert both.below["id"] == "loom-matrix"
