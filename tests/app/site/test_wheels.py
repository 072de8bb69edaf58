"""Wheels from what is installed: whole where it counts, the same every time, and a bare interpreter takes them."""

import os
import subprocess
import sys
import zipfile
from importlib.metadata import version
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from rnnscope.app.site.errors import SiteError
from rnnscope.app.site.wheels import is_pure, wheel_of

ROOT = Path(__file__).parents[3]


def names_in(wheel):
    return set(zipfile.ZipFile(BytesIO(wheel.content)).namelist())


def pip_install(wheels, folder, target):
    """Install by pip, which compares every file with the wheel's record."""
    paths = [folder / wheel.name for wheel in wheels]
    for path, wheel in zip(paths, wheels, strict=True):
        path.write_bytes(wheel.content)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-compile"]
    command += ["--disable-pip-version-check", "--target", str(target)]
    subprocess.run([*command, *map(str, paths)], check=True, timeout=120)


def bare(code, target, cwd):
    """Run code with what is in `target` and the standard library alone."""
    environment = {"PYTHONPATH": str(target), "PATH": os.environ["PATH"]}
    command = [sys.executable, "-S", "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=cwd, timeout=300)


def link(target, *folders):
    """Give a bare interpreter packages with compiled parts as they are installed here."""
    for folder in folders:
        for found in Path(np.__file__).parents[1].glob(f"{folder}*"):
            (target / found.name).symlink_to(found)


def test_our_own_wheel_holds_every_file_of_the_package():
    wheel = wheel_of("rnnscope")
    assert wheel.name == f"rnnscope-{version('rnnscope')}-py3-none-any.whl"
    wanted = {
        f"rnnscope/{path.relative_to(ROOT)}"
        for part in ("core", "app", "assets")
        for path in (ROOT / part).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {name for name in names_in(wheel) if name.startswith("rnnscope/")} == wanted


def test_our_own_wheel_computes_a_run_in_a_bare_interpreter(tmp_path):
    target = tmp_path / "site"
    pip_install([wheel_of("rnnscope")], tmp_path, target)
    link(target, "numpy")
    code = """
import json
import rnnscope.core as core
shown = core.run(core.RNNConfig(n=4, d=2, T=5, outputs=1, seed=7))
print(json.dumps([core.__file__, shown.trace.hs.tolist()]))
"""
    said = bare(code, target, tmp_path)
    assert said.returncode == 0, said.stderr
    from rnnscope.core import RNNConfig, run  # noqa: PLC0415  the tree's, beside what the wheel's says

    assert said.stdout.startswith(f'["{target}')
    assert str(run(RNNConfig(n=4, d=2, T=5, outputs=1, seed=7)).trace.hs.tolist()) in said.stdout


def test_a_wheel_leaves_out_what_no_page_reads():
    names = names_in(wheel_of("panel"))
    assert "panel/io/pyodide.py" in names
    assert not [name for name in names if name.startswith(("panel/tests/", "panel/dist/bundled/"))]
    assert not [name for name in names_in(wheel_of("bokeh")) if name.startswith("bokeh/server/static/")]
    assert len(wheel_of("panel").content) < 2_000_000


def test_the_same_installation_gives_the_same_bytes():
    assert wheel_of("param") == wheel_of("param")


def test_what_is_compiled_is_told_from_what_is_not():
    assert is_pure("panel")
    assert not is_pure("numpy")


def test_a_package_that_is_not_there_is_said():
    with pytest.raises(SiteError, match=r"^no-such-package is not installed here"):
        wheel_of("no-such-package")


def test_a_package_without_a_record_of_its_files_is_said(tmp_path, monkeypatch):
    """So is one that is installed in editable mode."""
    metadata = tmp_path / "loose-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: loose\nVersion: 1.0\n")
    (metadata / "RECORD").write_text("loose-1.0.dist-info/METADATA,,\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(SiteError, match=r"^loose is not installed as a whole"):
        wheel_of("loose")
