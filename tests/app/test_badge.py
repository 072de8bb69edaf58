"""The truth badge as the page sees it: every symbol of every lab is explained, and each explanation is true."""

import contextlib
import io
import json
import math

import numpy as np
import pytest
from rnnscope.app import BidirectionalLab, BPTTLab, GradientLab, GRULab, LSTMLab, Seq2seqLab, UnfoldLab
from rnnscope.app.labs.explain import Asked, entry_of
from rnnscope.core import run, variant_differences

#: Readouts that only the browser makes, with a place where each exists.
BROWSER = {
    "BPTT": [
        ("contribution", 3, 2), ("live", 3, 0), ("chain_factor", 3, 4), ("chain_start", 3, 0), ("chain_value", 3, 1),
    ],
    "Gradients": [("semi_axis", 95, 0), ("semi_axis_log10", 95, 1), ("semi_axis", 90, 1)],
    "Unfold": [],
    "LSTM": [],
    "GRU": [],
    "Bidirectional": [],
    "Seq2seq": [
        ("top_p", 2, 0), ("top_p", 2, 5), ("p_next", 2, 3), ("exp_e", 2, 1), ("exp_sum", 2, 0), ("alpha_sum", 2, 0),
        ("beam_log_p", 2, 3), ("beam_sum", 2, 3), ("beam_p", 2, 3), ("beam_undrawn", 2, 0), ("hypothesis_sum", 1, 0),
        ("hypothesis_p", 1, 1), ("forcing_said_p", 2, 1), ("forcing_target_p", 2, 2), ("forcing_loss", 2, 0),
        ("accuracy_counts", 8, 0), ("accuracy_right", 8, 1), ("accuracy_low", 8, 0), ("accuracy_high", 8, 1),
    ],
}  # fmt: skip
CASES = [
    (UnfoldLab, {}),
    (UnfoldLab, {"t": "0"}),
    (UnfoldLab, {"n": "4", "d": "2", "unit": "2", "input": "noise", "T": "6", "activation": "relu"}),
    (UnfoldLab, {"input": "text", "text": "to be", "n": "4", "unit": "1", "notation": "pytorch"}),
    (LSTMLab, {}),
    (LSTMLab, {"preset": "one-unit", "t": "0"}),
    (LSTMLab, {"input": "text", "text": "hello", "n": "3", "unit": "1", "notation": "concat"}),
    (LSTMLab, {"surgery": "f@3:0,cut@5,x@2:0.5,o.1:1", "t": "5"}),
    *((GRULab, {"preset": name}) for name in ("one-unit", "copies", "forgets-history", "pytorch")),
    (GRULab, {"input": "text", "text": "hello", "n": "3", "unit": "1", "notation": "goodfellow", "t": "0"}),
    (GRULab, {"surgery": "z@3:0,cut@5,x@2:0.5,r.1:1", "t": "5", "n": "3", "unit": "1"}),
    (GRULab, {"surgery": "g@5:0,cut@5,x@5:del", "t": "5", "n": "2", "reset": "after", "update": "old"}),
    (UnfoldLab, {"pattern": "output", "n": "3", "unit": "1", "input": "noise"}),
    (UnfoldLab, {"pattern": "output", "input": "text", "text": "to be", "n": "3", "forcing": "teacher"}),
    (UnfoldLab, {"pattern": "last", "n": "3", "unit": "1", "input": "noise"}),
    (UnfoldLab, {"pattern": "system", "n": "3"}),
    (UnfoldLab, {"pattern": "convolution", "n": "3", "unit": "1", "input": "noise"}),
    (BPTTLab, {}),
    (BPTTLab, {"preset": "truncated", "clip": "0.5", "moment": "20"}),
    (BPTTLab, {"cell": "lstm", "n": "3", "T": "5", "input": "noise", "truncate": "2", "block": "o", "t": "4"}),
    (BPTTLab, {"cell": "gru", "n": "2", "T": "5", "input": "noise", "reset": "after", "block": "z", "t": "4"}),
    (GradientLab, {"n": "8"}),
    (GradientLab, {"n": "6", "cell": "lstm", "curves": "rnn,lstm"}),
    (GradientLab, {"n": "6", "cell": "gru", "rho": "1.4"}),
    *((GradientLab, {"preset": name}) for name in ("radius-is-not-norm", "folk-law-wrong")),
    (GradientLab, {"preset": "forget-bias-1", "n": "4", "T": "20"}),
    (GradientLab, {"preset": "orthogonal", "n": "6", "T": "40"}),
    (BidirectionalLab, {}),
    (BidirectionalLab, {"change": "none", "n": "1"}),
    (BidirectionalLab, {"preset": "text"}),
    (BidirectionalLab, {"cell": "gru", "reset": "after", "n": "2", "d": "3", "input": "noise", "notation": "pytorch"}),
    *((Seq2seqLab, {"preset": name}) for name in ("month-by-name", "not-a-date", "wrong-year-forced")),
    (Seq2seqLab, {"text": "7. mai 88", "attention": "dot", "temperature": "0.5", "j": "4", "t": "3"}),
    (Seq2seqLab, {"text": "7. mai 88", "attention": "concat", "mode": "mixed", "decoding": "greedy"}),
    (Seq2seqLab, {"task": "reversal", "text": "cabbage", "attention": "none", "j": "3"}),
]  # fmt: skip
FEW = 4
#: Symbols whose first row is asked for, even where it is row 0.
FROM_FIRST = ("span_singular_value", "reach", "hypothesis_sum", "hypothesis_p")
#: Characters of a source that every model was measured with.
MEASURED_LENGTH = 8
NAMES = [f"{lab.NAME}?{'&'.join(f'{k}={v}' for k, v in query.items())}" for lab, query in CASES]

