"""What a command line asks for, and what does not go together."""

from argparse import ArgumentParser
from pathlib import Path

import pytest
from rnnscope.app.export import CannotExport
from rnnscope.app.export.figure.order import FORMATS, add_options, check_options, order_of


def chosen(*arguments, form="svg"):
    parser = ArgumentParser(exit_on_error=False)
    add_options(parser)
    found = parser.parse_args(arguments)
    found.lab, found.format, found.output = "unfold", form, Path("out")
    return found


def test_what_is_not_said_has_a_default():
    order = order_of(chosen(), {"theme": ""})
    assert (order.figure, order.variant, order.theme, order.background) == (None, "wide", "light", True)


@pytest.mark.parametrize(("form", "scale"), [("png", 2.0), ("gif", 1.0), ("mp4", 2.0), ("frames", 2.0)])
def test_pixels_have_a_default_of_their_own(form, scale):
    vary = () if form == "png" else ("--vary", "rho=0:1:1")
    assert order_of(chosen(*vary, form=form), {}).scale == scale


def test_the_theme_of_the_link_holds_until_another_is_asked_for():
    assert order_of(chosen(), {"theme": "dark"}).theme == "dark"
    assert order_of(chosen("--theme", "light"), {"theme": "dark"}).theme == "light"


@pytest.mark.parametrize("form", ["gif", "mp4", "frames"])
def test_a_sweep_needs_what_to_vary(form):
    with pytest.raises(CannotExport, match=f"^{form} shows a sweep: say which with --vary"):
        order_of(chosen(form=form), {})


def test_a_sweep_varies_one_key():
    with pytest.raises(CannotExport, match=r"^gif varies one key: give --vary once$"):
        order_of(chosen("--vary", "rho=0:1:1", "--vary", "t=1,2", form="gif"), {})


@pytest.mark.parametrize(
    ("form", "arguments", "said"),
    [
        ("csv", ("--figure", "folded"), f"--figure goes with {', '.join(FORMATS)}, not with csv"),
        ("npz", ("--theme", "dark"), "--theme goes with"),
        ("svg", ("--scale", "2"), "--scale goes with png, mp4, frames, gif, not with svg"),
        ("png", ("--vary", "rho=0:1:1"), "--vary goes with gif, mp4, frames, html, not with png"),
        ("gif", ("--background", "none"), "--background goes with svg, png, pdf, frames, not with gif"),
        ("frames", ("--fps", "5"), "--fps goes with gif, mp4, not with frames"),
    ],
)
def test_an_option_that_a_format_does_not_have_is_said(form, arguments, said):
    with pytest.raises(CannotExport, match=said):
        check_options(chosen(*arguments, form=form))


@pytest.mark.parametrize("arguments", [("--scale", "0"), ("--scale", "9"), ("--scale", "x"), ("--fps", "61")])
def test_numbers_have_their_bounds(arguments):
    with pytest.raises(Exception, match="above 0, up to"):
        chosen(*arguments)
