"""What is chosen of the inside of one time step of a gated cell."""

from __future__ import annotations

from typing import ClassVar

import param

from .base import LabState, Operations


class InsideState(LabState):
    """A gated cell that can be stepped through from the inside; a lab gives the bounds and the gates of its own."""

    substep = param.Integer(0, bounds=(0, 21), label="Sub-step", doc="0 is the whole step at once")
    open = param.Selector(default="f", objects=["f", "i", "o", "g"], label="Opened layer", doc="its matrices are drawn")
    surgery = Operations(("f", "i", "o", "g"), label="Surgery", doc="gates clamped, weights cut, inputs changed")

    LOOKS: ClassVar[frozenset[str]] = LabState.LOOKS | {"substep", "open"}
