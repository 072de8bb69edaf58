"""/attention in the browser: what is on the page is a plain recomputation's; arrows, clicks and the slider choose."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from rnnscope.app.attention_numbers import attend_with
from rnnscope.app.labs.attention import lab
from rnnscope.core import AttentionConfig, build_attention, build_tokens, draw_pairs

from tests.browser.pages import (
    Readout,
    button,
    choice,
    notices,
    number_field,
    readouts,
    segment,
    settled,
    shown,
    slider,
    type_into,
)

TEXT = "to be"
QUERY = f"text={TEXT}&d_model=6&heads=2&mask=causal&positions=sinusoidal&t=3&unit=1&head=2"


def softmax(rows: np.ndarray) -> np.ndarray:
    raised = np.exp(rows - rows.max(axis=-1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True))


def sinusoids(T: int, d: int) -> np.ndarray:
    angles = [[p / 10_000 ** (2 * (i // 2) / d) for i in range(d)] for p in range(T)]
    return np.array([[math.cos(a) if i % 2 else math.sin(a) for i, a in enumerate(row)] for row in angles])


def recomputed(config: AttentionConfig) -> dict[str, np.ndarray]:
    """Every table in plain NumPy, head by head, from the drawn weights and tokens alone."""
    layer, T, d = build_attention(config), config.T, config.d_model
    W_q, W_k, W_v = np.asarray(layer.in_proj_weight).reshape(3, d, d)
    x = np.asarray(build_tokens(config)) + sinusoids(T, d)
    found = {"x": x, "q": x @ W_q.T, "k": x @ W_k.T, "v": x @ W_v.T}
    heads: dict[str, list[np.ndarray]] = {name: [] for name in ("product", "score", "masked", "exp", "weight")}
    contexts = []
    for head in np.split(np.arange(d), config.heads):
        product = found["q"][:, head] @ found["k"][:, head].T
        masked = np.where(np.tri(T, dtype=bool), product / math.sqrt(len(head)), -np.inf)
        rows = (product, product / math.sqrt(len(head)), masked)
        raised = np.exp(masked - masked.max(axis=1, keepdims=True))
        for name, table in zip(heads, (*rows, raised, softmax(masked)), strict=True):
            heads[name].append(table)
        contexts.append(softmax(masked) @ found["v"][:, head])
    joined = np.concatenate(contexts, axis=1)
    out = joined @ np.asarray(layer.out_proj_weight).T
    return found | {name: np.concatenate(tables, axis=1) for name, tables in heads.items()} | {
        "context": joined, "out": out}  # fmt: skip


def known(page: Page, expected: dict[str, np.ndarray]) -> list[Readout]:
    return [read for read in readouts(page) if read.symbol in expected]


def test_every_number_of_the_way_is_that_of_a_plain_recomputation(visit: Callable[..., Page]) -> None:
    page = visit("attention", QUERY)
    config = AttentionConfig(T=5, d_model=6, heads=2, input="text", text=TEXT, mask="causal", positions="sinusoidal")
    expected = recomputed(config)
    seen = known(page, expected)
    for read in seen:
        np.testing.assert_allclose(
            float(read.value), expected[read.symbol][read.t - 1, read.unit], rtol=1e-9, atol=1e-12
        )
    assert {read.symbol for read in seen} == set(expected)
    drawn = {(read.t, read.unit) for read in seen if read.symbol == "weight"}
    assert drawn == {(t, unit) for t in range(1, 6) for unit in range(10)}, "a cell of every head"
    assert {read.unit for read in seen if read.symbol == "q"} == {3, 4, 5}, "the columns of head 2"


def test_arrows_clicks_and_stages_choose_query_key_and_head(visit: Callable[..., Page]) -> None:
    page = visit("attention", "text=hello")
    flow = page.locator(".at-flow")
    flow.focus()
    for key in ("ArrowDown", "ArrowRight", "]", "ArrowRight", "ArrowUp"):
        page.keyboard.press(key)
    settled(page)
    chosen = flow.locator(".og-cell.chosen")
    assert {(cell.get_attribute("data-t"), cell.get_attribute("data-unit")) for cell in chosen.all()} == {("2", "2")}
    page.locator(".at-heads .og-piece").nth(1).locator(".og-cell").nth(4 * 5 + 1).click()
    settled(page)
    assert number_field(page, "head").input_value() == "2"
    expect(page.locator(".at-row tr.on th")).to_have_text("2")
    expect(page.get_by_role("heading", name="Query 5 and key 2, head 2")).to_be_visible()
    button(page, "Next sub-step").click()
    button(page, "Next sub-step").click()
    settled(page)
    expect(page.locator(".substep-said")).to_contain_text("Query 5 is multiplied with every key")
    assert flow.locator(".og-piece.lit").count() == 1
    assert flow.locator(".readout[data-symbol=weight]").count() == 0, "not computed yet"
    assert flow.locator(".readout[data-symbol=product]").count() == 25
    button(page, "Whole step").click()
    settled(page)
    assert flow.locator(".readout[data-symbol=weight]").count() == 25


#: Remembers every cell and every model of Bokeh; `unchanged()` says whether they are the same ones still.
REMEMBER = """() => {
  const within = (e) => (e.shadowRoot ? [...e.shadowRoot.querySelectorAll('.og-cell, .at-bars i')] : []);
  const page = [...document.querySelectorAll('*')].flatMap(within);
  const models = () => [...Bokeh.documents[0]._all_models.keys()].sort().join();
  const before = models();
  window.unchanged = () => page.length > 100 && page.every((e) => e.isConnected) && models() === before;
}"""


def test_a_look_runs_nothing_and_a_move_builds_nothing_anew(
    visit: Callable[..., Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[AttentionConfig] = []
    monkeypatch.setattr(lab, "attend_with", lambda config: runs.append(config) or attend_with(config))
    page = visit("attention", "positions=learned")
    settled(page)
    page.evaluate(REMEMBER)
    started = len(runs)
    page.locator(".at-flow").press("ArrowRight")
    button(page, "Last query").click()
    slider(page, "head").press("ArrowRight")
    settled(page)
    assert len(runs) == started
    for act in (segment(page, "scale", "none"), segment(page, "axis", "n")):
        act.click()
        settled(page)
    slider(page, "d_k").press("ArrowRight")
    settled(page)
    assert len(runs) == started + 3
    assert page.evaluate("unchanged()") is False, "without a division there is no S between QK and A"
    page.evaluate(REMEMBER)
    slider(page, "seed").press("ArrowRight")
    slider(page, "d_k").press("ArrowLeft")
    choice(page, "cost").select_option("parameters")
    settled(page)
    assert page.evaluate("unchanged()") is True


def test_the_slider_of_d_k_and_the_costs_show_what_is_counted(visit: Callable[..., Page]) -> None:
    page = visit("attention")
    slider(page, "d_k").evaluate("(e) => { e.value = 16; e.dispatchEvent(new Event('input', { bubbles: true })); }")
    settled(page)
    pairs = draw_pairs(0)
    scores = np.einsum("qi,qki->qk", pairs.queries[:, :16], pairs.keys[:, :, :16])
    for unit, rows in enumerate((scores, scores / 4)):
        for cell in shown(page, "sc_variance", 16, unit).all():
            np.testing.assert_allclose(float(str(cell.get_attribute("data-value"))), rows.var(), rtol=1e-9)
        largest = shown(page, "sc_largest", 16, unit).first.get_attribute("data-value")
        np.testing.assert_allclose(float(str(largest)), softmax(rows).max(axis=1).mean(), rtol=1e-9)
    choice(page, "cost").select_option("path_length")
    segment(page, "axis", "T").click()
    settled(page)
    assert shown(page, "cost_gru", 5).first.inner_text() == "5"
    assert shown(page, "cost_self_attention", 5).first.inner_text() == "1"
    page.locator("details.data > summary").last.click()
    expect(page.get_by_role("region", name="Data: the cost of each model").locator("tbody tr")).to_have_count(24)


def test_heads_that_do_not_fit_are_said_and_what_is_typed_is_shown(visit: Callable[..., Page]) -> None:
    page = visit("attention", "heads=3&mask=causal")
    assert len(notices(page)) == 1
    assert "a divisor of d_model = 8" in notices(page)[0]
    assert number_field(page, "heads").input_value() == "2"
    type_into(number_field(page, "heads"), "5")
    settled(page)
    assert "It stays as it was." in notices(page)[1]
    assert number_field(page, "heads").input_value() == "2"
    type_into(page.locator("input.txt[data-key=text]"), "a <b>é")
    settled(page)
    names = page.locator(".at-flow .at-names").first.locator("span")
    assert names.all_inner_texts() == ["a", "\u2423", "<", "b", ">", "é"]
    assert shown(page, "weight", 1, 0).first.inner_text() == "1.00"
