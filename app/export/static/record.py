"""Every answer that a lab gives along some axes, asked as its page would ask and kept channel by channel.

A channel is one thing that the page shows: a text, an array, a scene, a chart, the answer of a detail. Along an axis
that it does not follow it is kept once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...plots.chart import Chart, tick_text
from ..errors import CannotExport
from .axes import SELECTED, Axis, last_step, node_of, states
from .pool import ABSENT, Pool

if TYPE_CHECKING:
    from ...labs.base import Lab
    from ...labs.detail import Detail

Progress = Callable[[int, int], None]
Foresight = Callable[[float], None]
Place = tuple[int, ...]


@dataclass(frozen=True)
class Channel:
    """Which instance of the pool stands where: `index` has length 1 along each axis that is not followed."""

    name: str
    index: np.ndarray


@dataclass(frozen=True)
class Recording:
    """What a static copy is made of."""

    axes: tuple[Axis, ...]
    pool: Pool
    channels: tuple[Channel, ...]


def record(
    lab: Lab, axes: Sequence[Axis], charts: Sequence[str], progress: Progress, foresee: Foresight = lambda numbers: None
) -> Recording:
    """Ask the lab for every state; `charts` are the names of those that are drawn.

    `progress` is told how many states are done, of how many; `foresee` about how many bytes all numbers will have, and
    may raise.
    """
    recorder, total = _Recorder(lab, axes, charts), states(axes)
    runs, sizes = states([axis for axis in axes if axis.varied]), [0]
    for done, place in enumerate(np.ndindex(*recorder.shape), 1):
        recorder.visit(place)
        progress(done, total)
        if done % (total // runs) == 0:
            sizes.append(recorder.pool.size)
            foresee(sizes[1] + (runs - 1) * (sizes[-1] - sizes[1]) / max(1, len(sizes) - 2))
    channels = tuple(Channel(name, folded(index)) for name, index in recorder.index.items())
    return Recording(tuple(axes), recorder.pool, channels)


def folded(index: np.ndarray) -> np.ndarray:
    """The same table with length 1 along every axis on which nothing changes."""
    for axis in range(index.ndim):
        first = index.take([0], axis)
        if (index == first).all():
            index = first
    return index


def check_followed(recording: Recording) -> None:
    """Raise `CannotExport` for a varied key that nothing on the copy follows but its own control."""
    shown = [channel for channel in recording.channels if not channel.name.startswith(("value/", "setting"))]
    for at, axis in enumerate(recording.axes):
        if axis.varied and len(axis.texts) > 1 and all(channel.index.shape[at] == 1 for channel in shown):
            raise CannotExport(f"--vary {axis.key}: nothing in a static copy of this state follows it")


def copied_details(lab: Lab) -> dict[str, Detail]:
    """The details that a static copy holds."""
    found = {name: lab.detail(name) for name in lab.view.layout["details"]}
    return {name: detail for name, detail in found.items() if detail.COPIED}


class _Recorder:
    """A lab, how far it is, and what it has answered."""

    def __init__(self, lab: Lab, axes: Sequence[Axis], charts: Sequence[str]):
        self.lab, self.axes, self.charts = lab, axes, charts
        self.shape = tuple(len(axis.texts) for axis in axes)
        self.varied = sum(axis.varied for axis in axes)
        self.pool, self.index = Pool(), dict[str, np.ndarray]()
        self.shown: dict[str, int] = {}
        self.fixed: dict[str, int] = {}
        self.before: dict[str, tuple[str, int]] = {}
        self.place: dict[str, str] = {}
        self._take(lab.view.frame)

    # --- one state ----------------------------------------------------------------------------

    def visit(self, place: Place) -> None:
        """Bring the lab to a place and keep all that it answers there."""
        same = self._within(place)
        if same != place:
            for index in self.index.values():
                index[place] = index[same]
            return
        self._go(place)
        if not any(place[self.varied :]):
            self.fixed = self._at_rest(looks=False) | self._charts()
        for name, instance in (self.shown | self.fixed | self._at_rest(looks=True)).items():
            if name not in self.index:
                self.index[name] = np.full(self.shape, ABSENT, np.uint32)
            self.index[name][place] = instance

    def _within(self, place: Place) -> Place:
        """The same place, or where a look is past its last number there, the earlier place with that number."""
        values = {axis.key: axis.values[at] for axis, at in zip(self.axes, place, strict=True)}
        limits = {"t": last_step(self.lab)} | self.lab.state.limits(self.lab.state.values_of() | values)
        return tuple(
            axis.values.index(limits[axis.key]) if axis.key in limits and values[axis.key] > limits[axis.key] else at
            for axis, at in zip(self.axes, place, strict=True)
        )

    def _go(self, place: Place) -> None:
        """Tell the lab what is another than at the place before."""
        wanted = {axis.key: axis.texts[at] for axis, at in zip(self.axes, place, strict=True)}
        changed = {key: text for key, text in wanted.items() if self.place.get(key) != text}
        selected, self.place = changed.pop(SELECTED, None), wanted
        if changed:
            self._ask({"action": "set", "values": changed})
        if selected:
            self._ask({"action": "select", "node": node_of(selected, getattr(self.lab.state, "t", 0))})

    # --- answers ------------------------------------------------------------------------------

    def _frame(self, message: dict[str, Any]) -> dict[str, Any]:
        """What the lab answers to a message of its page."""
        self.lab._answer(message)
        return self.lab.view.frame

    def _ask(self, message: dict[str, Any]) -> None:
        frame = self._frame(message)
        refused = json.loads(frame["json"])["notices"]
        if refused:
            raise CannotExport(" ".join(refused))
        self._take(frame)

    def _take(self, frame: dict[str, Any]) -> None:
        """A run replaces every array, a look those that it brings: as the page does."""
        content = json.loads(frame["json"])
        replaced = ("array/", "text/") if content["kind"] == "run" else ("text/",)
        kept = {name: instance for name, instance in self.shown.items() if not name.startswith(replaced)}
        self.shown = kept | {name: self._put(name, part) for name, part in _parts(content, frame["data"])}

    def _put(self, name: str, part: Any) -> int:
        """Most parts of an answer are as they were."""
        text = json.dumps(part) if not name.startswith("array/") else ""
        if not text or self.before.get(name, ("", 0))[0] != text:
            self.before[name] = (text, self.pool.put(part))
        return self.before[name][1]

    def _at_rest(self, *, looks: bool) -> dict[str, int]:
        """Answers of the details that follow the looks, or of those that do not."""
        found = {}
        for name, detail in copied_details(self.lab).items():
            if bool(detail.LOOKS) == looks:
                content, data = _read(self._frame({"action": "detail", "names": [name]}))
                found[f"detail/{name}"] = self.pool.put(
                    {"texts": content["texts"][name], "arrays": _arrays(content, data)}
                )
        return found

    def _charts(self) -> dict[str, int]:
        if not self.charts:
            return {}
        drawn = self.lab.charts()
        return {f"chart/{name}": self.pool.put(_chart(drawn[name])) for name in self.charts}


def _read(frame: dict[str, Any]) -> tuple[dict[str, Any], np.ndarray]:
    return json.loads(frame["json"]), frame["data"]


def _parts(content: dict[str, Any], data: np.ndarray) -> Iterator[tuple[str, Any]]:
    """The channels of one answer."""
    for name, array in _arrays(content, data).items():
        yield f"array/{name}", array
    for name, scene in content.get("scenes", {}).items():
        yield f"scene/{name}", scene
    for name, text in content["texts"].items():
        yield f"text/{name}", text
    for key, text in content["state"]["values"].items():
        yield f"value/{key}", text
    yield "settings", content["state"]["settings"]


def _arrays(content: dict[str, Any], data: np.ndarray) -> dict[str, Any]:
    """Every table of an answer with its shape and the step of its first row; of a detail by its own names."""
    found = {}
    for name, (offset, rows, columns, first) in content["arrays"].items():
        numbers = data[offset : offset + rows * columns]
        found[name.rpartition("/")[2]] = {"shape": [rows, columns], "t0": first, "data": numbers}
    return found


def _chart(drawn: Chart) -> dict[str, Any]:
    """A chart with the texts of its ticks, and without its cursor, which the page moves by itself."""
    chart: dict[str, Any] = {key: one for key, one in asdict(drawn).items() if key != "cursor"}
    texts = {f"{way}_texts": [tick_text(tick, chart[f"{way}_log10"]) for tick in chart[f"{way}_ticks"]] for way in "xy"}
    return chart | texts
