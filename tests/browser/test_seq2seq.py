"""/seq2seq in the browser: typed input is answered live, and what is on the page is a plain recomputation's."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from playwright.sync_api import Page, expect
from rnnscope.app.weights import load

from tests.browser.pages import button, choice, notices, readouts, rested, settled, text_field

TEXT = "5 may 1988"


def sigmoid(x: np.ndarray) -> np.ndarray:
    return np.asarray(1 / (1 + np.exp(-x)))


def gru(weights: dict[str, np.ndarray], part: str, x: np.ndarray, h: np.ndarray) -> np.ndarray:
    """One step: blocks z, r, g; the reset gate before the product, the update gate takes the new."""
    W, U, b = (weights[f"{part}.{name}"] for name in ("W_xh", "W_hh", "b_h"))
    z, r = (sigmoid(W[i] @ x + U[i] @ h + b[i]) for i in (0, 1))
    return np.asarray((1 - z) * h + z * np.tanh(W[2] @ x + U[2] @ (r * h) + b[2]))


def recomputed(text: str, steps: int) -> dict[str, np.ndarray]:
    """Greedy decoding with additive attention in plain NumPy, from the shipped weights alone."""
    trained = load("dates", "additive")
    weights = {name: np.asarray(value) for name, value in trained.model.parameters().items()}
    h, memory = np.zeros(trained.model.hidden_size), []
    for character in text:
        h = gru(weights, "encoder", weights["E_source"][trained.task.source_alphabet.index(character)], h)
        memory.append(h)
    H, token, found = np.array(memory), trained.task.bos, {"e": [], "alpha": [], "p_next": []}
    for _ in range(steps):
        inner = weights["attention.W_s"] @ h + H @ weights["attention.W_h"].T
        e = np.tanh(inner) @ weights["attention.v"]
        alpha = np.exp(e - e.max()) / np.exp(e - e.max()).sum()
        h = gru(weights, "decoder", np.concatenate([weights["E_target"][token], alpha @ H]), h)
        y = weights["decoder.W_hy"] @ h + weights["decoder.b_y"]
        p = np.exp(y - y.max()) / np.exp(y - y.max()).sum()
        token = int(p.argmax())
        for name, row in (("e", e), ("alpha", alpha), ("p_next", p)):
            found[name].append(row)
    return {name: np.array(rows) for name, rows in found.items()}


def test_every_score_weight_and_probability_is_that_of_a_plain_recomputation(visit: Callable[..., Page]) -> None:
    page = visit("seq2seq", f"text={TEXT}&decoding=greedy&t=3&j=7")
    settled(page)
    expected = recomputed(TEXT, 11)
    seen: set[str] = set()
    for read in readouts(page):
        symbol, t, unit = read.key
        if symbol in expected:
            np.testing.assert_allclose(float(read.value), expected[symbol][t - 1, unit], rtol=1e-9, atol=1e-13)
            seen.add(symbol)
    assert seen == {"e", "alpha", "p_next"}


def test_a_key_stroke_is_answered_and_what_cannot_be_read_is_said(visit: Callable[..., Page]) -> None:
    page = visit("seq2seq", f"text={TEXT}")
    field, said = text_field(page, "text"), page.locator(".s2s-said b")
    field.press("End")
    field.press("Backspace")
    field.press("9")
    expect(said).to_have_text("“1989-05-05”")
    field.press("%")
    expect(page.locator(".s2s-problem")).to_contain_text("does not know the character “%”")
    expect(field).to_have_value("5 may 1989%")
    expect(said).to_have_text("“1989-05-05”")
    field.fill("")
    expect(page.locator(".s2s-problem")).to_contain_text("It is empty")
    field.fill("7 may 1989")
    expect(page.locator(".s2s-problem")).to_be_empty()
    expect(said).to_have_text("“1989-05-07”")
    assert notices(page) == []


def test_a_cell_selects_step_and_character_and_the_bottleneck_has_none(visit: Callable[..., Page]) -> None:
    page = visit("seq2seq", f"text={TEXT}")
    page.locator(".s2s-shares").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    settled(page)
    chosen = page.locator(".s2s-shares td.chosen")
    expect(chosen).to_have_attribute("data-t", "2")
    expect(chosen).to_have_attribute("data-unit", "1")
    page.locator("[data-node=x5]").click()
    button(page, "Next step").click()
    settled(page)
    expect(page.locator(".s2s-scores tr.on th")).to_have_text("5")
    expect(page.locator(".s2s-shares tr.on th").first).to_have_text("8")
    choice(page, "attention").select_option("none")
    settled(page)
    expect(page.locator("[data-node=bottleneck]")).to_be_visible()
    expect(page.locator(".s2s-scores")).to_be_hidden()
    page.locator(".s2s-reach").scroll_into_view_if_needed()
    rested(page)
    assert {"grad_with", "grad_without", "path_without"} <= {read.key[0] for read in readouts(page)}
