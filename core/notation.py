"""How symbols are written: the four notations, and tokens that a renderer lays out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from .arrays import checked_choice
from .cells import Cell
from .formatting import MINUS, format_number


@dataclass(frozen=True)
class Token:
    """One piece of an equation, to be set as one run of text.

    Attributes
    ----------
    kind : "symbol", "number", "operator", "function" or "text"
    text : what is written: a symbol's letter, a formatted number, ...
    sub, sup : subscript and superscript
    accent : "tilde", "right" or "left" (an arrow) over the letter, or "tilde right", "tilde left"
    symbol, t, unit : the quantity behind it, as in `data-symbol`, `data-t`, `data-unit`
    value : the exact number behind a number
    """

    kind: str
    text: str
    sub: str | None = None
    sup: str | None = None
    symbol: str | None = None
    t: int | None = None
    unit: int | None = None
    value: float | None = None
    accent: str | None = None


@dataclass(frozen=True)
class Notation:
    """Letters of one notation.

    Attributes
    ----------
    name : its name in the query string
    weights : weight -> (letter, subscript); "*" in a subscript stands for the gate
    order : how an affine sum is ordered, by role: bias, recurrent, input
    joined : whether recurrent and input weights are written as one matrix times [h, x]
    output : letter of the network's output
    candidate : (letter, accent, subscript letter) of a gated cell's candidate, for an LSTM's cell state
    candidate_h : the same for a GRU's hidden state
    """

    name: str
    weights: Mapping[str, tuple[str, str | None]]
    order: tuple[str, ...]
    joined: bool = False
    output: str = "y"
    candidate: tuple[str, str | None, str] = ("c", "tilde", "c")
    candidate_h: tuple[str, str | None, str] = ("h", "tilde", "h")


BIAS_FIRST = ("bias", "recurrent", "input")
RECURRENT_FIRST = ("recurrent", "input", "bias")
INPUT_FIRST = ("input", "recurrent", "bias")

_READOUT = {"W_hy": ("W", "y"), "b_y": ("b", "y"), "W_yh": ("W", "yh")}

#: Quantities whose letter is not the last of their name.
_LETTERS = {"conv": "z", "conv_a": "a"}

_PLAIN = (
    Notation(
        "goodfellow",
        {"W_xh": ("U", None), "W_hh": ("W", None), "b_h": ("b", None)}
        | {"W_hy": ("V", None), "b_y": ("c", None), "W_yh": ("W", None)},
        BIAS_FIRST,
        output="o",
    ),
    Notation(
        "boucher",
        {"W_xh": ("W", "x"), "W_hh": ("W", "h"), "b_h": ("b", None), **_READOUT},
        RECURRENT_FIRST,
    ),
    Notation(
        "concat",
        {
            "W_xh": ("W", "x"),
            "W_hh": ("W", "h"),
            "b_h": ("b", None),
            "joint": ("W", None),
            **_READOUT,
        },
        RECURRENT_FIRST,
        joined=True,
    ),
    Notation(
        "pytorch",
        {
            "W_xh": ("W", "ih"),
            "W_hh": ("W", "hh"),
            "b_h": ("b", None),
            "W_hy": ("W", "hy"),
            "b_y": ("b", "y"),
            "W_yh": ("W", "yh"),
        },
        INPUT_FIRST,
    ),
)

# In a gated cell Goodfellow's o and c are the output gate and the cell state: the output stays y.
_GATED = (
    Notation(
        "goodfellow",
        {
            "W_xh": ("U", "*"),
            "W_hh": ("W", "*"),
            "b_h": ("b", "*"),
            "b_hh": ("b", "hh"),
            "W_hy": ("V", None),
            "b_y": ("b", "y"),
        },
        BIAS_FIRST,
    ),
    Notation(
        "boucher",
        {"W_xh": ("W", "*"), "W_hh": ("U", "*"), "b_h": ("b", "*"), "b_hh": ("b", "hh"), **_READOUT},
        INPUT_FIRST,
    ),
    Notation(
        "concat",
        {
            "W_xh": ("W", "*x"),
            "W_hh": ("W", "*h"),
            "b_h": ("b", "*"),
            "b_hh": ("b", "hh"),
            "joint": ("W", "*"),
            **_READOUT,
        },
        RECURRENT_FIRST,
        joined=True,
    ),
    Notation(
        "pytorch",
        {
            "W_xh": ("W", "i*"),
            "W_hh": ("W", "h*"),
            "b_h": ("b", "*"),
            "b_hh": ("b", "hn"),
            "W_hy": ("W", "hy"),
            "b_y": ("b", "y"),
        },
        INPUT_FIRST,
        candidate=("g", None, "g"),
        candidate_h=("n", None, "n"),
    ),
)

NOTATIONS = tuple(notation.name for notation in _PLAIN)


def default_notation(cell: Cell) -> str:
    """Return "boucher" for a gated cell, else "goodfellow"."""
    return "boucher" if cell.gate_names else "goodfellow"


def find_notation(name: str, gated: bool, candidate_for: str = "c") -> Notation:
    """Return a notation's letters for plain or gated cells, or raise a ValueError.

    `candidate_for` is "c" for an LSTM, whose candidate is one for the cell state, and "h" for a GRU.
    """
    checked_choice("notation", name, NOTATIONS)
    letters = (_GATED if gated else _PLAIN)[NOTATIONS.index(name)]
    return replace(letters, candidate=letters.candidate_h) if candidate_for == "h" else letters


def step_text(t: int | None, lag: int) -> str:
    """Write the step t + lag: a number where t is one, else t, t−1, t+1."""
    if t is not None:
        return str(t + lag)
    return "t" if lag == 0 else f"t{MINUS}{-lag}" if lag < 0 else f"t+{lag}"


def weight_token(notation: Notation, name: str, gate: str | None, transposed: bool) -> Token:
    """Return the token of a weight, its gate in the subscript."""
    letter, subscript = notation.weights[name]
    if subscript is not None and gate is not None:
        subscript = subscript.replace("*", gate_letter(notation, gate))
    return Token("symbol", letter, subscript, "T" if transposed else None, symbol=name)


def gate_letter(notation: Notation, gate: str) -> str:
    """Return the letter that a gate has in subscripts; the candidate's differs by notation."""
    return notation.candidate[2] if gate == "g" else gate


