"""Every figure of every lab compiles to a page without complaint; what cannot be drawn says why and leaves no file."""

import re
import subprocess
import sys

import pytest
from pypdf import PdfReader
from rnnscope.app import cli, snapshot
from rnnscope.app.export import CannotExport
from rnnscope.app.export.figure.catalog import LABS, lab_of
from rnnscope.app.export.tikz import tikz
from rnnscope.app.export.tikz.figures import figures_of
from rnnscope.core import format_number

from tests.app.export.tikz.files import CASES, STATES, compiled, files_of, joined, values_of, worth_compiling


@pytest.mark.parametrize("lab", STATES)
def test_every_figure_compiles_to_a_page_of_its_own(lab, tmp_path):
    texts = [file.text for file in worth_compiling(lab)]
    assert compiled(joined(texts), tmp_path) == (len(texts), [])


@pytest.mark.parametrize(
    ("lab", "figure"), [("lstm", None), ("gradients", "decay"), ("bptt", "contributions"), ("seq2seq", "next")]
)
def test_a_file_compiles_by_itself_and_is_as_large_as_its_picture(lab, figure, tmp_path):
    path = tmp_path / "figure.tex"
    chosen = ["--figure", figure] if figure else []
    assert cli.main(["export", lab, "", "--format", "tikz", *chosen, "-o", str(path)]) == 0
    assert compiled(path.read_text("utf-8"), tmp_path) == (1, [])
    (page,) = PdfReader(tmp_path / "figure.pdf").pages
    assert 100 < page.mediabox.width < 1200
    assert 50 < page.mediabox.height < 800


def test_the_numbers_of_the_run_are_on_the_page(tmp_path):
    path = tmp_path / "figure.tex"
    assert cli.main(["export", "lstm", "unit=2&t=4", "--format", "tikz", "-o", str(path)]) == 0
    compiled(path.read_text("utf-8"), tmp_path)
    read = PdfReader(tmp_path / "figure.pdf").pages[0].extract_text().replace("\N{MINUS SIGN}", "-")
    trace = snapshot.numbers("lstm", values_of("lstm", ""))
    numbers = [trace[f"gates_{gate}"][3, 2] for gate in "fiog"]
    numbers += [trace["hs"][4, 2], trace["cs"][4, 2], trace["cs"][3, 2]]
    for number in numbers:
        assert format_number(number).replace("\N{MINUS SIGN}", "-") in read


@pytest.mark.parametrize("lab", STATES)
def test_the_figure_written_unasked_is_the_one_that_stands_for_the_lab(lab):
    shown = lab_of(snapshot.state_of(lab, {}), lab)
    names = list(figures_of(lab, shown))
    assert names[0] == LABS[lab]
    assert set(shown.charts()) <= set(names)


def test_every_pattern_of_unfold_is_drawn_folded_and_unfolded():
    seen = {values_of("unfold", query).get("pattern", "hidden") for query in STATES["unfold"]}
    assert {"hidden", "output", "last", "convolution"} <= seen
    for lab, query in CASES:
        if lab == "unfold":
            assert [file.figure for file in files_of(lab, query)][:2] == ["unfolded", "folded"]


@pytest.mark.parametrize(
    ("lab", "query", "figure", "said"),
    [
        ("bptt", "T=30&input=noise", None, r"at most 12 steps, this one has 30: .*--figure contributions"),
        ("seq2seq", "preset=month-by-name", None, r"at most 21 characters, here are 30 and 11: .*--figure attention"),
        ("seq2seq", "preset=month-by-name&attention=none", None, r"here are 30 and \d+: .*--figure next"),
        ("attention", "input=noise&T=9", None, r"at most 8 tokens, here are 9: .*--figure weights"),
        ("gru", "", "lstm", r"/gru has no figure 'lstm' in TikZ here; it has gru, gates, states, hidden"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_says_why_in_one_line_and_leaves_no_file(lab, query, figure, said, tmp_path, capsys):
    path = tmp_path / "figure.tex"
    chosen = ["--figure", figure] if figure else []
    assert cli.main(["export", lab, query, "--format", "tikz", *chosen, "-o", str(path)]) == 2
    assert re.fullmatch(rf"rnnscope: [^\n]*{said}[^\n]*\n", capsys.readouterr().err)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(CannotExport):
        tikz(lab, values_of(lab, query), figure)


@pytest.mark.parametrize("option", [["--scale", "2"], ["--theme", "dark"], ["--vary", "rho=0:1:0.5"]])
def test_options_of_pictures_are_refused(option, tmp_path, capsys):
    path = tmp_path / "figure.tex"
    assert cli.main(["export", "gradients", "", "--format", "tikz", *option, "-o", str(path)]) == 2
    assert capsys.readouterr().err.endswith("not with tikz\n")
    assert list(tmp_path.iterdir()) == []


def test_it_needs_nothing_of_what_draws_pictures(tmp_path):
    """LaTeX is written by the project alone: the extra `figures` may be absent."""
    extra = ("cssselect2", "imageio_ffmpeg", "tinycss2", "vl_convert")
    hidden = "; ".join(f"sys.modules[{name!r}] = None" for name in extra)
    code = f"import sys; {hidden}; from rnnscope.app import cli; sys.exit(cli.main(sys.argv[1:]))"
    order = [sys.executable, "-c", code, "export", "gru", "", "--format", "tikz", "-o", str(tmp_path / "gru.tex")]
    answer = subprocess.run(order, capture_output=True, text=True, timeout=120, check=False)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert (tmp_path / "gru.tex").read_text("utf-8") == tikz("gru", {})
