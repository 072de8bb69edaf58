"""States of every lab, the TikZ files of all their figures, and how a test compiles and reads them."""

import re
import subprocess
from dataclasses import dataclass
from functools import cache
from urllib.parse import parse_qsl

from rnnscope.app import snapshot, url
from rnnscope.app.export.figure.catalog import lab_of
from rnnscope.app.export.runs import address
from rnnscope.app.export.tikz.figures import figures_of, file_of

from tests.find_latex import pdflatex

STATES = {
    "unfold": [
        "", "preset=worked-example", "preset=next-character", "T=12&input=noise&n=8&unit=3&notation=pytorch",
        "d=3&input=noise&n=2&T=3", "d=5&input=noise&n=2&T=2&notation=boucher", "W=0&U=1e-9&b=0",
        "pattern=output", "pattern=output&forcing=teacher", "pattern=output&input=text&text=hello&n=3",
        "pattern=last&t=5", "preset=fixed-point", "preset=window-and-past", "pattern=convolution&n=3&window=5&t=0",
        "T=1&values=1&target=1&pattern=convolution&window=1", "input=text&text=%5Cinput%7B%2Fetc%2F&n=2",
        "input=text&text=a_b%25%24%23%26%7B%7D~%5E%5C&n=2",
    ],
    "lstm": ["", "d=3&input=noise&T=40", "n=8&T=60&input=noise&t=50&unit=7", "n=1&notation=pytorch&t=0",
             "input=text&text=hello%20world&notation=goodfellow", "surgery=f%403%3A0,cut%403&t=3"],
    "gru": [*(f"reset={reset}&update={update}" for reset in ("before", "after") for update in ("new", "old")),
            "n=1&input=text&text=%7D%5Cend%7Bdoc%7D&t=2", "surgery=z%402%3A1,cut%402&t=2&notation=pytorch&reset=after"],
    "bidirectional": ["", "preset=text", "preset=lstm&T=12&input=noise", "n=1&T=1&change=", "n=2&d=3&input=noise"],
    "bptt": ["", "truncate=4&t=5&lag=4", "cell=lstm&n=3&T=12&input=noise", "cell=gru&n=1", "T=1&values=1&target=1",
             "n=4&input=text&text=hello&lag=2", "t=0", "W=0"],
    "gradients": ["", "rho=0&n=4&T=8", "rho=3&activation=linear&sigma_in=0&T=200&curves=rnn",
                  "family=jordan&activation=linear&n=4&T=12&curves=rnn"],
    "seq2seq": ["", "preset=bottleneck&t=3", "attention=dot&text=10%20may%2099&t=6"],
    "attention": ["", "text=%5C%7B%24%26%23_%25~&heads=1&d_model=4", "text=%5E%7C%22%3C%7D%60%5D%5B",
                  "text=%C3%A9%F0%9F%98%80%20%09%E2%88%82&mask=causal", "input=noise&T=8&axis=n",
                  "text=attend&mask=causal&heads=1&d_model=16&scale=none&t=3"],
}  # fmt: skip
CASES = [(lab, query) for lab, queries in STATES.items() for query in queries]
#: States of a lab whose plots are compiled.
PLOTTED = 3
#: What makes a page of its own in a file, and is said once in many.
SINGLE = re.compile(r"\\documentclass.*|\\use(package|tikzlibrary).*|\\(begin|end)\{document\}")


@dataclass(frozen=True)
class File:
    """One exported file, and the lab that it shows."""

    lab: str
    query: str
    figure: str
    text: str
    shown: object

    @property
    def name(self):
        return f"{self.lab}?{self.query} {self.figure}"


def values_of(lab, query):
    values, notices = url.read(snapshot.STATES[lab], dict(parse_qsl(query, keep_blank_values=True)))
    assert notices == []
    return values


@cache
def files_of(lab, query):
    """The files of every figure of a state."""
    values = values_of(lab, query)
    shown = lab_of(snapshot.state_of(lab, values), lab)
    where = address(lab, values)
    return [
        File(lab, query, name, file_of(draw(), f"{where}, figure {name}"), shown)
        for name, draw in figures_of(lab, shown).items()
    ]


def file_with(lab, query, figure):
    return next(file for file in files_of(lab, query) if file.figure == figure)


def worth_compiling(lab):
    """Every diagram, and the plots of the first states and of what was typed: one code draws all plots."""
    for place, query in enumerate(STATES[lab]):
        for file in files_of(lab, query):
            if place < PLOTTED or lab == "attention" or file.figure not in file.shown.charts():
                yield file


# --- compiling --------------------------------------------------------------------------------


def compiled(text, folder, name="figure"):
    """Compile a file; returns how many pages it has and what LaTeX complains about."""
    (folder / f"{name}.tex").write_text(text, "utf-8")
    order = [pdflatex(), "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", f"{name}.tex"]
    run = subprocess.run(order, cwd=folder, capture_output=True, text=True, errors="replace", timeout=300, check=False)
    assert run.returncode == 0, run.stdout[-2000:]
    pages = re.search(r"Output written on \S+ \((\d+) page", run.stdout.replace("\n", " "))
    log = (folder / f"{name}.log").read_text("utf-8", errors="replace")
    bad = re.findall(r"^(?:(?:Over|Under)full|.*[Ww]arning|Missing character|.*undefined).*$", log, re.MULTILINE)
    return int(pages[1]), bad


def joined(texts):
    """Many files as one: each keeps its colours and styles to itself, and its page."""
    parts = [f"\\begingroup\n{SINGLE.sub('', text)}\n\\endgroup" for text in texts]
    libraries = ", ".join(sorted({name for text in texts for name in libraries_of(text)}))
    packages = f"\\usepackage{{pgfplots}}\n\\pgfplotsset{{compat=1.16}}\n\\usetikzlibrary{{{libraries}}}"
    return "\n".join(["\\documentclass{article}", packages, "\\begin{document}", *parts, "\\end{document}"])


def libraries_of(text):
    """The libraries of TikZ that a file loads."""
    return re.search(r"\\usetikzlibrary\{(.*)\}", text)[1].split(", ")


# --- reading ----------------------------------------------------------------------------------


def node_texts(text):
    """Name -> body of every node that has a name."""
    return dict(re.findall(r"^\s*\\node\[[^]]*\] \(([^)]+)\)(?: at \([^)]*\))? \{(.*)\};$", text, re.MULTILINE))


def printed(latex):
    r"""A number in mathematics as the page has it: 1.2 \cdot 10^{5} is 1.2e+5."""
    found = re.fullmatch(r"(-?[\d.]+) \\cdot 10\^\{(-?\d+)\}", latex)
    if found:
        exponent = int(found[2])
        latex = f"{found[1]}e{'+' if exponent >= 0 else '-'}{abs(exponent)}"
    return latex.replace(r"\mathrm{NaN}", "NaN").replace(r"\infty", "∞").replace("-", "\N{MINUS SIGN}")


def last_number(body):
    """The number under a letter, as the page prints it."""
    return printed(re.findall(r"\$([^$]*)\$", body)[-1].rpartition("= ")[2])


def labels(text, start):
    """The bodies of the labels on the paths that begin so."""
    paths = [line for line in text.splitlines() if start in line and r"\draw" in line]
    return [_braced(line, place.end()) for line in paths for place in re.finditer(r"node\[[^]]*\] \{", line)]


def _braced(line, start):
    """What stands up to the brace that closes the one before `start`."""
    depth = 1
    for place in range(start, len(line)):
        depth += {"{": 1, "}": -1}.get(line[place], 0)
        if depth == 0:
            return line[start:place]
    raise AssertionError(line)
