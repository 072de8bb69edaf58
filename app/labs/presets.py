"""The presets of a lab as its page has them: links, and the sentence that the numbers of the chosen one bear out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..state import LabState
from ..words import Phrase, phrase


@dataclass(frozen=True)
class Presets:
    """Key -> what it is called, and key -> what it claims of what the lab hands over.

    `names` are labels in full, for those that are short because they are read beside their neighbours.
    """

    labels: Mapping[str, str]
    claims: Mapping[str, Callable[..., list[Any]]]
    names: Mapping[str, str] = field(default_factory=dict)

    def part(self) -> dict[str, Any]:
        """The part of a card that holds the links and the sentence."""
        links = [{"key": key, "label": label, "name": self.names.get(key)} for key, label in self.labels.items()]
        return {"kind": "presets", "links": links, "id": "claim"}

    def claim(self, state: LabState, *shown: Any) -> Phrase:
        """What is to be seen while every number is still as the preset set it; else nothing.

        The key "" is that of the lab as it starts, where it claims something.
        """
        told = self.claims.get(state.preset) if state.at_preset() else None
        return phrase(*told(*shown)) if told else []
