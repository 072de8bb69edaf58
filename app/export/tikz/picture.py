"""A picture in TikZ as a person writes it: named nodes, named styles, a comment over each group of lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from .styles import LIBRARIES, STYLES, colours_of, needed

INDENT = "  "

HEAD = r"""% RNNScope, {address}
% {precision}
% pdflatex makes a page as large as the figure. For a document of your own take the lines from \usepackage to the
% last style into its preamble, and the tikzpicture to its place.
\documentclass{{article}}
{packages}
"""
PAGE = r"""
\begin{document}
\setbox0=\hbox{%
"""
# What the class standalone does, without it.
FOOT = r"""}
% The page: as large as the picture
\pdfhorigin=4pt
\pdfvorigin=4pt
\pdfpagewidth=\dimexpr\wd0+8pt\relax
\pdfpageheight=\dimexpr\ht0+\dp0+8pt\relax
\shipout\box0
\end{document}
"""


@dataclass
class Picture:
    """Lines of a `tikzpicture`, and what they need.

    Attributes
    ----------
    options : of the picture
    lines : in their order, without indent
    widths : of styles whose minimum width depends on what is drawn
    plotted : whether pgfplots draws it
    libraries : of TikZ, besides those of every picture
    """

    options: str = ""
    lines: list[str] = field(default_factory=list)
    widths: dict[str, str] = field(default_factory=dict)
    plotted: bool = False
    libraries: tuple[str, ...] = ()
    used: set[str] = field(default_factory=set)

    def group(self, title: str) -> None:
        """A comment over the lines that follow."""
        if self.lines:
            self.lines.append("")
        self.lines.append(f"% {title}")

    def node(self, style: str, name: str, body: str, at: str = "") -> None:
        """A node by name; `at` is a place, or options that place it beside another."""
        self.style(style)
        options, place = (style, f" at {at}") if at.startswith("(") else (", ".join(filter(None, [style, at])), "")
        named = f" ({name})" if name else ""
        self.lines.append(rf"\node[{options}]{named}{place} {{{body}}};")

    def draw(self, style: str, path: str) -> None:
        """A path in a style."""
        self.style(style)
        self.lines.append(rf"\draw[{style}] {path};")

    def label(self, style: str, body: str, at: str = "midway") -> str:
        """A node on a path, for its line."""
        self.style(style)
        return f"node[{style}] {{{body}}}" if at == "midway" else f"node[{style}, {at}] {{{body}}}"

    def style(self, options: str) -> None:
        """Say that styles are used: the names among some options."""
        self.used.update(name for name in (part.strip() for part in options.split(",")) if name in STYLES)


def document(picture: Picture, address: str, precision: str) -> str:
    """The whole file: what it is, packages, colours by role, styles, the picture, and a page as large as that."""
    styles = needed(picture.used)
    body = "\n".join(f"{INDENT}{line}".rstrip() for line in picture.lines)
    options = f"[{picture.options}]" if picture.options else ""
    drawn = f"\\begin{{tikzpicture}}{options}\n{body}\n\\end{{tikzpicture}}%\n"
    head = HEAD.format(address=address, precision=precision, packages=_packages(picture))
    parts = [head, *_colours(styles, body), *_styles(styles, picture.widths), PAGE, drawn, FOOT]
    return "".join(parts)


def _packages(picture: Picture) -> str:
    if picture.plotted:
        return f"\\usepackage{{pgfplots}}\n\\usetikzlibrary{{{', '.join(LIBRARIES)}}}\n\\pgfplotsset{{compat=1.16}}"
    return f"\\usepackage{{tikz}}\n\\usetikzlibrary{{{', '.join([*LIBRARIES, *picture.libraries])}}}"


def _colours(styles: list[str], body: str) -> Iterator[str]:
    """A definition for each colour that a style or a line names."""
    yield "\n% Colours by role\n"
    text = " ".join([*(STYLES[name] for name in styles), body])
    for name, value in colours_of(text).items():
        yield f"\\definecolor{{{name}}}{{HTML}}{{{value}}}\n"


def _styles(styles: list[str], widths: dict[str, str]) -> Iterator[str]:
    yield "\n\\tikzset{\n"
    for name in styles:
        definition = STYLES[name]
        if name in widths:
            definition = re.sub("minimum width=[^,]+", f"minimum width={widths[name]}", definition)
        yield f"{INDENT}{name}/.style={{{definition}}},\n"
    yield "}\n"
