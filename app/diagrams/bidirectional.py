"""Two chains over one sequence, one in each direction, and between them what they read and what they give.

Wires are lit at the steps of the cursor whose output they lead to: of the forward chain those from x_1 … x_t, of the
backward chain those from x_T … x_t. An output `previews` its step: pointed at, it lights those of its own.
"""

from __future__ import annotations

from typing import Any

from rnnscope.core.notation import find_notation

from .chain_nodes import Chain, VectorNode, at_step, quoted
from .convolution import lit_wire
from .geometry import Point, stadium_half_height, stadium_half_width
from .parts import ValueNode
from .scene import Element, Run, Scene, binding, shape, symbol, text, value, words

# Rows of the wide diagram, from its top.
FORWARD, OUTPUT, INPUT, BACKWARD, STEPS, HEIGHT, WIDTH = 92, 204, 300, 412, 482, 520, 1040
START, WIDEST_PITCH = 72, 176
# Columns of the compact diagram, where time runs down.
LEFT, MIDDLE, RIGHT, NARROW, PITCH, FIRST, BROAD = 50, 170, 290, 340, 140, 150, 92
ARROWS = {"forward": "\N{RIGHTWARDS ARROW}", "backward": "\N{LEFTWARDS ARROW}"}


def bidirectional_scene(chain: Chain, variant: str, changed: int | None) -> dict[str, Any]:
    """Both chains of `chain.T` steps; `changed` is the step whose input is changed."""
    scene = _Wide(chain, changed) if variant == "wide" else _Compact(chain, changed)
    return scene.drawn().to_dict()


def arrowed(letter: str, direction: str, t: int | None, size: float = 16) -> list[Run]:
    """A letter under an arrow, set as a run of its own: the combining arrows fall to another font."""
    runs = symbol(letter, t, size=size)
    small = round(0.52 * size, 2)
    back = -round(0.52 * size, 2)
    arrow = {"text": ARROWS[direction], "class": "acc", "size": small, "shift": -round(0.6 * size, 2), "dx": back,
             "spoken": f" {direction} "}  # fmt: skip
    return [runs[0], arrow, *(run | {"dx": 0.5} for run in runs[1:])]


class _Drawing:
    """What both variants share: the nodes, and which steps light a wire."""

    def __init__(self, chain: Chain, changed: int | None):
        self.chain, self.changed, self.T = chain, changed, chain.T

    def moved(self, direction: str, t: int) -> bool:
        """Whether the changed input can reach this state."""
        if self.changed is None:
            return False
        return t >= self.changed if direction == "forward" else t <= self.changed

    def outputs(self, direction: str, k: int) -> list[int]:
        """The outputs that what is at step k reaches in this direction."""
        return list(range(k, self.T + 1)) if direction == "forward" else list(range(1, k + 1))

    def state(self, direction: str, t: int, x: float, y: float, width: float) -> ValueNode:
        start = t in (0, self.T + 1)
        what = f"start of the {direction} chain" if start else f"hidden state of the {direction} chain"
        description = words(what) if start else at_step(what, t)
        mark = " moved" if self.moved(direction, t) and not start else ""
        return ValueNode(
            f"h_{direction}{t}", x, y, f"hidden{mark}", arrowed("h", direction, t), binding(f"h_{direction}", t),
            description, width=width, height=58 if start else min(64, width), ghost=start, units=self.chain.n,
        )  # fmt: skip

    def output(self, t: int, x: float, y: float, width: float, height: float = 64) -> Element:
        letter = find_notation(self.chain.notation, gated=False).output
        mark = "" if self.changed is None else " moved"
        name, bound = symbol(letter, t), binding("y", t, 0)
        node = ValueNode(f"y{t}", x, y, f"output{mark}", name, bound, at_step("output", t), "output", width, height)
        return node.element() | {"previews": t}

    def input(self, t: int, x: float, y: float, width: float, height: float = 64) -> Any:
        chain, common = self.chain, (f"x{t}", x, y, "input moved" if t == self.changed else "input", symbol("x", t))
        bound, description = binding("x", t, 0), at_step("input", t)
        if chain.characters is not None:
            glyphs = quoted(chain.characters, t)
            return ValueNode(*common, bound, description, "input", width, height, glyphs=glyphs)
        if chain.d == 1:
            return ValueNode(*common, bound, description, "input", width, height)
        return VectorNode(*common, bound, description, width, chain.d, height, short=True)

    def name(self, way: str) -> list[Run]:
        said = f"Two chains over {self.T} steps. The forward chain reads x1 to x{self.T}, the backward chain the "
        return words(f"{said}other way. Time runs {way}.")

    def change_label(self, scene: Scene, direction: str, t: int, at: Point, anchor: str = "middle") -> None:
        """The size of the change of a state; 0 where nothing can change."""
        if self.changed is not None:
            number = value(binding(f"change_h_{direction}", t, 0), 12)
            scene.add("label", text(*at, [*words("Δ ", 12), *number], anchor, "ink2"))


