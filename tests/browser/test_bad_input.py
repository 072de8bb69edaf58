"""What is not accepted is said once, in words, with what is accepted; the page works on; the log stays quiet."""

from __future__ import annotations

import logging
from collections.abc import Callable
from urllib.parse import quote

import pytest
from playwright.sync_api import Page
from rnnscope.app.snapshot import STATES

from tests.browser.pages import (
    button,
    everything,
    notices,
    number_field,
    readouts,
    settled,
    slider,
    text_field,
    type_into,
)  # fmt: skip

LONG = "a" * 10_000

#: Bad keys of one visit: lab, then key, value as it stands in the URL, words that its notice must have.
QUERIES = [
    ("gradients", [("n", "0", ["n = “0”", "integer from 2 to 64", "32"]),
                   ("rho", "nan", ["rho = “nan”", "from 0 to 3"]),
                   ("seed", "-1", ["seed = “-1”", "integer from 0 to 4294967295"])]),
    ("gradients", [("n", str(10**9), ["n = “1000000000”", "integer from 2 to 64"]), ("rho", "inf", ["rho = “inf”"]),
                   ("text", LONG, ["text = ", "10,000 characters", "5 to 200"])]),
    ("unfold", [("n", "0", ["n = “0”", "integer from 1 to 8"]),
                ("text", LONG, ["text = ", "10,000 characters", "1 to 12"]),
                ("values", "1,nan,2", ["values = ", "“nan”", "numbers separated by commas"]),
                ("U", "1e999", ["U = ", "-10 to 10"])]),
    ("unfold", [("values", "1,two,3", ["values = ", "“two”", "numbers separated by commas"])]),
    ("lstm", [("preset", "nope", ["preset = “nope”", "forget-bias-1"]),
              ("T", str(10**9), ["T = ", "integer from 1 to 400"]),
              ("family", "permutation%00", ["family", "gaussian"])]),
    ("seq2seq", [("beam", "9", ["beam = “9”", "integer from 1 to 8"]),
                 ("attention", "some", ["attention = “some”", "additive"]),
                 ("text", "5%2525", ["text = “5%25”", "does not know the character “%”", "0–9"])]),
]  # fmt: skip

#: Bad typing in one visit: lab and query, then control, what is typed, words of the notice.
TYPED = [
    ("gradients", "", [("n", "0", ["n = “0”", "integer from 2 to 64"]),
                       ("n", str(10**9), ["n = ", "integer from 2 to 64"]),
                       ("rho", "nan", ["rho = “nan”", "number from 0 to 3"]), ("seed", "-1", ["seed = “-1”"])]),
    ("unfold", "", [("values", "1, nan", ["values = ", "“nan”"]), ("values", "1, two", ["values = ", "“two”"]),
                    ("target", "x", ["target = ", "“x”"])]),
    ("unfold", "preset=next-character", [("text", LONG, ["text = ", "10,000 characters", "1 to 12"]),
                                         ("text", "", ["text = ", "1 to 12"])]),
    ("bidirectional", "", [("change", "x", ["change = “5:x”", "this input is a number"]),
                           ("change", "much", ["change = “5:much”", "neither a number nor one character"])]),
    ("gru", "", [("update_bias", "much", ["update_bias = “much”", "number from -10 to 10"])]),
    ("attention", "", [("heads", "3", ["heads = “3”", "divisor of d_model = 8"]), ("text", "", ["text = ", "1 to 12"]),
                       ("d_k", "0", ["d_k = “0”", "integer from 1 to 256"])]),
    ("seq2seq", "", [("beam", "many", ["beam = “many”", "integer from 1 to 8"]),
                     ("goal", "tomorrow", ["goal = “tomorrow”", "does not know the character “t”", "0–9"])]),
    ("lstm", "", [("forget_bias", "much", ["forget_bias = “much”", "number from -100 to 100"])]),
]  # fmt: skip


