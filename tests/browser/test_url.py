"""The query string is the state: what is on screen can be linked, opened again, locked, hidden and embedded."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import (
    Site,
    button,
    choice,
    everything,
    notices,
    number_field,
    open_page,
    readouts,
    segment,
    settled,
    shown,
    slider,
    text_field,
    type_into,
)  # fmt: skip


def seen(page: Page) -> list[tuple[tuple[str, int, int], str]]:
    return [(read.key, read.value) for read in everything(page)]


def query_of(url: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(url).query))


def set_number(key: str, value: str) -> Callable[[Page], None]:
    return lambda page: type_into(number_field(page, key), value)


def set_text(key: str, value: str) -> Callable[[Page], None]:
    return lambda page: type_into(text_field(page, key), value)


def choose(key: str, value: str) -> Callable[[Page], None]:
    return lambda page: choice(page, key).select_option(value) and None


def pick(key: str, value: str) -> Callable[[Page], None]:
    return lambda page: segment(page, key, value).click()


#: Lab, what is set by hand, and what the link must then say.
ROUNDS = [
    ("unfold", [set_number("U", "1.5"), set_number("W", "-0.25"), set_number("V", "2"), set_number("b", "0.5"),
                set_number("c", "1"), set_number("h0", "0.4"), choose("activation", "relu"),
                choose("notation", "pytorch")],
     {"U": "1.5", "W": "-0.25", "V": "2", "b": "0.5", "c": "1", "h0": "0.4", "activation": "relu",
      "notation": "pytorch"}),
    ("unfold", [set_text("values", "0.5, -1, 2"), set_text("target", "1,0,1"), pick("highlight", "U"),
                pick("direction", "forward"), lambda page: button(page, "First step").click()],
     {"values": "0.5,-1,2", "target": "1,0,1", "highlight": "U", "direction": "forward", "t": "1"}),
    ("unfold", [choose("input", "text"), set_text("text", "to be"), set_number("n", "3"), choose("unit", "2")],
     {"input": "text", "text": "to be", "n": "3", "unit": "2"}),
    ("unfold", [pick("pattern", "output"), pick("forcing", "teacher"), set_number("W", "0.5")],
     {"pattern": "output", "forcing": "teacher", "W": "0.5"}),
    ("unfold", [pick("pattern", "convolution"), set_number("window", "2"), set_number("n", "2")],
     {"pattern": "convolution", "window": "2", "n": "2"}),
    ("unfold", [pick("pattern", "system"), set_number("T", "9"), set_number("h0", "0.7")],
     {"pattern": "system", "T": "9", "h0": "0.7"}),
    ("gradients", [set_number("rho", "1.2"), set_number("n", "8"), set_number("T", "30"), set_number("seed", "7"),
                   set_number("sigma_in", "2"), set_number("lag", "20"), choose("family", "orthogonal"),
                   choose("activation", "linear"), choose("input", "sine"), set_number("t", "12")],
     {"rho": "1.2", "n": "8", "T": "30", "seed": "7", "sigma_in": "2", "lag": "20", "family": "orthogonal",
      "activation": "linear", "input": "sine", "t": "12"}),
    ("bptt", [set_number("truncate", "3"), set_number("clip", "0.5"), set_number("learning_rate", "0.2"),
              set_number("t", "6"), set_number("lag", "1"), lambda page: button(page, "Previous step").click()],
     {"truncate": "3", "clip": "0.5", "learning_rate": "0.2", "t": "6", "lag": "1", "moment": "32"}),
    ("bptt", [choose("cell", "gru"), set_number("n", "4"), choose("reset", "after"), choose("block", "r"),
              choose("unit", "2")],
     {"cell": "gru", "n": "4", "reset": "after", "block": "r", "unit": "2"}),
    ("lstm", [set_number("forget_bias", "-2.5"), set_number("n", "2"), choose("unit", "1"), set_number("rho", "0.3"),
              choose("family", "symmetric"), choose("input", "impulse"), set_number("T", "9"), set_number("seed", "3"),
              choose("notation", "concat"), lambda page: button(page, "Last step").click()],
     {"forget_bias": "-2.5", "n": "2", "unit": "1", "rho": "0.3", "family": "symmetric", "input": "impulse", "T": "9",
      "seed": "3", "notation": "concat", "t": "9"}),
    ("bidirectional", [choose("change", "2"), set_number("change", "-0.25"), set_number("n", "3"),
                       choose("cell", "gru"), choose("unit", "2")],
     {"change": "2:-0.25", "n": "3", "cell": "gru", "unit": "2"}),
    ("gru", [set_number("update_bias", "-2.5"), pick("reset", "after"), pick("update", "old"),
             set_number("reset_bias", "1.5"), set_number("n", "3"), choose("unit", "2"), choose("notation", "pytorch")],
     {"update_bias": "-2.5", "reset": "after", "update": "old", "reset_bias": "1.5", "n": "3", "unit": "2",
      "notation": "pytorch"}),
    ("attention", [set_text("text", "to be"), set_number("d_model", "6"), set_number("heads", "3"),
                   pick("positions", "learned"), pick("mask", "causal"), pick("scale", "none"), set_number("d_k", "9"),
                   choose("cost", "parameters"), pick("axis", "n"), set_number("head", "2"),
                   lambda page: button(page, "Next query").click()],
     {"text": "to be", "d_model": "6", "heads": "3", "positions": "learned", "mask": "causal", "scale": "none",
      "d_k": "9", "cost": "parameters", "axis": "n", "head": "2", "t": "2"}),
    ("seq2seq", [set_text("text", "7. mai 88"), choose("attention", "dot"), set_number("temperature", "0.5"),
                 pick("mode", "mixed"), set_number("seed", "3"), set_text("goal", "1988-05-08"), set_number("j", "4"),
                 lambda page: button(page, "Last step").click()],
     {"text": "7. mai 88", "attention": "dot", "temperature": "0.5", "mode": "mixed", "seed": "3",
      "goal": "1988-05-08", "j": "4", "t": "11"}),
]  # fmt: skip


ROUND_NAMES = (
    "scalars", "typed", "text", "output", "convolution", "system", "gradients", "bptt", "bptt-gru", "lstm",
    "bidirectional", "gru", "attention", "seq2seq",
)  # fmt: skip


@pytest.mark.parametrize(("lab", "steps", "link"), ROUNDS, ids=ROUND_NAMES)
def test_copy_link_gives_a_url_that_opens_in_the_same_numbers(
    clipboard_page: Page, site: Site, lab: str, steps: list[Callable[[Page], None]], link: dict[str, str]
) -> None:
    page = open_page(clipboard_page, site.url(lab))
    for act in steps:
        act(page)
        settled(page)
    button(page, "Copy link").click()
    expect(page.get_by_text("Link copied").first).to_be_visible()
    copied, before = page.evaluate("() => navigator.clipboard.readText()"), seen(page)
    assert copied.startswith(site.url(lab) + "?")
    assert query_of(copied) == link
    assert seen(open_page(page, copied)) == before
    assert notices(page) == []


def test_a_preset_in_the_link_is_kept_and_only_differences_are_added(clipboard_page: Page, site: Site) -> None:
    page = open_page(clipboard_page, site.url("unfold", "preset=worked-example"))
    type_into(number_field(page, "W"), "0.75")
    settled(page)
    button(page, "Copy link").click()
    expect(page.get_by_text("Link copied").first).to_be_visible()
    assert page.evaluate("() => navigator.clipboard.readText()") == site.url("unfold", "preset=worked-example&W=0.75")


REFUSE = (
    "() => { navigator.clipboard.writeText = () => Promise.reject(new DOMException('denied', 'NotAllowedError')); }"
)


@pytest.mark.parametrize("place", [".rs", "header"])
def test_a_refused_clipboard_shows_the_link_in_a_field_to_copy_by_hand(visit: Callable[..., Page], place: str) -> None:
    page = visit("gradients", "rho=1.5")
    page.evaluate(REFUSE)
    page.locator(place).get_by_role("button", name="Copy link").click()
    dialog = page.get_by_role("dialog", name="Copy link")
    expect(dialog).to_be_visible()
    field = dialog.get_by_role("textbox")
    expect(field).to_have_value(page.url)
    expect(field).to_be_focused()
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()


def test_the_address_bar_follows_and_the_history_does_not_grow(visit: Callable[..., Page]) -> None:
    page = visit("gradients", "n=8")
    length = page.evaluate("history.length")
    for key in ("ArrowRight", "ArrowRight", "End"):
        slider(page, "rho").press(key)
        settled(page)
    page.wait_for_url(lambda url: query_of(url) == {"n": "8", "rho": "3"})
    assert page.evaluate("history.length") == length


@pytest.mark.parametrize(
    ("lab", "key", "value"), [("unfold", "W", "1.1"), ("gradients", "rho", "1.3"), ("lstm", "n", "3")]
)
def test_a_reload_brings_the_state_back(visit: Callable[..., Page], lab: str, key: str, value: str) -> None:
    page = visit(lab)
    type_into(number_field(page, key), value)
    settled(page)
    before = seen(page)
    page.wait_for_url(lambda url: query_of(url) == {key: value})
    page.reload()
    page.locator(".rs[data-sequence]").wait_for()
    settled(page)
    assert seen(page) == before
    assert query_of(page.url) == {key: value}


def test_a_number_is_written_as_a_person_would(visit: Callable[..., Page]) -> None:
    page = visit("gradients", "n=8&rho=1.1")
    slider(page, "rho").press("ArrowRight")
    settled(page)
    page.wait_for_url(lambda url: urlsplit(url).query == "n=8&rho=1.11")


def test_the_address_holds_no_key_that_follows_from_the_others(visit: Callable[..., Page]) -> None:
    page = visit("gradients", "n=8&T=20")
    type_into(number_field(page, "rho"), "1.5")
    settled(page)
    page.wait_for_url(lambda url: query_of(url).get("rho") == "1.5")
    assert query_of(page.url) == {"n": "8", "T": "20", "rho": "1.5"}


# --- embed, lock, hide, theme ----------------------------------------------------------------


def test_an_embedded_lab_works_in_an_iframe_and_keeps_the_address_to_itself(own_page: Page, site: Site) -> None:
    own_page.goto(site.url(""))
    own_page.evaluate(
        "(url) => { const f = document.createElement('iframe'); f.width = 640; f.height = 900; f.src = url;"
        " document.body.replaceChildren(f); }", site.url("gradients", "embed=1&n=8&T=20"))  # fmt: skip
    frame = own_page.frame_locator("iframe")
    frame.locator(".rs[data-sequence]").wait_for()
    length = own_page.evaluate("history.length")
    frame.locator("input[type=range][data-key=rho]").press("End")
    expect(frame.locator("h2 .readout[data-symbol=rho]")).to_have_text("3.00")
    assert own_page.url == site.url("")
    assert own_page.evaluate("history.length") == length


def test_locked_controls_are_shown_and_disabled_and_cannot_be_set_by_a_message(visit: Callable[..., Page]) -> None:
    page = visit("gradients", "lock=rho,family&n=8&T=20")
    for control in (slider(page, "rho"), number_field(page, "rho"), choice(page, "family")):
        assert control.is_visible()
        assert control.is_disabled()
    assert slider(page, "sigma_in").is_enabled()
    before = seen(page)
    slider(page, "rho").evaluate(
        "(e) => { e.disabled = false; e.value = 2; e.dispatchEvent(new Event('input', { bubbles: true })); }"
    )
    settled(page)
    assert seen(page) == before
    settled(page)


@pytest.mark.parametrize(
    ("lab", "keys"),
    [
        ("unfold", "highlight,W,share"),
        ("gradients", "rho,seed,reset"),
        ("lstm", "forget_bias,notation"),
        ("gru", "update,update_bias,notation"),
        ("attention", "head,mask,d_k,substep"),
        ("seq2seq", "attention,temperature,notation"),
    ],
)
def test_hidden_controls_are_absent_and_the_rest_works(visit: Callable[..., Page], lab: str, keys: str) -> None:
    page = visit(lab, f"hide={keys}")
    names = {"share": "Copy link", "reset": "Reset"}
    for key in keys.split(","):
        assert page.locator(f".rs [data-key={key}]").count() == 0
        assert key not in names or button(page, names[key]).count() == 0
    assert readouts(page)
    assert page.locator(".rail .blk:not(:has(*:not(h2)))").count() == 0, "a block with a heading and nothing under it"


@pytest.mark.parametrize(
    ("lab", "theme", "other"),
    [("unfold", "dark", "light"), ("unfold", "light", "dark"), ("gradients", "dark", "light")],
)
def test_theme_in_the_url_wins_over_the_system(visit: Callable[..., Page], lab: str, theme: str, other: str) -> None:
    page = visit(lab, f"theme={theme}", theme=other)
    card = page.locator(".card").first.evaluate("(e) => getComputedStyle(e).backgroundColor")
    body = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (brightness(card) > 128) == (theme == "light")
    assert (brightness(body) > 128) == (theme == "light")


def brightness(color: str) -> float:
    return sum(float(part) for part in color.removeprefix("rgb(").rstrip(")").split(",")[:3]) / 3


@pytest.mark.parametrize("lab", ["unfold", "gradients"])
def test_the_theme_button_switches_page_and_lab(visit: Callable[..., Page], lab: str) -> None:
    page = visit(lab, theme="light")
    page.get_by_role("button", name="Switch light or dark theme").click()
    settled(page)
    card = page.locator(".card").first.evaluate("(e) => getComputedStyle(e).backgroundColor")
    assert brightness(card) < 128


def test_the_plot_takes_the_colours_of_a_dark_theme(visit: Callable[..., Page]) -> None:
    page = visit("gradients", "n=8&T=20", theme="dark")
    inks = page.evaluate(
        "() => [...Bokeh.documents[0]._all_models.values()].filter((m) => m.type.endsWith('Axis'))"
        ".map((m) => m.major_label_text_color?.value ?? m.major_label_text_color)"
    )
    assert inks
    assert [ink for ink in inks if sum(bytes.fromhex(str(ink).lstrip("#"))) < 3 * 128] == []


# --- keys that are not accepted --------------------------------------------------------------


def test_unknown_keys_are_ignored_and_near_misses_named(visit: Callable[..., Page]) -> None:
    page = visit("unfold", "utm_source=moodle&session=12&W=0.5&activaton=relu&Seeds=4")
    found = notices(page)
    assert len(found) == 2
    assert "activaton" in found[0]
    assert "did you mean activation?" in found[0]
    assert "did you mean seed?" in found[1]
    assert float(str(shown(page, "a", 3).first.get_attribute("data-value"))) != 0
    assert number_field(page, "W").input_value() == "0.5"


def test_good_keys_are_kept_beside_bad_ones(visit: Callable[..., Page]) -> None:
    page = visit("gradients", "n=0&rho=1.5&T=20&family=banana")
    assert len(notices(page)) == 2
    assert number_field(page, "rho").input_value() == "1.5"
    assert number_field(page, "T").input_value() == "20"
    assert number_field(page, "n").input_value() == "32"
