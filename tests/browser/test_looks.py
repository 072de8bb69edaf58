"""No text over text, no wire through a label, nothing cut off or too small: measured on the real pages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page
from rnnscope.app import words
from rnnscope.app.view import LabView

from tests.browser.pages import readouts, resize, rested, segment, settled

LOOKS = (Path(__file__).parent / "looks.js").read_text("utf-8")
LABS = ("unfold", "gradients", "bptt", "lstm", "gru", "bidirectional", "seq2seq", "attention")
SIZES = ((1440, 900), (1360, 800), (1024, 768), (768, 1024), (390, 844), (360, 740))
LONGEST = "−1.8e+308"

VARIANTS = [(reset, update) for reset in ("before", "after") for update in ("new", "old")]
LETTERS = [(1, "pytorch"), (8, "concat"), (4, "goodfellow")]

#: States besides the default one: every preset that draws something else, many units, many steps, one step.
STATES = [
    ("", ""),
    ("unfold", ""),
    ("unfold", "preset=next-character&unit=2"),
    ("unfold", "n=8&input=noise&T=12&t=12&unit=7"),
    ("unfold", "preset=worked-example&notation=pytorch"),
    ("unfold", "pattern=output"),
    ("unfold", "pattern=output&T=12&n=8&input=noise&t=9&notation=boucher"),
    ("unfold", "pattern=output&forcing=teacher&text=hello&n=4&notation=pytorch"),
    ("unfold", "pattern=last&n=4&input=noise&T=7&t=7"),
    ("unfold", "pattern=system&n=4&T=12&t=12"),
    ("unfold", "pattern=convolution"),
    ("unfold", "pattern=convolution&T=12&window=8&n=8&input=noise&t=10"),
    ("unfold", "pattern=convolution&n=3&d=3&input=noise&T=6&window=6&t=6&notation=concat"),
    ("gradients", ""),
    ("gradients", "preset=radius-is-not-norm&input=text"),
    ("bptt", ""),
    ("bptt", "preset=truncated&notation=pytorch&moment=20"),
    ("bptt", "cell=lstm&n=4&T=9&input=noise&t=8&lag=4&truncate=5"),
    ("bptt", "T=12&input=noise&t=9&lag=6"),
    ("bptt", "input=text&text=hello&n=3&cell=gru"),
    ("bptt", "preset=vanishing-loom"),
    ("lstm", ""),
    ("lstm", "n=1&t=0"),
    ("lstm", "input=text&text=hello&notation=pytorch&T=1"),
    *(("gru", f"n={n}&reset={reset}&update={update}") for n in (1, 4, 8) for reset, update in VARIANTS),
    *(("gru", f"n={n}&reset=after&update=old&input=noise&T=40&t=40&notation={name}") for n, name in LETTERS),
    *(("gru", f"n={n}&input=noise&T=40&t=40&notation={name}") for n, name in LETTERS),
    ("gru", "input=text&text=hello&T=1&t=0"),
    ("bidirectional", ""),
    ("bidirectional", "n=1&T=5&change=2:-1"),
    ("bidirectional", "cell=lstm&n=8&d=3&input=noise&T=12&notation=concat"),
    ("bidirectional", "preset=text"),
    ("lstm", "n=8&d=8&input=noise&T=40&substep=10&open=g&notation=concat"),
    ("seq2seq", ""),
    ("seq2seq", "text=Donnerstag, 10. September 1998&t=11&j=30"),
    ("seq2seq", "text=7&attention=none"),
    ("seq2seq", "task=reversal&text=abcdefghabcdefghabcd&mode=mixed&t=9&beam=8"),
    ("seq2seq", "mode=mixed&goal=1999-12-31&t=5"),
    ("attention", ""),
    ("attention", "input=noise&T=12&d_model=16&heads=8&positions=learned&mask=causal&t=12&unit=11&head=8"),
    ("attention", "text=a&d_model=2&heads=1&substep=4&cost=sequential_steps&d_k=1"),
]

#: Real states whose numbers are as long as numbers get.
EXTREMES = [
    ("unfold", "activation=linear&U=-10&W=-9.87&V=-10&b=-1.23e-9&values=-1.2e-38,1.7e300,-2.3e-290,4.5e299,-1e301"),
    ("unfold", "activation=linear&n=4&rho=3&values=-1.2e-38,1.7e152,-2.3e-290,4.5e99,-1.7e151"),
    ("gradients", "activation=linear&family=jordan&rho=3&T=200&n=64&lag=200"),
    ("gradients", "activation=linear&rho=0.01&T=200&n=3&lag=200"),
    ("lstm", "values=-1.2e-38,1.7e300,-2.3e-290,4.5e299,-1e301&sigma_in=0.001&forget_bias=-10&t=1"),
    ("gru", "n=1&values=-1.2e-38,1.7e300,-2.3e-290&sigma_in=1&update_bias=-10&t=2"),
    ("gru", "values=-1.2e-38,1.7e300,-2.3e-290,4.5e299,-1e301&sigma_in=0.001&reset=after&update=old&t=1"),
    ("lstm", "n=1&values=-1.2e-38,1.7e-300,-2.3e-290&sigma_in=1&rho=0&t=2"),
]


def check(page: Page, sizes: tuple[tuple[int, int], ...] = SIZES) -> None:
    """The lint finds nothing at any of the sizes; what it finds is told with the widths at which it does."""
    page.evaluate(LOOKS)
    found: dict[str, set[int]] = {}
    for width, height in sizes:
        resize(page, width, height)
        for finding in page.evaluate("lint()"):
            found.setdefault(finding, set()).add(width)
    assert not found, "\n" + "\n".join(f"{finding} at {sorted(widths)}" for finding, widths in found.items())


@pytest.mark.parametrize(("lab", "query"), STATES)
def test_nothing_overlaps_or_is_cut_off_at_any_width(visit: Callable[..., Page], lab: str, query: str) -> None:
    page = visit(lab, query)
    if lab == "seq2seq":  # most of its cards are drawn at rest
        rested(page)
    check(page)


@pytest.mark.parametrize(("lab", "query"), EXTREMES)
def test_nothing_overlaps_where_real_numbers_are_extreme(visit: Callable[..., Page], lab: str, query: str) -> None:
    page = visit(lab, query)
    assert any(len(read.text) >= 6 for read in readouts(page))
    check(page)


@pytest.fixture
def longest_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every number that the page or Python prints is the longest string that the format knows."""
    start = "function formatNumber(x, digits = 3) {"
    assert LabView._esm.count(start) == 1
    longest = f"{start}\n  if (typeof x === 'number') return '{LONGEST}';"
    monkeypatch.setattr(LabView, "_esm", LabView._esm.replace(start, longest))
    monkeypatch.setattr(words, "format_number", lambda *given, **named: LONGEST)
    monkeypatch.setattr(words, "token_words", long_tokens(words.token_words))
    monkeypatch.setattr("rnnscope.app.labs.equation_text.token_words", long_tokens(words.token_words))


