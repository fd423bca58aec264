"""Numbers of single examples and of cells, and the controls beside them."""

from __future__ import annotations

import dataframely as dy

from sago.schemas.columns import (
    AXIS,
    DATASET,
    DECODING,
    EXAMPLE,
    FAMILY,
    MEASURE,
    MODEL,
    REASON,
    count_column,
    number_column,
    text_column,
    texts_column,
)


class Scores(dy.Schema):
    """One example on one measure of one axis. Raw, unclipped; 0 = stable, 1 = maximally unstable."""

    model = text_column(MODEL, key=True)
    dataset = text_column(DATASET, key=True)
    example = text_column(EXAMPLE, key=True)
    axis = text_column(AXIS, key=True)
    measure = text_column(MEASURE, key=True)
    decoding = text_column(DECODING, key=True)
    across = number_column("B_i: mean distance between responses to different variants (mirroring: own uptake)")
    rerun = number_column("W_i: mean distance between reruns of one variant; null = no reruns")
    unrelated = number_column("N_i: mean distance to responses of other examples (mirroring: sibling uptake)")
    instability = number_column("S_i = (B_i - W_i) / (N - W) with the cell's N and W (mirroring: D_i)")
    influence = number_column("psi_i of S (METRICS 2.2): what the example adds to its error, shared N and W included; null where S is")
    rerun_p = number_column(
        "permutation p of `wordings differ no more than reruns` in this example; null without reruns, or off the default"
    )
    n_variants = count_column("variants with data")
    n_observations = count_column("observations with data")
    reason = text_column(REASON, nullable=True)


class Halves(dy.Schema):
    """One example on each half of its wordings, for many ways to halve them: what claims about axes need (METRICS 8, 2b and 2d)."""

    model = text_column(MODEL, key=True)
    dataset = text_column(DATASET, key=True)
    example = text_column(EXAMPLE, key=True)
    axis = text_column(AXIS, key=True)
    measure = text_column(MEASURE, key=True)
    decoding = text_column(DECODING, key=True)
    first = dy.List(
        dy.Float32(nullable=True), nullable=False, description="B_i - W_i over the wordings of the first half, one number a split"
    )
    second = dy.List(dy.Float32(nullable=True), nullable=False, description="the same over the other wordings")


class Covariates(dy.Schema):
    """What else is known of an example that could make two axes move together (METRICS 8, 2g)."""

    model = text_column(MODEL, key=True)
    dataset = text_column(DATASET, key=True)
    example = text_column(EXAMPLE, key=True)
    decoding = text_column(DECODING, key=True)
    prompt_length = number_column("mean characters of its prompts over wordings; null where they were not recorded")
    response_length = number_column("mean characters of its replies over wordings and reruns; null where they were not recorded")
    correct = number_column("share of replies to the original wording that are correct, in [0, 1]; null without gold")
    log_likelihood = number_column(
        "log-probability of the likeliest option, else mean of the reply's tokens, on the original wording (nats); null = not observed"
    )


class Profiles(dy.Schema):
    """One cell: model x dataset x axis x measure x decoding (x family)."""

    model = text_column(MODEL)
    dataset = text_column(DATASET)
    axis = text_column(AXIS)
    measure = text_column(MEASURE)
    decoding = text_column(DECODING)
    family = text_column(FAMILY, nullable=True)
    layer = count_column("layer that the row is about; null = mean over the layer grid, or no layers", nullable=True)
    default = dy.Bool(description="true for exactly one measure per model, dataset, axis and decoding, at family null")
    n = count_column("examples that took part")
    n_left_out = count_column("examples without enough data on this measure")
    n_variants = number_column("mean number of variants per example that took part; null where none did")
    n_reruns = number_column("mean number of reruns per variant; null where no example took part")
    across = number_column("B: raw instability, mean distance between responses to different variants")
    across_se = number_column("standard error of across, examples resampled")
    across_lower = number_column("lower end of its 95 % interval")
    across_upper = number_column("upper end of its 95 % interval")
    rerun = number_column("W: the noise floor, mean distance between reruns of one variant; null = not measured")
    unrelated = number_column("N: mean distance between responses to unrelated questions")
    instability = number_column("S = (B - W) / (N - W); 0 = as asking twice, 1 = as different questions")
    se = number_column("standard error of instability (delta method; examples resampled, variants fixed)")
    lower = number_column("lower end of its 95 % interval")
    upper = number_column("upper end of its 95 % interval")
    se_wordings = number_column(
        "jackknife standard error over wordings (METRICS 2.2); "
        "null below three names, where most stand in one example alone, or one left out has no S"
    )
    se_floor = number_column("part of se that comes from the noise floor of an audit, which all examples share; 0 without one")
    without_lowest = number_column("smallest instability with one wording name left out; null where se_wordings is")
    without_highest = number_column("largest instability with one wording name left out")
    se_total = number_column("root of se^2 + se_wordings^2: for examples and wordings like these; null where se_wordings is")
    star_across = number_column(
        "B over the pairs with the canonical wording alone (METRICS 2.5); null without one, or off the default measure"
    )
    star_instability = number_column("S of these pairs, with the cell's W and N")
    star_se = number_column("its standard error")
    unrelated_common = number_column(
        "N as the mean over the models of the run (METRICS 2.6); generation and confidence of two models or more"
    )
    instability_common = number_column("S with the common N; null where that is")
    rerun_p = number_column("exact permutation p of `variants differ no more than reruns` (METRICS 8, 1a); null without reruns")
    flags = texts_column("remarks: `small_n`, `noise_floor=assumed_zero`, `noise_floor=audit`, `few_variants`, ...")
    reason = text_column(REASON, nullable=True)


class Controls(dy.Schema):
    """Checks of the measurement itself, in the unit of instability."""

    model = text_column(MODEL, key=True)
    dataset = text_column(DATASET, key=True)
    axis = text_column(AXIS, key=True)
    measure = text_column(MEASURE, key=True)
    decoding = text_column(DECODING, key=True)
    kind = text_column("`identity` (should be 0), `shuffled` (should be 1), `meaning-changed` (should be high)", key=True)
    n = count_column("examples that took part")
    across = number_column("raw mean distance of the control's pairs")
    instability = number_column("instability of the control's pairs")
    se = number_column("standard error of instability")
    lower = number_column("lower end of its 95 % interval")
    upper = number_column("upper end of its 95 % interval")
    expected = text_column("what it should be: `covers 0`, `covers 1`, `above the wordings`")
    verdict = text_column("`pass`, `fail`, or `not_informative` (see reason)")
    reason = text_column("why the verdict is not_informative or the values null; null otherwise", nullable=True)
