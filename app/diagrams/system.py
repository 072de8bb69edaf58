"""The bare dynamical system s_t = f(s_{t-1}): a loop through f, and the chain that it unfolds to."""

from __future__ import annotations

import math
from typing import Any

from .chain_nodes import Chain, at_step, node_id
from .folded import NOW
from .geometry import Point, stadium_half_height, stadium_half_width
from .parts import BORDER, ValueNode, delay, pill, wire
from .scene import MINUS, Scene, When, binding, symbol, text, words
from .unfold import WIDTH, chain_name, step_name

#: The state's letter and the function's, which is what all steps share.
STATE, FUNCTION = "s", ("f", None)
MOST_IN_ROW, EDGE, Y, ROW_HEIGHT, COMPACT_STEP = 6, 48, 56, 138, 104


def system_scene(T: int, variant: str = "wide", n: int = 1) -> dict[str, Any]:
    """The chain s_0 → f → s_1 → … → s_T."""
    chain = Chain(T, n)
    return (_wide(chain) if variant == "wide" else _compact(chain)).to_dict()


def folded_system_scene(variant: str = "wide", n: int = 1) -> dict[str, Any]:
    """One state, whose value of the step before comes back through f."""
    scene = Scene("folded", variant, *((224, 206) if variant == "wide" else (340, 150)),
                  words("Folded dynamical system: a state and a loop through f with a one-step delay."),
                  max_width=None if variant == "wide" else 480)  # fmt: skip
    (_loop_right if variant == "wide" else _loop_below)(scene, Chain(1, n, letter_t=True))
    return scene.to_dict()


def state_node(chain: Chain, t: When, x: float, y: float, width: float | None = None, height: float = 64) -> ValueNode:
    """A state under the letter s; its array is h as everywhere."""
    first = t == 0
    name = "initial state" if first else "state"
    return ValueNode(
        node_id("h", t), x, y, "hidden", chain.named(STATE, t), binding("h", t), at_step(name, t),
        width=width or chain.state_width, height=height, ghost=first, units=chain.n,
    )  # fmt: skip


def _wide(chain: Chain) -> Scene:
    rows = math.ceil((chain.T + 1) / MOST_IN_ROW)
    columns = math.ceil((chain.T + 1) / rows)
    pitch = min(168.0, (WIDTH - 2 * EDGE - (40 if rows > 1 else 0)) / max(1, columns - 1))
    at = {
        t: (EDGE + (20 if rows > 1 else 0) + pitch * (t % columns), Y + ROW_HEIGHT * (t // columns))
        for t in range(chain.T + 1)
    }
    scene = Scene("unfolded", "wide", WIDTH, ROW_HEIGHT * rows, chain_name(chain, "left to right"))
    places = {t: [x - 56, y - 54, 112, 130] for t, (x, y) in at.items()}
    scene.add("band", {"kind": "band", "places": places, "rx": 10})
    for t, (x, y) in at.items():
        scene.add("node", state_node(chain, t, x, y).element())
        step_name(scene, t, x, y + 58)
        if t:
            _through(scene, chain, at[t - 1], (x, y))
    return scene


def _through(scene: Scene, chain: Chain, start: Point, end: Point) -> None:
    half = chain.state_width / 2
    (left, upper), (right, y) = start, end
    if upper == y:
        wire(scene, [(left + half, y), (right - half - BORDER, y)], "hidden", weight="W")
        pill(scene, (left + right) / 2 - 4, y, "W", FUNCTION)
        return
    gap, lane = upper + 80, right - half - 16
    path = [(left + half, upper), (left + half + 16, upper), (left + half + 16, gap), (lane, gap), (lane, y)]
    wire(scene, [*path, (right - half - BORDER, y)], "hidden", weight="W")
    pill(scene, (left + right) / 2, gap, "W", FUNCTION)


def _compact(chain: Chain) -> Scene:
    height = Y + COMPACT_STEP * chain.T + 46
    scene = Scene("unfolded", "compact", 340, height, chain_name(chain, "down"), max_width=480)
    at = {t: Y - 12 + COMPACT_STEP * t for t in range(chain.T + 1)}
    scene.add("band", {"kind": "band", "places": {t: [-4, y - 44, 348, 88] for t, y in at.items()}, "rx": 10})
    for t, y in at.items():
        scene.add("node", state_node(chain, t, 170, y).element())
        step_name(scene, t, 60, y + 5)
        if t:
            wire(scene, [(170, at[t - 1] + 32), (170, y - 32 - BORDER)], "hidden", weight="W")
            pill(scene, 170, (at[t - 1] + y) / 2 - 2, "W", FUNCTION)
    return scene


def _loop_right(scene: Scene, chain: Chain) -> None:
    x, y, right = 64, 76, 184
    edge, middle = stadium_half_width(28, 88, 88), (64 + 44 + 184) / 2
    path = [(x + edge, y - 28), (right, y - 28), (right, y + 28), (x + edge + BORDER, y + 28)]
    wire(scene, path, "hidden", weight="W")
    delay(scene, right, y)
    pill(scene, middle + 2, y + 28, "W", FUNCTION)
    scene.add("label", text(middle - 6, y - 3, words("delay", 12), "middle", "ink2"))
    scene.add("label", text(middle - 6, y + 11, words("1 step", 12), "middle", "ink2"))
    scene.add("label", text(middle, y - 38, symbol(STATE, sub="t", size=15), "middle", "rt r-hidden"))
    scene.add("label", text(middle, y + 56, symbol(STATE, sub=f"t{MINUS}1", size=15), "middle", "rt r-hidden"))
    scene.add("node", state_node(chain, NOW, x, y, 88, 88).element())
    now = [*symbol("t", size=15), *words(" = "), {"step": NOW, "class": "txt", "size": 13}]
    scene.add("label", text(x, y + 76, now, "middle", "ink2"))


def _loop_below(scene: Scene, chain: Chain) -> None:
    x, y, low, edge = 170, 38, 122, stadium_half_height(26, 88)
    path = [(x + 26, y + edge), (x + 26, low), (x - 26, low), (x - 26, y + edge + BORDER)]
    wire(scene, path, "hidden", weight="W")
    delay(scene, x, low)
    pill(scene, x - 26, low - 26, "W", FUNCTION)
    scene.add("label", text(x + 38, low - 20, symbol(STATE, sub="t", size=15), "start", "rt r-hidden"))
    scene.add("label", text(x - 48, low - 20, symbol(STATE, sub=f"t{MINUS}1", size=15), "end", "rt r-hidden"))
    scene.add("label", text(x + 40, low + 5, words("delay 1 step", 12), "start", "ink2"))
    scene.add("node", state_node(chain, NOW, x, y, 88).element())
