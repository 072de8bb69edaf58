"""The pattern whose recurrence runs from the output to the next hidden state: folded and unfolded.

With a teacher the wire leaves the target instead, and nothing comes back along it.
"""

from __future__ import annotations

from typing import Any

from .chain_nodes import Chain, gradient_number, gradient_total
from .folded import INPUT, LOSS, NOW, OUTPUT, STATE, X
from .geometry import Point, stadium_half_height, stadium_half_width
from .parts import BORDER, delay, gradient_wire, pill, wire
from .scene import MINUS, Scene, symbol, text, words
from .unfold import (
    INPUT_X,
    NARROW,
    OUTPUT_EDGE,
    OUTPUT_X,
    ROW,
    STATE_X,
    STEPS,
    WIDEST_PITCH,
    WIDTH,
    Grid,
    chain_name,
    column_input,
    compact_input,
    copy_height,
    step_name,
)  # fmt: skip

# No initial state stands left of the first column; in a wrapped chain the wire from the row before is there.
FIRST, MARGIN, WRAPPED_FIRST, WRAPPED_MARGIN = 72, 72, 100, 96
# The rows of the compact diagram are further apart than in the hidden-to-hidden one: two wires pass under an output.
FIRST_Y, STEP_HEIGHT, LOSS_BELOW = 68, 190, 102


class OutputGrid(Grid):
    """Rows of copies without a column before the first."""

    @property
    def pitch(self) -> float:
        room = WIDTH - self.first - (MARGIN if self.rows == 1 else WRAPPED_MARGIN)
        return min(WIDEST_PITCH, room / max(1, self.columns - 1))

    @property
    def first(self) -> float:
        """Centre of the first column."""
        return FIRST if self.rows == 1 else WRAPPED_FIRST

    def x(self, t: int) -> float:
        return self.first + self.pitch * ((t - 1) % self.columns)


def output_scene(
    T: int,
    variant: str = "wide",
    n: int = 1,
    text: str | None = None,
    notation: str = "goodfellow",
    *,
    d: int = 1,
    forced: bool = False,
) -> dict[str, Any]:
    """The chain of T copies in which h_t reads the output before it, or with `forced` the target before it."""
    chain = Chain(T, n, d, text, notation)
    return (_wide(chain, forced) if variant == "wide" else _compact(chain, forced)).to_dict()


def _weight(chain: Chain) -> tuple[str, str | None]:
    return chain.weight("W", "W_yh")


def _wide(chain: Chain, forced: bool) -> Scene:
    grid = OutputGrid(chain.T)
    scene = Scene("unfolded", "wide", WIDTH, grid.height, chain_name(chain, "left to right"))
    half = min(67.0, grid.pitch / 2 - 1)
    places = {t: [grid.x(t) - half, grid.top(t), 2 * half, ROW] for t in chain.steps}
    scene.add("band", {"kind": "band", "places": places, "rx": 10})
    for t in chain.steps:
        _copy(scene, chain, grid, t)
        if t > 1:
            (_next_row if grid.starts_row(t) else _read)(scene, chain, grid, t, forced)
    return scene


def _copy(scene: Scene, chain: Chain, grid: Grid, t: int) -> None:
    x, top = grid.x(t), grid.top(t)
    column_input(scene, chain, x, top)
    edge = stadium_half_height(14, chain.state_width)
    forward, back = x - 14, x + 14
    wire(scene, [(forward, top + STATE - edge), (forward, top + OUTPUT + 32 + BORDER)], "output", weight="V")
    pill(scene, forward, top + (STATE + OUTPUT) / 2, "V", chain.weight("V"))
    wire(scene, [(forward, top + OUTPUT - 32), (forward, top + LOSS + 24 + BORDER)])
    gradient_wire(scene, [(back, top + LOSS + 24), (back, top + OUTPUT - 32 - BORDER)])
    gradient_number(scene, "dy_own", t, (x + 22, top + 80), unit=chain.output_unit)
    gradient_wire(scene, [(back, top + OUTPUT + 32), (back, top + STATE - edge - BORDER)])
    gradient_total(scene, t, (x + 8, top + 304), stacked=True)
    scene.add("node", chain.loss(t, x, top + LOSS), chain.output(t, x, top + OUTPUT).element())
    scene.add("node", chain.state(t, x, top + STATE).element(), chain.input(t, x, top + INPUT).element())
    step_name(scene, t, x, top + STEPS)