MAP = {"map/row_rhos", "map/strengths", "map/row_exponents"}


class Page:
    """A lab and its answers."""

    def __init__(self, lab):
        self.lab, self.sequence, self.frames, self.shown = lab, 0, [lab.view.frame], {}

    def send(self, action, **content):
        self.sequence += 1
        self.lab._answer({"action": action, "sequence": self.sequence, **content})
        self.frames.append(self.lab.view.frame)
        return json.loads(self.frames[-1]["json"])

    def ask(self, symbol, t=0, unit=0, value=None):
        message = {"symbol": symbol, "t": t, "unit": unit, "value": value}
        frame = self.send("tell", detail="badge", message=message)
        assert (frame["kind"], frame["arrays"], list(frame["texts"])) == ("detail", {}, ["badge"])
        return frame["texts"]["badge"]


def words_in(node):
    """Every number of the page's texts: (symbol, t, unit) -> the value that is shown."""
    if isinstance(node, dict):
        if node.get("kind") == "number" and node.get("symbol"):
            yield (node["symbol"], node.get("t", 0), node.get("unit", 0)), node["value"]
        for child in node.values():
            yield from words_in(child)
    elif isinstance(node, list):
        for child in node:
            yield from words_in(child)


def bindings_in(node, state):
    """Every number of a diagram: what its bindings read at the cursor."""
    if isinstance(node, dict):
        if "symbol" in node and "t" in node and "unit" in node:
            t = node["t"] if isinstance(node["t"], int) else state.t + (node["t"] or {}).get("rel", 0)
            yield node["symbol"], t, node["unit"] if isinstance(node["unit"], int) else state.unit
        for child in node.values():
            yield from bindings_in(child, state)
    elif isinstance(node, list):
        for child in node:
            yield from bindings_in(child, state)


def columns_in(node, known, detail=""):
    """Every column of a table with the step of its first row and its unit; one whose array is absent is not shown."""
    if isinstance(node, dict):
        detail = f"{node['detail']}/" if "detail" in node else detail
        if "array" in node and "symbol" in node and f"{detail}{node['array']}" in known:
            unit = node.get("unit")
            yield node["symbol"], node.get("offset", 0), unit if isinstance(unit, int) else 0
        for child in node.values():
            yield from columns_in(child, known, detail)
    elif isinstance(node, list):
        for child in node:
            yield from columns_in(child, known, detail)


def arrays_of(page):
    """The names of all arrays that the page is sent, as in `h` and, of a detail, `paths/norms`; the map comes later."""
    sent = {name for frame in page.frames for name in json.loads(frame["json"]).get("arrays", {})}
    return sent | MAP


def opened(lab_class, query):
    """A lab with everything on it that the page would show, its details asked for."""
    page = Page(lab_class(query))
    names = [name for name in page.lab.view.layout["details"] if name != "map"]
    if "check" in names:
        page.send("tell", detail="check", message={"check": True})
    page.send("detail", names=names)
    page.shown = shown(page)
    return page


