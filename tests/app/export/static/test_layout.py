"""What a static copy has on its page: nothing that asks Python, and no control that moves nothing."""

import pytest
from rnnscope.app import snapshot
from rnnscope.app.export import CannotExport
from rnnscope.app.export.static.axes import axes_of
from rnnscope.app.export.static.build import lab_class
from rnnscope.app.export.static.layout import ASKING, drawn_charts, even_step, parts, static_layout
from rnnscope.app.export.static.words import copy_words
from rnnscope.app.export.vary import parse_variation


def laid(route, query="", varied=()):
    lab = lab_class(route)(dict(part.split("=") for part in query.split("&") if part))
    axes = axes_of(lab, [parse_variation(snapshot.STATES[route], text) for text in varied])
    return lab, axes, static_layout(lab, axes)


def kinds(layout, kind):
    return [part for part in parts([layout["cards"], layout["rail"]]) if part["kind"] == kind]


@pytest.mark.parametrize("route", list(snapshot.STATES))
def test_every_control_moves_and_nothing_asks_python(route):
    lab, axes, made = laid(route)
    moving = {axis.key for axis in axes} | lab.state.PAINTED
    assert {part["key"] for part in kinds(made.content, "control")} <= moving
    found = {part["kind"] for part in parts([made.content["cards"], made.content["rail"]])}
    assert not found & {*ASKING, "presets", "figure", "chaosMap", "check", "filmBrush"}
    assert set(made.content["locked"]) == set(lab.state.names()) - moving
    assert {"share", "embed", "badge"} <= set(made.content["hidden"])
    assert {part["chart"] for part in kinds(made.content, "chart")} == set(drawn_charts(lab))


def test_what_stands_still_is_written_out():
    _, _, made = laid("gradients", "family=orthogonal&sigma_in=0.25", ["rho=0:3:0.05"])
    rows = dict(row for part in kinds(made.content, "fixed") for row in part["rows"])
    assert rows["Recurrent weights"] == "Orthogonal"
    assert rows["Input strength $σ_in$"] == "0.25"
    assert "Step $t$" not in rows  # nothing on the copy follows it
    assert "Text" not in rows  # its control is not there either
    assert made.missing == ("Jacobian film strip", "Edge of chaos")
    assert dict(laid("unfold", "c=-0.5")[2].content["cards"][0]["body"][0]["rows"]) == {"Pattern": "Hidden to hidden"}
    numbers = dict(row for part in kinds(laid("unfold", "c=-0.5")[2].content, "fixed") for row in part["rows"])
    assert numbers["$c$ output bias"] == "−0.5"
    assert numbers["Values"] == "1, −0.5, 0.75, 0.25, −1"


def test_the_varied_slider_has_the_values_of_the_copy():
    _, _, made = laid("gradients", "", ["rho=0.5:2:0.25", "cell=rnn,lstm"])
    slider, cells = made.content["controls"]["rho"], made.content["controls"]["cell"]
    assert (slider["min"], slider["max"], slider["step"], slider["marks"]) == (0.5, 2.0, 0.25, [1, 2])
    assert cells["options"] == [["rnn", "RNN"], ["lstm", "LSTM"]]
    assert [made.content["controls"]["lag"][end] for end in ("min", "max", "step")] == [0, 100, 1]
    assert laid("seq2seq")[2].content["controls"]["t"]["max"] == 11
    uneven = laid("gradients", "", ["rho=0.5,0.9,2"])[2].content["controls"]["rho"]
    assert (uneven["min"], uneven["max"], uneven["step"]) == (0.5, 2.0, "any")
    assert even_step((0.1, 0.2, 0.3)) == 0.1
    assert even_step((1, 2, 4)) is None


def test_hidden_and_locked_keys_stay_so():
    lab, axes, made = laid("gradients", "lock=lag&hide=seed,family", ["rho=0:1:0.5"])
    assert [axis.key for axis in axes] == ["rho"]
    rows = [label for part in kinds(made.content, "fixed") for label, _ in part["rows"]]
    assert "Seed" not in rows
    assert "Recurrent weights" not in rows
    assert "lag" in made.content["locked"]
    assert lab.state.lag == 10


def test_a_preset_keeps_what_is_to_be_seen_and_surgery_its_card():
    assert [part["id"] for part in kinds(laid("gradients", "preset=folk-law-wrong")[2].content, "text")][2:3] == [
        "claim"
    ]
    titles = [card.get("title") for card in laid("lstm", "surgery=f:1&n=2&T=3")[2].content["cards"]]
    assert "What the surgery changed" in titles
    assert "What the surgery changed" not in [card.get("title") for card in laid("lstm", "n=2")[2].content["cards"]]


def test_what_no_control_moves_cannot_be_varied():
    with pytest.raises(CannotExport, match="--vary surgery: a static copy has no control that moves it"):
        laid("lstm", "n=2&T=3", ["surgery=f:1,i:1"])
    assert laid("gradients", "hide=rho", ["rho=0,1"])[2].content["hidden"][0] == "rho"


def test_a_source_that_is_typed_on_the_page_is_chosen_in_a_copy():
    made = laid("seq2seq", "task=reversal", ["text=abc,cab"])[2].content
    assert made["controls"]["text"]["options"] == [["abc", "abc"], ["cab", "cab"]]
    assert {"kind": "control", "key": "text"} in kinds(made, "control")


def test_a_copy_says_what_is_in_it():
    said = copy_words(*laid("gradients", "", ["rho=0:3:0.05"])[:2], ["Edge of chaos"])
    assert (
        said == "A static copy: 61 values of ρ from 0 to 3, step 0.05. Numbers to 7 digits. Not in it: Edge of chaos."
    )
    said = copy_words(*laid("unfold", "", ["W=-1:1:0.5", "notation=goodfellow,pytorch"])[:2], [])
    assert said == (
        "A static copy: 5 values of W from −1 to 1, step 0.5; notation = U, W, V or PyTorch. Numbers to 7 digits."
    )
    assert copy_words(*laid("attention")[:2], []) == "A static copy of one run. Numbers to 7 digits."
