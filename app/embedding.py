"""A lab inside a page of somebody else: its link, and the lines to paste for each kind of page. No Panel."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any
from urllib.parse import unquote

from . import url
from .state import LabState

#: Follows the height of every lab of a page. A frame is told by its window, so that two labs cannot take each other's.
LISTENER = """\
<script>
// A lab says how high it is, and its frame follows. Once is enough, however many labs the page has.
addEventListener("message", ({ data, source }) => {
  if (data?.type !== "rnnscope:height") return;
  for (const frame of document.querySelectorAll("iframe")) {
    if (frame.contentWindow === source) frame.style.height = data.height + "px";
  }
});
</script>"""

#: The height of a frame before the lab has said its own.
START_HEIGHT = 800
LOWEST, HIGHEST = 100, 5000
#: A slide of reveal.js is 700 px high; a heading stands above the lab.
HIGHEST_ON_SLIDE = 600
LONGEST_TITLE = 200
LONGEST_ADDRESS = 2000
#: What Markdown would read as something else than a letter.
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>$#|~^&:@%!+=]|^-|(?<=^\d)[.)])")


@dataclass(frozen=True)
class Place:
    """What is embedded, and how its frame is called and how high it starts."""

    address: str
    query: str
    title: str
    height: int = START_HEIGHT

    @property
    def link(self) -> str:
        return f"{self.address}?{self.query}" if self.query else self.address


@dataclass(frozen=True)
class Snippet:
    """The lines for one kind of page; `note` says what else that page needs."""

    key: str
    name: str
    note: str
    code: str


def linked(state: LabState, texts: Mapping[str, Any]) -> str:
    """The query string of `state` with these settings in place of its own; an empty one is the default.

    Each is checked as in a link: raises `ValueError` where it is not accepted.
    """
    kind = type(state)
    given = {key: str(text) for key, text in texts.items() if key in state.names()}
    chosen = {key: url.check(kind, key, text) if text else kind.param[key].default for key, text in given.items()}
    other = kind()
    other.apply({**state.values_of(), **chosen})
    return url.write(other)


def height_of(text: object) -> int:
    """A height in CSS pixels; `ValueError` says what is accepted."""
    if not re.fullmatch(r"[0-9]{1,4}", str(text).strip()) or not LOWEST <= int(str(text)) <= HIGHEST:
        raise ValueError(f"The height is a whole number of pixels from {LOWEST} to {HIGHEST}.")
    return int(str(text))


def title_of(text: object) -> str:
    """The title of a frame on one line; a screen reader reads it, so there has to be one."""
    title = " ".join(str(text).split())
    if not 0 < len(title) <= LONGEST_TITLE:
        raise ValueError(f"The title has 1 to {LONGEST_TITLE} characters: a screen reader announces the frame by it.")
    return title


def address_of(text: object) -> str:
    """The address of a lab without its query; `ValueError` where it is none."""
    if not re.fullmatch(r"https?://[^\s?#\"'<>\\]+", str(text)) or len(str(text)) > LONGEST_ADDRESS:
        raise ValueError("The address of the lab is not one of http or https.")
    return str(text)


# --- the lines --------------------------------------------------------------------------------


def snippets(place: Place, served: bool = True) -> tuple[Snippet, ...]:
    """The lines for every kind of page; `server_document` only where there is a Bokeh server."""
    framed = f"{iframe(place)}\n{LISTENER}"
    indented = textwrap.indent(framed, "   ")
    script = (Snippet("server", "Bokeh server_document", _SERVER_NOTE, server_document(place)),) if served else ()
    return (
        Snippet("iframe", "HTML page", "Works from any page, without a setting of the labs’ server.", framed),
        *script,
        Snippet("quarto", "Quarto", "A raw block of HTML in a .qmd file.", f"```{{=html}}\n{framed}\n```"),
        Snippet("sphinx", "Sphinx", "In an .rst file.", f".. raw:: html\n\n{indented}"),
        Snippet("myst", "MyST, Jupyter Book 1", "In an .md file that Sphinx reads.", f"```{{raw}} html\n{framed}\n```"),
        Snippet("book", "Jupyter Book 2, mystmd", _BOOK_NOTE, book(place)),
        Snippet("reveal", "reveal.js", _REVEAL_NOTE, slide(place)),
    )


_SERVER_NOTE = (
    "No frame: the lab becomes a part of the page. Start the labs with "
    "rnnscope serve --allow-websocket-origin YOUR.PAGE'S.HOST, and write script into the page as it is."
)
_BOOK_NOTE = (
    "Its iframe directive has a height of its own, 60 % of the width, no title and no access to the clipboard; "
    "the lab scrolls inside."
)
_REVEAL_NOTE = (
    "A slide has a fixed height: the lab scrolls inside. It starts when its slide is shown, and again next time."
)


def iframe(place: Place, source: str = "src") -> str:
    """A frame that may write to the clipboard, and loads when it comes into view."""
    lazy = 'loading="lazy" ' if source == "src" else ""
    return (
        f'<iframe\n  {source}="{escape(place.link)}"\n  title="{escape(place.title)}"\n'
        f'  width="100%" height="{place.height}" style="border:0" {lazy}allow="clipboard-write"></iframe>'
    )


#: Panel loads its modules through a shim that has to be told so before it is there, or it warns on the console.
_MODULES = """modules = '<script type="esms-options">{"shimMode": true}</script>'\n"""


def server_document(place: Place) -> str:
    """The Python that makes the script tag; Bokeh takes the query apart from the address."""
    pairs = [pair.partition("=") for pair in place.query.split("&") if pair]
    arguments = "".join(f"    {key!r}: {unquote(text)!r},\n" for key, _, text in pairs)
    given = f", arguments={{\n{arguments}}}" if arguments else ""
    asked = f"server_document({place.address!r}{given})"
    return f"from bokeh.embed import server_document\n\n{_MODULES}script = modules + {asked}"


def book(place: Place) -> str:
    """The directive of mystmd; the title is the caption, as Markdown that means itself."""
    caption = _MARKDOWN.sub(r"\\\1", place.title)
    return f":::{{iframe}} {place.link}\n:width: 100%\n{caption}\n:::"


def slide(place: Place) -> str:
    """One slide; reveal.js loads the frame when the slide is shown."""
    low = Place(place.address, place.query, place.title, min(place.height, HIGHEST_ON_SLIDE))
    return f"<section>\n{textwrap.indent(iframe(low, 'data-src'), '  ')}\n</section>"
