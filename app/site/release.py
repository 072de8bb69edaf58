"""A Pyodide release, in a folder or behind an address: it has what no package registry has, NumPy for WebAssembly."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from urllib.error import URLError
from urllib.request import Request, urlopen

from .errors import SiteError

LOCK = "pyodide-lock.json"
#: What a page loads of the interpreter itself; the compiled part has either of two loaders, by its version.
CORE = ("pyodide.mjs", "pyodide.asm.wasm", "python_stdlib.zip", LOCK)
LOADERS = ("pyodide.asm.mjs", "pyodide.asm.js")
WAIT_SECONDS = 30
WHERE = "the folder is what the archive pyodide-VERSION.tar.bz2 of a release of Pyodide holds"


class Source(Protocol):
    """Where a release lies."""

    @property
    def place(self) -> str:
        """How it is called in a sentence."""

    def read(self, name: str) -> bytes:
        """Return a file; SiteError where it is not there."""

    def size(self, name: str) -> int | None:
        """Bytes of a file, or None where it is not there."""


@dataclass(frozen=True)
class Folder:
    path: Path

    @property
    def place(self) -> str:
        return str(self.path)

    def read(self, name: str) -> bytes:
        return (self.path / name).read_bytes()

    def size(self, name: str) -> int | None:
        file = self.path / name
        return file.stat().st_size if file.is_file() else None


@dataclass(frozen=True)
class Address:
    url: str

    @property
    def place(self) -> str:
        return self.url

    def read(self, name: str) -> bytes:
        try:
            with urlopen(self.url + name, timeout=WAIT_SECONDS) as answer:  # noqa: S310 -- http(s), see `open_release`
                content: bytes = answer.read()
        except (URLError, OSError) as error:
            raise SiteError(f"{self.url}{name} cannot be read: {_reason(error)}") from error
        return content

    def size(self, name: str) -> int | None:
        try:
            with urlopen(Request(self.url + name, method="HEAD"), timeout=WAIT_SECONDS) as answer:  # noqa: S310 -- the same
                return int(answer.headers.get("Content-Length") or 0)
        except (URLError, OSError):
            return None


def _reason(error: OSError) -> str:
    return str(getattr(error, "reason", "") or error)


@dataclass(frozen=True)
class Release:
    """What a release says of itself: its version, its lock file's packages, and the files of the interpreter."""

    source: Source
    version: str
    packages: Mapping[str, Mapping[str, Any]]
    core: tuple[str, ...]


def open_release(text: str) -> Release:
    """Open a folder or an http(s) address; SiteError where it is not a release."""
    source = _source(text)
    loader = next((name for name in LOADERS if source.size(name) is not None), LOADERS[0])
    core = (*CORE, loader)
    missing = [name for name in core if source.size(name) is None]
    if missing:
        raise SiteError(f"{source.place} is no Pyodide release: it has no {listed(missing)}; {WHERE}")
    return Release(source, _version(source.read("pyodide.mjs")), _packages(source), core)


def _source(text: str) -> Source:
    if re.match(r"https?://", text):
        return Address(text if text.endswith("/") else f"{text}/")
    if Path(text).is_dir():
        return Folder(Path(text))
    raise SiteError(f"{text} is neither a folder nor an http(s) address of a Pyodide release")


def _version(script: bytes) -> str:
    """The version that the loader has in it: that of the lock file is not kept up in every release."""
    found = re.search(rb'="(\d+\.\d+\.\d+\w*)"', script)
    return found.group(1).decode() if found else "of an unknown version"


def _packages(source: Source) -> Mapping[str, Mapping[str, Any]]:
    try:
        found: Mapping[str, Mapping[str, Any]] = json.loads(source.read(LOCK))["packages"]
        return {name: {"file_name": one["file_name"], **one} for name, one in found.items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise SiteError(f"{LOCK} of {source.place} is not the lock file of a Pyodide release") from error


def with_what_they_need(release: Release, names: Iterable[str]) -> list[str]:
    """These packages and what they depend on, by the lock file; SiteError where a package or its file is not there."""
    names = list(names)
    absent = [name for name in names if name not in release.packages]
    if absent:
        raise SiteError(f"{LOCK} of {release.source.place} has no {listed(absent)}; {WHERE}")
    found: list[str] = []
    while names:
        name = names.pop()
        if name not in found:
            found.append(name)
            names += release.packages[name].get("depends", ())
    missing = [file for file in (file_of(release, name) for name in sorted(found)) if release.source.size(file) is None]
    if missing:
        raise SiteError(f"{release.source.place} has no {listed(missing)}, which its {LOCK} names; {WHERE}")
    return sorted(found)


def file_of(release: Release, package: str) -> str:
    return str(release.packages[package]["file_name"])


def read_package(release: Release, package: str) -> bytes:
    """A package's file, which must be the one that the lock file means: a browser would refuse another."""
    content = release.source.read(file_of(release, package))
    if hashlib.sha256(content).hexdigest() != release.packages[package].get("sha256"):
        raise SiteError(f"{file_of(release, package)} of {release.source.place} is not the file that its {LOCK} names")
    return content


def listed(names: Iterable[str]) -> str:
    """`a`, `a and no b`, `a, no b and no c`."""
    names = list(names)
    return " and no ".join([", no ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
