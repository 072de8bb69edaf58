"""Surgery on /lstm and /gru as the page sees it: the key and its text, what a frame carries, what is refused."""

import json
from dataclasses import replace
from urllib.parse import parse_qsl

import numpy as np
import pytest
from rnnscope.app import GRULab, LSTMLab, snapshot, surgery_text, url
from rnnscope.app.diagrams import gru, lstm
from rnnscope.app.diagrams.surgery import with_surgery
from rnnscope.app.labs import base
from rnnscope.app.labs.seen import made
from rnnscope.app.state import LSTMState
from rnnscope.core import Surgery, operate, operated_log10_norms, run, unroll

GATES = ("f", "i", "o", "g")
EXAMPLE = "f:1,i.1@3:0,cut@5,x@2:0.5,x@4:del"
GRU_EXAMPLE = "z:1,r.1@3:0,cut@5,x@2:0.5,x@4:del"
GRU_SURGERY = Surgery((("z", None, 1.0, None), ("r", 3, 0.0, 1)), (5,), ((2, 0.5, None), (4, "deleted", None)))
VARIANTS = [{"reset": reset, "update": update} for reset in ("before", "after") for update in ("new", "old")]
SURGERY = Surgery((("f", None, 1.0, None), ("i", 3, 0.0, 1)), (5,), ((2, 0.5, None), (4, "deleted", None)))


class Page:
    """A lab and the frame of its last answer."""

    def __init__(self, lab=LSTMLab, **query):
        self.lab, self.sequence = lab(query), 0

    def send(self, action, **content):
        self.sequence += 1
        self.lab._answer({"action": action, "sequence": self.sequence, **content})
        return self.frame()

    def set(self, **values):
        return self.send("set", values=values)

    def frame(self):
        return json.loads(self.lab.view.frame["json"])

    def array(self, name):
        offset, steps, units, _ = self.frame()["arrays"][name]
        return self.lab.view.frame["data"][offset : offset + steps * units].reshape(steps, units)

    def names(self):
        return set(self.frame()["arrays"])


# --- the text --------------------------------------------------------------------------------


def test_text_and_surgery_are_each_others_way_back():
    assert surgery_text.parse(EXAMPLE, GATES) == SURGERY
    assert surgery_text.write(SURGERY) == EXAMPLE
    assert surgery_text.parse("", GATES) == Surgery()


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (" f@3:0.50 , f@4:.5,", "f@3:0.5,f@4:0.5"),
        ("f@3:0,f:1", "f:1"),
        ("f:1,f@3:0", "f:1,f@3:0"),
        ("f.1@3:0,f@3:1", "f@3:1"),
        ("f@3:0,f.1@3:1", "f@3:0,f.1@3:1"),
        ("i@3:0,f@3:0", "i@3:0,f@3:0"),
        ("cut@5,cut@2,cut@5", "cut@2,cut@5"),
        ("x@2:1,cut@1,x@2:del,g:−1", "g:-1,cut@1,x@2:del"),
        ("x.0@2:1,x.1@2:3", "x.0@2:1,x.1@2:3"),
    ],
)
def test_operations_are_written_back_as_one_would_write_them(text, written):
    assert surgery_text.canonical(text, GATES) == written
    assert surgery_text.canonical(written, GATES) == written


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("q:1", "“q:1” names q; it takes f, i, o, g, cut or x."),
        ("f:2", "in “f:2” the value of f goes from 0 to 1, as in f@3:0."),
        ("g@2:-1.5", "in “g@2:-1.5” the value of g goes from -1 to 1"),
        ("f:nan", "the value of f goes from 0 to 1"),
        ("f@3", "the value of f goes from 0 to 1"),
        ("f@0:1", "“f@0:1” is at step 0; steps begin at 1."),
        ("cut", "a cut is written cut@5."),
        ("cut@3:1", "a cut is written cut@5."),
        ("x:1", "an input is written x@2:0.5 or x@4:del."),
        ("x@2:zero", "“x@2:zero” has the value zero; an input takes a number or del."),
        ("x@2:1e999", "an input takes a number or del."),
        ("<b>", "“<b>” is no operation; it takes operations separated by commas"),
        (",".join(f"cut@{t}" for t in range(1, 70)), "it has 69 operations and takes up to 64."),
    ],
)
def test_what_is_no_operation_is_said(text, says):
    values, notices = url.read(LSTMState, {"surgery": text})
    assert not values.get("surgery")
    assert len(notices) == 1
    assert says in notices[0].message


