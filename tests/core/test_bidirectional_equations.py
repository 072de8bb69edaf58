import numpy as np
import pytest
from rnnscope.core import (
    NOTATIONS,
    BidirectionalConfig,
    GRUConfig,
    LSTMConfig,
    RNNConfig,
    bidirectional_equation,
    equations,
    meaning_of,
    read_out_equation,
    run_both,
)
from rnnscope.core.notation import latex_text, plain_text

CONFIGS = [
    RNNConfig(n=1, d=1, T=4),
    RNNConfig(n=3, d=2, T=5),
    LSTMConfig(n=2, d=2, T=5),
    GRUConfig(n=3, d=1, T=4),
    GRUConfig(n=2, d=2, T=4, reset="after", update="old"),
]


@pytest.fixture(params=CONFIGS, ids=lambda config: f"{type(config).__name__}-{config.n}")
def shown(request):
    return run_both(BidirectionalConfig(request.param))


def rows_of(shown, direction):
    return shown.forward_hs[1:] if direction == "forward" else shown.backward_hs[:-1]


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_every_chain_equation_evaluates_to_the_state_of_its_step(shown, direction):
    found = bidirectional_equation(shown.network, "h", direction)
    for t in range(1, shown.steps + 1):
        value = found.evaluate(shown.network, shown.trace, t)
        np.testing.assert_allclose(value, rows_of(shown, direction)[t - 1], rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize("notation", NOTATIONS)
def test_every_number_of_an_equation_says_its_chain_and_the_step_of_the_sequence(shown, direction, notation):
    states = {0: shown.forward_hs[0]} | dict(enumerate(shown.forward_hs[1:], 1))
    if direction == "backward":
        states = dict(enumerate(shown.backward_hs, 1))
    for item in equations(getattr(shown.network, direction)):
        found = bidirectional_equation(shown.network, item.symbol, direction)
        for t in range(1, shown.steps + 1):
            tokens = found.numbers(shown.network, shown.trace, t, 0, notation)
            assert (tokens[-1].symbol, tokens[-1].t) == (f"{item.symbol}_{direction}", t)
            for token in tokens:
                if token.symbol == f"h_{direction}":
                    assert token.value == states[token.t][token.unit]
                if token.symbol == "x":
                    assert token.value == shown.trace.xs[token.t - 1, token.unit]


def test_the_backward_chain_reads_the_step_after(shown):
    forward, backward = (bidirectional_equation(shown.network, "h", way) for way in ("forward", "backward"))
    named = [{(token.symbol, token.t) for token in found.tokens("goodfellow", 2, 4)} for found in (forward, backward)]
    if shown.network.forward.gate_names == ():
        forward, backward = (bidirectional_equation(shown.network, "a", way) for way in ("forward", "backward"))
        reads = [{(token.symbol, token.t) for token in one.tokens("goodfellow", 2, 4)} for one in (forward, backward)]
        assert ("h_forward", 1) in reads[0]
        assert ("h_backward", 3) in reads[1]
        assert {("x", 2)} <= reads[0] & reads[1]
    assert ("h_forward", 2) in named[0]
    assert ("h_backward", 2) in named[1]


def test_an_arrow_is_written_over_what_belongs_to_one_chain():
    network = run_both(BidirectionalConfig(RNNConfig(n=2, d=1, T=4))).network
    backward = bidirectional_equation(network, "a_backward")
    assert plain_text(backward.tokens("goodfellow")) == "a⃖_t = b⃖ + W⃖ h⃖_{t+1} + U⃖ x_t"
    assert plain_text(backward.tokens("goodfellow", 3, 4)) == "a⃖_3 = b⃖ + W⃖ h⃖_4 + U⃖ x_3"
    forward = bidirectional_equation(network, "h", "forward")
    assert latex_text(forward.tokens("boucher")) == r"\overrightarrow{h}_{t} = \tanh(\overrightarrow{a}_{t})"
    gated = run_both(BidirectionalConfig(GRUConfig(n=2, d=1, T=4))).network
    candidate = bidirectional_equation(gated, "g", "forward").tokens("goodfellow")[0]
    assert candidate.accent == "tilde right"
    assert latex_text([candidate]) == r"\overrightarrow{\tilde{h}}_{t}"


@pytest.mark.parametrize("notation", NOTATIONS)
def test_the_output_reads_both_chains(shown, notation):
    found = read_out_equation(shown.network)
    assert "[h⃗_2;h⃖_2] + " in plain_text(found.tokens(notation, 2))
    for t in range(1, shown.steps + 1):
        np.testing.assert_allclose(found.evaluate(shown.network, shown.trace, t), shown.trace.ys[t - 1], rtol=1e-13)
        numbers = [token for token in found.numbers(shown.network, shown.trace, t, 0) if token.value is not None]
        assert [token.symbol for token in numbers] == ["y_forward", "y_backward", "b_y", "y"]
        assert numbers[-1].value == shown.trace.ys[t - 1, 0]
        assert sum(token.value for token in numbers[:3]) == pytest.approx(numbers[-1].value, rel=1e-12)


def test_what_a_symbol_of_a_chain_means():
    assert meaning_of("h_forward") == "hidden state of the forward chain"
    assert meaning_of("W_hh_backward") == "hidden to hidden weights of the backward chain"
    assert meaning_of("nothing_forward") is None


def test_refusals(shown):
    with pytest.raises(ValueError, match="direction must be one of forward, backward, got 'up'"):
        bidirectional_equation(shown.network, "h", "up")
    with pytest.raises(ValueError, match="symbol must be one of"):
        bidirectional_equation(shown.network, "q_forward")
    with pytest.raises(ValueError, match=r"t must be an integer in 1 … \d, got 0"):
        bidirectional_equation(shown.network, "h", "forward").evaluate(shown.network, shown.trace, 0)


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_a_product_names_the_weights_of_its_chain_and_what_they_multiply(shown, direction):
    cell = getattr(shown.network, direction)
    states = {0: shown.forward_hs[0]} | dict(enumerate(shown.forward_hs[1:], 1))
    if direction == "backward":
        states = dict(enumerate(shown.backward_hs, 1))
    name = cell.gate_names[0] if cell.gate_names else "a"
    found = bidirectional_equation(shown.network, name, direction).products(shown.network, shown.trace, 2, 0)
    assert {product.weight for product in found} == {f"W_hh_{direction}", f"W_xh_{direction}"}
    for product in found:
        array = getattr(cell, product.weight.removesuffix(f"_{direction}"))
        np.testing.assert_array_equal(array.ravel()[product.places], product.row)
        assert product.matrix_token.accent == {"forward": "right", "backward": "left"}[direction]
        symbol, t = product.signal
        assert (symbol, t) in {("x", 2), ("h_forward", 1), ("h_backward", 3)}
        np.testing.assert_array_equal(product.vector, shown.trace.xs[1] if symbol == "x" else states[t])
