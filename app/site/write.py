"""Write a site: every file, or none."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

import bokeh
import panel
from panel.io.convert import PYODIDE_VERSION
from panel.io.resources import DIST_DIR

from .. import theme
from .errors import SiteError
from .pages import Start, file_of, home_page, lab_classes, lab_page
from .parts import Parts, needed_parts
from .release import Address, Release, listed, open_release, read_package
from .release import file_of as package_file
from .static import BOKEH, PANEL, named

#: Says that a folder is a site of ours, which the next one may replace.
MARK = "rnnscope-site.json"
SCRIPTS = ("start.js", "worker.js")


@dataclass(frozen=True)
class Order:
    """Where a site goes, where its Pyodide comes from, and which labs it has (none named: all)."""

    folder: Path
    pyodide: str
    labs: tuple[str, ...] = ()


def write_site(order: Order, say: Callable[[str], None]) -> None:
    """Write the site; `say` is told what goes on. SiteError, OSError or an interrupt leave what was there as it was."""
    routes = _routes(order.labs)
    _refuse(order.folder)
    release = open_release(order.pyodide)
    _compare(release, say)
    say("packing the wheels")
    parts = needed_parts(release)
    with _whole_folder(order.folder) as folder:
        _write_parts(folder, release, parts, say)
        _write_scripts(folder, release)
        _write_pages(folder, routes, _start(release, parts), say)
        content = {"pyodide": release.version, "packages": parts.packages, "labs": routes}
        (folder / MARK).write_text(json.dumps(content, indent=1), "utf-8")
    say(f"{order.folder}: {', '.join(routes)}; to look at it: python -m http.server --directory {order.folder}")


def _routes(chosen: tuple[str, ...]) -> list[str]:
    unknown = [route for route in chosen if route not in lab_classes()]
    if unknown:
        raise SiteError(f"there is no lab {listed(unknown)}; the labs are {', '.join(lab_classes())}")
    return [route for route in lab_classes() if not chosen or route in chosen]


def _compare(release: Release, say: Callable[[str], None]) -> None:
    wanted, panel_version = PYODIDE_VERSION.removeprefix("v"), panel.__version__
    if release.version != wanted:
        say(f"Pyodide {release.version} is not {wanted}, which Panel {panel_version} is made for: pages may not start")


# --- what is in it ---------------------------------------------------------------------------


def _write_parts(folder: Path, release: Release, parts: Parts, say: Callable[[str], None]) -> None:
    for wheel in parts.wheels:
        _put(folder / "wheels" / wheel.name, wheel.content)
    if isinstance(release.source, Address):
        return
    say(f"copying Pyodide {release.version}")
    for name in release.core:
        _put(folder / "pyodide" / name, release.source.read(name))
    for package in parts.packages:
        _put(folder / "pyodide" / package_file(release, package), read_package(release, package))


def _write_scripts(folder: Path, release: Release) -> None:
    """The page's script and the worker's, which loads Pyodide from where it is."""
    where = release.source.place.replace("'", "%27") if isinstance(release.source, Address) else "./pyodide/"
    for name in SCRIPTS:
        text = (theme.ASSETS / "site" / name).read_text("utf-8")
        _put(folder / name, text.replace("PYODIDE_FOLDER/", where).encode())


def _start(release: Release, parts: Parts) -> Start:
    address = urlsplit(release.source.place if isinstance(release.source, Address) else "")
    origin = f"{address.scheme}://{address.netloc}" if address.netloc else ""
    return Start(parts.packages, tuple(wheel.name for wheel in parts.wheels), round(parts.size / 1e6), origin)


def _write_pages(folder: Path, routes: list[str], start: Start, say: Callable[[str], None]) -> None:
    """Every lab, the list of them, and what the pages name of Bokeh and Panel."""
    for route in routes:
        say(f"drawing {route}")
        text = lab_page(route, routes, start)
        _put(folder / file_of(route), text.encode())
        for name in named(text):
            _put(folder / name, _distributed(name))
    _put(folder / "index.html", home_page(routes).encode())


def _distributed(name: str) -> bytes:
    """A file of Bokeh or Panel by its name in the site; on Bokeh's CDN the version is a part of the name."""
    if name.startswith(PANEL):
        return (DIST_DIR / name.removeprefix(PANEL)).read_bytes()
    file = name.removeprefix(BOKEH).replace(f"-{bokeh.__version__}.", ".")
    return (files("bokeh.server") / "static" / "js" / file).read_bytes()


def _put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


# --- whole or not at all ---------------------------------------------------------------------


def _refuse(folder: Path) -> None:
    if not folder.resolve().parent.is_dir():
        raise SiteError(f"there is no folder {folder.resolve().parent}")
    if folder.exists() and not folder.is_dir():
        raise SiteError(f"{folder} is a file; a site is a folder")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MARK).is_file():
        raise SiteError(f"{folder} holds other files than a site; name an empty folder, or one that is not there")


@contextmanager
def _whole_folder(folder: Path) -> Iterator[Path]:
    """A folder beside the wanted one that takes its place at the end; however else this ends, nothing is left of it."""
    wanted = folder.resolve()
    with tempfile.TemporaryDirectory(prefix=f".{wanted.name}.", dir=wanted.parent) as beside:
        made, former = Path(beside, "made"), Path(beside, "former")
        made.mkdir()
        yield made
        _exchange(made, wanted, former)


def _exchange(made: Path, wanted: Path, former: Path) -> None:
    """Put the new folder in the place of what was there; where that fails, what was there is put back."""
    if wanted.exists():
        wanted.rename(former)
    try:
        made.rename(wanted)
    except BaseException:
        if former.exists():
            former.rename(wanted)
        raise
