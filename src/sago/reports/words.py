"""Reason and flag codes of the tables, in words a newcomer understands."""

from __future__ import annotations

from typing import NamedTuple

from sago.records import EXPECTED_OF_CONTROLS
from sago.reports.numbers import decimal, probability

REASONS: dict[str, str] = {
    # why there is no number
    "too_few_variants": "fewer than two wordings have data, so there is nothing to compare",
    "too_few_examples": "fewer than two examples have data, so there are no different questions to compare with",
    "no_halves": "fewer than four wordings, so that they cannot be halved and the noise of the axis is not known",
    "few_apart": "nearly all examples have one score on an axis, and a few others may go together by chance",
    "low_reliability": "scores over two halves of the wordings hardly agree: noise would make any axes look independent",
    "no_covariates": "neither the length of prompts and replies nor correctness nor log-probability is known",
    "too_few_reruns": "fewer than two of the examples were asked twice, so the error of the noise of asking twice is not known",
    "no_reruns": "no wording was asked twice, so the noise of asking twice was not measured",
    "several_layers": "it is a mean over layers: the test is made of single layers alone",
    "too_many_rows": "too many responses for the exact test of each example",
    "degenerate_null": "other questions move it hardly more than asking twice does: no scale, so undefined, not 0",
    "not_observable": "this model, or this way of answering, does not give what the axis needs",
    "not_defined": "not defined for this axis: it is no distance between responses",
    "no_null": "this measure has no scale of unrelated questions: its raw value is all there is",
    "needs_nli": "needs a model of entailment: name one with --nli",
    "not_recorded": "the response itself was not recorded",
    "no_distinctive_surface": "the wordings share all their words, so none could be copied from one of them alone",
    "needs_encoder": "free text needs a sentence encoder: pip install 'sago-eval[hf]'",
    "no_gold": "the data give no right answer; not scored, never counted as wrong",
    "no_choices": "the question has no options",
    "one_choice": "the question has a single option, so there is no confidence to move",
    "unparsed": "no answer could be read from the response",
    "truncated": "the response was cut off before an answer",
    "partial_verdict": "a verdict between right and wrong is all that was recorded, and it names no answer",
    "empty": "the response is empty",
    "empty_anchor": "the original response is empty, so there is no text to score",
    "refusal": "the model refused",
    "filtered": "the response was filtered",
    "too_long": "the prompt is too long for the model: missing data",
    "error": "the call ended in an error: missing data",
    "non_finite": "the model returned values that are not finite numbers",
    "minus_inf": "the model gives none of the options a probability above 0",
    "unmatched_choices": "not every shown option was scored",
    "width_zero": "the interval has width 0: nothing could have moved",
    "no_spread": "every example has the same value: the interval is a bound, not a spread",
    "no_canonical": "the original wording has no reading to start from",
    "overlaps_wordings": "its interval overlaps that of the wordings: more examples would tell",
    "no_variants": "no such wording was made",
    "no_twin": "the data give no meaning-changed twin",
    "no_control": "this control was not asked",
    "too_few_datasets": "fewer than two data sets, so there is nothing to pool",
    "heterogeneous": "the data sets differ more than they agree (I2 above .5), so they have no common number",
    "no_shared_examples": "the models have no example in common, so they cannot be compared on the same questions",
    "single_axis": "the models differ on one axis alone, so nothing can be said of every axis",
    "tied_scores": "on an axis more than half of the examples share the highest score, so there is no least stable tenth",
    "strata_differ": "models or data sets differ in it by more than their errors, so one number does not speak for all of them",
    "too_few_common_axes": "fewer than two axes on which all of the models share two examples",
    "one_class": "there is a single kind of answer, so nothing could have changed",
    "no_shared_gold": "no two examples share a right answer",
    "not_stated": "the response states no confidence",
    "not_sampled": "the response was not drawn by its own probabilities",
    "positive_logprob": "a log-probability above 0: not a probability",
    "unknown_logprob": "the log-probability of some token is not known",
    "no_logprobs": "no log-probabilities came with the responses",
    "no_edits": "the edits of the misspelt wording are not known",
    "other_script": "read from English word lists, and the texts are in another script",
    "no_function_words": "fewer than two prompts have function words",
    "same_style": "no two wordings of an example differ in this feature",
    "constant_replies": "no reply moves in this feature",
    "equal_distances": "all wordings, or all replies, are equally far apart",
    "one_family": "there is a single family of wordings",
    # remarks beside a number
    "bound=wide": "the interval alone would say more; the verdict rests on a more careful bound (see: bound)",
    "small_n": "fewer than 30 examples: read the interval, not the number",
    "few_variants": "fewer than five wordings: it speaks about these wordings, not about new ones",
    "noise_floor=assumed_zero": "nothing was asked twice: the noise of asking twice is taken as 0",
    "noise_floor=audit": "the noise of asking twice comes from the batch audit: some prompts, again in another batch",
    "noise_floor=pooled": "examples that were not asked twice take the mean noise of the others",
    "rerun=not_defined": "rerun is not defined for this axis: it is no distance between responses",
    "rerun_p=normal": "the p value against asking twice is by the normal approximation",
    "small_audit": "few prompts were asked again: the noise of asking twice is roughly known",
    "layers_missing": "some observations lack a layer and were left out",
    "layers_left_out": "some layers have no number and were left out of the mean",
    "entropy_biased_low": "entropy of few wordings is too low: compare it only at equal numbers of wordings",
    "clusters=cosine": "one meaning = embeddings at a cosine of .85 or more",
    "clusters=entailment": "one meaning = each entails the other",
    "sampled_examples": "made of a part of the examples, drawn by their names",
    "wordings_left_out": "some wordings had too little data for it and were left out",
    "interval=not_defined": "a value of the whole cell: it has no interval",
    "short_texts": "some texts have fewer than 50 words: shares of function words are rough there",
    "common_null_reorders": "with one scale for all models they stand in another order",
    "answers=verdicts": "the answers are verdicts on them (correct, incorrect): two different wrong answers count as the same",
    "floored": "probabilities of 0 were raised to 1e-12",
    "empty_responses": "empty responses took part, at full distance from all others",
}
"""Code -> plain sentence, without a capital and a full stop. Codes come from ``reason`` and ``flags`` of the tables."""

