import numpy as np
import pytest
from rnnscope.core import wilson_interval


def test_each_end_is_a_share_whose_deviation_is_z():
    """The ends solve |s/n - p| = z sqrt(p (1 - p) / n)."""
    successes, trials = np.array([1, 7, 50, 99]), np.array([10, 10, 80, 100])
    for end in wilson_interval(successes, trials, z=1.5):
        share = successes / trials
        np.testing.assert_allclose(np.abs(share - end), 1.5 * np.sqrt(end * (1 - end) / trials), rtol=1e-12)


def test_known_ends():
    """Newcombe (1998), table 1: 81 of 263, and 0 of 20."""
    low, high = wilson_interval([81, 0, 20], [263, 20, 20])
    np.testing.assert_allclose(low, [0.2553, 0.0, 0.8389], atol=5e-5)
    np.testing.assert_allclose(high, [0.3662, 0.1611, 1.0], atol=5e-5)


def test_the_share_is_within_its_ends():
    """Also where all or none succeed, to the last bit."""
    trials = np.repeat(np.arange(1, 200), 3)
    successes = trials * np.tile([0, 1, 2], 199) // 2
    low, high = wilson_interval(successes, trials)
    assert ((low >= 0) & (low <= successes / trials) & (successes / trials <= high) & (high <= 1)).all()


@pytest.mark.parametrize(("successes", "trials"), [(3, 2), (-1, 2), (0, 0), (1.0, 2)])
def test_refusals(successes, trials):
    with pytest.raises(ValueError, match="successes and trials must be integers"):
        wilson_interval(successes, trials)
