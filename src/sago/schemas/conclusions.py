"""Accuracy, components of variance, and what may be claimed."""

from __future__ import annotations

import dataframely as dy

from sago.schemas.columns import DATASET, DECODING, FAMILY, MODEL, REASON, VARIANT, count_column, number_column, text_column, texts_column


class Accuracy(dy.Schema):
    """Correctness beside stability, so that a constant or wrong-but-stable model does not look good (METRICS 7).

    Intervals are 95 %, over examples. ``highest`` to ``combined`` compare shared wordings on the examples that have all of them.
    """

    model = text_column(MODEL, key=True)
    dataset = text_column(DATASET, key=True)
    decoding = text_column(DECODING, key=True)
    n = count_column("examples with a gold answer and at least two wordings with data")
    n_no_gold = count_column("examples without a gold answer: not scored, never counted as wrong")
    canonical = number_column("share correct on the canonical wording, in [0, 1]")
    canonical_lower = number_column("lower end of its Wilson interval")
    canonical_upper = number_column("upper end of its Wilson interval")
    mean = number_column("mean over wordings of the share correct, in [0, 1]")
    mean_lower = number_column("lower end of its interval")
    mean_upper = number_column("upper end of its interval")
    worst = number_column("share of examples correct on every wording (with reruns: in more than half of them)")
    worst_lower = number_column("lower end of its Wilson interval")
    worst_upper = number_column("upper end of its Wilson interval")
    best = number_column("share of examples correct on at least one wording (likewise)")
    best_lower = number_column("lower end of its Wilson interval")
    best_upper = number_column("upper end of its Wilson interval")
    n_wordings = count_column("wordings that are compared: names that most examples share; 0 = none, and the rest is null", nullable=True)
    n_compared = count_column("examples that have all of them", nullable=True)
    highest = number_column("accuracy of the best wording, in [0, 1]; flattered, for it was chosen on these examples")
    highest_lower = number_column("lower end of its interval, which allows for the choice")
    highest_upper = number_column("upper end of its interval")
    highest_optimism = number_column("by how much `highest` is flattered by that choice (bootstrap)")
    lowest = number_column("accuracy of the worst wording")
    lowest_lower = number_column("lower end of its interval, which allows for the choice")
    lowest_upper = number_column("upper end of its interval")
    wording_mean = number_column("mean accuracy of these wordings")
    spread = number_column("highest - lowest, in [0, 1]; above 0 by chance alone")
    spread_lower = number_column("lower end of its interval; above 0 = wordings differ beyond chance")
    spread_upper = number_column("upper end of its interval")
    spread_chance = number_column("spread to be expected if all these wordings had one true accuracy (bootstrap)")
    combined = number_column("combined performance score, (1 - (highest - wording_mean)) x highest (arXiv 2401.00595)")
    combined_lower = number_column("lower end of its interval")
    combined_upper = number_column("upper end of its interval")
    k = count_column("how many replies `pass_k` looks at: those to most wordings; null where nothing was asked twice", nullable=True)
    pass_k = number_column("pass^k: share of wordings of an example to which all k replies are right, mean over examples; null as `k`")
    pass_k_lower = number_column("lower end of its interval")
    pass_k_upper = number_column("upper end of its interval")
    stable_correct = number_column("share of examples with every response correct")
    stable_correct_lower = number_column("lower end of its Wilson interval")
    stable_correct_upper = number_column("upper end of its Wilson interval")
    stable_wrong = number_column("share of examples with every response the same answer, of which no part is right")
    stable_wrong_lower = number_column("lower end of its Wilson interval")
    stable_wrong_upper = number_column("upper end of its Wilson interval")
    unstable = number_column("share of the rest; the three shares sum to 1")
    unstable_lower = number_column("lower end of its Wilson interval")
    unstable_upper = number_column("upper end of its Wilson interval")
    reason = text_column(REASON, nullable=True)


class WordingAccuracy(dy.Schema):
    """Accuracy wording by wording: names that at least half of the examples share, such as prompt templates.

    Names of which each stands in a few examples alone have no row: they say nothing about a template.
    """

    model = text_column(MODEL, key=True)
    dataset = text_column(DATASET, key=True)
    decoding = text_column(DECODING, key=True)
    variant = text_column(VARIANT, key=True)
    n = count_column("examples with a gold answer that have this wording with data")
    accuracy = number_column("share correct, in [0, 1]; with reruns each example counts by the share of its replies", nullable=False)
    lower = number_column("lower end of its 95 % interval: Wilson, or over examples where shares are not all 0 or 1; null for one example")
    upper = number_column("upper end of it")
    compared = number_column(
        "share correct on the examples that have all compared wordings: `highest` and `lowest` of table `accuracy` are among these; "
        "null where this one is not compared"
    )


