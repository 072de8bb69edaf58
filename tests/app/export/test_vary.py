"""What --vary accepts, and what it says of the rest."""

import pytest
from rnnscope.app.export.errors import CannotExport
from rnnscope.app.export.vary import MOST_VALUES, parse_variation
from rnnscope.app.state import GradientState, LSTMState


def test_a_range_has_both_ends_and_is_written_as_a_person_would():
    found = parse_variation(GradientState, "rho=0:3:0.05")
    assert found.key == "rho"
    assert len(found.texts) == len(found.values) == 61
    assert found.texts[:4] == ("0", "0.05", "0.1", "0.15")
    assert found.texts[-1] == "3"
    assert found.values[24] == 1.2


def test_a_range_stops_before_an_end_that_its_steps_do_not_hit():
    assert parse_variation(GradientState, "rho=0:1:0.3").texts == ("0", "0.3", "0.6", "0.9")


def test_a_list_takes_any_key_of_the_lab():
    assert parse_variation(LSTMState, "notation=boucher,pytorch").values == ("boucher", "pytorch")
    assert parse_variation(LSTMState, "n=1, 2,4").values == (1, 2, 4)
    assert parse_variation(LSTMState, "T=2:8:2").values == (2, 4, 6, 8)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rho", "KEY=LOW:HIGH:STEP"), ("colour=1,2", "with a key of the lab"), ("theme=light,dark", "a key of the lab"),
        ("rho=0:3", "LOW below HIGH"), ("rho=3:0:0.1", "LOW below HIGH"), ("rho=0:3:0", "STEP above 0"),
        ("rho=0:4:0.5", "from 0 to 3"), ("rho=0,x", "from 0 to 3"), ("rho=0:nan:1", "LOW below HIGH"),
        (f"rho=0:3:{3 / (2 * MOST_VALUES)}", "make STEP larger"),
    ],
)  # fmt: skip
def test_the_rest_is_refused_in_one_line(text, said):
    with pytest.raises(CannotExport, match=r"^--vary .*$") as refused:
        parse_variation(GradientState, text)
    assert said in str(refused.value)
