"""A whole site, or none: complete, all that it names is in it, and nothing is left where it could not be written.

The release is a stand-in (see `stand_in.py`): NumPy for WebAssembly is on no package registry.
"""

import html
import json
import re
import signal
import subprocess
import sys
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import pytest
from rnnscope.app import cli
from rnnscope.app.site.errors import SiteError
from rnnscope.app.site.write import MARK, Order, write_site
from rnnscope.app.snapshot import STATES

from tests.app.site.stand_in import BELOW, COMPILED, VERSION, change_lock, stand_in
from tests.app.site.test_pages import Settings


def written(folder, release, *labs):
    said = []
    write_site(Order(folder, str(release), labs), said.append)
    return said


def inventory(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Every lab, from a folder."""
    folder = tmp_path_factory.mktemp("whole")
    written(folder / "site", stand_in(folder / "release"))
    return folder / "site"


class Addresses(HTMLParser):
    def __init__(self, html):
        super().__init__()
        self.found = set()
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.found |= {value for name, value in attributes if name in ("src", "href", "action", "poster")}


# --- what is in it ---------------------------------------------------------------------------


def test_a_site_has_every_page_wheel_and_script(site):
    files = inventory(site)
    assert {f"{route}.html" for route in STATES} | {"index.html", "start.js", "worker.js", MARK} <= files
    wheels = {name.partition("-")[0] for name in files if name.startswith("wheels/")}
    assert {"wheels/rnnscope", "wheels/panel", "wheels/bokeh", "wheels/param"} <= wheels
    release = {name.partition("/")[2] for name in files if name.startswith("pyodide/")}
    assert {"pyodide.mjs", "pyodide.asm.wasm", "pyodide.asm.mjs", "python_stdlib.zip", "pyodide-lock.json"} < release
    assert {name.partition("-1.0-")[0] for name in release if name.endswith(".whl")} == {*COMPILED, BELOW}
    assert json.loads((site / MARK).read_text())["pyodide"] == VERSION


@pytest.mark.parametrize("page", ["index", *STATES])
def test_every_address_of_a_page_is_a_file_of_the_site(site, page):
    text = (site / f"{page}.html").read_text("utf-8")
    for address in Addresses(text).found:
        parts = urlsplit(urljoin("http://site/", address))
        if parts.scheme != "data":
            assert parts.netloc == "site", address
            assert (site / (parts.path.strip("/") or "index.html")).is_file(), address
    hosts = set(re.findall(r"(?:https?|wss?)://([^/\s\"'`)<$\\]+)", text))
    assert hosts <= {"www.w3.org"}


@pytest.mark.parametrize("lab", list(STATES))
def test_all_that_a_page_loads_for_python_is_a_file_of_the_site(site, lab):
    settings = json.loads(Settings((site / f"{lab}.html").read_text("utf-8")).text)
    locked = json.loads((site / "pyodide" / "pyodide-lock.json").read_text())["packages"]
    assert [name for name in settings["wheels"] if not (site / "wheels" / name).is_file()] == []
    assert [name for name in settings["packages"] if not (site / "pyodide" / locked[name]["file_name"]).is_file()] == []
    styles = set(re.findall(r'"(static/[^"]+)"', json.dumps(settings["docs"])))
    assert styles
    assert [name for name in styles if not (site / name).is_file()] == []


def test_the_scripts_of_the_site_name_its_own_files(site):
    worker, start = ((site / name).read_text("utf-8") for name in ("worker.js", "start.js"))
    assert re.findall(r"from '([^']+)'", worker) == ["./pyodide/pyodide.mjs"]
    assert re.findall(r"new URL\('([^']+)'", worker) == ["./pyodide/"]
    assert re.findall(r"new Worker\('([^']+)'", start) == ["worker.js"]


def test_some_labs_alone(tmp_path, release):
    said = written(tmp_path / "site", release, "gradients", "unfold")
    assert {name for name in inventory(tmp_path / "site") if name.endswith(".html")} == {
        "index.html", "unfold.html", "gradients.html",
    }  # fmt: skip
    assert [line for line in said if line.startswith("drawing")] == ["drawing unfold", "drawing gradients"]
    assert not [line for line in said if "is made for" in line]


def test_from_an_address_pyodide_stays_there(tmp_path, address):
    written(tmp_path / "site", address, "unfold")
    assert not (tmp_path / "site" / "pyodide").exists()
    assert f"from '{address}/pyodide.mjs'" in (tmp_path / "site" / "worker.js").read_text()
    assert f"script-src 'self' {address} 'unsafe-inline'" in html.unescape(
        (tmp_path / "site" / "unfold.html").read_text()
    )
    assert "127.0.0.1" not in (tmp_path / "site" / "index.html").read_text()


def test_another_version_than_panel_is_made_for_is_said(tmp_path, release):
    loader = (release / "pyodide.mjs").read_text()
    (release / "pyodide.mjs").write_text(loader.replace(VERSION, "0.20.0"))
    said = written(tmp_path / "site", release, "unfold")
    assert said[0].startswith(f"Pyodide 0.20.0 is not {VERSION}, which Panel ")


# --- whole or not at all ---------------------------------------------------------------------


def test_an_earlier_site_is_replaced_whole(tmp_path, release):
    written(tmp_path / "site", release, "unfold")
    (tmp_path / "site" / "old.html").write_text("of the earlier one")
    written(tmp_path / "site", release, "lstm")
    assert {name for name in inventory(tmp_path / "site") if name.endswith(".html")} == {"index.html", "lstm.html"}
    assert {path.name for path in tmp_path.iterdir()} == {"release", "site"}


def test_an_empty_folder_is_filled(tmp_path, release):
    (tmp_path / "site").mkdir()
    written(tmp_path / "site", release, "unfold")
    assert (tmp_path / "site" / "unfold.html").is_file()


@pytest.mark.parametrize("before", ["nothing", "an earlier site"])
@pytest.mark.parametrize("why", ["error", "interrupt"])
def test_what_cannot_be_written_leaves_what_was_there(tmp_path, release, before, why):
    site = tmp_path / "site"
    if before == "an earlier site":
        written(site, release, "unfold")
    earlier = inventory(site)

    def stop(words):
        if words == "drawing gradients":
            raise KeyboardInterrupt if why == "interrupt" else OSError("no space left on device")

    with pytest.raises((KeyboardInterrupt, OSError)):
        write_site(Order(site, str(release)), stop)
    assert inventory(site) == earlier
    assert {path.name for path in tmp_path.iterdir()} == {"release"} | ({"site"} if earlier else set())


def test_a_wheel_that_is_damaged_leaves_no_site(tmp_path, release):
    change_lock(release, lambda lock: lock["packages"]["numpy"].update(sha256="0" * 64))
    with pytest.raises(SiteError, match="is not the file that its"):
        written(tmp_path / "site", release)
    assert {path.name for path in tmp_path.iterdir()} == {"release"}


def test_other_people_s_files_are_not_touched(tmp_path, release):
    theirs = tmp_path / "course"
    theirs.mkdir()
    (theirs / "index.html").write_text("my course")
    for folder, words in ((theirs, "holds other files than a site"), (theirs / "index.html", "is a file"),
                          (tmp_path / "no" / "site", "there is no folder")):  # fmt: skip
        with pytest.raises(SiteError, match=words):
            written(folder, release)
    assert inventory(theirs) == {"index.html"}


# --- the command -----------------------------------------------------------------------------


@pytest.mark.parametrize("labs", ["loom", "unfold,loom", ""])
def test_a_lab_that_is_not_there_is_one_line(tmp_path, release, capsys, labs):
    given = ["export-site", str(tmp_path / "site"), "--pyodide", str(release), "--labs", labs]
    assert cli.main(given) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert re.fullmatch(r"rnnscope: there is no lab [^\n]*; the labs are [^\n]*\n", err)


def test_ctrl_c_ends_the_command_and_leaves_nothing(tmp_path, release):
    command = [sys.executable, "-m", "rnnscope.app.cli", "export-site", str(tmp_path / "site"), "--pyodide"]
    with subprocess.Popen([*command, str(release)], stderr=subprocess.PIPE, text=True) as process:
        for line in process.stderr:
            if line.startswith("rnnscope: drawing"):
                process.send_signal(signal.SIGINT)
                break
        rest = process.stderr.read()
    assert process.returncode == 130
    assert "Traceback" not in rest
    assert {path.name for path in tmp_path.iterdir()} == {"release"}
