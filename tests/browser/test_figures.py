"""A figure, opened by itself, looks as the diagram of the page in that state: same texts, places, fonts, colours."""

import base64
import re
from collections import Counter
from urllib.parse import parse_qsl
from xml.etree import ElementTree

import pytest
from PIL import Image
from rnnscope.app import snapshot, url
from rnnscope.app.export.figure.catalog import figures_of, lab_of, picture
from rnnscope.app.export.figure.svg import svg_text

from tests.browser.pages import button

#: Lab, a state of it that shows as much as one state can, and its diagrams.
STATES = [
    ("unfold", "theme=dark&n=2&t=4", ["folded", "unfolded", "contributions"]),
    ("bptt", "truncate=2&moment=25", ["loom", "matrix"]),
    ("lstm", "surgery=f:1,cut@5,x@5:0.3&unit=2", ["lstm"]),
    ("gru", "substep=6&n=3", ["gru"]),
    ("bidirectional", "theme=dark&change=3:0.8&t=4", ["both"]),
    ("seq2seq", "t=6&j=3&text=3+may+1999&goal=1999-05-04&mode=forced", ["seq2seq"]),
]

#: Figure -> where it stands on the page, if not in a drawing of its name: the matrix lies on the page in three layers.
PLACES = {"matrix": ".loom-cells"}

#: What of a picture can be seen: each text with its place and looks, each shape with its geometry and looks. Numbers
#: are rounded as a file has them, then once more; Chromium has a mixed colour as numbers from 0 to 1.
SEEN = r"""
(svg) => {
  const decimal = /-?\d*\.\d+(e-?\d+)?/g, mixed = /color\(srgb ([\d.]+) ([\d.]+) ([\d.]+)\)/;
  const tenth = (number) => String(Math.round(Number(number).toFixed(2) * 10) / 10);
  const round = (text) => String(text).replace(decimal, tenth);
  const byte = (part) => Math.round(part * 255);
  const colour = (text) => text.replace(mixed, (all, r, g, b) => `rgb(${byte(r)}, ${byte(g)}, ${byte(b)})`);
  const shown = (element) => {
    const hidden = getComputedStyle(element).display === 'none';
    return !hidden && (element === svg || shown(element.parentElement));
  };
  const visible = (element) => getComputedStyle(element).visibility === 'visible' && shown(element);
  const paints = ({ fill, stroke }) => fill !== 'none' || stroke !== 'none';
  const extended = (shape) => {
    const { width, height } = shape.getBBox();
    return shape.tagName === 'rect' ? width * height > 0 : width + height > 0;
  };
  const number = ({ dataset: { symbol, t, unit, value } }) => (value ? `${symbol} ${t} ${unit} ${Number(value)}` : '');
  const run = (node) => {
    const of = node.parentElement, looks = getComputedStyle(of), font = [looks.fontFamily, round(looks.fontSize)];
    return [node.data, number(of), colour(looks.fill), ...font, looks.fontStyle, looks.fontWeight].join(' ');
  };
  const runs = (text) => {
    const walk = document.createTreeWalker(text, NodeFilter.SHOW_TEXT), found = [];
    while (walk.nextNode()) if (walk.currentNode.data.trim()) found.push(run(walk.currentNode));
    return found;
  };
  const written = [...svg.querySelectorAll('text')].filter((text) => text.textContent.trim());
  const texts = written.filter(visible).map((text) => {
    const place = ['x', 'y'].map((name) => round(text.getAttribute(name) ?? 0));
    return [...place, getComputedStyle(text).textAnchor, ...runs(text)].join(' | ');
  });
  const geometry = ['x', 'y', 'width', 'height', 'rx', 'cx', 'cy', 'r', 'd'];
  const shapes = [...svg.querySelectorAll('rect, circle, path')].filter(visible).filter(extended).map((shape) => {
    const looks = getComputedStyle(shape), drawn = looks.stroke !== 'none';
    const line = drawn ? [looks.strokeWidth, looks.strokeDasharray, looks.strokeLinecap, looks.strokeOpacity] : [];
    const place = geometry.map((name) => round(shape.getAttribute(name) ?? ''));
    const seen = [colour(looks.fill), colour(looks.stroke), ...line.map(round), round(looks.opacity)];
    return paints(looks) ? [shape.tagName, ...place, ...seen].join(' ') : '';
  });
  return { texts, shapes: shapes.filter(Boolean) };
}
"""


@pytest.mark.parametrize(("route", "query", "names"), STATES, ids=[route for route, _, _ in STATES])
def test_a_figure_looks_as_the_diagram_of_the_page(visit, page, route, query, names):
    keys = dict(parse_qsl(query))
    values, _ = url.read(snapshot.STATES[route], keys)
    found = figures_of(lab_of(snapshot.state_of(route, values), route), route)
    theme = keys.get("theme", "light")
    visit(route, query if "theme" in keys else f"{query}&theme=light")
    live = {name: page.locator(PLACES.get(name, f"svg.fig#{name}")).evaluate(SEEN) for name in names}
    for name in names:
        svg = svg_text(picture(found[name]), theme, background=False)
        page.goto(f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}")
        alone = page.locator("svg").evaluate(SEEN)
        for kind in ("texts", "shapes"):
            here, there = Counter(alone[kind]), Counter(live[name][kind])
            assert (sorted(there - here), sorted(here - there)) == ([], []), f"{kind} of {name}"


# --- saved from the page ---------------------------------------------------------------------

SAVED = [("unfold", ["folded", "unfolded"]), ("bptt", ["loom", "matrix"]), ("lstm", ["lstm"])]


def saved(page, form):
    """The file that a button of the main card gives."""
    with page.expect_download() as waiting:
        button(page, f"Save the picture as {form}").click()
    return waiting.value


@pytest.mark.parametrize(("lab", "names"), SAVED, ids=[lab for lab, _ in SAVED])
def test_a_picture_saved_from_the_page_looks_as_the_page(visit, page, lab, names):
    visit(lab, "theme=dark")
    live = [page.locator(PLACES.get(name, f"svg.fig#{name}")).evaluate(SEEN) for name in names]
    svg, png = saved(page, "SVG"), saved(page, "PNG")
    assert (svg.suggested_filename, png.suggested_filename) == (f"{lab}.svg", f"{lab}.png")
    text = svg.path().read_text("utf-8")
    root = ElementTree.fromstring(text)
    assert not re.search(r"var\(|url\(|color|<style|<script|href| on\w+=", text)
    assert {element.get("class") for element in root.iter()} <= {None, "readout"}
    with Image.open(png.path()) as picture:
        assert picture.size == (2 * int(root.get("width")), 2 * int(root.get("height")))
        assert len(picture.convert("RGB").getcolors(1_000_000)) > 100
    page.goto(f"data:image/svg+xml;base64,{base64.b64encode(text.encode()).decode()}")
    page.locator("svg > rect").evaluate("(ground) => ground.remove()")
    alone = page.locator("svg").evaluate(SEEN)
    for kind in ("texts", "shapes"):
        here, there = Counter(alone[kind]), sum((Counter(one[kind]) for one in live), Counter())
        assert (sorted(there - here), sorted(here - there)) == ([], []), kind
