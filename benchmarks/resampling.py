"""Resampling of examples: signs of paired differences, and the bootstrap that all models and axes share."""

from __future__ import annotations

import numpy as np
from scipy import stats

from sago.arrays.bootstrap import bootstrap_means
from sago.arrays.sign_flips import sign_flip_p
from table import Row, seconds, show

EXAMPLES, DRAWS, PEER_DRAWS = 100_000, 9_999, 100


def scipy_sign_flips(differences: np.ndarray) -> float:
    """Returns the seconds that scipy takes for all draws, scaled from a part of them (its time is proportional to them)."""
    rng = np.random.default_rng(0)

    def once() -> object:
        return stats.permutation_test((differences,), np.mean, permutation_type="samples", n_resamples=PEER_DRAWS, batch=10, rng=rng)

    return seconds(once, repeats=1) * DRAWS / PEER_DRAWS


def scipy_bootstrap(values: np.ndarray, draws: int) -> float:
    """Returns the seconds that scipy takes for all draws of one column, scaled from a part of them."""

    def once() -> object:
        return stats.bootstrap((values,), np.mean, n_resamples=20, batch=10, method="percentile", rng=np.random.default_rng(0))

    return seconds(once, repeats=1) * draws / 20


def main() -> None:
    """Times both beside scipy, which does one column at a time."""
    rng = np.random.default_rng(0)
    differences = rng.normal(0.001, 0.35, EXAMPLES)
    wide = rng.normal(size=(EXAMPLES, 16))
    flips, peer_flips = seconds(lambda: sign_flip_p(differences, rng), repeats=3), scipy_sign_flips(differences)
    one, many = (seconds(lambda values=values: bootstrap_means(values, rng), repeats=3) for values in (wide[:, :1], wide))
    peer = scipy_bootstrap(wide[:, 0], 1000)
    flip_peer = f"scipy, from {PEER_DRAWS} draws"
    show(
        [
            Row("sign flips, 9,999 x 100,000", flips, "s", flip_peer, peer_flips, peer_flips / flips, 100.0),
            Row("bootstrap, 1,000 x 100,000, 1 column", one, "s", "scipy, from 20 draws", peer, peer / one),
            Row("the same, against its time limit", one, "s", target=1.0),
            Row("bootstrap, 1,000 x 100,000, 16 columns", many, "s", "scipy, 16 times", 16 * peer, 16 * peer / many),
        ]
    )


if __name__ == "__main__":
    main()