def shown(page):
    """(symbol, t, unit) -> value where the page's texts say it, else None; of each symbol the first few."""
    frames = [json.loads(frame["json"]) for frame in page.frames]
    found = dict.fromkeys(BROWSER[page.lab.NAME])
    for frame in frames:
        found |= dict.fromkeys(bindings_in(frame.get("scenes", {}), page.lab.state))
        found |= dict(words_in(frame["texts"]))
    few = {}
    for key, value in found.items():
        few.setdefault((key[0], value is None), []).append(key)
    return {key: found[key] for keys in few.values() for key in keys[:FEW]}


@pytest.fixture(scope="module", params=CASES, ids=NAMES)
def page(request):
    return opened(*request.param)


def run_code(code):
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(code, {})  # the badge's own lines, which are there to be run
    return float(said.getvalue())


def same(first, second):
    return first == second or (math.isnan(first) and math.isnan(second))


def test_every_number_of_the_page_is_explained_and_computed_again(page):
    assert page.shown
    for key, value in page.shown.items():
        answer = page.ask(*key, value=value)
        if value is None and "missing" in answer:
            continue
        assert "missing" not in answer, (key, answer)
        assert entry_of(Asked.of(page.lab, {"symbol": key[0], "t": key[1], "unit": key[2], "value": value})), key
        exact = float(answer["exact"])
        assert value is None or same(exact, float(value)), (key, value, answer)
        assert [found for found in answer["checks"] if not found["near"]] == [], (key, answer)
        assert answer["title"], key
        assert answer["words"], key
        assert answer["checks"] or answer["note"], (key, "nothing says where it comes from")


def test_the_lines_of_python_print_the_same_number(page):
    done = set()
    for key, value in page.shown.items():
        answer = page.ask(*key, value=value)
        if key[0] in done or "missing" in answer:
            continue
        done.add(key[0])
        assert same(run_code(answer["code"]), float(answer["exact"])), (key, answer["code"])
    assert done


def test_every_column_of_a_table_is_explained(page):
    columns = {*columns_in(page.lab.view.layout["cards"], arrays_of(page))}
    assert columns
    for symbol, first, unit in columns:
        if symbol.startswith("jacobian_log10_norm_") and symbol.rpartition("_")[2] not in page.lab.state.curves:
            continue
        if symbol.endswith("_log10") and symbol[:4] in ("boun", "folk") and "rnn" not in page.lab.state.curves:
            continue
        t = MEASURED_LENGTH if symbol.startswith("accuracy_") else max(first, 1)
        answer = page.ask(symbol, first if symbol in FROM_FIRST else t, unit)
        assert "missing" not in answer, (symbol, answer)
        assert answer["code"], symbol
        assert [found for found in answer["checks"] if not found["near"]] == [], (symbol, answer)


GRADIENTS = [("dh", 2), ("da", 2), ("dy", 2), ("dh_out", 2), ("dh_next", 2), ("dW", 2), ("dW_sum", 5), ("slope", 2)]


@pytest.mark.parametrize(("symbol", "t"), GRADIENTS)
def test_a_gradient_has_a_central_difference_of_its_own(symbol, t):
    answer = Page(UnfoldLab({})).ask(symbol, t)
    kinds = [found["kind"] for found in answer["checks"]]
    assert kinds.count("central") == 1, answer["checks"]
    central = next(found for found in answer["checks"] if found["kind"] == "central")
    apart = float(central["difference"][0]["value"])
    assert abs(apart) < 1e-8
    assert float(central["value"][0]["value"]) - float(answer["exact"]) == apart


@pytest.mark.parametrize("symbol", ["daf", "dai", "dao", "dag", "dh", "dc"])
def test_gradients_of_a_gated_cell_have_one_too(symbol):
    answer = Page(BPTTLab({"cell": "lstm", "n": "2"})).ask(symbol, 3, 1)
    assert [found["kind"] for found in answer["checks"]] == ["again", "central"]
    assert answer["formula"]
    assert answer["lines"]


def test_a_wrong_number_is_said_to_be_wrong():
    lab = UnfoldLab({})
    answer = Page(lab).ask("h", 3, 0, "0.7")
    (first, *_) = answer["checks"]
    assert (first["words"], first["near"]) == ("The page shows", False)
    assert float(first["difference"][0]["value"]) == 0.7 - float(lab.run.trace.hs[3, 0])


