"""That a distance is above 0 is no finding: wordings have to differ more than reruns."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from tests.stats.hand_made import cell, profiles

from sago.arrays import Rows, parts_of, rerun_floor_test
from sago.stats import conclude
from sago.stats.claims import rerun_floor
from sago.stats.evidence import Evidence


def test_trap_a_positive_distance_is_not_significance() -> None:
    """Constant noise, whatever the wording: B = W in truth. A test of B > 0 rejects in every cell, the rerun floor in 5 % of 200."""
    rng = np.random.default_rng(11)
    example, variant, _ = (labels.reshape(-1) for labels in np.indices((15, 4, 2)))
    vacuous, rows = 0, []
    for place in range(200):
        answers = np.where(rng.random(example.size) < 0.6, example, rng.integers(0, 30, example.size))
        given = Rows(answers, example, variant)
        parts = parts_of(given, "nominal")
        vacuous += bool(stats.ttest_1samp(parts.across, 0, alternative="greater").pvalue < 0.05)
        p = rerun_floor_test(given, "nominal", rng, draws=199).p
        rows.append(cell(dataset=f"d{place}", n=15, across=float(parts.across.mean()), rerun=float(parts.rerun.mean()), rerun_p=p))
    table = profiles(*rows)
    verdicts = [rerun_floor(Evidence(table[[place]]))[0].verdict for place in range(200)]
    assert vacuous == 200
    assert verdicts.count("DIFFERS") <= 0.05 * 200 + 2 * np.sqrt(0.05 * 0.95 * 200)


@pytest.mark.parametrize(("rerun", "reason"), [(0.1, "several_layers"), (None, "no_reruns")])
def test_a_mean_over_layers_is_not_tested(rerun: float | None, reason: str) -> None:
    row = cell(axis="activations", measure="state_cosine", rerun=rerun, rerun_p=None)
    found = conclude(profiles(row, cell(axis="activations", measure="state_cosine", layer=3, default=False)))
    assert found.filter(found["claim"] == "rerun_floor")["reason"].to_list() == [reason]