def test_an_operation_that_the_run_has_no_room_for_is_left_out_and_the_others_hold():
    query = {"surgery": "f@13:0,i.4:1,cut@2,x.1@2:3", "T": "12"}
    values, notices = url.read(LSTMState, query)
    assert values["surgery"] == "cut@2"
    assert [notice.message for notice in notices] == [
        "surgery = “f@13:0” is not accepted: the run has 12 steps. It is left out.",
        "surgery = “i.4:1” is not accepted: the cell has 4 units, counted from 0. It is left out.",
        "surgery = “x.1@2:3” is not accepted: the input has 1 component, counted from 0. It is left out.",
    ]


def test_a_link_brings_the_operations_back():
    page = Page(surgery=EXAMPLE, n="2", T="6", input="noise", d="2")
    link = page.frame()["query"]
    assert f"surgery={EXAMPLE}" in link
    assert LSTMLab(dict(parse_qsl(link))).state.surgery == EXAMPLE


# --- the frame -------------------------------------------------------------------------------


@pytest.mark.parametrize(("lab", "clamp"), [(LSTMLab, "f:1"), (GRULab, "z:1")])
def test_without_an_operation_nothing_is_sent_of_it(lab, clamp):
    plain, cleared = Page(lab), Page(lab, surgery=clamp)
    cleared.set(surgery="")
    for page in (plain, cleared):
        assert not [name for name in page.names() if name.startswith(("ghost", "clamped", "cut", "edited", "jacobian"))]
        assert page.frame()["texts"]["operations"] == []
    np.testing.assert_array_equal(cleared.lab.view.frame["data"], plain.lab.view.frame["data"])


def test_live_and_ghost_are_cores_own_bit_for_bit():
    page = Page(surgery=EXAMPLE)
    untouched = run(page.lab.state.config())
    operated = operate(untouched.cell, untouched.trace.xs, SURGERY)
    for name, live, ghost in [
        ("h", operated.hs, untouched.trace.hs),
        ("c", operated.cs, untouched.trace.cs),
        ("x", operated.xs, untouched.trace.xs),
        ("f", operated.gates["f"], untouched.trace.gates["f"]),
        ("ag", operated.preactivations["g"], untouched.trace.preactivations["g"]),
        ("ig", operated.gates["i"] * operated.gates["g"], untouched.trace.gates["i"] * untouched.trace.gates["g"]),
    ]:
        np.testing.assert_array_equal(page.array(name), live)
        np.testing.assert_array_equal(page.array(f"ghost_{name}"), ghost)
    norms = operated_log10_norms(untouched.cell, operated, SURGERY, 12)
    np.testing.assert_array_equal(page.array("jacobian_log10_norm")[:, 0], norms)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_gru_is_operated_on_in_each_of_its_variants(variant):
    page = Page(GRULab, surgery=GRU_EXAMPLE, **variant)
    untouched = run(page.lab.state.config())
    operated = operate(untouched.cell, untouched.trace.xs, GRU_SURGERY)
    for name, live, ghost in [
        ("h", operated.hs, untouched.trace.hs),
        ("x", operated.xs, untouched.trace.xs),
        ("r", operated.gates["r"], untouched.trace.gates["r"]),
        ("ag", operated.preactivations["g"], untouched.trace.preactivations["g"]),
    ]:
        np.testing.assert_array_equal(page.array(name), live)
        np.testing.assert_array_equal(page.array(f"ghost_{name}"), ghost)
    norms = operated_log10_norms(untouched.cell, operated, GRU_SURGERY, 12)
    np.testing.assert_array_equal(page.array("jacobian_log10_norm")[:, 0], norms)
    assert page.array("clamped_z").all()
    words = page.frame()["texts"]["surgery_summary"]
    assert {word["symbol"] for word in words if word["kind"] == "number"} == {"change_h"}
    assert page.set(surgery="")["texts"]["operations"] == []


