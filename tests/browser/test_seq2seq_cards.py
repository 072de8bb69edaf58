"""The search, the three runs and the lengths on /seq2seq: held against a beam search in plain NumPy; keys, growth."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from rnnscope.app.labs.seq2seq.bottleneck import compared
from rnnscope.app.weights import load
from rnnscope.core import format_number

from tests.browser.pages import cells, choice, resize, rested, segment, settled, text_field, type_into
from tests.browser.test_looks import LOOKS, SIZES

Visit = Callable[..., Page]
#: The other cards have tests of their own.
OTHERS = ".col > :not(.beam, .compare, .lengths), .rail"
TEXT, WIDTH = "3 march 2024", 4


# --- a beam search of its own ----------------------------------------------------------------


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def gru(p: Mapping[str, np.ndarray], part: str, x: np.ndarray, h: np.ndarray) -> np.ndarray:
    """h = (1 - z) h + z g, the reset gate before the product."""
    W, U, b = (p[f"{part}.{name}"] for name in ("W_xh", "W_hh", "b_h"))
    z, r = (sigmoid(W[k] @ x + U[k] @ h + b[k]) for k in range(2))
    g = np.tanh(W[2] @ x + U[2] @ (r * h) + b[2])
    return (1 - z) * h + z * g


def next_log_p(
    p: Mapping[str, np.ndarray], memory: np.ndarray, token: int, h: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """One step of the decoder with additive attention."""
    energies = np.array([p["attention.v"] @ np.tanh(p["attention.W_s"] @ h + p["attention.W_h"] @ m) for m in memory])
    weights = np.exp(energies - energies.max())
    context = (weights / weights.sum()) @ memory
    h = gru(p, "decoder", np.concatenate([p["E_target"][token], context]), h)
    y = p["decoder.W_hy"] @ h + p["decoder.b_y"]
    return y - y.max() - np.log(np.exp(y - y.max()).sum()), h


def plain_search(text: str, width: int) -> tuple[dict[tuple[int, ...], tuple[float, float]], list[tuple[float, str]]]:
    """Every kept sequence with its last log-probability and its sum, and what was found, best first."""
    trained = load("dates", "additive")
    task, p = trained.task, trained.model.parameters()
    h = np.zeros(trained.model.hidden_size)
    memory = np.array([h := gru(p, "encoder", p["E_source"][task.source_alphabet.index(c)], h) for c in text])
    beams: list[tuple[tuple[int, ...], float, np.ndarray]] = [((), 0.0, h)]
    kept: dict[tuple[int, ...], tuple[float, float]] = {}
    found: list[tuple[float, str]] = []
    for _ in range(task.target_limit):
        grown = []
        for tokens, total, state in beams:
            log_p, after = next_log_p(p, memory, tokens[-1] if tokens else task.bos, state)
            grown += [((*tokens, v), total + value, after, value) for v, value in enumerate(log_p.tolist())]
        best = sorted(grown, key=lambda one: (-one[1], one[0]))[:width]
        kept |= {tokens: (value, total) for tokens, total, _, value in best}
        found += [(total, task.decode_target(tokens)) for tokens, total, _, _ in best if tokens[-1] == task.eos]
        beams = [(tokens, total, state) for tokens, total, state, _ in best if tokens[-1] != task.eos]
        if not beams:
            break
    found += [(total, task.decode_target(tokens)) for tokens, total, _ in beams]
    return kept, sorted(found, reverse=True)


# --- the page --------------------------------------------------------------------------------


def open_cards(visit: Visit, query: str = f"text={TEXT}&beam={WIDTH}", **how: object) -> Page:
    page = visit("seq2seq", query, **how)
    rested(page)
    return page


def nodes(page: Page) -> list[dict[str, object]]:
    """What is drawn: class, name, and its numbers in the order of the page."""
    return page.locator(".beam-tree .node:not([hidden])").evaluate_all(
        """(all) => all.map((e) => ({ cls: [...e.classList], name: e.getAttribute('aria-label'),
             numbers: [...e.querySelectorAll(".readout")].map((n) => ({ ...n.dataset, text: n.textContent })) }))"""
    )


def test_the_tree_is_that_of_a_plain_search(visit: Visit) -> None:
    """Every kept node, its token's log-probability and its sum; the list, best first; typing makes another tree."""
    page = open_cards(visit)
    for text in (TEXT, "10 may 1998"):
        if text != TEXT:
            type_into(text_field(page, "text"), text)
            settled(page)
            rested(page)
        kept, found = plain_search(text, WIDTH)
        drawn = [node for node in nodes(page) if {"alive", "ended"} & set(node["cls"])]
        pairs = sorted((float(n["numbers"][1]["value"]), float(n["numbers"][0]["value"])) for n in drawn)
        np.testing.assert_allclose(pairs, sorted(kept.values()), rtol=1e-9, atol=1e-12)
        assert all(number["text"] == format_number(float(number["value"])) for n in drawn for number in n["numbers"])
        rows = page.locator(".beam-list tbody tr")
        assert rows.locator("b").all_inner_texts() == [text or "nothing" for _, text in found[:8]]
        sums = [float(read.value) for read in cells(rows.locator(".readout")) if read.symbol == "hypothesis_sum"]
        np.testing.assert_allclose(sums, [total for total, _ in found[:8]], rtol=1e-9)
        best = page.locator(".beam-tree .node.best text:first-of-type").all_text_contents()
        assert "".join(best[1:]).rstrip("■") == found[0][1]


