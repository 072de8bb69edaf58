"""A filled scene holds the numbers of core, and nothing that is left to be filled."""

import numpy as np
import pytest
from rnnscope.app import LSTMLab, snapshot
from rnnscope.app.export.figure.shown import VARIANTS, scenes_of

LABS = ["unfold", "bptt", "lstm", "gru", "bidirectional", "seq2seq"]
ALIASES = {"h": "hs", "c": "cs", "x": "xs", "y": "ys", "dh": "grad_states", "L": "grad_loss"}


def walk(value):
    """Every dict in a filled scene."""
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for own in value:
            yield from walk(own)


def readouts(scene):
    return [own["readout"] for own in walk(scene) if "readout" in own and "text" in own]


def diagrams(figures, lab, query="", variant="wide"):
    return [figure.content for figure in figures(lab, query, variant).values() if isinstance(figure.content, dict)]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("lab", LABS)
def test_nothing_is_left_to_be_filled(figures, lab, variant):
    for scene in diagrams(figures, lab, variant=variant):
        assert isinstance(scene["label"], str)
        assert scene["variant"] == variant
        for own in walk(scene):
            assert not ({"value", "char", "share", "glyphs", "said"} & set(own) and "text" in own)
            assert "places" not in own
            assert "bound" not in own


@pytest.mark.parametrize(
    ("lab", "query"), [("unfold", "n=3&t=4"), ("lstm", "n=3&t=7&unit=2"), ("gru", "n=3"), ("bptt", "T=4")]
)
def test_every_number_is_that_of_core(figures, values_of, lab, query):
    arrays = snapshot.numbers(lab, values_of(lab, query))
    checked = 0
    for scene in diagrams(figures, lab, query):
        for readout in readouts(scene):
            symbol, t, unit = (readout[key] for key in ("symbol", "t", "unit"))
            name = ALIASES.get(symbol, f"gates_{symbol}")
            if name in arrays:
                first = 0 if symbol in ("h", "c", "dh") else 1
                rows = np.asarray(arrays[name])
                assert readout["value"] == rows.reshape(len(rows), -1)[t - first, unit]
                checked += 1
    assert checked >= 10


def test_a_bar_is_clipped_and_a_missing_number_has_none(scene):
    bars = [
        own for own in walk(scene("unfold", "unfolded", "values=3,-0.5,0&input=values")) if own.get("kind") == "bar"
    ]
    lengths = {round(bar["value"], 2): bar["length"] for bar in bars if bar["value"] is not None}
    assert lengths[3.0] == bars[0]["half"]
    assert lengths[-0.5] == -0.5 * bars[0]["half"]
    waiting = [own for own in walk(scene("lstm", "lstm", "n=1&substep=3")) if own.get("kind") == "bar"]
    assert any(bar["length"] is None for bar in waiting)


def test_the_band_stands_on_the_cursor(scene):
    places = {t: next(own["place"] for own in walk(scene("unfold", "unfolded", f"t={t}")) if own.get("kind") == "band")
              for t in (1, 2)}  # fmt: skip
    assert places[1][0] < places[2][0]


def test_what_is_hidden_is_left_out(scene):
    assert not [own for own in walk(scene("lstm", "lstm")) if own.get("kind") in ("badge", "cutmark")]
    operated = scene("lstm", "lstm", "surgery=f:1,cut@5,x@5:0.3")
    assert sorted(own["text"] for own in walk(operated) if own.get("kind") == "badge") == ["changed", "clamped"]
    assert operated["looks"]["data-cut"] == ""
    assert next(own["class"] for own in walk(operated) if own.get("id") == "f").endswith("clamped")


def test_a_sub_step_lights_what_it_makes(scene):
    classes = " ".join(own["class"] for own in walk(scene("lstm", "lstm", "substep=3")) if "class" in own).split()
    assert "lit" in classes
    assert "later" in classes
    whole = " ".join(own["class"] for own in walk(scene("lstm", "lstm")) if "class" in own).split()
    assert "later" not in whole


def test_a_weight_of_attention_has_its_teal(scene):
    found = scene("seq2seq", "seq2seq", "t=6")
    for node in found["layers"]["node"]:
        if "k-mcell" in node["class"]:
            share = node["readout"]["value"]
            assert f"q{int(share * 8 + 0.5)}" in node["class"].split()


def test_a_scene_is_filled_without_changing_it():
    lab = LSTMLab({"t": "3"})
    before = repr(lab.scenes())
    scenes_of(lab)
    assert repr(lab.scenes()) == before