def _mark(scene: Scene, start: Point, end: Point, half: float = 14) -> None:
    """The end of a chain: its last state goes nowhere."""
    (x, y), across = end, start[1] == end[1]
    bar = f"M{x} {y - half}V{y + half}" if across else f"M{x - half} {y}H{x + half}"
    scene.add("wire", shape("path", style="wire r-hidden", d=f"M{start[0]} {start[1]}L{x} {y}"))
    scene.add("wire", shape("path", style="chain-end", d=bar))


class _Wide(_Drawing):
    """Time runs right."""

    @property
    def pitch(self) -> float:
        return min(WIDEST_PITCH, (WIDTH - 2 * START) / self.T)

    @property
    def width(self) -> float:
        return min(94, self.pitch - 19)

    def x(self, t: int) -> float:
        return WIDTH / 2 + (t - (self.T + 1) / 2) * self.pitch

    def drawn(self) -> Scene:
        scene = Scene("both", "wide", WIDTH, HEIGHT, self.name("right"))
        half = self.pitch / 2 - 2
        places = {t: [self.x(t) - half, 40, 2 * half, STEPS - 26] for t in range(1, self.T + 1)}
        scene.add("band", {"kind": "band", "places": places, "rx": 10})
        for t in range(1, self.T + 1):
            self._column(scene, t)
        for direction in ("forward", "backward"):
            self._chain(scene, direction)
        self._captions(scene)
        return scene

    def _captions(self, scene: Scene) -> None:
        scene.add(
            "label",
            text(8, 20, [*words("Forward chain", 13, "b"), *words(" reads left to right")], style="ink2"),
            text(1032, 20, [*words("Its last state", 13, "b"), *words(f": step {self.T}")], "end", "ink2"),
            text(8, 514, [*words("Its last state", 13, "b"), *words(": step 1")], style="ink2"),
            text(1032, 514, [*words("Backward chain", 13, "b"), *words(" reads right to left")], "end", "ink2"),
        )

    def _column(self, scene: Scene, t: int) -> None:
        x, size = self.x(t), self.width
        box, side = max(size - 20, 52), 0.1 * size
        lane = size / 2 - 10
        aside = box / 2 + 9 - lane
        edge = stadium_half_height(lane, size, min(64, size))
        lit_wire(scene, (x - lane, INPUT - 32), (x - lane, FORWARD + edge), "input", self.outputs("forward", t))
        inner = stadium_half_height(side, size, min(64, size))
        lit_wire(scene, (x - side, INPUT + 32), (x - side, BACKWARD - inner), "input", self.outputs("backward", t))
        lit_wire(scene, (x + side, FORWARD + inner), (x + side, OUTPUT - 32), "hidden", [t])
        lit_wire(scene, (x + lane, BACKWARD - edge), (x + lane, OUTPUT + 32), "hidden", [t])
        scene.add(
            "node",
            self.state("forward", t, x, FORWARD, size).element(),
            self.output(t, x + aside, OUTPUT, box),
            self.input(t, x - aside, INPUT, box).element(),
            self.state("backward", t, x, BACKWARD, size).element(),
        )
        self.change_label(scene, "forward", t, (x, FORWARD - 40))
        self.change_label(scene, "backward", t, (x, BACKWARD + 47))
        named = [*symbol("t", size=15), *words(f" = {t}")]
        scene.add("label", text(x, STEPS, named, "middle", "step-label", current=t))

    def _chain(self, scene: Scene, direction: str) -> None:
        ahead, y = (1, FORWARD) if direction == "forward" else (-1, BACKWARD)
        first, last = (1, self.T) if ahead == 1 else (self.T, 1)
        half, before = stadium_half_width(0, self.width), self.x(first) - ahead * (self.width / 2 + 44)
        scene.add("node", self.state(direction, first - ahead, before, y, 64).element())
        for t in range(1, self.T + 1):
            start = before + ahead * 32 if t == first else self.x(t - ahead) + ahead * half
            tip = self.x(t) - ahead * (half)
            lit_wire(scene, (start, y), (tip, y), "hidden", self.outputs(direction, t))
        edge = self.x(last) + ahead * half
        _mark(scene, (edge, y), (edge + ahead * 14, y))


