"""A lab as the output of a notebook's cell: Jupyter by Panel's own comms, VS Code and Colab as an ipywidget.

The scripts of Bokeh and Panel go into the notebook out of the installed packages, so that nothing is asked of another
host: `pn.extension(inline=True)`, which need not be called by hand. Whoever calls `pn.extension` first has it as they
called it.
"""

from __future__ import annotations

import sys
from typing import Any

import panel as pn


def shell() -> Any:
    """The IPython shell that this runs in, or None."""
    found = sys.modules.get("IPython")
    return found.get_ipython() if found else None


def has_page(ip: Any) -> bool:
    """Whether a shell shows more than text: a kernel does, a terminal does not."""
    return getattr(ip, "kernel", None) is not None


def prepare(ip: Any) -> None:
    """Load what a lab needs into the notebook, once, and again where the cell that loaded it is run again.

    Its output, and the scripts with it, are then replaced: without them a reload of the page would show no lab.
    """
    cell = _cell(ip)
    if not _loaded() or (cell is not None and cell == getattr(ip, "_rnnscope_cell", None)):
        pn.extension(inline=True)
        ip._rnnscope_cell = cell


def _loaded() -> bool:
    """Whether Panel or HoloViews have loaded their scripts already."""
    holoviews = sys.modules.get("holoviews")
    return bool(pn.extension._loaded or (holoviews and getattr(holoviews.extension, "_loaded", False)))


def _cell(ip: Any) -> str | None:
    """The cell that is run; not every notebook says which."""
    try:
        metadata = ip.get_parent().get("metadata", {})
    except AttributeError:
        return None
    return metadata.get("cellId")
