"""Axes that hold every frame of a sweep."""

import numpy as np
import pytest
from rnnscope.app.export.figure.axes import shared_range, with_shared_axes
from rnnscope.app.export.figure.catalog import Figure
from rnnscope.app.plots.chart import Matrix, Series, fitted


def chart(top):
    return fitted("t", "x", "y", [Series("s", np.arange(4), np.linspace(0, top, 4), "hidden")])


def framed(*plots):
    figures = [Figure("name", "unfold", plot, "t", "") for plot in plots]
    return [figure.content for figure in with_shared_axes(figures)]


def test_a_range_holds_all_ranges_and_ticks_follow():
    one, two = framed(chart(1.0), chart(8.0))
    assert one.y_range == two.y_range == chart(8.0).y_range
    assert one.y_ticks == two.y_ticks == (0.0, 2.0, 4.0, 6.0, 8.0)
    assert one.x_ticks == chart(1.0).x_ticks


def test_names_stand_at_the_ends_where_they_do_not_jump():
    assert [series.at for plot in framed(chart(1.0), chart(2.0)) for series in plot.series] == [3, 3]


@pytest.mark.parametrize(
    ("ranges", "log10", "shared"),
    [
        ([(-3, 3), (-6, 3), (-4, 6)], True, (-6, 6)),
        ([(-3, 3)] * 8 + [(-6, 3), (-144, 3)], True, (-3, 3)),
        ([(-3, 3)] * 8 + [(-6, 3), (-144, 3)], False, (-144, 3)),
    ],
)
def test_a_few_frames_that_are_far_longer_do_not_flatten_the_others(ranges, log10, shared):
    assert shared_range(np.array(ranges, dtype=float), log10) == shared


def test_matrices_share_their_scale():
    names = (("1",), ("1",))
    plots = [Matrix("m", "x", "y", np.zeros((1, 1)), *names, -end, end, "diverging") for end in (0.5, 2.0)]
    assert [(plot.low, plot.high) for plot in framed(*plots)] == [(-2.0, 2.0)] * 2


def test_diagrams_stay_as_they_are(figures):
    figure = figures("unfold")["folded"]
    assert with_shared_axes([figure]) == [figure]
