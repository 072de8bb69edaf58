"""The lab /seq2seq: one source, one target, and everything between them."""

from __future__ import annotations

from typing import Any

import numpy as np
import param

from ... import controls
from ...state import Seq2seqState
from ...translation import Translation, Wanted, translate
from ...view import Arrays, Message
from ...words import phrase
from ..base import Lab, control_parts
from ..detail import Detail
from .bottleneck import Bottleneck, bottleneck_card
from .compare import Compare, compare_card
from .texts import written_words
from .tree import Tree, tree_card

#: How a character is sent: its code point; what is no character has a number below 0.
START, END = -1, -2


class Seq2seqLab(Lab):
    """A model of `rnnscope.app.weights`, read once a session; every key stroke is one `translate`."""

    NAME = "Seq2seq"
    TITLE = "Sequence to sequence, with and without attention"
    LEDE = "Type a source: one network reads it character by character, another writes the target from what is left."
    State = Seq2seqState
    run: Translation  # type: ignore[assignment]
    state: Seq2seqState

    def compute(self) -> Translation:  # type: ignore[override]
        """One translation; the step stays within what is written."""
        found = self.run_of(self.state.config())
        with param.parameterized.discard_events(self.state):
            self.state.t = min(self.state.t, found.U)
        self.problem = ""
        return found

    @staticmethod
    def run_of(config: Wanted) -> Translation:  # type: ignore[override]
        return translate(config)

    def details(self) -> list[Detail]:
        return [Tree(self), Compare(self), Bottleneck(self)]

    # --- what the page holds ----------------------------------------------------------------

    def cards(self) -> list[dict[str, Any]]:
        return [
            {"title": "Reading and writing", "cls": "key", "steps": "t", "body": [
                *control_parts("text"), {"kind": "text", "id": "written", "cls": "plot-summary"}]},
            tree_card(), compare_card(), bottleneck_card(),
        ]  # fmt: skip

    def rail(self) -> list[dict[str, Any]]:
        return [
            {"title": "Model", "cls": "ctl", "items": control_parts("task", "attention", "temperature")},
            {"title": "Decoder", "cls": "ctl", "items": control_parts(
                "mode", "mix", "seed", "goal", "decoding", "beam")},
            {"title": "Selection", "cls": "ctl", "items": control_parts("t", "j", "notation")},
        ]  # fmt: skip

    # --- what it shows ----------------------------------------------------------------------

    def arrays(self) -> Arrays:
        trace = self.run.trace
        found = {
            "h": (trace.encoding.states, 0), "s": (trace.states, 0),
            "source": (self.source_codes(), 1), "output": (self.target_codes(self.run.outputs), 1),
            "read": (self.target_codes(trace.tokens), 1),
        }  # fmt: skip
        if trace.energies is None:
            return found
        return found | {"e": (trace.energies, 1), "alpha": (trace.weights, 1)}

    def source_codes(self) -> np.ndarray:
        """The source's characters as code points, a row each."""
        return np.array([[ord(character)] for character in self.run.config.text])

    def target_codes(self, tokens: np.ndarray) -> np.ndarray:
        """Target tokens as code points; START and END are none."""
        return np.array([[self.code_of(int(token))] for token in tokens])

    def code_of(self, token: int) -> int:
        model = self.run.model
        if token in (model.bos, model.eos):
            return START if token == model.bos else END
        return ord(self.run.task.decode_target([token]))

    def shown_state(self) -> dict[str, Any]:
        """The page's cursor counts decoder steps, and its unit is the selected source position."""
        shown = controls.shown_values(self.state)
        cursor = {"T": str(self.run.U), "unit": str(self.state.j - 1), "n": str(self.run.T)}
        return {**shown, "values": {**shown["values"], **cursor}}

    def select(self, node: Message) -> None:
        """A node of a diagram stands for a step, a source position, or both."""
        chosen = {key: node[key] for key in ("t", "j") if isinstance(node.get(key), int)}
        last = {"t": self.run.U, "j": self.run.T}
        self.state.apply({key: max(1, min(last[key], place)) for key, place in chosen.items()})

    def texts(self) -> dict[str, Any]:
        return {"written": written_words(self.run), "announcement": f"step {self.state.t} of {self.run.U}",
                "problem": phrase(self.problem)}  # fmt: skip
