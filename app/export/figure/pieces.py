"""Matrices and vectors in a row with the signs between them, as a filled scene: an opened gate, attention by stages.

What `assets/js/opened_gate.js` and `attention.js` draw as HTML, from the same pieces.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...diagrams.scene import DOT, Element, Run, shape, symbol, text, words
from .filled import Scene
from .lettering import text_width
from .read import Numbers, Read, colour_step, number_text, share_text, teal_step

#: Up to so many rows and columns a cell holds its number; its sides then, and without one.
MOST_NUMBERED = 6
LARGE, SMALL = (52.0, 28.0), (20.0, 20.0)
HEAD, COLUMNS, CELLS = 18.0, 37.0, 44.0
LINE_GAP, GROUP_GAP, PIECE_GAP, BRACKET = 20.0, 26.0, 14.0, 4.0
ROOM = {"wide": 1040.0, "compact": 440.0}
ARROW = 34.0
#: A character that few fonts have -> what the diagrams write for it.
COMMON = str.maketrans({"⊤": "T", "⊙": DOT})


@dataclass(frozen=True)
class Table:
    """One matrix or vector: what stands over it, its numbers row by row, what of it is marked."""

    name: str
    head: list[Run]
    style: str
    reads: list[list[Read]]
    columns: Sequence[str]
    names: Sequence[str] = ()
    shares: bool = False
    framed: int | None = None
    chosen: tuple[int, int] | None = None
    stage: str = ""

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.reads), len(self.reads[0])

    @property
    def large(self) -> bool:
        return max(self.shape) <= MOST_NUMBERED

    @property
    def cell(self) -> tuple[float, float]:
        return LARGE if self.large else SMALL

    @property
    def left(self) -> float:
        """Room of the names of its rows."""
        return max([text_width(name, 13) + 12 for name in self.names], default=0.0)

    @property
    def width(self) -> float:
        return self.left + max(self.cell[0] * self.shape[1] + 2 * BRACKET, runs_width(self.head))

    @property
    def height(self) -> float:
        return CELLS + self.cell[1] * self.shape[0] + 8


@dataclass(frozen=True)
class Sign:
    """What stands between two tables: × or =, or a function over an arrow."""

    runs: list[Run]
    arrow: bool = False
    height: float = field(default=CELLS + 28, init=False)

    @property
    def width(self) -> float:
        return max(runs_width(self.runs), ARROW if self.arrow else 0.0)


Piece = Table | Sign


def runs_width(runs: Iterable[Run]) -> float:
    """About how wide a line of runs is."""
    return sum(text_width(str(run["text"]), run["size"]) for run in runs)


def phrase_runs(phrase: Iterable[Mapping[str, Any]], size: float = 16) -> list[Run]:
    """A sentence's tokens as runs of a diagram, in characters that every font has.

    Where a font lacks one character, some renderers take the whole line from another font.
    """
    found: list[Run] = []
    for given in phrase:
        token = {key: own.translate(COMMON) if isinstance(own, str) else own for key, own in given.items()}
        if token["kind"] == "symbol":
            letter = token["text"] + ("~" if token.get("accent") == "tilde" else "")
            found += symbol(letter, sub=token.get("sub"), sup=token.get("sup"), size=size)
        else:
            style = "up" if token["kind"] in ("function", "operator") else "txt"
            found += words(token["text"], size - 2, style)
    return found


def pieces_scene(name: str, label: str, variant: str, groups: Sequence[Sequence[Piece]]) -> Scene:
    """Groups one after the other, on as many lines as the room needs."""
    lines = _lines(groups, ROOM[variant])
    items: list[Element] = []
    top, widest = 0.0, 0.0
    for line in lines:
        height = max(CELLS + _body(piece) for _, piece in line)
        middle = top + CELLS + (height - CELLS) / 2
        for x, piece in line:
            items += _table(piece, x, middle) if isinstance(piece, Table) else _sign(piece, x, middle)
            widest = max(widest, x + piece.width)
        top += height + LINE_GAP
    layers = {"back": [], "node": items}
    size = {"width": round(widest + 2, 1), "height": round(top - LINE_GAP, 1)}
    return {"id": name, "variant": variant, **size, "max_width": size["width"], "label": label, "looks": {},
            "layers": layers}  # fmt: skip


def _body(piece: Piece) -> float:
    return piece.height - CELLS


def _lines(groups: Sequence[Sequence[Piece]], room: float) -> list[list[tuple[float, Piece]]]:
    """Each piece with its left edge, line by line; a group stands on one line where it fits on one."""
    lines: list[list[tuple[float, Piece]]] = [[]]
    x = 0.0
    for group in groups:
        for place, step in enumerate(_steps(group)):
            gap = PIECE_GAP if place else GROUP_GAP
            needed = _breadth(group) if place == 0 and _breadth(group) <= room else _breadth(step)
            if lines[-1] and x + gap + needed > room:
                lines.append([])
            for own in step:
                x = x + gap if lines[-1] else 0.0
                lines[-1].append((x, own))
                x, gap = x + own.width, PIECE_GAP
    return lines


def _steps(group: Sequence[Piece]) -> list[list[Piece]]:
    """A sign stays with the table that it leads to."""
    steps: list[list[Piece]] = [[]]
    for piece in group:
        steps[-1].append(piece)
        if isinstance(piece, Table):
            steps.append([])
    return [step for step in steps if step]


def _breadth(pieces: Sequence[Piece]) -> float:
    return sum(piece.width + PIECE_GAP for piece in pieces) - PIECE_GAP


# --- drawn -----------------------------------------------------------------------------------


def _sign(sign: Sign, x: float, middle: float) -> list[Element]:
    centre = x + sign.width / 2
    if not sign.arrow:
        return [text(centre, middle + 6, sign.runs, "middle", "ink2")]
    tip, y = x + sign.width, middle + 6
    line = shape("path", style="wire", d=f"M{x:.1f} {y:.1f}H{tip - 8:.1f}")
    head = shape("path", style="wire tri ink", d=f"M{tip:.1f} {y:.1f}l-9 -4v8z")
    return [text(centre, middle - 3, sign.runs, "middle"), line, head]


def _table(table: Table, x: float, middle: float) -> list[Element]:
    """A table as a node: its head, its cells between brackets, the frames of what is selected."""
    (rows, columns), (wide, high) = table.shape, table.cell
    left, top = x + table.left + BRACKET, middle - rows * high / 2
    centre, bottom = left + columns * wide / 2, top + rows * high
    children = [*_ground(table, (left, top, columns * wide, rows * high))]
    children.append(text(centre, top - CELLS + HEAD, table.head, "middle", "t"))
    for c, name in enumerate(table.columns):
        children.append(text(left + (c + 0.5) * wide, top - CELLS + COLUMNS, words(name, 12), "middle", "ink2"))
    for r, name in enumerate(table.names):
        style = "b" if r == table.framed else "ink2"
        children.append(text(left - 12, top + (r + 0.5) * high + 4.4, words(name, 13), "end", style))
    for r, row in enumerate(table.reads):
        for c, read in enumerate(row):
            children += _cell(table, read, (left + c * wide, top + r * high))
    for edge, way in ((left - BRACKET, 5), (left + columns * wide + BRACKET, -5)):
        path = f"M{edge + way:.1f} {top - 3:.1f}h{-way}V{bottom + 3:.1f}h{way}"
        children.append(shape("path", style="glyph", d=path, stroke_width=1.25))
    place = {"id": table.name, "class": table.style, "x": centre, "y": middle}
    children += _frames(table, left, top)
    return [{"kind": "node", **place, "name": f"{table.name}, {rows} by {columns}", "children": children}]


def _ground(table: Table, place: tuple[float, float, float, float]) -> list[Element]:
    """The tint of a table that the sub-step makes, and a line under it."""
    if table.stage != "lit":
        return []
    x, y, width, height = place
    edge, right = x - 10, x + width + 10
    box = {"x": edge, "y": y - CELLS, "width": width + 20, "height": height + CELLS + 10}
    line = f"M{edge:.1f} {y + height + 10:.1f}H{right:.1f}"
    return [shape("rect", **box, rx=8, fill="var(--cf)"), shape("path", d=line, stroke="var(--c)", stroke_width=3)]


def _frames(table: Table, left: float, top: float) -> list[Element]:
    (rows, columns), (wide, high) = table.shape, table.cell
    found = []
    if table.framed is not None and rows > 1:
        found.append((left - 1, top + table.framed * high - 1, columns * wide + 2, high + 2))
    if table.chosen is not None:
        r, c = table.chosen
        found.append((left + c * wide + 1, top + r * high + 1, wide - 2, high - 2))
    return [{"kind": "mark", "place": list(place), "rx": 3, "class": "s2s-chosen"} for place in found]


def _cell(table: Table, read: Read, at: tuple[float, float]) -> list[Element]:
    """Number or sign tick on the colour of the scale."""
    (x, y), (wide, high) = at, table.cell
    fill, ink = _colours(table, read)
    box = {"x": x + 0.5, "y": y + 0.5, "width": wide - 1, "height": high - 1, "rx": 2}
    dashed = {"stroke": "var(--border)", "stroke_dasharray": "3 3"} if table.stage == "later" else {}
    rect = shape("rect", **box, fill=fill, **dashed)
    if table.large:
        shown = share_text(read.value) if table.shares else number_text(read.value)
        run: Run = {"text": shown, "class": "num", "size": 11 if len(shown) > 6 else 12.5, "fill": ink}
        marks = {"symbol": read.symbol, "t": read.t, "unit": read.unit, "value": read.value}
        line = text(x + wide / 2, y + high / 2 + 4.3, [run], "middle")
        if read.value is not None:
            line["runs"][0]["readout"] = marks
        return [rect, line]
    if read.known and (read.value or 0) < 0 and not table.shares:
        path = f"M{x + wide / 2 - 3:.1f} {y + high / 2:.1f}h6"
        return [rect, shape("path", d=path, stroke=ink, stroke_width=1.5)]
    return [rect]


def _colours(table: Table, read: Read) -> tuple[str, str]:
    """Fill and ink: teal for a share, blue and orange about 0 for other numbers."""
    if not read.known:
        return "var(--surface)", "var(--ink2)"
    value = read.value or 0.0
    if value == float("-inf"):
        return "var(--inset)", "var(--ink2)"
    ramp, step = ("sq", teal_step(value)) if table.shares else ("dv", colour_step(value))
    return f"var(--{ramp}{step})", f"var(--{ramp}o{step})"


def stage_of(stage: Mapping[str, Any], numbers: Numbers) -> str:
    """`lit`, `later` or nothing, for the sub-step of the cursor."""
    cursor = numbers.cursor
    if not cursor.substep or cursor.t < 1:
        return ""
    return "lit" if cursor.substep in stage["lit"] else "later" if numbers.later(stage["ready"]) else ""
