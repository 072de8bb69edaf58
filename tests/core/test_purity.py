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


def test_every_exported_name_exists():
    for name in core.__all__:
        assert getattr(core, name) is not None
