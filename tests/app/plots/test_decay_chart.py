"""The decay plot as data says what the live figure shows."""

import numpy as np
import pytest
from rnnscope.app import GradientLab

STATES = [
    {},
    {"preset": "folk-law-wrong"},
    {"preset": "identity-relu"},
    {"curves": "lstm,gru", "cell": "gru"},
    {"rho": "0"},
]


@pytest.mark.parametrize("query", STATES, ids=str)
def test_the_data_are_those_of_the_live_figure(query):
    lab = GradientLab(query)
    chart = lab.charts()["decay"]
    lab.plot.render([lab.measured_of(cell) for cell in lab.state.curves], lab.state.lag)
    names = lab.plot.names.data
    assert [line.label for line in chart.series if line.label] == names["name"]
    assert [line.at for line in chart.series if line.label] == names["lag"]
    assert chart.y_range == (lab.plot.figure.y_range.start, lab.plot.figure.y_range.end)
    assert list(chart.y_ticks) == lab.plot.figure.yaxis.ticker.ticks
    for line in chart.series:
        cell = {"": "rnn"}.get(line.symbol.removeprefix("jacobian_log10_norm"), line.symbol.rpartition("_")[2])
        if line.symbol.startswith("jacobian"):
            assert np.array_equal(line.y, lab.plot.sources[cell].data["norm"], equal_nan=True)


def test_the_law_and_its_bound_are_of_the_rnn_alone():
    def drawn(query):
        return {line.name for line in GradientLab(query).charts()["decay"].series}

    assert {"bound", "folk law"} <= drawn({})
    assert not {"bound", "folk law"} & drawn({"curves": "lstm", "cell": "lstm"})


def test_eigenvalues_and_singular_values_are_those_measured():
    lab = GradientLab({"rho": "1.3", "n": "8"})
    charts = lab.charts()
    assert charts["eigenvalues"].circles == pytest.approx((1.0, 1.3))
    assert np.array_equal(charts["singular_values"].series[0].y, lab.measured.singular_values)
