"""The correction for skewness: what it is, that bounds and p agree, and that it holds the level where the plain test does not."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from tests.stats.hand_made import cell, profiles

from sago.seeds import generator
from sago.stats.evidence import Evidence, Rules
from sago.stats.smallest_effect import STABLE, UNSTABLE, Known, cell_tests, judge


def test_by_hand() -> None:
    """z = (.15 - .05) / .05 = 2; a = .3: g = 2 + .3 x 4 / 3 + .09 x 8 / 27 + .3 / 6 = 2.4766667."""
    found = judge(0.15, 0.05, 400, Rules(), known=Known(skewness=0.3))
    assert found.p == pytest.approx(stats.norm.sf(2.4766666666666667))
    assert found.test == "skewness-corrected z test"
    assert judge(0.15, 0.05, 400, Rules()).p == pytest.approx(stats.norm.sf(2))


@pytest.mark.parametrize("skewness", [-0.4, -1e-14, 0.0, 0.2, 0.7])
@pytest.mark.parametrize("n", [12, 400])
def test_bounds_are_where_p_is_alpha(skewness: float, n: int) -> None:
    found = judge(0.2, 0.04, n, Rules(), known=Known(skewness=skewness))
    assert judge(0.2, 0.04, n, Rules(smallest_effect=found.least), known=Known(skewness=skewness)).p == pytest.approx(0.05)
    assert judge(0.2, 0.04, n, Rules(smallest_effect=found.most), known=Known(skewness=skewness)).p == pytest.approx(0.95)


def test_it_is_taken_from_the_influence_of_the_examples() -> None:
    row = cell(n=200, instability=0.06, se=0.01)
    few = np.r_[np.full(190, -1.0), np.full(10, 19.0)]
    psi = few * 0.01 * np.sqrt(200) / few.std(ddof=1)
    scores = {name: [row[name]] * 200 for name in ("model", "dataset", "axis", "measure", "decoding")}
    from sago import schemas

    table = [dict(zip(scores, values, strict=True)) for values in zip(*scores.values(), strict=True)]
    facts = [
        {**head, "example": str(place), "influence": float(psi[place]), "instability": 0.06, "n_variants": 4, "n_observations": 4}
        for place, head in enumerate(table)
    ]
    evidence = Evidence(profiles(row), schemas.frame("scores", facts))
    found = cell_tests(evidence, "instability", "calibrated")[0].judgement
    assert found is not None
    expected = judge(0.06, 0.01, 200, Rules(), known=Known(skewness=float(stats.skew(psi)) / np.sqrt(200)))
    assert found.p == pytest.approx(expected.p)


def test_skewed_scores_are_called_stable_and_unstable_at_their_level() -> None:
    """3,000 means of 60 exponential scores with mean .05: at the smallest effect itself either verdict may come out in 5 %."""
    rng = generator("skewed")
    verdicts: dict[bool, list[str]] = {True: [], False: []}
    for values in rng.exponential(0.05, (3000, 60)):
        se = float(values.std(ddof=1)) / np.sqrt(60)
        for is_corrected, kept in verdicts.items():
            skewness = float(stats.skew(values)) / np.sqrt(60) if is_corrected else 0.0
            kept.append(judge(float(values.mean()), se, 60, Rules(), known=Known(skewness=skewness)).verdict)
    plain, corrected = ({name: kept.count(name) / 3000 for name in (STABLE, UNSTABLE)} for kept in (verdicts[False], verdicts[True]))
    assert plain[STABLE] > 0.08
    assert plain[UNSTABLE] < 0.03
    assert corrected[STABLE] < 0.07
    assert 0.03 < corrected[UNSTABLE] < 0.062


@pytest.mark.parametrize(("n", "share", "size"), [(60, 0.05, 1.0), (150, 0.02, 1.0), (200, 0.05, 1.0), (400, 0.0125, 4.0)])
def test_rare_changes_are_not_called_stable_too_often(n: int, share: float, size: float) -> None:
    """Every number of changed examples by its probability: by the plain bound up to 19 % are called STABLE at the truth itself."""
    rules, missed, plain, most = Rules(smallest_effect=share * size), 0.0, 0.0, -1.0
    for moved in range(40):
        values = size * np.r_[np.ones(moved), np.zeros(n - moved)]
        mean, se = float(values.mean()), float(values.std(ddof=1)) / np.sqrt(n)
        known = Known(values=values, skewness=float(stats.skew(values)) / np.sqrt(n) if moved else 0.0)
        found = judge(mean, se, n, rules, room=1 / size, known=known)
        assert found.most > most
        most = found.most
        missed += stats.binom.pmf(moved, n, share) * (found.verdict == STABLE)
        plain += stats.binom.pmf(moved, n, share) * (judge(mean, se, n, rules, room=1 / size).verdict == STABLE)
    assert missed <= 0.05
    assert plain > 0.09
