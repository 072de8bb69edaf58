"""Text of anyone is inert in LaTeX and shows as it is; numbers and letters are those of the page."""

import string

import pytest
from rnnscope.app.export.tikz.words import comment, escape, number, prose, quoted, signal, weight
from rnnscope.core import format_number
from rnnscope.core.notation import find_notation

from tests.app.export.tikz.files import compiled, printed

HOSTILE = [
    r"\input{/etc/passwd}", r"}\end{document}", r"$\alpha$", "% not a comment", "#1 & _ ^ ~", "^^5cinput", "--- `` ''",
    "\\\\", "a\nb\tc\x00\x7f", "]{(,;=|", "\u202e\u0301 é ñ ş Ł ß œ 東 😀",
]  # fmt: skip


def test_every_character_of_a_keyboard_shows_and_none_acts(tmp_path):
    body = "\n\n".join(f"{escape(text)} {quoted(text[0])} {prose(text)}" for text in [*HOSTILE, string.printable])
    text = f"\\documentclass{{article}}\\begin{{document}}\\hfuzz=\\maxdimen\\raggedright\n{body}\n\\end{{document}}\n"
    pages, bad = compiled(text, tmp_path)
    assert pages == 1
    assert bad == []


@pytest.mark.parametrize("text", [*HOSTILE, *string.printable])
def test_an_escaped_text_has_commands_of_one_sign_only(text):
    """Braces balance, and each backslash begins a name that this module writes."""
    written = escape(text)
    assert written.isascii()
    assert "\n" not in written
    names = ("text", "ss", "ae", "o", "l", "dots", "oe", *"{}$&#%_`'^~=.\"urvHc")
    for place, sign in enumerate(written):
        if sign == "\\" and written[place - 1 : place] != "\\":
            assert written[place + 1 :].startswith(names)
    assert "input" not in written or r"\input" not in written.replace(r"\textbackslash{}", "")
    bare = written.replace(r"\{", "").replace(r"\}", "")
    assert bare.count("{") == bare.count("}")


def test_what_has_no_letter_in_latex_is_named():
    assert escape("東") == r"\texttt{U+6771}"
    assert escape("\n") == r"\texttt{U+000A}"
    assert escape("\u202e") == r"\texttt{U+202E}"
    assert escape("é") == r"\'{e}"
    assert quoted(" ") == r"``\textvisiblespace{}''"


def test_a_comment_stays_on_its_line():
    assert comment("a\nb\x0bc\u2028d\re") == "a?b?c?d?e"


def test_words_of_a_plot_are_set_as_mathematics():
    assert prose("lag k (a step) of W, log₁₀, λ₁ = −0.3") == (
        r"lag $k$ (a step) of $W$, log$_{10}$, $\lambda$$_{1}$ = $-$0.3"
    )
    assert prose("10⁻⁴") == "10$^{-4}$"


@pytest.mark.parametrize("value", [0.69, -0.0123, 1.2e38, -3.4e-9, 0.0, 1e-300, float("inf"), float("-inf"), 999.5])
def test_a_number_is_the_one_of_the_page(value):
    assert printed(number(value)) == format_number(value)
    assert printed(number(float("nan"))) == "NaN"


def test_letters_follow_the_notation():
    plain, gated = find_notation("goodfellow", gated=False), find_notation("pytorch", True, "h")
    assert signal(plain, "y", 3) == "o_3"
    assert signal(plain, "dh", 12) == r"\partial L/\partial h_{12}"
    assert signal(find_notation("boucher", gated=False), "target", 2) == "y_2^*"
    assert signal(gated, "g", 5, gated=True) == "n_5"
    assert signal(find_notation("boucher", True), "g", 5, gated=True) == r"\tilde{c}_5"
    assert [weight(plain, "W_hh"), weight(gated, "W_hh", "g")] == ["W", "W_{hn}"]
