"""A figure as one SVG file: text as text, no script, no rule, nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement, tostring

from ... import theme as design
from .drawn import element, written
from .style import resolved

NAMESPACE = "http://www.w3.org/2000/svg"
#: Room around a diagram: its bands and halos reach over its box.
MARGIN = 16.0
FORMS = ("rect", "path", "circle")


@dataclass(frozen=True)
class Picture:
    """What is drawn and what is said of it: `draw` adds to a group whose origin is the picture's corner."""

    name: str
    lab: str
    width: float
    height: float
    title: str
    said: str
    draw: Callable[[Element], object]


def svg_text(picture: Picture, theme: str = "light", background: bool = True) -> str:
    """The file, in the colours of `light` or `dark`, with their ground behind it or with none."""
    width, height = picture.width + 2 * MARGIN, picture.height + 2 * MARGIN
    page = Element("div", {"class": f"rs lab-{picture.lab}"})
    root = SubElement(page, "svg", {"xmlns": NAMESPACE, "viewBox": f"0 0 {written(width)} {written(height)}",
                                    "width": written(width), "height": written(height), "role": "img",
                                    "font-family": str(design.tokens()["type"]["ui"]),
                                    "aria-labelledby": f"{picture.name}-title {picture.name}-desc"})  # fmt: skip
    SubElement(root, "title", {"id": f"{picture.name}-title"}).text = picture.title
    SubElement(root, "desc", {"id": f"{picture.name}-desc"}).text = picture.said
    if background:
        element(root, "rect", width=width, height=height, fill=design.color(theme, "surface"))
    group = element(root, "g", transform=f"translate({written(MARGIN)} {written(MARGIN)})")
    picture.draw(group)
    resolved(page, theme)
    prune(root)
    return tostring(root, encoding="unicode") + "\n"


def prune(root: Element) -> None:
    """Take out what paints nothing: rings that wait for a focus, groups that hold nothing."""
    for child in list(root):
        prune(child)
        unseen = child.tag in FORMS and child.get("fill") == "none" and not child.get("stroke")
        if unseen or (child.tag == "g" and not len(child)):
            root.remove(child)
        elif child.tag in FORMS and not child.get("stroke"):
            child.attrib.pop("stroke-width", None)
