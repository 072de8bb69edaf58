"""A chart drawn: its axes, its curves with their numbers, its names."""

import re
from dataclasses import replace
from xml.etree.ElementTree import Element

import numpy as np
import pytest
from rnnscope.app.export.figure.chart_layout import box_of, curve_names, end_names, text_width
from rnnscope.app.export.figure.chart_svg import chart_size, chart_words, curve_path, draw_chart
from rnnscope.app.plots.chart import Chart, Series, fitted

X = np.arange(6)


def series(name, y, **looks):
    return Series(name, X, np.asarray(y, dtype=float), "hidden", **looks)


def chart(*lines, **looks):
    return fitted("a title", "step t", "value", lines, **looks)


def drawn(plot, variant="wide"):
    root = Element("svg")
    draw_chart(plot, variant, root)
    return root


def texts(plot):
    return ["".join(element.itertext()) for element in drawn(plot).iter("text")]


def test_title_axes_and_ticks_are_written():
    plot = chart(series("one", X), y_range=(0.0, 5.0))
    assert texts(plot)[:2] == ["A title", "value"]
    assert {"0", "1", "5", "step t"} <= set(texts(plot))


def test_decades_are_written_as_powers_of_ten():
    plot = chart(series("one", -X), y_log10=True, y_ticks=(-4.0, 0.0))
    assert {"10−4", "100"} <= set(texts(plot))


def test_marks_carry_their_numbers():
    values = [0.1, 1 / 3, float("nan"), 0.5, 0.25, 1.0]
    marks = [element for element in drawn(chart(series("one", values, mark="circle", symbol="h"))).iter()
             if element.get("data-symbol") == "h"]  # fmt: skip
    found = [(element.get("data-x"), element.get("data-value")) for element in marks]
    assert found == [(repr(float(x)), repr(y)) for x, y in enumerate(values) if not np.isnan(y)]


def test_a_curve_stops_where_there_is_no_number_and_at_the_edge_of_the_axes():
    plot = chart(series("one", [0, 1, float("nan"), 1, 9, 0]), y_range=(0.0, 4.0))
    box, _, _ = box_of(plot, "wide")
    path = curve_path(box, plot.series[0])
    assert path.count("M") == 3  # from the start, after the gap, and back into the box
    heights = [float(y) for y in re.findall(r"[ML][\d.]+ ([\d.]+)", path)]
    assert min(heights) == box.top
    assert max(heights) == box.bottom


def test_one_curve_needs_no_name_and_several_have_theirs():
    one, other = series("first", X), series("second", -X)
    assert "first" not in texts(chart(one))
    assert {"first", "second"} <= set(texts(chart(one, other)))


def test_names_at_the_same_height_are_moved_apart():
    plot = chart(*(series(f"curve {k}", X + 0.001 * k) for k in range(8)))
    box, width, _ = box_of(plot, "wide")
    names = end_names(box)
    heights = [name.y for name in names]
    assert len(names) == 8
    assert min(np.diff(heights)) >= 16.9
    assert box.top <= min(heights)
    assert max(heights) <= box.bottom
    assert all(name.x + name.width <= width for name in names)


def test_names_on_curves_cover_no_other_name():
    lines = [series(f"name {k}", X + 0.01 * k, label=f"name {k}, a long one", at=2) for k in range(4)]
    box, width, height = box_of(chart(*lines), "compact")
    names = curve_names(box)
    assert not [1 for i, name in enumerate(names) for other in names[:i] if name.covers(other)]
    assert all(name.x >= 0 and name.x + text_width(name.text, 13) <= width and 0 <= name.y <= height for name in names)


def test_a_curve_without_a_number_keeps_its_name():
    empty = series("gone", [np.nan] * 6, label="gone", at=0)
    assert "gone" in texts(chart(series("one", X), empty, y_range=(0.0, 5.0)))


def test_a_unit_is_as_long_on_both_axes_where_it_is_asked_for():
    plot = fitted("plane", "re", "im", [series("points", X, line="", mark="circle")], x_range=(-2.0, 2.0),
                  y_range=(-2.0, 2.0), circles=(1.0,), equal=True)  # fmt: skip
    box, _, _ = box_of(plot, "wide")
    circle = next(element for element in drawn(plot).iter("circle") if element.get("class") == "unit-circle")
    assert box.width == box.height
    assert float(circle.get("r")) == pytest.approx(box.width / 4)


def test_stems_stand_on_zero():
    plot = chart(series("values", [3, 2, 1, 1, 1, 1], line="stems", mark="circle"))
    box, _, _ = box_of(plot, "wide")
    feet = [element.get("d") for element in drawn(plot).iter("path") if "stroke-width" in element.attrib]
    assert len(feet) == 6
    assert all(re.match(rf"M[\d.]+ {round(box.y(0.0), 2):g}V", path) for path in feet)


def test_the_cursor_rings_every_curve():
    plot = replace(chart(series("one", X), series("two", -X)), cursor=3.0)
    rings = [element for element in drawn(plot).iter("circle") if element.get("r") == "5.5"]
    assert len(rings) == 2
    assert [element for element in drawn(plot).iter() if element.get("class") == "tline"]


def test_compact_is_narrower():
    plot = chart(series("one", X))
    assert chart_size(plot, "compact")[0] < 360 < chart_size(plot, "wide")[0]


def test_words_say_the_ends_of_every_curve():
    plot = Chart(
        "t", "lag", "norm", (series("curve", [0, -1, -2, -3, -4, -400]),), (0, 5), (-9, 0), (), (), y_log10=True
    )
    assert chart_words(plot) == "T: norm over lag. curve: from 1 at 0 to 10 to the power −400 at 5."
