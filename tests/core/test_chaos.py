import pickle
import threading
from dataclasses import replace

import numpy as np
import pytest
from rnnscope.core import (
    FAMILIES,
    ChaosGrid,
    RNNConfig,
    build_cell,
    build_inputs,
    chaos_batch,
    chaos_grid,
    lyapunov_exponents,
    step_jacobians,
    unroll,
    zero_crossings,
)
from rnnscope.core.chaos import coarse_to_fine
from rnnscope.core.chaos_orbits import BATCH, draw_network
from rnnscope.core.config import stream

RHOS, STRENGTHS = (0.5, 1.0, 2.0, 3.0), (0.0, 0.5, 4.0)
CONFIG = RNNConfig(n=6, d=1, T=120, seed=5)


def grid_of(rhos=RHOS, strengths=STRENGTHS, steps=120, discard=40, **config):
    return ChaosGrid(replace(CONFIG, **config), rhos, strengths, steps, discard)


def as_map(points):
    return {(point.rho, point.strength): point.exponent for point in points}


def trace_at(grid, rho, strength):
    """The run that a point is about, from core's own parts."""
    config = replace(grid.config, rho=rho, sigma_in=strength)
    xs = build_inputs(config if config.input in ("text", "values") else replace(config, T=grid.steps))
    xs = np.concatenate([xs] * (grid.steps // len(xs) + 1))[: grid.steps]
    start = np.random.default_rng(stream(config.seed, "start")).standard_normal(config.n)
    cell = build_cell(config)
    return cell, unroll(cell, xs, start)


def direct_exponent(grid, rho, strength):
    """Benettin's mean with the step Jacobians as matrices."""
    cell, trace = trace_at(grid, rho, strength)
    v = np.random.default_rng(stream(grid.config.seed, "tangent")).standard_normal(cell.hidden_size)
    growths = []
    for J in step_jacobians(cell, trace):
        w = J @ (v / np.linalg.norm(v))
        growths.append(np.linalg.norm(w))
        v = w
    return np.log(growths[grid.discard :]).mean()


INPUTS = {
    "zero": {},
    "impulse": {},
    "sine": {"d": 3},
    "noise": {"d": 2},
    "values": {"T": 5, "values": (1.0, -0.5, 0.2, 0.9, -1.0)},
    "text": {"T": 5, "text": "hello", "d": 34},
}


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("kind", INPUTS)
def test_points_are_the_exponents_of_their_networks(family, kind):
    grid = grid_of((0.5, 1.1), (0.0, 1.5), steps=90, discard=30, family=family, input=kind, **INPUTS[kind])
    for point in chaos_grid(grid):
        want = direct_exponent(grid, point.rho, point.strength)
        assert point.exponent == pytest.approx(want, abs=1e-9), point


@pytest.mark.parametrize("family", ["gaussian", "symmetric", "orthogonal"])
def test_points_agree_with_the_leading_exponent_of_core(family):
    grid = grid_of((0.7, 1.5), (0.3, 2.0), steps=600, discard=200, family=family)
    for point in chaos_grid(grid):
        want = lyapunov_exponents(*trace_at(grid, point.rho, point.strength), k=1, discard=200)[0]
        # Another perturbation at the start: the two have met, to what is left of the gap.
        assert point.exponent == pytest.approx(want, abs=0.02), point


def test_chaotic_points_agree_on_the_whole():
    grid = ChaosGrid(RNNConfig(n=64, d=1, T=10, seed=1), (2.5, 3.0), (0.0, 0.2), 1500)
    for point in chaos_grid(grid):
        want = lyapunov_exponents(*trace_at(grid, point.rho, point.strength), k=1, discard=grid.discard)[0]
        assert point.exponent > 0.05
        assert point.exponent == pytest.approx(want, abs=0.05)


@pytest.mark.parametrize("family", ["gaussian", "orthogonal", "symmetric", "identity", "permutation"])
def test_a_linear_network_has_the_logarithm_of_its_radius(family):
    grid = grid_of((0.5, 1.0, 1.4), (0.0, 2.0), steps=1500, discard=750, family=family, activation="linear", n=4)
    for point in chaos_grid(grid):
        assert point.exponent == pytest.approx(np.log(point.rho), abs=2e-3)


def test_driving_tames_chaos_and_a_large_radius_makes_it():
    found = as_map(chaos_grid(grid_of(steps=400, n=64, seed=2)))
    assert found[0.5, 0.0] == pytest.approx(np.log(0.5), abs=0.02)
    assert found[3.0, 0.0] > 0.05
    assert found[3.0, 4.0] < 0.0
    assert found[0.5, 4.0] < found[0.5, 0.5] < found[0.5, 0.0]


def test_a_point_is_the_same_in_every_map_and_order():
    whole = as_map(chaos_grid(grid_of(steps=300, n=20)))
    turned = as_map(chaos_grid(grid_of(RHOS[::-1], STRENGTHS[::-1], steps=300, n=20)))
    assert whole == turned
    assert as_map(chaos_grid(grid_of((2.0,), (0.5,), steps=300, n=20))) == {(2.0, 0.5): whole[2.0, 0.5]}
    many = as_map(chaos_grid(grid_of(tuple(np.linspace(0, 3, 13)), steps=300, n=20)))
    assert many[3.0, 0.0] == whole[3.0, 0.0]
    assert whole != as_map(chaos_grid(grid_of(steps=300, n=20, seed=1)))


def test_what_plays_no_part_is_not_in_the_key():
    grid = grid_of(steps=50)
    for other in ({"rho": 2.0}, {"sigma_in": 3.0}, {"T": 7}, {"outputs": 1, "T": 120}):
        twin = grid_of(steps=50, **other)
        assert twin.key() == grid.key()
        assert as_map(chaos_grid(twin)) == as_map(chaos_grid(grid))
    for other in ({"seed": 1}, {"n": 5}, {"activation": "relu"}, {"family": "orthogonal"}, {"input": "zero"}):
        assert grid_of(steps=50, **other).key() != grid.key()
    assert grid_of(steps=50, discard=3).key() != grid.key()


def test_a_grid_travels_to_another_process():
    grid = grid_of()
    copy = pickle.loads(pickle.dumps(grid))
    assert copy == grid
    assert hash(copy) == hash(grid)


def test_batches_hold_every_point_and_are_computed_one_by_one():
    grid = grid_of(tuple(np.linspace(0.1, 2, BATCH + 1)), steps=20, discard=5)
    batches = grid.batches()
    assert [len(batch) for batch in batches[:-1]] == [BATCH] * (len(batches) - 1)
    assert sorted(place for batch in batches for place in batch) == list(np.ndindex(grid.shape))
    found = np.concatenate([chaos_batch(grid, index) for index in range(len(batches))])
    assert found.tolist() == [point.exponent for point in chaos_grid(grid)]


@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (5, 3), (8, 8), (0, 4)])
def test_order_is_coarse_to_fine_and_complete(shape):
    order = coarse_to_fine(*shape)
    assert sorted(order) == list(np.ndindex(shape))
    strides = [min((i & -i) or 64, (j & -j) or 64) for i, j in order]
    assert strides == sorted(strides, reverse=True)