def test_a_hidden_state_has_its_row_its_vector_and_their_sum():
    lab = UnfoldLab({"n": "4", "input": "noise", "d": "2"})
    answer = Page(lab).ask("h", 3, 2)
    recurrent, read = answer["cells"]
    row, vector, product = recurrent["rows"]
    W, h = lab.run.cell.W_hh, lab.run.trace.hs
    assert [float(found["value"]) for found in row["numbers"]] == W[2].tolist()
    assert [float(found["value"]) for found in vector["numbers"]] == h[2].tolist()
    assert [float(found["value"]) for found in product["numbers"]] == (W[2] * h[2]).tolist()
    assert float(recurrent["total"][0]["value"]) == W[2] @ h[2]
    assert [(found["symbol"], found["unit"]) for found in row["numbers"]] == [("W_hh", 8 + j) for j in range(4)]
    assert [(found["symbol"], found["t"], found["unit"]) for found in vector["numbers"]] == [
        ("h", 2, j) for j in range(4)
    ]
    assert read["columns"] == [1, 2]


def test_of_a_long_product_the_largest_entries_are_shown_and_the_sum_is_of_all():
    lab = UnfoldLab({"input": "text", "text": "hello", "n": "4"})
    read_out = Page(lab).ask("dh", 3, 0)["cells"][0]
    terms = lab.run.cell.W_hy[:, 0] * lab.run.gradients.outputs[2]
    assert len(read_out["columns"]) == 16
    assert read_out["left"].startswith("The 16 largest of 34 products")
    hidden = [abs(term) for j, term in enumerate(terms, start=1) if j not in read_out["columns"]]
    assert max(hidden) <= min(abs(terms[j - 1]) for j in read_out["columns"])
    assert float(read_out["total"][0]["value"]) == pytest.approx(terms.sum(), abs=1e-15)


@pytest.mark.parametrize("pattern", ["hidden", "output", "last", "system", "convolution"])
def test_in_no_pattern_is_a_number_explained_by_a_wrong_equation(pattern):
    """Every array of the page, first and last step: core's number, and no check that is far from it."""
    page = Page(UnfoldLab({"pattern": pattern, "n": "2", "T": "4", "input": "noise", "t": "3"}))
    for symbol, (rows, first) in page.lab.arrays().items():
        if symbol.endswith("_after") or symbol in ("steps", "k"):
            continue
        for t in (first, first + len(rows) - 1):
            shown = repr(float(np.atleast_1d(np.asarray(rows, dtype=float)[t - first])[0]))
            answer = page.ask(symbol, t, 0, shown)
            assert float(answer["exact"]) == float(shown), (symbol, t, answer)
            assert [found for found in answer["checks"] if not found["near"]] == [], (symbol, t, answer)
            assert answer["code"], symbol


def test_a_number_of_another_pattern_has_no_equation_here():
    answer = Page(UnfoldLab({"pattern": "convolution"})).ask("dh", 2, 0, "0.25")
    assert (answer["exact"], answer["code"], answer["checks"]) == ("0.25", "", [])
    assert "no equation" in answer["note"][0]["text"]


OPERATED = "f@3:0,cut@5,x@2:0.5,x@4:del"


@pytest.mark.parametrize(
    ("symbol", "t", "words", "value"),
    [
        ("f", 3, "Held there by surgery", 0.0),
        ("x", 2, "Set by surgery", 0.5),
        ("x", 4, "Deleted by surgery", 0.0),
        ("Uhf", 5, "Cut at this step", 0.0),
        ("af", 5, "Cut at this step", None),
        ("f", 5, "Cut at this step", None),
    ],
)
def test_what_surgery_touches_is_not_explained_by_the_ordinary_equation(symbol, t, words, value):
    answer = Page(LSTMLab({"surgery": OPERATED})).ask(symbol, t, 0)
    assert words in answer["note"][0]["text"]
    assert (answer["lines"], answer["cells"]) == ([], [])
    assert [found["near"] for found in answer["checks"]] == [True]
    assert value is None or float(answer["exact"]) == value
    assert run_code(answer["code"]) == float(answer["exact"])


@pytest.mark.parametrize(("symbol", "t"), [("h", 5), ("f", 3), ("af", 5), ("c", 4), ("x", 2), ("W_xf", 1)])
def test_a_ghost_is_the_number_of_the_untouched_run(symbol, t):
    ghost = Page(LSTMLab({"surgery": OPERATED})).ask(f"ghost_{symbol}", t, 0)
    plain = Page(LSTMLab({})).ask(symbol, t, 0)
    assert (ghost["exact"], ghost["formula"], ghost["code"]) == (plain["exact"], plain["formula"], plain["code"])
    assert ghost["words"].startswith("without surgery: ")
    assert all(found["near"] for found in ghost["checks"])


