"""A plot's coordinates, ticks and lines are those of its chart."""

import re
from dataclasses import replace

import numpy as np
import pytest
from rnnscope.app.export.tikz.chart import chart_picture
from rnnscope.app.plots.chart import Chart, Series

from tests.app.export.tikz.files import STATES, files_of

LINE = Series("line", np.arange(3), np.array([1e-300, -1.0, np.nan]), "hidden", mark="circle")
PLAIN = Chart("T", "step t", "y", (LINE,), (0.0, 2.0), (-1.0, 1.0), (0.0, 1.0), (-1.0, 0.0, 1.0))


def written(chart):
    return "\n".join(chart_picture(chart).lines)


def curves(text):
    """Every series as its points (k, 2)."""
    found = re.findall(r"\\addplot\[[^]]*\] coordinates \{\n([^}]*)\};", text)
    return [np.array([[float(x), float(y)] for x, y in re.findall(r"\(([^,()]+), ([^()]+)\)", body)]) for body in found]


@pytest.mark.parametrize("lab", STATES)
def test_every_curve_has_the_points_of_its_series(lab):
    for query in STATES[lab]:
        for file in files_of(lab, query):
            chart = file.shown.charts().get(file.figure)
            if isinstance(chart, Chart):
                drawn = curves(file.text)
                assert len(drawn) == len(chart.series)
                for points, one in zip(drawn, chart.series, strict=True):
                    np.testing.assert_allclose(points, np.column_stack([one.x, one.y]), rtol=1e-5, atol=0)


def test_a_gap_is_a_gap_and_no_number_is_too_small():
    text = written(PLAIN)
    assert "(0, 1e-300) (1, -1) (2, nan)" in text
    assert "unbounded coords=jump" in text


def test_an_axis_of_log10_says_powers_of_ten_and_holds_their_exponents():
    text = written(replace(PLAIN, y_log10=True))
    assert "ytick={-1, 0, 1}" in text
    assert "yticklabels={$10^{-1}$, $10^{0}$, $10^{1}$}" in text


def test_lines_and_marks_tell_series_apart_without_colour():
    looks = [("solid", "circle"), ("dashed", "square"), ("dotted", "triangle"), ("solid", "diamond")]
    series = tuple(Series(f"s{k}", np.arange(3), np.arange(3.0), "gate", *look) for k, look in enumerate(looks))
    text = written(replace(PLAIN, series=series))
    assert len(set(re.findall(r"\\addplot\[([^]]*)\]", text))) == 4
    assert re.findall(r"\\addlegendentry\{(s\d)\}", text) == ["s0", "s1", "s2", "s3"]


def test_stems_and_bars_stand_on_zero_and_long_curves_have_few_marks():
    stems = Series("s", np.arange(40), np.ones(40), "gradient", "stems", "circle")
    assert "ycomb" in written(replace(PLAIN, series=(stems,)))
    assert "mark repeat" not in written(replace(PLAIN, series=(stems,)))
    assert "mark repeat=2" in written(replace(PLAIN, series=(replace(stems, line="solid"),)))
    assert "ybar" in written(replace(PLAIN, series=(replace(stems, line="bars", mark=""),)))


def test_thin_lines_are_drawn_where_the_chart_has_them():
    text = written(replace(PLAIN, across=(0.0,), down=(1.0,), circles=(0.5,), cursor=2.0))
    assert text.count(r"\draw[guide]") == 3
    assert r"\draw[cursor] ({axis cs:2,-1}) -- ({axis cs:2,1});" in text
    assert r"\draw" not in written(PLAIN)


def test_a_range_of_one_place_has_room():
    assert "xmin=0.5, xmax=1.5" in written(replace(PLAIN, x_range=(1.0, 1.0)))
