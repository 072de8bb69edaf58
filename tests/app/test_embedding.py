"""The link of the embed dialog, and its lines: escaped for what they are pasted into, and read back."""

import ast
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
import rnnscope.app as labs
from bokeh.embed import server_document
from docutils.core import publish_parts
from markdown_it import MarkdownIt
from rnnscope.app import embedding, theme, url
from rnnscope.app.embedding import LISTENER, Place, snippets
from rnnscope.app.labs.embedding import LEFT_OUT
from rnnscope.app.snapshot import STATES, state_of

ADDRESS = "https://labs.example.org/rnn/gradients"
NASTY = "\"<b>'x'</b> & *1* ]( `a` $W_x$ </iframe> ``` ::: {{ x }}"
QUERY = "preset=folk-law-wrong&embed=1&lock=rho,n&hide=seed"
PLACE = Place(ADDRESS, QUERY, NASTY, 640)
HTML = ("iframe", "quarto", "sphinx", "myst", "reveal")


class Frames(HTMLParser):
    """Every tag of some HTML, and the attributes of its frames."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.frames = [], []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag == "iframe":
            self.frames.append(dict(attributes))


def code(key, place=PLACE):
    return {found.key: found.code for found in snippets(place)}[key]


# --- the link ---------------------------------------------------------------------------------


@pytest.mark.parametrize("lab", STATES)
def test_a_link_without_changes_is_that_of_the_page_for_every_preset(lab):
    for preset in ("", *STATES[lab].PRESETS):
        values, _ = url.read(STATES[lab], {"preset": preset} if preset else {})
        state = state_of(lab, values)
        assert embedding.linked(state, {}) == url.write(state)


@pytest.mark.parametrize("lab", STATES)
def test_a_link_with_settings_opens_in_the_same_values_and_with_the_settings(lab):
    values, _ = url.read(STATES[lab], {"seed": "7"})
    state = state_of(lab, values)
    chosen = {"lock": "seed,t", "hide": "share,seed", "theme": "dark", "embed": "1"}
    query = dict(parse_qsl(embedding.linked(state, chosen)))
    read, notices = url.read(STATES[lab], query)
    again = state_of(lab, read).values_of()
    assert notices == []
    assert again == state.values_of() | {**chosen, "embed": True}


def test_an_empty_setting_takes_one_away_and_the_notation_can_be_set_back():
    state = state_of(
        "gru", url.read(STATES["gru"], {"preset": "pytorch", "theme": "dark", "lock": "n", "embed": "1"})[0]
    )
    query = embedding.linked(state, {"theme": "", "lock": "", "hide": "", "embed": "0", "notation": "boucher"})
    assert query == "preset=pytorch&notation=boucher"


@pytest.mark.parametrize(("key", "text"), [("theme", "blue"), ("notation", "mine"), ("embed", "yes")])
def test_a_setting_that_a_link_does_not_take_is_refused(key, text):
    with pytest.raises(ValueError, match="it takes"):
        embedding.linked(state_of("lstm", {}), {key: text})


@pytest.mark.parametrize("text", ["", "99", "5001", "1e3", "-200", "80.5", "٤٠٠", None])
def test_a_height_that_is_no_number_of_pixels_is_refused(text):
    with pytest.raises(ValueError, match="from 100 to 5000"):
        embedding.height_of(text)


@pytest.mark.parametrize("text", ["", " \n ", "x" * 201])
def test_a_frame_has_a_title_on_one_line(text):
    assert embedding.title_of(" two\n lines ") == "two lines"
    with pytest.raises(ValueError, match="1 to 200 characters"):
        embedding.title_of(text)


@pytest.mark.parametrize(
    "text", ["javascript:alert(1)", "https://a/b?c=1", 'https://a/"><script>', "", None, "https://a/" + "b" * 2000]
)
def test_an_address_is_one_of_http_without_a_query(text):
    with pytest.raises(ValueError, match="address"):
        embedding.address_of(text)


# --- the lines --------------------------------------------------------------------------------


@pytest.mark.parametrize("key", HTML)
def test_html_has_one_frame_with_the_link_and_the_title_and_no_tag_of_the_title(key):
    found = Frames(code(key))
    (frame,) = found.frames
    assert set(found.tags) <= {"iframe", "script", "section"}
    assert frame.get("src", frame.get("data-src")) == f"{ADDRESS}?{QUERY}"
    assert frame["title"] == NASTY
    assert frame["allow"] == "clipboard-write"
    assert "&lock" not in code(key).replace("&amp;lock", ""), "an & in an attribute is written &amp;"


@pytest.mark.parametrize("key", ["iframe", "quarto", "sphinx", "myst"])
def test_pages_that_run_scripts_follow_the_height(key):
    shown = re.sub(r"^ {3}", "", code(key), flags=re.MULTILINE) if key == "sphinx" else code(key)
    assert LISTENER in shown
    assert Frames(code(key)).frames[0]["loading"] == "lazy"


def test_the_listener_has_ten_lines_at_most_and_the_readme_has_it():
    assert len(LISTENER.splitlines()) <= 10
    assert LISTENER in (Path(__file__).resolve().parents[2] / "README.md").read_text("utf-8")


def test_sphinx_takes_the_lines_as_they_are():
    body = publish_parts(code("sphinx"), writer="html5", settings_overrides={"report_level": 1, "halt_level": 1})[
        "body"
    ]
    (frame,) = Frames(body).frames
    assert frame["src"] == PLACE.link
    assert frame["title"] == NASTY
    assert LISTENER in body


@pytest.mark.parametrize(("key", "info"), [("quarto", "{=html}"), ("myst", "{raw} html")])
def test_a_fence_holds_all_of_the_html_and_ends_with_it(key, info):
    (fence,) = MarkdownIt().parse(code(key))
    assert fence.type == "fence"
    assert fence.info == info
    assert fence.content == code("iframe") + "\n"


def test_the_frame_of_a_jupyter_book_has_the_link_and_its_caption_means_itself():
    first, width, caption, last = code("book").splitlines()
    assert first == f":::{{iframe}} {PLACE.link}"
    assert (width, last) == (":width: 100%", ":::")
    (inline,) = [token for token in MarkdownIt().parse(caption) if token.type == "inline"]
    assert {token.type for token in inline.children} <= {"text", "text_special"}
    assert "".join(token.content for token in inline.children) == NASTY


def test_the_python_lines_ask_bokeh_for_the_lab_in_its_state(monkeypatch):
    place = Place(ADDRESS, "text=it%27s%20%22%5C%22&values=0.1,-2&lock=n", NASTY)
    found = {}
    exec(compile(ast.parse(code("server", place)), "snippet", "exec"), found)
    (source,) = re.findall(r"[\"'](https://labs\.example\.org[^\"']*)[\"']", found["script"])
    query = dict(parse_qsl(urlsplit(source.replace("&amp;", "&")).query))
    assert urlsplit(source).path == "/rnn/gradients/autoload.js"
    assert {key: query[key] for key in ("text", "values", "lock")} == {
        "text": 'it\'s "\\"',
        "values": "0.1,-2",
        "lock": "n",
    }
    assert query["bokeh-absolute-url"] == ADDRESS


def test_without_a_query_bokeh_is_asked_for_the_address_alone():
    assert "arguments" not in code("server", Place(ADDRESS, "", "A lab"))
    assert server_document(ADDRESS)


def test_in_the_browser_alone_no_server_is_offered():
    assert "server" not in {found.key for found in snippets(PLACE, served=False)}


def test_a_slide_is_no_higher_than_a_slide():
    assert Frames(code("reveal", Place(ADDRESS, "", "A lab", 2000))).frames[0]["height"] == "600"
    assert Frames(code("reveal", Place(ADDRESS, "", "A lab", 500))).frames[0]["height"] == "500"


# --- the dialog -------------------------------------------------------------------------------


def keys_on_the_page(part):
    """The key of every part of a layout that `hide=` takes away."""
    if isinstance(part, list):
        return {key for inner in part for key in keys_on_the_page(inner)}
    if not isinstance(part, dict):
        return set()
    return ({part["key"]} if "kind" in part and "key" in part else set()) | keys_on_the_page(list(part.values()))


@pytest.mark.parametrize("name", labs.__all__)
def test_the_dialog_lists_every_control_once_by_its_label(name):
    lab = getattr(labs, name)()
    shown = lab.view.layout["embedding"]
    keys = [key for group in shown["groups"] for key in group["keys"]]
    assert len(keys) == len(set(keys))
    assert keys_on_the_page([*lab.cards(), *lab.rail()]) <= set(keys)
    assert {"reset", "share", "embed"} <= set(keys)
    assert all(shown["labels"][key] for key in keys)
    for key in (key for key in keys if key in lab.view.layout["controls"]):
        assert shown["labels"][key].startswith(lab.state.param[key].label)
    assert bool(shown["notations"]) == ("notation" in keys)


@pytest.mark.parametrize("name", labs.__all__)
def test_a_link_takes_every_key_that_the_dialog_offers(name):
    lab = getattr(labs, name)()
    groups = lab.view.layout["embedding"]["groups"]
    hide = ",".join(key for group in groups for key in group["keys"])
    lock = ",".join(key for group in groups for key in group["keys"] if not group.get("only_hide"))
    values, notices = url.read(type(lab.state), {"hide": hide, "lock": lock})
    assert notices == []
    assert (values["hide"], values["lock"]) == (hide, lock)


def test_what_a_frame_leaves_out_is_what_the_style_sheet_leaves_out():
    css = theme.stylesheet()
    (gone,) = re.findall(r"(?m)^\.embed (\.ctl.*?) \{ display: none; \}", css)
    assert {re.split(r"[. >]", part.strip().removeprefix(".embed "))[1] for part in gone.split(",")} == {
        *LEFT_OUT,
        "g2",
    }


def answer(lab, **told):
    lab._answer({"action": "tell", "detail": "embedding", "sequence": 1, "message": told})
    return json.loads(lab.view.frame["json"])["texts"]["embedding"]


def test_the_dialog_is_answered_with_the_link_of_what_is_on_screen_and_the_lines():
    lab = labs.GradientLab({"rho": "1.2", "n": "8"})
    lab._answer({"action": "set", "sequence": 0, "values": {"rho": "1.3"}})
    told = answer(lab, address=ADDRESS, lock="n", hide="seed", theme="dark", embed="1", title="A lab", height="640")
    assert told["link"] == f"{ADDRESS}?n=8&rho=1.3&theme=dark&embed=1&lock=n&hide=seed"
    assert [found["key"] for found in told["snippets"]] == [found.key for found in snippets(PLACE)]
    assert lab.state.embed is False, "the page itself stays as it is"


@pytest.mark.parametrize(
    ("key", "text", "says"),
    [("height", "12", "whole number of pixels"), ("title", "", "screen reader"), ("address", "ftp://x", "address")],
)
def test_the_dialog_says_in_one_sentence_why_there_is_no_link(key, text, says):
    told = {
        "address": ADDRESS,
        "lock": "",
        "hide": "",
        "theme": "",
        "embed": "1",
        "title": "A lab",
        "height": "640",
        key: text,
    }
    found = answer(labs.GRULab(), **told)
    assert set(found) == {"error"}
    assert says in found["error"]


def test_a_message_without_what_is_asked_for_is_answered_too():
    assert "error" in answer(labs.LSTMLab())
