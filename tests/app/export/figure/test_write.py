"""Whole files in every format, and none where something went wrong."""

import io
from dataclasses import replace

import imageio_ffmpeg
import numpy as np
import pytest
from PIL import Image, ImageSequence
from pypdf import PdfReader
from rnnscope.app import cli
from rnnscope.app.export import CannotExport
from rnnscope.app.export.figure import extra, movie, raster, sweep
from rnnscope.app.export.figure.order import Order
from rnnscope.app.export.figure.write import export_figure, still

from tests.app.export.figure.test_filled import walk

SWEEP = "rho=0:1:0.5"


@pytest.fixture
def order(values_of, tmp_path):
    """`order(form, ...)`: a small figure in a folder of its own."""

    def make(form, **more):
        how = {"figure": "folded", "scale": 1.0, **more}
        return Order("unfold", values_of("unfold", "n=2"), form, tmp_path / f"out.{form}", **how)

    return make


def pixels(content):
    return np.asarray(Image.open(io.BytesIO(content)).convert("RGB"))


def test_a_png_has_twice_the_pixels_and_a_picture_in_it(order):
    small, large = (pixels(still(order("png", scale=scale))) for scale in (1.0, 2.0))
    assert small.shape[:2] == (468, 256)
    assert large.shape[:2] == (936, 512)
    assert len(np.unique(large.reshape(-1, 3), axis=0)) > 100
    assert tuple(small[2, 2]) == (255, 255, 255)


def test_the_ground_is_that_of_the_theme_or_none(order):
    assert tuple(pixels(still(order("png", theme="dark")))[2, 2]) == (0x16, 0x1A, 0x20)
    bare = Image.open(io.BytesIO(still(order("png", background=False))))
    assert bare.getpixel((2, 2))[3] == 0


def test_a_pdf_has_its_text_as_text(order, tmp_path, figures):
    export_figure(order("pdf", figure="unfolded"))
    text = PdfReader(tmp_path / "out.pdf").pages[0].extract_text()
    runs = walk(figures("unfold", "n=2")["unfolded"].content)
    shown = {run["text"] for run in runs if "readout" in run and "text" in run}
    assert len(shown) > 20
    assert not {number for number in shown if number not in text}


def test_a_gif_has_a_frame_for_each_value_and_one_palette(order, tmp_path):
    export_figure(order("gif", vary=SWEEP, fps=5.0))
    with Image.open(tmp_path / "out.gif") as movie:
        colours = [frame.convert("RGB").getpixel((2, 2)) for frame in ImageSequence.Iterator(movie)]
        assert movie.info["duration"] == 200
    assert colours == [(255, 255, 255)] * 3


def test_an_mp4_has_a_frame_for_each_value_and_even_sides(order, tmp_path):
    export_figure(order("mp4", vary=SWEEP))
    path = str(tmp_path / "out.mp4")
    count, seconds = imageio_ffmpeg.count_frames_and_secs(path)
    reader = imageio_ffmpeg.read_frames(path)
    about = next(reader)
    first = np.frombuffer(next(reader), np.uint8).reshape(*about["size"][::-1], 3)
    reader.close()
    assert count == 3
    assert seconds == pytest.approx(0.3, abs=0.05)
    assert about["codec"] == "h264"
    assert about["pix_fmt"].startswith("yuv420p")
    assert not any(side % 2 for side in about["size"])
    assert first[2, 2].min() > 250
    assert first.min() < 60


def test_frames_are_a_folder_of_pictures(order, tmp_path):
    export_figure(order("frames", vary=SWEEP))
    names = sorted(path.name for path in (tmp_path / "out.frames").iterdir())
    assert names == ["frame-000.png", "frame-001.png", "frame-002.png"]
    shapes = {pixels((tmp_path / "out.frames" / name).read_bytes()).shape for name in names}
    assert len(shapes) == 1


def test_frames_say_what_varies(order):
    svgs = list(sweep.sweep_svgs(order("frames", vary="rho=0.9:1.1:0.1"), lambda done, total: None))
    assert [">0.9<" in svg or " = 0.9" in svg for svg in svgs] == [True, False, False]


