import pytest
from rnnscope.core import GRUConfig, LSTMConfig, RNNConfig


def test_configs_are_hashable_and_equal_by_value():
    assert RNNConfig(n=2, d=1, T=3) == RNNConfig(n=2, d=1, T=3)
    assert len({RNNConfig(n=2, d=1, T=3), RNNConfig(n=2, d=1, T=3), LSTMConfig(n=2, d=1, T=3)}) == 2
    listed = RNNConfig(n=1, d=1, T=2, input="values", values=[1, 2])
    assert listed.values == (1.0, 2.0)
    assert hash(listed) == hash(RNNConfig(n=1, d=1, T=2, input="values", values=(1.0, 2.0)))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n": 0}, "n must be an integer at least 1, got 0"),
        ({"d": 1.0}, "d must be an integer at least 1, got 1.0"),
        ({"T": True}, "T must be an integer at least 1, got True"),
        ({"seed": 2**32}, "seed must be an integer in 0 … 4294967295, got 4294967296"),
        ({"seed": -1}, "seed must be an integer in 0 … 4294967295, got -1"),
        ({"family": "cauchy"}, "family must be one of"),
        ({"rho": -1.0}, "rho must be a finite number of at least 0, got -1.0"),
        ({"sigma_in": float("nan")}, "sigma_in must be a finite number of at least 0"),
        ({"input": "ramp"}, "input must be one of"),
        ({"loss": "hinge"}, "loss must be one of"),
        ({"activation": "gelu"}, "activation must be one of"),
        ({"outputs": 0}, "outputs must be an integer at least 1, got 0"),
        ({"truncate": 0}, "truncate must be an integer at least 1, got 0"),
        ({"W": 0.5}, "W must be None unless n = d = 1, got n = 2, d = 1"),
        ({"h0": 0.5, "n": 1, "d": 3}, "h0 must be None unless n = d = 1, got n = 1, d = 3"),
        ({"V": 0.5, "n": 1}, "V must be None unless outputs = 1, got outputs = None"),
        ({"c": 0.5, "n": 1, "outputs": 2}, "c must be None unless outputs = 1, got outputs = 2"),
        ({"b": float("inf"), "n": 1}, "b must be a finite number, got inf"),
        ({"input": "values"}, 'values must be given for input "values"'),
        ({"input": "values", "values": (1, 2)}, "T must be 2 for 2 values, got 3"),
        ({"input": "values", "values": (1, 2, 3), "d": 2}, 'd must be 1 for input "values", got 2'),
        ({"input": "values", "values": (1, 2, "x")}, "values must be a finite number, got 'x'"),
        ({"input": "text"}, "text must hold at least one character, got None"),
        ({"input": "text", "text": ""}, "text must hold at least one character, got ''"),
        ({"input": "text", "text": "abc"}, 'd must be 34 for input "text", got 1'),
        ({"input": "text", "text": "ab", "d": 34}, "T must be 2 for a text of 2 characters, got 3"),
        ({"input": "text", "text": "abc", "d": 34, "outputs": 5}, "outputs must be 34"),
        ({"input": "text", "text": "abc", "d": 34, "outputs": 34}, "loss must be cross_entropy"),
        ({"input": "text", "text": "abc", "d": 34, "target": (1, 2, 3)}, "target must be None"),
        ({"target": (1, 2, 3)}, "target must be None without a read-out"),
        ({"target": (1, 2), "outputs": 1}, "target must hold T = 3 numbers, got 2"),
        (
            {"target": (0, 1, 2), "outputs": 2, "loss": "cross_entropy"},
            "target must be an integer in 0 … 1, got 2",
        ),
        (
            {"target": (0, 1, 0.5), "outputs": 2, "loss": "cross_entropy"},
            "target must be an integer in 0 … 1, got 0.5",
        ),
    ],
)
def test_a_config_refuses_what_contradicts_it(change, message):
    with pytest.raises(ValueError, match=message):
        RNNConfig(**({"n": 2, "d": 1, "T": 3} | change))


@pytest.mark.parametrize("name", ["forget_bias", "input_bias"])
def test_the_biases_of_an_lstm_must_be_finite(name):
    with pytest.raises(ValueError, match=f"{name} must be a finite number, got nan"):
        LSTMConfig(n=1, d=1, T=1, **{name: float("nan")})


@pytest.mark.parametrize("name", ["update_bias", "reset_bias"])
def test_the_biases_of_a_gru_must_be_finite(name):
    with pytest.raises(ValueError, match=f"{name} must be a finite number, got inf"):
        GRUConfig(n=1, d=1, T=1, **{name: float("inf")})
