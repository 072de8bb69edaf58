"""Query string <-> state: every key of every lab, good and bad; what is written reads back."""

import math
from urllib.parse import parse_qsl

import param
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rnnscope.app import url
from rnnscope.app.snapshot import STATES
from rnnscope.app.state import GradientState, LSTMState, Numbers, UnfoldState

LABS = pytest.mark.parametrize("state", STATES.values(), ids=STATES.keys())
#: Labs of a cell that is drawn from a seed and reads T steps; the others have a trained model, or no cell.
DRAWN_STATES = {name: state for name, state in STATES.items() if "cell" in state.names()}
DRAWN = pytest.mark.parametrize("state", DRAWN_STATES.values(), ids=DRAWN_STATES.keys())


def keys_of(kind, besides=()):
    """Every (lab, key) whose parameter is a `kind`."""
    found = [
        (state, key)
        for state in STATES.values()
        for key in state.names()
        if isinstance(state.param[key], kind) and not isinstance(state.param[key], besides)
    ]
    return pytest.mark.parametrize(("state", "key"), found, ids=[f"{s.__name__}-{k}" for s, k in found])


every_integer = keys_of(param.Integer)
every_number = keys_of(param.Number, besides=param.Integer)
every_choice = keys_of(param.Selector)
every_flag = keys_of(param.Boolean)
every_list = keys_of(Numbers)

NO_NUMBER = [
    "nan",
    "NaN",
    "inf",
    "-inf",
    "1e999",
    "-1e999",
    "0x10",
    "1_0",
    "",
    " ",
    "ten",
    "1,5",
    "1/2",
    "9" * 400,
    "--1",
]
NO_INTEGER = [*NO_NUMBER, "1.5", "1.0", "1e0", "+-1"]


def opened(state, query):
    """The state of a page that is opened with a query string."""
    values, notices = url.read(state, query if isinstance(query, dict) else pairs(query))
    page = state()
    page.apply(values)
    return page, notices


def drawn(page):
    """The config that draws the cell: of two chains the one that both share."""
    config = page.config()
    return getattr(config, "chain", config)


def pairs(query):
    return dict(parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query)))


def refuses(state, key, text):
    """Alone among good keys a bad one is reported, by name, and the good ones stay."""
    other = {"theme": "dark"} if key == "seed" else {"seed": "7"}
    values, notices = url.read(state, {**other, key: text})
    assert values.get("theme" if key == "seed" else "seed") == ("dark" if key == "seed" else 7)
    assert key not in values or values[key] == state.param[key].default
    assert [notice.key for notice in notices] == [key]
    assert notices[0].message.startswith(key)
    assert text[:40] in notices[0].message
    assert len(notices[0].message) < 400
    return notices[0]


# --- integers --------------------------------------------------------------------------------


@every_integer
def test_an_integer_takes_its_bounds_and_nothing_beyond(state, key):
    low, high = state.param[key].bounds
    assert [url.check(state, key, str(number)) for number in (low, high)] == [low, high]
    for beyond in (low - 1, high + 1, high + 10**9, 10**30):
        notice = refuses(state, key, str(beyond))
        assert f"from {low} to {high}" in notice.accepted


@pytest.mark.parametrize("text", NO_INTEGER)
@every_integer
def test_what_is_no_integer_is_refused(state, key, text):
    low, high = state.param[key].bounds
    assert f"integer from {low} to {high}" in refuses(state, key, text).accepted


@LABS
def test_a_seed_may_be_as_large_as_numpy_takes_it(state):
    page, notices = opened(state, {"seed": str(2**32 - 1)})
    assert (page.seed, notices) == (2**32 - 1, [])
    assert drawn(page).seed == 2**32 - 1


def test_an_integer_of_a_million_digits_is_refused_and_not_read():
    refuses(GradientState, "n", "1" * 1_000_000)


# --- numbers ---------------------------------------------------------------------------------


@every_number
def test_a_number_takes_its_bounds_and_nothing_beyond(state, key):
    low, high = (float(bound) for bound in state.param[key].bounds)
    assert [url.check(state, key, repr(number)) for number in (low, high)] == [low, high]
    for beyond in (math.nextafter(low, -math.inf), math.nextafter(high, math.inf), low - 1, high + 1, 1e300):
        notice = refuses(state, key, repr(beyond))
        assert f"from {url.write_value(low)} to {url.write_value(high)}" in notice.accepted


