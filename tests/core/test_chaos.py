import threading

import numpy as np
import pytest
from rnnscope.core import RNN, chaos_grid, lyapunov_exponents, unroll
from rnnscope.core.chaos import BATCH, _draw, coarse_to_fine

RHOS, STRENGTHS = [0.5, 1.0, 2.0, 3.0], [0.0, 0.5, 4.0]


def as_map(points):
    return {(point.rho, point.strength): point.exponent for point in points}


def test_points_are_the_exponents_of_their_networks():
    network = _draw(6, 120, 5)
    W = network.W
    for point in chaos_grid(RHOS, STRENGTHS, n=6, T=120, seed=5, discard=40):
        cell = RNN(point.strength * network.u[:, None], point.rho * W, np.zeros(6))
        trace = unroll(cell, network.x[:, None], network.start)
        want = lyapunov_exponents(cell, trace, k=1, discard=40)[0]
        # Another tangent at the start: the two have met after 40 steps, to what is left of the gap.
        assert point.exponent == pytest.approx(want, abs=0.02), point


def test_driving_tames_chaos_and_a_large_radius_makes_it():
    found = as_map(chaos_grid(RHOS, STRENGTHS, n=64, T=400, seed=1))
    assert found[0.5, 0.0] == pytest.approx(np.log(0.5), abs=0.02)
    assert found[3.0, 0.0] > 0.05
    assert found[3.0, 4.0] < 0.0
    assert found[0.5, 4.0] < found[0.5, 0.5] < found[0.5, 0.0]


def test_a_point_is_the_same_in_every_map_and_order():
    whole = as_map(chaos_grid(RHOS, STRENGTHS, n=20, T=300))
    turned = as_map(chaos_grid(RHOS[::-1], STRENGTHS[::-1], n=20, T=300))
    assert whole == turned
    assert as_map(chaos_grid([2.0], [0.5], n=20, T=300)) == {(2.0, 0.5): whole[2.0, 0.5]}
    many = as_map(chaos_grid(np.linspace(0, 3, 13), STRENGTHS, n=20, T=300))
    assert many[3.0, 0.0] == whole[3.0, 0.0]
    assert whole != as_map(chaos_grid(RHOS, STRENGTHS, n=20, T=300, seed=1))


@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (5, 3), (8, 8), (0, 4)])
def test_order_is_coarse_to_fine_and_complete(shape):
    order = coarse_to_fine(*shape)
    assert sorted(order) == list(np.ndindex(shape))
    strides = [min((i & -i) or 64, (j & -j) or 64) for i, j in order]
    assert strides == sorted(strides, reverse=True)


def test_progress_is_counted_and_places_are_right():
    points = list(chaos_grid(RHOS, STRENGTHS, n=3, T=10))
    assert [point.done for point in points] == list(range(1, 13))
    assert {point.total for point in points} == {12}
    assert all((RHOS[point.row], STRENGTHS[point.column]) == (point.rho, point.strength) for point in points)


@pytest.mark.parametrize("kind", ["callable", "event"])
def test_a_map_can_be_cancelled_between_points(kind):
    event = threading.Event()
    found = []
    for point in chaos_grid(RHOS, STRENGTHS, n=3, T=10, cancel=event if kind == "event" else event.is_set):
        found.append(point)
        if point.done == 5:
            event.set()
    assert len(found) == 5


def test_a_map_cancelled_before_it_starts_computes_nothing():
    assert list(chaos_grid(RHOS, STRENGTHS, n=3, T=10, cancel=lambda: True)) == []


def test_batches_beyond_the_first_go_on():
    points = list(chaos_grid(np.linspace(0.1, 2, BATCH + 1), [0.0], n=4, T=20))
    assert len(as_map(points)) == BATCH + 1


def test_a_tangent_that_is_lost_is_minus_infinity():
    assert next(chaos_grid([0.0], [1.0], n=3, T=10)).exponent == -np.inf


def test_enormous_drive_is_a_number():
    """Where phi' squared underflows, and phi' does not."""
    assert -300 < next(chaos_grid([1.0], [100.0], n=1, T=50)).exponent < -50


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rhos": [-1.0]}, r"rhos must be at least 0, got -1.0"),
        ({"strengths": [np.nan]}, "strengths must be finite"),
        ({"n": 0}, "n must be an integer at least 1"),
        ({"T": 5, "discard": 5}, "discard must be an integer in 0 … 4, got 5"),
    ],
)
def test_a_map_refuses_at_once(arguments, message):
    with pytest.raises(ValueError, match=message):
        chaos_grid(**({"rhos": [1.0], "strengths": [0.0]} | arguments))
