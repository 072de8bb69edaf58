"""A folder that has the shape of a Pyodide release: a stand-in for the part that no package registry has.

Its files have the right names and its lock file is right about them, but there is no Python in them. What the site's
own tests can show ends where a real release would begin to run.
"""

import hashlib
import json

from panel.io.convert import PYODIDE_VERSION
from rnnscope.app.site.parts import NEEDED
from rnnscope.app.site.wheels import is_pure

VERSION = PYODIDE_VERSION.removeprefix("v")
COMPILED = sorted(name for name in NEEDED if not is_pure(name))
#: What a release's NumPy may lean on.
BELOW = "openblas"
REASON = "a stand-in has no Python in it"
LOADER = f'var version="{VERSION}"; export async function loadPyodide() {{ throw new Error("{REASON}"); }}'


def stand_in(folder, loader=LOADER):
    """Write the files of a release; returns the folder."""
    folder.mkdir()
    packages = {name: package(folder, name, [BELOW] if name == "numpy" else []) for name in (*COMPILED, BELOW, "scipy")}
    (folder / "pyodide.mjs").write_text(loader)
    for name in ("pyodide.asm.wasm", "pyodide.asm.mjs", "python_stdlib.zip"):
        (folder / name).write_bytes(name.encode())
    (folder / "pyodide-lock.json").write_text(json.dumps({"info": {"python": "3.13.2"}, "packages": packages}))
    return folder


def package(folder, name, depends):
    file = f"{name}-1.0-cp313-cp313-pyodide_2025_0_wasm32.whl"
    (folder / file).write_bytes(f"{name} for WebAssembly".encode())
    digest = hashlib.sha256((folder / file).read_bytes()).hexdigest()
    return {"name": name, "version": "1.0", "file_name": file, "depends": depends, "sha256": digest}


def change_lock(folder, change):
    """Let `change` work on the lock file's content."""
    path = folder / "pyodide-lock.json"
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))
