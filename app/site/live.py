"""A lab in the browser's own Python: what the site's worker calls. It can be imported there alone.

The imports stand inside: `panel.io.pyodide` wants pandas, to teach it to read addresses, and no lab reads a table. A
stand-in for the moment of the import saves a reader 7 MB and two seconds.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec
from typing import Any


@contextmanager
def _stand_in(name: str, *functions: str) -> Iterator[None]:
    module = module_from_spec(ModuleSpec(name, None))
    for function in functions:
        setattr(module, function, None)
    sys.modules[name] = module
    try:
        yield
    finally:
        del sys.modules[name]


def load() -> None:
    """Load Panel: most of the time that a page takes to start."""
    with _stand_in("pandas", "read_csv", "read_json"):
        import panel  # noqa: F401


async def start(lab: str, search: str) -> str:
    """Make the lab in the state of the query string; return its document and its roots as JSON."""
    from panel.io.pyodide import init_doc, write_doc
    from panel.io.state import state

    from ... import app
    from .static import local

    init_doc()
    shown = getattr(app, lab)(search)
    shown.view.server_doc(state.curdoc, location=False)
    docs, _, roots = await write_doc()
    return json.dumps({"docs": json.loads(local(docs)), "roots": json.loads(roots)})


def link(send: Callable[..., Any]) -> None:
    """Call `send(patch, buffers, _)` with what Python changes from now on; the page has what was changed before."""
    from panel.io.pyodide import _link_docs_worker
    from panel.io.state import state

    state.curdoc.unhold()
    _link_docs_worker(state.curdoc, send, setter="js")


def receive(patch: Any) -> None:
    """Take a message of the page."""
    from panel.io.pyodide import _convert_json_patch
    from panel.io.state import state

    state.curdoc.apply_json_patch(_convert_json_patch(patch), setter="js")
