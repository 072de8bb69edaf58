"""The still picture of /seq2seq: three letters read, two written, and the wires of attention between them."""

from __future__ import annotations

import numpy as np
from rnnscope.core import DotScorer, attend

from .parts import wire
from .scene import Scene, shape, symbol
from .thumbnails import HEIGHT, WIDTH, picture_node, svg_text

SOURCE, TARGET = (44.0, 104.0, 164.0, 224.0), (104.0, 164.0, 224.0)


def weights() -> np.ndarray:
    """What a query attends to among four keys on a circle: (4,)."""
    angles = np.linspace(0.3, 2.6, len(SOURCE))
    keys = 2 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return np.asarray(attend(DotScorer(), np.array([0.6, 1.4]), keys).weights)


def seq2seq_thumbnail() -> str:
    scene = Scene("thumbnail-seq2seq", "thumbnail", WIDTH, HEIGHT, [], max_width=400)
    for j, x in enumerate(SOURCE, 1):
        if j > 1:
            wire(scene, [(SOURCE[j - 2] + 20, 112), (x - 21, 112)], "hidden")
        scene.add("node", picture_node(x, 112, "hidden", "state", symbol("h", j, size=13), height=26))
    for t, x in enumerate(TARGET, 1):
        if t > 1:
            wire(scene, [(TARGET[t - 2] + 20, 24), (x - 21, 24)], "hidden")
        scene.add("node", picture_node(x, 24, "hidden", "state", symbol("s", t, size=13), height=26))
    for x, share in zip(SOURCE, weights(), strict=True):
        line = f"M{x} 99L{TARGET[1]} 38"
        scene.add(
            "wire",
            shape("path", style=f"sq-line{round(8 * share)} s2s-share", d=line, stroke_width=1 + 7 * float(share)),
        )
    return svg_text(scene, "A decoder state looks back at four encoder states, most at the one that fits")
