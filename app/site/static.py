"""Scripts and styles that Bokeh and Panel name on their CDNs, as files of the site."""

from __future__ import annotations

import re

from panel.io.resources import CDN_DIST

#: Where they stand in the site.
PANEL, BOKEH = "static/panel/", "static/bokeh/"
BOKEH_CDN = "https://cdn.bokeh.org/bokeh/release/"


def local(text: str) -> str:
    """A page, or a document as JSON, that names the site's own files."""
    return text.replace(CDN_DIST, PANEL).replace(BOKEH_CDN, BOKEH)


def named(text: str) -> set[str]:
    """The files of Bokeh and Panel that a local page names."""
    return set(re.findall(rf"(?:{PANEL}|{BOKEH})[^\"'\\\s<>)&]+\.(?:js|css)", text))
