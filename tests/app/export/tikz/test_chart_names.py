"""Names of curves stand beside them, and hide no other name."""

import re

import numpy as np
from rnnscope.app.export.tikz.chart_names import Box, write_names
from rnnscope.app.export.tikz.picture import Picture
from rnnscope.app.plots.chart import Chart, Series

from tests.app.export.tikz.files import file_with


def named(name, y, at, below=False):
    return Series(name, np.arange(11), np.asarray(y, float), "hidden", label=name, at=at, below=below)


def sides(*series):
    picture = Picture()
    write_names(picture, Chart("", "", "", series, (0.0, 10.0), (0.0, 10.0), (), ()))
    written = "\n".join(picture.lines)
    return {name: side for side, name in re.findall(r"label of curve, ([^]]*?), text.*\{(\w+)\};", written)}


def test_a_falling_curve_has_its_name_above_and_a_rising_one_below():
    assert sides(named("falls", np.linspace(9, 1, 11), 4)) == {"falls": "above right"}
    assert sides(named("rises", np.linspace(1, 9, 11), 4, below=True)) == {"rises": "below right"}


def test_a_name_that_would_lie_on_another_goes_to_the_other_side():
    one, other = named("first", np.full(11, 5.0), 4), named("second", np.full(11, 5.01), 4)
    assert sides(one, other) == {"first": "above right", "second": "below left"}


def test_a_name_that_would_hide_a_curve_on_either_side_moves_along_its_own():
    falls = named("falls", np.linspace(9, 5, 11), 2)
    crowd = [Series("", np.linspace(0, 4, 81), np.full(81, y), "hidden") for y in np.linspace(5, 10, 40)]
    picture = Picture()
    write_names(picture, Chart("", "", "", (falls, *crowd), (0.0, 10.0), (0.0, 10.0), (), ()))
    assert float(re.search(r"axis cs:([\d.]+),", "\n".join(picture.lines))[1]) > 2


def test_names_at_the_end_are_lifted_apart():
    found = sides(*(named(f"n{k}", np.full(11, 5 + 0.01 * k), 10) for k in range(3)))
    assert found["n0"] == "right"
    lifts = [float(re.search(r"yshift=([\d.]+)mm", found[f"n{k}"])[1]) for k in (1, 2)]
    assert 3 < lifts[0] < lifts[1] < 8


def test_boxes_know_what_they_meet_and_hold():
    box = Box(0, 0, 2, 1)
    assert box.meets(Box(1, 0.5, 3, 2))
    assert not box.meets(Box(2.1, 0, 3, 1))
    assert box.holds(np.array([[1, 0.5], [3, 0.5], [np.nan, 0.2]])) == 1
    assert not box.leaves
    assert Box(-0.1, 0, 1, 1).leaves


def test_every_curve_of_the_decay_plot_is_named():
    file = file_with("gradients", "", "decay")
    names = {one.label for one in file.shown.charts()["decay"].series if one.label}
    assert len(names) == 5
    assert file.text.count(r"\node[label of curve") == len(names)