def test_steps_of_different_sizes_have_one_frame(order):
    svgs = list(sweep.sweep_svgs(order("frames", figure="unfolded", vary="T=2:6:2"), lambda done, total: None))
    assert len({svg.split(">")[0] for svg in svgs}) == 1


@pytest.mark.parametrize(("texts", "shown"), [(("0", "0.5", "1"), ("0.0", "0.5", "1.0")), (("-1", "1"), ("−1", "1")),
                                              (("goodfellow", "pytorch"), ("goodfellow", "pytorch"))])  # fmt: skip
def test_captions_do_not_jump(texts, shown):
    assert sweep.aligned(texts) == shown


# --- nothing is left -------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["svg", "png", "gif", "mp4", "frames"])
def test_an_unknown_figure_leaves_nothing(order, tmp_path, form):
    with pytest.raises(CannotExport, match="has no figure 'nothing'"):
        export_figure(order(form, figure="nothing", vary=SWEEP if form in ("gif", "mp4", "frames") else ""))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("form", ["gif", "mp4", "frames"])
def test_ctrl_c_leaves_nothing(order, tmp_path, form, monkeypatch):
    real = movie.image
    asked = []

    def interrupted(frame):
        """The second frame is one too many."""
        asked.append(frame)
        if len(asked) > 1:
            raise KeyboardInterrupt
        return real(frame)

    monkeypatch.setattr(movie, "image", interrupted)
    monkeypatch.setattr("pathlib.Path.write_bytes", lambda path, content: interrupted(content))
    with pytest.raises(KeyboardInterrupt):
        export_figure(order(form, vary=SWEEP))
    assert list(tmp_path.iterdir()) == []


def test_frames_never_mix_with_other_files(order, tmp_path):
    (tmp_path / "out.frames").mkdir()
    (tmp_path / "out.frames" / "mine.txt").write_text("kept")
    with pytest.raises(CannotExport, match="not an empty folder"):
        export_figure(order("frames", vary=SWEEP))
    assert [path.name for path in (tmp_path / "out.frames").iterdir()] == ["mine.txt"]


def test_a_value_that_is_not_accepted_is_said_before_anything_is_computed(order, tmp_path):
    with pytest.raises(CannotExport, match="--vary rho: “4” is not accepted"):
        export_figure(order("gif", vary="rho=1,4"))
    assert list(tmp_path.iterdir()) == []


def test_a_figure_that_some_value_does_not_have_is_said_with_the_value(order):
    with pytest.raises(CannotExport, match="at pattern=system: /unfold has no figure 'gradients'"):
        export_figure(replace(order("gif", figure="gradients"), vary="pattern=hidden,system"))


def test_a_missing_library_is_one_line_with_the_command(monkeypatch):
    def absent(name):
        raise ImportError(name=name)

    monkeypatch.setattr(extra, "import_module", absent)
    with pytest.raises(CannotExport, match=r"png needs vl_convert: pip install 'rnnscope\[figures\]'"):
        raster.png("<svg/>", 1.0)


# --- the command -----------------------------------------------------------------------------


def test_the_command_writes_a_figure(tmp_path, capsys):
    path = tmp_path / "a.svg"
    assert cli.main(["export", "unfold", "n=2", "--format", "svg", "--figure", "folded", "-o", str(path)]) == 0
    assert path.read_text("utf-8").startswith("<svg ")
    assert capsys.readouterr().err == ""


def test_the_command_says_when_a_sweep_is_done(tmp_path, capsys):
    path = tmp_path / "a.gif"
    arguments = ["export", "unfold", "", "--figure", "folded", "--format", "gif", "--vary", "t=1,2", "-o", str(path)]
    assert cli.main(arguments) == 0
    assert capsys.readouterr().err == f"rnnscope: {path}: 2 frames\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--format", "svg", "--figure", "x"], "/unfold has no figure 'x'"),
        (["--format", "gif"], "say which with --vary"),
        (["--format", "py", "--theme", "dark"], "--theme goes with"),
    ],
)
def test_the_command_says_why_in_one_line(tmp_path, capsys, arguments, said):
    assert cli.main(["export", "unfold", "", *arguments, "-o", str(tmp_path / "a")]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
