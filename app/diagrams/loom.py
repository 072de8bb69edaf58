"""The loom of /bptt: the unfolded graph with the losses on top, over the matrix of every loss against every state.

Column k of the matrix stands under state k. Up to twelve steps the nodes carry their numbers; beyond that they shrink
to marks, and numbers are shown for what is selected. The matrix is drawn by `assets/js/loom_matrix.js` from the
geometry given here: it holds up to 1275 cells, which as elements of a scene would weigh 400 kB.
"""

from __future__ import annotations

from typing import Any

from .chain_nodes import Chain
from .geometry import stadium_half_height, stadium_half_width
from .loom_dense import Lanes, compact_band, compact_loom, dense_loom
from .loom_parts import (
    COMPACT_WIDTH,
    HEIGHT,
    INPUT,
    LOSS,
    OUTPUT,
    STATE,
    WIDTH,
    Columns,
    GatedChain,
    backward_number,
    backward_wire,
    chain_words,
    factor_number,
    forward_wire,
    input_node,
    output_node,
    small_loss,
    small_state,
    two_lines,
)  # fmt: skip
from .parts import BORDER, pill
from .scene import Scene, binding


def loom_scene(
    T: int, variant: str, n: int = 1, d: int = 1, text: str | None = None, notation: str = "goodfellow", *, gated: bool
) -> dict[str, Any]:
    """The graph as a scene, and beside it what the page needs to light a chain.

    lanes   where each step back passes, from the second on: x, y, whether it runs down
    stops   how far under a lane it is said that a loss stops there
    bands   the gold mark of each step: x, y, width, height
    matrix  the geometry of the cells
    """
    chain = (GatedChain if gated else Chain)(T, n, d, text, notation)
    columns = Columns(T)
    if columns.dense:
        scene, lanes = dense_loom(chain, columns)
    elif variant == "wide":
        scene, lanes = _wide(chain, columns, gated)
    else:
        scene, lanes = compact_loom(chain, gated)
    flat = columns.dense or variant == "wide"
    bands = [_band(columns, t, scene.height) if flat else compact_band(t) for t in range(1, T + 1)]
    stops = -12 if columns.dense else 42 if columns.roomy else 44
    matrix = _wide_matrix(columns) if flat else _compact_matrix(T)
    return {**scene.to_dict(), "lanes": lanes, "stops": stops, "bands": bands, "matrix": matrix}


def _band(columns: Columns, t: int, height: float) -> list[float]:
    """The gold mark of a column: x, y, width, height."""
    wide = columns.pitch if columns.dense else min(124.0, columns.pitch - 2)
    return [columns.x(t) - wide / 2, 0, wide, height]


def _wide_matrix(columns: Columns) -> dict[str, Any]:
    """Centres of the columns, size of a cell, height of a row; `numbers` whether cells show theirs."""
    T, pitch = columns.steps, columns.pitch
    row = max(9.0, min(22.0, 460 / T)) if columns.dense else 34 if T <= 6 else 29
    wide, high = (pitch - 1, row - 1) if columns.dense else (min(112.0, pitch - 22), row - 7)
    return {
        "width": WIDTH, "columns": [columns.x(k) for k in range(1, T + 1)], "cell": [wide, high], "row": row,
        "top": 34, "label": 24, "numbers": not columns.dense, "every": 5 if columns.dense else 1,
        "scale": [730, 306, True], "font": 13 if wide > 60 else 12,
    }  # fmt: skip


def _compact_matrix(T: int) -> dict[str, Any]:
    pitch = min(52.6, 308 / T)
    cell = [pitch - 3, 31] if T <= 6 else [pitch - 3, 22]
    return {
        "width": COMPACT_WIDTH, "columns": [30 + pitch / 2 + pitch * (k - 1) for k in range(1, T + 1)], "cell": cell,
        "row": 38 if T <= 6 else 26, "top": 34, "label": 3, "numbers": T <= 6, "every": 1, "scale": [128, 208, False],
        "font": 12,
    }  # fmt: skip


