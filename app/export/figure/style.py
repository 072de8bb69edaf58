"""The pages' style sheet on a picture that has none: every look as an attribute, so that it is the same everywhere.

`resolved(root, theme)` takes an ElementTree whose elements carry the classes of the pages and returns it with
presentation attributes alone: no class but `readout`, no variable, no rule. What is hidden is taken out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from xml.etree.ElementTree import Element

from ... import theme as design
from .extra import needed

#: Presentation attributes of SVG that the pages' rules set and that a child takes over.
INHERITED = (
    "fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "stroke-opacity",
    "font-family", "font-size", "font-style", "font-weight", "text-anchor", "visibility", "color",
)  # fmt: skip
#: And those that hold for the element alone.
OWN = ("opacity", "fill-opacity", "display")
PROPERTIES = frozenset([*INHERITED, *OWN])
#: What SVG itself starts from.
INITIAL = {
    "fill": "#000000", "stroke": "none", "stroke-width": "1", "stroke-dasharray": "none", "stroke-linecap": "butt",
    "stroke-linejoin": "miter", "stroke-opacity": "1", "font-style": "normal", "font-weight": "400",
    "text-anchor": "start", "visibility": "visible", "opacity": "1", "fill-opacity": "1",
    "display": "inline",
}  # fmt: skip
_NOT_DRAWN = ("color", "visibility", "display")
_TEXT = ("text", "tspan")
_MIX = re.compile(r"color-mix\(in srgb,\s*(#\w{6})\s+([\d.]+)%,\s*(#\w{6})\)")

Rules = list[tuple[str, str, bool]]


@dataclass(frozen=True)
class Looks:
    """What an element looks like: its properties, and its variables."""

    properties: Mapping[str, str] = field(default_factory=lambda: dict(INITIAL))
    variables: Mapping[str, str] = field(default_factory=dict)


def resolved(root: Element, theme: str) -> Element:
    """The tree with the looks of `light` or `dark`; `root` is the page around the picture, of class `rs`."""
    if theme == "dark":
        root.set("data-theme", "dark")
    _resolve(needed("cssselect2", "a figure").ElementWrapper.from_xml_root(root), Looks())
    return root


def _resolve(wrapper: Any, around: Looks) -> bool:
    """Give an element and all in it their looks; False where it is hidden."""
    looks = _looks_of(wrapper, around)
    if looks.properties["display"] == "none" or looks.properties["visibility"] == "hidden":
        return False
    hidden = [child.etree_element for child in wrapper.iter_children() if not _resolve(child, looks)]
    for child in hidden:
        wrapper.etree_element.remove(child)
    _write(wrapper.etree_element, looks.properties, around.properties)
    return True


def _looks_of(wrapper: Any, around: Looks) -> Looks:
    element = wrapper.etree_element
    declared = _declared(wrapper)
    variables = {**around.variables, **{name: text for name, text in declared.items() if name.startswith("--")}}
    given = {name: element.get(name) for name in PROPERTIES if element.get(name) is not None}
    own = {**given, **{name: text for name, text in declared.items() if name in PROPERTIES}}
    kept = {name: around.properties[name] for name in INHERITED if name in around.properties}
    base = {**{name: INITIAL[name] for name in OWN}, **kept}
    for name, text in own.items():
        value = _value(str(text), variables)
        base[name] = base.get("color", "#000000") if value == "currentColor" else value
    return Looks(base, variables)


def _declared(wrapper: Any) -> dict[str, str]:
    """Property -> text, as the cascade has it: importance, specificity, order."""
    found: list[tuple[tuple[Any, ...], str, str]] = []
    for specificity, order, _, rules in _matcher().match(wrapper):
        found += [((important, specificity, order), name, text) for name, text, important in rules]
    return {name: text for _, name, text in sorted(found, key=lambda own: own[0])}


def _value(text: str, variables: Mapping[str, str]) -> str:
    """A value with its variables put in, its colours mixed, its pixels plain."""
    text = re.sub(r"var\((--[\w-]+)\)", lambda found: _value(variables.get(found[1], "none"), variables), text)
    text = _MIX.sub(lambda found: mixed(found[1], float(found[2]) / 100, found[3]), text)
    return re.sub(r"(?<=\d)px\b", "", re.sub(r"(?<![\d\w])\.(?=\d)", "0.", text.strip()))


def mixed(one: str, share: float, other: str) -> str:
    """A share of one colour, the rest of another, as `color-mix` has it in sRGB."""
    pairs = ((int(one[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02X}" for a, b in pairs)


# --- what is written -------------------------------------------------------------------------


def _write(element: Element, looks: Mapping[str, str], around: Mapping[str, str]) -> None:
    """The properties in which an element differs from what is around it, in place of its classes."""
    for name in PROPERTIES:
        element.attrib.pop(name, None)
    for name in _names(element):
        before = around.get(name, INITIAL.get(name)) if name in INHERITED else INITIAL[name]
        if name in looks and looks[name] != before:
            element.set(name, looks[name])
    classes = element.attrib.pop("class", "").split()
    if "readout" in classes:
        element.set("class", "readout")


def _names(element: Element) -> Iterator[str]:
    """What an element is told: a shape nothing of fonts, a text no outline, which programs for slides put over it."""
    text, group = element.tag in _TEXT, len(element) > 0
    for name in (*INHERITED, *OWN):
        unused = name.startswith("stroke") if text else name.startswith(("font", "text")) and not group
        if name not in _NOT_DRAWN and not unused:
            yield name


# --- the style sheet -------------------------------------------------------------------------


@cache
def _matcher() -> Any:
    """Every rule of the pages that holds at any width and that a picture can have."""
    tinycss2, cssselect2 = (needed(name, "a figure") for name in ("tinycss2", "cssselect2"))
    matcher = cssselect2.Matcher()
    for rule in tinycss2.parse_stylesheet(design.stylesheet(), skip_comments=True, skip_whitespace=True):
        declarations = _declarations(rule) if rule.type == "qualified-rule" else []
        for selector in _selectors(rule.prelude) if declarations else ():
            matcher.add_selector(selector, declarations)
    return matcher


def _declarations(rule: Any) -> Rules:
    tinycss2 = needed("tinycss2", "a figure")
    found = tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True)
    written = [(own.name, tinycss2.serialize(own.value).strip(), own.important) for own in found
               if own.type == "declaration"]  # fmt: skip
    return [own for own in written if own[0] in PROPERTIES or own[0].startswith("--")]


def _selectors(prelude: Any) -> Iterator[Any]:
    """The selectors of a rule one by one; what only a page with a pointer and a focus has is none."""
    tinycss2, cssselect2 = (needed(name, "a figure") for name in ("tinycss2", "cssselect2"))
    for text in _listed(tinycss2.serialize(prelude)):
        try:
            yield from cssselect2.compile_selector_list(text)
        except cssselect2.SelectorError:
            continue


def _listed(text: str) -> list[str]:
    """A selector list at its commas outside brackets."""
    return [part.strip() for part in re.split(r",(?![^()]*\))", text)]
