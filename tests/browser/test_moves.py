"""What one move costs: one run, one message, nothing rebuilt. What changes looks alone costs no run at all."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page
from rnnscope.core import spectral_radius

from tests.browser import expected
from tests.browser.expected import Expected
from tests.browser.pages import (
    button,
    choice,
    everything,
    number_field,
    readouts,
    rested,
    segment,
    settled,
    shown,
    slider,
    type_into,
)  # fmt: skip

#: Marks every element of the drawings and Bokeh's models, and says later whether they are still the same ones.
REMEMBER = """() => {
  const deeper = (e) => [e, ...(e.shadowRoot ? inside(e.shadowRoot) : [])];
  const inside = (root) => [...root.querySelectorAll('*')].flatMap(deeper);
  const drawn = () => inside(document).filter((e) => e.closest('svg.fig') || e.tagName === 'CANVAS');
  const figures = () => [...Bokeh.documents[0]._all_models.values()].map((model) => `${model.type} ${model.id}`).sort();
  const parts = (elements) => elements.filter((e) => ['svg', 'g', 'text', 'CANVAS'].includes(e.tagName));
  window.before = { drawn: parts(drawn()), models: figures() };
  window.unchanged = () => ({
    drawn: before.drawn.length > 20 && before.drawn.every((e) => e.isConnected)
      && parts(drawn()).length === before.drawn.length,
    models: JSON.stringify(figures()) === JSON.stringify(before.models),
  });
}"""
SAME = {"drawn": True, "models": True}

MOVE_IN_ONE_TASK = """(input, count) => {
  for (let i = 1; i <= count; i += 1) {
    input.value = String(i / 100);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }
}"""


class Runs:
    """Counts how often core unrolls a network: once a run."""

    def __init__(self) -> None:
        self.count = 0


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> Runs:
    counted, module = Runs(), sys.modules["rnnscope.core.run"]
    unroll = module.unroll

    def counting(*given: object) -> object:
        counted.count += 1
        return unroll(*given)

    monkeypatch.setattr(module, "unroll", counting)
    return counted


def traffic(page: Page) -> dict[str, int]:
    """Messages that came to the browser since the page was opened: PATCH-DOC, and those that carry a frame.

    The server also acknowledges what the page sends (OK); those say nothing and are not counted.
    """
    return dict(page.evaluate("() => ({ patches: tap.patches, frames: tap.frames })"))


def press(page: Page, where: Locator, key: str, times: int = 1) -> None:
    """Press a key and wait for the answer, each time."""
    for _ in range(times):
        where.press(key)
        settled(page)


def test_ten_moves_of_rho_are_ten_runs_ten_messages_and_nothing_is_rebuilt(
    visit: Callable[..., Page], runs: Runs
) -> None:
    """Each move has its answer; when the hand rests what is computed at rest has one too: here the curve's table."""
    page = visit("gradients", "curves=rnn")
    page.evaluate(REMEMBER)
    start, before = runs.count, traffic(page)
    press(page, slider(page, "rho"), "ArrowRight", 10)
    after = traffic(page)
    assert runs.count - start == 10
    assert after["frames"] - before["frames"] == 20
    assert after["patches"] - before["patches"] == 20
    assert page.evaluate("unchanged()") == SAME
    assert slider(page, "rho").input_value() == "1"


def test_two_hundred_moves_at_once_are_few_runs_and_the_last_one_is_shown(
    visit: Callable[..., Page], runs: Runs
) -> None:
    page = visit("gradients", "n=8&T=20&curves=rnn")
    start = runs.count
    slider(page, "rho").evaluate(MOVE_IN_ONE_TASK, 200)
    settled(page)
    assert 1 <= runs.count - start <= 5
    last = Expected("gradients", "n=8&T=20&curves=rnn&rho=2")
    assert number_field(page, "rho").input_value() == "2"
    assert [read for read in readouts(page) if not last.holds(read.key, float(read.value))] == []
    assert spectral_radius(last.run.cell.W_hh) == pytest.approx(2)


LOOKS = [
    ("unfold", "", "t", lambda page: press(page, page.get_by_label("Time step", exact=True), "ArrowRight")),
    ("unfold", "", "highlight", lambda page: segment(page, "highlight", "U").click()),
    ("unfold", "", "direction", lambda page: segment(page, "direction", "forward").click()),
    ("unfold", "n=4", "unit", lambda page: choice(page, "unit").select_option("2")),
    ("bptt", "", "moment", lambda page: press(page, page.get_by_label("Moment of the algorithm"), "ArrowLeft", 2)),
    ("bptt", "", "lag", lambda page: page.locator("[data-node=L6h1]").click()),
    ("lstm", "", "unit", lambda page: choice(page, "unit").select_option("2")),
    ("lstm", "", "t", lambda page: button(page, "Last step").click()),
    ("gru", "", "unit", lambda page: choice(page, "unit").select_option("2")),
    ("gru", "", "t", lambda page: button(page, "Last step").click()),
    ("bidirectional", "", "unit", lambda page: choice(page, "unit").select_option("2")),
    ("bidirectional", "", "t", lambda page: button(page, "Last step").click()),
    ("gradients", "", "lag", lambda page: press(page, slider(page, "lag"), "ArrowRight", 3)),
    ("gradients", "", "t", lambda page: press(page, slider(page, "t"), "ArrowLeft", 3)),
]