class Components(dy.Schema):
    """Where the variance of a score comes from: examples, wordings, what a wording does to one example, asking again (METRICS 9).

    From the largest balanced block. Components are in squared units of the score, below 0 by chance where the true value is near 0;
    shares count that as 0. Of a score that is 0 or 1 they are for shares, not for tests.
    """

    model = text_column(MODEL, key=True)
    dataset = text_column(DATASET, key=True)
    decoding = text_column(DECODING, key=True)
    score = text_column("`correct`, `option_probability` or `anchor_probability` (as measures of the confidence axis)", key=True)
    design = text_column(
        "`crossed`: the same wordings for all examples, by name (names that are mere numbers of paraphrases have nothing in common, and "
        "`of_variant` near 0); `nested`: wordings of single examples; null where there is no block",
        nullable=True,
    )
    n = count_column("examples in the block")
    n_left_out = count_column("examples with a score that the block leaves out")
    n_variants = count_column("wordings of each of them")
    n_reruns = count_column("replies to each wording")
    of_example = number_column("s2_i, between examples: the signal")
    of_variant = number_column("s2_v, of wordings as such: gone by choosing a wording; null where `nested`, part of `of_interaction` there")
    of_interaction = number_column("s2_iv, of a wording for one example and not for another: what no choice of a wording takes away")
    of_rerun = number_column("s2_e, of asking again; null where `confounded`")
    share_example = number_column("share of the total, in [0, 1]; null where nothing varies")
    share_variant = number_column("likewise")
    share_interaction = number_column("likewise")
    share_rerun = number_column("likewise")
    confounded = dy.Bool(description="true with one reply a wording: `of_interaction` then holds s2_iv + s2_e, which cannot be told apart")
    relative = number_column("generalizability: reliability of the order of examples by their mean over these wordings; at most 1")
    absolute = number_column("dependability: reliability of these means themselves, had other wordings been used; at most 1")
    variants_80 = count_column(
        "wordings for a relative reliability of .80, with replies as here; null where relative is below .001", nullable=True
    )
    variants_90 = count_column("likewise for .90", nullable=True)
    se_example = number_column("part of the standard error of the cell's mean score that more examples reduce: sqrt(s2_i / n)")
    se_variant = number_column("part that only more wordings reduce: sqrt(s2_v / V); null where `nested`")
    se_interaction = number_column("sqrt(s2_iv / (n V))")
    se_rerun = number_column("sqrt(s2_e / (n V R)); null where `confounded`")
    se_total = number_column("root of the sum of their squares: for examples and wordings like these")
    reason = text_column("why there is nothing: `too_few_variants`, `too_few_examples`; null where there is", nullable=True)


class Findings(dy.Schema):
    """A claim with its test; [claims](claims.md) says what the numbers of each claim are. What is about several axes names them all."""

    claim = text_column("what is claimed: `instability`, `reversal`, ...; all are in [claims](claims.md)")
    models = texts_column("models that it is about")
    datasets = texts_column("datasets that it is about")
    axis = text_column("name of the axis; two of a pair as `generation & confidence`, several as `all`")
    measure = text_column("name of the measure; two as `answer_flip & jsd`")
    decoding = text_column(DECODING)
    family = text_column(FAMILY, nullable=True)
    mode = text_column("`calibrated` (instability) or `raw` (across, less rerun where measured)")
    estimate = number_column("the tested quantity of the claim; a correlation, a rank, a share, ... ([claims](claims.md))")
    se = number_column("its standard error")
    lower = number_column("lower end of its 95 % interval; of a `rank` the best rank left open; null where the claim has none")
    upper = number_column("upper end of its 95 % interval; of a `rank` the worst rank left open; null where the claim has none")
    threshold = number_column("smallest effect of interest that was tested against; null where the test has none")
    test = text_column("name of the test; null where nothing is tested", nullable=True)
    p = number_column("p value of what the claim has to refute ([claims](claims.md)); null where nothing is tested")
    p_adjusted = number_column("p value after Holm over the tests of the same claim")
    tests = count_column("number of tests that p was corrected for", nullable=True)
    verdict = text_column(
        "what may be said: `UNSTABLE`, `STABLE`, `INDEPENDENT`, `REVERSED`, ... or why not: `INCONCLUSIVE`, `NOT_TESTED`, ..."
    )
    n = count_column("examples; of several models or data sets the fewest or their sum, as the claim says ([claims](claims.md))")
    sentence = text_column("the finding in one plain sentence")
    reason = text_column(REASON, nullable=True)
