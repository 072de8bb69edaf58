"""The embed dialog: which controls a link can lock or hide, and the link with its snippets, made as the page asks."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, ClassVar

from .. import controls, embedding
from ..state import LabState
from .detail import Told

#: Buttons of every lab that `hide=` takes away, and what they say.
BUTTONS = {"reset": "Reset", "share": "Copy link", "embed": "Embed"}
#: Blocks and cards with one of these classes are left out where `embed=1` (assets/css/page.css).
LEFT_OUT = frozenset({"ctl", "tc", "r3", "more"})
#: Keys of the bars below a diagram; every other bar steps through time.
BARS = {"moment": "moment"}
ASKED = ("lock", "hide", "theme", "embed", "notation")
#: In the browser alone (Pyodide) there is no Bokeh server to ask for a document.
SERVED = sys.platform != "emscripten"


class Embedding(Told):
    """Answers the dialog. No card holds it: it is only ever told what is chosen there."""

    NAME: ClassVar[str] = "embedding"

    def texts(self) -> dict[str, Any]:
        """The link and its snippets; `error` says in one sentence why there are none."""
        told = self._told
        try:
            place = embedding.Place(
                embedding.address_of(told.get("address")),
                embedding.linked(self.lab.state, {key: told[key] for key in ASKED if key in told}),
                embedding.title_of(told.get("title")),
                embedding.height_of(told.get("height")),
            )
        except ValueError as error:
            return {"error": str(error)}
        return {"link": place.link, "snippets": [asdict(found) for found in embedding.snippets(place, SERVED)]}


def dialog(cards: list[dict[str, Any]], rail: list[dict[str, Any]], state: LabState, title: str) -> dict[str, Any]:
    """What the dialog is built from: the controls under the heads of their blocks, in the order of the page."""
    groups = _groups(cards, rail)
    labels = {key: state.param[key].label for group in groups for key in group["keys"]}
    alone = {key: label for key, label in BUTTONS.items() if key not in labels}
    both = {key: f"{labels[key]} (and the button {BUTTONS[key]})" for key in BUTTONS if key in labels}
    buttons = {"title": "Buttons", "left_out": True, "keys": list(alone), "only_hide": True}
    notations = controls.describe(state)["notation"]["options"] if "notation" in labels else []
    return {
        "groups": [*groups, buttons], "labels": labels | both | alone, "notations": notations,
        "title": title, "height": embedding.START_HEIGHT,
    }  # fmt: skip


def _groups(cards: list[dict[str, Any]], rail: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each key once, where it stands first, under the head of its card or block; what a frame leaves out comes last."""
    seen: set[str] = set()
    found: dict[tuple[bool, str], list[str]] = {}
    for key, title, left_out in [*_keys(cards, "Diagram", False), *_keys(rail, "Selected unit", False)]:
        if key not in seen:
            seen.add(key)
            found.setdefault((left_out, title), []).append(key)
    order = sorted(found, key=lambda place: place[0])
    return [{"title": title, "left_out": left_out, "keys": found[left_out, title]} for left_out, title in order]


def _keys(part: Any, title: str, left_out: bool) -> Iterator[tuple[str, str, bool]]:
    """The key of every control and step bar inside a part, its head, and whether an embedded lab leaves it out."""
    if isinstance(part, list):
        for inner in part:
            yield from _keys(inner, title, left_out)
    elif isinstance(part, dict):
        title = part.get("title") or title
        left_out = left_out or not LEFT_OUT.isdisjoint(str(part.get("cls", "")).split())
        if "kind" in part and "key" in part:
            yield part["key"], title, left_out
        yield from _keys([inner for inner in part.values() if isinstance(inner, (list, dict))], title, left_out)
        if "steps" in part:
            yield BARS.get(part["steps"], "t"), title, left_out