def test_it_grows_with_the_step_and_is_walked_by_keys(visit: Visit) -> None:
    page = open_cards(visit)
    whole = page.locator(".beam-tree .node:not([hidden])").count()
    segment(page, "tree", "grown").click()
    settled(page)
    steps = page.locator(".beam-tree .step-label:visible")
    assert steps.count() == 1
    page.get_by_role("button", name="Next step of the search").click()
    settled(page)
    assert steps.all_text_contents() == ["1", "2"]
    expect(page.locator(".beam-tree .step-label.current")).to_have_text("2")
    assert "tree=grown" in page.evaluate("location.search")
    page.get_by_role("button", name="Last step of the search").click()
    settled(page)
    assert page.locator(".beam-tree .node:not([hidden])").count() == whole
    start = page.locator(".beam-tree .node[tabindex='0']")
    expect(start).to_have_count(1)
    start.focus()
    for _ in range(20):
        page.keyboard.press("ArrowLeft")
    focused = page.locator(".beam-tree .node:focus")
    expect(focused).to_have_attribute("aria-label", "start, start of the output")
    page.keyboard.press("ArrowRight")
    expect(focused).to_have_class("node alive r-output best greedy sel")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(focused).to_have_attribute("aria-pressed", "true")
    shown = [read for read in cells(page.locator(".beam-read .readout")) if read.symbol == "beam_p"]
    total = [float(read.value) for read in cells(focused.locator(".readout")) if read.symbol == "beam_sum"]
    assert float(shown[0].value) == pytest.approx(np.exp(total[0]), rel=1e-12)
    page.keyboard.press("[")
    settled(page)
    expect(page.locator(".beam-tree .step-label.current")).to_have_text(str(steps.count()))
    expect(page.locator(".beam-pick:visible")).to_have_count(0)  # nothing has ended yet
    segment(page, "tree", "whole").click()
    settled(page)
    page.locator(".beam-pick").nth(1).click()
    expect(page.locator(".beam-pick").nth(1)).to_have_attribute("aria-pressed", "true")


def test_a_wrong_target_is_carried_on(visit: Visit) -> None:
    """With a typed target the forced run reads it, the free one its own; the column where they part is marked."""
    page = open_cards(visit, f"text={TEXT}&goal=1999-12-31&mix=0")
    reads = page.locator(".forcing tbody tr:nth-child(2)").all()
    forced, mixed, free = ([*row.locator("b").all_inner_texts()] for row in reads)
    assert forced == ["start", *"1999-12-31"]
    assert mixed == free != forced
    parted = next(t for t in range(len(forced)) if forced[t] != free[t])
    marked = page.locator(".forcing tbody:nth-of-type(2) .part").evaluate_all("(all) => all.map((e) => e.dataset.step)")
    assert set(marked) == {str(parted + 1)}
    assert f"They part at step {parted + 1}:" in page.locator("[data-detail=compare]").nth(2).inner_text()
    losses = [
        read for read in cells(page.locator(".forcing .readout")) if read.symbol == "forcing_loss" and not read.unit
    ]
    total = next(read for read in cells(page.locator(".forcing .total .readout")) if read.unit == 0)
    assert float(total.value) == pytest.approx(sum(float(read.value) for read in losses))
    page.get_by_role("button", name="Step 4", exact=True).click()
    settled(page)
    expect(page.locator(".forcing thead .now")).to_have_text("4")


def test_lengths_are_those_of_the_record(visit: Visit) -> None:
    page = open_cards(visit, "task=reversal&text=abcdefg")
    shown = compared("reversal", ("none", "additive"))
    marks = page.locator(".bottleneck .bottleneck-mark").count()
    assert marks == np.isfinite(shown.shares).sum()
    row = int(np.abs(shown.lengths - len("abcdefg")).argmin())
    wanted = [getattr(shown, name)[row, curve] for curve in range(2) for name in ("shares", "low", "high")]
    assert [float(read.value) for read in cells(page.locator(".bottleneck-read .readout"))] == wanted
    choice(page, "attention").select_option("none")
    settled(page)
    rested(page)
    assert page.locator(".bottleneck .bottleneck-mark").count() == marks


@pytest.mark.parametrize(
    "query",
    [
        f"text={TEXT}&beam=8",
        "task=reversal&text=abcdefgh&beam=8&mode=mixed",
        "attention=none&decoding=greedy&tree=grown&t=3",
    ],
)
def test_nothing_overlaps_or_is_cut_off(visit: Visit, query: str) -> None:
    page = open_cards(visit, query)
    page.locator(OTHERS).evaluate_all("(all) => all.forEach(({ style }) => { style.display = 'none'; })")
    page.evaluate(LOOKS)
    found: dict[str, set[int]] = {}
    for width, height in SIZES:
        resize(page, width, height)
        settled(page)
        for finding in page.evaluate("lint()"):
            found.setdefault(finding, set()).add(width)
    assert not found, found