@pytest.mark.parametrize("variant", VARIANTS)
def test_past_a_cut_a_gru_keeps_its_share_and_reads_nothing(variant):
    page = Page(GRULab, surgery="cut@5", t="5", unit="2", **variant)
    for k, gate in enumerate("zrg"):
        inner = "rh" if gate == "g" and variant["reset"] == "after" else f"Uh{gate}"
        summed = page.array(f"Wx{gate}") + page.array(inner) + page.lab.run.cell.b_h[k]
        np.testing.assert_allclose(summed, page.array(f"a{gate}"), rtol=1e-13, atol=1e-14)
    for name in ("Uhz", "Uhr", "Uhg", "rh"):
        assert not page.array(name)[4].any()
        assert page.array(name)[5].any()
        assert page.array(f"ghost_{name}")[4].any()
    np.testing.assert_array_equal(page.array("zh") + page.array("zg"), page.array("h")[1:])
    assert page.array("zh")[4].all()
    meaning = page.send("select", node={"symbol": "r", "t": 5})["texts"]["meaning"]
    assert "".join(word["text"] for word in meaning).startswith("Cut at this step: it scales")


def test_a_bias_inside_the_reset_gates_bracket_goes_on_past_a_cut():
    shown = run(GRULab({"reset": "after"}).state.config())
    biased = replace(shown, cell=replace(shown.cell, b_hh=np.array([0.5, -1.0, 2.0, 0.25])))
    found = made(biased, (5,))
    np.testing.assert_array_equal(found["Uhg"][4], biased.cell.b_hh)
    np.testing.assert_array_equal(found["rh"][4], biased.trace.gates["r"][4] * biased.cell.b_hh)


@pytest.mark.parametrize(("lab", "substeps"), [(LSTMLab, {"2": "Uhf", "14": "Uho"}), (GRULab, {"2": "Uhz", "9": "rh"})])
def test_a_sub_step_at_a_cut_takes_zero_in_place_of_the_state(lab, substeps):
    for substep, made_here in substeps.items():
        page = Page(lab, surgery="cut@5", t="5", n="1", seed="7", substep=substep)
        words = page.frame()["texts"]["substep"]
        numbers = [word for word in words if word["kind"] == "number"]
        assert (numbers[-1].get("symbol"), float(numbers[-1]["value"])) == (made_here, 0.0)
        assert "h" not in [word.get("symbol") for word in numbers]
        assert {"kind": "text", "text": "0"} in words


def test_the_cards_beside_a_gru_are_of_the_run_without_surgery():
    page, plain = Page(GRULab, surgery=GRU_EXAMPLE), Page(GRULab)
    for each in (page, plain):
        each.send("detail", names=["beside", "convention"])
    said = page.frame()["texts"]
    texts = {name: "".join(word["text"] for word in words) for part in said.values() for name, words in part.items()}
    assert texts["beside_summary"].startswith("This card shows the run without surgery.")
    assert texts["update_says"].endswith(" Measured without surgery.")
    assert texts["reset_says"].endswith(" Measured without surgery.")
    np.testing.assert_array_equal(page.array("beside/h_gru"), plain.array("beside/h_gru"))
    numbers = [[word for word in page.frame()["texts"]["convention"]["update_says"] if word["kind"] == "number"]]
    numbers += [[word for word in plain.frame()["texts"]["convention"]["update_says"] if word["kind"] == "number"]]
    assert numbers[0] == numbers[1]


@pytest.mark.parametrize(
    ("lab", "query", "opened"),
    [
        (LSTMLab, {"substep": "10"}, "g"),
        (LSTMLab, {"substep": "19"}, "f"),
        (GRULab, {"substep": "10"}, "g"),
        (GRULab, {"substep": "6", "reset": "after"}, "r"),
        (GRULab, {"substep": "10", "open": "r"}, "r"),
        (GRULab, {}, "z"),
    ],
)
def test_a_link_to_a_sub_step_opens_its_layer(lab, query, opened):
    shown = lab(query)
    assert shown.state.open == opened
    assert lab(dict(parse_qsl(Page(lab, **query).frame()["query"]))).state.open == opened


