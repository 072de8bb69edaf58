"""The pages of a site: each holds the whole lab as it starts, so that its numbers are there before Python is."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from bokeh.core.templates import MACROS
from bokeh.document import Document
from bokeh.embed.util import standalone_docs_json_and_render_items
from bokeh.protocol import Protocol
from markupsafe import Markup
from panel.io.resources import Resources, bundle_resources, set_resource_mode
from panel.io.state import set_curdoc

from .. import home, page
from ..navigation import lab_class
from .static import local


@dataclass(frozen=True)
class Start:
    """What every page of a site needs to start Python; `origin` is the host of Pyodide, where that is another one."""

    packages: tuple[str, ...]
    wheels: tuple[str, ...]
    megabytes: int
    origin: str = ""

    def policy(self) -> str:
        """The page's policy: what a worker imports counts as the page's script."""
        return page.POLICY.replace("script-src 'self'", f"script-src 'self' {self.origin}".rstrip())


def lab_classes() -> dict[str, str]:
    """Route -> the name of the lab's class in `rnnscope.app`, in the order of the navigation."""
    return {entry.route: lab_class(entry.route).__name__ for entry in page.LABS}


def file_of(route: str) -> str:
    return f"{route}.html"


def _navigation(routes: Sequence[str]) -> list[page.Entry]:
    return [page.Entry(entry.name, file_of(entry.route)) for entry in page.LABS if entry.route in routes]


def home_page(routes: Sequence[str]) -> str:
    """The list of the site's labs."""
    cards = [replace(card, route=file_of(card.route)) for card in home.cards() if card.route in routes]
    frame = {**page.shell("Home", home.TITLE, home.LEDE), "labs": _navigation(routes)}
    return page.template("home.html").render(frame, cards=cards)


def lab_page(route: str, routes: Sequence[str], start: Start) -> str:
    """A lab's page in its first state: its document, drawn by the page's own scripts, and what starts Python."""
    lab = lab_class(route)
    document = Document()
    with set_curdoc(document), set_resource_mode("cdn"):
        shown = lab()
        details = _details(shown)
        shown.view.server_doc(document, title=f"{lab.NAME} · RNNScope", location=False)
        docs, (item,) = standalone_docs_json_and_render_items(document, suppress_callback_warning=True)
        scripts = bundle_resources(document.roots, Resources(mode="cdn"))
        dark = _dark(shown, document)
    settings = {
        "lab": lab.__name__, "docs": docs, "items": [item.to_json()], "details": details, "dark": dark,
        "packages": start.packages, "wheels": start.wheels,
    }  # fmt: skip
    context: dict[str, Any] = {
        **page.shell(lab.NAME, lab.TITLE, lab.LEDE), "labs": _navigation(routes), "macros": MACROS,
        "policy": start.policy(),
        "needed": page.needed, "bokeh_js": scripts._render_js(), "roots": item.roots, "megabytes": start.megabytes,
        "settings": _inside_script(settings),
    }  # fmt: skip
    return local(page.template("site.html").render(context))


def _details(shown: Any) -> list[dict[str, str]]:
    """The answers for the parts that are computed at rest, which a page asks Python for once it is drawn."""
    first, answers = shown.view.frame, []
    for name in shown.view.layout["details"]:
        shown.push(name)
        frame = shown.view.frame
        answers.append({"json": frame["json"], "data": base64.b64encode(frame["data"].tobytes()).decode()})
    shown.view.frame = first
    return answers


def _dark(shown: Any, document: Document) -> Any:
    """What changes in the figures where a reader's theme is dark, as a patch of the document."""
    events: list[Any] = []
    document.on_change(events.append)
    shown.restyle("dark")
    return json.loads(Protocol().create("PATCH-DOC", events).content_json) if events else {"events": []}


def _inside_script(content: Any) -> Markup:
    """JSON that no text in it can end the script element of."""
    return Markup(json.dumps(content, ensure_ascii=False).replace("<", "\\u003c"))  # it is one element's whole text
