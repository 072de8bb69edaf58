"""A lab's page: the whole lab as it starts, and what starts Python; the list of labs."""

import base64
import gzip
import json
from html.parser import HTMLParser

import numpy as np
import pytest
from rnnscope.app.page import LABS
from rnnscope.app.site.pages import Start, home_page, lab_classes, lab_page
from rnnscope.app.snapshot import state_of
from rnnscope.core import run

ROUTES = ["unfold", "gradients"]
START = Start(("numpy",), ("rnnscope-1-py3-none-any.whl",), 21)


class Settings(HTMLParser):
    """The text of the element with the page's settings; every other script's is not looked at."""

    def __init__(self, html):
        super().__init__()
        self.inside, self.text, self.links = False, "", []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.inside = found.get("id") == "rnnscope-settings"
        if tag == "a":
            self.links.append(found["href"])

    def handle_data(self, data):
        if self.inside:
            self.text += data

    def handle_endtag(self, tag):
        self.inside = False


@pytest.fixture(scope="module")
def page():
    return lab_page("gradients", ROUTES, START)


@pytest.fixture(scope="module")
def settings(page):
    return json.loads(Settings(page).text)


def frames(value):
    """Every frame that a document holds."""
    if isinstance(value, dict):
        return [value["frame"]] if "frame" in value else [f for inner in value.values() for f in frames(inner)]
    return [f for inner in value for f in frames(inner)] if isinstance(value, list) else []


def test_every_lab_of_the_navigation_has_a_class():
    assert list(lab_classes()) == [entry.route for entry in LABS]
    assert lab_classes()["gradients"] == "GradientLab"


def test_a_page_says_which_lab_and_what_python_needs(settings):
    assert settings["lab"] == "GradientLab"
    assert settings["packages"] == ["numpy"]
    assert settings["wheels"] == ["rnnscope-1-py3-none-any.whl"]


def test_a_page_holds_the_run_of_the_lab_as_it_starts(settings):
    (frame,) = [frame for frame in frames(settings["docs"]) if frame]
    entries = dict(frame["entries"])
    assert json.loads(entries["json"])["kind"] == "run"
    data = np.frombuffer(gzip.decompress(base64.b64decode(entries["data"]["array"]["data"])))
    shown = run(state_of("gradients", {}).config())
    offset, steps, units, _ = json.loads(entries["json"])["arrays"]["eigenvalues"]
    found = data[offset : offset + steps * units].reshape(steps, units)
    wanted = np.linalg.eigvals(shown.cell.W_hh)
    assert sorted(found[:, 0].tolist()) == pytest.approx(sorted(wanted.real.tolist()), abs=1e-12)


def test_a_page_holds_what_the_lab_computes_at_rest(settings):
    kinds = [json.loads(answer["json"]) for answer in settings["details"]]
    assert {kind["kind"] for kind in kinds} == {"detail"}
    named = [name for kind in kinds for name in kind["texts"]]
    assert {"curves", "film", "map", "memory"} <= set(named)
    for answer, kind in zip(settings["details"], kinds, strict=True):
        floats = len(base64.b64decode(answer["data"])) // 8
        assert floats == sum(steps * units for _, steps, units, _ in kind["arrays"].values())


def test_no_text_ends_the_element_of_the_settings(page, settings):
    assert "</" not in Settings(page).text
    assert settings["docs"]


def test_the_site_leads_to_its_own_labs_and_no_others(page):
    for html in (page, home_page(ROUTES)):
        links = {link.partition("?")[0] for link in Settings(html).links}
        assert links == {"./", "./unfold.html", "./gradients.html"}
