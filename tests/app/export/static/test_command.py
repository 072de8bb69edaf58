"""The command: one file and one line, or one line and no file."""

import os
import pty
import signal
import subprocess
import sys

import pytest
from rnnscope.app import cli
from rnnscope.app.export.static.command import size_words

from tests.app.export.static.reader import read

SMALL = "n=3&T=6&curves=rnn"


def test_a_copy_is_written_and_said(tmp_path, capsys):
    path = tmp_path / "lab.html"
    assert cli.main(["export", "gradients", SMALL, "--format", "html", "--vary", "rho=0,1", "-o", str(path)]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"rnnscope: {path}: ")
    assert " kB, 14 states. A static copy: ρ = 0 or 1. Numbers to 7 digits." in err
    assert read(path.read_bytes()).head["layout"]["name"] == "Gradients"
    assert [file.name for file in tmp_path.iterdir()] == ["lab.html"]
    assert size_words(1_234_567) == "1.2 MB"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["rho=9", "--format", "html"], "rho = “9” is not accepted"),
        (["", "--format", "html", "--vary", "rho"], "it takes KEY=LOW:HIGH:STEP"),
        (["", "--format", "html", "--vary", "rho=0:9:1"], "--vary rho: “4” is not accepted"),
        (["", "--format", "csv", "--vary", "rho=0:3:1"], "--vary goes with gif, mp4, frames, html, not with csv"),
    ],
)
def test_what_cannot_be_said_leaves_no_file(tmp_path, capsys, arguments, said):
    path = tmp_path / "lab.html"
    assert cli.main(["export", "gradients", *arguments, "-o", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_it_says_how_far_it_is_and_ctrl_c_leaves_no_file(tmp_path):
    path, (ours, theirs) = tmp_path / "lab.html", pty.openpty()
    command = [sys.executable, "-m", "rnnscope.app.cli", "export", "lstm", "--format", "html", "-o", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        said = b""
        while b" states" not in said:
            said += os.read(ours, 1000)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == cli.INTERRUPTED
    os.close(ours)
    assert b" of " in said
    assert list(tmp_path.iterdir()) == []
