"""What a lab says and leaves out where cell and inputs are the user's own."""

from __future__ import annotations

from typing import Any

from ..state import LabState
from ..words import Phrase, phrase

TITLE = "Your own arrays"
NO_LINK = "a link cannot carry arrays of your own"


def cards(state: LabState, shown: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The cards without presets, each of which draws weights of its own."""
    if state.given is None:
        return shown
    kept = [
        {**card, "body": [part for part in card["body"] if part["kind"] != "presets"]} if "body" in card else card
        for card in shown
    ]
    return [card for card in kept if card.get("body") != []]


def rail(state: LabState, shown: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rail, after a block that says whose arrays these are."""
    if state.given is None:
        return shown
    return [{"title": TITLE, "items": [{"kind": "text", "id": "own", "cls": "note"}]}, *shown]


def hidden(state: LabState) -> list[str]:
    """The buttons that would give a link."""
    return [] if state.given is None else ["share", "embed"]


def texts(state: LabState) -> dict[str, Phrase]:
    return {} if state.given is None else {"own": phrase(_said(state.given))}


def _said(given: Any) -> str:
    cell, steps = given.cell, len(given.xs)
    sizes = f"{_counted(cell.hidden_size, 'unit')}, {_counted(cell.input_size, 'input')}, {_counted(steps, 'step')}"
    wanted = "" if given.targets is None else f" {_targets(given)}"
    return (
        f"{type(cell).__name__} with {sizes}: weights and inputs are yours, nothing here is drawn.{wanted} "
        f"There is no link to copy: {NO_LINK}."
    )


def _targets(given: Any) -> str:
    return "The targets are yours." if given.has_targets else "The targets are 0: you gave none."


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