@pytest.mark.parametrize("text", NO_NUMBER)
@every_number
def test_what_is_no_finite_number_is_refused(state, key, text):
    refuses(state, key, text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.2", 1.2),
        (".5", 0.5),
        ("1.", 1.0),
        ("12e-1", 1.2),
        ("1.2E0", 1.2),
        ("+1.2", 1.2),
        (" 1.2 ", 1.2),
        ("01.2", 1.2),
    ],
)
def test_a_number_may_be_written_in_several_ways(text, value):
    assert opened(GradientState, {"rho": text})[0].rho == value


def test_a_typographic_minus_is_a_minus():
    assert opened(LSTMState, {"forget_bias": "−4"})[0].forget_bias == -4.0


# --- choices, flags, lists, text -------------------------------------------------------------


@every_choice
def test_a_choice_takes_what_it_lists(state, key):
    choices = [choice for choice in state.param[key].objects if choice]
    assert [url.check(state, key, choice) for choice in choices] == choices
    for bad in ("", "nothing", choices[0].upper() + "x", "<script>", "nan"):
        accepted = refuses(state, key, bad).accepted
        assert all(choice in accepted for choice in choices)


@every_flag
def test_a_flag_is_0_or_1(state, key):
    assert (url.check(state, key, "1"), url.check(state, key, "0")) == (True, False)
    for bad in ("", "2", "true", "yes", "01"):
        assert "0 or 1" in refuses(state, key, bad).accepted


@every_list
def test_a_list_takes_finite_numbers_up_to_its_length(state, key):
    shortest, longest = state.param["T"].bounds
    assert url.check(state, key, "1, -0.5;2e-1 .25\t+3") == (1.0, -0.5, 0.2, 0.25, 3.0)
    for length in (shortest, longest):
        assert len(url.check(state, key, ",".join(["1"] * length))) == length
    for length in (shortest - 1, longest + 1):
        assert f"{shortest} to {longest}" in refuses(state, key, ",".join(["1"] * length)).accepted
    for bad in ("", ",", "1,nan", "1,inf,2", "1,two,3", "1,1e999", "0x1", "1_0,2"):
        refuses(state, key, bad)


def test_the_wrong_one_of_a_list_is_named():
    assert "“two”" in refuses(UnfoldState, "values", "1,two,3").accepted
    assert "“NaN”" in refuses(LSTMState, "values", "1,2,NaN").accepted


@DRAWN
def test_a_text_is_as_long_as_the_lab_has_steps(state):
    shortest, longest = state.param["T"].bounds
    for length in (shortest, longest):
        page, notices = opened(state, {"text": "a" * length})
        assert (page.input, page.T, notices) == ("text", length, [])
    for length in (0, shortest - 1, longest + 1):
        assert f"{shortest} to {longest}" in refuses(state, "text", "a" * length).accepted


@LABS
def test_a_text_of_ten_thousand_characters_is_refused_in_a_short_notice(state):
    notice = refuses(state, "text", "abcdefghij" * 1000)
    assert "10,000 characters" in notice.message
    assert len(notice.message) < 250


@LABS
def test_a_preset_that_the_lab_does_not_have_is_refused(state):
    for bad in ("", "nothing", "FORGETS"):
        accepted = refuses(state, "preset", bad).accepted
        assert all(name in accepted for name in state.PRESETS)


# --- unknown keys ----------------------------------------------------------------------------


@LABS
@pytest.mark.parametrize(
    "key", ["utm_source", "utm_medium", "fbclid", "gclid", "v", "id", "_ga", "session", "bokeh-token", ""]
)
def test_keys_of_a_course_platform_are_ignored(state, key):
    page, notices = opened(state, {key: "1", "seed": "7"})
    assert (page.values_of(), notices) == (opened(state, {"seed": "7"})[0].values_of(), [])


@DRAWN
@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("rhoo", "rho"),
        ("Rho", "rho"),
        ("sead", "seed"),
        ("sigma-in", "sigma_in"),
        ("notaton", "notation"),
        ("presets", "preset"),
    ],
)
def test_a_near_miss_is_named(state, typed, meant):
    page, notices = opened(state, {typed: "1.2", "seed": "7"})
    assert page.values_of() == opened(state, {"seed": "7"})[0].values_of()
    assert [notice.key for notice in notices] == [typed]
    assert f"did you mean {meant}?" in notices[0].message


@LABS
@pytest.mark.parametrize("key", ["keys", "apply", "config", "param", "PRESETS", "__class__", "name", "settle"])
def test_what_is_no_key_is_never_set(state, key):
    assert opened(state, {key: "1"})[0].values_of() == opened(state, {})[0].values_of()


# --- keys together ---------------------------------------------------------------------------


