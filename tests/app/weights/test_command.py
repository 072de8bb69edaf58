"""`make weights` on models that take a second."""

import os
import signal
import subprocess
import sys
from dataclasses import replace

import pytest
from rnnscope.app.weights import __main__ as door
from rnnscope.app.weights import command, files
from rnnscope.core.training import Recipe

SMALL = Recipe("reversal", "none", hidden_size=6, embedding_size=4, batch=8, steps=60)
RECIPES = {recipe.name: recipe for recipe in (SMALL, replace(SMALL, attention="dot"))}


@pytest.fixture
def door_to_small(monkeypatch):
    """The command, with models that take a second."""
    monkeypatch.setattr(door, "RECIPES", RECIPES)
    monkeypatch.setattr(command, "MEASURED", 300)
    return door


def make(folder, **arguments):
    steps = []
    settings = {"recipes": list(RECIPES.values()), "workers": 2, **arguments}
    records = command.make_weights(
        folder=folder, show=lambda at: steps.append([s.progress.step for s in at]), **settings
    )
    return records, steps


def test_models_are_trained_measured_and_written(tmp_path, monkeypatch):
    monkeypatch.setattr(command, "MEASURED", 300)
    records, steps = make(tmp_path)
    assert steps[0] == [0, 0]
    assert steps[-1] == [60, 60]
    assert {path.name for path in tmp_path.iterdir()} == {"log.json", "reversal_none.npz", "reversal_dot.npz"}
    assert files.read_log(tmp_path) == records
    assert [group[0] for group in records["reversal_dot"]["by_length"]] == list(range(3, 21))
    assert records["reversal_dot"]["cpu_seconds"] > 0


def test_a_stopped_run_goes_on_and_gives_the_same_weights(tmp_path, door_to_small, monkeypatch, capfd):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    assert door_to_small.main(["--out", str(whole)]) == 0
    monkeypatch.setattr(command, "SAVE_EVERY", 0.0)
    write, written = files.write_checkpoint, []

    def stopped(*arguments):
        if len(written) == 2:
            raise KeyboardInterrupt
        write(*arguments)
        written.append(arguments)

    with monkeypatch.context() as patch:
        patch.setattr(files, "write_checkpoint", stopped)
        assert door_to_small.main(["--out", str(parts), "--workers", "1"]) == 130
    assert "weights: stopped; what is done is in" in capfd.readouterr().err
    assert files.read_checkpoint(parts, SMALL)[0].step == 50
    assert door_to_small.main(["--out", str(parts)]) == 0
    for name in RECIPES:
        assert (whole / f"{name}.npz").read_bytes() == (parts / f"{name}.npz").read_bytes()
    assert not list(parts.glob("*.partial"))


def test_one_model_alone_leaves_the_others_in_the_log(tmp_path, door_to_small, capfd):
    files.write_log(tmp_path, {"dates_none": {"accuracy": 0.5}})
    assert door_to_small.main(["--only", "reversal_dot", "--only", "reversal_dot", "--out", str(tmp_path)]) == 0
    assert set(files.read_log(tmp_path)) == {"dates_none", "reversal_dot"}
    out, err = capfd.readouterr()
    assert out.startswith("reversal_dot: ")
    assert "held-out examples exact" in out
    assert err.splitlines()[-1].startswith("reversal_dot: step 60 of 60, loss ")


def test_a_terminal_gets_one_line_that_moves(tmp_path, door_to_small, monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert door_to_small.main(["--only", "reversal_none", "--out", str(tmp_path)]) == 0
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert f"[{'.' * 24}] 0 %, 0 of 1 models trained" in err
    assert err.endswith(f"[{'#' * 24}] 100 %, 1 of 1 models trained\n")


@pytest.mark.parametrize("arguments", [["--only", "dates_soft"], ["--workers", "0"], ["--what"]])
def test_a_wrong_argument_is_one_line_and_status_2(arguments, capfd):
    with pytest.raises(SystemExit) as stop:
        door.main(arguments)
    assert stop.value.code == 2
    assert len(capfd.readouterr().err.splitlines()) == 1


def test_what_goes_wrong_is_one_line_and_status_2(tmp_path, door_to_small, capfd):
    (tmp_path / "reversal_none.partial").write_bytes(b"torn")
    assert door_to_small.main(["--out", str(tmp_path)]) == 2
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith("weights: ")
    assert line.endswith("reversal_none.partial is no checkpoint; remove it")
    (tmp_path / "file").write_text("")
    assert door_to_small.main(["--out", str(tmp_path / "file")]) == 2
    assert len(capfd.readouterr().err.splitlines()) == 1


def test_ctrl_c_ends_the_command_and_its_workers(tmp_path):
    """The real command, stopped when its first checkpoint is on disk."""
    run = subprocess.Popen(
        [sys.executable, "-m", "rnnscope.app.weights", "--only", "reversal_none", "--out", str(tmp_path)],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    first = run.stderr.readline()  # is written after a checkpoint is
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=60)  # ends when no process holds the pipe: workers are gone too
    assert first.startswith("reversal_none: step ")
    assert run.returncode == 130
    assert err.splitlines()[-1].startswith("weights: stopped; ")
    assert (tmp_path / "reversal_none.partial").exists()
