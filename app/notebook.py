"""A lab as the output of a notebook's cell: Jupyter by Panel's own comms, VS Code and Colab as an ipywidget.

The scripts of Bokeh and Panel go into the notebook out of the installed packages, so that nothing is asked of another
host: `pn.extension(inline=True)`, which need not be called by hand. Whoever calls `pn.extension` first has it as they
called it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import panel as pn


def shell() -> Any:
    """The IPython shell that this runs in, or None."""
    loaded = sys.modules.get("IPython")
    return loaded.get_ipython() if loaded else None


def has_page(ip: Any) -> bool:
    """Whether a shell shows more than text: a kernel does, a terminal does not."""
    return getattr(ip, "kernel", None) is not None


def prepare(ip: Any) -> None:
    """Load what a lab needs into the notebook, once, and again where the cell that loaded it is run again.

    Its output, and the scripts with it, are then replaced: without them a reload of the page would show no lab.
    """
    holoviews = sys.modules.get("holoviews")
    loaded = pn.extension._loaded or (holoviews is not None and holoviews.extension._loaded)
    _load(ip, "lab", loaded, lambda: pn.extension(inline=True))


def prepare_elements(ip: Any, hv: Any) -> None:
    """The same for HoloViews elements, which a notebook shows once their extension is loaded."""
    _load(ip, "figure", hv.extension._loaded, lambda: hv.extension("bokeh", inline=True, logo=False))


def _load(ip: Any, what: str, loaded: bool, load: Callable[[], object]) -> None:
    cell, key = _cell(ip), f"_rnnscope_{what}_cell"
    if not loaded or (cell is not None and cell == getattr(ip, key, None)):
        load()
        setattr(ip, key, cell)


def _cell(ip: Any) -> str | None:
    """The cell that is run; not every notebook says which."""
    try:
        metadata = ip.get_parent().get("metadata", {})
    except AttributeError:
        return None
    return metadata.get("cellId")