def signal_token(notation: Notation, name: str, t: int | None, lag: int, gated: bool) -> Token:
    """Return the token of a quantity that has a step."""
    at = None if t is None else t + lag
    step = step_text(t, lag)
    if name == "g":
        letter, accent, _ = notation.candidate
        return Token("symbol", letter, step, symbol=name, t=at, accent=accent)
    if gated and name[:-1] in ("a", "da"):
        text = "a" if len(name) == 2 else "∂L/∂a"
        return Token("symbol", text, f"{gate_letter(notation, name[-1])},{step}", symbol=name, t=at)
    if name == "target":
        return Token("symbol", "y", step, "*" if notation.output == "y" else None, symbol=name, t=at)
    letter = _LETTERS.get(name) or (notation.output if name[-1] == "y" else name[-1])
    text = f"∂L/∂{letter}" if name[0] == "d" else letter
    return Token("symbol", text, step, symbol=name, t=at)


def number_token(value: float, symbol: str | None = None, t: int | None = None, unit: int | None = None) -> Token:
    """Return a number as it is shown, its exact value kept."""
    return Token("number", format_number(value), symbol=symbol, t=t, unit=unit, value=float(value))


def operator(text: str) -> Token:
    """Return an operator or bracket."""
    return Token("operator", text)


def bracketed(tokens: list[Token]) -> list[Token]:
    """Return tokens inside round brackets."""
    return [operator("("), *tokens, operator(")")]


def plain_text(tokens: list[Token]) -> str:
    """Write tokens as one line of Unicode text: h_t = tanh(a_t)."""
    return _joined([_plain(token) for token in tokens], tokens)


def latex_text(tokens: list[Token]) -> str:
    """Write tokens as LaTeX mathematics."""
    return _joined([_latex(token) for token in tokens], tokens)


def _joined(pieces: list[str], tokens: list[Token]) -> str:
    joined = ""
    for index, (piece, token) in enumerate(zip(pieces, tokens, strict=True)):
        after_symbol = index > 0 and tokens[index - 1].kind == "symbol"
        apart = after_symbol and (token.kind == "symbol" or token.text == "[")
        joined += f" {piece} " if token.text in _SPACED else f" {piece}" if apart else piece
        joined += " " if token.text == "," else ""
    return joined.strip()


_SPACED = frozenset(["=", "+", MINUS, "×", "⊙", ">"])


#: Accent -> its combining character, and its command in LaTeX.
_ACCENTS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {"tilde": ("\u0303", r"\tilde"), "right": ("\u20d7", r"\overrightarrow"), "left": ("\u20d6", r"\overleftarrow")}
)


def _plain(token: Token) -> str:
    accents = "".join(_ACCENTS[accent][0] for accent in (token.accent or "").split())
    sub = "" if token.sub is None else f"_{token.sub}" if len(token.sub) == 1 else f"_{{{token.sub}}}"
    sup = {None: "", "2": "²", "T": "ᵀ", "*": "*"}[token.sup]
    return f"{token.text}{accents}{sub}{sup}"


_LATEX: Mapping[str, str] = MappingProxyType(
    {MINUS: "-", "×": r"\times", "⊙": r"\odot", "σ": r"\sigma", "tanh": r"\tanh"}
    | {"relu": r"\operatorname{relu}", "∞": r"\infty"}
)


def _latex(token: Token) -> str:
    text = _LATEX.get(token.text, token.text.replace("∂", r"\partial ").replace(MINUS, "-"))
    for accent in (token.accent or "").split():
        text = rf"{_ACCENTS[accent][1]}{{{text}}}"
    sub = "" if token.sub is None else f"_{{{token.sub.replace(MINUS, '-')}}}"
    sup = {None: "", "2": "^{2}", "T": r"^{\top}", "*": "^{*}"}[token.sup]
    return f"{text}{sub}{sup}"
