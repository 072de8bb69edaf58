"""The still picture of /attention: queries, keys, and the weights that a real layer makes of them."""

from __future__ import annotations

import numpy as np
from rnnscope.core import AttentionConfig, run_attention

from .scene import Scene, shape, symbol, text
from .thumbnails import HEIGHT, WIDTH, svg_text

SIDE, TOP = 17.0, 34.0
WORD = "hello"


def attention_thumbnail() -> str:
    scene = Scene("thumbnail-attention", "thumbnail", WIDTH, HEIGHT, [], max_width=400)
    trace = run_attention(AttentionConfig(T=len(WORD), input="text", text=WORD, mask="causal")).trace
    for x, letter, role, table in ((14, "Q", "hidden", trace.Q[0]), (110, "K", "gate", trace.K[0])):
        _grid(scene, x, np.clip(np.rint((table.clip(-1, 1) + 1) * 5), 0, 10).astype(int), "dv")
        _head(scene, x + 2 * SIDE, letter, f"r-{role} ct")
    _grid(scene, 206, np.rint(8 * trace.weights[0]).astype(int), "sq")
    _head(scene, 206 + 2.5 * SIDE, "A", "")
    return svg_text(scene, "Queries, keys, and the weights that a layer with a causal mask makes of them")


def _grid(scene: Scene, x: float, steps: np.ndarray, ramp: str) -> None:
    for (row, column), step in np.ndenumerate(steps):
        place = {"x": x + column * SIDE, "y": TOP + row * SIDE, "width": SIDE - 1, "height": SIDE - 1, "rx": 2}
        scene.add("node", shape("rect", style=f"{ramp}{step}", **place))


def _head(scene: Scene, x: float, letter: str, style: str) -> None:
    scene.add("label", text(x, TOP - 10, symbol(letter, size=16), "middle", style))
