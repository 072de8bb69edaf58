"""A course in Sphinx with MyST: `sphinx-build -W . _build`, and `-D labs=https://…` for labs that are elsewhere."""

from typing import Any

#: The one setting: where the labs are. `make serve` gives this address, and the pages are written with it.
labs = "http://localhost:5006"
WRITTEN = "http://localhost:5006"

project = "Sequence models"
author = "The RNNScope developers"
extensions = ["myst_parser"]
exclude_patterns = ["_build"]
html_theme = "basic"
html_static_path = ["../page/course.css", "sphinx.css"]
html_css_files = ["course.css", "sphinx.css"]
html_favicon = "../page/icon.svg"
html_sidebars: dict[str, list[str]] = {"**": []}
html_show_sourcelink = False
html_copy_source = False


def point_to_labs(app: Any, name: str, source: list[str]) -> None:
    """Let the frames of a page ask for the labs where they are."""
    source[0] = source[0].replace(WRITTEN, app.config.labs)


def setup(app: Any) -> None:
    app.add_config_value("labs", labs, "env", str)
    app.connect("source-read", point_to_labs)
