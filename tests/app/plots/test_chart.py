"""Plots as plain data: ticks, ranges, and that what each lab draws is what its run holds."""

import numpy as np
import pytest
from rnnscope.app import page
from rnnscope.app.labs.unfold import UnfoldLab
from rnnscope.app.plots.chart import Chart, Matrix, Series, decade_ticks, fitted, over_steps, padded, round_ticks
from rnnscope.app.plots.chart import tick_text as written

LABS = {entry.route: entry.name for entry in page.LABS}


def lab_of(route, query=None):
    from rnnscope import app  # noqa: PLC0415

    name = {"bptt": "BPTTLab", "lstm": "LSTMLab", "gru": "GRULab", "gradients": "GradientLab"}
    return getattr(app, name.get(route, f"{LABS[route]}Lab"))(query)


@pytest.mark.parametrize(("low", "high"), [(0, 100), (-1.15, 1.15), (0, 1), (-3e-5, 7e-5), (2.5, 2.6), (1, 12)])
def test_ticks_are_within_the_range_round_and_evenly_spaced(low, high):
    ticks = np.array(round_ticks(low, high))
    assert 2 <= len(ticks) <= 8
    assert low - 1e-12 <= ticks[0]
    assert ticks[-1] <= high + 1e-12
    steps = np.diff(ticks)
    assert np.allclose(steps, steps[0], rtol=1e-9)
    mantissa = steps[0] / 10 ** np.floor(np.log10(steps[0]) + 1e-9)
    assert min(abs(mantissa - whole) for whole in (1, 2, 5, 10)) < 1e-6


def test_a_range_of_nothing_has_its_one_tick():
    assert round_ticks(2.0, 2.0) == (2.0,)


@pytest.mark.parametrize(("low", "high"), [(-3, 3), (-18, 3), (-768, 6), (-96, 0)])
def test_ticks_of_decades_hit_zero(low, high):
    ticks = decade_ticks(low, high)
    assert 0 in ticks
    assert 3 <= len(ticks) <= 9


def test_ticks_are_written_as_a_person_writes_them():
    assert [written(-4.0, True), written(2.0, True), written(-0.5, False), written(20.0, False)] == [
        "10⁻⁴", "10²", "−0.5", "20",
    ]  # fmt: skip


def test_a_range_holds_every_finite_number_with_room():
    low, high = padded(np.array([-2.0, np.nan, 5.0, np.inf]))
    assert low < -2
    assert 5 < high < np.inf
    assert padded(np.array([3.0, 3.0])) == (2.5, 3.5)
    assert padded(np.array([np.nan])) == (-0.08, 1.08)


def test_stems_stand_on_zero_within_the_range():
    stems = Series("s", np.arange(1, 4), np.array([4.0, 5.0, 6.0]), "gradient", "stems")
    chart = fitted("", "", "", [stems])
    assert chart.y_range[0] < 0
    assert chart.y_range[1] > 6
    assert chart.x_range == (0.5, 3.5)


def test_steps_have_whole_ticks():
    line = Series("s", np.arange(3), np.arange(3.0), "hidden")
    assert over_steps("", "", [line], 1).x_ticks == (0.0, 1.0, 2.0)


@pytest.mark.parametrize("route", LABS)
def test_every_lab_has_plots_whose_data_lie_in_their_ranges(route):
    charts = lab_of(route).charts()
    assert charts
    for plot in charts.values():
        if isinstance(plot, Matrix):
            assert plot.values.shape == (len(plot.rows), len(plot.columns))
            assert plot.low < plot.high
        else:
            _inside(plot)


def _inside(chart: Chart) -> None:
    assert chart.series
    for one in chart.series:
        assert len(one.x) == len(one.y)
        assert (one.x >= chart.x_range[0]).all()
        assert (one.x <= chart.x_range[1]).all()
        assert 0 <= one.at < len(one.x)
        assert len(set(chart.y_ticks)) == len(chart.y_ticks) >= 2


@pytest.mark.parametrize("route", ["lstm", "gru"])
def test_gates_and_states_are_those_of_the_run(route):
    lab = lab_of(route, {"unit": "2", "T": "7"})
    charts = lab.charts()
    assert {one.symbol for one in charts["gates"].series} == set(lab.run.cell.gate_names)
    for one in charts["gates"].series:
        assert np.array_equal(one.y, lab.run.trace.gates[one.symbol][:, 2])
    hidden = next(one for one in charts["states"].series if one.symbol == "h")
    assert np.array_equal(hidden.y, lab.run.trace.hs[:, 2])
    assert np.array_equal(charts["hidden"].values, lab.run.trace.hs.T)


@pytest.mark.parametrize("pattern", UnfoldLab.State.param.pattern.objects)
def test_unfold_draws_the_states_of_its_pattern(pattern):
    lab = UnfoldLab({"pattern": pattern, "n": "2"})
    charts = lab.charts()
    rows = np.column_stack([one.y for one in charts["states"].series])
    assert np.array_equal(rows, lab.arrays()["h"][0])
    assert ("gradients" in charts) == ("dh" in lab.arrays())


def test_bptt_draws_every_loss_against_every_state():
    lab = lab_of("bptt")
    drawn = lab.charts()["contributions"].values
    assert np.array_equal(drawn, lab.full.contributions[1:, 1:], equal_nan=True)


def test_attention_draws_the_weights_of_the_selected_head():
    lab = lab_of("attention", {"head": "2", "heads": "2"})
    assert np.array_equal(lab.charts()["weights"].values, lab.run.trace.weights[1])
    assert lab.charts()["weights"].rows == tuple(lab.state.text)


def test_seq2seq_draws_its_weights_and_names_start_and_end():
    drawn = lab_of("seq2seq").charts()
    lab = lab_of("seq2seq")
    assert np.array_equal(drawn["attention"].values, lab.run.attended[1])
    assert drawn["next"].rows[-1] == "end"
    assert "attention" not in lab_of("seq2seq", {"attention": "none"}).charts()
