"""Paths of wires and heads."""

from __future__ import annotations

import math

import pytest
from rnnscope.app.diagrams.geometry import (
    chevron,
    number,
    offset,
    orthogonal,
    stadium_half_height,
    stadium_half_width,
    triangle,
)


@pytest.mark.parametrize(("x", "text"), [(1.0, "1"), (-0.001, "0"), (2.5, "2.5"), (1.239, "1.24"), (-3.10, "-3.1")])
def test_numbers_are_short(x: float, text: str) -> None:
    assert number(x) == text


def test_a_bend_starts_and_ends_a_radius_from_its_corner() -> None:
    assert orthogonal([(0, 0), (50, 0), (50, 40)]) == "M0 0L38 0A12 12 0 0 1 50 12L50 40"
    assert orthogonal([(0, 0), (50, 0), (50, -40)], 5) == "M0 0L45 0A5 5 0 0 0 50 -5L50 -40"


def test_two_bends_share_a_short_segment() -> None:
    assert "A5 5" in orthogonal([(0, 0), (50, 0), (50, 10), (90, 10)])


def test_heads_end_at_the_tip() -> None:
    assert triangle((0, 0), (20, 0)) == "M20 0L11 4L11 -4Z"
    assert chevron((0, 0), (0, -20)) == "M4.5 -13.5L0 -20L-4.5 -13.5"


@pytest.mark.parametrize("dy", [0, 12, 28, 32])
def test_a_point_at_the_half_width_lies_on_the_round_end(dy: float) -> None:
    x = stadium_half_width(dy, 80, 64)
    assert math.hypot(x - (40 - 32), dy) == pytest.approx(32)
    assert stadium_half_height(x, 80, 64) == pytest.approx(dy)


def test_offset_keeps_both_strands_parallel_around_a_bend() -> None:
    assert offset([(0, 0), (10, 0), (10, 20)], 2) == [(0, -2), (12, -2), (12, 20)]
