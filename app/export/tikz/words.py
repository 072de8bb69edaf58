"""What stands in a LaTeX file: text of anyone as inert LaTeX, numbers as the page prints them, letters by notation."""

from __future__ import annotations

import re
import unicodedata

from rnnscope.core import format_number
from rnnscope.core.formatting import INFINITY, MINUS
from rnnscope.core.notation import Notation, latex_text, signal_token, weight_token

#: What LaTeX reads as a command, and what the font of plain text has no glyph of its own for.
SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': "''", "`": r"\`{}",
}  # fmt: skip
#: Mathematics in the texts of plots, and punctuation past ASCII.
SIGNS = {
    "σ": r"$\sigma$", "ρ": r"$\rho$", "λ": r"$\lambda$", "∂": r"$\partial$", "‖": r"$\|$", "Δ": r"$\Delta$",
    "·": r"$\cdot$", "½": r"$\frac12$", "±": r"$\pm$", "×": r"$\times$", "∞": r"$\infty$",
    MINUS: "$-$", "–": "--", "—": "---", "“": "``", "”": "''", "‘": "`", "’": "'", "…": r"\dots{}",
    "ß": r"\ss{}", "æ": r"\ae{}", "Æ": r"\AE{}", "œ": r"\oe{}", "ø": r"\o{}", "Ø": r"\O{}", "ł": r"\l{}",
    "ı": r"\i{}", "\N{THIN SPACE}": r"\,", "\N{NO-BREAK SPACE}": "~",
}  # fmt: skip
#: Combining accents that LaTeX can put over any letter.
ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u", "\u0307": ".",
    "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0327": "c",
}  # fmt: skip
_LOWERED = {chr(0x2080 + digit): str(digit) for digit in range(10)}
_RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-", strict=True))
#: In the words of a plot: an index, or a letter that stands for a quantity.
_MATHS = re.compile(f"[{''.join(_LOWERED)}]+|[{''.join(_RAISED)}]+|\\b[b-zA-Z]\\b")


def escape(text: str) -> str:
    """Text that shows as it is, whoever wrote it, and never acts as a command."""
    return "".join(_character(character) for character in text)


def _character(character: str) -> str:
    if character in SPECIAL:
        return SPECIAL[character]
    if character.isascii() and character.isprintable():
        return character
    return SIGNS.get(character) or _accented(character) or rf"\texttt{{U+{ord(character):04X}}}"


def _accented(character: str) -> str:
    """A letter with one accent as LaTeX composes it; empty where it is no such letter."""
    letter, *marks = unicodedata.normalize("NFD", character)
    if len(marks) != 1 or marks[0] not in ACCENTS or not (letter.isascii() and letter.isalpha()):
        return ""
    return rf"\{ACCENTS[marks[0]]}{{{letter}}}"


def prose(text: str) -> str:
    """The text of a plot: as `escape`, but runs of small digits are one index, and single letters are mathematics."""
    pieces, end = [], 0
    for found in _MATHS.finditer(text):
        pieces += [escape(text[end : found.start()]), _maths(found.group())]
        end = found.end()
    return "".join([*pieces, escape(text[end:])])


def _maths(run: str) -> str:
    if run.isascii():
        return f"${run}$"
    table, mark = (_LOWERED, "_") if run[0] in _LOWERED else (_RAISED, "^")
    return f"${mark}{{{''.join(table[character] for character in run)}}}$"


def quoted(character: str) -> str:
    """One character that a network reads, in quotes; a space as a mark that can be seen."""
    shown = r"\textvisiblespace{}" if character == " " else escape(character)
    return f"``{shown}''"


def comment(text: str) -> str:
    """Text for one line of comment: whatever it holds, the line ends where it should."""
    return "".join(character if character.isascii() and character.isprintable() else "?" for character in text)


def number(value: float) -> str:
    """A number as the page prints it, in mathematics: 0.690, -1.2 times a power of ten."""
    text = format_number(float(value)).replace(MINUS, "-").replace(INFINITY, r"\infty")
    if text == "NaN":
        return r"\mathrm{NaN}"
    mantissa, power, exponent = text.partition("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if power else text


def tidy(latex: str) -> str:
    """A subscript of one sign without its braces, as a person writes it."""
    return re.sub(r"([_^])\{([\w*])\}", r"\1\2", latex)


def indexed(letter: str, index: object) -> str:
    """A letter with a subscript."""
    return tidy(f"{letter}_{{{index}}}")


def times(left: str, right: str) -> str:
    """A product as a person writes it."""
    return rf"{left} \, {right}"


def signal(notation: Notation, name: str, t: int | None, lag: int = 0, *, gated: bool = False) -> str:
    r"""The letter of a quantity at a step: h_3, \tilde{c}_5, \partial L/\partial h_3; without t it is h_t."""
    return tidy(latex_text([signal_token(notation, name, t, lag, gated)]))


def weight(notation: Notation, name: str, gate: str | None = None) -> str:
    """The letter of a weight: W, W_{hh}, U_f."""
    return tidy(latex_text([weight_token(notation, name, gate, transposed=False)]))
