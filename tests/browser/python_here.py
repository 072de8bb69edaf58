"""What stands in for Python in WebAssembly, whose NumPy no package registry has: a page's worker asks this Python.

The lab is the real one, and so are the page, its worker and every message between them; only where Python runs differs.
"""

from __future__ import annotations

import json
import threading
from http.server import SimpleHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qsl

import rnnscope.app
from bokeh.core.serialization import Serializer
from bokeh.document import Document
from bokeh.embed.util import standalone_docs_json_and_render_items
from panel.io.convert import PYODIDE_VERSION
from panel.io.resources import set_resource_mode
from panel.io.state import set_curdoc, state
from rnnscope.app.site.static import local

#: A loader whose Python is reached by requests that wait for their answer, as a call of WebAssembly does.
LOADER = f"""
const version="{PYODIDE_VERSION.removeprefix("v")}";
const ask = (what, content) => {{
  const request = new XMLHttpRequest();
  request.open('POST', `python/${{what}}`, false);
  request.send(JSON.stringify(content));
  return request.responseText;
}};
let send = null;
const live = {{
  load() {{}},
  start: async (lab, search) => ask('start', {{ lab, search }}),
  link(given) {{ send = given; }},
  receive(patch) {{
    const answer = JSON.parse(ask('receive', patch));
    if (answer.events.length) send(answer, new Map());
  }},
}};
export const loadPyodide = async () => ({{ loadPackage: async () => {{}}, pyimport: () => live }});
"""


class PythonHere:
    """One lab, as `rnnscope.app.site.live` keeps it in a browser."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._document, self._events = Document(), []

    def start(self, content: dict[str, str]) -> dict[str, Any]:
        self._document, self._events = Document(), []
        with set_curdoc(self._document), set_resource_mode("cdn"):
            lab = getattr(rnnscope.app, content["lab"])(dict(parse_qsl(content["search"].lstrip("?"))))
            lab.view.server_doc(self._document, location=False)
            docs, _ = standalone_docs_json_and_render_items(self._document, suppress_callback_warning=True)
        self._document.on_change(self._changed)
        state._connected[self._document] = True  # as Panel's worker does, so that a hold ends in messages
        return {"docs": docs, "roots": [root.ref["id"] for root in self._document.roots]}

    def receive(self, patch: dict[str, Any]) -> dict[str, Any]:
        self._events = []
        with set_curdoc(self._document):
            state._thread_id = threading.get_ident()  # each request has a thread of its own, a browser's Python has one
            self._document.apply_json_patch(patch, setter="js")
        references = self._document.models.synced_references
        return {"events": Serializer(references=references, deferred=False).encode(self._events)}

    def _changed(self, event: Any) -> None:
        if event.setter != "js":
            self._events.append(event)

    def answer(self, what: str, content: dict[str, Any]) -> bytes:
        with self._lock:
            made = {"start": self.start, "receive": self.receive}[what](content)
            return local(json.dumps(made)).encode()


class WithPython(SimpleHTTPRequestHandler):
    """The files of a site, and its Python."""

    def __init__(self, *given: Any, python: PythonHere, **more: Any) -> None:
        self._python = python
        super().__init__(*given, **more)

    def do_POST(self) -> None:
        content = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body = self._python.answer(self.path.rpartition("/")[2], content)
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """No line a request."""
