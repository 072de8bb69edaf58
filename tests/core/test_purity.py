import json
import subprocess
import sys

from rnnscope import core

FOREIGN = ("panel", "bokeh", "param", "scipy", "pandas", "holoviews", "matplotlib")


def test_the_numerics_import_numpy_alone():
    code = "import json, sys, rnnscope.core; print(json.dumps(sorted(sys.modules)))"
    loaded = json.loads(subprocess.check_output([sys.executable, "-c", code], text=True))
    roots = {name.split(".")[0] for name in loaded}
    assert "numpy" in roots
    assert not roots.intersection(FOREIGN)
    assert not [name for name in loaded if name.startswith("rnnscope.app")]


def test_importing_the_numerics_adds_the_standard_library_alone_and_no_random_numbers():
    code = "import sys, numpy; before = set(sys.modules); import rnnscope.core; print(*set(sys.modules) - before)"
    added = subprocess.check_output([sys.executable, "-c", code], text=True).split()
    roots = {name.split(".")[0] for name in added} - {"rnnscope", "numpy"}
    # A package installed to be edited is found by a module of its own name.
    assert {root for root in roots if not root.startswith("__editable__")} <= sys.stdlib_module_names
    assert "numpy.random" not in added  # 60 ms of hashlib and secrets that only a draw needs


def test_every_exported_name_exists():
    for name in core.__all__:
        assert getattr(core, name) is not None
