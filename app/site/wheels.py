"""Wheels made again from what is installed: no network, and the versions that run here are those that run there."""

from __future__ import annotations

import base64
import hashlib
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions
from importlib.resources import files
from importlib.resources.abc import Traversable
from io import BytesIO
from pathlib import PurePosixPath

from .errors import SiteError

OWN = "rnnscope"
OWN_PARTS = ("core", "app", "assets")
#: What of a package no page in a browser reads: scripts that the site has beside it, and tests. 40 MB of Panel's 45.
LEFT_OUT = re.compile(r"panel/(dist|tests|examples)/(?!css/)|bokeh/(server/static|sampledata)/|[^/]+/tests/")
#: What pip wrote of the installation itself.
OF_PIP = ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json")
WHEEL = "Wheel-Version: 1.0\nGenerator: rnnscope export-site\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
#: The first moment that a zip file can hold: the same installation gives the same bytes.
MOMENT = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class Wheel:
    """A wheel in memory: the name of its file, and what is in it."""

    name: str
    content: bytes


def installed(name: str) -> Distribution:
    """What is installed under a name; a source folder that Python runs in may hold notes of the same name before it."""
    found = sorted(distributions(name=name), key=lambda one: one.read_text("WHEEL") is None)
    if not found:
        raise SiteError(f"{name} is not installed here, and a site needs it")
    return found[0]


def is_pure(name: str) -> bool:
    """Whether an installed package is Python alone, so that it runs in a browser as it is."""
    return "root-is-purelib: true" in (installed(name).read_text("WHEEL") or "").lower()


def wheel_of(name: str) -> Wheel:
    """The wheel of an installed package, without what no page reads."""
    found = installed(name)
    content = dict(_own_files() if name == OWN else _recorded_files(found)) | dict(_metadata_files(found))
    if not any(path.endswith(".py") for path in content):
        raise SiteError(
            f"{name} is not installed as a whole (its record names no file of Python): install it from a wheel"
        )
    label = f"{re.sub('[-_.]+', '_', name).lower()}-{found.version}"
    return Wheel(f"{label}-py3-none-any.whl", _packed(content, f"{label}.dist-info"))


def _own_files() -> Iterator[tuple[str, bytes]]:
    """Our own package is read where it is: an editable installation has no record of its files."""
    for part in OWN_PARTS:
        yield from _walk(files(f"{OWN}.{part}"), PurePosixPath(OWN, part))


def _walk(folder: Traversable, path: PurePosixPath) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir() and entry.name != "__pycache__":
            yield from _walk(entry, path / entry.name)
        elif entry.is_file():
            yield str(path / entry.name), entry.read_bytes()


def _recorded_files(found: Distribution) -> Iterator[tuple[str, bytes]]:
    for path in found.files or ():
        outside = path.parts[0] == ".." or "__pycache__" in path.parts or path.parts[0].endswith(".dist-info")
        if not outside and not LEFT_OUT.match(path.as_posix()):
            yield path.as_posix(), path.locate().read_bytes()  # type: ignore[attr-defined]


def _metadata_files(found: Distribution) -> Iterator[tuple[str, bytes]]:
    """Name, version, what it needs, its licence: under a folder whose name does not depend on how it was installed."""
    folder = f"{re.sub('[-_.]+', '_', found.name).lower()}-{found.version}.dist-info"
    for path in found.files or ():
        if path.parts[0].endswith(".dist-info") and path.name not in (*OF_PIP, "WHEEL"):
            yield PurePosixPath(folder, *path.parts[1:]).as_posix(), path.locate().read_bytes()  # type: ignore[attr-defined]
    yield f"{folder}/WHEEL", WHEEL.encode()


def _packed(content: Mapping[str, bytes], metadata: str) -> bytes:
    """A zip file with a record of what is in it, as the wheel format wants it."""
    record = "".join(f"{path},{_digest(data)},{len(data)}\n" for path, data in sorted(content.items()))
    whole = {**dict(sorted(content.items())), f"{metadata}/RECORD": f"{record}{metadata}/RECORD,,\n".encode()}
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in whole.items():
            archive.writestr(_entry(path), data)
    return buffer.getvalue()


def _entry(path: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(path, MOMENT)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    return entry


def _digest(data: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
