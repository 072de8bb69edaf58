"""Causal convolution over time above a sequence, recurrence below it: a window against the whole past.

What reaches the selected step is lit: elements of kind `lit` carry the steps at which they are.
"""

from __future__ import annotations

from typing import Any

from .chain_nodes import MOST_LISTED, Chain, VectorNode, at_step, node_id, quoted
from .folded import NOW
from .geometry import Point, along, line, move, triangle
from .parts import BORDER, ValueNode, box, delay, node, pill, wire
from .scene import MINUS, Element, Scene, When, binding, shape, symbol, text, words
from .unfold import WIDTH, step_name

CONVOLVED = "z"
# Rows of the wide diagram; its columns are never wrapped: the window has to be seen beside the past.
TOP, INPUT, STATE, STEPS, HEIGHT = 38, 186, 318, 374, 388
FIRST, LAST = 124, 752
# The folded delay line shows this many taps, then dots.
MOST_TAPS, TAP = 5, 68
LEFT, MIDDLE, RIGHT, COMPACT_STEP, FIRST_Y = 48, 172, 292, 96, 96


def convolution_scene(
    T: int,
    variant: str = "wide",
    n: int = 1,
    text: str | None = None,
    notation: str = "goodfellow",
    *,
    d: int = 1,
    window: int = 3,
) -> dict[str, Any]:
    """Every z_t with the wires from the `window` inputs that it sees, and every h_t with the chain that feeds it."""
    chain = Chain(T, n, d, text, notation)
    return (_wide(chain, window) if variant == "wide" else _compact(chain, window)).to_dict()


def convolved_node(chain: Chain, t: When, x: float, y: float, width: float = 80, height: float = 64) -> ValueNode:
    """An output of the convolution; its array is `conv`."""
    return ValueNode(
        node_id("z", t), x, y, "output", chain.named(CONVOLVED, t), binding("conv", t),
        at_step("output of the convolution", t), "output", width, height, units=chain.n,
    )  # fmt: skip


def _input(chain: Chain, t: int, x: float, y: float, width: float) -> Element:
    """An input in a narrow column: its number, its character, or how many numbers it is."""
    common = (node_id("x", t), x, y, "input", symbol("x", t))
    if chain.characters is not None:
        return ValueNode(
            *common, binding("x", t), at_step("input", t), "input", width, glyphs=quoted(chain.characters, t)
        ).element()
    if chain.d == 1:
        return ValueNode(*common, binding("x", t), at_step("input", t), "input", width).element()
    narrow = width <= 76 or chain.d > MOST_LISTED
    return VectorNode(
        *common, binding("x", t, 0), at_step("input", t), min(width, 99) if narrow else 100, chain.d
    ).element()


def _state(chain: Chain, t: int, x: float, y: float, width: float) -> Element:
    return ValueNode(
        node_id("h", t), x, y, "hidden", symbol("h", t), binding("h", t), at_step("hidden state", t), width=width,
        units=chain.n,
    ).element()  # fmt: skip


def _lit(element: Element, steps: list[int]) -> Element:
    """Shown as reached while the cursor is on one of `steps`; a node keeps its kind."""
    return element | {"lit": steps}


def lit_wire(scene: Scene, start: Point, tip: Point, role: str, steps: list[int]) -> None:
    """A straight wire, faint until the cursor is on a step that it reaches."""
    start, tip = along(tip, start, 1.2), along(start, tip, -BORDER)
    path = move(start) + line(along(start, tip, -8))
    style = f"wire fwd reach r-{role}"
    scene.add("wire", _lit(shape("path", style=style, d=path), steps))
    scene.add("head", _lit(shape("path", style=f"{style} tri", d=triangle(start, tip, 9, 4)), steps))


def _wide(chain: Chain, window: int) -> Scene:
    first, start, ghost = (FIRST, 34, 56) if chain.T <= 8 else (92, 26, 48)
    pitch = min(150.0, (LAST - first) / max(1, chain.T - 1))
    width = _width(chain, pitch)
    scene = Scene("unfolded", "wide", WIDTH, HEIGHT, _name(chain, window))
    at = {t: first + pitch * (t - 1) for t in chain.steps}
    half = min(56.0, pitch / 2)
    places = {0: [start - 30, STATE - 44, 60, 88]} | {t: [x - half, 0, 2 * half, HEIGHT - 4] for t, x in at.items()}
    scene.add("band", {"kind": "band", "places": places, "rx": 10})
    for t, x in at.items():
        for j in range(min(window, t)):
            lit_wire(scene, (at[t - j], INPUT - 32), (x, TOP + 32), "input", [t])
        later = list(range(t, chain.T + 1))
        lit_wire(scene, (x, INPUT + 32), (x, STATE - 32), "input", later)
        before = at.get(t - 1, start) + (width if t > 1 else ghost) / 2
        lit_wire(scene, (before, STATE), (x - width / 2, STATE), "hidden", later)
        _column(scene, chain, t, window, [(x, TOP), (x, INPUT), (x, STATE)], width)
        step_name(scene, t, x, STEPS)
    scene.add("node", chain.initial_state(start, STATE, ghost, 64).element())
    for y, name in ((TOP, "window"), (STATE - 48, "past")):
        scene.add("label", text(8, y + 4, words(name, 12), "start", "ink2"))
    return scene


