"""What every lab does: hold a state and its run, answer the page, show one frame for one change."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import panel as pn
import param
from rnnscope.core import Config, Run, run

from .. import arguments, controls, url
from ..plots.chart import Plot
from ..state import LabState
from ..view import Arrays, LabView, Message, make_frame
from . import own
from .badge import Badge
from .detail import Detail
from .embedding import Embedding, dialog
from .python import PythonLab


class Lab(PythonLab):
    """One lab. A change of state is one core run, one hold and one frame.

    Subclasses say what the page holds (`cards`, `rail`) and what it shows of a run (`arrays`, `texts`,
    `scenes`, `draw_figures`).

    What it takes is listed by each lab: the keys of a link by name, and in labs of one chain arrays of one's own.
    """

    NAME: ClassVar[str]
    TITLE: ClassVar[str]
    LEDE: ClassVar[str]
    State: ClassVar[type[LabState]] = LabState
    #: A class of the page's grid: `pf` puts plots before the rail where there is one column.
    GRID: ClassVar[str] = ""

    def __init__(self, query: Mapping[str, str] | str | None = None, **given: Any):
        super().__init__()
        asked = arguments.read(type(self).__name__, self.State, query, given)
        self.state, self._notices, self._strict = asked.state, asked.notices, asked.strict
        self._named = asked.named
        self._sequence: Any = None
        self._scene_key: Any = None
        self._scenes: dict[str, Any] = {}
        self._details = {detail.NAME: detail for detail in (*self.details(), Badge(self), Embedding(self))}
        self.run = self._first_run()
        self.view = LabView(self._answer, layout=self._layout(), figures=self.figures(), sizing_mode="stretch_width")
        self.state.param.watch(self._changed, self.state.names())
        self._show()

    def __panel__(self) -> LabView:
        return self.view

    # --- what a subclass says ---------------------------------------------------------------

    @abstractmethod
    def cards(self) -> list[dict[str, Any]]:
        """The cards of the main column, top to bottom."""

    @abstractmethod
    def rail(self) -> list[dict[str, Any]]:
        """The blocks of the rail: inspector and controls."""

    @abstractmethod
    def arrays(self) -> Arrays:
        """The numbers of the run that the page paints, each with the step of its first row."""

    @abstractmethod
    def texts(self) -> dict[str, Any]:
        """Sentences, equations and tables that depend on the run and on what is selected."""

    def details(self) -> list[Detail]:
        """The parts of the page that are computed at rest."""
        return []

    def detail(self, name: str) -> Any:
        """One of the lab's details."""
        return self._details[name]

    def scene_key(self) -> Any:
        """What the geometry of the diagrams depends on."""
        return None

    def scenes(self) -> dict[str, Any]:
        """The diagrams' scenes; sent again only when `scene_key` changes."""
        return {}

    def figures(self) -> list[Any]:
        """The Bokeh figures of the page, built once."""
        return []

    def draw_figures(self) -> None:
        """Assign the run's data to the figures."""

    def charts(self) -> dict[str, Plot]:
        """The plots of the page by name, as data, computed now: for files, notebooks and static copies."""
        return {}

    def restyle(self, theme: str) -> None:
        """Give the figures the colours of `light` or `dark`."""

    # --- one change, one frame --------------------------------------------------------------

    def _first_run(self) -> Run:
        """The run of the query; where core refuses it, the lab's own default with a notice."""
        try:
            return self.compute()
        except ValueError as error:
            if self._strict:
                raise
            self._notices.append(f"{_sentence(error)} The lab's defaults are used.")
            self.state.param.update(**self.state.defaults())
            return self.compute()

    def compute(self) -> Run:
        """The one core call of a change."""
        return self.run_of(self.state.config())

    @staticmethod
    def run_of(config: Config) -> Run:
        return run(config)

    def _changed(self, *events: param.parameterized.Event) -> None:
        """The one watcher: run core where a number changed, then show; one hold, so that one message carries all."""
        with pn.io.hold():
            self._follow({event.name for event in events})

    def _follow(self, changed: set[str]) -> None:
        with param.parameterized.discard_events(self.state):
            self.state.settle()
        if changed - self.state.LOOKS - self.state.SETTINGS:
            try:
                self.run = self.compute()
            except ValueError as error:
                self._refuse(error)
                return
            self._show()
        else:
            self._show_looks(self._stale_by_looks(changed))

    def _stale_by_looks(self, changed: set[str]) -> list[str]:
        looks = changed & self.state.LOOKS
        return [name for name, detail in self._details.items() if detail.LOOKS and looks]

    def _refuse(self, error: ValueError) -> None:
        """Core says no: say why, and go back to what stood before."""
        with param.parameterized.discard_events(self.state):
            self.state.param.update(**self._good)
        self._notices.append(_sentence(error))
        self._show_looks()

    def _show(self) -> None:
        self.draw_figures()
        key = self.scene_key()
        scenes = self._new_scenes() if key != self._scene_key else {}
        self._scene_key = key
        self._send("run", self.arrays(), scenes=scenes, stale=list(self._details))

    def _new_scenes(self) -> dict[str, Any]:
        """The scenes that are not as they were: the page draws no other again."""
        before, self._scenes = self._scenes, self.scenes()
        return {name: scene for name, scene in self._scenes.items() if scene != before.get(name)}

    def _show_looks(self, stale: Sequence[str] = ()) -> None:
        self._send("look", self.look_arrays(), stale=list(stale))

    def push(self, name: str) -> None:
        """Send one detail unasked; on the session's own thread."""
        with pn.io.hold():
            self._sequence = None
            self._send_details([name])

    def _send_details(self, names: Iterable[str]) -> None:
        arrays: dict[str, tuple[np.ndarray, int]] = {}
        texts: dict[str, dict[str, Any]] = {}
        for name in names:
            detail = self._details[name]
            arrays |= {f"{name}/{key}": array for key, array in detail.arrays().items()}
            detail.draw()
            texts[name] = detail.texts()
        notices, self._notices = self._notices, []
        frame = {"kind": "detail", "sequence": self._sequence, "texts": texts, "notices": notices}
        self.view.frame = make_frame(frame, arrays)

    def shown_state(self) -> dict[str, Any]:
        """What every control shows, and where the page's cursor stands."""
        return controls.shown_values(self.state)

    def select(self, node: Message) -> None:
        """A node of a diagram was chosen: {id, symbol, t, unit}."""

    def look_arrays(self) -> Arrays:
        """Arrays that depend on the selection: recomputed without a run."""
        return {}

    def _send(self, kind: str, arrays: Arrays, **content: Any) -> None:
        self._good = self.state.values_of()
        notices, self._notices = self._notices, []
        frame = {
            "kind": kind,
            "sequence": self._sequence,
            "state": self.shown_state(),
            "query": url.write(self.state),
            "texts": self.texts() | own.texts(self.state),
            "notices": notices,
            **content,
        }
        self.view.frame = make_frame(frame, arrays)

    # --- messages from the page ---------------------------------------------------------------

    def _answer(self, message: Message) -> None:
        """Answer every message with exactly one frame, so that the page can send the next."""
        self._sequence = message.get("sequence")
        before = self.view.frame
        try:
            with pn.io.hold():
                self._act(message)
        finally:
            if self.view.frame is before:
                self._show_looks()

    def _act(self, message: Message) -> None:
        action = message.get("action")
        if action == "set":
            self._set(message.get("values"))
        elif action == "reset":
            self.state.apply(self._reset_values())
        elif action == "select":
            self.select(message.get("node") or {})
        elif action == "detail":
            self._send_details(name for name in message.get("names") or () if name in self._details)
        elif action == "tell" and message.get("detail") in self._details:
            self._tell(message["detail"], message.get("message"))
        elif action == "theme":
            self.restyle("dark" if message.get("theme") == "dark" else "light")

    def _tell(self, name: str, message: Any) -> None:
        before = self.view.frame
        self._details[name].told(message if isinstance(message, dict) else {})
        if self.view.frame is before:
            self._send_details([name])

    def _reset_values(self) -> dict[str, Any]:
        kept = (self.state.SETTINGS - {"preset"}) | set(self.state.locked())
        return {key: value for key, value in self.state.defaults().items() if key not in kept}

    def _set(self, texts: Any) -> None:
        """Check each value as the query string is checked; locked keys stay."""
        changes: dict[str, Any] = {}
        locked = self.state.locked()
        for key, text in texts.items() if isinstance(texts, dict) else ():
            if key not in self.state.names() or key in locked:
                continue
            try:
                changes[key] = url.check(type(self.state), key, str(text))
            except ValueError as error:
                self._notices.append(url.Notice(key, str(text), str(error), "It stays as it was.").message)
        if "preset" in changes:
            preset = self.State.PRESETS[changes["preset"]]
            start = {**self._reset_values(), **preset}
            start = {**start, **self.State.usual({**self.state.values_of(), **start}), **preset, **changes}
            changes = {key: value for key, value in start.items() if key not in locked}
        self.state.apply(changes)

    def _layout(self) -> dict[str, Any]:
        cards, rail = self.cards(), self.rail()
        return {
            "name": self.NAME,
            "grid": self.GRID,
            "cards": own.cards(self.state, cards),
            "rail": own.rail(self.state, rail),
            "embedding": dialog(cards, rail, self.state, self.TITLE),
            "controls": controls.describe(self.state),
            "embed": self.state.embed,
            "theme": self.state.theme,
            "details": [name for name, detail in self._details.items() if not detail.ONLY_TOLD],
            "locked": self.state.locked(),
            "hidden": [*self.state.hide.split(","), *own.hidden(self.state)],
            "absent": list(self.state.absent()),
        }


def control_parts(*keys: str) -> list[dict[str, Any]]:
    """A control for each key, as parts of a block."""
    return [{"kind": "control", "key": key} for key in keys]


def _sentence(error: ValueError) -> str:
    text = str(error)
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
