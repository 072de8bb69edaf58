"""Lines of text with variables and small digits in them."""

from xml.etree.ElementTree import Element

import pytest
from rnnscope.app.export.figure.lettering import text_line, text_width


def pieces(text, style=""):
    line = text_line(Element("svg"), 0, 0, text, 10, style)
    return [(span.text, span.get("class"), span.get("font-size"), span.get("dy")) for span in line]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain words", [("plain words", None, None, None)]),
        ("step t", [("step ", None, None, None), ("t", "sym", None, None)]),
        ("a name", [("a name", None, None, None)]),
        ("10⁻¹²", [("10", None, None, None), ("−12", None, "7.2", "-4")]),
        ("λ₁ = 2", [("λ", "sym", None, None), ("1", None, "7.2", "2.8"), (" = 2", None, None, "-2.8")]),
        ("∂L/∂h", [("∂", None, None, None), ("L", "sym", None, None), ("/∂", None, None, None),
                   ("h", "sym", None, None)]),
    ],
)  # fmt: skip
def test_a_line_in_pieces(text, expected):
    assert pieces(text) == expected


def test_a_variable_in_a_heading_is_bold():
    assert pieces("Eigenvalues of W", "b")[1][:2] == ("W", "sym b")


def test_the_whole_text_is_there():
    line = text_line(Element("svg"), 0, 0, "log₁₀ of W", 10)
    assert "".join(line.itertext()) == "log10 of W"


def test_a_longer_line_is_wider():
    assert 0 < text_width("il", 12) < text_width("mm", 12) < text_width("MM", 12)
