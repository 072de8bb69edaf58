"""What /lstm and /gru share: one cell at one step, the equation of what is selected, one input under the hand."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from rnnscope.core import Run, equation, equations

from .. import url, values
from ..plots.chart import Plot
from ..view import Arrays, Message
from ..words import Phrase, Words, phrase, readout, symbol, unit_words
from . import inside
from .base import Lab, control_parts
from .charts import gates_chart, states_chart, units_map
from .equation_text import Line, numeric, said, symbolic
from .surgery import Operable


class GatedLab(Operable, Lab):
    """One to eight units; the cell diagram follows the step and the unit, the traces follow the unit."""

    #: The symbols that have an equation, in the order of the list, and whose colour each line wears.
    ROLES: ClassVar[Mapping[str, str]]
    NAMES: ClassVar[Mapping[str, str]]
    #: A product or a pre-activation belongs to the equation that it is part of.
    BELONGS: ClassVar[Mapping[str, str]]
    #: What is selected at first.
    FIRST: ClassVar[str]
    #: The states before the first input, which are 0.
    STATES: ClassVar[str]
    #: How many blocks the weights have, in words.
    BLOCKS: ClassVar[str]
    #: The biases under the hand.
    BIASES: ClassVar[tuple[str, ...]]

    def __init__(self, query: Any = None, **params: Any):
        self.selected, self.step_before = self.FIRST, False
        super().__init__(query, **params)

    def _first_run(self) -> Run:
        """The run of the query; where it names a sub-step and no layer, the one that this is in is open."""
        shown = super()._first_run()
        if "open" not in self._named:
            inside.open_current(self.state, shown)
        return shown

    @abstractmethod
    def own_blocks(self) -> list[dict[str, Any]]:
        """What the rail has of this cell alone, below the selected quantity."""

    def rail(self) -> list[dict[str, Any]]:
        return [
            {"title": "Equations", "items": [{"kind": "equations", "id": "equations"}]},
            {"items": [
                {"kind": "text", "id": "selected_title", "tag": "h2"}, {"kind": "equations", "id": "selected"},
                {"kind": "text", "id": "meaning", "cls": "note"},
                {"kind": "text", "id": "sums", "cls": "note"}, {"kind": "unit", "key": "unit"}]},
            *self.own_blocks(),
            {"title": "Parameters", "cls": "ctl", "items": [
                *control_parts(*self.BIASES), {"kind": "inputAt", "key": "values"}]},
            {"title": "Input", "cls": "ctl", "items": control_parts("input", "values", "text", "T", "d")},
            {"title": "Weights", "cls": "ctl", "items": [
                *control_parts("n", "rho", "family", "sigma_in", "seed"),
                {"kind": "text", "id": "count", "cls": "note"}]},
            {"title": "Letters", "cls": "ctl", "items": control_parts("notation")},
        ]  # fmt: skip

    @staticmethod
    def columns(shown: Mapping[str, str]) -> list[dict[str, Any]]:
        """The table of every step: array -> letter of its column."""
        steps = {"head": "$t$", "array": "steps", "symbol": "t", "integer": True, "offset": 1}
        heads = ({"head": f"${head}$", "array": name, "symbol": head, "offset": 1} for name, head in shown.items())
        return [steps, *heads]

    @abstractmethod
    def _meaning(self) -> Phrase:
        """What the selected quantity does at this step, in a sentence with its numbers."""

    @abstractmethod
    def _summary(self) -> Phrase:
        """The sentence beside the traces."""

    def arrays(self) -> Arrays:
        return {**self.drawn(self.run), **self.ghosts()}

    def charts(self) -> dict[str, Plot]:
        trace, unit, t = self.run.trace, self.state.unit, self.state.t
        states = {name: trace.cs if name == "c" else trace.hs for name in self.STATES}
        gates = {name: trace.gates[name] for name in self.ROLES if name not in states}
        drawn: dict[str, Plot] = {
            "gates": gates_chart(gates, self.NAMES, self.ROLES, unit, t),
            "states": states_chart(states, self.NAMES, self.ROLES, unit, t),
            "hidden": units_map("Hidden state", trace.hs, "h", 1.0),
        }
        return drawn | ({"cell": units_map("Cell state", trace.cs, "c")} if "c" in states else {})

    def cuts(self, run: Run) -> tuple[int, ...]:
        """The steps at which the recurrent weights of a run are cut; of the untouched one there are none."""
        return self.surgery().cuts if run is self.run else ()

    def select(self, node: Message) -> None:
        """A click on a gate, a wire's operation or a state shows its equation at the step it belongs to."""
        name = str(node.get("symbol") or self.FIRST)
        self.selected = self.BELONGS.get(name, name)
        self.step_before = node.get("t") == self.state.t - 1
        inside.open_layer(self.state, self.selected, self.run)

    def selection(self) -> tuple[str, bool]:
        return self.selected, self.step_before

    def _act(self, message: Message) -> None:
        if message.get("action") == "input":
            self._set_input(str(message.get("value")))
        else:
            super()._act(message)

    def _set_input(self, text: str) -> None:
        """One number of the input under the hand: the sequence becomes typed values with that one replaced."""
        t, state = self.state.t, self.state
        if self._inputs().shape[1] != 1 or t == 0 or "values" in state.locked():
            return
        if values.finite(text) is None:
            self._notices.append(url.Notice("input", text, "it takes a number.", "It stays as it was.").message)
            return
        shown = [repr(float(x)) for x in self._inputs()[:, 0]]
        shown[t - 1] = text
        self._set({"input": "values", "values": ",".join(shown)})

    def _inputs(self) -> np.ndarray:
        """The input as it was chosen, (T, d)."""
        return self.untouched.trace.xs

    def texts(self) -> dict[str, Any]:
        state, name = self.state, self.NAMES.get(self.selected, "input").capitalize()
        return {
            "equations": self._equations(),
            "selected_title": phrase(name, unit_words(state.unit, state.n)),
            "selected": self._selected(),
            "meaning": self._meaning(),
            "sums": phrase(f"A recurrent product is one number: the sum over {state.n} units.") if state.n > 1 else [],
            "summary": self._summary(),
            "count": self._count(),
            "announcement": inside.announcement(state, self.run),
            **inside.texts(state, self.run, bool(self.operated)),
            **self._cut_texts(),
            **self.surgery_texts(),
        }  # fmt: skip

    def _cut_texts(self) -> dict[str, Any]:
        """At a cut step the opened layer's product with h is no part of its sum."""
        if not self.is_cut(self.state.t):
            return {}
        return {"opened_line": said("Cut at this step: 0 stands in place of ", symbol("h", str(self.state.t - 1)), ".")}

    def _equations(self) -> list[Line]:
        t, marked = max(1, self.state.t), self._marked()
        found = {one.symbol: one for one in equations(self.run.cell)}  # made once: each call makes all of them
        return [
            symbolic(found[name], self.state.notation, t, role, name == marked)
            for name, role in self.ROLES.items()
        ]  # fmt: skip

    def _marked(self) -> str:
        """Whose equation stands out in the list."""
        active = inside.current(self.state, self.run)
        return active.equation if active else self.selected

    def _selected(self) -> list[Line]:
        t = max(0, self.state.t - self.step_before)
        if self.selected not in self.ROLES:
            return said("The input is what you typed or chose; it goes to every gate.")
        if t == 0:
            return said("Step 0 is before the first input: ", *self._zeros())
        names = [f"a{self.selected}", self.selected] if f"a{self.selected}" in self.BELONGS else [self.selected]
        return [line for name in names for line in self._with_numbers(name, t)]

    def _zeros(self) -> list[str | Words]:
        first, *others = (symbol(letter, "0") for letter in self.STATES)
        return [first, *(word for other in others for word in (" and ", other)), " are 0." if others else " is 0."]

    def _with_numbers(self, name: str, t: int) -> list[Line]:
        found, state = equation(self.run.cell, name), self.state
        if name[0] == "a" and self.is_cut(t):
            return said("Cut at this step: the recurrent weights see 0.")
        if name in self.run.cell.gate_names:
            return self._gate_numbers(name, t)
        return [symbolic(found, state.notation, t), numeric(found, self.run, t, state.unit, state.notation)]

    def _gate_numbers(self, name: str, t: int) -> list[Line]:
        """f = σ(1.74) = 0.851: the pre-activation stands a line above with its own numbers."""
        unit, trace = self.state.unit, self.run.trace
        if self.clamped(name, t, unit):
            held = readout(trace.gates[name][t - 1, unit], name, t, unit)
            return said(self._letter(name, t), " = ", held, ", held there whatever the weights say")
        function = {"kind": "function", "text": "tanh" if name == "g" else "σ"}
        summed, value = trace.preactivations[name][t - 1, unit], trace.gates[name][t - 1, unit]
        return said(
            self._letter(name, t),
            " = ",
            function,
            "(",
            readout(summed, f"a{name}", t, unit),
            ") = ",
            readout(value, name, t, unit),
        )

    def _letter(self, name: str, t: int) -> Words:
        left = equation(self.run.cell, name).tokens(self.state.notation, t)[0]
        return {"kind": "symbol", "text": left.text, "sub": left.sub, "accent": left.accent}

    def _count(self) -> Phrase:
        count = self.run.cell.parameter_count
        number = readout(count, "parameters", text=str(count))
        return phrase(number, f" parameters: {self.BLOCKS} blocks, whatever the number of steps.")
