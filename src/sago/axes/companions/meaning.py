"""Companions of the generation axis on meanings: clusters of replies and graphs of their similarity (METRICS 3).

The formulas are in ``sago.arrays.meaning``. Clusters come from the model of entailment where one is named, from the sentence encoder
otherwise; a flag on the row says which. Replies that both state numbers and share none are never one meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from sago.arrays import UNKNOWN, agreement, meaning
from sago.arrays.grouping import Floats, Integers
from sago.arrays.overlap import word_similarities
from sago.axes.companions.agreement import BIASED_LOW
from sago.axes.companions.companion import Companion, Group, Value, of_examples
from sago.axes.companions.replies import COUNTS, embeddings_of, texts_of
from sago.axes.distance_axis import NO_TEXT
from sago.axes.protocol import AxisInput, Scored
from sago.errors import PluginError
from sago.schemas import KEYS

Probabilities = Mapping[tuple[str, str, str, str], float]
"""(data set, example, premise, hypothesis) -> probability of entailment."""

_EXAMPLE = ["model", "dataset", "decoding", "example"]


def _on_meanings(formula: Callable[[Integers, Integers], float], *remarks: str) -> Callable[[Companion, AxisInput], Scored]:
    def compute(companion: Companion, inputs: AxisInput) -> Scored:
        made_with = "clusters=cosine" if inputs.entails is None else "clusters=entailment"
        return of_examples(
            companion,
            inputs,
            meanings_of(inputs),
            lambda group: Value(formula(np.array(group["code"], dtype=np.int64), group.wording)),
            known=COUNTS,
            flags=lambda _: (*remarks, made_with),
        )

    compute.__doc__ = formula.__doc__
    return compute


def _on_words(formula: Callable[[Floats], float]) -> Callable[[Companion, AxisInput], Scored]:
    def compute(companion: Companion, inputs: AxisInput) -> Scored:
        def value(group: Group) -> Value:
            return Value(formula(word_similarities([None if text is None else NO_TEXT.get(text, text) for text in _texts(group)])))

        return of_examples(companion, inputs, texts_of(inputs), value, known=COUNTS)

    compute.__doc__ = formula.__doc__
    return compute


def _on_entailment(formula: Callable[[Floats], float]) -> Callable[[Companion, AxisInput], Scored]:
    def compute(companion: Companion, inputs: AxisInput) -> Scored:
        readings = texts_of(inputs)
        if inputs.entails is None:
            lost = readings.with_columns(counts=pl.lit(value=False), reason=pl.coalesce("reason", pl.lit("needs_nli")))
            return of_examples(companion, inputs, lost, lambda _: Value(None, "needs_nli"), known=COUNTS)
        found = entailments_of(inputs)

        def value(group: Group) -> Value:
            texts = _texts(group)
            return Value(formula(meaning.similarities([[_likeness(found, group, one, other) for other in texts] for one in texts])))

        readings = readings.with_columns(data=pl.col("dataset"))
        return of_examples(companion, inputs, readings, value, known=COUNTS)

    compute.__doc__ = formula.__doc__
    return compute


def _likeness(found: Probabilities, group: Group, one: str | None, other: str | None) -> float:
    """Returns the probability that one reply entails the other; 1 for the same text, 0 for one that is no text."""
    if one == other and one is not None:
        return 1.0
    return found.get((group["data"][0], group.example, one or "", other or ""), 0.0)


def _texts(group: Group) -> list[str | None]:
    """Returns the texts of a group, null for one that could not be read."""
    return [None if unknown else text for text, unknown in zip(group["text"], group["unknown"], strict=True)]


def meanings_of(inputs: AxisInput) -> pl.DataFrame:
    """Returns the meaning of every reply to a wording: ``code`` within its example (-1 = could not be read), ``counts``, ``reason``."""

    def make() -> pl.DataFrame:
        readings = embeddings_of(inputs) if inputs.entails is None else texts_of(inputs)
        rows = _to_wordings(inputs, readings)
        linked = _by_cosine(rows) if inputs.entails is None else _by_entailment(rows, entailments_of(inputs))
        codes = np.full(rows.height, UNKNOWN, dtype=np.int64)
        for mine in _examples(rows):
            codes[mine] = _clustered(mine, rows["text"], linked)
        found = rows.select(*KEYS, code=pl.Series(codes, dtype=pl.Int64))
        joined = readings.select(*KEYS, "counts", "reason").join(found, on=list(KEYS), how="left", maintain_order="left")
        return joined.with_columns(pl.col("code").fill_null(UNKNOWN))

    return inputs.once("companions.meanings", make)


def entailments_of(inputs: AxisInput) -> Probabilities:
    """Returns the probability that one reply entails another, for all different replies to one question; each pair is asked once.

    Both are read behind the question in its original wording, as in Kuhn et al. (arXiv 2302.09664): a short answer says little alone.

    Raises:
        PluginError: If the model of entailment returns something else than a probability for each pair.
    """

    def make() -> Probabilities:
        questions = {row[:2]: row[2] for row in inputs.examples.select("dataset", "example", "question").iter_rows()}
        rows = _to_wordings(inputs, texts_of(inputs)).filter(~pl.col("unknown") & ~pl.col("text").is_in(list(NO_TEXT)))
        by_question = rows.group_by("dataset", "example").agg(pl.col("text").unique().sort()).sort("dataset", "example")
        keys = [
            (dataset, example, one, other)
            for dataset, example, texts in by_question.iter_rows()
            for one in texts
            for other in texts
            if one != other
        ]
        pairs = [tuple(f"{questions[dataset, example]} {text}".strip() for text in texts) for dataset, example, *texts in keys]
        return dict(zip(keys, _asked_of(inputs, pairs), strict=True))

    return inputs.once("companions.entailments", make)


def _asked_of(inputs: AxisInput, pairs: Sequence[Any]) -> list[float]:
    distinct = list(dict.fromkeys(pairs))
    if inputs.entails is None or not distinct:
        return []
    given = [float(value) for value in inputs.entails(distinct)]
    if len(given) != len(distinct) or not all(0 <= value <= 1 for value in given):
        what = f"the model of entailment returned {len(given)} values for {len(distinct)} pairs, or one that is no probability"
        raise PluginError(what, fix="One number in [0, 1] for each pair is needed")
    found = dict(zip(distinct, given, strict=True))
    return [found[pair] for pair in pairs]


Linked = Callable[[list[str], list[int]], Any]
"""(distinct texts of one example, a row of each) -> which mean the same, as a boolean matrix."""


def _by_cosine(rows: pl.DataFrame) -> Linked:
    place = np.cumsum(rows["vector"].is_not_null().to_numpy()) - 1
    vectors = np.array(rows["vector"].drop_nulls().to_list(), dtype=np.float64)
    units = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-300) if vectors.size else vectors

    def linked(texts: list[str], of_text: list[int]) -> Any:
        chosen = units[place[of_text]]
        return chosen @ chosen.T >= meaning.SAME_COSINE

    return linked


def _by_entailment(rows: pl.DataFrame, found: Probabilities) -> Linked:
    dataset, example = rows["dataset"].to_list(), rows["example"].to_list()

    def linked(texts: list[str], of_text: list[int]) -> Any:
        question = (dataset[of_text[0]], example[of_text[0]])
        values = [[1.0 if one == other else found[(*question, one, other)] for other in texts] for one in texts]
        return np.array(values) >= meaning.SAME_ENTAILMENT

    return linked


def _clustered(mine: Integers, texts: pl.Series, linked: Linked) -> Integers:
    """Returns the meaning of the replies to one question."""
    given = texts.gather(mine).to_list()
    of_text = {text: row for row, text in reversed(list(zip(mine.tolist(), given, strict=True))) if text is not None}
    with_text = [text for text in of_text if text not in NO_TEXT]
    code = {text: len(with_text) + place for place, text in enumerate(NO_TEXT)}
    if with_text:
        numbers = [meaning.numbers_in(text) for text in with_text]
        apart = np.array([[meaning.other_numbers(one, other) for other in numbers] for one in numbers])
        same = linked(with_text, [of_text[text] for text in with_text]) & ~apart
        code |= dict(zip(with_text, meaning.clusters(same).tolist(), strict=True))
    return np.array([UNKNOWN if text is None else code[text] for text in given], dtype=np.int64)


def _to_wordings(inputs: AxisInput, readings: pl.DataFrame) -> pl.DataFrame:
    """Returns the replies to wordings that count, sorted; a text that could not be read is null."""
    wordings = inputs.variants.filter(~pl.col("control")).select("dataset", "example", "variant")
    rows = readings.filter("counts").join(wordings, on=["dataset", "example", "variant"], how="semi")
    return rows.with_columns(text=pl.when(~pl.col("unknown")).then("text")).sort(*KEYS)


def _examples(rows: pl.DataFrame) -> list[Integers]:
    """Returns the rows of each example of each cell."""
    numbered = rows.with_row_index("row").group_by(_EXAMPLE, maintain_order=True).agg("row")
    return [np.array(mine, dtype=np.int64) for mine in numbered["row"].to_list()]


def _example_measure(
    name: str, unit: str, zero: str, source: str, compute: Callable[[Companion, AxisInput], Scored], **given: Any
) -> Companion:
    return Companion(name, "generation", "example", 0.0, given.pop("upper", 1.0), unit, zero, source, compute, **given)


_KUHN = "Kuhn et al., arXiv 2302.09664"
_LIN = "Lin et al., arXiv 2305.19187"
_ENCODED = {"needs": ("embedding",)}
_ONE = "one meaning"
_GRAPH = "share of the largest spread"

COMPANIONS: tuple[Companion, ...] = (
    _example_measure("semantic_entropy", "nats", _ONE, _KUHN, _on_meanings(meaning.meaning_entropy, BIASED_LOW), upper=None, **_ENCODED),
    _example_measure(
        "semantic_entropy_normalised",
        "share of the largest entropy",
        _ONE,
        f"{_KUHN}; 1 - this is the confidence of uqlm",
        _on_meanings(meaning.normalised_meaning_entropy, BIASED_LOW),
        **_ENCODED,
    ),
    _example_measure("semantic_gini", "share of pairs", _ONE, "own; METRICS 3", _on_meanings(agreement.flip_rate), **_ENCODED),
    _example_measure("degmat", "1 - mean similarity", "the same words", _LIN, _on_words(meaning.degree_spread)),
    _example_measure("eigv", _GRAPH, "the same words", f"{_LIN}, mapped to [0, 1]", _on_words(meaning.meanings_spread)),
    _example_measure("degmat_entailment", "1 - mean entailment", _ONE, _LIN, _on_entailment(meaning.degree_spread)),
    _example_measure("eigv_entailment", _GRAPH, _ONE, f"{_LIN}, mapped to [0, 1]", _on_entailment(meaning.meanings_spread)),
)
"""Companions on meanings."""
