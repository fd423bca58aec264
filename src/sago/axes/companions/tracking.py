"""Tracking: do replies differ more where their wordings differ more? (METRICS 6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from sago.arrays import UNKNOWN, words
from sago.arrays.grouping import Floats
from sago.arrays.similarity import jaccard
from sago.arrays.tracking import FEWEST, relabelled_tracking, tracking
from sago.axes.cells import Asked, asked
from sago.axes.companions.companion import Companion
from sago.axes.companions.replies import answers_of
from sago.axes.protocol import AxisInput, Scored
from sago.axes.siblings import Mirrored, Wordings, mirrored, parts_of, replies
from sago.schemas import KEYS
from sago.seeds import generator

Between = Callable[[Any, Any], float]


def tracking_words(companion: Companion, inputs: AxisInput) -> Scored:
    """Takes ``tracking`` of 1 - Jaccard of the words of prompts, and 1 - Jaccard of the words of replies (mean over reruns).

    ``across`` and ``instability`` are the mean over examples, ``unrelated`` is its mean under relabelings of the replies inside each
    example, exactly 0. Flag ``permutation_p=...``: one-sided p of that null. Null with ``too_few_variants`` below 3 wordings, with
    ``equal_distances`` where all wordings, or all replies, of an example are equally far apart.
    """

    def read(one: Wordings) -> list[list[Any]]:
        return [[words(reply) for reply in own] for own in one.replies]

    return _tracked(companion, inputs, parts_of(inputs), read, lambda a, b: 1 - jaccard(a, b))


def tracking_answers(companion: Companion, inputs: AxisInput) -> Scored:
    """Takes ``tracking`` as ``tracking_words`` does, with replies 0 apart where their answers are equal and 1 where not.

    An answer that could not be read is 1 from everything; the rule for non-answers holds as for ``answer_flip``.
    """
    readings = _with_answers(inputs)

    def read(one: Wordings) -> list[list[Any]]:
        return [list(own) for own in one.others["code"]]

    return _tracked(companion, inputs, asked(inputs, readings), read, lambda a, b: float(a != b or a == UNKNOWN))


def _tracked(
    companion: Companion, inputs: AxisInput, parts: Sequence[Asked], read: Callable[[Wordings], list[list[Any]]], between: Between
) -> Scored:
    def value(part: Asked, one: Wordings) -> Mapping[str | None, Mirrored]:
        if len(one.names) < FEWEST:
            return {None: Mirrored(reason="too_few_variants")}
        prompts = _distances([[words(prompt)] for prompt in one.prompts], lambda a, b: 1 - jaccard(a, b))
        of_replies = _distances(read(one), between)
        found = tracking(prompts, of_replies)
        if np.isnan(found):
            return {None: Mirrored(reason="equal_distances")}
        rng = generator(inputs.seed, companion.name, part.model, part.dataset, part.decoding, one.example)
        return {None: Mirrored(found, 0.0, found, relabelled=relabelled_tracking(prompts, of_replies, rng))}

    return mirrored(companion.axis, companion.name, parts, value, seed=inputs.seed)


def _distances(read: Sequence[Sequence[Any]], between: Between) -> Floats:
    """Returns the distances of each two wordings, mean over pairs of their readings; 0 on the diagonal, which nothing reads."""
    result = np.zeros((len(read), len(read)))
    for place, own in enumerate(read):
        for other in range(place):
            pairs = [between(a, b) for a in own for b in read[other]]
            result[place, other] = result[other, place] = sum(pairs) / len(pairs)
    return result


def _with_answers(inputs: AxisInput) -> pl.DataFrame:
    """Returns prompts with the answer of their reply as ``code``; whether the text of the reply was recorded does not matter."""
    answers = answers_of(inputs).select(*KEYS, "counts", "code", unread=pl.col("reason").fill_null("not_observable"))
    rows = replies(inputs).join(answers, on=list(KEYS), how="left")
    blank = pl.when(pl.col("reason") == "not_observable").then("reason")
    lost = pl.when(~pl.col("counts").fill_null(value=False)).then(pl.col("unread").fill_null("not_observable"))
    return rows.select(*KEYS, "prompt", "code", response=pl.lit(""), reason=pl.coalesce(blank, lost))


def _made(name: str, compute: Callable[[Companion, AxisInput], Scored], zero: str) -> Companion:
    return Companion(
        name=name,
        axis="mirroring",
        level="example",
        lower=-1.0,
        upper=1.0,
        unit="rank correlation",
        zero=zero,
        source="own, after Mantel (1967)",
        compute=compute,
    )


COMPANIONS: tuple[Companion, ...] = (
    _made("tracking", tracking_words, "how far two wordings are apart says nothing of how far their replies are"),
    _made("tracking_answers", tracking_answers, "how far two wordings are apart says nothing of whether their answers differ"),
)
