"""What the sentences of presets claim about networks drawn at random."""

import numpy as np
from rnnscope.core import RNN, lyapunov_exponents, unroll

#: Exponents below it are those of a fixed point or of a cycle, found from a run of finite length.
CHAOTIC = 0.003


def largest_exponent(n, g, seed, T, discard):
    rng = np.random.default_rng([n, seed])
    cell = RNN(np.zeros((n, 1)), g * rng.standard_normal((n, n)) / np.sqrt(n), np.zeros(n))
    trace = unroll(cell, np.zeros((T, 1)), rng.standard_normal(n))
    return lyapunov_exponents(cell, trace, k=1, discard=discard)[0]


def test_chaos_needs_size():
    """h_t = tanh(W h), W ~ N(0, g²/n), g = 1.5: at n = 32 about one draw in six is chaotic (36 of 200), at 400 all."""
    small = [largest_exponent(32, 1.5, seed, 3000, 1000) > CHAOTIC for seed in range(48)]
    large = [largest_exponent(400, 1.5, seed, 700, 200) > CHAOTIC for seed in range(8)]
    assert 0.1 <= np.mean(small) <= 0.3
    assert all(large)