NUMBERED: dict[str, str] = {
    "permutation_p": "p against replies given to other wordings at random: {}",
    "chance": "by chance alone it would be {}",
    "parse_rate": "a confidence could be read from this share of the responses: {}",
    "bins": "confidence sorted into bins, how many: {}",
    "wordings": "wordings that it could be computed for: {}",
}
"""Name of a flag that carries a number (``chance=0.25``) -> plain sentence with a place for it."""


class Verdict(NamedTuple):
    """How a verdict is shown: never by its colour alone."""

    symbol: str
    kind: str
    """``bad``, ``good``, ``unsure``, ``found``, ``other`` or ``none``: its colour."""
    meaning: str


VERDICTS: dict[str, Verdict] = {
    "FAILED": Verdict("✗", "bad", "a control did not do what it must: nothing is proven about this cell"),
    "PASSED": Verdict("✓", "good", "the controls did what they must"),
    "UNSTABLE": Verdict("▲", "bad", "shown to be above the smallest effect of interest"),
    "STABLE": Verdict("●", "good", "shown to be below the smallest effect of interest"),
    "INCONCLUSIVE": Verdict("?", "unsure", "neither was shown: more examples would tell"),
    "DIFFERS": Verdict("≠", "bad", "shown to differ by more than its errors; the sentence says what from what"),
    "CONSISTENT": Verdict("▲", "bad", "shown in as many places as the sentence says"),
    "PARTLY": Verdict("△", "bad", "shown in some of the places, not in all"),
    "NONE_UNIFORM": Verdict("▲", "bad", "every model was shown to be unstable somewhere"),
    "FOUND": Verdict("◆", "bad", "shown of so many single examples as the sentence says"),
    "INDEPENDENT": Verdict("⊥", "found", "the correlation was shown to be within the margin around 0"),
    "DEPENDENT": Verdict("⇄", "other", "the correlation was shown to be other than 0"),
    "NOT_ASSESSABLE": Verdict(
        "∅", "unsure", "the scores are too noisy, too few or too different from place to place to say how they go together"
    ),
    "FAIL_TOGETHER": Verdict("∩", "other", "the least stable examples of the axes were shown to be the same more often than by chance"),
    "FAIL_APART": Verdict("∪", "found", "the least stable examples of the axes were shown to be the same less often than by chance"),
    "FEWER_THAN_AXES": Verdict("⊂", "other", "the axes were shown to span fewer directions than independent ones would"),
    "ADDS": Verdict("+", "found", "shown to say something that the plain log-probability does not"),
    "REVERSED": Verdict("⇅", "bad", "one model was shown to be the more stable on one data set, the other on the other"),
    "RANKS_DIFFER": Verdict("⇅", "bad", "orders were shown to differ more between data sets than inside of one"),
    "DOMINATES": Verdict("≥", "found", "shown to be at least as stable on every axis"),
    "RANKED": Verdict("#", "found", "a rank, and the ranks that the tests leave open"),
    "DESCRIBED": Verdict("·", "found", "a number to read beside the others; nothing was tested"),
    "NOT_SHOWN": Verdict("○", "unsure", "the test did not show it, which is no proof of the opposite"),
    "NOT_TESTED": Verdict("–", "none", "there was nothing to test it with; the reason stands beside it"),
}
"""Verdict of a finding -> how it is shown and what it means."""

