"""What a page loads before it is live: packages of the release, wheels of our own, and how many bytes that is."""

from __future__ import annotations

from dataclasses import dataclass

from .release import Release, file_of, with_what_they_need
from .wheels import OWN, Wheel, is_pure, wheel_of

#: What the labs load in a browser: a test runs them all and looks. Much that Panel and Bokeh name as needed is for
#: what no lab uses (pandas, requests, Markdown, images), and would double what a reader waits for.
NEEDED = (
    OWN, "bokeh", "jinja2", "markupsafe", "numpy", "packaging", "panel", "param", "pyviz-comms", "pyyaml", "tqdm",
)  # fmt: skip


@dataclass(frozen=True)
class Parts:
    """`packages` come from the release with their compiled code, `wheels` stand beside the site."""

    packages: tuple[str, ...]
    wheels: tuple[Wheel, ...]
    size: int


def needed_parts(release: Release) -> Parts:
    """Sort what is needed by where it comes from; SiteError where the release lacks something."""
    pure = [name for name in NEEDED if is_pure(name)]
    packages = with_what_they_need(release, [name for name in NEEDED if name not in pure])
    wheels = tuple(wheel_of(name) for name in pure)
    files = [*release.core, *(file_of(release, name) for name in packages)]
    size = sum(release.source.size(file) or 0 for file in files) + sum(len(wheel.content) for wheel in wheels)
    return Parts(tuple(packages), wheels, size)
