"""The console script: the numbers it writes, what it says when it cannot, how it starts and stops."""

import io
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from importlib.metadata import entry_points, version

import numpy as np
import pytest
from rnnscope.app import cli, url
from rnnscope.app.snapshot import STATES
from rnnscope.core import jacobian_log10_norms, run

LABS = pytest.mark.parametrize("lab", list(STATES))
COMMAND = [sys.executable, "-m", "rnnscope.app.cli"]
QUERIES = [
    ("unfold", ""),
    ("unfold", "preset=worked-example"),
    ("unfold", "?text=hello&n=4"),
    ("unfold", "input=sine&T=12&n=3&seed=7"),
    ("gradients", ""),
    ("gradients", "preset=radius-is-not-norm"),
    ("gradients", "rho=1.2&n=16&T=50&utm_source=moodle"),
    ("lstm", ""),
    ("lstm", "forget_bias=-4&n=3&input=noise&T=40"),
    ("lstm", "text=a%20b"),
    ("gru", "reset=after&update=old&update_bias=-2"),
]


def called(*arguments):
    """Run the command in a process of its own."""
    return subprocess.run([*COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=60, check=False)


def refused(capsys, *arguments):
    """Run the command here; what it says in its one line on standard error."""
    try:
        status = cli.main([str(argument) for argument in arguments])
    except SystemExit as stop:
        status = stop.code
    out, err = capsys.readouterr()
    assert status == 2
    assert out == ""
    assert re.fullmatch(r"rnnscope: [^\n]+\n", err)
    return err


def expected(lab, query):
    """The run that the lab shows, from core."""
    state = STATES[lab]()
    values, notices = url.read(
        STATES[lab], dict(part.split("=") for part in query.lstrip("?").replace("%20", " ").split("&") if part)
    )
    assert notices == []
    state.apply(values)
    return run(state.config())


# --- rnnscope state --------------------------------------------------------------------------


@pytest.mark.parametrize(("lab", "query"), QUERIES)
def test_the_file_holds_the_run_of_the_lab(lab, query, tmp_path):
    path = tmp_path / "run.npz"
    assert cli.main(["state", lab, query, "--npz", str(path)]) == 0
    fresh, found = expected(lab, query), np.load(path)
    trace = fresh.trace
    arrays = {"W_xh": fresh.cell.W_xh, "W_hh": fresh.cell.W_hh, "b_h": fresh.cell.b_h, "xs": trace.xs, "hs": trace.hs}
    arrays["jacobian_log10_norms"] = jacobian_log10_norms(fresh.cell, trace, t=trace.steps)
    if lab == "gru":
        arrays |= {f"gates_{gate}": trace.gates[gate] for gate in "zrg"}
    if lab == "lstm":
        arrays |= {"cs": trace.cs, **{f"gates_{gate}": trace.gates[gate] for gate in "fiog"}}
    if fresh.gradients is not None:
        names = (
            "W_xh",
            "W_hh",
            "b_h",
            "W_hy",
            "b_y",
            "states",
            "preactivations",
            "outputs",
            "W_hh_steps",
            "contributions",
        )
        arrays |= {"W_hy": fresh.cell.W_hy, "b_y": fresh.cell.b_y, "ys": trace.ys}
        arrays |= {f"grad_{name}": getattr(fresh.gradients, name) for name in names}
    for name, array in arrays.items():
        assert found[name].dtype == np.float64, name
        np.testing.assert_array_equal(found[name], array, err_msg=name)
    assert len(found["jacobian_log10_norms"]) == len(found["hs"])


@LABS
def test_no_array_needs_a_pickle(lab, tmp_path):
    path = tmp_path / "run.npz"
    cli.main(["state", lab, "--npz", str(path)])
    with np.load(path, allow_pickle=False) as found:
        assert all(np.issubdtype(found[name].dtype, np.number) for name in found.files)


@LABS
def test_a_process_of_its_own_writes_the_same(lab, tmp_path):
    here, there = tmp_path / "here.npz", tmp_path / "there.npz"
    cli.main(["state", lab, "seed=7", "--npz", str(here)])
    answer = called("state", lab, "seed=7", "--npz", there)
    assert (answer.returncode, answer.stderr) == (0, "")
    with np.load(here) as one, np.load(there) as other:
        assert one.files == other.files
        for name in one.files:
            np.testing.assert_array_equal(one[name], other[name])


def test_writing_loads_no_panel(tmp_path):
    code = f"""
import sys
from rnnscope.app.cli import main
main(["state", "unfold", "--npz", {str(tmp_path / "run.npz")!r}])
assert not {{"panel", "bokeh", "tornado"}} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_what_is_wrong_is_said_in_one_line(capsys, tmp_path):
    path = tmp_path / "run.npz"
    assert "unfold, gradients, bptt, lstm, gru" in refused(capsys, "state", "elman", "--npz", path)
    message = refused(capsys, "state", "gradients", "rho=nan&n=10000", "--npz", path)
    assert "rho" in message
    assert "from 2 to 64" in message
    assert "did you mean rho?" in refused(capsys, "state", "gradients", "rhoo=1", "--npz", path)
    assert "10,000 characters" in refused(capsys, "state", "lstm", "text=" + "a" * 10_000, "--npz", path)
    assert "--npz" in refused(capsys, "state", "gradients")
    refused(capsys, "state", "gradients", "rho=1\n2", "--npz", path)
    refused(capsys)
    refused(capsys, "draw")
    refused(capsys, "state", "gradients", "--npz", path, "--nothing")
    assert not path.exists()


def test_a_file_that_cannot_be_written_is_said_in_one_line(capsys, tmp_path):
    assert "nowhere" in refused(capsys, "state", "lstm", "--npz", tmp_path / "nowhere" / "run.npz")
    assert str(tmp_path) in refused(capsys, "state", "lstm", "--npz", tmp_path)


@pytest.mark.parametrize(
    ("lab", "query"), [("unfold", "d=2"), ("lstm", "d=2"), ("gradients", "text=hi"), ("gradients", "values=1,2")]
)
def test_a_query_is_run_or_refused_and_leaves_no_half_file(lab, query, capsys, tmp_path):
    path = tmp_path / "run.npz"
    path.write_text("before")
    if cli.main(["state", lab, query, "--npz", str(path)]) == 0:
        assert len(np.load(path)["hs"]) > 0
    else:
        assert re.fullmatch(r"rnnscope: [^\n]+\n", capsys.readouterr().err)
        assert path.read_text() == "before"


def test_a_process_of_its_own_says_no_traceback(tmp_path):
    answer = called("state", "gradients", "rho=1e999", "--npz", tmp_path / "run.npz")
    assert (answer.returncode, answer.stdout) == (2, "")
    assert re.fullmatch(r"rnnscope: [^\n]*rho[^\n]*\n", answer.stderr)


# --- help ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], ["serve", "state", "--version"]),
        (["serve"], ["--port", "--address", "--allow-websocket-origin", "--num-procs", "--show", "5006"]),
        (["state"], ["LAB", "QUERY", "--npz", *STATES]),
    ],
)
def test_help_says_all_of_it(arguments, said, capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main([*arguments, "--help"])
    out, err = capsys.readouterr()
    assert (stop.value.code, err) == (0, "")
    assert all(text in out for text in said)


def test_every_option_has_a_help_line():
    parser = cli._parser()
    commands = next(action for action in parser._actions if action.choices and action.dest == "command")
    for name, command in commands.choices.items():
        assert command.description, name
        assert all(action.help for action in command._actions), name


def test_the_version_is_that_of_the_distribution(capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main(["--version"])
    assert (stop.value.code, capsys.readouterr().out) == (0, f"rnnscope {version('rnnscope')}\n")


# --- rnnscope serve --------------------------------------------------------------------------


@pytest.mark.parametrize("port", ["x", "-1", "65536", "5006.0", "", "1" * 5000, "²"])
def test_a_bad_port_is_said_in_one_line(port, capsys):
    assert "port" in refused(capsys, "serve", f"--port={port}")


@pytest.mark.parametrize("count", ["0", "x", "-2"])
def test_a_bad_number_of_processes_is_said_in_one_line(count, capsys):
    assert "processes" in refused(capsys, "serve", f"--num-procs={count}")


def test_a_port_that_is_taken_is_said_in_one_line():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        answer = called("serve", "--port", taken.getsockname()[1], "--address", "127.0.0.1")
    assert (answer.returncode, answer.stdout) == (2, "")
    assert re.fullmatch(r"rnnscope: [^\n]+\n", answer.stderr)


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_serving_says_its_address_and_stops_cleanly(stop):
    with subprocess.Popen(
        [*COMMAND, "serve", "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            address = re.search(r"http://localhost:\d+/", process.stdout.readline()).group(0)
            with urllib.request.urlopen(address, timeout=60) as answer:
                assert "RNNScope" in answer.read().decode()
            with urllib.request.urlopen(address + "gradients", timeout=60) as answer:
                assert "RNNScope" in answer.read().decode()
            process.send_signal(stop)
            out, err = process.communicate(timeout=20)
        finally:
            process.kill()
    assert (process.returncode, out, err) == (0, "", "")


def test_the_script_is_the_command():
    (script,) = entry_points(group="console_scripts", name="rnnscope")
    assert script.load() is cli.main


def test_a_file_object_is_not_left_open(tmp_path):
    """np.load of what was written works at once: the archive is complete."""
    path = tmp_path / "run.npz"
    cli.main(["state", "lstm", "--npz", str(path)])
    assert np.load(io.BytesIO(path.read_bytes()))["hs"].shape[0] > 1


def test_the_file_of_gradients_holds_the_curve_of_every_cell_that_is_on(tmp_path):
    path = tmp_path / "run.npz"
    assert cli.main(["state", "gradients", "curves=lstm,gru&cell=gru&n=4&T=9", "--npz", str(path)]) == 0
    found = np.load(path)
    assert {name for name in found.files if name.startswith("jacobian_log10_norms")} == {
        "jacobian_log10_norms", "jacobian_log10_norms_lstm", "jacobian_log10_norms_gru"
    }  # fmt: skip
    np.testing.assert_array_equal(found["jacobian_log10_norms"], found["jacobian_log10_norms_gru"])
    assert found["W_hh"].shape == (3, 4, 4)
