"""One config to every number of a self-attention layer, held against plain NumPy and the stored answers."""

import numpy as np
import pytest
from rnnscope.core import (
    AttentionConfig,
    MultiHeadAttention,
    build_tokens,
    multi_head_vjp,
    permutation_difference,
    run_attention,
    scaled_dot_product_attention,
    scaled_dot_product_vjp,
    self_attention,
    sinusoidal_encoding,
)

CASES = [
    AttentionConfig(T=9, text="attention", input="text"),
    AttentionConfig(T=5, d_model=6, heads=3, mask="causal", positions="sinusoidal", seed=4),
    AttentionConfig(T=4, d_model=8, heads=1, scaled=False),
    AttentionConfig(T=1, d_model=2, heads=2, mask="causal"),
]


def by_hand(run):
    """Scores, weights and outputs with loops over heads, queries and keys."""
    config, xs = run.config, run.xs
    d_k = config.d_model // config.heads
    scores, weights = (np.zeros((config.heads, config.T, config.T)) for _ in range(2))
    joined = np.zeros((config.T, config.d_model))
    for head in range(config.heads):
        rows = slice(head * d_k, (head + 1) * d_k)
        q, k, v = (xs @ run.projection(letter)[rows].T for letter in "qkv")
        for i in range(config.T):
            seen = range(i + 1) if config.mask == "causal" else range(config.T)
            scores[head, i] = [q[i] @ k[j] / (d_k**0.5 if config.scaled else 1.0) for j in range(config.T)]
            raised = {j: np.exp(scores[head, i, j]) for j in seen}
            for j in seen:
                weights[head, i, j] = raised[j] / sum(raised.values())
                joined[i, rows] += weights[head, i, j] * v[j]
    return scores, weights, joined @ run.projection("o").T


@pytest.mark.parametrize("config", CASES, ids=str)
def test_every_number_is_what_loops_give(config):
    run = run_attention(config)
    for got, want in zip((run.trace.scores, run.trace.weights, run.trace.out), by_hand(run), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-14)
    divisor = np.sqrt(config.d_k) if config.scaled else 1.0
    np.testing.assert_allclose(run.products / divisor, run.trace.scores, rtol=1e-14)
    assert not run.trace.weights.flags.writeable


def test_unscaled_attention_is_scaled_attention_of_longer_queries(load, slope):
    known = load("attention")["sdpa"]
    Q, K, V, back_in = (np.array(known[name]) for name in ("Q", "K", "V", "dOut"))
    longer = scaled_dot_product_attention(Q / np.sqrt(Q.shape[-1]), K, V, scaled=False)
    np.testing.assert_allclose(longer.weights, known["nomask"]["weights"], rtol=1e-11, atol=1e-13)
    got = scaled_dot_product_attention(Q, K, V, scaled=False)
    back = scaled_dot_product_vjp(Q, K, V, got.weights, back_in, scaled=False)
    want = slope(lambda q: scaled_dot_product_attention(q, K, V, scaled=False).out, Q)
    moved = np.tensordot(back_in, want, axes=back_in.ndim)
    np.testing.assert_allclose(back[0], moved, rtol=1e-6, atol=1e-8)


def test_the_same_character_has_the_same_row_and_without_positions_the_same_output():
    run = run_attention(AttentionConfig(T=9, text="attention", input="text"))
    assert np.array_equal(run.tokens[1], run.tokens[2])
    assert np.array_equal(run.trace.out[1], run.trace.out[2])
    placed = run_attention(AttentionConfig(T=9, text="attention", input="text", positions="sinusoidal"))
    np.testing.assert_array_equal(placed.xs, placed.tokens + sinusoidal_encoding(9, 8))
    assert np.abs(placed.trace.out[1] - placed.trace.out[2]).max() > 0.01


def test_a_capital_is_its_small_letter_and_the_seed_draws_all():
    first, other = (build_tokens(AttentionConfig(T=2, text=text, input="text")) for text in ("Ab", "aB"))
    assert np.array_equal(first, other)
    assert not np.array_equal(first, build_tokens(AttentionConfig(T=2, text="ab", input="text", seed=1)))


def test_a_longer_drawn_sequence_keeps_its_first_tokens():
    short, longer = (build_tokens(AttentionConfig(T=T)) for T in (3, 7))
    assert np.array_equal(short, longer[:3])


@pytest.mark.parametrize("seed", range(5))
def test_without_positions_a_permutation_of_the_input_permutes_the_output(seed):
    order = np.random.default_rng(seed).permutation(7)
    plain = AttentionConfig(T=7, seed=seed, heads=4)
    assert permutation_difference(run_attention(plain), order) < 1e-14
    for changes in ({"positions": "sinusoidal"}, {"mask": "causal"}):
        moved = AttentionConfig(T=7, seed=seed, heads=4, **changes)
        assert permutation_difference(run_attention(moved), order) > 0.01
    assert permutation_difference(run_attention(plain), range(7)) == 0.0


def test_a_permutation_of_other_numbers_is_refused():
    run = run_attention(AttentionConfig(T=3))
    with pytest.raises(ValueError, match="permutation of 0 … 2"):
        permutation_difference(run, [0, 1, 1])


def test_learned_rows_are_added_as_they_are():
    table = np.arange(12.0).reshape(6, 2)
    config = AttentionConfig(T=4, d_model=2, heads=1, positions="learned")
    run = run_attention(config, table)
    np.testing.assert_array_equal(run.xs, run.tokens + table[:4])
    for bad, words in ((None, "table must be given"), (table[:3], "at least T = 4 rows"), (table[:, :1], "table must")):
        with pytest.raises(ValueError, match=words):
            run_attention(config, bad)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"heads": 3}, "heads must divide d_model = 8, got 3"),
        ({"heads": 0}, "heads must be an integer at least 1"),
        ({"T": 0}, "T must be"),
        ({"input": "values"}, "input must be one of text, noise"),
        ({"mask": "diagonal"}, "mask must be one of none, causal"),
        ({"positions": "rotary"}, "positions must be one of"),
        ({"input": "text"}, "text must hold at least one character"),
        ({"input": "text", "text": "abc"}, "T must be 3"),
        ({"seed": -1}, "seed must be"),
    ],
)
def test_what_cannot_be_run_is_said(changes, words):
    with pytest.raises(ValueError, match=words):
        AttentionConfig(**{"T": 4, **changes})


def test_an_unscaled_layer_has_its_own_gradient():
    rng = np.random.default_rng(0)
    layer = MultiHeadAttention(rng.standard_normal((12, 4)), heads=2, scaled=False)
    xs, direction = rng.standard_normal((3, 4)), rng.standard_normal((3, 4))
    back = multi_head_vjp(layer, self_attention(layer, xs), direction)
    step = 1e-6 * rng.standard_normal(xs.shape)
    rise = ((self_attention(layer, xs + step).out - self_attention(layer, xs - step).out) * direction).sum() / 2
    assert rise == pytest.approx(((back.query + back.key + back.value) * step).sum(), rel=1e-6)