CLAIMS: dict[str, str] = {
    "controls": "controls",
    "instability": "instability",
    "uniformity": "unstable somewhere, every model",
    "consistency": "consistency",
    "rerun_floor": "wordings against asking twice",
    "unstable_examples": "examples that are unstable for themselves",
    "heterogeneity": "difference between data sets",
    "independence": "independence of axes",
    "failure_overlap": "overlap of failures",
    "partial_correlation": "correlation beside length and difficulty",
    "added_information": "information beside the log-probability",
    "dimensions": "number of dimensions",
    "reversal": "reversals",
    "rank_agreement": "agreement of orders",
    "reversal_omnibus": "reversals over all data sets",
    "rank": "ranks",
    "dominance": "more stable on every axis",
    "acceptability": "first under any weights",
}
"""Claim -> its name, in the order in which reports show them."""

AXES: dict[str, str] = {
    "generation": "the answer",
    "activations": "the inner state",
    "confidence": "how sure it is",
    "mirroring": "how much wording it copies",
}
"""Axis -> what is compared, in the order in which reports show them."""

STATUSES: dict[str, str] = {
    "ok": "a response came",
    "empty": "an empty response",
    "refusal": "the model refused",
    "filtered": "held back by a filter",
    "truncated": "cut off at the token limit",
    "too_long": "the prompt is too long: missing data",
    "error": "the call failed: missing data",
}
"""Status of an observation -> its meaning, in the order in which reports show them."""

CONTROLS: dict[str, str] = {
    "identity": "the same prompt again: should be 0",
    "shuffled": "responses swapped between questions: should be 1",
    "meaning-changed": "a question with another right answer: should be above the wordings",
}
"""Kind of control -> what it is and what it should be, in the order in which reports show them."""

CONTROL_FAILED = (
    "A control is a check whose right result is known beforehand. Where one fails, the numbers of that cell may come from the measuring "
    "instead of from the model: do not report them, neither where they look bad nor where they look good."
)
"""What a failed control means, whichever it is."""