@pytest.mark.parametrize("lab", [LSTMLab, GRULab])
def test_the_maps_say_how_the_untouched_run_is_drawn(lab):
    page = Page(lab, surgery="cut@5")
    note = page.frame()["texts"]["maps_note"]
    assert "lower third of a cell is the untouched run" in note[0]["text"]
    assert page.set(n="1")["texts"]["maps_note"][0]["text"] == "Dashed: the untouched run."
    assert page.set(surgery="")["texts"]["maps_note"] == []


def test_marks_say_what_was_done_where():
    page = Page(surgery=EXAMPLE)
    assert page.array("clamped_f").all()
    assert np.argwhere(page.array("clamped_i")).tolist() == [[2, 1]]
    assert not page.array("clamped_o").any()
    assert np.flatnonzero(page.array("cut")).tolist() == [4]
    assert page.array("edited")[:, 0].tolist() == [0, 1, 0, 2, *[0] * 8]


def test_the_summary_says_where_it_differs_most():
    page = Page(surgery="i@3:0", n="1", seed="7")
    words = [word for word in page.frame()["texts"]["surgery_summary"] if word["kind"] == "number"]
    before = run(page.lab.state.config()).trace
    for word, a, b in zip(words, (before.hs, before.cs), (page.array("h"), page.array("c")), strict=True):
        change = np.abs(a - b)[:, 0]
        assert (word["symbol"][:7], word["t"]) == ("change_", int(change.argmax()))
        assert float(word["value"]) == change.max() > 0


def test_the_list_says_each_operation_in_words():
    listed = Page(surgery=EXAMPLE).frame()["texts"]["operations"]
    assert [(one["text"], one["words"]) for one in listed] == [
        ("f:1", "Forget gate held at 1, every step"),
        ("i.1@3:0", "Input gate, unit 2 held at 0, step 3"),
        ("cut@5", "Recurrent weights cut at step 5"),
        ("x@2:0.5", "Input set to 0.5, step 2"),
        ("x@4:del", "Input deleted, step 4"),
    ]


def test_the_equation_of_a_clamped_gate_says_that_it_is_held():
    page = Page(surgery="f@5:1,cut@6", t="5")
    shown = ["".join(word["text"] for word in line["tokens"]) for line in page.frame()["texts"]["selected"]]
    assert shown[-1].endswith("held there whatever the weights say")
    later = ["".join(word["text"] for word in line["tokens"]) for line in page.set(t="6")["texts"]["selected"]]
    assert later[0] == "Cut at this step: the recurrent weights see 0."
    assert "held" not in later[-1]


def test_undone_operations_leave_every_bit_as_it_was():
    page = Page()
    before = page.lab.view.frame["data"].copy()
    page.set(surgery="f@2:0")
    assert not np.array_equal(page.lab.view.frame["data"][: before.size], before)
    page.set(surgery="")
    np.testing.assert_array_equal(page.lab.view.frame["data"], before)


def test_an_operation_does_not_run_the_untouched_network_again(monkeypatch):
    calls, real = [], base.run
    monkeypatch.setattr(base, "run", lambda config: calls.append(config) or real(config))
    page = Page()
    page.set(surgery="f@2:0")
    page.set(surgery="f@2:0.5")
    assert len(calls) == 1
    page.set(forget_bias="2")
    assert len(calls) == 2
    assert (page.array("ghost_c") == unroll(page.lab.run.cell, page.lab.untouched.trace.xs).cs).all()


def test_no_operation_sends_a_scene_again():
    page = Page()
    assert page.set(surgery=EXAMPLE)["scenes"] == {}
    assert page.set(surgery="")["scenes"] == {}


# --- what is refused -------------------------------------------------------------------------


def test_a_bad_operation_from_the_page_is_a_notice_and_changes_nothing():
    page = Page(surgery="f@2:0")
    frame = page.set(surgery="f@2:0,f@3:7")
    assert frame["state"]["values"]["surgery"] == "f@2:0"
    assert len(frame["notices"]) == 1
    assert "“f@3:7”" in frame["notices"][0]


def test_an_operation_past_the_end_is_a_notice_however_it_comes():
    page = Page(surgery="f@12:0,cut@2")
    frame = page.set(T="6")
    assert frame["state"]["values"]["surgery"] == "cut@2"
    assert frame["notices"] == ["surgery = “f@12:0” is not accepted: the run has 6 steps. It is left out."]
    assert page.set(surgery="cut@2,cut@9")["notices"] == [
        "surgery = “cut@9” is not accepted: the run has 6 steps. It is left out."
    ]
    assert page.set(t="3")["notices"] == []


