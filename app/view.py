"""The live page of a lab: one component, drawn by assets/js, that asks Python and shows what it answers.

A move of a slider is `model.send_msg` to here and one assignment of `frame` back: public API, and no
debounce on the way (a synced parameter waits 50 ms). `frame` holds one JSON string and one float64 buffer.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
import param
from panel.custom import Children, JSComponent

from . import theme

Message = dict[str, Any]
Arrays = Mapping[str, tuple[np.ndarray, int]]


class LabView(JSComponent):
    """What the browser draws. `layout` is sent once, `frame` with every answer, `figures` are Bokeh plots."""

    layout = param.Dict({}, doc="cards, controls and settings: see assets/js/page.js")
    frame = param.Dict({}, doc="json: texts, state, scenes; data: every array, packed")
    figures = Children(doc="the Bokeh figures of the page, in the order of the layout")

    _esm: ClassVar[str] = theme.module()
    _stylesheets: ClassVar[list[str]] = [theme.stylesheet()]

    def __init__(self, answer: Callable[[Message], None], **params: Any):
        self._answer = answer
        super().__init__(**params)

    def _handle_msg(self, data: Message) -> None:
        self._answer(data)

    @classmethod
    def _patch_datamodel_ref(cls, props: Any, ref: str) -> None:
        """Tag our one data model with its root, as Panel's own method does, without its search.

        The search for further data models walks every model of every figure: 7 ms of each move.
        """
        tag = f"__ref:{ref}"
        if tag not in props.tags:
            props.tags.append(tag)


def pack(arrays: Arrays) -> tuple[dict[str, list[int]], np.ndarray]:
    """Lay arrays (steps, units) end to end; the index says offset, steps, units and the step of the first row."""
    index: dict[str, list[int]] = {}
    flat: list[np.ndarray] = []
    offset = 0
    for name, (array, first_step) in arrays.items():
        table = np.asarray(array, dtype=np.float64)
        table = table if table.ndim == 2 else table.reshape(len(table), -1)
        index[name] = [offset, *table.shape, first_step]
        flat.append(table.ravel())
        offset += table.size
    return index, np.concatenate(flat) if flat else np.empty(0)


def make_frame(content: Mapping[str, Any], arrays: Arrays) -> dict[str, Any]:
    """One answer for the browser. Non-finite numbers in `content` must be written as text (`repr`)."""
    index, data = pack(arrays)
    return {"json": json.dumps({**content, "arrays": index}, allow_nan=False, ensure_ascii=False), "data": data}
