"""Nothing that is typed or put into the URL runs: it is refused, or shown as text."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from urllib.parse import quote
from urllib.request import urlopen

import pytest
from playwright.sync_api import Page
from rnnscope.app.snapshot import STATES

from tests.browser.pages import Problems, Site, notices, readouts, settled, type_into

LABS = ("unfold", "gradients", "bptt", "lstm", "gru", "bidirectional", "seq2seq", "attention")
ATTACKS = {
    "img": "<img src=x onerror=window.ran=1>",
    "script": "<script>window.ran=1</script>",
    "link": "[a](javascript:window.ran=1)",
    "svg": '"><svg onload=window.ran=1>',
}

#: Elements that only an attack can have made; asked of every shadow root as well.
FOREIGN = """() => {
  const deeper = (e) => [e, ...(e.shadowRoot ? inside(e.shadowRoot) : [])];
  const inside = (root) => [...root.querySelectorAll('*')].flatMap(deeper);
  return inside(document).filter((e) => e.matches('img, [onerror], [onload], a[href^="javascript:"]')
    || (e.tagName === 'SCRIPT' && e.textContent.trim() === 'window.ran=1')).map((e) => e.outerHTML);
}"""


def nothing_ran(page: Page) -> None:
    """Two frames later, so that a failed image would have called its handler."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate("window.ran") is None
    assert page.evaluate(FOREIGN) == []


EVERY = '">' + "".join(ATTACKS.values())


@pytest.mark.parametrize(
    ("lab", "attack"),
    [*(("gradients", attack) for attack in ATTACKS.values()), ("unfold", EVERY), ("lstm", EVERY), ("seq2seq", EVERY)],
)
def test_no_key_of_the_url_runs(visit: Callable[..., Page], lab: str, attack: str) -> None:
    keys = [*(name for name in STATES[lab].param if name != "name"), "unknown", "rhoo"]
    page = visit(lab, "&".join(f"{key}={quote(attack)}" for key in keys))
    nothing_ran(page)
    assert any(attack[:40] in notice for notice in notices(page)), "what was refused is shown as it was written"
    assert readouts(page)


def test_a_text_of_markup_is_text(visit: Callable[..., Page]) -> None:
    page = visit("gradients", f"input=text&text={quote(EVERY)}")
    nothing_ran(page)
    assert page.locator("input.txt[data-key=text]").input_value() == EVERY
    assert notices(page) == []


@pytest.mark.parametrize("attack", ["<b>&amp;", '"><svg>'])
def test_characters_of_markup_are_glyphs_in_the_diagram(visit: Callable[..., Page], attack: str) -> None:
    page = visit("unfold", f"input=text&n=2&text={quote(attack)}")
    nothing_ran(page)
    nodes = [page.locator(f"#unfolded [data-node=x{t}]") for t in range(1, len(attack) + 1)]
    assert [f"“{c}”" in str(node.text_content()) for node, c in zip(nodes, attack, strict=True)] == [True] * len(attack)


def test_no_name_of_a_key_runs(visit: Callable[..., Page]) -> None:
    nothing_ran(visit("gradients", f"{quote(ATTACKS['img'])}=1&{quote('activati' + ATTACKS['svg'])}=1"))


BOXES = [
    ("unfold", ""),
    ("unfold", "preset=next-character"),
    ("gradients", ""),
    ("lstm", ""),
    ("gru", ""),
    ("bidirectional", ""),
    ("attention", ""),
    ("seq2seq", ""),
]


@pytest.mark.parametrize(("lab", "query"), BOXES)
def test_no_text_box_runs_what_is_typed(visit: Callable[..., Page], lab: str, query: str) -> None:
    page = visit(lab, query)
    boxes = [box for box in page.locator(".rs input[type=text]:enabled").all() if box.is_visible()]
    assert len(boxes) >= 4
    for box in boxes:
        for attack in ATTACKS.values():
            type_into(box, attack)
            settled(page)
            box.blur()
    nothing_ran(page)


def test_the_policy_is_in_force(visit: Callable[..., Page], problems: Problems) -> None:
    """The test breaks the policy on purpose, and the browser says so on the console.

    The script waits for a task of its own: inside Playwright's `evaluate` the browser allows `eval`.
    """
    problems.allow("violates the following Content Security Policy|Fetch API cannot load https://elsewhere.invalid")
    problems.allow("^(failed|request to another host): https://elsewhere.invalid")
    page = visit("unfold")
    refused = page.evaluate(
        """() => new Promise((done) => {
          const found = [];
          document.addEventListener('securitypolicyviolation', (event) => found.push(event.effectiveDirective));
          const image = Object.assign(new Image(), { src: 'https://elsewhere.invalid/x.png' });
          const frame = Object.assign(document.createElement('script'), { src: 'https://elsewhere.invalid/x.js' });
          const evaluate = document.createElement('script');
          evaluate.textContent = "setTimeout(() => { try { (0, eval)('window.ran = 1') } catch {} })";
          document.body.append(image, frame, evaluate);
          fetch('https://elsewhere.invalid/').catch(() => {}).finally(() => setTimeout(() => done(found), 50));
        })"""
    )
    assert {"img-src", "connect-src"} <= set(refused)
    assert {"script-src", "script-src-elem"} & set(refused)
    assert page.evaluate("window.ran") is None, "eval is not allowed"


@pytest.mark.parametrize("route", ["", *LABS])
def test_every_page_carries_the_policy(site: Site, route: str) -> None:
    with urlopen(site.url(route)) as answer:
        found = re.search('http-equiv="Content-Security-Policy" content="([^"]*)"', answer.read().decode())
    assert found
    policy = unescape(found[1])
    assert "default-src 'self'" in policy
    assert "object-src 'none'" in policy
    assert "unsafe-eval" not in policy
