"""Each table once: column, type, unit, meaning, version.

The classes below are the one source for the check at every seam (:func:`check`), the metadata in the Parquet files
(:func:`parquet_metadata`) and the reference page ``docs/tables.md`` (``python -m sago.schemas``). Null always has a reason beside it:
in a ``reason`` column, in a status, or in the column's own description. NaN and infinity are refused.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from typing import Any

import dataframely as dy
import polars as pl

from sago.errors import SchemaError

SCHEMA_VERSION = 4
"""Raised whenever a column changes its name, type or meaning."""


def _text(description: str, *, nullable: bool = False, key: bool = False) -> dy.String:
    return dy.String(nullable=nullable, primary_key=key, description=description)


def _texts(description: str, *, nullable: bool = False) -> dy.List:
    return dy.List(dy.String(), nullable=nullable, description=description)


def _number(description: str, *, nullable: bool = True) -> dy.Float64:
    return dy.Float64(nullable=nullable, description=description)


def _count(description: str, *, nullable: bool = False, key: bool = False) -> dy.Int64:
    return dy.Int64(nullable=nullable, primary_key=key, description=description)


def _counts(description: str, *, nullable: bool = True) -> dy.List:
    return dy.List(dy.Int64(), nullable=nullable, description=description)


_DATASET = "name of the dataset"
_EXAMPLE = "id of the example within its dataset, as text"
_VARIANT = "name of the variant; `canonical` is the original wording"
_MODEL = "name of the model, as given"
_DECODING = (
    "`greedy`, `sampled` (at the study's temperature), `audit` (greedy again, in another batch make-up) "
    "or `recorded` (as recorded; how it was decoded is not known)"
)
_AXIS = "`generation`, `activations`, `confidence` or `mirroring`"
_MEASURE = "name of the measure, for instance `answer_flip`"
_FAMILY = "family of variants that the row is about; null = all families together, controls left out"
_REASON = "why the values are null; null where nothing is missing"


class Examples(dy.Schema):
    """One question a row."""

    dataset = _text(_DATASET, key=True)
    example = _text(_EXAMPLE, key=True)
    position = _count("order in the source, from 0; for display only, no number depends on it")
    task = _text("`choice` (a closed set of answers), `numeric` or `text`; decides how an answer is read")
    question = _text("the question as given; empty where it was not recorded")
    context = _text("text that the question is about; null = none", nullable=True)
    choices = _texts(
        "answer options in the order of the data, their letters where the texts are not known; null = open question, or a closed set that "
        "is known by the recorded answers alone",
        nullable=True,
    )
    answers = _texts("accepted answers as text; an empty list = no gold answer, correctness is null and counted")
    answer_index = _count("index of the gold choice, from 0; null without choices or without gold", nullable=True)
    paraphrases = _texts("other wordings of the question that the data gives; may be empty")
    twin_question = _text("the meaning-changed twin (a control); null = none given", nullable=True)
    twin_answers = _texts("accepted answers of the twin; null without a twin", nullable=True)
    twin_answer_index = _count("gold choice of the twin; null without a twin or choices", nullable=True)
    metadata = _text("every other field of the source row, as a JSON object")
    fingerprint = _text("sha256 of dataset-independent content (question, context, choices, answers)")


_MESSAGES = dy.List(
    dy.Struct({"role": dy.String(), "content": dy.String()}),
    description="rendered chat messages, byte for byte what a model is given; empty where the prompt was not recorded",
)
_EDITS = dy.List(
    dy.Struct({"start": dy.Int64(), "end": dy.Int64(), "before": dy.String(), "after": dy.String()}),
    description="replaced spans of the canonical question (character offsets); empty where the question is unchanged",
)
_JUDGEMENTS = dy.List(
    dy.Struct(
        {
            "check": dy.String(),
            "by": dy.String(),
            "value": dy.Float64(nullable=True),
            "threshold": dy.Float64(nullable=True),
            "passed": dy.Bool(nullable=True),
        }
    ),
    nullable=True,
    description="what was measured of whether it keeps the meaning: check (`encoder`, `nli`, `judge`, `review`), by whom, value, "
    "threshold, and whether it passed (null = no verdict came); null where nothing was asked",
)


class Variants(dy.Schema):
    """One way to put one example to a model."""

    dataset = _text(_DATASET, key=True)
    example = _text(_EXAMPLE, key=True)
    variant = _text(_VARIANT, key=True)
    position = _count("order within the example; 0 = canonical")
    family = _text("`canonical`, a family of variations, or a control (`identity`, `meaning-changed`)")
    control = dy.Bool(description="true for controls, which never count as wordings of the question")
    parameters = _text("parameters of the variation, as a JSON object")
    seed = _count("seed of the generator that made it, from content", nullable=True)
    messages = _MESSAGES
    question = _text("the question as worded here")
    layout = _text("name of the prompt layout; `recorded` where the prompt was made elsewhere")
    shown_choices = _texts("choice texts in shown order; null = open question", nullable=True)
    shown_labels = _texts("labels in shown order; null where the layout shows none", nullable=True)
    permutation = _counts("original choice index at each shown position; null = open question")
    scored_choices = _texts("continuations whose log-likelihood is taken, shown order: labels, or texts", nullable=True)
    answers = _texts("accepted answers of this variant (they differ only for `meaning-changed`)")
    answer_index = _count("gold choice, index into the example's own choices; null as in examples", nullable=True)
    edits = _EDITS
    dose = _number("edit distance to the canonical prompt / length of the longer one, in [0, 1]; null where a prompt was not recorded")
    edit_distance = _count(
        "characters inserted, deleted or replaced in the canonical prompt; null where a prompt was not recorded", nullable=True
    )
    changed_share = _number("edit distance in words and signs / number of these in the longer prompt, in [0, 1]; null like `dose`")
    token_change = dy.Int64(nullable=True, description="words and signs of the prompt less those of the canonical one; null like `dose`")
    checks = _texts("equivalence checks passed")
    judgements = _JUDGEMENTS
    rejected = _text("the check that it failed: it is not used, and stands only in files of variants; null = in use", nullable=True)
    merged = _texts("names of variants that rendered to the same prompt and were merged into this one")
    fingerprint = _text("sha256 of the messages")


class VariationCounts(dy.Schema):
    """What each family was asked for and what became of it."""

    dataset = _text(_DATASET, key=True)
    family = _text("family of variations", key=True)
    examples = _count("examples that it was asked for")
    asked = _count("variants asked for, over the examples to which it applies = made + the four kinds of dropped")
    made = _count("variants that stand in the variants table")
    dropped_same = _count("dropped, or not made at all: it would have been the canonical prompt again")
    dropped_duplicate = _count("dropped: same prompt as another variant of the example; merged into it")
    dropped_unsafe = _count("dropped: a mechanical variant that failed a rule check, such as the same numbers")
    dropped_changed = _count("dropped: a model or a person found that it does not mean the same")
    not_applicable = _count("examples for which the family has nothing to do")


class Equivalence(dy.Schema):
    """How far it is known that wordings mean the same (METRICS 10)."""

    dataset = _text(_DATASET, key=True)
    family = _text("family of variations, or `all` for all together", key=True)
    wordings = _count("wordings in use, without the original one and controls")
    by_construction = _count("of these: kept the meaning by the way they were made, and passed every rule check")
    judged = _count("of the others: passed a check by a model")
    reviewed = _count("wordings that a person judged, those included that are not in use for it")
    not_same = _count("of the reviewed: do not mean the same")
    share = _number("not_same / reviewed; null where nobody reviewed")
    share_upper = _number("upper end of its one-sided 95 % interval (Clopper-Pearson)")
    pair_share = _number(
        "share of pairs of wordings that may not mean the same, at most: twice the upper end of the share found by review times the share "
        "of wordings that nobody reviewed; those by construction count as the same unless some were reviewed; null where it is not known"
    )
    reviewers = _count("people who reviewed")
    reviewed_twice = _count("wordings that two people judged")
    kappa = _number("their agreement beyond chance (Cohen's kappa)")
    kappa_lower = _number("lower end of its 95 % interval")
    kappa_upper = _number("upper end of its 95 % interval")
    reason = _text(_REASON, nullable=True)


_TOKENS = dy.List(
    dy.List(dy.Int64()),
    nullable=True,
    description="token ids really scored for each choice; null where none was",
)


class Observations(dy.Schema):
    """One call: model x variant x decoding x rerun; only what cannot be recomputed without the model."""

    model = _text(_MODEL, key=True)
    dataset = _text(_DATASET, key=True)
    example = _text(_EXAMPLE, key=True)
    variant = _text(_VARIANT, key=True)
    decoding = _text(_DECODING, key=True)
    rerun = _count("number of the rerun, from 0", key=True)
    status = _text("`ok, empty, refusal, filtered, truncated, too_long, error`; the last two are missing data")
    response = _text("response text; null = none came (see status), or it was not recorded (status `ok`)", nullable=True)
    reasoning = _text("thinking text, kept apart; null = none", nullable=True)
    finish_reason = _text("`stop`, `length`, or as the server said; null = unknown", nullable=True)
    error = _text("message of the error; null = none", nullable=True)
    response_token_ids = _counts("token ids of the response; null = not observable")
    token_logprobs = dy.List(
        dy.Float64(nullable=True),
        nullable=True,
        description="log-probability of each response token (nats); null = not observable; null within = that token's is not known",
    )
    choice_logprobs = dy.List(
        dy.Float64(nullable=True),
        nullable=True,
        description="summed log-probability of each scored choice (nats), shown order; null within = minus infinity, or not given",
    )
    choice_token_ids = _TOKENS
    anchor_logprob = _number("summed log-probability of the canonical response under this prompt (nats)")
    anchor_tokens = _count("tokens of the anchor; null where it was not scored", nullable=True)
    prompt_tokens = _count("tokens of the prompt; null = not observable", nullable=True)
    prompt_hash = _text("sha256 of the prompt's token ids, or of its messages; null = error before", nullable=True)
    batch_size = _count("prompts that shared the pass; null = not known", nullable=True)
    seconds = _number("wall time of the batch / its observations (s); null = not known")
    request_key = _text("sha256 of everything that could change this observation; of recorded answers, of key and content")


class States(dy.Schema):
    """Pooled hidden states, one tap point a row."""

    model = _text(_MODEL, key=True)
    dataset = _text(_DATASET, key=True)
    example = _text(_EXAMPLE, key=True)
    variant = _text(_VARIANT, key=True)
    decoding = _text(_DECODING, key=True)
    rerun = _count("number of the rerun, from 0", key=True)
    tap = _text("where it was read, for instance `last_prompt_token/block_15`", key=True)
    layer = _count("0 = embeddings, k = output of block k, before the final norm")
    depth = _number("layer / number of blocks, in [0, 1]", nullable=False)
    vector = dy.List(dy.Float32(), nullable=True, description="the state; null where it was not finite (`non_finite`)")


class Features(dy.Schema):
    """One reading of one observation: a category, a number or a vector, or null with a reason."""

    model = _text(_MODEL, key=True)
    dataset = _text(_DATASET, key=True)
    example = _text(_EXAMPLE, key=True)
    variant = _text(_VARIANT, key=True)
    decoding = _text(_DECODING, key=True)
    rerun = _count("number of the rerun, from 0", key=True)
    feature = _text("name of the reading, for instance `answer`", key=True)
    category = _text("value of a nominal reading", nullable=True)
    number = _number("value of a numeric reading")
    vector = dy.List(dy.Float64(), nullable=True, description="value of a vector reading")
    reason = _text("why the reading is null: `unparsed`, `truncated`, `no_gold`, ...; null where there is a value", nullable=True)
    reader = _text("name of the reader; `recorded` = it came with the answers and wins over every reader")
    version = _text("version of the reader")


class Scores(dy.Schema):
    """One example on one measure of one axis. Raw, unclipped; 0 = stable, 1 = maximally unstable."""

    model = _text(_MODEL, key=True)
    dataset = _text(_DATASET, key=True)
    example = _text(_EXAMPLE, key=True)
    axis = _text(_AXIS, key=True)
    measure = _text(_MEASURE, key=True)
    decoding = _text(_DECODING, key=True)
    across = _number("B_i: mean distance between responses to different variants (mirroring: own uptake)")
    rerun = _number("W_i: mean distance between reruns of one variant; null = no reruns")
    unrelated = _number("N_i: mean distance to responses of other examples (mirroring: sibling uptake)")
    instability = _number("S_i = (B_i - W_i) / (N - W) with the cell's N and W (mirroring: D_i)")
    influence = _number("psi_i of S (METRICS 2.2): what the example adds to its error, shared N and W included; null where S is")
    rerun_p = _number("permutation p of `wordings differ no more than reruns` in this example; null without reruns, or off the default")
    n_variants = _count("variants with data")
    n_observations = _count("observations with data")
    reason = _text(_REASON, nullable=True)


class Halves(dy.Schema):
    """One example on each half of its wordings, for many ways to halve them: what claims about axes need (METRICS 8, 2b and 2d)."""

    model = _text(_MODEL, key=True)
    dataset = _text(_DATASET, key=True)
    example = _text(_EXAMPLE, key=True)
    axis = _text(_AXIS, key=True)
    measure = _text(_MEASURE, key=True)
    decoding = _text(_DECODING, key=True)
    first = dy.List(
        dy.Float32(nullable=True), nullable=False, description="B_i - W_i over the wordings of the first half, one number a split"
    )
    second = dy.List(dy.Float32(nullable=True), nullable=False, description="the same over the other wordings")


class Covariates(dy.Schema):
    """What else is known of an example that could make two axes move together (METRICS 8, 2g)."""

    model = _text(_MODEL, key=True)
    dataset = _text(_DATASET, key=True)
    example = _text(_EXAMPLE, key=True)
    decoding = _text(_DECODING, key=True)
    prompt_length = _number("mean characters of its prompts over wordings; null where they were not recorded")
    response_length = _number("mean characters of its replies over wordings and reruns; null where they were not recorded")
    correct = _number("share of replies to the original wording that are correct, in [0, 1]; null without gold")
    log_likelihood = _number(
        "log-probability of the likeliest option, else mean of the reply's tokens, on the original wording (nats); null = not observed"
    )


class Profiles(dy.Schema):
    """One cell: model x dataset x axis x measure x decoding (x family)."""

    model = _text(_MODEL)
    dataset = _text(_DATASET)
    axis = _text(_AXIS)
    measure = _text(_MEASURE)
    decoding = _text(_DECODING)
    family = _text(_FAMILY, nullable=True)
    layer = _count("layer that the row is about; null = mean over the layer grid, or no layers", nullable=True)
    default = dy.Bool(description="true for exactly one measure per model, dataset, axis and decoding, at family null")
    n = _count("examples that took part")
    n_left_out = _count("examples without enough data on this measure")
    n_variants = _number("mean number of variants per example that took part; null where none did")
    n_reruns = _number("mean number of reruns per variant; null where no example took part")
    across = _number("B: raw instability, mean distance between responses to different variants")
    across_se = _number("standard error of across, examples resampled")
    across_lower = _number("lower end of its 95 % interval")
    across_upper = _number("upper end of its 95 % interval")
    rerun = _number("W: the noise floor, mean distance between reruns of one variant; null = not measured")
    unrelated = _number("N: mean distance between responses to unrelated questions")
    instability = _number("S = (B - W) / (N - W); 0 = as asking twice, 1 = as different questions")
    se = _number("standard error of instability (delta method; examples resampled, variants fixed)")
    lower = _number("lower end of its 95 % interval")
    upper = _number("upper end of its 95 % interval")
    se_wordings = _number(
        "jackknife standard error over wordings (METRICS 2.2); "
        "null below three names, where most stand in one example alone, or one left out has no S"
    )
    se_floor = _number("part of se that comes from the noise floor of an audit, which all examples share; 0 without one")
    without_lowest = _number("smallest instability with one wording name left out; null where se_wordings is")
    without_highest = _number("largest instability with one wording name left out")
    se_total = _number("root of se^2 + se_wordings^2: for examples and wordings like these; null where se_wordings is")
    star_across = _number("B over the pairs with the canonical wording alone (METRICS 2.5); null without one, or off the default measure")
    star_instability = _number("S of these pairs, with the cell's W and N")
    star_se = _number("its standard error")
    unrelated_common = _number("N as the mean over the models of the run (METRICS 2.6); generation and confidence of two models or more")
    instability_common = _number("S with the common N; null where that is")
    rerun_p = _number("exact permutation p of `variants differ no more than reruns` (METRICS 8, 1a); null without reruns")
    flags = _texts("remarks: `small_n`, `noise_floor=assumed_zero`, `noise_floor=audit`, `few_variants`, ...")
    reason = _text(_REASON, nullable=True)


class Controls(dy.Schema):
    """Checks of the measurement itself, in the unit of instability."""

    model = _text(_MODEL, key=True)
    dataset = _text(_DATASET, key=True)
    axis = _text(_AXIS, key=True)
    measure = _text(_MEASURE, key=True)
    decoding = _text(_DECODING, key=True)
    kind = _text("`identity` (should be 0), `shuffled` (should be 1), `meaning-changed` (should be high)", key=True)
    n = _count("examples that took part")
    across = _number("raw mean distance of the control's pairs")
    instability = _number("instability of the control's pairs")
    se = _number("standard error of instability")
    lower = _number("lower end of its 95 % interval")
    upper = _number("upper end of its 95 % interval")
    expected = _text("what it should be: `covers 0`, `covers 1`, `above the wordings`")
    verdict = _text("`pass`, `fail`, or `not_informative` (see reason)")
    reason = _text("why the verdict is not_informative or the values null; null otherwise", nullable=True)


class Accuracy(dy.Schema):
    """Correctness beside stability, so that a constant or wrong-but-stable model does not look good (METRICS 7).

    Intervals are 95 %, over examples. ``highest`` to ``combined`` compare shared wordings on the examples that have all of them.
    """

    model = _text(_MODEL, key=True)
    dataset = _text(_DATASET, key=True)
    decoding = _text(_DECODING, key=True)
    n = _count("examples with a gold answer and at least two wordings with data")
    n_no_gold = _count("examples without a gold answer: not scored, never counted as wrong")
    canonical = _number("share correct on the canonical wording, in [0, 1]")
    canonical_lower = _number("lower end of its Wilson interval")
    canonical_upper = _number("upper end of its Wilson interval")
    mean = _number("mean over wordings of the share correct, in [0, 1]")
    mean_lower = _number("lower end of its interval")
    mean_upper = _number("upper end of its interval")
    worst = _number("share of examples correct on every wording (with reruns: in more than half of them)")
    worst_lower = _number("lower end of its Wilson interval")
    worst_upper = _number("upper end of its Wilson interval")
    best = _number("share of examples correct on at least one wording (likewise)")
    best_lower = _number("lower end of its Wilson interval")
    best_upper = _number("upper end of its Wilson interval")
    n_wordings = _count("wordings that are compared: names that most examples share; 0 = none, and the rest is null", nullable=True)
    n_compared = _count("examples that have all of them", nullable=True)
    highest = _number("accuracy of the best wording, in [0, 1]; flattered, for it was chosen on these examples")
    highest_lower = _number("lower end of its interval, which allows for the choice")
    highest_upper = _number("upper end of its interval")
    highest_optimism = _number("by how much `highest` is flattered by that choice (bootstrap)")
    lowest = _number("accuracy of the worst wording")
    lowest_lower = _number("lower end of its interval, which allows for the choice")
    lowest_upper = _number("upper end of its interval")
    wording_mean = _number("mean accuracy of these wordings")
    spread = _number("highest - lowest, in [0, 1]; above 0 by chance alone")
    spread_lower = _number("lower end of its interval; above 0 = wordings differ beyond chance")
    spread_upper = _number("upper end of its interval")
    spread_chance = _number("spread to be expected if all these wordings had one true accuracy (bootstrap)")
    combined = _number("combined performance score, (1 - (highest - wording_mean)) x highest (arXiv 2401.00595)")
    combined_lower = _number("lower end of its interval")
    combined_upper = _number("upper end of its interval")
    k = _count("how many replies `pass_k` looks at: those to most wordings; null where nothing was asked twice", nullable=True)
    pass_k = _number("pass^k: share of wordings of an example to which all k replies are right, mean over examples; null as `k`")
    pass_k_lower = _number("lower end of its interval")
    pass_k_upper = _number("upper end of its interval")
    stable_correct = _number("share of examples with every response correct")
    stable_correct_lower = _number("lower end of its Wilson interval")
    stable_correct_upper = _number("upper end of its Wilson interval")
    stable_wrong = _number("share of examples with every response the same answer, of which no part is right")
    stable_wrong_lower = _number("lower end of its Wilson interval")
    stable_wrong_upper = _number("upper end of its Wilson interval")
    unstable = _number("share of the rest; the three shares sum to 1")
    unstable_lower = _number("lower end of its Wilson interval")
    unstable_upper = _number("upper end of its Wilson interval")
    reason = _text(_REASON, nullable=True)


class WordingAccuracy(dy.Schema):
    """Accuracy wording by wording: names that at least half of the examples share, such as prompt templates.

    Names of which each stands in a few examples alone have no row: they say nothing about a template.
    """

    model = _text(_MODEL, key=True)
    dataset = _text(_DATASET, key=True)
    decoding = _text(_DECODING, key=True)
    variant = _text(_VARIANT, key=True)
    n = _count("examples with a gold answer that have this wording with data")
    accuracy = _number("share correct, in [0, 1]; with reruns each example counts by the share of its replies", nullable=False)
    lower = _number("lower end of its 95 % interval: Wilson, or over examples where shares are not all 0 or 1; null for one example")
    upper = _number("upper end of it")
    compared = _number(
        "share correct on the examples that have all compared wordings: `highest` and `lowest` of table `accuracy` are among these; "
        "null where this one is not compared"
    )


class Components(dy.Schema):
    """Where the variance of a score comes from: examples, wordings, what a wording does to one example, asking again (METRICS 9).

    From the largest balanced block. Components are in squared units of the score, below 0 by chance where the true value is near 0;
    shares count that as 0. Of a score that is 0 or 1 they are for shares, not for tests.
    """

    model = _text(_MODEL, key=True)
    dataset = _text(_DATASET, key=True)
    decoding = _text(_DECODING, key=True)
    score = _text("`correct`, `option_probability` or `anchor_probability` (as measures of the confidence axis)", key=True)
    design = _text(
        "`crossed`: the same wordings for all examples, by name (names that are mere numbers of paraphrases have nothing in common, and "
        "`of_variant` near 0); `nested`: wordings of single examples; null where there is no block",
        nullable=True,
    )
    n = _count("examples in the block")
    n_left_out = _count("examples with a score that the block leaves out")
    n_variants = _count("wordings of each of them")
    n_reruns = _count("replies to each wording")
    of_example = _number("s2_i, between examples: the signal")
    of_variant = _number("s2_v, of wordings as such: gone by choosing a wording; null where `nested`, part of `of_interaction` there")
    of_interaction = _number("s2_iv, of a wording for one example and not for another: what no choice of a wording takes away")
    of_rerun = _number("s2_e, of asking again; null where `confounded`")
    share_example = _number("share of the total, in [0, 1]; null where nothing varies")
    share_variant = _number("likewise")
    share_interaction = _number("likewise")
    share_rerun = _number("likewise")
    confounded = dy.Bool(description="true with one reply a wording: `of_interaction` then holds s2_iv + s2_e, which cannot be told apart")
    relative = _number("generalizability: reliability of the order of examples by their mean over these wordings; at most 1")
    absolute = _number("dependability: reliability of these means themselves, had other wordings been used; at most 1")
    variants_80 = _count(
        "wordings for a relative reliability of .80, with replies as here; null where relative is below .001", nullable=True
    )
    variants_90 = _count("likewise for .90", nullable=True)
    se_example = _number("part of the standard error of the cell's mean score that more examples reduce: sqrt(s2_i / n)")
    se_variant = _number("part that only more wordings reduce: sqrt(s2_v / V); null where `nested`")
    se_interaction = _number("sqrt(s2_iv / (n V))")
    se_rerun = _number("sqrt(s2_e / (n V R)); null where `confounded`")
    se_total = _number("root of the sum of their squares: for examples and wordings like these")
    reason = _text("why there is nothing: `too_few_variants`, `too_few_examples`; null where there is", nullable=True)


class Findings(dy.Schema):
    """A claim with its test; [claims](claims.md) says what the numbers of each claim are. What is about several axes names them all."""

    claim = _text("what is claimed: `instability`, `reversal`, ...; all are in [claims](claims.md)")
    models = _texts("models that it is about")
    datasets = _texts("datasets that it is about")
    axis = _text("name of the axis; two of a pair as `generation & confidence`, several as `all`")
    measure = _text("name of the measure; two as `answer_flip & jsd`")
    decoding = _text(_DECODING)
    family = _text(_FAMILY, nullable=True)
    mode = _text("`calibrated` (instability) or `raw` (across, less rerun where measured)")
    estimate = _number("the tested quantity of the claim; a correlation, a rank, a share, ... ([claims](claims.md))")
    se = _number("its standard error")
    lower = _number("lower end of its 95 % interval; of a `rank` the best rank left open; null where the claim has none")
    upper = _number("upper end of its 95 % interval; of a `rank` the worst rank left open; null where the claim has none")
    threshold = _number("smallest effect of interest that was tested against; null where the test has none")
    test = _text("name of the test; null where nothing is tested", nullable=True)
    p = _number("p value of what the claim has to refute ([claims](claims.md)); null where nothing is tested")
    p_adjusted = _number("p value after Holm over the tests of the same claim")
    tests = _count("number of tests that p was corrected for", nullable=True)
    verdict = _text("what may be said: `UNSTABLE`, `STABLE`, `INDEPENDENT`, `REVERSED`, ... or why not: `INCONCLUSIVE`, `NOT_TESTED`, ...")
    n = _count("examples; of several models or data sets the fewest or their sum, as the claim says ([claims](claims.md))")
    sentence = _text("the finding in one plain sentence")
    reason = _text(_REASON, nullable=True)


TABLES: dict[str, type[dy.Schema]] = {
    "examples": Examples,
    "variants": Variants,
    "variation_counts": VariationCounts,
    "equivalence": Equivalence,
    "observations": Observations,
    "states": States,
    "features": Features,
    "scores": Scores,
    "halves": Halves,
    "covariates": Covariates,
    "profiles": Profiles,
    "controls": Controls,
    "accuracy": Accuracy,
    "wording_accuracy": WordingAccuracy,
    "components": Components,
    "findings": Findings,
}
"""Table name (also its file or folder in a run) -> schema."""


@dataclass(frozen=True)
class Tables:
    """All tables of one or several runs, for whoever reads them together (a report)."""

    examples: pl.DataFrame
    variants: pl.DataFrame
    variation_counts: pl.DataFrame
    equivalence: pl.DataFrame
    observations: pl.DataFrame
    features: pl.DataFrame
    scores: pl.DataFrame
    halves: pl.DataFrame
    covariates: pl.DataFrame
    profiles: pl.DataFrame
    controls: pl.DataFrame
    accuracy: pl.DataFrame
    wording_accuracy: pl.DataFrame
    components: pl.DataFrame
    findings: pl.DataFrame


KEYS: tuple[str, ...] = ("model", "dataset", "example", "variant", "decoding", "rerun")
"""Columns that name one observation."""


def dtypes(table: str) -> dict[str, pl.DataType]:
    """Returns column name -> polars type of a table, in declared order."""
    return {name: column.dtype for name, column in TABLES[table].columns().items()}


def empty(table: str) -> pl.DataFrame:
    """Returns a table without rows."""
    return pl.DataFrame(schema=dtypes(table))


def frame(table: str, rows: list[dict[str, Any]]) -> pl.DataFrame:
    """Builds and checks a table from row dictionaries; a column that a row lacks becomes null.

    Raises:
        SchemaError: If the rows do not fit the table's schema.
    """
    names = dtypes(table)
    unknown = sorted({name for row in rows for name in row} - set(names))
    if unknown:
        raise SchemaError(f"unknown columns {unknown}", where=f"table {table}")
    complete = [{name: row.get(name) for name in names} for row in rows]
    try:
        data = pl.DataFrame(complete, schema=names, orient="row")
    except (pl.exceptions.PolarsError, TypeError, ValueError, OverflowError) as error:
        raise SchemaError(str(error), where=f"table {table}") from error
    return check(table, data)


_CHECKED: dict[int, tuple[str, weakref.ReferenceType[pl.DataFrame]]] = {}
"""Identity of a table that :func:`check` has returned and that is still in use -> its name."""


def check(table: str, data: pl.DataFrame) -> pl.DataFrame:
    """Checks a table at the seam between two stages and returns it with its columns in declared order.

    Several stages check the same table one after the other; the very object that a check has returned is good already. (No stage changes
    a table in place.)

    Raises:
        SchemaError: If a column is missing or has another type, a key repeats, or a value breaks a rule.
    """
    if _is_checked(table, data):
        return data
    try:
        validated = TABLES[table].validate(data.select([name for name in dtypes(table) if name in data.columns]))
    except (dy.exc.ValidationError, dy.exc.SchemaError, pl.exceptions.PolarsError) as error:
        raise SchemaError(str(error).strip(), where=f"table {table}", fix="See docs/tables.md for what each column holds") from error
    return _remembered(table, pl.DataFrame(validated))


def _is_checked(table: str, data: pl.DataFrame) -> bool:
    name, known = _CHECKED.get(id(data), ("", None))
    return name == table and known is not None and known() is data


def _remembered(table: str, data: pl.DataFrame) -> pl.DataFrame:
    identity = id(data)
    _CHECKED[identity] = (table, weakref.ref(data, lambda _: _CHECKED.pop(identity, None)))
    return data


def parquet_metadata(table: str) -> dict[str, str]:
    """Returns the key-value metadata that every Parquet file of this table carries."""
    return {"sago_table": table, "sago_schema_version": str(SCHEMA_VERSION)}


def reference_page() -> str:
    """Returns the reference of all tables as Markdown; ``docs/tables.md`` is this text."""
    lines = ["# Tables", "", f"Schema version {SCHEMA_VERSION}. Made by `python -m sago.schemas`; do not edit by hand.", ""]
    for name, schema in TABLES.items():
        lines += [f"## {name}", "", (schema.__doc__ or "").strip(), "", "| column | type | key | meaning |", "|---|---|---|---|"]
        for column_name, column in schema.columns().items():
            kind = f"{column.dtype}{'' if not column.nullable else ', null allowed'}"
            mark = "key" if column.primary_key else ""
            meaning = (column.description or "").replace("|", "\\|")
            lines.append(f"| `{column_name}` | {kind} | {mark} | {meaning} |")
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    print(reference_page())
