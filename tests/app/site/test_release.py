"""What a release must have, from a folder and from an address; each thing that is missing is one line.

The release is a stand-in (see `stand_in.py`): NumPy for WebAssembly is on no package registry.
"""

import re

import pytest
from rnnscope.app.site.errors import SiteError
from rnnscope.app.site.release import file_of, listed, open_release, read_package, with_what_they_need

from tests.app.site.stand_in import BELOW, COMPILED, VERSION, change_lock


@pytest.fixture(params=["folder", "address"])
def place(request, release):
    """Where the release is given from."""
    return str(release) if request.param == "folder" else request.getfixturevalue("address")


def read_all(place, names):
    opened = open_release(place)
    for name in with_what_they_need(opened, names):
        read_package(opened, name)


def refused(place, names=COMPILED):
    with pytest.raises(SiteError) as caught:
        read_all(place, names)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_release_says_its_version_and_what_its_packages_need(place):
    opened = open_release(place)
    assert opened.version == VERSION
    assert with_what_they_need(opened, COMPILED) == sorted([*COMPILED, BELOW])
    assert read_package(opened, "numpy") == b"numpy for WebAssembly"
    assert {opened.source.size(name) for name in opened.core} > {len("pyodide.asm.wasm")}


def test_the_loader_of_either_kind_belongs_to_the_core(place, release):
    assert "pyodide.asm.mjs" in open_release(place).core
    (release / "pyodide.asm.mjs").rename(release / "pyodide.asm.js")
    assert "pyodide.asm.js" in open_release(place).core


def test_a_missing_part_of_the_interpreter_is_named(place, release):
    (release / "pyodide.asm.wasm").unlink()
    (release / "python_stdlib.zip").unlink()
    assert "has no pyodide.asm.wasm and no python_stdlib.zip;" in refused(place)


def test_a_package_that_the_lock_file_lacks_is_named(place, release):
    change_lock(release, lambda lock: lock["packages"].pop("numpy"))
    assert re.search(r"pyodide-lock.json of \S+ has no numpy;", refused(place))


def test_a_file_that_is_not_there_is_named(place, release):
    """So it is with the core alone, which is what npm has."""
    missing = file_of(open_release(place), BELOW)
    (release / missing).unlink()
    assert f"has no {missing}, which its pyodide-lock.json names" in refused(place)


def test_another_file_than_the_lock_file_means_is_refused(place, release):
    (release / file_of(open_release(place), "numpy")).write_bytes(b"half of NumPy")
    assert "is not the file that its pyodide-lock.json names" in refused(place)


@pytest.mark.parametrize("content", ["", "[]", '{"packages": 3}', '{"packages": {"numpy": {}}}', '{"info": {}}'])
def test_a_lock_file_that_is_none_is_said(release, content):
    (release / "pyodide-lock.json").write_text(content)
    assert "is not the lock file of a Pyodide release" in refused(str(release))


def test_what_is_neither_a_folder_nor_an_address_is_said(tmp_path, release):
    assert "is neither a folder nor an http(s) address" in refused(str(tmp_path / "nowhere"))
    assert "is neither a folder nor an http(s) address" in refused("ftp://example/pyodide/")
    assert "is neither a folder nor an http(s) address" in refused(str(release / "pyodide.mjs"))


def test_an_address_where_nothing_answers_is_said(address, release):
    (release / "pyodide-lock.json").unlink()
    assert f"{address}/ is no Pyodide release: it has no pyodide-lock.json;" in refused(address)
    assert "http://127.0.0.1:9/ is no Pyodide release" in refused("http://127.0.0.1:9")


def test_a_list_is_read_as_a_sentence():
    assert [listed(names) for names in (["a"], ["a", "b"], ["a", "b", "c"])] == ["a", "a and no b", "a, no b and no c"]