class _Compact(_Drawing):
    """Time runs down, the chains left and right."""

    def y(self, t: int) -> float:
        return FIRST + PITCH * (t - 1)

    def drawn(self) -> Scene:
        height = self.y(self.T) + 130
        scene = Scene("both", "compact", NARROW, height, self.name("down"), max_width=480)
        places = {t: [-4, self.y(t) - 70, 348, PITCH] for t in range(1, self.T + 1)}
        scene.add("band", {"kind": "band", "places": places, "rx": 10})
        for t in range(1, self.T + 1):
            self._row(scene, t)
        for direction in ("forward", "backward"):
            self._chain(scene, direction)
        scene.add(
            "label",
            text(MIDDLE - 62, 22, words("forward: down", 12, "b"), "start", "ink2"),
            text(336, 22, words("last backward state", 12), "end", "ink2"),
            text(8, height - 8, words("last forward state", 12), "start", "ink2"),
            text(MIDDLE + 62, height - 8, words("backward: up", 12, "b"), "end", "ink2"),
        )
        return scene

    def _row(self, scene: Scene, t: int) -> None:
        y, port = self.y(t), stadium_half_width(22, BROAD)
        for direction, x, out in (("forward", LEFT, 1), ("backward", RIGHT, -1)):
            reached, side = self.outputs(direction, t), MIDDLE - out * 55
            lit_wire(scene, (side, y - 22), (x + out * (port), y - 22), "input", reached)
            lit_wire(scene, (x + out * port, y + 22), (side, y + 22), "hidden", [t])
            scene.add("node", self.state(direction, t, x, y, BROAD).element())
            self.change_label(scene, direction, t, (x + out * 8, y + 56), "start" if out == 1 else "end")
        scene.add("node", self.input(t, MIDDLE, y - 22, 110, 38).element())
        scene.add("node", self.output(t, MIDDLE, y + 22, 110, 38))
        named = [*symbol("t", size=15), *words(f" = {t}")]
        scene.add("label", text(MIDDLE, y - 51, named, "middle", "step-label", current=t))

    def _chain(self, scene: Scene, direction: str) -> None:
        ahead, x = (1, LEFT) if direction == "forward" else (-1, RIGHT)
        first, last = (1, self.T) if ahead == 1 else (self.T, 1)
        before = self.y(first) - ahead * 92
        scene.add("node", self.state(direction, first - ahead, x, before, BROAD).element())
        for t in range(1, self.T + 1):
            start = before + ahead * 22 if t == first else self.y(t - ahead) + ahead * 32
            lit_wire(scene, (x, start), (x, self.y(t) - ahead * (32)), "hidden", self.outputs(direction, t))
        edge = self.y(last) + ahead * 32
        _mark(scene, (x, edge), (x, edge + ahead * (56 if ahead == 1 else 22)))
