"""Paths and borders: right-angled wires with round bends, and heads whose tip lies on a border."""

from __future__ import annotations

import math

Point = tuple[float, float]

BEND = 12.0


def number(x: float) -> str:
    """A coordinate as short as it can be written to a hundredth of a pixel."""
    return f"{round(x, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def move(point: Point) -> str:
    """Start of a path."""
    return f"M{number(point[0])} {number(point[1])}"


def line(point: Point) -> str:
    """Straight on to a point."""
    return f"L{number(point[0])} {number(point[1])}"


def polyline(points: list[Point]) -> str:
    """Path through points, without bends."""
    return move(points[0]) + "".join(line(p) for p in points[1:])


def direction(start: Point, end: Point) -> Point:
    """Unit vector from start to end."""
    length = math.dist(start, end)
    return (end[0] - start[0]) / length, (end[1] - start[1]) / length


def along(start: Point, end: Point, distance: float) -> Point:
    """The point `distance` beyond `end`, seen from `start`; a negative distance stops short of it."""
    ux, uy = direction(start, end)
    return end[0] + ux * distance, end[1] + uy * distance


def orthogonal(points: list[Point], radius: float = BEND) -> str:
    """Path of a right-angled polyline with round bends."""
    path = move(points[0])
    for i in range(1, len(points) - 1):
        path += _bend(points, i, radius)
    return path + line(points[-1])


def _bend(points: list[Point], i: int, radius: float) -> str:
    """The corner at points[i]; two bends share a short segment between them."""
    before, corner, after = points[i - 1 : i + 2]
    room_before = math.dist(before, corner) / (2 if i > 1 else 1)
    room_after = math.dist(corner, after) / (2 if i < len(points) - 2 else 1)
    r = min(radius, room_before, room_after)
    ax, ay = direction(before, corner)
    bx, by = direction(corner, after)
    sweep = 1 if ax * by - ay * bx > 0 else 0
    arc = f"A{number(r)} {number(r)} 0 0 {sweep} "
    return line(along(before, corner, -r)) + arc + line(along(after, corner, -r))[1:]


def stadium_half_width(dy: float, width: float = 80, height: float = 64) -> float:
    """Half the width of a stadium (a box with fully round ends) at the height dy from its centre."""
    radius = height / 2
    return width / 2 - radius + math.sqrt(max(0.0, radius**2 - dy**2))


def stadium_half_height(dx: float, width: float = 80, height: float = 64) -> float:
    """Half the height of a stadium at the distance dx from its centre."""
    radius = height / 2
    beyond = max(0.0, abs(dx) - (width / 2 - radius))
    return math.sqrt(max(0.0, radius**2 - beyond**2))


def triangle(start: Point, tip: Point, length: float = 9, half_width: float = 4) -> str:
    """Forward head: filled, its tip where the wire ends."""
    (ux, uy), (x, y) = direction(start, tip), along(start, tip, -length)
    left, right = (x - uy * half_width, y + ux * half_width), (x + uy * half_width, y - ux * half_width)
    return polyline([tip, left, right]) + "Z"


def chevron(start: Point, tip: Point, length: float = 6.5, half_width: float = 4.5) -> str:
    """Backward head: open."""
    (ux, uy), (x, y) = direction(start, tip), along(start, tip, -length)
    return polyline([(x - uy * half_width, y + ux * half_width), tip, (x + uy * half_width, y - ux * half_width)])


def offset(points: list[Point], distance: float) -> list[Point]:
    """A right-angled polyline moved sideways, to the left of the way it runs."""
    moved = []
    for i, (x, y) in enumerate(points):
        dx = dy = 0.0
        for a, b in zip(points[max(0, i - 1) : i + 1], points[max(0, i - 1) + 1 : i + 2], strict=False):
            ux, uy = direction(a, b)
            dx, dy = (uy or dx), (-ux or dy)
        moved.append((x + dx * distance, y + dy * distance))
    return moved
