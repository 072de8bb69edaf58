"""The file: everything is in it, nothing of the user's is markup, and what is too large is refused."""

import re

import pytest
from rnnscope.app.export import CannotExport
from rnnscope.app.export.static import build, static_copy
from rnnscope.app.export.vary import parse_variation
from rnnscope.app.snapshot import STATES

from tests.app.export.static.reader import read


def made(route, query, *varied):
    variations = [parse_variation(STATES[route], text) for text in varied]
    return static_copy(route, query, variations, lambda done, total: None)


@pytest.fixture(scope="module")
def gradients():
    return made("gradients", {"n": "8", "T": "20", "embed": "1", "theme": "dark"}, "rho=0:3:0.05")


def test_a_file_is_small_and_holds_every_state(gradients):
    copy = read(gradients.html)
    assert [(axis["key"], len(axis["texts"])) for axis in copy.head["axes"]] == [("rho", 61), ("lag", 21)]
    assert gradients.states == 61 * 21
    assert len(gradients.html) < 1_000_000
    answers = len(re.search(rb'id="copy-answers">([^<]+)<', gradients.html)[1])
    assert answers < 200_000
    assert copy.value("detail/memory")["texts"]["cells"] == ["RNN", "LSTM", "GRU"]
    assert copy.names("detail/") == ["curves", "memory"]


def test_a_file_names_nothing_outside_of_itself(gradients):
    html = gradients.html.decode()
    hosts = set(re.findall(r"(?:https?|wss?)://([^/\s\"'`)<$]+)", html))
    assert hosts <= {"www.w3.org"}
    assert "default-src &#39;none&#39;" in html
    assert re.search(r'<html lang="en" data-rnnscope="static" data-theme="dark" class="embed">', html)
    assert not re.search(r"<(link|img|iframe|a)\b(?![^>]*href=\"data:)", html.split("<script")[0])
    assert "<header" not in html
    assert gradients.said in html


def test_text_of_the_user_is_no_markup():
    evil = "</script><script>alert(1)</script>"
    html = made("gradients", {"n": "2", "T": "5", "curves": "rnn", "text": evil}, "rho=1,2").html.decode()
    assert "alert(1)" not in html
    assert html.count("</script>") == html.count("<script") == 4
    letters = read(html.encode()).value("detail/memory")["texts"]["letters"]
    assert "".join(letters) == evil


def test_what_is_too_large_is_refused_with_what_would_fit(monkeypatch):
    query, said = (
        {"n": "32", "T": "80", "curves": "rnn"},
        r"may have 0\.\d+ MB: vary fewer values: about (\d+) of rho fit",
    )
    whole = made("gradients", query, "rho=0:3:0.1")
    answers = len(re.search(rb'id="copy-answers">([^<]+)<', whole.html)[1])
    monkeypatch.setattr(build, "LARGEST", len(whole.html) - answers // 3)
    with pytest.raises(CannotExport, match=said) as why:
        made("gradients", query, "rho=0:3:0.1")
    fitting = int(re.search(said, str(why.value))[1])
    assert 10 <= fitting < 31
    assert len(made("gradients", query, f"rho=0:3:{3 / (fitting - 1):.6f}").html) <= build.LARGEST


def test_what_would_be_far_too_large_is_refused_after_a_few_runs(monkeypatch):
    monkeypatch.setattr(build, "LARGEST", 30_000)
    seen = []
    with pytest.raises(CannotExport, match="vary fewer values"):
        static_copy(
            "gradients", {"n": "4", "T": "20", "curves": "rnn"}, [parse_variation(STATES["gradients"], "rho=0:3:0.01")],
            lambda done, total: seen.append(done / total),
        )  # fmt: skip
    assert seen[-1] < 0.02
