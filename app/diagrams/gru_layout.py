"""Where the parts of the GRU cell stand: one unit or a layer with strips, wide or compact, in four variants.

Two nodes change their place with the variant: "1 −", on the way of the update gate z to what it leaves over, and the
candidate's recurrent matrix, after or before the product with the reset gate r. Wires lie between their nodes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from .geometry import Point
from .lstm_layout import Label

Labels = dict[str, Label]


@dataclass(frozen=True)
class Layout:
    """Coordinates of one drawing of the cell in one variant.

    `places` has every node inside the cell, and two points: `dot`, where z divides, and `turn`, where h leaves its line
    and comes to the trunk.
    """

    variant: str
    width: float
    height: float
    cell_box: tuple[float, float, float, float]
    trunk: float
    gate_size: tuple[float, float]
    node_width: float
    minus_radius: float
    before: dict[str, Point]
    after: dict[str, Point]
    places: dict[str, Point]
    labels: Labels
    #: What depends on `update` and on `reset`: a place and labels a choice.
    moved: dict[str, tuple[Point, Labels]]
    note: Point = (0, 0)

    def chosen(self, reset: str, update: str) -> Layout:
        """The drawing of one of the four variants."""
        (minus, updated), (matrix, reset_labels) = self.moved[update], self.moved[reset]
        places = {**self.places, "om": minus, "uh": matrix}
        return replace(self, places=places, labels={**self.labels, **updated, **reset_labels})


WIDE_UNIT = Layout(
    "wide", 1040, 472, (104, 4, 832, 380), trunk=364, gate_size=(128, 88), node_width=80, minus_radius=17,
    before={"h": (52, 56), "x": (168, 440)}, after={"h": (988, 56)},
    places={
        "z": (224, 268), "r": (384, 268), "g": (836, 268), "mz": (224, 56), "mc": (836, 160), "add": (836, 56),
        "mr": (560, 268), "dot": (224, 160), "turn": (128, 56),
    },
    labels={
        "z": Label(235, 198), "zh": Label(530, 43, "middle"), "zg": Label(825, 112, "end"), "g": Label(825, 207, "end"),
        "h": Label(899, 43, "middle"), "r": Label(496, 258, "middle"), "rh": Label(580, 248),
    },
    moved={
        "new": ((224, 112), {"keep": Label(236, 90)}), "old": ((450, 160), {"keep": Label(644, 150, "middle")}),
        "before": ((684, 268), {"Uhg": Label(762, 298, "end")}), "after": ((560, 325), {"Uhg": Label(572, 303)}),
    },
    note=(520, 408),
)  # fmt: skip

WIDE_LAYER = Layout(
    "wide", 1040, 472, (112, 4, 820, 386), trunk=372, gate_size=(144, 88), node_width=92, minus_radius=17,
    before={"h": (50, 68), "x": (166, 438)}, after={"h": (990, 68)},
    places={
        "z": (232, 288), "r": (398, 288), "g": (838, 288), "mz": (232, 68), "mc": (838, 182), "add": (838, 68),
        "mr": (580, 288), "dot": (232, 182), "turn": (132, 68),
    },
    labels={
        "z": Label(244, 214), "zh": Label(520, 39), "zg": Label(827, 126, "end"), "g": Label(827, 214, "end"),
        "h": Label(857, 39), "r": Label(478, 256), "rh": Label(602, 256),
    },
    moved={
        "new": ((232, 130), {"keep": Label(258, 100)}), "old": ((452, 182), {"keep": Label(560, 152)}),
        "before": ((690, 288), {"Uhg": Label(758, 322, "end")}), "after": ((580, 341), {"Uhg": Label(612, 322)}),
    },
    note=(540, 420),
)  # fmt: skip

COMPACT_UNIT = Layout(
    "compact", 340, 590, (2, 78, 336, 428), trunk=24, gate_size=(118, 60), node_width=80, minus_radius=15,
    before={"h": (296, 32), "x": (42, 32)}, after={"h": (296, 556)},
    places={
        "z": (103, 150), "r": (103, 230), "g": (103, 456), "mz": (296, 150), "mc": (194, 456), "add": (296, 456),
        "mr": (134, 302), "dot": (194, 150), "turn": (296, 96),
    },
    labels={
        "z": Label(168, 128), "zh": Label(286, 232, "end", 17), "zg": Label(245, 490, "middle", -41),
        "r": Label(125, 282, "end"),
    },
    moved={
        "new": ((245, 150), {"keep": Label(245, 184, "middle", 16)}),
        "old": ((194, 236), {"keep": Label(204, 300, "start", 16)}),
        "before": ((134, 372), {"rh": Label(125, 332, "end", 16), "Uhg": Label(125, 396, "end", 15)}),
        "after": ((68, 302), {"rh": Label(125, 376, "end", 16), "Uhg": Label(40, 334, "start", 16)}),
    },
)  # fmt: skip

COMPACT_LAYER = Layout(
    "compact", 340, 684, (2, 80, 336, 518), trunk=24, gate_size=(112, 62), node_width=88, minus_radius=15,
    before={"h": (294, 34), "x": (52, 34)}, after={"h": (294, 650)},
    places={
        "z": (104, 176), "r": (104, 262), "g": (104, 525), "mz": (294, 176), "mc": (190, 525), "add": (294, 525),
        "mr": (136, 354), "dot": (190, 176), "turn": (294, 98),
    },
    labels={
        "z": Label(170, 128), "zh": Label(284, 274, "end"), "zg": Label(284, 566, "end"), "r": Label(125, 318, "end"),
    },
    moved={
        "new": ((246, 176), {"keep": Label(202, 218)}), "old": ((190, 230), {"keep": Label(200, 342)}),
        "before": ((136, 432), {"rh": Label(125, 396, "end"), "Uhg": Label(125, 468, "end")}),
        "after": ((70, 354), {"rh": Label(125, 440, "end"), "Uhg": Label(36, 393)}),
    },
)  # fmt: skip

LAYOUTS = {
    ("wide", False): WIDE_UNIT,
    ("wide", True): WIDE_LAYER,
    ("compact", False): COMPACT_UNIT,
    ("compact", True): COMPACT_LAYER,
}
