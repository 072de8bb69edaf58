"""The letters that each notation prints. Names of arrays (`data-symbol`) never change."""

from __future__ import annotations

from dataclasses import dataclass

Letters = tuple[str, str | None]
BlockLetters = tuple[str, str]


@dataclass(frozen=True)
class Notation:
    """Letter and subscript of the three weights; letters of output, target and candidate.

    The weights of a gate take its letter after the subscript given here.
    """

    U: Letters = ("U", None)
    W: Letters = ("W", None)
    V: Letters = ("V", None)
    output: str = "o"
    target: Letters = ("y", None)
    candidate: str = "c~"
    candidate_block: str = "c"
    gate_input: BlockLetters = ("W", "")
    gate_recurrent: BlockLetters = ("U", "")


_WITH_SUBSCRIPTS = {"U": ("W", "x"), "W": ("W", "h"), "V": ("W", "y"), "output": "y", "target": ("y", "*")}

NOTATIONS = {
    "goodfellow": Notation(),
    "boucher": Notation(**_WITH_SUBSCRIPTS),
    "concat": Notation(**_WITH_SUBSCRIPTS),
    "pytorch": Notation(
        U=("W", "ih"), W=("W", "hh"), V=("W", "hy"), output="y", target=("y", "*"),
        candidate="g", candidate_block="g", gate_input=("W", "i"), gate_recurrent=("W", "h"),
    ),  # fmt: skip
}
