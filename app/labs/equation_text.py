"""Core's equations as lines for the page: the symbols, and under them one unit's numbers."""

from __future__ import annotations

from typing import Any

from rnnscope.core import Equation, Run, Token

from ..words import phrase, token_words

Line = dict[str, Any]


def symbolic(equation: Equation, notation: str, t: int, role: str = "", on: bool = False) -> Line:
    """The equation at step t in a notation; `on` marks the one that is selected."""
    return {"tokens": token_words(equation.tokens(notation, t)), "role": role, "on": on}


def numeric(equation: Equation, run: Run, t: int, unit: int, notation: str, lead: bool = True) -> Line:
    """The right-hand side with numbers put in, and what it comes to."""
    tokens = equation.numbers(run.cell, run.trace, t, unit, run.gradients, notation, run.targets)
    start = [Token("operator", "=")] if lead else []
    return {"tokens": token_words([*start, *tokens]), "hang": True}


def both(
    equation: Equation, run: Run, t: int, unit: int, notation: str, role: str = "", on: bool = False
) -> list[Line]:
    return [symbolic(equation, notation, t, role, on), numeric(equation, run, t, unit, notation)]


def said(*parts: Any) -> list[Line]:
    """A line of words where there is no equation to show."""
    return [{"tokens": phrase(*parts)}]
