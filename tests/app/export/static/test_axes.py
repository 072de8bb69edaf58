"""What a static copy moves through, and what it cannot."""

import pytest
from rnnscope.app import snapshot
from rnnscope.app.export import CannotExport
from rnnscope.app.export.static.axes import axes_of, nearest, node_of, states, usual_variation
from rnnscope.app.export.static.build import lab_class
from rnnscope.app.export.vary import parse_variation


def axes(route, query="", *varied):
    lab = lab_class(route)(dict(part.split("=") for part in query.split("&") if part))
    return axes_of(lab, [parse_variation(snapshot.STATES[route], text) for text in varied])


def sizes(found):
    return {axis.key: (len(axis.texts), axis.texts[axis.start]) for axis in found}


def test_varied_keys_come_first_then_looks_and_the_selection():
    found = axes("unfold", "T=3&t=2", "W=0:1:0.25")
    assert sizes(found) == {"W": (5, "1"), "t": (4, "2"), "selected": (4, "h")}
    assert [axis.varied for axis in found] == [True, False, False]
    assert states(found) == 5 * 4 * 4
    assert sizes(axes("gradients", "T=20&lag=7", "rho=0:1:0.5")) == {"rho": (3, "1"), "lag": (21, "7")}


def test_a_look_reaches_as_far_as_the_longest_run():
    assert sizes(axes("gradients", "T=10", "T=10,20"))["lag"] == (21, "10")
    assert sizes(axes("bptt", "T=4"))["lag"] == (4, "3")
    written = sizes(axes("seq2seq", "task=reversal&text=abc"))
    assert (written["t"], written["j"]) == ((4, "1"), (3, "1"))
    assert sizes(axes("attention", "T=3&input=noise"))["unit"] == (3, "0")


def test_nodes_that_say_the_same_are_one_place():
    selected = axes("lstm", "n=2&T=3")[-1]
    assert selected.key == "selected"
    assert selected.names["fc@0"] == selected.names["c@0"] != selected.names["c@-1"]
    assert selected.names["f@0"] == 0
    assert node_of("c@-1", 5) == {"symbol": "c", "t": 4}
    assert node_of("y", 5) == {"symbol": "y", "t": 5}


def test_without_vary_the_slider_that_a_lab_drags():
    def usual(route, query=""):
        lab = lab_class(route)(dict(part.split("=") for part in query.split("&") if part))
        return [(one.key, one.texts[0], one.texts[-1], len(one.texts)) for one in usual_variation(lab)]

    assert usual("gradients") == [("rho", "0", "3", 61)]
    assert usual("unfold") == [("W", "-3", "3", 61)]
    assert usual("unfold", "n=2&input=noise") == [("rho", "0", "3", 61)]
    assert usual("gradients", "lock=rho") == []
    assert usual("attention") == []
    assert usual("bptt")[0][3] < 61  # so many moments that fewer values take a minute


@pytest.mark.parametrize(
    ("query", "varied", "said"),
    [
        ("", ["rho=1,2", "rho=0,1"], "--vary rho is given twice"),
        ("", ["lag=1,2"], "--vary lag: a static copy has all of its values anyway"),
        ("lock=rho", ["rho=1,2"], "--vary rho: lock= holds it"),
    ],
)
def test_what_cannot_be_varied_is_said(query, varied, said):
    with pytest.raises(CannotExport, match=said):
        axes("gradients", query, *varied)


def test_a_copy_opens_at_the_nearest_value():
    assert nearest((0.0, 0.5, 1.0), 0.7) == 1
    assert nearest(("a", "b"), "b") == 1
    assert nearest(("a", "b"), "c") == 0
    assert nearest((0.0, None), 0.5) == 0
