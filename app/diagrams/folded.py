"""The folded circuit, and the contributions that its one weight W collects over the steps."""

from __future__ import annotations

import math
from typing import Any

from .chain_nodes import Chain
from .geometry import stadium_half_height, stadium_half_width
from .parts import BORDER, delay, pill, wire
from .scene import MINUS, Element, Scene, binding, rel, shape, symbol, text, value, words

NOW = rel(0)
LOSS, OUTPUT, STATE, INPUT, X = 32, 128, 248, 368, 64

# Variant -> width, and the bars in a row that leave room for numbers of nine characters.
BARS, BARS_PITCH, BARS_ROW = {"wide": (372, 6), "compact": (328, 5)}, 60, 112


def folded_scene(
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
    """The circuit as it is built, with the numbers of the cursor's step; arguments as in `unfolded_scene`."""
    chain = Chain(len(text) if text else 1, n, d, text, notation, target_text, class_target, letter_t=True)
    scene = _wide(chain) if variant == "wide" else _compact(chain)
    if only_last:
        at = (X + 92, OUTPUT - 44) if variant == "wide" else (298, 96)
        scene.add("label", _at_last_step(*at))
    return scene.to_dict()


def _at_last_step(x: float, y: float) -> Element:
    """Where the output is: nowhere but at the end."""
    return text(
        x, y, [*symbol("t", size=14), *words(" = ", 12), *symbol("T", size=14), *words(" only", 12)], "middle", "ink2"
    )


def _wide(chain: Chain) -> Scene:
    label = words(
        "Folded recurrent circuit: input x, hidden state h with a one-step delay on its loop, output and loss."
    )
    scene = Scene("folded", "wide", 224, 436, label)
    wire(scene, [(X, INPUT - 32), (X, STATE + 44 + BORDER)], "input", weight="U")
    pill(scene, X, (INPUT - 32 + STATE + 44) / 2 + 3, "U", chain.weight("U"))
    wire(scene, [(X, STATE - 44), (X, OUTPUT + 32 + BORDER)], "output", weight="V")
    pill(scene, X, (STATE - 44 + OUTPUT + 32) / 2 + 3, "V", chain.weight("V"))
    wire(scene, [(X, OUTPUT - 32), (X, LOSS + 24 + BORDER)])
    _loop(scene, chain)
    scene.add("node", chain.loss(NOW, X, LOSS), chain.output(NOW, X, OUTPUT).element())
    scene.add("node", chain.state(NOW, X, STATE, 88, 88).element(), chain.input(NOW, X, INPUT).element())
    scene.add(
        "label",
        text(
            X, 425, [*symbol("t", size=15), *words(" = "), {"step": NOW, "class": "txt", "size": 13}], "middle", "ink2"
        ),
    )
    return scene


def _loop(scene: Scene, chain: Chain) -> None:
    """h_t leaves above, waits one step, and comes back below as h_(t-1)."""
    right, edge = X + 120, stadium_half_width(28, 88, 88)
    wire(
        scene,
        [(X + edge, STATE - 28), (right, STATE - 28), (right, STATE + 28), (X + edge + BORDER, STATE + 28)],
        "hidden",
        weight="W",
    )
    delay(scene, right, STATE)
    middle = (X + 44 + right) / 2
    pill(scene, middle + 2, STATE + 28, "W", chain.weight("W"))
    scene.add(
        "label",
        text(middle - 6, STATE - 3, words("delay", 12), "middle", "ink2"),
        text(middle - 6, STATE + 11, words("1 step", 12), "middle", "ink2"),
    )
    scene.add("label", text(middle, STATE - 38, symbol("h", sub="t", size=15), "middle", "rt r-hidden"))
    scene.add("label", text(middle, STATE + 56, symbol("h", sub=f"t{MINUS}1", size=15), "middle", "rt r-hidden"))


def _compact(chain: Chain) -> Scene:
    label = words("Folded recurrent circuit: input x, hidden state h with a one-step delay on its loop, and output.")
    scene = Scene("folded", "compact", 340, 166, label, max_width=480)
    y, left, centre, right = 44, 42, 170, 298
    wire(scene, [(left + 40, y), (centre - 44 - BORDER, y)], "input", weight="U")
    pill(scene, (left + 40 + centre - 44) / 2 - 3, y, "U", chain.weight("U"))
    wire(scene, [(centre + 44, y), (right - 40 - BORDER, y)], "output", weight="V")
    pill(scene, (right - 40 + centre + 44) / 2 - 3, y, "V", chain.weight("V"))
    _compact_loop(scene, chain, centre, y)
    scene.add(
        "node",
        chain.input(NOW, left, y, 80).element(),
        chain.state(NOW, centre, y, 88).element(),
        chain.output(NOW, right, y).element(),
    )
    return scene


def _compact_loop(scene: Scene, chain: Chain, x: float, y: float) -> None:
    low, edge = y + 96, stadium_half_height(26, 88)
    wire(scene, [(x + 26, y + edge), (x + 26, low), (x - 26, low), (x - 26, y + edge + BORDER)], "hidden", weight="W")
    delay(scene, x, low)
    pill(scene, x - 26, low - 32, "W", chain.weight("W"))
    scene.add("label", text(x + 38, low - 26, symbol("h", sub="t", size=15), "start", "rt r-hidden"))
    scene.add("label", text(x - 48, low - 26, symbol("h", sub=f"t{MINUS}1", size=15), "end", "rt r-hidden"))
    scene.add("label", text(x + 40, low + 5, words("delay 1 step", 12), "start", "ink2"))


def contribution_scene(T: int, variant: str = "wide") -> dict[str, Any]:
    """dL/dW as T signed bars, one a use of W, and their sum (symbol dW_sum at step T), on one scale."""
    count, (width, most) = T + 1, BARS[variant]
    rows = math.ceil(count / most)
    in_row = math.ceil(count / rows)
    label = words(f"{T} contributions to the gradient of the recurrent weight, and their sum")
    scene = Scene("contributions", variant, width, BARS_ROW * rows, label, max_width=440)
    pitch = min(BARS_PITCH, (width - 14) / in_row)
    for row in range(rows):
        scene.add("back", shape("path", style="axis", d=f"M0 {_base(row)}H{width}"))
    items = [_item(t, pitch, in_row, _contribution(t)) for t in range(1, T + 1)]
    items.append(_item(count, pitch, in_row, _total(T)))
    _separate_sum(scene, items[-1], pitch)
    scene.add("label", {"kind": "bars", "reach": 34, "items": items})
    return scene.to_dict()


def _base(row: int) -> float:
    return 56 + BARS_ROW * row


def _contribution(t: int) -> Element:
    label = text(0, 0, [*symbol("t", size=14.5), *words(f" = {t}", 13)], "middle", "ink2")
    return {"value": text(0, 0, value(binding("dW", t), 13, small=(7, 12.4)), "middle"), "label": label}


def _total(T: int) -> Element:
    label = text(0, 0, words("sum", 13, "txt b"), "middle", "ink2")
    return {"value": text(0, 0, value(binding("dW_sum", T), 13, "num b", small=(7, 12.4)), "middle"), "label": label}


def _item(place: int, pitch: float, in_row: int, texts: Element) -> Element:
    """The bar at a place (from 1) of the rows; `bound` is the number that gives its height."""
    row, column = divmod(place - 1, in_row)
    return {
        "x": round(30 + column * pitch, 2),
        "base": _base(row),
        "bound": texts["value"]["runs"][0]["value"],
        **texts,
    }


def _separate_sum(scene: Scene, item: Element, pitch: float) -> None:
    """A gap and a rule before the sum, which is not one more step."""
    item["x"] += 14
    left = item["x"] - pitch / 2 - 6
    scene.add("back", shape("path", style="gridl", d=f"M{left:.1f} {item['base'] - 42}V{item['base'] + 42}"))
