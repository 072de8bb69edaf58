"""Find a LaTeX with TikZ and pgfplots, install one where that is allowed, or say which command to run.

Run as a script it makes sure that there is one; imported, `pdflatex()` says where it is.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

#: What the exported files load.
NEEDED = ("article.cls", "tikz.sty", "pgfplots.sty", "tikzlibrarymatrix.code.tex")
PACKAGES = ("texlive-latex-base", "texlive-pictures")
ADVICE = f"No LaTeX with TikZ and pgfplots found. Run: apt-get install {' '.join(PACKAGES)} (or the same of TeX Live)"


def complete() -> bool:
    """Whether `pdflatex` is there with all that the files load."""
    if not (shutil.which("pdflatex") and shutil.which("kpsewhich")):
        return False
    return all(_found(name) for name in NEEDED)


def _found(name: str) -> bool:
    return subprocess.run(["kpsewhich", name], check=False, stdout=subprocess.DEVNULL).returncode == 0


def install() -> None:
    """As root on Debian and Ubuntu, from the distribution."""
    if shutil.which("apt-get") is None or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update", "-qq"], check=False, env=quiet)
    order = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *PACKAGES]
    subprocess.run(order, check=False, env=quiet, stdout=subprocess.DEVNULL)


def pdflatex() -> str:
    """The command; a RuntimeError says what to do where there is none."""
    if not complete():
        raise RuntimeError(ADVICE)
    return str(shutil.which("pdflatex"))


if __name__ == "__main__":
    if not complete():
        install()
    if not complete():
        sys.exit(f"None could be installed. {ADVICE}")
    print(f"LaTeX: {pdflatex()}")
