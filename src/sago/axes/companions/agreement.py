"""Companions of the generation axis on answers: how much they agree (METRICS 3). The formulas are in ``sago.arrays.agreement``."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl

from sago.arrays import agreement
from sago.arrays.grouping import Floats, Integers
from sago.arrays.index import FEW_VARIANTS, SMALL_N
from sago.arrays.intervals import Interval, t_interval, wilson
from sago.axes.cells import Asked
from sago.axes.companions.companion import CellValue, Companion, Group, Value, groups_of, of_cells, of_examples
from sago.axes.companions.replies import COUNTS, answers_of
from sago.axes.protocol import AxisInput, Scored
from sago.records import CANONICAL
from sago.schemas import KEYS

BIASED_LOW = "entropy_biased_low"
"""Flag: the plug-in entropy is too low at few replies; compare cells with equally many, or use a share of pairs."""

_QUESTION = ("dataset", "example")


def _codes(group: Group) -> Integers:
    return np.array(group["code"], dtype=np.int64)


def _on_answers(formula: Callable[[Integers, Integers], float]) -> Callable[[Companion, AxisInput], Scored]:
    def compute(companion: Companion, inputs: AxisInput) -> Scored:
        return of_examples(companion, inputs, answers_of(inputs), lambda group: Value(formula(_codes(group), group.wording)), known=COUNTS)

    compute.__doc__ = formula.__doc__
    return compute


def flip_from_canonical(companion: Companion, inputs: AxisInput) -> Scored:
    """Share of other wordings whose answer is not that to the original one; null without an answer to the original."""

    def value(group: Group) -> Value:
        if group.names[0] != CANONICAL:
            return Value(None, "no_canonical")
        return Value(agreement.flip_from_canonical(_codes(group), group.wording))

    return of_examples(companion, inputs, answers_of(inputs), value, known=COUNTS)


def sensitivity(companion: Companion, inputs: AxisInput) -> Scored:
    """Entropy of the answers over log C.

    C is the number of options of the question; for questions without options the number of different answers in the cell, so that the value
    is small wherever answers are free: read it for choices. Answers beside the options raise C (see ``sago.arrays.agreement``).
    """
    answers = answers_of(inputs)
    cell = ["model", "dataset", "decoding"]
    # Counted over wordings alone: controls and audit rows ask something else, or the same again.
    wordings = inputs.variants.filter(~pl.col("control")).select(*_QUESTION, "variant")
    asked = answers.filter("counts").join(wordings, on=[*_QUESTION, "variant"], how="semi")
    distinct = asked.group_by(cell).agg(classes=pl.col("code").filter(pl.col("code") >= 0).n_unique())
    options = inputs.examples.select(*_QUESTION, options=pl.col("choices").list.len())
    readings = answers.join(options, on=list(_QUESTION), how="left").join(distinct, on=cell, how="left")
    readings = readings.with_columns(classes=pl.coalesce("options", "classes").cast(pl.Int64)).drop("options")

    def value(group: Group) -> Value:
        found = agreement.sensitivity(_codes(group), group.wording, group["classes"][0] or 1)
        return Value(None, "one_class") if np.isnan(found) else Value(found)

    return of_examples(companion, inputs, readings, value, known=COUNTS, flags=lambda _: (BIASED_LOW,))


def pss(companion: Companion, inputs: AxisInput) -> Scored:
    """Mean difference of correctness between two wordings; an answer that could not be read is not right, hence 0."""
    readings = inputs.features.filter(pl.col("feature") == "correct").select(*KEYS, "number", "reason")

    def value(group: Group) -> Value:
        return Value(agreement.correctness_spread(np.array(group["number"], dtype=np.float64), group.wording))

    return of_examples(companion, inputs, readings, value)


def excess_information(companion: Companion, inputs: AxisInput) -> Scored:
    """Mutual information of wording and answer less its exact mean under no effect of the wording; null where nothing was asked twice."""

    def value(group: Group) -> Value:
        found = agreement.excess_information(_codes(group), group.wording)
        return Value(None, "no_reruns") if np.isnan(found) else Value(found)

    return of_examples(companion, inputs, answers_of(inputs), value, known=COUNTS)


def pooled_flips(companion: Companion, inputs: AxisInput) -> Scored:
    """Share of disagreeing pairs over the pairs of all examples together: one value a cell."""

    def value(part: Asked) -> CellValue:
        groups = [group for group in groups_of(part, ["code"], known=COUNTS) if len(group.names) > 1]
        if not groups:
            return CellValue(None, 0, reason="too_few_variants")
        rate, error = agreement.pooled_flip_rate([agreement.agreeing_pairs(_codes(group), group.wording) for group in groups])
        return _cell_value(rate, error, len(groups), groups)

    return of_cells(companion, inputs, answers_of(inputs), value)


def label_inconsistency(companion: Companion, inputs: AxisInput) -> Scored:
    """Mean total variation distance between the answers to examples with one gold answer: one value a cell.

    Null where no two examples share a gold answer, as in most data with options of their own for each question.
    """
    gold = _gold(inputs.examples)

    def value(part: Asked) -> CellValue:
        groups = [group for group in groups_of(part, ["code"], known=COUNTS) if len(group.names) > 1]
        labelled = [(group, gold[part.dataset, group.example]) for group in groups if (part.dataset, group.example) in gold]
        if not labelled:
            return CellValue(None, 0, reason="no_gold" if groups else "too_few_variants")
        label = np.unique([name for _, name in labelled], return_inverse=True)[1].reshape(-1)
        rate, error, count = agreement.label_inconsistency(_answer_shares([group for group, _ in labelled]), label)
        if not count:
            return CellValue(None, 0, reason="no_shared_gold")
        return _cell_value(rate, error, count, [group for group, _ in labelled])

    return of_cells(companion, inputs, answers_of(inputs), value)


def _answer_shares(groups: list[Group]) -> Floats:
    """Returns the share of each answer in each example (examples, answers), wordings weighing the same."""
    codes = [_codes(group) for group in groups]
    kinds, column = np.unique(np.concatenate(codes), return_inverse=True)
    reruns = [np.bincount(group.wording) for group in groups]
    weights = np.concatenate([1.0 / (count.size * count[group.wording]) for group, count in zip(groups, reruns, strict=True)])
    table = np.zeros((len(groups), kinds.size))
    np.add.at(table, (np.repeat(np.arange(len(groups)), [code.size for code in codes]), column.reshape(-1)), weights)
    result: Floats = table[:, kinds >= 0]
    return result


def _cell_value(rate: float, error: float, count: int, groups: list[Group]) -> CellValue:
    """Returns a share with its interval; where nothing moved a bound, not an interval of width 0."""
    few = np.mean([len(group.names) for group in groups]) < FEW_VARIANTS
    flags = [flag for flag, holds in (("small_n", count < SMALL_N), ("few_variants", few)) if holds]
    if rate == 0:
        bound = Interval(0.0, wilson(0, count).upper, 0.0)
        return CellValue(rate, count, bound, flags=(*flags, "no_spread"))
    return CellValue(rate, count, t_interval(rate, error, count), flags=tuple(flags))


def _gold(examples: pl.DataFrame) -> dict[tuple[str, str], str]:
    """Returns the gold answer of each example that has one, as text: equal for examples of one class."""
    columns = ("dataset", "example", "choices", "answer_index", "answers")
    found = {}
    for dataset, example, choices, index, answers in examples.select(columns).iter_rows():
        if choices is not None and index is not None:
            found[dataset, example] = str(choices[index])
        elif answers:
            found[dataset, example] = "\0".join(sorted(answers))
    return found


_PAIRS = "share of pairs"
_RESPONSES = "share of responses"

COMPANIONS: tuple[Companion, ...] = (
    Companion(
        name="flip_from_canonical",
        axis="generation",
        level="example",
        lower=0.0,
        upper=1.0,
        unit="share of wordings",
        zero="every wording gives the answer to the original one",
        source="paraphrase flip rate; METRICS 2.5, star",
        compute=flip_from_canonical,
        needs=("answer",),
    ),
    Companion(
        name="pooled_flips",
        axis="generation",
        level="cell",
        lower=0.0,
        upper=1.0,
        unit=_PAIRS,
        zero="no two wordings of a question differ",
        source="SCORE, arXiv 2503.00137 (1 - consistency rate)",
        compute=pooled_flips,
        needs=("answer",),
    ),
    Companion(
        name="total_disagreement",
        axis="generation",
        level="example",
        lower=0.0,
        upper=1.0,
        unit="share of questions",
        zero="every response to a question has one answer",
        source="Atil et al., arXiv 2408.04667 (1 - TARa)",
        compute=_on_answers(agreement.total_disagreement),
        needs=("answer",),
    ),
    Companion(
        name="majority_disagreement",
        axis="generation",
        level="example",
        lower=0.0,
        upper=1.0,
        unit=_RESPONSES,
        zero="every response has the most frequent answer",
        source="own",
        compute=_on_answers(agreement.majority_disagreement),
        needs=("answer",),
    ),
    Companion(
        name="sensitivity",
        axis="generation",
        level="example",
        lower=0.0,
        upper=1.0,
        unit="share of the largest entropy",
        zero="one answer",
        source="Errica et al., arXiv 2406.12334",
        compute=sensitivity,
        needs=("answer",),
    ),
    Companion(
        name="label_inconsistency",
        axis="generation",
        level="cell",
        lower=0.0,
        upper=1.0,
        unit="total variation distance",
        zero="questions with one gold answer get the same answers",
        source="Errica et al., arXiv 2406.12334 (1 - consistency)",
        compute=label_inconsistency,
        needs=("answer",),
    ),
    Companion(
        name="pss",
        axis="generation",
        level="example",
        lower=0.0,
        upper=1.0,
        unit="difference of correctness",
        zero="equally right on every wording",
        source="ProSA, arXiv 2410.12405",
        compute=pss,
        needs=("correct",),
    ),
    Companion(
        name="excess_information",
        axis="generation",
        level="example",
        lower=None,
        upper=None,
        unit="nats",
        zero="the wording tells no more about the answer than asking twice does",
        source="own; METRICS 3, entropy twin of across - rerun",
        compute=excess_information,
        needs=("answer",),
    ),
)
"""Companions on answers."""
