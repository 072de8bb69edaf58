"""Every file is as a person would write it: each style and colour defined and used, each node named once."""

import re

import pytest
from rnnscope.app import theme
from rnnscope.app.export.tikz.picture import Picture, document
from rnnscope.app.export.tikz.styles import STYLES, needed

from tests.app.export.tikz.files import STATES, files_of, libraries_of

#: What TikZ, pgfplots and LaTeX bring; nothing else may act in a file.
COMMANDS = set(re.findall(r"\w+", """
    documentclass usepackage usetikzlibrary pgfplotsset definecolor tikzset begin end setbox hbox shipout box
    pdfhorigin pdfvorigin pdfpagewidth pdfpageheight dimexpr wd ht dp relax
    node draw fill matrix coordinate addplot addlegendentry small footnotesize bfseries
    partial times cdot sigma rho lambda tanh log tilde overrightarrow overleftarrow Delta frac sqrt top pm mathrm
    infty mbox dots
    textvisiblespace textbackslash textasciicircum textasciitilde textless textgreater textbar texttt
"""))  # fmt: skip
#: Options that are no styles of ours.
OWN = set(re.findall(r"\S+", """
    left right above below midway very thick solid dashed densely dotted ycomb ybar only marks no markers
    circle draw double thin semithick - matrix of nodes plot*
"""))  # fmt: skip
OPTIONS = re.compile(r"\\(?:node|draw|fill|matrix|coordinate|addplot)\[([^]]*)\]|node\[([^]]*)\]|\|\[([^]]*)\]\|")
each_lab = pytest.mark.parametrize("lab", STATES)


def files(lab):
    return [file for query in STATES[lab] for file in files_of(lab, query)]


def options_in(text):
    """The options of every node, path, label and plot of a file."""
    found = OPTIONS.findall(text)
    parts = [re.sub(r"\{[^{}]*\}", "", part) for groups in found for part in groups]
    return [option.strip() for part in parts for option in part.split(",") if option.strip()]


def styles_defined(text):
    return dict(re.findall(r"^  ([\w ]+)/\.style=\{(.*)\},$", text, re.MULTILINE))


def body_of(text):
    return text[text.index(r"\begin{tikzpicture}") : text.index(r"\end{tikzpicture}")]


@each_lab
def test_every_style_is_defined_and_every_definition_used(lab):
    for file in files(lab):
        defined, body = styles_defined(file.text), body_of(file.text)
        used = {option for option in options_in(body) if "=" not in option}
        ours = {option for option in used if not set(option.split()) <= OWN}
        assert ours <= set(defined), file.name
        built = {part.strip() for definition in defined.values() for part in definition.split(",")}
        assert set(defined) <= ours | built, file.name


@each_lab
def test_every_colour_is_a_token_defined_once_and_used(lab):
    light = str(theme.tokens()["color"]["light"])
    for file in files(lab):
        colours = re.findall(r"\\definecolor\{([\w ]+)\}\{HTML\}\{([0-9A-F]{6})\}", file.text)
        names = [name for name, _ in colours]
        assert len(names) == len(set(names)) > 0
        for name, value in colours:
            assert f"#{value}" in light
            assert re.search(rf"=\(?{name}[,\])}}\s]", file.text), f"{file.name}: {name}"
        known = {"white", "none", *names}
        rest = file.text.partition(r"\tikzset")[2]
        said = re.findall(r"\b(?:draw|fill|text|color)=\(?([a-z][\w ]*?)\)?(?=[,\]})])", rest)
        assert {name.strip() for name in said} <= known, file.name


@each_lab
def test_every_node_has_a_name_of_its_own_and_every_path_knows_its_nodes(lab):
    for file in files(lab):
        body = body_of(file.text)
        names = re.findall(r"(?:\\node|\\coordinate|node)(?:\[[^]]*\])? \(([^)]+)\)", body)
        names += re.findall(r"\\matrix\[[^]]*\] \((\w+)\)", body) + re.findall(r"\bname=(\w+)", body)
        assert len(names) == len(set(names)), file.name
        for line in body.splitlines():
            if r"\draw[" in line and "axis cs" not in line:
                assert_known(re.sub(r"\$[^$]*\$|\{[^{}]*\}", "", line), names, file.name)
        for option in options_in(body):
            beside = re.fullmatch(r"(?:above|below|left|right)[\w =-]* of ([\w ]+)(?:\.-?\w+)?", option)
            assert beside is None or beside[1] in names, f"{file.name}: {option}"


def assert_known(line, names, where):
    """Each place in brackets is a node, with an anchor or across from another, or an offset in numbers."""
    for place in re.findall(r"\(([^()]+)\)", line.partition("]")[2]):
        for part in re.sub(r"\[[^]]*\]", "", place).split("|-"):
            node = part.strip().partition(".")[0]
            assert node in names or re.fullmatch(r"[-\d.]+(mm)?, ?[-\d.]+|0", part.strip()), f"{where}: {place}"


@each_lab
def test_nothing_acts_but_what_draws(lab):
    """Whatever was typed: no command, no comment and no line more than the figure has."""
    for file in files(lab):
        assert file.text.isascii()
        assert set(re.findall(r"\\([A-Za-z]+)", file.text)) <= COMMANDS, file.name
        for line in file.text.splitlines():
            said = re.sub(r"\\\\|\\%", "", line)
            assert "%" not in said or said.strip().startswith("%") or said.endswith(("{%", "}%")), line
        assert file.text.count(r"\end{document}") == 1
        assert libraries_of(file.text)[:2] == ["arrows.meta", "positioning"]


@each_lab
def test_a_file_says_where_its_numbers_come_from(lab):
    for file in files(lab):
        first, second, *_ = file.text.splitlines()
        assert first.startswith(f"% RNNScope, /{lab}")
        assert first.endswith(f", figure {file.figure}")
        assert "float64" in second


def test_a_style_brings_those_that_it_builds_on():
    assert needed(["candidate"]) == ["value", "gate", "candidate"]
    assert needed(["initial state"]) == ["value", "state", "initial state"]


def test_styles_build_on_what_stands_before_them():
    seen = set()
    for name, definition in STYLES.items():
        parts = {part.strip() for part in definition.split(",")}
        assert parts & set(STYLES) <= seen
        seen.add(name)


def test_the_width_of_boxes_is_one_for_the_whole_picture():
    picture = Picture(widths={"value": "22mm"})
    picture.node("state", "h", "$1$")
    text = document(picture, "/x", "exact")
    assert text.count("minimum width=22mm") == 1
    assert r"\node[state] (h) {$1$};" in text
