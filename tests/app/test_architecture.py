"""Which part loads which, how large a part is, and that nothing points elsewhere."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import rnnscope.app
from rnnscope.app.page import LABS
from rnnscope.app.snapshot import STATES

ROOT = Path(__file__).parents[2]
SOURCES = sorted([*(ROOT / "app").rglob("*.py"), *(ROOT / "core").rglob("*.py")])
ASSETS = sorted(
    path for path in (ROOT / "assets").rglob("*") if path.suffix in (".js", ".css", ".html", ".json", ".svg")
)
USER_INTERFACE = {"panel", "bokeh", "tornado", "jinja2"}


def name(path):
    return str(path.relative_to(ROOT))


sources = pytest.mark.parametrize("path", SOURCES, ids=name)


def loaded_by(*modules):
    """Every module that is in memory after importing these, in a fresh process."""
    code = f"import json, sys, {', '.join(modules)}; print(json.dumps(sorted(sys.modules)))"
    return set(json.loads(subprocess.check_output([sys.executable, "-c", code], text=True)))


def roots(modules):
    return {module.partition(".")[0] for module in modules}


# --- imports ---------------------------------------------------------------------------------


def test_core_loads_numpy_and_the_standard_library_alone():
    beyond_bare = loaded_by("rnnscope.core") - loaded_by("numpy", "numpy.random", "numpy.linalg")
    foreign = roots(beyond_bare) - set(sys.stdlib_module_names) - {"numpy", "rnnscope"}
    assert not {root for root in foreign if not root.startswith("__editable__")}
    assert not [module for module in beyond_bare if module.startswith(("rnnscope.app", "rnnscope.assets"))]


def test_state_and_url_load_core_and_param_but_no_panel():
    loaded = loaded_by(
        "rnnscope.app.state", "rnnscope.app.url", "rnnscope.app.snapshot", "rnnscope.app.cli", "rnnscope.app.words"
    )
    assert {"param", "rnnscope"} <= roots(loaded)
    assert not USER_INTERFACE & roots(loaded)


def test_diagrams_load_neither_panel_nor_param():
    folder = ROOT / "app" / "diagrams"
    modules = [f"rnnscope.app.diagrams.{path.stem}" for path in folder.glob("*.py") if path.stem != "__init__"]
    loaded = loaded_by(*modules)
    assert set(modules) <= loaded
    assert not (USER_INTERFACE | {"param"}) & roots(loaded)
    assert not [
        module
        for module in loaded
        if module.startswith(("rnnscope.app.labs", "rnnscope.app.state", "rnnscope.app.plots"))
    ]


def test_plots_and_diagrams_know_neither_state_nor_each_other():
    loaded = loaded_by(
        *(
            f"rnnscope.app.plots.{path.stem}"
            for path in (ROOT / "app" / "plots").glob("*.py")
            if path.stem != "__init__"
        )
    )
    known = {"rnnscope.app.state", "rnnscope.app.url", "rnnscope.app.labs", "rnnscope.app.diagrams"}
    assert not known & loaded


def test_labs_are_loaded_when_they_are_asked_for():
    loaded = loaded_by("rnnscope.app")
    assert not USER_INTERFACE & roots(loaded)
    assert not [module for module in loaded if module.startswith("rnnscope.app.labs")]
    code = "from rnnscope.app import UnfoldLab; import sys; print('rnnscope.app.labs.lstm' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "False"


def test_a_lab_that_does_not_exist_is_an_attribute_error():
    with pytest.raises(AttributeError, match="NoLab"):
        _ = rnnscope.app.NoLab
    assert all(getattr(rnnscope.app, lab) for lab in rnnscope.app.__all__)


@sources
def test_app_reaches_core_by_name_and_core_reaches_nothing(path):
    """Inside a package imports are relative; app says `rnnscope.core`; core imports nothing of the rest."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        absolute = isinstance(node, ast.ImportFrom) and not node.level and node.module.startswith("rnnscope")
        if absolute and path.parent.name != "pages":
            assert path.is_relative_to(ROOT / "app"), node.lineno
            assert node.module.startswith("rnnscope.core"), node.lineno


# --- sizes and globals -----------------------------------------------------------------------


@sources
def test_a_file_has_under_300_lines_and_a_function_at_most_40(path):
    text = path.read_text("utf-8")
    assert len(text.splitlines()) < 300
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            assert node.end_lineno - node.lineno + 1 <= 40, node.name


@pytest.mark.parametrize("path", sorted((ROOT / "app" / "pages").glob("*.py")), ids=name)
def test_a_page_is_a_door(path):
    text = path.read_text("utf-8")
    assert len(text.splitlines()) < 20
    assert not re.search(r"^\s*(from\s+\.|def |class )", text, re.MULTILINE)


def test_every_lab_has_its_page_and_its_state():
    assert {lab.route for lab in LABS} == {path.stem for path in (ROOT / "app" / "pages").glob("*.py")} == set(STATES)


@sources
def test_a_module_keeps_nothing_that_changes(path):
    """`panel serve` imports a module once for every visitor: no `global`, and tables are constants by name."""
    tree = ast.parse(path.read_text("utf-8"))
    assert not [node.lineno for node in ast.walk(tree) if isinstance(node, (ast.Global, ast.Nonlocal))]
    for node in tree.body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        for target in targets:
            if is_mutable(node.value):
                assert re.fullmatch(r"_?[A-Z][A-Z0-9_]*|__all__|[A-Z]\w*", target.id), (
                    f"line {node.lineno}: {target.id}"
                )
    assert_nothing_changes_a_table(tree)


def is_mutable(value):
    made = (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Name)
        and value.func.id in ("dict", "list", "set", "defaultdict")
    )
    return made or isinstance(value, (ast.Dict, ast.List, ast.Set, ast.DictComp, ast.ListComp, ast.SetComp))


def assert_nothing_changes_a_table(tree):
    tables = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for node in ast.walk(function):
                if (
                    isinstance(node, ast.Subscript)
                    and isinstance(node.ctx, (ast.Store, ast.Del))
                    and isinstance(node.value, ast.Name)
                ):
                    assert node.value.id not in tables or node.value.id in locals_of(function), node.lineno
                if (
                    isinstance(node, ast.Call)
                    and isinstance(node.func, ast.Attribute)
                    and isinstance(node.func.value, ast.Name)
                ):
                    changes = node.func.attr in (
                        "append",
                        "update",
                        "add",
                        "extend",
                        "pop",
                        "setdefault",
                        "clear",
                        "insert",
                        "remove",
                    )
                    assert not (changes and node.func.value.id in tables - locals_of(function)), node.lineno


def locals_of(function):
    stored = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return stored | {argument.arg for argument in ast.walk(function) if isinstance(argument, ast.arg)}


# --- assets ----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ASSETS, ids=name)
def test_no_asset_names_another_host(path):
    text = path.read_text("utf-8")
    hosts = set(re.findall(r"(?:https?|wss?)://([^/\s\"'`)<$]+)", text))
    assert hosts <= {"www.w3.org"}
    assert not re.search(
        r"(?:src|href)\s*=\s*[\"']//|url\(\s*[\"']?//|@import|\bimport\s*\(|\beval\s*\(|new Function\b", text
    )


@pytest.mark.parametrize("path", [path for path in ASSETS if path.suffix == ".js"], ids=name)
def test_a_script_writes_no_html_from_text(path):
    assert not re.search(r"\.innerHTML\s*=|\.outerHTML\s*=|insertAdjacentHTML|document\.write", path.read_text("utf-8"))
