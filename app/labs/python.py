"""What every lab offers to Python code: its arguments, and the link of what it shows."""

from __future__ import annotations

from typing import Any, ClassVar

import panel as pn

from .. import arguments, notebook, url
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

    def __repr__(self) -> str:
        own_arrays = "cell=…, xs=…" if self.state.given is not None else ""
        return f"{type(self).__name__}({own_arrays or (repr(self.query) if self.query else '')})"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        """The lab itself as the output of a notebook's cell; in a terminal its text."""
        ip = notebook.shell()
        if ip is not None and not notebook.has_page(ip):
            return {"text/plain": repr(self)}, {}
        if ip is not None:
            notebook.prepare(ip)
        return super()._repr_mimebundle_(include, exclude)
