"""The lab /seq2seq: one source, one target, and everything between them."""

from __future__ import annotations

from typing import Any

import numpy as np
import param
from rnnscope.core import weight_entropy

from ... import controls
from ...diagrams.seq2seq import seq2seq_scene
from ...plots.chart import Plot
from ...state import Seq2seqState
from ...state.seq2seq import SHIPPED, misfit
from ...translation import Translation, Wanted, translate
from ...url import Notice
from ...view import Arrays, Message
from ...words import phrase
from ..base import Lab, control_parts
from ..charts import shares_map
from ..detail import Detail
from . import attention
from .bottleneck import Bottleneck, bottleneck_card
from .compare import Compare, compare_card
from .presets import PRESETS
from .reach import CARD, ReachDetail
from .texts import facts, next_words, written_words
from .tree import Tree, tree_card

LEGEND = [
    {"label": "source", "cls": "inp", "role": "input"}, {"label": "state", "cls": "hid", "role": "hidden"},
    {"label": "output", "cls": "out", "role": "output"},
]  # fmt: skip
#: How a character is sent: its code point; what is no character has a number below 0.
START, END = -1, -2
#: Likeliest tokens that are listed.
TOP = 6


class Seq2seqLab(Lab):
    """A model of `rnnscope.app.weights`, read once a session; every key stroke is one `translate`."""

    NAME = "Seq2seq"
    TITLE = "Sequence to sequence, with and without attention"
    LEDE = "Type a source: one network reads it character by character, another writes the target from what it kept."
    COPIED_LEDE = "One network reads the source character by character, another writes the target from what it kept."
    State = Seq2seqState
    run: Translation  # type: ignore[assignment]
    state: Seq2seqState
    problem = ""

    def compute(self) -> Translation:  # type: ignore[override]
        """One translation; the step stays within what is written."""
        found = self.run_of(self.state.config())
        with param.parameterized.discard_events(self.state):
            self.state.t = min(self.state.t, found.U)
        return found

    @staticmethod
    def run_of(config: Wanted) -> Translation:  # type: ignore[override]
        return translate(config)

    # --- what the page holds ----------------------------------------------------------------

    def cards(self) -> list[dict[str, Any]]:
        return [
            {"title": "Reading and writing", "cls": "key", "steps": "output", "facts": "facts",
             "legend": LEGEND, "body": [{"kind": "typed", "key": "text"}, {"kind": "seq2seq", "scene": "seq2seq"}]},
            {"cls": "try", "body": [PRESETS.part()]},
            *attention.cards(), tree_card(), compare_card(), bottleneck_card(), CARD,
        ]  # fmt: skip

    def details(self) -> list[Detail]:
        return [ReachDetail(self), Tree(self), Compare(self), Bottleneck(self)]

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
            "h_norm": (norms(trace.encoding.states), 0), "s_norm": (norms(trace.states), 0),
            "p": (self.run.chosen_probabilities, 1), "L": (trace.loss, 1),
            "source": (self.source_codes(), 1), "output": (self.target_codes(self.run.outputs), 1),
            "read": (self.target_codes(trace.tokens), 1),
        }  # fmt: skip
        return found | self.next_tokens() | attention.arrays(self.run)

    def next_tokens(self) -> Arrays:
        """Probabilities of every next token, and the likeliest of each step in their order."""
        shares, tokens = self.run.probabilities, np.arange(len(self.run.model.E_target))
        order = np.argsort(-shares, axis=1, kind="stable")[:, :TOP]
        top = [[self.code_of(int(token)) for token in row] for row in order]
        return {
            "p_next": (shares, 1), "alphabet": (self.target_codes(tokens), 0), "top_token": (np.array(top), 1),
            "top_p": (np.take_along_axis(shares, order, axis=1), 1), "entropy": (weight_entropy(shares), 1),
        }  # fmt: skip

    def charts(self) -> dict[str, Plot]:
        run = self.run
        written = [self.token_name(int(token)) for token in run.outputs]
        alphabet = [self.token_name(token) for token in range(len(run.model.E_target))]
        drawn: dict[str, Plot] = {
            "next": shares_map("Probability of every next token", run.probabilities, written, alphabet, "p_next",
                               "token", "output"),
        }  # fmt: skip
        if run.trace.weights is not None:
            drawn["attention"] = shares_map("Attention weights", run.attended[1], written, list(run.config.text),
                                            "alpha", "source", "output")  # fmt: skip
        return drawn

    def token_name(self, token: int) -> str:
        """A target token as a character; START and END by name."""
        code = self.code_of(token)
        return {START: "start", END: "end"}.get(code) or chr(code)

    def scene_key(self) -> Any:
        run = self.run
        return (run.T, run.U, run.model.hidden_size, run.model.attention is None)

    def scenes(self) -> dict[str, Any]:
        size = (self.run.T, self.run.U, self.run.model.hidden_size, self.run.model.attention is not None)
        return {"seq2seq": {variant: seq2seq_scene(*size, variant) for variant in ("wide", "compact")}}

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
        kind = attention.BOTTLENECK if self.run.model.attention is None else attention.ATTENDS
        cursor = {"pattern": kind, "T": str(self.run.U), "unit": str(self.state.j - 1), "n": str(self.run.T)}
        return {**shown, "values": {**shown["values"], **cursor}}

    def select(self, node: Message) -> None:
        """A node of a diagram stands for a step, a source position, or both."""
        chosen = {key: node[key] for key in ("t", "j") if isinstance(node.get(key), int)}
        last = {"t": self.run.U, "j": self.run.T}
        self.state.apply({key: max(1, min(last[key], place)) for key, place in chosen.items()})

    def texts(self) -> dict[str, Any]:
        state, run = self.state, self.run
        return {
            "written": written_words(run), "facts": facts(run), "problem": phrase(self.problem) if self.problem else [],
            "announcement": f"step {state.t} of {run.U}",
            **next_words(run, state.t),
            "claim": PRESETS.claim(state, run),
            **attention.AttentionTexts(run, state.t, min(state.j, run.T), state.notation).all(),
        }  # fmt: skip

    # --- what is typed ------------------------------------------------------------------------

    def _set(self, texts: Any) -> None:
        """Of the source it is said beside the field, not as one notice a key stroke; of the target in a notice."""
        given = texts if isinstance(texts, dict) else {}
        refused = {key: why for key in ("text", "goal") if (why := self._refused(given, key))}
        why = refused.get("text", "")
        self.problem = f"{why[:1].upper()}{why[1:]} What is drawn is “{self.state.text}”." if why else ""
        if "goal" in refused:
            self._notices.append(Notice("goal", given["goal"], refused["goal"], "It stays as it was.").message)
        super()._set({key: text for key, text in given.items() if key not in refused})

    def _refused(self, given: dict[str, Any], key: str) -> str:
        """Why the model of the task cannot read a text; empty where it can, or where none is given."""
        wanted, task = given.get(key), given.get("task", self.state.task)
        return misfit(task, key, wanted) if isinstance(wanted, str) and task in SHIPPED else ""


def norms(vectors: np.ndarray) -> np.ndarray:
    return np.asarray(np.linalg.norm(vectors, axis=-1))