def long_tokens(made: Callable[..., words.Phrase]) -> Callable[..., words.Phrase]:
    def longer(*given: object) -> words.Phrase:
        return [token | {"text": LONGEST} if token["kind"] == "number" else token for token in made(*given)]

    return longer


@pytest.mark.usefixtures("longest_numbers")
@pytest.mark.parametrize(
    ("lab", "query"),
    [("unfold", ""), ("unfold", "n=4&input=noise&T=12"), ("unfold", "preset=next-character"), ("gradients", ""),
     ("lstm", ""), ("lstm", "n=1"), ("bidirectional", ""), ("bidirectional", "n=8"),
     ("attention", "d_model=4&heads=2&mask=causal"),
     *(("gru", f"n={n}&reset={reset}&update={update}") for n in (1, 4) for reset, update in VARIANTS)],
)  # fmt: skip
def test_nothing_overlaps_with_the_longest_numbers_everywhere(visit: Callable[..., Page], lab: str, query: str) -> None:
    page = visit(lab, query)
    assert sum(read.text == LONGEST for read in readouts(page)) > 5
    check(page)


#: Elements that reach past the right edge of the page.
WIDER = """() => {
  const deeper = (e) => [e, ...(e.shadowRoot ? inside(e.shadowRoot) : [])];
  const inside = (root) => [...root.querySelectorAll('*')].flatMap(deeper);
  const wide = document.documentElement.clientWidth;
  const shown = (e) => e.checkVisibility() && !e.closest('.vh') && !/^bk-/.test(e.className);
  return inside(document).filter((e) => shown(e) && e.getBoundingClientRect().right > wide + 1)
    .map((e) => `${e.tagName} ${e.getAttribute('class')}`);
}"""