def log_lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What a server at its normal level would print."""
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


def check_notice(page: Page, key: str, words: list[str]) -> None:
    """One notice that can be seen, names the key, has all these words, and no more than a person reads."""
    found = [text for text in notices(page) if text.startswith(key)]
    assert len(found) == 1
    assert [word for word in words if word not in found[0]] == []
    assert len(found[0]) < 400


def works_on(page: Page, lab: str) -> None:
    """The page answers: another value is accepted and shown."""
    key = {"lstm": "forget_bias", "gradients": "rho", "seq2seq": "temperature"}.get(lab, "T")
    field = number_field(page, key)
    before = [read.value for read in readouts(page)]
    type_into(field, "2")
    settled(page)
    assert [read.value for read in readouts(page)] != before


@pytest.mark.parametrize(("lab", "keys"), QUERIES)
def test_every_bad_key_gives_one_notice_and_the_page_works(
    visit: Callable[..., Page], caplog: pytest.LogCaptureFixture, lab: str, keys: list[tuple[str, str, list[str]]]
) -> None:
    page = visit(lab, "&".join(f"{key}={text}" for key, text, _ in keys))
    assert len(notices(page)) == len(keys)
    assert page.locator(".notices .notice").first.is_visible()
    for key, _, words in keys:
        check_notice(page, key, words)
        page.get_by_role("button", name="Dismiss").first.click()
    assert notices(page) == []
    works_on(page, lab)
    assert len(log_lines(caplog)) <= 1


@pytest.mark.parametrize(("lab", "query", "typing"), TYPED)
def test_bad_typing_gives_one_notice_and_what_stood_before_stays(
    visit: Callable[..., Page], caplog: pytest.LogCaptureFixture, lab: str, query: str,
    typing: list[tuple[str, str, list[str]]],
) -> None:  # fmt: skip
    page = visit(lab, query)
    before = [(read.key, read.value) for read in everything(page)]
    for key, text, words in typing:
        fields = ("values", "target", "text", "goal")
        field = text_field(page, key) if key in fields else number_field(page, key)
        stood = field.input_value()
        type_into(field, text)
        settled(page)
        check_notice(page, key, words)
        field.blur()
        assert field.input_value()[:40] == stood, "a refused value does not stay in its field"
        page.get_by_role("button", name="Dismiss").first.click()
    assert notices(page) == []
    assert [(read.key, read.value) for read in everything(page)] == before
    assert len(log_lines(caplog)) <= len(typing)


def test_a_notice_is_dismissed_with_the_keyboard_and_others_stay(visit: Callable[..., Page]) -> None:
    page = visit("unfold", "n=0&seed=-1")
    assert len(notices(page)) == 2
    page.get_by_role("button", name="Dismiss").first.press("Enter")
    assert len(notices(page)) == 1
    assert "seed" in notices(page)[0]


def test_many_bad_keys_do_not_bury_the_page(visit: Callable[..., Page]) -> None:
    keys = [name for name in STATES["unfold"].param if name not in ("name", "text")]
    page = visit("unfold", "&".join(f"{key}={quote('<bad>')}" for key in keys))
    assert 1 <= len(notices(page)) <= 6
    assert page.locator("#unfolded").is_visible()
    assert readouts(page)


def test_a_refused_value_is_followed_by_good_ones(visit: Callable[..., Page]) -> None:
    page = visit("gradients", "n=8&T=20")
    type_into(number_field(page, "rho"), "four")
    settled(page)  # the refusal puts the old value back: not between selecting and typing
    type_into(number_field(page, "rho"), "1.5")
    settled(page)
    assert number_field(page, "rho").input_value() == "1.5"
    slider(page, "rho").press("ArrowRight")
    settled(page)
    assert number_field(page, "rho").input_value() == "1.51"


def test_a_contradiction_of_good_keys_is_explained(visit: Callable[..., Page]) -> None:
    page = visit("unfold", "values=1,2,3&T=7")
    check_notice(page, "T", ["T = “7”", "3 steps"])
    button(page, "Reset").click()
    settled(page)
    assert readouts(page)
