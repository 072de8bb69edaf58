"""A lab in whose place another run is explained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rnnscope.core import Run


@dataclass(frozen=True)
class StandIn:
    """A lab as it would be with this run, which no surgery has touched."""

    lab: Any
    run: Run
    operated: None = None

    @property
    def NAME(self) -> str:
        name: str = self.lab.NAME
        return name

    @property
    def state(self) -> Any:
        return self.lab.state

    @property
    def untouched(self) -> Run:
        return self.run

    def is_cut(self, _: int) -> bool:
        return False
