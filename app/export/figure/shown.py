"""What a lab's page shows: its numbers with the cursor, its looks, and its diagrams filled. Loads no Panel itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from .filled import Scene, fill
from .loom import light_loom
from .loom_matrix import matrix_scene
from .pieces_of import flow_scene, opened_scene
from .read import Cursor, Numbers

if TYPE_CHECKING:
    from ...labs.base import Lab

VARIANTS = ("wide", "compact")
#: Diagrams that the page draws from tables and signs in a row.
PIECES = {"opened": opened_scene, "flow": flow_scene}


def numbers_of(lab: Lab) -> Numbers:
    """The arrays that the page paints in the lab's state, and where its cursor stands."""
    values = lab.shown_state()["values"]
    places = {field.name: int(values[field.name]) for field in fields(Cursor) if values.get(field.name)}
    return Numbers({**lab.arrays(), **lab.look_arrays()}, Cursor(**places))


def looks_of(lab: Lab) -> dict[str, str]:
    """The marks of a diagram as a whole: which weight is lit, which way is shown."""
    highlight = getattr(lab.state, "highlight", "none")
    looks = {"data-highlight": "" if highlight == "none" else highlight}
    return looks | {"data-pass": getattr(lab.state, "direction", "")}


def scenes_of(lab: Lab, variant: str = "wide") -> dict[str, Scene]:
    """The diagrams of a lab's page by name, in one of their two drawings, with their numbers."""
    numbers, looks, drawn = numbers_of(lab), looks_of(lab), lab.scenes()
    found = {name: own.get(variant, own.get("wide")) for name, own in drawn.items() if _is_diagram(own)}
    scenes = {name: _filled(scene, numbers, looks) for name, scene in found.items()}
    loom = next((scene for scene in found.values() if "matrix" in scene), None)
    scenes |= {"matrix": matrix_scene(loom, numbers)} if loom else {}
    made = {name: make(lab, drawn[name], numbers, variant) for name, make in PIECES.items() if name in drawn}
    return scenes | made


def _filled(scene: Mapping[str, Any], numbers: Numbers, looks: Mapping[str, str]) -> Scene:
    """A loom has lights of its own: the chain of the selected loss and state."""
    return light_loom(fill(scene, numbers), scene, numbers) if "lanes" in scene else fill(scene, numbers, looks)


def _is_diagram(drawn: Any) -> bool:
    """Whether something that a lab sends with its scenes is one: two drawings of nodes and wires."""
    return isinstance(drawn, Mapping) and "layers" in drawn.get("wide", {})