def test_several_bad_keys_give_a_notice_each():
    values, notices = url.read(GradientState, {"rho": "nan", "n": "10000", "T": "50", "family": "cauchy"})
    assert [notice.key for notice in notices] == ["rho", "n", "family"]
    assert values["T"] == 50


def test_other_keys_override_a_preset():
    page, notices = opened(GradientState, "rho=0.5&preset=folk-law-wrong")
    assert (page.rho, page.sigma_in, notices) == (0.5, 2.0, [])


@DRAWN
@pytest.mark.parametrize("kind", ["text", "values"])
def test_typing_an_input_chooses_it(state, kind):
    page, notices = opened(state, {kind: "1,2,3,4,5"})
    assert (page.input, page.T, notices) == (kind, 9 if kind == "text" else 5, [])


@DRAWN
@pytest.mark.parametrize("query", ["text=hi", "values=1,2"])
def test_a_short_input_opens_or_is_refused(state, query):
    """The gradients lab has at least five steps; a shorter input is one bad key, not a broken page."""
    page, notices = opened(state, query + "&seed=7")
    assert page.seed == 7
    assert page.T == drawn(page).T == 2 or [notice.key for notice in notices] == [query.partition("=")[0]]


@DRAWN
def test_an_input_that_is_chosen_wins_over_one_that_is_typed(state):
    page, notices = opened(state, {"input": "sine", "text": "abcdef", "T": "7"})
    assert (page.input, page.T, notices) == ("sine", 7, [])


@DRAWN
def test_a_T_that_contradicts_typed_values_is_said_and_gives_way(state):
    page, notices = opened(state, {"T": "9", "values": "1,2,3,4,5,6"})
    assert (page.T, page.values) == (6, (1.0, 2.0, 3.0, 4.0, 5.0, 6.0))
    assert [notice.key for notice in notices] == ["T"]
    assert "6" in notices[0].message


@DRAWN
def test_T_alone_is_the_number_of_steps(state):
    page, notices = opened(state, {"T": "9"})
    assert (page.T, notices) == (9, [])
    assert drawn(page).T == 9


@DRAWN
def test_values_that_are_chosen_but_not_typed_are_the_labs_own(state):
    page, notices = opened(state, {"input": "values"})
    assert (page.values, page.T, notices) == (state.param["values"].default, len(page.values), [])
    page, notices = opened(state, {"input": "values", "T": "9"})
    assert (len(page.values), page.T, notices) == (9, 9, [])


@DRAWN
@pytest.mark.parametrize("kind", ["text=hello world", "values=1,2,3,4,5"])
def test_an_input_size_beside_a_typed_input_is_said(state, kind):
    page, notices = opened(state, f"d=3&{kind}&seed=7")
    assert [notice.key for notice in notices] == ["d"]
    assert drawn(page).d == (34 if kind.startswith("text") else 1)


def test_scalar_weights_are_for_one_unit():
    page, notices = opened(UnfoldState, {"n": "4", "W": "0.5", "h0": "1", "rho": "1.2"})
    assert sorted(notice.key for notice in notices) == ["W", "h0"]
    assert "n = d = 1" in notices[0].message
    assert (page.rho, page.config().W) == (1.2, None)


@pytest.mark.parametrize(("target", "used"), [("1,2", (1.0, 2.0, 0.0)), ("1,2,3,4", (1.0, 2.0, 3.0))])
def test_targets_that_do_not_fit_are_said_and_cut_or_filled(target, used):
    page, notices = opened(UnfoldState, {"values": "1,1,1", "target": target})
    assert (page.target, [notice.key for notice in notices]) == (used, ["target"])


@pytest.mark.parametrize(
    ("state", "query", "key"),
    [
        (UnfoldState, {"t": "12"}, "t"),
        (UnfoldState, {"n": "2", "unit": "5"}, "unit"),
        (LSTMState, {"input": "sine", "T": "4", "t": "30"}, "t"),
        (GradientState, {"T": "50", "lag": "120"}, "lag"),
        (GradientState, {"T": "50", "t": "120"}, "t"),
    ],
)
def test_a_selection_outside_the_run_is_said(state, query, key):
    """Accepted are steps 0 … T, units 0 … n - 1: nothing is clamped in silence."""
    _, notices = opened(state, query)
    assert [notice.key for notice in notices] == [key]


@LABS
def test_an_input_size_keeps_the_good_keys(state):
    """d alone, whatever the lab's own input: the run is made, and the other keys stand."""
    page, _ = opened(state, {"d": "2", "seed": "7"})
    page.config()
    assert page.seed == 7