AFTER_FAILURE: dict[str, str] = {
    "identity": (
        "identity failed: the same prompt, asked again, came out differently by more than the noise that was measured. Something moves "
        "that is no wording (other batches, sampling, another version of the model). What to do: ask again with more --reruns or a larger "
        "--audit-examples, and keep model and temperature fixed."
    ),
    "shuffled": (
        "shuffled failed: answers swapped between questions do not look like answers to other questions, so 1 is not where it should be. "
        "What to do: look for questions that are in the data twice or have nearly all the same answer, and add examples."
    ),
    "meaning-changed": (
        "meaning-changed failed: a question with another right answer was not shown to move the model more than another wording of the "
        "same question. Either the model hardly takes in what is asked (small models do this), or there are too few examples to show it. "
        "What to do: read some (sago show RUN ID), add examples, or take a model that can do the task."
    ),
}
"""Kind of control -> what its failure means and what to do, in plain words."""

EXPECTED: dict[str, str] = {expected: kind for kind, expected in EXPECTED_OF_CONTROLS.items()}
"""What a control should be (``test`` of its finding) -> its kind."""

NOT_INFORMATIVE = "not informative"
"""Printed for an identity control whose interval has width 0: nothing could have moved."""

HOW_TO_READ: tuple[str, ...] = (
    "instability: 0 = as asking the same words twice, 1 = as asking a different question.",
    "[brackets]: 95 % interval over examples. n counts examples, never calls.",
    "across: difference between wordings; rerun: same wording twice; unrelated: other questions.",
    "instability = (across − rerun) / (unrelated − rerun); for mirroring: 0 = no copying, 1 = an echo.",
)
"""Lines under every profile."""

TERMS: dict[str, str] = {
    "cell": "one model on one data set, one axis, and one way of answering (decoding); in sentences the brackets behind the axis name the "
    "measure and the decoding: generation (answer_flip, greedy)",
    "calibrated, raw": "calibrated is instability, which is set against other questions. Raw is across − rerun alone, in units of the "
    "distance. They can disagree: a model that answers most questions alike has little to be measured by",
    "p": "how often so much would come out by chance if there were nothing. p < .001: less than once in a thousand",
    "Holm": "many tests raise many false alarms; Holm's correction raises each p so that even one false alarm among all tests of a claim "
    "is as rare as the level of error says. “1 after Holm”: so many are left then",
    "bound": "UNSTABLE and STABLE rest on one-sided bounds that allow for scores which are not bell-shaped, and for noise of asking twice "
    "that was measured on few examples. Such a bound can lie far outside the 95 % interval: a number with a narrow interval can still be "
    "INCONCLUSIVE, and more examples (or more --audit-examples) would tell",
}
"""Words that sentences use -> what they mean."""


def meaning(code: str) -> str:
    """Returns a reason or flag in words; an unknown code in its own words, so that nothing is left out.

    >>> meaning("no_gold")
    'the data give no right answer; not scored, never counted as wrong'
    >>> meaning("brand_new=code")
    'brand new: code'
    >>> meaning("chance=0.25"), meaning("permutation_p=0.0004")
    ('by chance alone it would be .25', 'p against replies given to other wordings at random: <.001')
    """
    if code in REASONS:
        return REASONS[code]
    name, _, value = code.partition("=")
    if name in NUMBERED and (number := _number(value)) is not None:
        written = probability(number) if name.endswith("_p") else value if value.isdigit() else decimal(number)
        return NUMBERED[name].format(written)
    return code.replace("_", " ").replace("=", ": ")


def verdict_of(name: str | None) -> Verdict:
    """Returns how a verdict is shown; one that is not known speaks for itself.

    >>> verdict_of("STABLE").symbol, verdict_of(None).kind, verdict_of("QUITE_NEW").meaning
    ('●', 'none', 'quite new')
    """
    if name is None:
        return VERDICTS["NOT_TESTED"]
    return VERDICTS.get(name) or Verdict("·", "found", name.replace("_", " ").lower())


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def in_order(name: str, order: dict[str, str]) -> tuple[int, str]:
    """Returns a sort key: known names in their order, others behind them by name."""
    names = list(order)
    return (names.index(name) if name in order else len(names), name)


def axis_place(axis: str) -> tuple[tuple[int, str], ...]:
    """Returns a sort key: an axis, or a pair of them (``generation & confidence``), by the order of the axes."""
    return tuple(in_order(part, AXES) for part in axis.split(" & "))
