"""Details: parts of a page that are computed at rest, when they are in view, so that no slider move waits for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from ..view import Arrays, Message

if TYPE_CHECKING:
    from .base import Lab


class Detail:
    """One part of a lab with numbers of its own.

    The page asks for it once nothing else waits and the part is in view; a change of the run makes it stale, and
    with `LOOKS` a change of the selection too.
    """

    NAME: ClassVar[str]
    LOOKS: ClassVar[bool] = False
    #: Whether a static copy holds its answers: not where they are large, or made while one waits.
    COPIED: ClassVar[bool] = True
    #: No card holds the part, and the page never asks for it: see `Told`.
    ONLY_TOLD: ClassVar[bool] = False

    def __init__(self, lab: Lab):
        self.lab: Any = lab

    def arrays(self) -> Arrays:
        """The numbers that the part paints, computed now."""
        return {}

    def texts(self) -> dict[str, Any]:
        """The part's sentences and tables; called after `arrays`."""
        return {}

    def draw(self) -> None:
        """Assign the numbers to Bokeh figures, where the part has any; called after `arrays`."""

    def told(self, message: Message) -> None:
        """Act on a message of the part. A change of the lab's state is answered as any other."""


class Told(Detail):
    """A part in no card: its texts answer what it was told last."""

    ONLY_TOLD: ClassVar[bool] = True

    def __init__(self, lab: Lab):
        super().__init__(lab)
        self._told: Message = {}

    def told(self, message: Message) -> None:
        self._told = message