def _width(chain: Chain, pitch: float) -> float:
    """Of the nodes: with a strip where there is room for one, else as wide as the columns let them."""
    free = pitch - (8 if chain.T > 8 else 16)
    return chain.state_width if free >= chain.state_width else min(78.0, free)


def _column(scene: Scene, chain: Chain, t: int, window: int, at: list[Point], width: float) -> None:
    """z_t, x_t and h_t; an input is lit while an output that sees it is selected."""
    seen = list(range(t, min(chain.T, t + window - 1) + 1))
    scene.add("node", convolved_node(chain, t, *at[0], width).element())
    scene.add("node", _lit(_input(chain, t, *at[1], width), seen), _state(chain, t, *at[2], width))


def _name(chain: Chain, window: int) -> list[dict[str, Any]]:
    return words(
        f"{chain.T} inputs between a convolution, which sees {window} of them at a time, and a recurrence, "
        "which has seen all before."
    )


def _compact(chain: Chain, window: int) -> Scene:
    height = FIRST_Y + COMPACT_STEP * (chain.T - 1) + 44
    scene = Scene("unfolded", "compact", 340, height, _name(chain, window), max_width=480)
    at = {t: FIRST_Y + COMPACT_STEP * (t - 1) for t in chain.steps}
    places = {0: [RIGHT - 52, 0, 104, 44]} | {t: [-4, y - 45, 348, 90] for t, y in at.items()}
    scene.add("band", {"kind": "band", "places": places, "rx": 10})
    for t, y in at.items():
        for j in range(min(window, t)):
            lit_wire(scene, (MIDDLE - 38, at[t - j]), (LEFT + 38, y), "input", [t])
        later = list(range(t, chain.T + 1))
        lit_wire(scene, (MIDDLE + 38, y), (RIGHT - 38, y), "input", later)
        lit_wire(scene, (RIGHT, at[t - 1] + 32 if t > 1 else 40), (RIGHT, y - 32), "hidden", later)
        _column(scene, chain, t, window, [(LEFT, y), (MIDDLE, y), (RIGHT, y)], 76)
        step_name(scene, t, MIDDLE, y - 38)
    scene.add("node", chain.initial_state(RIGHT, 22, 92, 36).element())
    for x, name in ((LEFT, "window"), (MIDDLE, "input"), (RIGHT - 70, "past")):
        scene.add("label", text(x, 22, words(name, 12), "middle", "ink2"))
    return scene


# --- folded: a delay line ------------------------------------------------------------------------------


def folded_convolution_scene(variant: str = "wide", window: int = 3, n: int = 1) -> dict[str, Any]:
    """The inputs of the window, each a delay later, and their kernels."""
    taps, wide = min(window, MOST_TAPS), variant == "wide"
    height = 100 + TAP * taps + (28 if window > taps else 0)
    label = words(f"Folded convolution: a line of delays, {window} kernels, and one output z.")
    scene = Scene("folded", variant, 224 if wide else 340, height, label, max_width=None if wide else 480)
    left, bus = (44, 170) if wide else (100, 228)
    for j in range(taps):
        _tap(scene, left, bus, 128 + TAP * j, j, j == taps - 1)
    if window > taps:
        last = symbol("K", sub=str(window - 1), size=14)
        scene.add("label", text(left, 108 + TAP * taps, [*words("… to ", 12), *last], "middle", "ink2"))
    width = 94 if n > 1 else 84
    scene.add("node", convolved_node(Chain(1, n, letter_t=True), NOW, bus, 38, width).element())
    return scene.to_dict()


def _tap(scene: Scene, left: float, bus: float, y: float, j: int, last: bool) -> None:
    """x_{t-j}, its kernel, and the delay to the next."""
    name = symbol("x", sub="t" if j == 0 else f"t{MINUS}{j}", size=15)
    wire(scene, [(left + 26, y), (bus, y), (bus, 70 + BORDER)], "input", weight="U")
    pill(scene, (left + 26 + bus) / 2, y, "U", ("K", str(j)))
    described = [*name, *words(", input of this step" if j == 0 else f", input {j} steps before")]
    shapes = [*box(left, y, 52, 30, 4), text(left, y + 5, name, "middle", "t")]
    select = binding("conv", NOW)
    scene.add("node", node(f"x-{j}", "r-input k-input", (left, y), shapes, name=described, select=select))
    if not last:
        wire(scene, [(left, y + 15), (left, y + TAP - 15 - BORDER)], "input")
        delay(scene, left, y + TAP / 2 - 4, 14)