def test_progress_is_counted_and_places_are_right():
    points = list(chaos_grid(grid_of(steps=10, discard=None)))
    assert [point.done for point in points] == list(range(1, 13))
    assert {point.total for point in points} == {12}
    assert all((RHOS[point.row], STRENGTHS[point.column]) == (point.rho, point.strength) for point in points)


@pytest.mark.parametrize("kind", ["callable", "event"])
def test_a_map_can_be_cancelled_between_points(kind):
    event = threading.Event()
    found = []
    for point in chaos_grid(grid_of(steps=10, discard=0), cancel=event if kind == "event" else event.is_set):
        found.append(point)
        if point.done == 5:
            event.set()
    assert len(found) == 5


def test_a_map_cancelled_before_it_starts_computes_nothing():
    assert list(chaos_grid(grid_of(), cancel=lambda: True)) == []


def test_a_tangent_that_is_lost_is_minus_infinity():
    assert next(chaos_grid(grid_of((0.0,), (1.0,), steps=10, discard=0))).exponent == -np.inf


def test_enormous_drive_is_a_number():
    """Where phi' squared underflows, and phi' does not."""
    exponent = next(chaos_grid(grid_of((1.0,), (50.0,), steps=50, discard=0, n=1, seed=0))).exponent
    assert -300 < exponent < -50


@pytest.mark.parametrize("activation", ["relu", "linear"])
def test_a_state_that_overflows_is_no_number(activation):
    grid = grid_of((0.5, 3.0), (1.0,), steps=1000, activation=activation, family="identity", input="noise")
    calm, wild = chaos_grid(grid)
    assert np.isfinite(calm.exponent) or calm.exponent == -np.inf
    assert np.isnan(wild.exponent)


def test_a_quarter_is_left_out_where_nothing_is_said():
    assert grid_of(steps=500, discard=None).discard == 125
    assert grid_of(steps=1, discard=None).discard == 0


def test_the_shared_draws_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        draw_network(CONFIG, 10).drives[0] = 1.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rhos": (-1.0,)}, r"rhos must be a finite number of at least 0, got -1.0"),
        ({"strengths": (np.nan,)}, "strengths must be a finite number of at least 0, got nan"),
        ({"rhos": ()}, "rhos must hold at least one number, got none"),
        ({"steps": 5, "discard": 5}, "discard must be an integer in 0 … 4, got 5"),
        ({"steps": 0}, "steps must be an integer in 1 … 100000, got 0"),
        ({"rhos": (1.0,) * 201, "strengths": (1.0,) * 200}, "at most 40000 points, got 201 x 200 = 40200"),
        ({"n": 1, "W": 0.5}, "config must draw its weights, got W = 0.5"),
    ],
)
def test_a_map_refuses_at_once(arguments, message):
    with pytest.raises(ValueError, match=message):
        grid_of(**({"rhos": (1.0,), "strengths": (0.0,)} | arguments))


def test_a_batch_that_is_none_is_refused():
    with pytest.raises(ValueError, match=r"index must be an integer in 0 … 0, got 1"):
        chaos_batch(grid_of(), 1)


@pytest.mark.parametrize(
    ("exponents", "found"),
    [
        ([-1.0, -0.5, 0.5, 1.0], [1.5]),
        ([-1.0, 3.0, -1.0, 0.0], [0.25, 1.75]),
        ([-1.0, -0.5, -0.1, -0.1], []),
        ([-np.inf, 1.0, 1.0, 1.0], [1.0]),
        ([1.0, -np.inf, -1.0, -1.0], [0.0]),
        ([-1.0, np.nan, 1.0, 2.0], []),
    ],
)
def test_zero_crossings(exponents, found):
    assert zero_crossings([0.0, 1.0, 2.0, 3.0], exponents) == pytest.approx(found)
