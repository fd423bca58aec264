"""Variance components and failures that were planted are found, through the whole pipeline."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from tests.planted.known import WITHIN, control, icc_absolute, icc_squared, is_near, profile, shares

from sago.arrays import Floor, Rows, index_of, parts_of
from sago.models import open_model
from sago.runs import Run
from sago.testing.planted import FailuresModel, IccModel
from sago.testing.planted.failures import AXES

SPECS = ("icc", "icc:example=0.5,variant=0.2,interaction=0.1,rerun=0.2")


def planted(spec: str) -> IccModel:
    model = open_model(f"planted:{spec}")
    assert isinstance(model, IccModel)
    return model


def wordings(run: Run) -> list[str]:
    return run.variants.filter(~pl.col("control"))["variant"].unique().sort().to_list()


@pytest.mark.parametrize("spec", SPECS)
def test_certainty_with_absolute_differences(components: Run, spec: str) -> None:
    """Normal certainties: E|x - x'| = sd x sqrt(2/pi) of the difference, shifted by the wordings' own effects (the folded normal mean).

    Without a wording effect (a = .6, c = .2, e = .2): B ~ sqrt(c + e) = .6325, W ~ sqrt(e) = .4472, N ~ 1, all x .05 x 2 / sqrt(pi), so
    S = (.6325 - .4472) / (1 - .4472) = .3351.
    """
    across, rerun, unrelated, truth = icc_absolute(planted(spec), wordings(components))
    if spec == "icc":
        assert truth == pytest.approx((0.4**0.5 - 0.2**0.5) / (1 - 0.2**0.5))
    found = profile(components, spec, "confidence")
    assert found["across"] == pytest.approx(across, abs=WITHIN * found["across_se"])
    assert found["rerun"] == pytest.approx(rerun, rel=0.25)
    assert found["unrelated"] == pytest.approx(unrelated, rel=0.1)
    assert is_near(found, truth)


@pytest.mark.parametrize("spec", SPECS)
def test_certainty_with_squared_differences_is_the_share_of_variance(components: Run, spec: str) -> None:
    """Squared: B = 2 (b + c + e), W = 2e, N = 2 (a + b + c + e), S = (b + c) / (a + b + c): .2 / .8 = .25 without a wording effect; with
    one, b is the variance of the four effects that this run's wordings drew.
    """
    truth = icc_squared(planted(spec), wordings(components), slice(0, 1))[3]
    if spec == "icc":
        assert truth == pytest.approx(0.25)
    read = components.features.filter(
        pl.col("model") == f"planted-{spec}", pl.col("feature") == "anchor_probability", pl.col("variant") != "identity"
    )
    greedy = read.filter(pl.col("decoding") == "greedy")
    numbers = greedy["number"].to_numpy()[:, None]
    parts = parts_of(Rows(numbers, greedy["example"].to_numpy(), greedy["variant"].to_numpy()), "squared_euclidean")
    repeated = (
        read.filter(pl.col("variant") == "canonical").group_by("example").agg(pl.col("number").var(), pl.len()).filter(pl.col("len") > 1)
    )
    found = index_of(parts, floor=Floor(2 * repeated["number"].to_numpy()))
    assert repeated.height == 50
    assert abs(found.instability - truth) < WITHIN * found.se


@pytest.mark.parametrize("spec", SPECS)
def test_states_with_cosines_of_z_scores_come_near(components: Run, spec: str) -> None:
    """In 64 dimensions a cosine is the correlation up to 1/128: B = 1 - a, W = 1 - (a + b + c), N = 1, S = (b + c) / (a + b + c).

    A wording effect is exact only on average over wordings, and W is that of the canonical one, so it comes less near.
    """
    a, b, c, e = shares(planted(spec))
    found = profile(components, spec, "activations")
    assert found["instability"] == pytest.approx((b + c) / (a + b + c), abs=0.02 if b == 0 else 0.05)
    if b == 0:
        assert (found["across"], found["rerun"], found["unrelated"]) == pytest.approx((1 - a, e, 1), abs=0.02)
    layers = [profile(components, spec, "activations", layer=number)["instability"] for number in (1, 2)]
    assert found["instability"] == pytest.approx(np.mean(layers))


def test_a_larger_share_is_a_larger_number(components: Run) -> None:
    """.25 < .375 of the noise-free variance is due to wordings."""
    for axis in ("activations", "confidence"):
        small, large = (profile(components, spec, axis)["instability"] for spec in SPECS)
        assert small < large


@pytest.mark.parametrize("axis", ["activations", "confidence"])
def test_asking_the_same_again_is_noise_and_passes_as_such(components: Run, axis: str) -> None:
    """The identity control shares all effects with the canonical wording but the rerun's: across = W, so its instability covers 0."""
    found = control(components, "icc", "identity", axis)
    assert found["verdict"] == "pass"
    assert found["across"] == pytest.approx(profile(components, "icc", axis)["rerun"], rel=0.3)


def failed(run: Run, spec: str, axis: str) -> set[str]:
    scores = run.scores.filter(pl.col("model") == f"planted-{spec}", pl.col("axis") == axis)
    return set(scores.filter(pl.col("instability") > 1e-9)["example"])


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("spec", ["failures", "failures:shared=1"])
def test_exactly_those_examples_fail_that_were_planted(components: Run, spec: str, axis: str) -> None:
    """B_i > 0 for those that fail, B_i = 0 for the others.

    Generation: B_i = 1 and N = 1, so S is the share of failures; mirroring: D_i = 1, with the same consequence. Confidence: the certainties
    of those that fail are the same, one for each wording, so their B_i are all alike.
    """
    model = open_model(f"planted:{spec}")
    assert isinstance(model, FailuresModel)
    names = components.examples["example"].to_list()
    truth = {name for name in names if model.fails(axis, "numeric", name)}
    assert failed(components, spec, axis) == truth
    if axis in ("generation", "mirroring"):
        found = profile(components, spec, axis)
        assert (found["across"], found["instability"]) == pytest.approx((len(truth) / 200, len(truth) / 200))


def test_failures_are_independent_or_the_same(components: Run) -> None:
    """Phi of two independent sets among 200 examples has standard error 1 / sqrt(200) = .07; of one and the same set it is 1."""
    names = components.examples["example"].to_list()
    for spec in ("failures", "failures:shared=1"):
        table = np.array([[name in failed(components, spec, axis) for name in names] for axis in AXES], dtype=float)
        between = np.corrcoef(table)[np.triu_indices(4, 1)]
        if spec == "failures":
            assert np.abs(between).max() < WITHIN / np.sqrt(len(names))
        else:
            assert between.tolist() == pytest.approx([1] * 6)
