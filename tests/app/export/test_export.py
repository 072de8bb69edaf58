"""Files for elsewhere: the script prints the page's numbers, the table holds them, a refusal leaves nothing."""

import csv
import re
import subprocess
import sys

import numpy as np
import pytest
from rnnscope.app import cli, snapshot, url
from rnnscope.app.export import CannotExport, export

RUNS = [
    ("unfold", ""),
    ("unfold", "preset=worked-example"),
    ("unfold", "input=text&text=hello&n=4"),
    ("unfold", "activation=relu&n=3&input=noise&T=6&seed=3"),
    ("unfold", "activation=linear&n=1&input=sine&T=4"),
    ("gradients", ""),
    ("gradients", "cell=lstm&n=6&T=30&rho=1.4"),
    ("gradients", "cell=gru&n=6&T=30&reset=after&update=old"),
    ("gradients", "family=jordan&activation=linear&rho=0&n=4&T=12"),
    ("bptt", "truncate=2"),
    ("bptt", "cell=lstm&n=3"),
    ("bptt", "cell=gru&n=3&reset=after"),
    ("bptt", "cell=lstm&n=3&truncate=3&input=text&text=hello"),
    ("lstm", "n=4&forget_bias=50&input_bias=-50"),
    ("lstm", "input=text&text=hello&n=2"),
    *(
        ("gru", f"n=3&reset={reset}&update={update}&update_bias=-1")
        for reset in ("before", "after")
        for update in ("new", "old")
    ),
]
CASES = pytest.mark.parametrize(("lab", "query"), RUNS, ids=[f"{lab}-{query}" for lab, query in RUNS])
NAMES = {
    "h": "hs", "c": "cs", "y": "ys", "L": "grad_loss", "dy": "grad_outputs", "a": "preactivations",
    "jacobian_log10_norm": "jacobian_log10_norms",
}  # fmt: skip


def values_of(lab, query):
    values, notices = url.read(snapshot.STATES[lab], dict(part.split("=") for part in query.split("&") if part))
    assert notices == []
    return values


def expected(lab, query):
    """Symbol -> its numbers, from core, each with the step of its first row."""
    found = snapshot.numbers(lab, values_of(lab, query))
    n = found["hs"].shape[1]
    rows = {symbol: found[name] for symbol, name in NAMES.items() if name in found}
    for gate in "fiogzr":
        if f"gates_{gate}" in found:
            rows |= {gate: found[f"gates_{gate}"], f"a{gate}": found[f"preactivations_{gate}"]}
    if "grad_states" in found:
        rows["dh"] = found["grad_states"][:, :n]
        rows |= {"dc": found["grad_states"][:, n:]} if "cs" in found else {}
    return rows, len(found["xs"])


def written(lab, query, form, path):
    export(lab, values_of(lab, query), form, path)
    return path


def printed(path):
    """(symbol, t, unit) -> value, of the script run by itself, where rnnscope cannot be imported."""
    answer = subprocess.run(
        [sys.executable, "-I", "-c", BARE, str(path)], capture_output=True, text=True, timeout=60, check=False
    )
    assert answer.stderr == ""
    rows = [line.split(" ") for line in answer.stdout.splitlines()]
    found = {(symbol, int(t), int(unit)): float(value) for symbol, t, unit, value in rows}
    assert len(found) == len(rows)
    return found


BARE = """
import runpy, sys
sys.modules["rnnscope"] = None
runpy.run_path(sys.argv[1])
"""


@CASES
def test_the_script_prints_every_number_of_the_run(lab, query, tmp_path):
    path = written(lab, query, "py", tmp_path / "run.py")
    assert len(path.read_text().splitlines()) <= 60
    found, (rows, steps) = printed(path), expected(lab, query)
    for symbol, table in rows.items():
        matrix = table.reshape(len(table), -1)
        first = steps + 1 - len(matrix)
        there = [[found.pop((symbol, t, unit)) for unit in range(matrix.shape[1])] for t in range(first, steps + 1)]
        np.testing.assert_allclose(there, matrix, rtol=1e-12, atol=1e-12)
    assert found == {}


@CASES
def test_the_table_holds_every_number_to_the_last_bit(lab, query, tmp_path):
    with written(lab, query, "csv", tmp_path / "run.csv").open() as file:
        lines = list(csv.DictReader(file))
    rows, steps = expected(lab, query)
    assert [line["t"] for line in lines] == [str(t) for t in range(steps + 1)]
    for symbol, table in rows.items():
        first = steps + 1 - len(table)
        names = [symbol] if table.ndim == 1 else [f"{symbol}_{unit + 1}" for unit in range(table.shape[1])]
        assert [[line[name] for name in names] for line in lines[:first]] == [[""] * len(names)] * first
        there = np.array([[float(line[name]) for name in names] for line in lines[first:]])
        np.testing.assert_array_equal(there.reshape(table.shape), table)


def test_the_command_writes_what_the_state_command_writes(tmp_path):
    one, other = tmp_path / "one.npz", tmp_path / "other.npz"
    query = "surgery=f@3:0&n=2"
    assert cli.main(["export", "lstm", query, "--format", "npz", "-o", str(one)]) == 0
    assert cli.main(["state", "lstm", query, "--npz", str(other)]) == 0
    with np.load(one) as these, np.load(other) as those:
        assert set(these) == set(those)
        assert all(np.array_equal(these[name], those[name], equal_nan=True) for name in these)


@pytest.mark.parametrize("form", ["py", "csv"])
@pytest.mark.parametrize(
    ("lab", "query", "why"),
    [("lstm", "surgery=cut@3", "surgery"), ("unfold", "pattern=convolution", "convolution")],
)
def test_a_state_that_cannot_be_exported_says_why_in_one_line_and_leaves_no_file(
    lab, query, why, form, tmp_path, capsys
):
    path = tmp_path / "run.out"
    assert cli.main(["export", lab, query, "--format", form, "-o", str(path)]) == 2
    assert re.fullmatch(rf"rnnscope: [^\n]*{why}[^\n]*export npz\n", capsys.readouterr().err)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_replaced_leaves_no_file_behind(tmp_path):
    place = tmp_path / "run.csv"
    place.mkdir()
    with pytest.raises(OSError, match=r"run\.csv"):
        export("gru", {}, "csv", place)
    assert list(tmp_path.iterdir()) == [place]


def test_what_stood_there_stays_where_an_export_is_refused(tmp_path):
    path = tmp_path / "run.py"
    path.write_text("mine")
    with pytest.raises(CannotExport):
        export("lstm", values_of("lstm", "surgery=cut@2"), "py", path)
    assert path.read_text() == "mine"


@pytest.mark.parametrize("wrong", [["--format", "xls"], ["--format", "py"], ["-o", "run.py"]])
def test_a_wrong_call_is_one_line(wrong, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as stop:
        cli.main(["export", "gru", *wrong])
    assert stop.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
