"""The pages' rules on a picture of its own."""

from xml.etree.ElementTree import Element, SubElement

from rnnscope.app import theme
from rnnscope.app.export.figure.style import mixed, resolved


def drawn(*classes, name="light", tag="path", **marks):
    """An element of a diagram with these classes, resolved."""
    page = Element("div", {"class": "rs"})
    figure = SubElement(
        SubElement(page, "svg"), "g", {"class": "fig", **{f"data-{key}": own for key, own in marks.items()}}
    )
    element = SubElement(figure, tag, {"class": " ".join(classes), "d": "M0 0H1"})
    resolved(page, name)
    return element if element in list(figure) else None


def test_a_wire_has_the_colour_of_its_role():
    assert drawn("wire", "r-hidden").attrib == {"d": "M0 0H1", "fill": "none", "stroke": theme.color("light", "hidden"),
                                                "stroke-width": "1.75"}  # fmt: skip
    assert drawn("wire", "r-hidden", name="dark").get("stroke") == theme.color("dark", "hidden")


def test_a_highlight_mixes_the_other_wires_with_the_ground():
    stroke, surface = theme.color("light", "input"), theme.color("light", "surface")
    dimmed = drawn("wire", "fwd", "r-input", highlight="W")
    assert dimmed.get("stroke") == mixed(stroke, 0.42, surface) == "#99B3B8"
    assert drawn("wire", "fwd", "weight-W", "r-hidden", highlight="W").get("stroke") == theme.color("light", "hidden")


def test_what_a_rule_hides_is_taken_out():
    assert drawn("halo", "weight-W") is None
    assert drawn("halo", "weight-W", "r-hidden", highlight="W") is not None
    assert drawn("wire", "bwd", "backward", **{"pass": "forward"}) is None


def test_a_rule_for_the_pointer_does_not_hold():
    node = Element("div", {"class": "rs"})
    group = SubElement(SubElement(node, "g", {"class": "fig"}), "g", {"class": "node r-gate"})
    shape = SubElement(group, "rect", {"class": "shape"})
    resolved(node, "light")
    assert shape.get("fill") == theme.tokens()["color"]["light"]["role"]["gate"]["fill"]


def test_current_color_is_that_of_the_cell():
    on = theme.tokens()["color"]["light"]["diverging_on"]
    assert drawn("cell-tick", "dvo0").get("stroke") == on[0]


def test_a_text_keeps_only_what_differs_from_around_it():
    page = Element("div", {"class": "rs"})
    line = SubElement(SubElement(page, "g", {"class": "fig"}), "text")
    letter = SubElement(line, "tspan", {"class": "sym readout", "font-size": "16"})
    resolved(page, "light")
    assert letter.attrib == {"class": "readout", "font-size": "16", "font-family": theme.tokens()["type"]["math"],
                             "font-style": "italic"}  # fmt: skip
    assert line.get("fill") == theme.color("light", "ink")


def test_a_text_has_no_outline_that_a_program_for_slides_would_put_over_it():
    line = drawn("was", "over", tag="text")
    assert {"stroke", "stroke-width", "stroke-linejoin", "paint-order"}.isdisjoint(line.attrib)
    assert line.get("font-size") == "12"