def _wide(chain: Chain, columns: Columns, gated: bool) -> tuple[Scene, Lanes]:
    scene = Scene("loom", "wide", WIDTH, HEIGHT, chain_words(chain, "left to right"))
    half = columns.x(1) / 2 - 20 if not columns.roomy else 56
    scene.add("node", two_lines(chain.initial_state(half, STATE, 64, 60), 60, 13))
    for t in chain.steps:
        _column(scene, chain, columns, t, gated)
        _recurrence(scene, chain, columns, t, half, gated)
    lanes = [[(columns.x(i - 1) + columns.x(i)) / 2, STATE + 12, 0] for i in range(2, chain.T + 1)]
    return scene, lanes


def _size(columns: Columns) -> float:
    return 80 if columns.roomy else min(80, columns.pitch - 22)


def _column(scene: Scene, chain: Chain, columns: Columns, t: int, gated: bool) -> None:
    x, roomy, width = columns.x(t), columns.roomy, _size(columns)
    port, side = (stadium_half_height(14, 80, 60), 14) if roomy else (stadium_half_height(9, width, 56), 9)
    forward_wire(scene, [(x - side, INPUT - 18), (x - side, STATE + port + BORDER)], "input", t)
    forward_wire(scene, [(x - side, STATE - port), (x - side, OUTPUT + 26 + BORDER)], "output", t)
    forward_wire(scene, [(x - side, OUTPUT - 26), (x - side, LOSS + 24 + BORDER)], "", t)
    backward_wire(scene, [(x + side, LOSS + 24), (x + side, OUTPUT - 26 - BORDER)], f"loss-{t}")
    backward_wire(scene, [(x + side, OUTPUT + 26), (x + side, STATE - port - BORDER)], f"loss-{t}")
    if roomy:
        _roomy_labels(scene, chain, x, t, gated)
        scene.add("node", chain.loss(t, x, LOSS), chain.state(t, x, STATE, height=60).element())
    else:
        scene.add("node", small_loss(t, x, min(72, columns.pitch - 12)), small_state(t, x, width))
    scene.add("node", output_node(chain, t, x, width, roomy), input_node(chain, t, x, min(96, columns.pitch - 12)))


def _roomy_labels(scene: Scene, chain: Chain, x: float, t: int, gated: bool) -> None:
    """Weights on the wires, and the gradient beside each way back."""
    if not gated:
        pill(scene, x - 14, (INPUT - 18 + STATE + 30) / 2 + 3, "U", chain.weight("U"))
    pill(scene, x - 14, (STATE - 30 + OUTPUT + 26) / 2 + 3, "V", chain.weight("V"))
    at_output, at_state = (LOSS + OUTPUT) / 2 + 4, (OUTPUT + STATE) / 2 + 2
    backward_number(scene, binding("dy", t, chain.output_unit), (x + 24, at_output), f"loss-{t}")
    backward_number(scene, binding("dh_out", t), (x + 24, at_state), f"loss-{t}")


def _recurrence(scene: Scene, chain: Chain, columns: Columns, t: int, first: float, gated: bool) -> None:
    width, high = _size(columns), 60 if columns.roomy else 56
    half = stadium_half_width(12, chain.state_width if columns.roomy else width, high)
    x = columns.x(t)
    left = first + stadium_half_width(12, 64, 60) if t == 1 else columns.x(t - 1) + half
    forward_wire(scene, [(left, STATE - 12), (x - half - BORDER, STATE - 12)], "hidden", t)
    middle = (left + x - half) / 2
    if columns.roomy and not gated:
        pill(scene, middle - 3, STATE - 12, "W", chain.weight("W"))
    if t > 1:
        backward_wire(scene, [(x - half, STATE + 12), (left + BORDER, STATE + 12)], f"lane-{t}")
        factor_number(scene, t, (middle, STATE + (34 if columns.roomy else 41)), "middle")