@pytest.mark.parametrize("lab", LABS)
def test_an_embedded_lab_has_no_header_and_room_for_everything(visit: Callable[..., Page], lab: str) -> None:
    page = visit(lab, "embed=1", width=640, height=620)
    assert page.locator("header, nav").count() == 0
    assert page.get_by_role("heading", level=1).count() == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 640
    assert page.evaluate(WIDER) == []
    assert readouts(page)
    check(page, ((640, 620),))


@pytest.mark.parametrize("lab", ["", *LABS])
def test_every_text_stands_out_from_its_ground(visit: Callable[..., Page], lab: str) -> None:
    page = visit(lab)
    page.evaluate(LOOKS)
    page.add_style_tag(content="* { transition: none !important }")
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        if lab:
            settled(page)
        measured = page.evaluate("contrast()")
        assert measured["strings"] > (20 if lab == "" else 60)
        assert [f"{theme}: {finding}" for finding in measured["out"]] == []


@pytest.mark.parametrize("weight", ["U", "V", "none"])
def test_every_text_stands_out_whatever_is_highlighted(visit: Callable[..., Page], weight: str) -> None:
    page = visit("unfold", theme="dark")
    page.evaluate(LOOKS)
    segment(page, "highlight", weight).click()
    settled(page)
    assert page.evaluate("contrast()")["out"] == []


@pytest.mark.parametrize("substep", [3, 10, 19])
def test_every_text_stands_out_inside_a_step(visit: Callable[..., Page], substep: int) -> None:
    page = visit("lstm", f"substep={substep}&open=g")
    page.evaluate(LOOKS)
    page.add_style_tag(content="* { transition: none !important }")
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        settled(page)
        assert [f"{theme}: {finding}" for finding in page.evaluate("contrast()")["out"]] == []


@pytest.mark.parametrize("lab", ["unfold", "lstm", "gru"])
def test_diagram_and_step_bar_need_no_scrolling_at_1440_by_900(visit: Callable[..., Page], lab: str) -> None:
    page = visit(lab, width=1440, height=900)
    for part in (".card.key svg.fig", ".step"):
        for place in page.locator(part).all():
            box = place.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= 900


@pytest.mark.parametrize(
    ("lab", "parts"), [("unfold", (".card.pat", ".card.rail", ".row.r3")), ("seq2seq", (".card.try", ".card.rail"))]
)
def test_on_a_phone_presets_stand_right_after_the_diagram(
    visit: Callable[..., Page], lab: str, parts: tuple[str, ...]
) -> None:
    page = visit(lab, "", width=390, height=844)
    tops = [page.locator(part).first.bounding_box() for part in (".card.key", *parts)]
    ends = [box["y"] + box["height"] for box in tops if box]
    assert [box["y"] for box in tops[1:] if box] == pytest.approx([end + 12 for end in ends[:-1]], abs=1)