def test_reset_takes_operations_back_and_a_lock_keeps_them():
    assert Page(surgery="f:1").send("reset")["state"]["values"]["surgery"] == ""
    locked = Page(surgery="f:1", lock="surgery")
    assert locked.set(surgery="")["state"]["values"]["surgery"] == "f:1"
    assert locked.send("reset")["state"]["values"]["surgery"] == "f:1"


def test_the_input_under_the_hand_is_that_of_the_untouched_run():
    page = Page(surgery="x@2:0.5,x@4:del", t="3")
    page.send("input", value="0.25")
    assert page.lab.state.values[:5] == (0.2, 0.9, 0.25, -0.3, 0.66)
    assert page.array("x")[:4, 0].tolist() == [0.2, 0.5, 0.25, 0]


# --- files and scenes ------------------------------------------------------------------------


def test_state_writes_both_runs(tmp_path):
    values, _ = url.read(LSTMState, {"surgery": EXAMPLE})
    snapshot.write("lstm", values, tmp_path / "a.npz")
    snapshot.write("lstm", {}, tmp_path / "b.npz")
    with np.load(tmp_path / "a.npz") as both, np.load(tmp_path / "b.npz") as plain:
        for name in ("xs", "hs", "cs", "gates_f", "preactivations_o", "jacobian_log10_norms"):
            np.testing.assert_array_equal(both[f"ghost_{name}"], plain[name])
        operated = operate(run(LSTMState().config()).cell, plain["xs"], SURGERY)
        np.testing.assert_array_equal(both["hs"], operated.hs)
        np.testing.assert_array_equal(both["gates_i"], operated.gates["i"])
        assert "ghost_W_hh" not in both
        assert not [name for name in plain if name.startswith("ghost")]
        assert both["jacobian_log10_norms"][0] != plain["jacobian_log10_norms"][0]


@pytest.mark.parametrize(("cell", "gates", "states"), [("lstm", "figo", 4), ("gru", "zrg", 2)])
@pytest.mark.parametrize("variant", ["wide", "compact"])
@pytest.mark.parametrize(("n", "d", "text"), [(1, 1, None), (8, 1, None), (4, 3, None), (4, 34, "hello")])
def test_marks_are_added_and_nothing_else_moves(cell, gates, states, variant, n, d, text):
    module = {"lstm": lstm, "gru": gru}[cell]
    plain = getattr(module, f"{cell}_scene")(variant, n, d, "pytorch", text)
    marked = with_surgery(plain, gates, module.cut_place(variant, n))
    inside = [child for item in marked["layers"]["node"] for child in item["children"]]
    kinds = [item["kind"] for item in (*marked["layers"]["label"], *inside)]
    assert kinds.count("pin") == len(gates)
    assert kinds.count("edited") == 1
    assert kinds.count("was") == len(gates) + states + (d == 1)
    assert kinds.count("cutmark") == 1
    assert marked["layers"]["label"][: len(plain["layers"]["label"])] == plain["layers"]["label"]
    for before, after in zip(plain["layers"]["node"], marked["layers"]["node"], strict=True):
        assert after["children"][: len(before["children"])] == before["children"]
        assert after["name"][: len(before["name"])] == before["name"]
    json.dumps(marked)


def test_at_a_cut_step_the_inside_of_the_cell_adds_up_without_the_recurrent_product():
    lab = LSTMLab({"surgery": "cut@5,f@3:0", "t": "5", "n": "3", "input": "noise"})
    arrays = {name: np.asarray(array) for name, (array, _) in lab.arrays().items()}
    for k, gate in enumerate("fiog"):
        assert not arrays[f"Uh{gate}"][4].any()
        summed = arrays[f"Wx{gate}"] + arrays[f"Uh{gate}"] + lab.run.cell.b_h[k]
        np.testing.assert_allclose(summed, arrays[f"a{gate}"], rtol=1e-13, atol=1e-14)
    assert "Cut at this step" in str(lab.texts()["opened_line"])
