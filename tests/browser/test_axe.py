"""axe-core finds nothing on any page, in either theme, at either width."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.pages import resize, rested

STATES = [
    ("", ""),
    ("unfold", ""),
    ("unfold", "n=0&preset=next-character"),
    ("unfold", "pattern=output&T=7&input=noise"),
    ("unfold", "pattern=system"),
    ("unfold", "pattern=convolution"),
    ("gradients", ""),
    ("bptt", ""),
    ("bptt", "preset=truncated&moment=20"),
    ("bptt", "preset=lstm-loom&T=20"),
    ("lstm", ""),
    ("lstm", "embed=1"),
    ("gru", "preset=pytorch"),
    ("gru", "embed=1&n=1"),
    ("bidirectional", ""),
    ("attention", "mask=causal&substep=4"),
    ("seq2seq", ""),
    ("seq2seq", "attention=none&mode=mixed&tree=grown"),
]

#: Another theme changes colours alone.
THEMES: dict[str, dict] = {"light": {}, "dark": {"runOnly": ["color-contrast", "link-in-text-block"]}}


@pytest.mark.parametrize(("lab", "query"), STATES)
def test_axe_finds_no_violation(visit: Callable[..., Page], lab: str, query: str) -> None:
    page, axe, found = visit(lab, query), Axe(), []
    for theme, rules in THEMES.items():
        page.emulate_media(color_scheme=theme)
        for width, height in ((1440, 900), (390, 844)):
            resize(page, width, height)
            if lab:
                rested(page)
            found += [summary(rule, theme, width) for rule in axe.run(page, options=rules).response["violations"]]
    assert found == []


def test_axe_finds_no_violation_in_the_embed_dialog(visit: Callable[..., Page]) -> None:
    page, axe, found = visit("unfold", "preset=worked-example&lock=seed"), Axe(), []
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        for width, height in ((1440, 900), (390, 844)):
            resize(page, width, height)
            page.locator("header").get_by_role("button", name="Embed").click()
            dialog = page.get_by_role("dialog", name="Embed this lab")
            dialog.locator("details").evaluate("(e) => { e.open = true; }")
            expect(dialog.get_by_label("Lines to paste")).to_have_value(re.compile("iframe"))
            found += [summary(rule, theme, width) for rule in axe.run(page).response["violations"]]
            page.keyboard.press("Escape")
    assert found == []


def summary(rule: dict, theme: str, width: int) -> str:
    places = [" ".join(str(part) for part in node["target"]) for node in rule["nodes"]]
    return f"{theme} {width}: {rule['id']}: {rule['help']} at {places[:4]}"
