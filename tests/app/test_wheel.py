"""The wheel holds all of the package and nothing else, and its numerics run with NumPy alone.

Needs `build` (in the `test` extra) and setuptools >= 77 in the environment that runs the tests.
"""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
PARTS = ("core", "app", "assets")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build a wheel from a copy, so that the tree stays as it is."""
    folder = tmp_path_factory.mktemp("wheel")
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info", ".*")
    for part in (*PARTS, "tests"):
        shutil.copytree(ROOT / part, folder / part, ignore=ignored)
    for file in ROOT.iterdir():
        if file.is_file() and not file.name.startswith("."):
            shutil.copy(file, folder / file.name)
    command = [
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        "--outdir",
        str(folder / "dist"),
        str(folder),
    ]
    built = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert built.returncode == 0, built.stdout[-2000:] + built.stderr[-2000:]
    (path,) = (folder / "dist").glob("*.whl")
    return path


@pytest.fixture(scope="module")
def content(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_wheel_holds_every_file_of_the_package_and_no_other(content):
    wanted = {
        f"rnnscope/{path.relative_to(ROOT)}"
        for part in PARTS
        for path in (ROOT / part).rglob("*")
        if path.is_file()
        and not any(part == "__pycache__" or part.startswith(".") for part in path.relative_to(ROOT).parts)
    }
    held = {name for name in content if not name.split("/")[0].endswith(".dist-info")}
    assert held == wanted


def test_the_wheel_holds_the_console_script_and_the_license(content):
    (entry,) = (text.decode() for name, text in content.items() if name.endswith("entry_points.txt"))
    assert "rnnscope = rnnscope.app.cli:main" in entry
    assert [name for name in content if name.endswith("LICENSE")]


def test_the_wheel_says_what_it_needs(content):
    (metadata,) = (text.decode() for name, text in content.items() if name.endswith(".dist-info/METADATA"))
    needs = {
        line.split()[1].split(">")[0].split("<")[0]
        for line in metadata.splitlines()
        if line.startswith("Requires-Dist") and "extra ==" not in line
    }
    assert needs == {"numpy", "param", "panel", "bokeh", "threadpoolctl"}
    assert "Requires-Python: >=3.11" in metadata


def test_the_installed_numerics_run_without_the_source_tree(wheel, tmp_path):
    target = tmp_path / "site"
    install = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
        "--disable-pip-version-check",
        "--target",
        str(target),
    ]
    subprocess.run([*install, str(wheel)], check=True, timeout=120)
    # -S leaves out site-packages and with it the editable install; NumPy alone is linked in.
    for found in Path(np.__file__).parents[1].glob("numpy*"):
        (target / found.name).symlink_to(found)
    code = """
import json, sys
import rnnscope.core as core
shown = core.run(core.RNNConfig(n=4, d=2, T=5, outputs=1))
print(json.dumps([core.__file__, shown.trace.hs.shape, sorted({name.split(".")[0] for name in sys.modules})]))
"""
    environment = {"PYTHONPATH": str(target), "PATH": os.environ["PATH"]}
    said = subprocess.run(
        [sys.executable, "-S", "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        cwd=tmp_path,
        timeout=60,
    )
    assert said.returncode == 0, said.stderr
    assert str(target) in said.stdout
    assert "[6, 4]" in said.stdout
    assert not [package for package in ("panel", "bokeh", "param") if f'"{package}"' in said.stdout]
