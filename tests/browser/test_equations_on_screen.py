"""Every equation that is shown with numbers comes to the number that stands behind it, in every notation and state."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page
from rnnscope.core import NOTATIONS, format_number

from tests.browser.pages import choice, number_field, readouts, settled, type_into

#: Lines of the equation lists as tokens: what is written, and the float64 behind a number.
LINES = """() => {
  const all = (root) => [...root.querySelectorAll('*')];
  const inside = (root) => all(root).flatMap((e) => [e, ...(e.shadowRoot ? inside(e.shadowRoot) : [])]);
  const lines = inside(document).filter((e) => e.parentElement?.matches?.('.eq'));
  return lines.map((line) => [...line.children].map((e) => ({
    text: e.textContent, value: e.dataset.value ?? null, number: e.classList.contains('n'),
    symbol: e.classList.contains('m') })));
}"""
WORDS = {"−": "-", "×": "*", "·": "*", "⊙": "*", "σ": "sigma", "²": "**2"}
FUNCTIONS = {"sigma": lambda a: 1 / (1 + math.exp(-a)), "tanh": math.tanh, "exp": math.exp, "log": math.log}

#: Lab -> what its states differ in, beside seed, notation and step.
CASES = {
    "unfold": ["n=1&input=noise&T=8", "n=4&input=noise&T=6&unit=2", "input=text&text=hello&n=3&unit=1"],
    "lstm": ["n=1", "n=4&unit=3&input=noise&T=6", "input=text&text=hello&n=3"],
    "gru": [
        "n=1",
        "n=3&unit=1&input=noise&T=5&reset=after&update=old",
        "n=4&input=noise&T=5&reset=before&update=old",
        "n=1&surgery=cut@2,z@3:0.4,r@4:0&t=2",
    ],
    "bptt": ["", "n=4&input=noise&T=5", "cell=lstm&n=3&input=noise&T=5"],
}


def expression(tokens: list[dict]) -> str:
    return "".join(
        f"({token['value']})" if token["value"] else WORDS.get(token["text"].strip(), token["text"]) for token in tokens
    )


def sides(line: list[dict]) -> list[list[dict]]:
    """What stands between the equals signs."""
    found: list[list[dict]] = [[]]
    for token in line:
        if token["text"].strip() == "=":
            found.append([])
        else:
            found[-1].append(token)
    return [side for side in found if side]


def evaluated(side: list[dict]) -> float:
    text = re.sub(r"(?<=\d)−|−", "-", expression(side))
    assert not re.search(r"[^\d\s.e+\-*/()a-z]", text), text
    return float(eval(text, {"__builtins__": {}}, FUNCTIONS))  # our own page's arithmetic, its characters checked


def check_lines(page: Page) -> int:
    """Both sides of every line of numbers agree, and each number is printed as core prints it; how many lines."""
    checked = 0
    for line in page.evaluate(LINES):
        numeric = [side for side in sides(line) if not any(token["symbol"] for token in side)]
        if len(numeric) < 2:
            continue
        values = [evaluated(side) for side in numeric]
        assert values == pytest.approx([values[-1]] * len(values), rel=1e-11, abs=1e-13), line
        printed = [(token["text"], float(token["value"])) for side in numeric for token in side if token["value"]]
        # The 1 of 1 - z is a letter of the formula: it is written as such.
        assert [pair for pair in printed if pair[0] not in (format_number(pair[1]), f"{pair[1]:.0f}")] == []
        checked += 1
    return checked


def states(page: Page) -> Iterator[None]:
    """Some 24 states of one page: seeds (or W where nothing is drawn), notations, steps; one change at a time."""
    yield
    for seed in range(1, 6):
        key, value = ("seed", str(seed)) if number_field(page, "seed").is_visible() else ("W", f"{0.4 * seed:.1f}")
        type_into(number_field(page, key), value)
        yield
        choice(page, "notation").select_option(NOTATIONS[seed % len(NOTATIONS)])
        yield
        for name in ("Next step", "Previous step", "Last step")[: 3 if seed < 4 else 2]:
            move = page.get_by_role("button", name=name)
            if move.count() and move.first.is_enabled():
                move.first.click()
                yield


@pytest.mark.parametrize(("lab", "query"), [(lab, query) for lab, queries in CASES.items() for query in queries])
def test_both_sides_of_every_equation_agree(visit: Callable[..., Page], lab: str, query: str) -> None:
    page, lines, seen = visit(lab, query), 0, 0
    for _ in states(page):
        settled(page)
        lines += check_lines(page)
        seen += 1
    assert seen >= 20
    assert lines >= seen
    assert readouts(page)
