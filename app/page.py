"""The HTML around a lab: header, navigation, heading; and the scripts that a lab needs, no others."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

import jinja2
import panel as pn
from markupsafe import Markup

from . import icons, network, theme, url
from .navigation import LABS, Entry

if TYPE_CHECKING:
    from .labs.base import Lab

#: Scripts and styles in Panel's bundle that no lab uses (tables of Tabulator, WebGL): 700 kB.
_UNUSED = re.compile(r"<(script|link)[^>]*(bokeh-gl|tabulator|luxon|apple-touch-icon)[^>]*>(</script>)?")
#: Bokeh's remark on its log level, which would run before a deferred Bokeh is there.
_LOG_LEVEL = re.compile(r"<script[^>]*>\s*Bokeh\.set_log_level\([^)]*\);\s*</script>")

#: Nothing from elsewhere, no eval. `blob:` is how Panel loads a component's module.
POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' blob:; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self' blob: data: ws: wss:; img-src 'self' data: blob:; font-src 'self' data:; "
    "object-src 'none'; base-uri 'none'; form-action 'none'"
)


TEMPLATES = ("page.html", "home.html", "site.html", "static.html")


@cache
def template(name: str = "page.html") -> jinja2.Template:
    loader = jinja2.DictLoader({file: (theme.ASSETS / file).read_text("utf-8") for file in TEMPLATES})
    return jinja2.Environment(loader=loader, autoescape=True).get_template(name)


def shell(name: str, title: str, lede: str, chosen_theme: str = "", embed: bool = False) -> dict[str, Any]:
    """What page.html needs, whatever it holds."""
    return {
        "name": name, "heading": title, "lede": lede, "theme": chosen_theme, "embed": embed,
        "labs": LABS, "root": "./", "policy": POLICY, "css": Markup(theme.stylesheet()),
        "logo": Markup(icons.LOGO), "icon": icons.FAVICON,
        "icons": {key: Markup(value) for key, value in icons.ICONS.items()},
    }  # fmt: skip


def needed(bundle: str) -> Markup:
    """Bokeh's and Panel's script tags without those that no lab uses, deferred: the heading is painted first."""
    kept = _LOG_LEVEL.sub("", _UNUSED.sub("", bundle))
    return Markup(kept.replace('<script type="text/javascript" src=', "<script defer src="))


def serve(lab: type[Lab]) -> None:
    """Make `lab` this session's page, in the state of the query string: all that a page script does."""
    document = pn.state.curdoc
    arguments = document.session_context.request.arguments if document.session_context else {}
    query = url.query_from_arguments(arguments)
    shown = lab(query=query)
    if "bokeh-autoload-element" in query:
        _serve_elsewhere(shown, document, query.get("bokeh-absolute-url", ""))
    shown.view.server_doc(document, title=f"{lab.NAME} · RNNScope", location=False)
    document.config.notify_connection_status = False
    document.template = template()
    state = shown.state
    document.template_variables.update(shell(lab.NAME, lab.TITLE, lab.LEDE, state.theme, state.embed))
    document.template_variables["needed"] = needed


def _serve_elsewhere(shown: Lab, document: Any, address: str) -> None:
    """For a page that takes the lab in by script: links lead here, and Panel's styles are taken from here, no CDN."""
    shown.view.layout = {**shown.view.layout, "address": address}
    document.template_variables["dist_url"] = f"{address.rpartition('/')[0]}/static/extensions/panel/"


__all__ = ["LABS", "POLICY", "Entry", "needed", "network", "serve", "shell", "template"]
