"""Scenes: every number that a diagram owes is bound to its array, step and unit; ids are unique; all of it is JSON."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from typing import Any

import pytest
from rnnscope.app.diagrams.folded import contribution_scene, folded_scene
from rnnscope.app.diagrams.gru import gru_scene
from rnnscope.app.diagrams.lstm import lstm_scene
from rnnscope.app.diagrams.scene import LAYERS
from rnnscope.app.diagrams.traces import trace_series
from rnnscope.app.diagrams.unfold import unfolded_scene
from rnnscope.core import NOTATIONS

VARIANTS = ("wide", "compact")
GRUS = [(reset, update) for reset in ("before", "after") for update in ("new", "old")]
SCENES = {
    f"{name} {variant}": build(variant)
    for variant in VARIANTS
    for name, build in {
        "unfolded 1": lambda v: unfolded_scene(1, v),
        "unfolded 12": lambda v: unfolded_scene(12, v, n=4, d=3),
        "unfolded text": lambda v: unfolded_scene(5, v, n=8, text="hello", notation="pytorch"),
        "folded": folded_scene,
        "folded layer": lambda v: folded_scene(v, n=4, d=40),
        "contributions": lambda v: contribution_scene(12, v),
        "lstm": lstm_scene,
        "lstm layer": lambda v: lstm_scene(v, 4, 3, "pytorch"),
        "gru": gru_scene,
        "gru layer": lambda v: gru_scene(v, 4, 3, "pytorch", reset="after", update="old"),
        "lstm text": lambda v: lstm_scene(v, 8, 34, "goodfellow", "hello"),
    }.items()
}


def elements(item: Any) -> list[dict[str, Any]]:
    """Every dict inside a scene, at any depth, names of nodes left out: they repeat what is drawn."""
    if isinstance(item, list):
        return [found for part in item for found in elements(part)]
    if not isinstance(item, dict):
        return []
    return [item, *(found for key, part in item.items() if key != "name" for found in elements(part))]


def step(t: Any) -> int | str:
    return t if isinstance(t, int) else f"t{t['rel']:+d}"


def readouts(scene: dict[str, Any]) -> Counter[tuple[str, int | str, Any]]:
    """(symbol, t, unit) of every number that is drawn as text."""
    runs = [run for found in elements(scene["layers"]) if "runs" in found for run in found["runs"]]
    bound = [run["value"] for run in runs if "value" in run]
    return Counter((b["symbol"], step(b["t"]), json.dumps(b["unit"])) for b in bound)


def owed(T: int) -> set[tuple[str, int, str]]:
    """What the unfolded graph of one unit shows."""
    each = {(name, t, "null") for name in ("x", "h", "y", "L", "target", "dy", "dh_out", "dh") for t in range(1, T + 1)}
    return each | {("h", 0, "null")} | {("dh_next", t, "null") for t in range(1, T)}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("T", range(1, 13))
def test_unfolded_scene_binds_every_number_once(T: int, variant: str) -> None:
    found = readouts(unfolded_scene(T, variant))
    assert set(found) == owed(T)
    assert set(found.values()) == {1}


@pytest.mark.parametrize("variant", VARIANTS)
def test_text_shows_the_logit_at_the_target(variant: str) -> None:
    scene = unfolded_scene(5, variant, n=8, text="hello")
    found = readouts(scene)
    target = json.dumps({"from": "target"})
    assert {key for key in found if key[0] == "y"} == {("y", t, target) for t in range(1, 6)}
    glyphs = [
        run["glyphs"] for item in elements(scene["layers"]) if "runs" in item for run in item["runs"] if "glyphs" in run
    ]
    assert ["“h”", "“e”", "“l”", "“l”", "“o”"] in glyphs
    assert ["“e”", "“l”", "“l”", "“o”", "end"] in glyphs


@pytest.mark.parametrize("variant", VARIANTS)
def test_listed_inputs_name_their_own_unit(variant: str) -> None:
    found = readouts(unfolded_scene(2, variant, n=4, d=3))
    assert {key for key in found if key[0] == "x"} == {("x", t, str(unit)) for t in (1, 2) for unit in range(3)}


def test_folded_scene_follows_the_cursor() -> None:
    wide = {("x", "t+0"), ("h", "t+0"), ("y", "t+0"), ("L", "t+0"), ("target", "t+0")}
    assert {key[:2] for key in readouts(folded_scene("wide"))} == wide
    assert {key[:2] for key in readouts(folded_scene("compact"))} == {("x", "t+0"), ("h", "t+0"), ("y", "t+0")}


@pytest.mark.parametrize("T", [1, 5, 12])
def test_contributions_are_one_a_step_and_their_sum(T: int) -> None:
    found = readouts(contribution_scene(T))
    assert {key[:2] for key in found} == {("dW", t) for t in range(1, T + 1)} | {("dW_sum", T)}


@pytest.mark.parametrize("n", [1, 4, 16, 32])
@pytest.mark.parametrize("variant", VARIANTS)
def test_lstm_binds_every_wire_gate_and_state(variant: str, n: int) -> None:
    found = {key[:2] for key in readouts(lstm_scene(variant, n))}
    owed_now = {"x", "f", "i", "g", "o", "fc", "ig", "c", "tc", "h"} | (
        {"af", "ai", "ag", "ao"} if variant == "wide" else set()
    )
    assert found == {(name, "t+0") for name in owed_now} | {("c", "t-1"), ("h", "t-1")}


@pytest.mark.parametrize("n", [1, 4, 8])
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("reset", "update"), GRUS)
def test_gru_binds_every_wire_gate_and_state(reset: str, update: str, variant: str, n: int) -> None:
    found = {key[:2] for key in readouts(gru_scene(variant, n, reset=reset, update=update))}
    owed_now = {"x", "z", "r", "g", "keep", "zh", "zg", "rh", "Uhg", "h"}
    owed_now |= {"az", "ar", "ag"} if variant == "wide" else set()
    assert found == {(name, "t+0") for name in owed_now} | {("h", "t-1")}


@pytest.mark.parametrize("n", [1, 4])
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_variants_of_the_gru_are_one_drawing_whose_parts_move(variant: str, n: int) -> None:
    """The page moves a scene in place where layers, kinds and nodes are the same."""
    scenes = [gru_scene(variant, n, reset=reset, update=update) for reset, update in GRUS]
    builds = [[(e["kind"], e.get("tag"), e.get("id")) for part in s["layers"].values() for e in part] for s in scenes]
    assert all(build == builds[0] for build in builds)
    commands = [[re.sub(r"[-\d. ]", "", e["attrs"].get("d", "")) for e in s["layers"]["wire"]] for s in scenes]
    assert all(each == commands[0] for each in commands)
    paths = [tuple(e["attrs"]["d"] for e in scene["layers"]["wire"]) for scene in scenes]
    assert len(set(paths)) == 4


@pytest.mark.parametrize("variant", VARIANTS)
def test_one_minus_and_the_matrix_are_where_the_variant_has_them(variant: str) -> None:
    def places(reset: str, update: str) -> dict[str, tuple[float, float]]:
        nodes = gru_scene(variant, reset=reset, update=update)["layers"]["node"]
        return {item["id"]: (item["x"], item["y"]) for item in nodes}

    start = places("before", "new")
    assert {name for name, place in places("before", "old").items() if place != start[name]} == {"om"}
    assert {name for name, place in places("after", "new").items() if place != start[name]} == {"uh"}


@pytest.mark.parametrize("notation", NOTATIONS)
def test_a_gru_has_the_same_bindings_in_every_notation_and_its_own_candidate(notation: str) -> None:
    assert readouts(gru_scene(notation=notation)) == readouts(gru_scene())
    series = {one["symbol"]: one["label"] for one in trace_series(notation, "gru")}
    assert list(series) == ["z", "r", "g", "h"]
    assert series["g"][0]["text"] == ("n" if notation == "pytorch" else "h")


def test_lstm_wire_of_the_forget_gate_is_labelled_beside_its_node() -> None:
    """f, c, h and the candidate are drawn twice: on the node and on the wire."""
    found = readouts(lstm_scene("wide"))
    assert {key[0] for key, count in found.items() if count == 2} == {"f", "i", "g", "o", "c", "h"}


@pytest.mark.parametrize("name", SCENES)
def test_scene_is_json_with_known_layers(name: str) -> None:
    scene = SCENES[name]
    assert json.loads(json.dumps(scene, allow_nan=False)) is not None
    assert tuple(scene["layers"]) == LAYERS


@pytest.mark.parametrize("name", SCENES)
def test_node_ids_are_unique_and_nodes_are_named(name: str) -> None:
    nodes = [item for item in elements(SCENES[name]["layers"]) if item.get("kind") == "node"]
    ids = [item["id"] for item in nodes]
    assert len(set(ids)) == len(ids)
    assert all(item["name"] and set(item["select"]) == {"symbol", "t", "unit"} for item in nodes)


def test_a_weight_is_the_same_group_in_every_copy() -> None:
    scene = unfolded_scene(12)
    pills = [item["attrs"]["class"] for item in scene["layers"]["pill"] if item["kind"] == "shape"]
    assert Counter(pills) == {f"pill w-{weight} weight-{weight}": 12 for weight in "UWV"}


@pytest.mark.parametrize("notation", NOTATIONS)
def test_every_notation_draws_the_same_bindings(notation: str) -> None:
    assert readouts(unfolded_scene(3, notation=notation)) == readouts(unfolded_scene(3))
    assert readouts(lstm_scene(notation=notation)) == readouts(lstm_scene())
    assert [series["symbol"] for series in trace_series(notation)] == ["f", "i", "o", "g", "c", "h"]


@pytest.mark.parametrize("T", range(1, 13))
def test_rows_of_the_chain_hold_at_most_five_steps(T: int) -> None:
    nodes = [item for item in unfolded_scene(T)["layers"]["node"] if item["id"].startswith("h") and item["id"] != "h0"]
    assert max(Counter(node["y"] for node in nodes).values()) <= 5
    assert max(node["x"] for node in nodes) + 46 <= 792


def test_descriptions_of_scenes_load_no_user_interface() -> None:
    code = (
        "import sys\n"
        "import rnnscope.app.diagrams.unfold, rnnscope.app.diagrams.folded, rnnscope.app.diagrams.lstm\n"
        "import rnnscope.app.diagrams.gru, rnnscope.app.diagrams.thumbnails, rnnscope.app.diagrams.traces\n"
        "print(sorted({name.split('.')[0] for name in sys.modules} & {'panel', 'bokeh', 'param', 'holoviews'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
