"""What every lab offers to Python code: its arguments, the link of what it shows, its figures, itself in a cell."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

import panel as pn

from .. import arguments, notebook, url
from ..navigation import LABS
from ..plots import elements
from ..plots.chart import Plot
from ..state import LabState
from . import own


class PythonLab(pn.viewable.Viewer):
    """A lab as an object of a notebook or a program."""

    NAME: ClassVar[str]
    State: ClassVar[type[LabState]]
    state: Any

    @abstractmethod
    def charts(self) -> dict[str, Plot]:
        """The plots of the page by name, as data."""

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

    @property
    def figure_names(self) -> list[str]:
        """What `figure` takes."""
        return list(self.charts())

    def figure(self, name: str, theme: str | None = None) -> Any:
        """One plot of the page as HoloViews elements, of what is shown now.

        Parameters
        ----------
        name : one of `figure_names`
        theme : "light" or "dark"; None: that of the lab, else "light"

        Returns
        -------
        holoviews.Overlay or holoviews.Image
            Its dimensions are x, y and of an image z; on an axis of log₁₀ its numbers are logarithms.

        Raises
        ------
        ValueError
            For a name that there is not.
        ImportError
            Where HoloViews is not installed.
        """
        charts = self.charts()
        if name not in charts:
            known = f"it has {', '.join(charts)}" if charts else "it has none"
            raise ValueError(f"{type(self).__name__} has no figure {name!r}: {known}")
        found = elements.element(charts[name], theme or self.state.theme or "light")
        ip = notebook.shell()
        if ip is not None and notebook.has_page(ip):
            notebook.prepare_elements(ip, elements.load())
        return found

    def __repr__(self) -> str:
        own_arrays = "cell=…, xs=…" if self.state.given is not None else ""
        return f"{type(self).__name__}({own_arrays or (repr(self.query) if self.query else '')})"

    __str__ = __repr__

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        """The lab itself as the output of a notebook's cell; in a terminal its text."""
        ip = notebook.shell()
        if ip is not None and not notebook.has_page(ip):
            return {"text/plain": repr(self)}, {}
        if ip is not None:
            notebook.prepare(ip)
        return super()._repr_mimebundle_(include, exclude)