@pytest.mark.parametrize(("lab", "query", "key", "act"), LOOKS, ids=[f"{lab}-{key}" for lab, _, key, _ in LOOKS])
def test_looks_run_no_core_and_rebuild_nothing(
    visit: Callable[..., Page], runs: Runs, lab: str, query: str, key: str, act: Callable[[Page], None]
) -> None:
    page = visit(lab, query)
    rested(page)
    page.evaluate(REMEMBER)
    start, asked = runs.count, page.evaluate("tap.sequence")
    act(page)
    settled(page)
    assert page.evaluate("tap.sequence") > asked, f"{key} was not told to the server"
    assert runs.count == start
    assert page.evaluate("unchanged()") == SAME


def test_a_step_is_painted_and_explained(visit: Callable[..., Page]) -> None:
    page = visit("lstm", "preset=one-unit&t=5")
    button(page, "Next step").click()
    settled(page)
    later = Expected("lstm", "preset=one-unit&t=6")
    assert {read.key for read in readouts(page, "#lstm")} == expected.diagrams(later, wide=True)["lstm"]
    assert [read for read in readouts(page) if not later.holds(read.key, float(read.value))] == []
    assert ("af", 6, 0) in {read.key for read in readouts(page, ".rail .eq")}


@pytest.mark.parametrize(("text", "shows"), [("1.25", "1.25"), ("−0.5", "-0.5"), ("2e-1", "0.2")])
def test_the_number_field_beside_a_slider_sets_the_value(visit: Callable[..., Page], text: str, shows: str) -> None:
    page = visit("unfold")
    type_into(number_field(page, "W"), text)
    settled(page)
    assert number_field(page, "W").input_value() == shows
    assert float(slider(page, "W").input_value()) == float(shows)
    moved = Expected("unfold", f"W={shows}")
    assert [read for read in readouts(page) if not moved.holds(read.key, float(read.value))] == []


@pytest.mark.parametrize(
    ("lab", "query"),
    [
        ("unfold", "preset=next-character&direction=forward"),
        ("gradients", "rho=2&n=5&T=9&t=4"),
        ("bptt", "cell=lstm&n=3&truncate=2&moment=9"),
        ("lstm", "n=1&t=3"),
        ("gru", "preset=pytorch&reset_bias=2&t=3"),
        ("bidirectional", "preset=late-input&n=2&t=2"),
        ("seq2seq", "task=reversal&text=badge&attention=none&mode=mixed&beam=2&t=3"),
    ],
)
def test_reset_restores_the_defaults_of_the_lab(visit: Callable[..., Page], lab: str, query: str) -> None:
    page = visit(lab, query)
    button(page, "Reset").click()
    page.evaluate("scrollTo(0, 0)")  # what is out of sight is left as it was
    settled(page)
    fresh = [(read.key, read.text) for read in everything(page)]
    opened = visit(lab)
    assert fresh == [(read.key, read.text) for read in everything(opened)]


@pytest.mark.parametrize(
    ("key", "value", "query"),
    [("T", "7", "values=1,-0.5,0.75,0.25,-1,0,0"), ("T", "1", "values=1&target=0.8&t=1"), ("n", "4", "n=4")],
)
def test_another_t_or_n_draws_the_diagram_anew(visit: Callable[..., Page], key: str, value: str, query: str) -> None:
    page = visit("unfold")
    type_into(number_field(page, key), value)
    settled(page)
    case = Expected("unfold", query if "target" in query or key == "n" else f"{query}&target=0.8,0.4,0.6,0.5,-0.2,0,0")
    found = {
        name: {read.key for read in readouts(page, f"#{name}")} for name in ("folded", "unfolded", "contributions")
    }
    assert found == expected.diagrams(case, wide=True)
    assert [read for read in readouts(page, "#unfolded") if not case.holds(read.key, float(read.value))] == []
    assert page.locator("svg#unfolded").count() == 1


def test_highlighting_a_weight_marks_every_copy_of_it(visit: Callable[..., Page]) -> None:
    page = visit("unfold")
    for weight, copies in (("U", 5), ("W", 5), ("V", 5)):
        segment(page, "highlight", weight).click()
        settled(page)
        assert lit(page) == [f"weight-{weight}"] * copies
    segment(page, "highlight", "none").click()
    settled(page)
    assert lit(page) == []


def lit(page: Page) -> list[str]:
    """The weight of every halo that is shown. A straight line has no area, so that Playwright calls it invisible."""
    shown_halos = "(all) => all.filter((e) => getComputedStyle(e).display !== 'none').map((e) => e.classList.item(2))"
    return list(page.locator("#unfolded path.halo").evaluate_all(shown_halos))


def test_the_input_at_the_cursor_can_be_dragged_in_the_lstm_lab(visit: Callable[..., Page]) -> None:
    page = visit("lstm", "preset=one-unit&t=2")
    press(page, page.get_by_role("slider", name="Input at this step"), "ArrowRight")
    read = shown(page, "x", 2).first.get_attribute("data-value")
    assert float(str(read)) == pytest.approx(0.91)
