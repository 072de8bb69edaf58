"""What is chosen on /seq2seq."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, ClassVar

import param
from rnnscope.core import NOTATIONS
from rnnscope.core.training import TASKS

from ..translation import Wanted
from .base import LabState

ATTENTIONS = ("none", "additive", "dot", "general", "concat")
#: A task's models that ship; of the others only these.
SHIPPED = {"dates": ATTENTIONS, "reversal": ("none", "additive")}
#: What each task starts from.
TEXTS = {"dates": "3 march 2024", "reversal": "cabbage"}
#: Longer than any model reads: what a model reads is said by its task.
LONGEST = 1000

KEYS = (
    "preset", "task", "attention", "text", "goal", "mode", "mix", "seed", "decoding", "beam", "tree", "temperature",
    "t", "j", "notation", "theme", "embed", "lock", "hide",
)  # fmt: skip


class Seq2seqState(LabState):
    """A trained encoder-decoder, a source that is typed, and how its target is written."""

    task = param.Selector(default="dates", objects=list(SHIPPED), label="Task")
    attention = param.Selector(default="additive", objects=list(ATTENTIONS), label="Attention")
    text = param.String(TEXTS["dates"], label="Source", doc="what the encoder reads, character by character")
    goal = param.String("", label="Target to force", doc="empty: the right answer to the source, where there is one")
    mode = param.Selector(default="free", objects=["forced", "free", "mixed"], label="The decoder reads")
    mix = param.Number(0.5, bounds=(0, 1), step=0.01, label="Share of the target", doc="probability of each step")
    seed = param.Integer(0, bounds=(0, 2**32 - 1), label="Seed", doc="of the mixture's draw")
    decoding = param.Selector(default="beam", objects=["greedy", "beam"], label="Decoding")
    beam = param.Integer(4, bounds=(1, 8), label="Beam width")
    tree = param.Selector(default="whole", objects=["whole", "grown"], label="The tree")
    temperature = param.Number(
        1.0, bounds=(0.1, 5), step=0.01, label="Temperature $τ$ of the scores", doc="the model was trained at 1"
    )
    t = param.Integer(1, bounds=(1, 100), label="Output step $t$")
    j = param.Integer(1, bounds=(1, LONGEST), label="Source position $j$", doc="counted from 1, as steps are")
    notation = param.Selector(default="goodfellow", objects=list(NOTATIONS), label="Notation")
    T = param.Integer(1, bounds=(0, LONGEST), label="Source length $T$")

    PRESETS: ClassVar[dict[str, dict[str, Any]]] = {
        "month-by-name": {"text": "Donnerstag, 10. September 1998", "t": 6, "j": 19},
        "bottleneck": {"task": "reversal", "text": "abcdefghabcdefgh", "attention": "none", "t": 5},
        "same-with-attention": {"task": "reversal", "text": "abcdefghabcdefgh", "t": 5, "j": 12},
        "greedy-misses": {"task": "reversal", "attention": "none", "text": "dedefcceaecagb"},
        "not-a-date": {"text": "hello"},
        "wrong-year-forced": {"text": "3 march 2024", "goal": "1999-03-03", "mode": "forced"},
    }
    LOOKS: ClassVar[frozenset[str]] = LabState.LOOKS | {"j", "tree"}
    FOLLOWED: ClassVar[tuple[str, ...]] = ("t", "j", "tree")
    SETTINGS: ClassVar[frozenset[str]] = LabState.SETTINGS - {"cell"}
    SEGMENTS: ClassVar[frozenset[str]] = frozenset({"mode", "decoding", "task", "tree"})

    @classmethod
    def names(cls) -> list[str]:
        return list(KEYS)

    @classmethod
    def limits(cls, values: dict[str, Any]) -> dict[str, int]:
        """The last step is known once the decoder has run; the lab bounds it."""
        return {"j": max(1, len(values["text"]))}

    @classmethod
    def kind_of(cls, values: dict[str, Any]) -> str:
        return "text"

    def kind(self) -> str:
        return "text"

    @classmethod
    def misfits(cls, values: dict[str, Any]) -> list[tuple[str, str, str]]:
        """Texts that the task's model cannot read, and an attention that it was not trained with."""
        task = values["task"]
        found = [(key, values[key], why) for key in ("text", "goal") if (why := misfit(task, key, values[key]))]
        if values["attention"] not in SHIPPED[task]:
            found.append(("attention", values["attention"], f"for {task} it takes {' or '.join(SHIPPED[task])}."))
        return found

    @classmethod
    def usual(cls, values: dict[str, Any]) -> dict[str, Any]:
        return {"text": TEXTS[values["task"]]}

    def apply(self, changes: dict[str, Any]) -> None:
        """Another task brings a text of its own and forgets what was to be forced."""
        if changes.get("task", self.task) != self.task:
            changes = {"goal": "", **self.usual(changes), **changes}
        super().apply(changes)

    def settle(self) -> None:
        """A position is one of the text, an attention one that the task's models have."""
        self._agree(
            j=min(self.j, max(1, len(self.text))),
            attention=self.attention if self.attention in SHIPPED[self.task] else "additive",
        )

    def control_settings(self) -> dict[str, dict[str, Any]]:
        mixed, written = self.mode == "mixed", self.mode == "free"
        return {
            "mix": {"gone": not mixed},
            "seed": {"gone": not mixed},
            "decoding": {"gone": not written},
            "temperature": {"gone": self.attention == "none"},
            "j": {"max": max(1, len(self.text))},
        }

    def config(self) -> Wanted:  # type: ignore[override]
        return Wanted(**{item.name: getattr(self, item.name) for item in fields(Wanted)})


def misfit(task: str, key: str, text: str) -> str:
    """Why the task's model cannot read a text: what is accepted; empty where it can."""
    of = TASKS[task]
    alphabet, longest = (
        (of.source_alphabet, of.source_limit) if key == "text" else (of.target_alphabet, of.target_limit - 1)
    )
    if key == "text" and not text:
        return "it is empty; type at least one character."
    strange = next((own for own in text if (own.lower() if key == "text" else own) not in alphabet), None)
    if strange is not None:
        return f"the model for {task} does not know the character “{strange}”; it knows {alphabet_words(alphabet)}."
    return f"it has {len(text)} characters; the model for {task} takes up to {longest}." if len(text) > longest else ""


def alphabet_words(alphabet: str) -> str:
    """An alphabet in words: three or more in a row by their ends, a space by its name."""
    runs: list[str] = []
    for character in sorted(alphabet, key=lambda c: (not c.isalnum(), c)):
        if runs and ord(character) == ord(runs[-1][-1]) + 1 and character.isalnum():
            runs[-1] += character
        else:
            runs.append(character)
    named = [f"{run[0]}–{run[-1]}" if len(run) > 2 else "the space" if run == " " else run for run in runs]
    return " ".join(named)
