"""The unfolded graph: one copy of the network a step, forward and backward. Folded form and sum: `folded.py`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from .chain_nodes import Chain, gradient_number, gradient_total
from .geometry import Point, stadium_half_height, stadium_half_width
from .parts import BORDER, gradient_wire, pill, wire
from .scene import Run, Scene, symbol, text, words

# Rows of the wide diagram, from its top: loss, output, state, input, and the names of the steps.
LOSS, OUTPUT, STATE, INPUT, STEPS, ROW = 32, 128, 248, 368, 425, 436
FIRST_STATE, FIRST_WIDTH, FIRST, WIDTH, LONGEST_ROW, WIDEST_PITCH = 35, 70, 158, 792, 5, 184
# Room right of the last column; in a wrapped chain the wire to the next row is there, and in a gap between rows.
MARGIN, WRAPPED_MARGIN, ROW_PITCH = 74, 88, 484

# Columns of the compact diagram, where time runs down.
INPUT_X, STATE_X, OUTPUT_X, COMPACT_WIDTH = 40, 167, 300, 340
NARROW = 76
INPUT_EDGE, OUTPUT_EDGE = INPUT_X + NARROW / 2, OUTPUT_X - NARROW / 2
FIRST_Y, STEP_HEIGHT = 128, 162


def unfolded_scene(
    T: int,
    variant: str = "wide",
    n: int = 1,
    text: str | None = None,
    notation: str = "goodfellow",
    *,
    d: int = 1,
    target_text: str | None = None,
    class_target: bool = False,
    only_last: bool = False,
) -> dict[str, Any]:
    """The chain of T copies with every forward and backward number.

    n and d are the sizes of state and input. With `text` inputs and targets are characters (targets the next
    ones, or those of `target_text`) and the output's number is the logit at the target, which the array `target`
    holds as a class index; `class_target` asks for the same where there is no text. With `only_last` there is one
    output and one loss, at the end.
    """
    chain = Chain(T, n, d, text, notation, target_text, class_target, only_last=only_last)
    return (_wide(chain) if variant == "wide" else _compact(chain)).to_dict()


@dataclass(frozen=True)
class Grid:
    """Where the copies stand in the wide diagram: rows of equal length, as text is set."""

    steps: int

    @property
    def rows(self) -> int:
        return math.ceil(self.steps / LONGEST_ROW)

    @property
    def columns(self) -> int:
        return math.ceil(self.steps / self.rows)

    @property
    def pitch(self) -> float:
        """Distance of the columns: they fill the width, but do not drift apart."""
        margin = MARGIN if self.rows == 1 else WRAPPED_MARGIN
        return min(WIDEST_PITCH, (WIDTH - FIRST - margin) / max(1, self.columns - 1))

    def x(self, t: int) -> float:
        """Centre of copy t."""
        return FIRST + self.pitch * ((t - 1) % self.columns)

    def top(self, t: int) -> float:
        """Top of the row in which copy t stands."""
        return ROW_PITCH * ((t - 1) // self.columns)

    def starts_row(self, t: int) -> bool:
        return (t - 1) % self.columns == 0

    @property
    def height(self) -> float:
        return ROW + ROW_PITCH * (self.rows - 1)


def _wide(chain: Chain) -> Scene:
    grid = Grid(chain.T)
    label = chain_name(chain, "left to right")
    scene = Scene("unfolded", "wide", WIDTH, grid.height, label)
    places = {0: [0, STATE - 48, 72, 96]} | {t: [grid.x(t) - 67, grid.top(t), 134, ROW] for t in chain.steps}
    scene.add("band", {"kind": "band", "places": places, "rx": 10})
    scene.add("node", chain.initial_state(FIRST_STATE, STATE, FIRST_WIDTH, 64).element())
    for t in chain.steps:
        _copy(scene, chain, grid, t)
        _recurrence(scene, chain, grid, t)
    return scene


def chain_name(chain: Chain, way: str) -> list[Run]:
    """Accessible name of the diagram."""
    steps = "step" if chain.T == 1 else "steps"
    return words(f"Unfolded graph over {chain.T} time {steps}. Time runs {way}; every copy has the same weights.")


def _copy(scene: Scene, chain: Chain, grid: Grid, t: int) -> None:
    """Nodes, wires and labels of one column."""
    x, top = grid.x(t), grid.top(t)
    column_input(scene, chain, x, top)
    if chain.has_output(t):
        _column_forward(scene, chain, x, top)
        _column_backward(scene, chain, x, top, t)
        scene.add("node", chain.loss(t, x, top + LOSS), chain.output(t, x, top + OUTPUT).element())
    scene.add("node", chain.state(t, x, top + STATE).element(), chain.input(t, x, top + INPUT).element())
    gradient_total(scene, t, (x + 8, top + 304), stacked=True)
    step_name(scene, t, x, top + STEPS)


def step_name(scene: Scene, t: int, x: float, y: float) -> None:
    """t = 3, bold while the cursor is there."""
    step = [*symbol("t", size=15), *words(f" = {t}")]
    scene.add("label", text(x, y, step, "middle", "step-label", current=t))


def column_input(scene: Scene, chain: Chain, x: float, top: float) -> None:
    """The wire from the input of a column up to its state."""
    lane, edge = x - 14, stadium_half_height(14, chain.state_width)
    wire(scene, [(lane, top + INPUT - 32), (lane, top + STATE + edge + BORDER)], "input", weight="U")
    pill(scene, lane, top + (INPUT + STATE) / 2, "U", chain.weight("U"))


def _column_forward(scene: Scene, chain: Chain, x: float, top: float) -> None:
    lane, edge = x - 14, stadium_half_height(14, chain.state_width)
    wire(scene, [(lane, top + STATE - edge), (lane, top + OUTPUT + 32 + BORDER)], "output", weight="V")
    pill(scene, lane, top + (STATE + OUTPUT) / 2, "V", chain.weight("V"))
    wire(scene, [(lane, top + OUTPUT - 32), (lane, top + LOSS + 24 + BORDER)])


def _column_backward(scene: Scene, chain: Chain, x: float, top: float, t: int) -> None:
    lane, edge = x + 14, stadium_half_height(14)
    gradient_wire(scene, [(lane, top + LOSS + 24), (lane, top + OUTPUT - 32 - BORDER)])
    gradient_number(scene, "dy", t, (x + 22, top + (LOSS + 24 + OUTPUT - 32) / 2 + 4), unit=chain.output_unit)
    gradient_wire(scene, [(lane, top + OUTPUT + 32), (lane, top + STATE - edge - BORDER)])
    gradient_number(scene, "dh_out", t, (x + 22, top + (STATE + OUTPUT) / 2 + 4))


def _recurrence(scene: Scene, chain: Chain, grid: Grid, t: int) -> None:
    """The wire from the state before, and the gradient back along it."""
    half = stadium_half_width(12, chain.state_width)
    x, y = grid.x(t), grid.top(t) + STATE
    if t > 1 and grid.starts_row(t):
        _next_row(scene, chain, grid, t, half)
        return
    start = FIRST_STATE + stadium_half_width(12, FIRST_WIDTH) if t == 1 else grid.x(t - 1) + half
    wire(scene, [(start, y - 12), (x - half - BORDER, y - 12)], "hidden", weight="W")
    middle = (start + x - half) / 2
    pill(scene, middle - 4, y - 12, "W", chain.weight("W"))
    if t > 1:
        gradient_wire(scene, [(x - half, y + 12), (start + BORDER, y + 12)])
        gradient_number(scene, "dh_next", t - 1, (middle, y + 29), "middle")


def _next_row(scene: Scene, chain: Chain, grid: Grid, t: int, half: float) -> None:
    """From the last state of a row to the first of the next, around the columns; the forward wire runs outside."""
    x, y = grid.x(t), grid.top(t) + STATE
    last_x, last_y = grid.x(t - 1), grid.top(t - 1) + STATE
    gap = grid.top(t - 1) + ROW
    forward: list[Point] = [(last_x + half, last_y - 12), (last_x + 80, last_y - 12), (last_x + 80, gap + 30)]
    forward += [(68, gap + 30), (68, y - 12), (x - half - BORDER, y - 12)]
    wire(scene, forward, "hidden", weight="W")
    pill(scene, 93, y - 12, "W", chain.weight("W"))
    back: list[Point] = [
        (x - half, y + 12),
        (44, y + 12),
        (44, gap + 16),
        (last_x + 68, gap + 16),
        (last_x + 68, last_y + 12),
    ]
    gradient_wire(scene, [*back, (last_x + half + BORDER, last_y + 12)])
    gradient_number(scene, "dh_next", t - 1, (82, y + 29), "middle")


def _compact(chain: Chain) -> Scene:
    label = chain_name(chain, "down")
    height = FIRST_Y + STEP_HEIGHT * (chain.T - 1) + 116
    scene = Scene("unfolded", "compact", COMPACT_WIDTH, height, label, max_width=480)
    places = {0: [-4, 0, 348, 40]} | {t: [-4, copy_height(t) - 56, 348, STEP_HEIGHT + 4] for t in chain.steps}
    scene.add("band", {"kind": "band", "places": places, "rx": 10})
    scene.add("node", chain.initial_state(STATE_X, 20, 92, 36).element())
    for t in chain.steps:
        _compact_copy(scene, chain, t)
        _compact_recurrence(scene, chain, t)
    return scene


def copy_height(t: int) -> float:
    """Height of the state of copy t."""
    return FIRST_Y + STEP_HEIGHT * (t - 1)


def _compact_copy(scene: Scene, chain: Chain, t: int) -> None:
    y = copy_height(t)
    compact_input(scene, chain, y)
    gradient_total(scene, t, (STATE_X - 36, y + 52), "end")
    step_name(scene, t, INPUT_X, y - 40)
    scene.add("node", chain.input(t, INPUT_X, y, NARROW).element(), chain.state(t, STATE_X, y).element())
    if chain.has_output(t):
        _compact_forward(scene, chain, y)
        _compact_backward(scene, chain, t)
        scene.add("node", chain.output(t, OUTPUT_X, y, NARROW).element(), chain.loss(t, OUTPUT_X - 6, y + 84, 92))


def compact_input(scene: Scene, chain: Chain, y: float) -> None:
    """The wire from the input of a row to its state."""
    half, port = chain.state_width / 2, stadium_half_width(12, chain.state_width)
    wire(scene, [(INPUT_EDGE, y - 12), (STATE_X - port - BORDER, y - 12)], "input", weight="U")
    pill(scene, (INPUT_EDGE + STATE_X - half) / 2 - 3, y - 12, "U", chain.weight("U"))


def _compact_forward(scene: Scene, chain: Chain, y: float) -> None:
    half, port = chain.state_width / 2, stadium_half_width(12, chain.state_width)
    wire(scene, [(STATE_X + port, y - 12), (OUTPUT_EDGE - BORDER, y - 12)], "output", weight="V")
    pill(scene, (STATE_X + half + OUTPUT_EDGE) / 2 - 3, y - 12, "V", chain.weight("V"))
    wire(scene, [(OUTPUT_X + 14, y + 32), (OUTPUT_X + 14, y + 60 - BORDER)])


def _compact_backward(scene: Scene, chain: Chain, t: int) -> None:
    y, half = copy_height(t), chain.state_width / 2
    gradient_wire(scene, [(OUTPUT_X - 14, y + 60), (OUTPUT_X - 14, y + 32 + BORDER)])
    gradient_number(scene, "dy", t, (OUTPUT_X - 22, y + 50), "end", chain.output_unit)
    port = stadium_half_width(12, chain.state_width)
    gradient_wire(scene, [(OUTPUT_EDGE, y + 12), (STATE_X + port + BORDER, y + 12)])
    gradient_number(scene, "dh_out", t, ((OUTPUT_EDGE + STATE_X + half) / 2 - 6, y + 36), "middle")


def _compact_recurrence(scene: Scene, chain: Chain, t: int) -> None:
    edge = stadium_half_height(14, chain.state_width)
    start, end = (38 if t == 1 else copy_height(t - 1) + edge), copy_height(t) - edge
    wire(scene, [(STATE_X - 14, start), (STATE_X - 14, end - BORDER)], "hidden", weight="W")
    pill(scene, STATE_X - 14, (start + end) / 2 - 4, "W", chain.weight("W"))
    if t > 1:
        gradient_wire(scene, [(STATE_X + 14, end), (STATE_X + 14, start + BORDER)])
        gradient_number(scene, "dh_next", t - 1, (STATE_X + 23, (start + end) / 2 + 12))
