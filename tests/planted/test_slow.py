"""The same truths with more examples and over many seeds: what a single run can only show to come near."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import stats
from tests.planted.known import WITHIN, flips, icc_absolute, profile, write_numeric, write_text

import sago
from sago.models import open_model
from sago.runs import Run
from sago.testing.planted import IccModel

pytestmark = pytest.mark.slow


def run_of(folder: Path, models: list[str], data: list[str], **more: object) -> Run:
    return sago.Study(models=models, data=data, **more).run(folder / "run")


@pytest.mark.parametrize("rate", [0.05, 0.4])
def test_coin_flip_of_2000_examples(tmp_path: Path, rate: float) -> None:
    """K = 4 shared answers: S = 1 - (1 - rate x 4/3)^2, .128889 and .782222."""
    run = run_of(
        tmp_path, [f"planted:coin-flip:rate={rate}"], [write_numeric(tmp_path, 2000)], variations=["format:n=3"], axes=["generation"]
    )
    found = profile(run, f"coin-flip:rate={rate}")
    assert found["se"] < 0.02
    assert found["instability"] == pytest.approx(1 - (1 - rate * 4 / 3) ** 2, abs=WITHIN * found["se"])
    assert found["across"] == pytest.approx(flips(rate, 4), abs=WITHIN * found["across_se"])
    assert found["unrelated"] == pytest.approx(0.75, abs=0.001)


def test_variance_components_of_2000_examples(tmp_path: Path) -> None:
    """a = .6, c = .2, e = .2: the certainty's S is .3351 (absolute differences), the states' .25."""
    run = run_of(tmp_path, ["planted:icc"], [write_numeric(tmp_path, 2000)], variations=["format:n=3"], audit_examples=500)
    found = profile(run, "icc", "confidence")
    truth = (0.4**0.5 - 0.2**0.5) / (1 - 0.2**0.5)
    assert found["se"] < 0.02
    assert found["instability"] == pytest.approx(truth, abs=WITHIN * found["se"])
    assert profile(run, "icc", "activations")["instability"] == pytest.approx(0.25, abs=0.01)


def test_the_interval_covers_the_share_of_variance(tmp_path: Path) -> None:
    """Of 40 seeds, 38 intervals of 95 % are expected to cover their run's truth; fewer than 33 would be no such interval (p < .001)."""
    models = [f"planted:icc:seed={seed}" for seed in range(40)]
    run = run_of(tmp_path, models, [write_numeric(tmp_path, 60)], variations=["format:n=3"], axes=["confidence"], audit_examples=60)
    names = run.variants["variant"].unique().sort().to_list()
    covered = []
    for spec in models:
        model = open_model(spec)
        assert isinstance(model, IccModel)
        found = profile(run, spec.removeprefix("planted:"), "confidence")
        covered.append(found["lower"] <= icc_absolute(model, names)[3] <= found["upper"])
    assert sum(covered) >= 33


def test_rerun_noise_is_rejected_no_more_often_than_the_level(tmp_path: Path) -> None:
    """Nothing but rerun noise: p of the rerun-floor test is uniform, so of 50 seeds 2.5 fall below .05 and 8 or more nearly never do."""
    models = [f"planted:rerun-noise:rate=0.3,seed={seed}" for seed in range(50)]
    run = run_of(
        tmp_path, models, [write_numeric(tmp_path, 30)], variations=["format:n=2"], axes=["generation"], reruns=2, audit_examples=0
    )
    sampled = run.profiles.filter(pl.col("default"), pl.col("decoding") == "sampled")
    p = sampled["rerun_p"].to_numpy()
    assert p.size == 50
    assert np.sum(p <= 0.05) < 8
    assert stats.kstest(p, "uniform").pvalue > 0.001
    # Among 30 examples the scale left above so much noise (.75 - .48) is now and then within its own error of nothing: null, not 0.
    known = sampled.filter(pl.col("reason").is_null())
    assert set(sampled["reason"].drop_nulls()) <= {"degenerate_null"}
    assert known.height > 40
    assert abs((known["instability"] / known["se"]).to_numpy().mean()) < WITHIN / np.sqrt(known.height)
    claims = run.findings.filter(pl.col("claim") == "rerun_floor", pl.col("decoding") == "sampled")
    # The smallest p of 999 draws is .001, which Holm over 50 cells makes .05: once in twenty such families one cell is at the level.
    assert claims.filter(pl.col("verdict") == "DIFFERS").height <= 1
    assert set(claims["verdict"]) <= {"DIFFERS", "NOT_SHOWN"}


def test_words_in_the_real_encoder(tmp_path: Path) -> None:
    """K = 4 words at whatever distances: B = F x D and N = (1 - 1/4) x D, D being the mean distance of two different words. S = .64."""
    run = run_of(
        tmp_path,
        ["planted:coin-flip:rate=0.3"],
        [write_text(tmp_path, 200), "builtin-text"],
        variations=["format:n=3"],
        axes=["generation"],
    )
    for dataset in ("text", "builtin-text"):
        found = profile(run, "coin-flip:rate=0.3", dataset=dataset)
        assert found["measure"] == "embedding"
        assert found["across"] < 0.48
        assert found["instability"] == pytest.approx(0.64, abs=WITHIN * found["se"])
