"""Figures of the labs as HoloViews elements: the chart's own numbers, named, composed and drawn by Bokeh."""

import subprocess
import sys

import holoviews as hv
import numpy as np
import pytest
from bokeh.document import Document
from rnnscope.app import AttentionLab, BidirectionalLab, BPTTLab, GradientLab, GRULab, LSTMLab, Seq2seqLab, UnfoldLab
from rnnscope.app.plots.chart import Chart, Matrix, Series, fitted
from rnnscope.app.plots.elements import MISSING, element
from rnnscope.core import RNNConfig, decay, run

LABS = {
    lab.NAME: lab()
    for lab in (AttentionLab, BidirectionalLab, BPTTLab, GradientLab, GRULab, LSTMLab, Seq2seqLab, UnfoldLab)
}
FIGURES = [(name, figure) for name, lab in LABS.items() for figure in lab.figure_names]


@pytest.mark.parametrize(("lab", "name"), FIGURES)
def test_an_element_holds_the_numbers_of_its_chart_under_its_names(lab, name):
    chart, found = LABS[lab].charts()[name], LABS[lab].figure(name)
    if isinstance(chart, Matrix):
        np.testing.assert_array_equal(found.dimension_values("z", flat=False), chart.values)
        assert [found.get_dimension(key).label for key in "xy"] == [chart.x_label, chart.y_label]
        return
    for series in chart.series:
        (one, *_) = [drawn for drawn in found if drawn.label == series.name]
        np.testing.assert_array_equal(one.dimension_values("x"), series.x)
        finite = np.isfinite(series.y)
        np.testing.assert_array_equal(one.dimension_values("y")[finite], series.y[finite])
        assert one.get_dimension("x").label.startswith(chart.x_label)


@pytest.mark.parametrize(("lab", "name"), FIGURES)
def test_bokeh_draws_it_with_another_element_without_a_warning(lab, name, caplog):
    chart = LABS[lab].charts()[name]
    drawn = hv.render(LABS[lab].figure(name) * hv.HLine(0), backend="bokeh")
    document = Document()
    document.add_root(drawn)
    document.validate()
    assert drawn.title.text == chart.title
    assert drawn.xaxis[0].axis_label.startswith(chart.x_label)
    if isinstance(chart, Chart):
        assert (drawn.x_range.start, drawn.x_range.end) == pytest.approx(chart.x_range)
        assert (drawn.y_range.start, drawn.y_range.end) == pytest.approx(chart.y_range)
    assert not caplog.records


def test_the_decay_figure_is_what_core_measures():
    lab = GradientLab(rho=1.2, n=8, T=30, curves=["rnn"])
    shown = run(RNNConfig(n=8, d=1, T=30, rho=1.2))
    curve = next(one for one in lab.figure("decay") if isinstance(one, hv.Curve) and one.label == "RNN")
    np.testing.assert_array_equal(curve["y"], decay(shown.cell, shown.trace).curve)
    lab.state.rho = 0.5
    assert not np.array_equal(
        next(one for one in lab.figure("decay") if isinstance(one, hv.Curve) and one.label == "RNN")["y"], curve["y"]
    )


def test_a_style_can_be_changed():
    found = GradientLab(n=4, T=10).figure("decay").opts(hv.opts.Curve(color="black", line_width=5))
    styles = [hv.Store.lookup_options("bokeh", one, "style").kwargs for one in found if isinstance(one, hv.Curve)]
    assert {style["color"] for style in styles} == {"black"}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_are_those_of_the_theme(theme):
    from rnnscope.app import theme as colors  # noqa: PLC0415  beside the parameter of that name

    found = GradientLab(n=4, T=10).figure("decay", theme=theme)
    curve = next(one for one in found if isinstance(one, hv.Curve) and one.label == "RNN")
    assert hv.Store.lookup_options("bokeh", curve, "style").kwargs["color"] == colors.color(theme, "gradient")


def test_bars_stand_on_zero_and_marks_may_be_hollow():
    x, y = np.arange(1.0, 4.0), np.array([0.5, -0.2, np.inf])
    chart = fitted("t", "x", "y", [Series("b", x, y, "gate", "bars"), Series("m", x, y, "cell", "", "open_diamond")])
    bars, marks = element(chart)
    assert isinstance(bars, hv.Histogram)
    np.testing.assert_array_equal(bars.dimension_values("x"), x)
    assert isinstance(marks, hv.Points)
    hv.render(element(chart), backend="bokeh")


def test_what_has_no_number_is_no_cell():
    values = np.array([[1.0, np.nan], [0.25, 0.5]])
    image = element(Matrix("m", "k", "t", values, ("a", "a"), ("b", "c"), 0.0, 1.0))
    assert np.isnan(image[2, 1])
    assert image[1, 2] == 0.25
    drawn = hv.render(image, backend="bokeh")
    assert drawn.yaxis[0].major_label_overrides == {1: "a", 2: "a"}


def test_a_wrong_name_lists_the_right_ones():
    with pytest.raises(ValueError, match="GradientLab has no figure 'norms': it has decay, eigenvalues, singular_val"):
        LABS["Gradients"].figure("norms")


def test_holoviews_is_loaded_when_it_is_asked_for_and_its_absence_is_said():
    code = (
        "import sys; from rnnscope.app import GradientLab; lab = GradientLab(n=4, T=10)\n"
        "assert 'holoviews' not in sys.modules; sys.modules['holoviews'] = None\n"
        "try: lab.figure('decay')\n"
        "except ImportError as error: print(error)"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == MISSING
