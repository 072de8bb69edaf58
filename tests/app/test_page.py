"""The HTML that a browser gets: nothing from elsewhere, little of it, and nothing that a visitor wrote."""

import re
from html.parser import HTMLParser
from urllib.parse import quote, urljoin, urlsplit

import pytest
from rnnscope.app.snapshot import STATES

ROUTES = ["/", "/unfold", "/gradients", "/bptt", "/lstm", "/gru"]
LABS = ROUTES[1:]
UNUSED = ("tabulator", "luxon", "bokeh-gl", "mathjax", "cdn")
LARGEST = 1_500_000

#: A lab is on the page: Bokeh has a root to draw. A page script that failed leaves none.
ROOT = r'"roots":\{"p'

ATTACKS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "'-alert(1)-'",
    "{{7*191}}",
    "</script><b>",
]


class Tags(HTMLParser):
    """Every tag with its attributes, in order."""

    def __init__(self, html):
        super().__init__()
        self.found = []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))

    def all(self, tag):
        return [attributes for name, attributes in self.found if name == tag]

    def addresses(self, *names):
        return [attributes[name] for _, attributes in self.found for name in names if attributes.get(name)]


@pytest.fixture(scope="module")
def opened(served):
    """Return a function from a path to the tags of its page; a page is fetched once."""
    pages = {}

    def get(path):
        if path not in pages:
            pages[path] = Tags(served.get(path).text)
        return pages[path]

    return get


@pytest.mark.parametrize("route", ROUTES)
def test_nothing_comes_from_another_host(route, opened, served):
    addresses = opened(route).addresses("src", "href", "action", "data", "srcset", "poster")
    assert addresses
    for address in addresses:
        parts = urlsplit(urljoin(served.url + route, address))
        assert parts.scheme == "data" or parts.netloc == urlsplit(served.url).netloc, address


@pytest.mark.parametrize("route", ROUTES)
def test_no_script_is_loaded_that_no_lab_uses(route, opened):
    for address in opened(route).addresses("src", "href"):
        assert not any(name in address.lower() for name in UNUSED), address


@pytest.mark.parametrize("route", ROUTES)
def test_every_link_of_a_page_answers(route, opened, served):
    """Scripts, styles, the navigation and the presets of the home page."""
    for address in set(opened(route).addresses("src", "href")):
        if not address.startswith("data:") and "bokeh" not in address:
            path = urlsplit(urljoin(served.url + route, address))
            assert served.get(f"{path.path}?{path.query}").status == 200, address


@pytest.mark.parametrize("route", ROUTES)
def test_a_policy_forbids_what_is_not_ours(route, opened):
    (policy,) = (
        meta["content"] for meta in opened(route).all("meta") if meta.get("http-equiv") == "Content-Security-Policy"
    )
    assert "default-src 'self'" in policy
    assert "object-src 'none'" in policy
    assert "unsafe-eval" not in policy
    assert not re.search(r"https?:|\*", policy)


@pytest.mark.parametrize("route", ROUTES)
def test_a_page_says_what_it_is(route, opened):
    tags = opened(route)
    assert tags.all("html")[0]["lang"] == "en"
    assert len(tags.all("h1")) == 1
    assert len(tags.all("main")) == 1
    assert len(tags.all("title")) >= 1
    assert [meta["content"] for meta in tags.all("meta") if meta.get("name") == "viewport"] == [
        "width=device-width,initial-scale=1"
    ]


def test_the_home_page_leads_to_every_lab_and_preset(opened):
    links = {
        urlsplit(urljoin("/", address)) for address in opened("/").addresses("href") if not address.startswith("data:")
    }
    assert {link.path for link in links} >= set(ROUTES)
    for link in links:
        if link.query:
            assert link.query.removeprefix("preset=") in STATES[link.path.strip("/")].PRESETS


@pytest.mark.parametrize("route", LABS)
def test_the_navigation_marks_the_page(route, opened):
    current = {link["href"] for link in opened(route).all("a") if link.get("aria-current") == "page"}
    assert {urlsplit(urljoin(route, address)).path for address in current} == {route}


@pytest.mark.parametrize("route", LABS)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_theme_is_set_before_the_first_paint(route, theme, opened):
    assert opened(f"{route}?theme={theme}").all("html")[0]["data-theme"] == theme
    assert "data-theme" not in opened(route).all("html")[0]
    assert "data-theme" not in opened(f"{route}?theme=pink").all("html")[0]


@pytest.mark.parametrize("route", LABS)
def test_an_embedded_page_has_no_header(route, opened):
    assert opened(route).all("header")
    embedded = opened(f"{route}?embed=1")
    assert embedded.all("header") == embedded.all("nav") == []
    assert "embed" in embedded.all("html")[0]["class"]
    assert len(embedded.all("h1")) == 1


@pytest.mark.parametrize("route", LABS)
@pytest.mark.parametrize("attack", ATTACKS)
def test_a_query_never_reaches_the_html(route, attack, served):
    text = quote(attack)
    html = served.get(
        f"{route}?text={text}&theme={text}&preset={text}&rho={text}&lock={text}&{text}={text}&rhoo={text}"
    ).text
    assert attack not in html
    assert "7*191" not in html
    assert "1337" not in re.sub(r'"token":"[^"]*"', "", html) or "1337" in served.get(route).text
    assert ("img", {"src": "x", "onerror": "alert(1)"}) not in Tags(html).found


def test_a_query_in_no_encoding_opens_the_page(served):
    assert re.search(ROOT, served.get("/gradients?text=%ff%fe&rho=%00&n=%F0%9F%92%A9").text)


@pytest.mark.parametrize("route", LABS)
@pytest.mark.parametrize(
    "query",
    [
        "rho=nan&n=10000&seed=-1",
        "text=hi",
        "values=1,2",
        "d=2",
        "T=9999999999",
        "lock=a,b&hide=c",
        "values=" + "9" * 4000,
    ],
)
def test_a_bad_query_opens_the_page(route, query, served):
    html = served.get(f"{route}?{query}").text
    assert re.search(ROOT, html)
    assert "Traceback" not in html


@pytest.mark.parametrize("route", ROUTES)
def test_a_page_is_compressed_and_small(route, served):
    page = served.get(route, Accept_Encoding="gzip")
    assert page.headers["Content-Encoding"] == "gzip"
    total = page.sent
    for script in Tags(page.text).all("script"):
        if script.get("src"):
            path = urlsplit(urljoin(served.url + route, script["src"]))
            answer = served.get(path.path, Accept_Encoding="gzip")
            assert answer.headers["Content-Encoding"] == "gzip", script["src"]
            total += answer.sent
    assert total < LARGEST


def test_a_page_that_asks_for_no_compression_gets_none(served):
    assert served.get("/", Accept_Encoding="identity").headers["Content-Encoding"] is None