@LABS
def test_a_lock_on_what_is_no_key_is_said(state):
    _, notices = opened(state, {"lock": "rho,colour"})
    assert [notice.key for notice in notices] == ["lock"]


def test_a_loss_that_is_chosen_is_used_or_refused():
    page, notices = opened(UnfoldState, {"loss": "cross_entropy"})
    assert page.config().loss == "cross_entropy" or [notice.key for notice in notices] == ["loss"]


def test_of_a_key_that_comes_twice_the_last_counts():
    assert url.query_from_arguments({"rho": [b"1", b"1.2"], "n": [], "text": [b"\xff"]}) == {
        "rho": "1.2",
        "text": "\ufffd",
    }


# --- writing ---------------------------------------------------------------------------------


@LABS
def test_the_default_state_needs_no_query(state):
    assert url.write(opened(state, {})[0]) == ""


@LABS
def test_a_preset_is_written_by_its_name(state):
    for name in state.PRESETS:
        page, notices = opened(state, {"preset": name})
        assert (url.write(page), notices) == (f"preset={name}", [])


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1.2, "1.2"),
        (0.1 + 0.2, "0.3"),
        (3.0, "3"),
        (1.2000000000000002, "1.2"),
        (3 * 0.1234567, "0.3703701"),
        (0.05, "0.05"),
        (1e-7, "1e-07"),
        (2.5, "2.5"),
    ],
)
def test_a_float_is_written_as_a_person_would(number, text):
    page = GradientState()
    page.apply({"rho": number})
    assert url.write(page) == f"rho={text}"


@pytest.mark.parametrize("text", ["a b&c=d", "100%", "#1+1", "ü…漢", "<script>", "a,b;c", "?/\\'\""])
def test_a_text_is_written_so_that_it_reads_back(text):
    page, _ = opened(LSTMState, {"text": text})
    again, notices = opened(LSTMState, url.write(page))
    assert (again.text, again.input, notices) == (text, "text", [])
    assert not set(url.write(page)) & set(" <>\"#'")


person = st.integers(-(10**6), 10**6).map(lambda i: i / 10**4)


def texts_of(state, key):
    """Accepted texts of a key."""
    if isinstance(state.param[key], param.Number) and not isinstance(state.param[key], param.Boolean):
        return numbers_of(state.param[key])
    shortest, longest = state.param["T"].bounds
    if key == "text":
        return st.text(st.characters(exclude_categories=["Cs"]), min_size=shortest, max_size=longest)
    if isinstance(state.param[key], Numbers):
        return st.lists(person, min_size=shortest, max_size=longest).map(lambda v: ",".join(map(repr, v)))
    if isinstance(state.param[key], param.Selector):
        return st.sampled_from([choice for choice in state.param[key].objects if choice])
    listed = {"preset": sorted(state.PRESETS), "embed": ["0", "1"]}
    return st.sampled_from(listed.get(key, ["rho", "n,T", "seed,rho"]))


def numbers_of(parameter):
    low, high = parameter.bounds
    if isinstance(parameter, param.Integer):
        return st.integers(low, high).map(str)
    return st.floats(low, high).map(repr) | st.integers(low * 100, high * 100).map(lambda i: repr(i / 100))


@st.composite
def queries(draw):
    state = draw(st.sampled_from(sorted(STATES.values(), key=lambda state: state.__name__)))
    keys = draw(st.lists(st.sampled_from(state.names()), unique=True, max_size=8))
    return state, {key: draw(texts_of(state, key)) for key in keys}


SELECTED = ("t", "unit", "change", "lag", "highlight", "direction", "notation", "theme", "embed", "lock", "hide")


def shown(page):
    """What a page shows: the run, and the keys that choose how it is shown."""
    return vars(drawn(page)), {key: getattr(page, key, None) for key in SELECTED}


@settings(max_examples=300, deadline=None)
@given(queries())
def test_a_link_opens_what_was_on_screen(case):
    state, query = case
    page, _ = opened(state, query)
    again, notices = opened(state, url.write(page))
    assert notices == []
    (config, looks), (config_again, looks_again) = shown(page), shown(again)
    assert looks_again == looks
    assert config_again.keys() == config.keys()
    for key, value in config.items():
        same = pytest.approx(value, rel=2e-12, abs=0) if isinstance(value, float) else value
        assert config_again[key] == same, key
    assert url.write(again) == url.write(page)


@settings(max_examples=200, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["rho", "n", "T", "values", "text", "t", "input", "preset", "lock", "x"]), st.text(max_size=30)
    )
)
def test_no_query_raises(query):
    for state in STATES.values():
        page, notices = opened(state, query)
        page.config()
        assert all(notice.message for notice in notices)