def test_without_surgery_there_is_no_ghost():
    assert "There is no number called ghost_h" in Page(LSTMLab({})).ask("ghost_h", 3)["missing"]
    assert "Nothing is operated on" in Page(LSTMLab({})).ask("change_h", 3)["missing"]


@pytest.mark.parametrize("query", [{}, {"reset": "after", "surgery": "cut@5,z:1"}])
def test_the_numbers_beside_a_gru_have_their_arithmetic(query):
    page = Page(GRULab({"n": "4", **query}))
    lab, inner = page.lab, 4 * ("reset" in query)
    for name, blocks in (("rnn", 1), ("gru", 3), ("lstm", 4)):
        answer = page.ask(f"parameters_{name}")
        total = blocks * (4 * 1 + 4**2 + 4) + inner * (name == "gru")
        assert answer["exact"] == str(total)
        arithmetic = "".join(word["text"] for word in answer["lines"][0])
        assert arithmetic.startswith(f"{blocks} × (4 × 1 + 4² + 4)")
        assert run_code(answer["code"]) == total
        state = page.ask(f"h_{name}", 5, 2)
        assert state["lines"]
        assert state["formula"]
        wanted = run(lab.state.config_of(name)).trace.hs[5, 2]
        assert float(state["exact"]) == wanted == run_code(state["code"])
    assert page.ask("parameters_b_hh")["exact"] == str(inner)
    seen = variant_differences(lab.untouched.cell, lab.untouched.trace, 7)
    for name, t in (("update", 12), ("negated", 12), ("reset", 12), ("reset_step", 7)):
        answer = page.ask(f"difference_{name}", t)
        assert float(answer["exact"]) == getattr(seen, name) == run_code(answer["code"])
        assert [found["near"] for found in answer["checks"]] == [True]
    assert "no" in page.ask("change_c", 3)["missing"]
    assert page.ask("difference_reset_step", 99)["missing"]


def test_weights_say_where_they_come_from():
    typed = Page(UnfoldLab({})).ask("W_hh", 0, 0, "0.9")
    assert "Typed: W" in typed["note"][0]["text"]
    drawn = Page(LSTMLab({})).ask("W_hh", 0, 17)
    assert "stream W_hh of seed 0" in drawn["note"][0]["text"]
    assert "gate i" in drawn["words"]
    assert drawn["checks"][0]["words"] == "Made again from the settings"


def test_an_entry_that_stands_in_a_block_is_found_by_its_number():
    lab = LSTMLab({"n": "2"})
    value = float(lab.run.cell.W_xh[3, 1, 0])
    answer = Page(lab).ask("W_xh", 0, 1, repr(value))
    assert float(answer["exact"]) == value
    assert "row 2, column 1, gate g" in answer["words"]


@pytest.mark.parametrize("notation", ["goodfellow", "boucher", "concat", "pytorch"])
def test_letters_follow_the_notation(notation):
    lab = UnfoldLab({"notation": notation})
    answer, wanted = Page(lab).ask("y", 2), {"goodfellow": "o"}.get(notation, "y")
    assert answer["title"][0]["text"] == wanted
    assert answer["formula"][0]["text"] == wanted


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ({"symbol": "h", "t": 9, "unit": 0}, "There is no h at 9: it goes from 0 to 5."),
        ({"symbol": "h", "t": -1, "unit": 0}, "There is no h at -1"),
        ({"symbol": "a", "t": 0, "unit": 0}, "There is no a at 0: it goes from 1 to 5."),
        ({"symbol": "h", "t": 1, "unit": 3}, "There is no h number 3: it goes from 0 to 0."),
        ({"symbol": "h", "t": 1, "unit": -1}, "There is no h number -1"),
        ({"symbol": "h", "t": "1", "unit": 0}, "by symbol, step and unit"),
        ({"symbol": 3, "t": 1, "unit": 0}, "by symbol, step and unit"),
        ({"symbol": "h", "t": True, "unit": 0}, "by symbol, step and unit"),
        ({}, "by symbol, step and unit"),
        ({"symbol": "W_hh", "t": 0, "unit": 0, "value": "0.123"}, "W_hh has no such entry"),
        ({"symbol": "nonsense", "t": 0, "unit": 0}, "There is no number called nonsense"),
        ({"symbol": "__class__", "t": 0, "unit": 0}, "There is no number called __class__"),
    ],
)
def test_what_does_not_exist_is_said(message, words):
    frame = Page(UnfoldLab({})).send("tell", detail="badge", message=message)
    assert words in frame["texts"]["badge"]["missing"]


