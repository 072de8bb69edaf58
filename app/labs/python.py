"""What every lab offers to Python code: its arguments, and the link of what it shows."""

from __future__ import annotations

from typing import Any, ClassVar

import panel as pn

from .. import arguments, url
from ..page import LABS
from ..state import LabState
from . import own


class PythonLab(pn.viewable.Viewer):
    """A lab as an object of a notebook or a program."""

    NAME: ClassVar[str]
    State: ClassVar[type[LabState]]
    state: Any

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "State" in cls.__dict__:
            arguments.describe(cls)

    @property
    def query(self) -> str:
        """The query string of what is shown; arrays of one's own are not in it."""
        return url.write(self.state)

    def link(self, base: str = "http://localhost:5006/") -> str:
        """The address of what is shown, at a server that has the labs under `base`.

        Raises
        ------
        ValueError
            Where the lab shows arrays of one's own, which no link can carry.
        """
        if self.state.given is not None:
            raise ValueError(f"{own.NO_LINK}: share the code that makes this {type(self).__name__}")
        route = next(entry.route for entry in LABS if entry.name == self.NAME)
        return f"{base.rstrip('/')}/{route}{'?' if self.query else ''}{self.query}"