def _read(scene: Scene, chain: Chain, grid: Grid, t: int, forced: bool) -> None:
    """From the output before, or from the target in its place, down to the state; and back."""
    before, x, top = grid.x(t - 1), grid.x(t), grid.top(t)
    reach = grid.pitch - 80
    forward, back = before + 40 + 0.6 * reach, before + 40 + 0.78 * reach
    half = stadium_half_width(12, chain.state_width)
    start = (before + 48, top + LOSS + 10) if forced else (before + 40, top + OUTPUT + 14)
    low = top + STATE + 12
    wire(scene, [start, (forward, start[1]), (forward, low), (x - half - BORDER, low)], "output", weight="W")
    pill(scene, forward, top + 176, "W", _weight(chain))
    if forced:
        return
    high, end = top + STATE - 12, top + OUTPUT - 14
    gradient_wire(scene, [(x - half, high), (back, high), (back, end), (before + 40 + BORDER, end)])
    gradient_number(scene, "dy_next", t - 1, (before + 46, top + OUTPUT - 20), unit=chain.output_unit)


def _next_row(scene: Scene, chain: Chain, grid: Grid, t: int, forced: bool) -> None:
    """From the last output of a row around the columns to the first state of the next."""
    before, x, top, last = grid.x(t - 1), grid.x(t), grid.top(t), grid.top(t - 1)
    gap, half = last + ROW, stadium_half_width(12, chain.state_width)
    start = (before + 48, last + LOSS + 10) if forced else (before + 40, last + OUTPUT + 14)
    low, lane = top + STATE + 12, before + 66
    path: list[Point] = [start, (lane, start[1]), (lane, gap + 16), (20, gap + 16), (20, low)]
    wire(scene, [*path, (x - half - BORDER, low)], "output", weight="W")
    pill(scene, (20 + lane) / 2, gap + 16, "W", _weight(chain))
    if forced:
        return
    high, end = top + STATE - 12, last + OUTPUT - 14
    back: list[Point] = [(x - half, high), (32, high), (32, gap + 32), (lane + 14, gap + 32), (lane + 14, end)]
    gradient_wire(scene, [*back, (before + 40 + BORDER, end)])
    gradient_number(scene, "dy_next", t - 1, (before + 46, last + OUTPUT - 20), unit=chain.output_unit)


# --- compact: time runs down ---------------------------------------------------------------------


def _compact(chain: Chain, forced: bool) -> Scene:
    height = copy_height(chain.T) + LOSS_BELOW + 30
    scene = Scene("unfolded", "compact", 340, height, chain_name(chain, "down"), max_width=480)
    places = {t: [-4, copy_height(t) - 58, 348, STEP_HEIGHT - 2] for t in chain.steps}
    scene.add("band", {"kind": "band", "places": places, "rx": 10})
    for t in chain.steps:
        _compact_copy(scene, chain, t)
        if t > 1:
            _compact_read(scene, chain, t, forced)
    return scene


def _compact_copy(scene: Scene, chain: Chain, t: int) -> None:
    y = copy_height(t)
    compact_input(scene, chain, y)
    half, port = chain.state_width / 2, stadium_half_width(12, chain.state_width)
    wire(scene, [(STATE_X + port, y - 12), (OUTPUT_EDGE - BORDER, y - 12)], "output", weight="V")
    pill(scene, (STATE_X + half + OUTPUT_EDGE) / 2 - 3, y - 12, "V", chain.weight("V"))
    gradient_wire(scene, [(OUTPUT_EDGE, y + 12), (STATE_X + port + BORDER, y + 12)])
    down, up, loss = OUTPUT_X + 30, OUTPUT_X + 10, y + LOSS_BELOW
    wire(scene, [(down, y + 32), (down, loss - 24 - BORDER)])
    gradient_wire(scene, [(up, loss - 24), (up, y + 32 + BORDER)])
    gradient_number(scene, "dy_own", t, (up - 6, loss - 32), "end", chain.output_unit)
    gradient_total(scene, t, (STATE_X - 36, y + 52), "end")
    scene.add("node", chain.input(t, INPUT_X, y, NARROW).element(), chain.state(t, STATE_X, y).element())
    scene.add("node", chain.output(t, OUTPUT_X, y, NARROW).element(), chain.loss(t, OUTPUT_X - 6, loss, 92))
    step_name(scene, t, INPUT_X, y - 42)


def _compact_read(scene: Scene, chain: Chain, t: int, forced: bool) -> None:
    before, y = copy_height(t - 1), copy_height(t)
    top = y - stadium_half_height(14, chain.state_width)
    turn, loss = y - 66, before + LOSS_BELOW
    left, right = STATE_X - 14, STATE_X + 14
    if forced:
        path = [(OUTPUT_X - 52, loss + 8), (left, loss + 8), (left, top - BORDER)]
        wire(scene, path, "output", weight="W")
    else:
        lane = OUTPUT_EDGE - 38
        path = [(OUTPUT_EDGE, before + 24), (lane, before + 24), (lane, turn), (left, turn), (left, top - BORDER)]
        wire(scene, path, "output", weight="W")
        _compact_back(scene, chain, t, right, top)
    pill(scene, left, y - 46, "W", _weight(chain))