def test_a_number_without_an_equation_says_so():
    answer = Page(UnfoldLab({})).ask("novelty", 1, 0, "0.1")
    assert (answer["exact"], answer["code"], answer["checks"]) == ("0.10000000000000001", "", [])
    assert "no equation" in answer["note"][0]["text"]


def test_the_badge_is_told_and_never_asked_for():
    page = Page(GradientLab({"n": "4"}))
    assert "badge" not in page.lab.view.layout["details"]
    frame = page.send("set", values={"rho": "1.1"})
    assert "badge" in frame["stale"]
    assert "badge" not in page.send("set", values={"t": "3"})["stale"]


def test_the_map_is_explained_once_it_is_computed():
    lab = GradientLab({"n": "3"})
    found = lab.detail("map")
    grown = type(found.shown()).empty(found._grid(20))
    from rnnscope.core import chaos_batch  # noqa: PLC0415  for this test alone

    grown.put((0, chaos_batch(grown.grid, 0)))
    found._map = grown
    page, (row, column) = Page(lab), found.point()
    values = {("map_share", 0, 0): None, ("map_rho", 0, 0): repr(grown.grid.rhos[row])}
    values |= {("map_sigma_in", 0, 0): repr(grown.grid.strengths[column]), ("map_lyapunov", column, 0): None}
    for key, value in values.items():
        answer = page.ask(*key, value=value)
        assert value is None or float(answer["exact"]) == float(value), key
        assert [each for each in answer["checks"] if not each["near"]] == [], key
        assert same(run_code(answer["code"]), float(answer["exact"])), key
    share = np.count_nonzero(grown.exponents > 0) / grown.known().sum()
    assert float(page.ask("map_share")["exact"]) == share


CHAIN_SYMBOLS = {
    "rnn": ("a", "h", "b_h", "W_xh", "W_hh"), "lstm": ("f", "i", "o", "g", "c", "h", "af", "b_h", "W_hh"),
    "gru": ("z", "r", "g", "h", "ag", "W_xh", "b_hh"),
}  # fmt: skip


@pytest.mark.parametrize("way", ["forward", "backward"])
@pytest.mark.parametrize("cell", ["rnn", "lstm", "gru"])
def test_every_number_of_a_chain_is_explained_by_its_own_weights(cell, way):
    page = Page(BidirectionalLab({"cell": cell, "n": "3", **({"reset": "after"} if cell == "gru" else {})}))
    for name in CHAIN_SYMBOLS[cell]:
        answer = page.ask(f"{name}_{way}", 4, 2)
        assert "missing" not in answer, (name, answer)
        assert answer["checks"], name
        assert all(found["near"] for found in answer["checks"]), (name, answer)
        assert run_code(answer["code"]) == float(answer["exact"]), name
        for number in [found for table in answer["cells"] for row in table["rows"] for found in row["numbers"]]:
            if "symbol" in number:
                again = page.ask(number["symbol"], number["t"], number["unit"])
                assert float(again["exact"]) == float(number["value"]), number
    first, after = (0, 7) if way == "forward" else (7, 0)
    assert page.ask(f"h_{way}", first, 1)["exact"] == "0"
    assert "There is no" in page.ask(f"h_{way}", after, 1)["missing"]
    assert "no" in page.ask(f"{'f' if cell != 'lstm' else 'z'}_{way}", 4)["missing"]


def test_without_a_change_there_is_no_size_of_it():
    assert "No input is changed" in Page(BidirectionalLab({"change": "none"})).ask("change_y", 2)["missing"]


@pytest.mark.parametrize("reset", ["before", "after"])
@pytest.mark.parametrize("update", ["new", "old"])
@pytest.mark.parametrize("symbol", ["z", "r", "g", "h", "az", "Wxz", "Uhr", "Uhg", "rh", "zh", "zg", "keep"])
def test_a_gru_explains_its_wires_in_every_variant(symbol, reset, update):
    lab = GRULab({"n": "3", "input": "noise", "reset": reset, "update": update})
    lab._answer({"action": "tell", "detail": "badge", "sequence": 1, "message": {"symbol": symbol, "t": 5, "unit": 1}})
    said = json.loads(lab.view.frame["json"])["texts"]["badge"]
    assert "missing" not in said
    assert said["checks"]
    assert all(found["near"] for found in said["checks"])
