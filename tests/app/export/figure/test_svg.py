"""Every figure of every lab as SVG: well-formed, by itself, with nothing in it that runs or that is elsewhere."""

import re
from xml.etree import ElementTree

import pytest
from rnnscope.app import theme
from rnnscope.app.export.figure.catalog import LABS, picture
from rnnscope.app.export.figure.svg import NAMESPACE, svg_text

ALLOWED = {"svg", "g", "title", "desc", "rect", "circle", "path", "text", "tspan"}
GENERIC = ("sans-serif", "serif")


@pytest.fixture(scope="module")
def drawings(figures):
    """Every figure of a lab in both drawings, as the text of its file."""

    def draw(lab, name="light"):
        return {(figure, variant): svg_text(picture(found, variant), name) for variant in ("wide", "compact")
                for figure, found in figures(lab, variant=variant).items()}  # fmt: skip

    return draw


@pytest.mark.parametrize("lab", LABS)
def test_a_figure_is_by_itself(drawings, lab):
    for key, svg in drawings(lab).items():
        root = ElementTree.fromstring(svg)
        tags = {element.tag.removeprefix(f"{{{NAMESPACE}}}") for element in root.iter()}
        assert tags <= ALLOWED, key
        assert not [name for element in root.iter() for name in element.attrib if name.startswith("on")]
        assert not re.search(r"var\(|url\(|color-mix|calc\(|href|@|<style|javascript:", svg), key
        assert svg.count("http") == 1  # the namespace
        families = {element.get("font-family") for element in root.iter()} - {None}
        assert all(family.endswith(GENERIC) for family in families)
        classes = {element.get("class") for element in root.iter()}
        assert classes <= {None, "readout"}


@pytest.mark.parametrize("lab", LABS)
def test_a_figure_says_what_it_shows(drawings, lab):
    for (name, _), svg in drawings(lab).items():
        root = ElementTree.fromstring(svg)
        title, said = root[0], root[1]
        assert (title.tag, said.tag) == (f"{{{NAMESPACE}}}title", f"{{{NAMESPACE}}}desc")
        assert root.get("role") == "img"
        assert root.get("aria-labelledby") == f"{title.get('id')} {said.get('id')}" == f"{name}-title {name}-desc"
        assert len(title.text) > 5
        assert re.search(r"\d", said.text) or name == "folded", said.text
        assert said.text.endswith(".")


@pytest.mark.parametrize("lab", LABS)
def test_colours_are_those_of_the_theme_alone(drawings, lab):
    known = set(re.findall(r"#[0-9A-Fa-f]{6}", theme.css_variables("dark").upper()))
    other = set(re.findall(r"#[0-9A-Fa-f]{6}", theme.css_variables("light").upper())) - known
    for key, svg in drawings(lab, "dark").items():
        used = set(re.findall(r'="(#[0-9A-F]{6})"', svg.upper().replace('="#', '="#')))
        assert used, key
        assert not used & other, key


def test_the_ground_is_there_unless_it_is_asked_not_to_be(figures):
    drawn = picture(figures("unfold")["folded"])
    surface = theme.color("dark", "surface")
    assert f'fill="{surface}"' in svg_text(drawn, "dark").split("<g")[0]
    assert "<rect" not in svg_text(drawn, "dark", background=False).split("<g")[0]


def test_numbers_carry_all_their_digits(figures):
    svg = svg_text(picture(figures("unfold")["unfolded"]))
    root = ElementTree.fromstring(svg)
    found = [element for element in root.iter() if element.get("class") == "readout"]
    assert len(found) > 40
    for element in found:
        value = float(element.get("data-value"))
        assert element.get("data-value") == repr(value)
        shown = element.text.replace("−", "-")
        assert float(shown) == pytest.approx(value, rel=6e-3)


def test_a_text_with_markup_stays_text(figures):
    svg = svg_text(picture(figures("attention", "text=<b>%26")["weights"]))
    texts = [element.text for element in ElementTree.fromstring(svg).iter() if element.text]
    assert "<" in texts
    assert "<b>" not in svg