def _compact_back(scene: Scene, chain: Chain, t: int, right: float, top: float) -> None:
    before, turn, lane = copy_height(t - 1), copy_height(t) - 52, OUTPUT_EDGE - 24
    port = OUTPUT_EDGE + 12
    path = [(right, top), (right, turn), (lane, turn), (lane, before + 46), (port, before + 46)]
    gradient_wire(scene, [*path, (port, before + 32 + BORDER)])
    gradient_number(scene, "dy_next", t - 1, (lane - 20, before + 80), "end", chain.output_unit)


# --- folded ----------------------------------------------------------------------------------------


def folded_output_scene(
    variant: str = "wide",
    n: int = 1,
    text: str | None = None,
    notation: str = "goodfellow",
    *,
    d: int = 1,
    forced: bool = False,
) -> dict[str, Any]:
    """The circuit: what leaves the output, or the target, waits one step and comes back to the hidden units."""
    chain = Chain(len(text) if text else 1, n, d, text, notation, letter_t=True)
    return (_folded_wide(chain, forced) if variant == "wide" else _folded_compact(chain, forced)).to_dict()


def _read_letters(chain: Chain, forced: bool) -> tuple[str, str | None]:
    return chain.target_letter if forced else (chain.letters.output, None)


def _folded_wide(chain: Chain, forced: bool) -> Scene:
    label = words("Folded circuit: input x, hidden state h, output and loss; the output comes back after one step.")
    scene = Scene("folded", "wide", 224, 436, label)
    wire(scene, [(X, INPUT - 32), (X, STATE + 44 + BORDER)], "input", weight="U")
    pill(scene, X, (INPUT - 32 + STATE + 44) / 2 + 3, "U", chain.weight("U"))
    wire(scene, [(X, STATE - 44), (X, OUTPUT + 32 + BORDER)], "output", weight="V")
    pill(scene, X, (STATE - 44 + OUTPUT + 32) / 2 + 3, "V", chain.weight("V"))
    wire(scene, [(X, OUTPUT - 32), (X, LOSS + 24 + BORDER)])
    start, right = (X + 48, LOSS + 10) if forced else (X + 40, OUTPUT), X + 120
    path = [start, (right, start[1]), (right, STATE), (X + 44 + BORDER, STATE)]
    wire(scene, path, "output", weight="W")
    delay(scene, right, 188)
    pill(scene, (X + 44 + right) / 2 + 2, STATE, "W", _weight(chain))
    letter, sup = _read_letters(chain, forced)
    scene.add("label", text(right - 16, 192, words("delay 1 step", 12), "end", "ink2"))
    scene.add("label", text(X + 84, start[1] - 10, symbol(letter, sub="t", size=15, sup=sup), "middle", "rt r-output"))
    scene.add(
        "label",
        text(X + 84, STATE + 28, symbol(letter, sub=f"t{MINUS}1", size=15, sup=sup), "middle", "rt r-output"),
    )
    scene.add("node", chain.loss(NOW, X, LOSS), chain.output(NOW, X, OUTPUT).element())
    scene.add("node", chain.state(NOW, X, STATE, 88, 88).element(), chain.input(NOW, X, INPUT).element())
    now = [*symbol("t", size=15), *words(" = "), {"step": NOW, "class": "txt", "size": 13}]
    scene.add("label", text(X, 425, now, "middle", "ink2"))
    return scene


def _folded_compact(chain: Chain, forced: bool) -> Scene:
    label = words("Folded circuit: input x, hidden state h and output, which comes back after one step.")
    scene = Scene("folded", "compact", 340, 216 if forced else 150, label, max_width=480)
    y, left, centre, right = 44, 42, 170, 298
    wire(scene, [(left + 40, y), (centre - 44 - BORDER, y)], "input", weight="U")
    pill(scene, (left + 40 + centre - 44) / 2 - 3, y, "U", chain.weight("U"))
    wire(scene, [(centre + 44, y), (right - 40 - BORDER, y)], "output", weight="V")
    pill(scene, (right - 40 + centre + 44) / 2 - 3, y, "V", chain.weight("V"))
    low = y + 144 if forced else y + 86
    start: Point = (right, y + 32)
    if forced:
        wire(scene, [(right, y + 32), (right, y + 56 - BORDER)])
        scene.add("node", chain.loss(NOW, right - 8, y + 80, 92))
        start = (right, y + 104)
    wire(scene, [start, (right, low), (centre, low), (centre, y + 32 + BORDER)], "output", weight="W")
    delay(scene, (right + centre) / 2 + 20, low)
    pill(scene, centre, low - 36, "W", _weight(chain))
    letter, sup = _read_letters(chain, forced)
    before = symbol(letter, sub=f"t{MINUS}1", size=15, sup=sup)
    scene.add("label", text(centre - 20, low - 32, before, "end", "rt r-output"))
    scene.add("label", text((right + centre) / 2 + 4, low - 16, words("delay 1 step", 12), "middle", "ink2"))
    scene.add(
        "node", chain.input(NOW, left, y, 80).element(), chain.state(NOW, centre, y, 88).element(),
        chain.output(NOW, right, y).element(),
    )  # fmt: skip
    return scene
