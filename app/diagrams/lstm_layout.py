"""Where the parts of the LSTM cell stand: one unit or a layer with strips, wide or compact.

Ports lie on centre lines only, so that no wire crosses another. In the wide drawing `lines` are heights and
`places` are abscissas; in the compact one, where time runs down, it is the other way round.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Label:
    """Where a wire's symbol and number stand: in a line, or the number `drop` below its symbol."""

    x: float
    y: float
    anchor: str = "start"
    drop: float = 0


@dataclass(frozen=True)
class Layout:
    """Coordinates of one drawing of the cell."""

    variant: str
    width: float
    height: float
    cell_box: tuple[float, float, float, float]
    # cell state line, row of products, gates, trunk
    state: float
    product: float
    gate: float
    trunk: float
    # forget, input, candidate, output; the sum; the branch to tanh; tanh
    forget: float
    input: float
    candidate: float
    output: float
    sum: float
    branch: float
    tanh: float
    tanh_height: float
    gate_size: tuple[float, float]
    node_width: float
    before: dict[str, tuple[float, float]]
    after: dict[str, tuple[float, float]]
    labels: dict[str, Label]


WIDE_UNIT = Layout(
    "wide", 1040, 472, (104, 4, 800, 380),
    state=56, product=160, gate=268, trunk=364,
    forget=216, input=384, candidate=544, output=712, sum=464, branch=832, tanh=108, tanh_height=32,
    gate_size=(128, 88), node_width=80,
    before={"c": (52, 56), "h": (52, 364), "x": (144, 440)}, after={"c": (988, 56), "h": (988, 364)},
    labels={
        "f": Label(227, 142), "i": Label(374, 202, "end"), "g": Label(554, 202), "o": Label(722, 202),
        "fc": Label(340, 43, "middle"), "ig": Label(475, 112), "c": Label(648, 43, "middle"),
        "tc": Label(821, 139, "end"), "h": Label(821, 344, "end"),
    },
)  # fmt: skip

WIDE_LAYER = Layout(
    "wide", 1040, 472, (112, 4, 800, 386),
    state=68, product=182, gate=288, trunk=372,
    forget=208, input=384, candidate=552, output=728, sum=468, branch=848, tanh=106, tanh_height=28,
    gate_size=(144, 88), node_width=92,
    before={"c": (50, 68), "h": (50, 372), "x": (160, 438)}, after={"c": (990, 68), "h": (990, 372)},
    labels={
        "f": Label(220, 158), "i": Label(373, 214, "end"), "g": Label(564, 214), "o": Label(740, 214),
        "fc": Label(307, 39), "ig": Label(480, 126), "c": Label(626, 39),
        "tc": Label(837, 145, "end"), "h": Label(837, 350, "end"),
    },
)  # fmt: skip

COMPACT_UNIT = Layout(
    "compact", 340, 540, (2, 78, 336, 378),
    state=296, product=208, gate=110, trunk=24,
    forget=148, input=226, candidate=298, output=414, sum=262, branch=350, tanh=208, tanh_height=32,
    gate_size=(116, 60), node_width=80,
    before={"c": (296, 32), "h": (42, 32), "x": (132, 32)}, after={"c": (296, 504), "h": (208, 504)},
    labels={
        "f": Label(224.5, 139, "middle"), "fc": Label(286, 192, "end", 17), "ig": Label(252, 252, "middle", 28),
        "c": Label(286, 314, "end"), "tc": Label(218, 380, "start", 15),
    },
)  # fmt: skip

COMPACT_LAYER = Layout(
    "compact", 340, 584, (2, 80, 336, 412),
    state=296, product=210, gate=112, trunk=24,
    forget=156, input=240, candidate=312, output=446, sum=276, branch=372, tanh=210, tanh_height=32,
    gate_size=(124, 62), node_width=88,
    before={"c": (294, 34), "h": (46, 34), "x": (152, 34)}, after={"c": (294, 544), "h": (196, 544)},
    labels={
        "f": Label(198, 129), "fc": Label(284, 196, "end"), "ig": Label(287, 243, "end"),
        "c": Label(284, 324, "end"), "tc": Label(216, 409),
    },
)  # fmt: skip

LAYOUTS = {
    ("wide", False): WIDE_UNIT,
    ("wide", True): WIDE_LAYER,
    ("compact", False): COMPACT_UNIT,
    ("compact", True): COMPACT_LAYER,
}
