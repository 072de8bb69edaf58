"""What a page loads is enough for every lab, and where each part comes from."""

from rnnscope.app.site.parts import NEEDED, needed_parts
from rnnscope.app.site.release import open_release

from tests.app.site.stand_in import BELOW, COMPILED
from tests.app.site.test_wheels import bare, link, pip_install

#: Every lab as the worker makes it: drawn, answered at rest, moved, in the other theme.
EVERY_LAB = """
import rnnscope.app as app
from bokeh.document import Document
from bokeh.embed.util import standalone_docs_json_and_render_items
from panel.io.state import set_curdoc
for name in app.__all__:
    document = Document()
    with set_curdoc(document):
        lab = getattr(app, name)({"seed": "3"})
        lab.view.server_doc(document, location=False)
        standalone_docs_json_and_render_items(document)
        for ask in ({"action": "detail", "names": list(lab._details)}, {"action": "set", "values": {"t": "2"}},
                    {"action": "theme", "theme": "dark"}, {"action": "reset"}):
            lab._answer({**ask, "sequence": 1})
    print(name)
"""


def test_the_wheels_and_the_packages_are_all_that_the_labs_load(release, tmp_path):
    """The trimmed wheels themselves, in an interpreter that has nothing else but the release's packages.

    Tornado is there too: Panel's server, which is not loaded in a browser, is loaded here.
    """
    parts = needed_parts(open_release(str(release)))
    target = tmp_path / "site"
    pip_install(parts.wheels, tmp_path, target)
    link(target, "numpy", "markupsafe", "yaml", "_yaml", "tornado")
    said = bare(EVERY_LAB, target, tmp_path)
    assert said.returncode == 0, said.stderr[-2000:]
    assert len(said.stdout.split()) == 8


def test_each_part_comes_from_one_place(release):
    parts = needed_parts(open_release(str(release)))
    assert set(COMPILED) == {"markupsafe", "numpy", "pyyaml"}
    assert parts.packages == tuple(sorted([*COMPILED, BELOW]))
    assert len(parts.wheels) == len(NEEDED) - len(COMPILED)
    files = sum((release / name).stat().st_size for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"))
    assert parts.size > files + sum(len(wheel.content) for wheel in parts.wheels)
