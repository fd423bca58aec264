"""What is asked: examples, their variants, what became of the wordings asked for, and whether they mean the same."""

from __future__ import annotations

import dataframely as dy

from sago.schemas.columns import DATASET, EXAMPLE, REASON, VARIANT, count_column, counts_column, number_column, text_column, texts_column


class Examples(dy.Schema):
    """One question a row."""

    dataset = text_column(DATASET, key=True)
    example = text_column(EXAMPLE, key=True)
    position = count_column("order in the source, from 0; for display only, no number depends on it")
    task = text_column("`choice` (a closed set of answers), `numeric` or `text`; decides how an answer is read")
    question = text_column("the question as given; empty where it was not recorded")
    context = text_column("text that the question is about; null = none", nullable=True)
    choices = texts_column(
        "answer options in the order of the data, their letters where the texts are not known; null = open question, or a closed set that "
        "is known by the recorded answers alone",
        nullable=True,
    )
    answers = texts_column("accepted answers as text; an empty list = no gold answer, correctness is null and counted")
    answer_index = count_column("index of the gold choice, from 0; null without choices or without gold", nullable=True)
    paraphrases = texts_column("other wordings of the question that the data gives; may be empty")
    twin_question = text_column("the meaning-changed twin (a control); null = none given", nullable=True)
    twin_answers = texts_column("accepted answers of the twin; null without a twin", nullable=True)
    twin_answer_index = count_column("gold choice of the twin; null without a twin or choices", nullable=True)
    metadata = text_column("every other field of the source row, as a JSON object")
    fingerprint = text_column("sha256 of dataset-independent content (question, context, choices, answers)")


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

    dataset = text_column(DATASET, key=True)
    example = text_column(EXAMPLE, key=True)
    variant = text_column(VARIANT, key=True)
    position = count_column("order within the example; 0 = canonical")
    family = text_column("`canonical`, a family of variations, or a control (`identity`, `meaning-changed`)")
    control = dy.Bool(description="true for controls, which never count as wordings of the question")
    parameters = text_column("parameters of the variation, as a JSON object")
    seed = count_column("seed of the generator that made it, from content", nullable=True)
    messages = _MESSAGES
    question = text_column("the question as worded here")
    layout = text_column("name of the prompt layout; `recorded` where the prompt was made elsewhere")
    shown_choices = texts_column("choice texts in shown order; null = open question", nullable=True)
    shown_labels = texts_column("labels in shown order; null where the layout shows none", nullable=True)
    permutation = counts_column("original choice index at each shown position; null = open question")
    scored_choices = texts_column("continuations whose log-likelihood is taken, shown order: labels, or texts", nullable=True)
    answers = texts_column("accepted answers of this variant (they differ only for `meaning-changed`)")
    answer_index = count_column("gold choice, index into the example's own choices; null as in examples", nullable=True)
    edits = _EDITS
    dose = number_column(
        "edit distance to the canonical prompt / length of the longer one, in [0, 1]; null where a prompt was not recorded"
    )
    edit_distance = count_column(
        "characters inserted, deleted or replaced in the canonical prompt; null where a prompt was not recorded", nullable=True
    )
    changed_share = number_column("edit distance in words and signs / number of these in the longer prompt, in [0, 1]; null like `dose`")
    token_change = dy.Int64(nullable=True, description="words and signs of the prompt less those of the canonical one; null like `dose`")
    checks = texts_column("equivalence checks passed")
    judgements = _JUDGEMENTS
    rejected = text_column("the check that it failed: it is not used, and stands only in files of variants; null = in use", nullable=True)
    merged = texts_column("names of variants that rendered to the same prompt and were merged into this one")
    fingerprint = text_column("sha256 of the messages")


class VariationCounts(dy.Schema):
    """What each family was asked for and what became of it."""

    dataset = text_column(DATASET, key=True)
    family = text_column("family of variations", key=True)
    examples = count_column("examples that it was asked for")
    asked = count_column("variants asked for, over the examples to which it applies = made + the four kinds of dropped")
    made = count_column("variants that stand in the variants table")
    dropped_same = count_column("dropped, or not made at all: it would have been the canonical prompt again")
    dropped_duplicate = count_column("dropped: same prompt as another variant of the example; merged into it")
    dropped_unsafe = count_column("dropped: a mechanical variant that failed a rule check, such as the same numbers")
    dropped_changed = count_column("dropped: a model or a person found that it does not mean the same")
    not_applicable = count_column("examples for which the family has nothing to do")


class Equivalence(dy.Schema):
    """How far it is known that wordings mean the same (METRICS 10)."""

    dataset = text_column(DATASET, key=True)
    family = text_column("family of variations, or `all` for all together", key=True)
    wordings = count_column("wordings in use, without the original one and controls")
    by_construction = count_column("of these: kept the meaning by the way they were made, and passed every rule check")
    judged = count_column("of the others: passed a check by a model")
    unjudged = count_column("of the others: a model was asked and gave no verdict; they stay in use")
    reviewed = count_column("wordings that a person judged, those included that are not in use for it")
    not_same = count_column("of the reviewed: do not mean the same")
    share = number_column("not_same / reviewed; null where nobody reviewed")
    share_upper = number_column("upper end of its one-sided 95 % interval (Clopper-Pearson)")
    pair_share = number_column(
        "share of pairs of wordings that may not mean the same, at most: twice the upper end of the share found by review times the share "
        "of wordings that nobody reviewed; those by construction count as the same unless some were reviewed; null where it is not known"
    )
    reviewers = count_column("people who reviewed")
    reviewed_twice = count_column("wordings that two people judged")
    kappa = number_column("their agreement beyond chance (Cohen's kappa)")
    kappa_lower = number_column("lower end of its 95 % interval")
    kappa_upper = number_column("upper end of its 95 % interval")
    reason = text_column(REASON, nullable=True)
