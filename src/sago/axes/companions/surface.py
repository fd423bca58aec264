"""Companions of the generation axis on wording: the surface of replies, never part of the axis itself (METRICS 3).

``rouge_l`` and ``chrf`` are distances of any two replies and go through the core index, so they have a floor and a null of their own;
``lexical_distance`` is the mean inside an example alone. The formulas are in ``sago.arrays.overlap``.
"""

from __future__ import annotations

from sago.arrays.overlap import lexical_distance as formula
from sago.axes.companions.companion import Companion, Group, Value, of_distance, of_examples
from sago.axes.companions.replies import COUNTS, text_readings, texts_of
from sago.axes.distance_axis import NO_TEXT, Measure
from sago.axes.protocol import AxisInput, Scored


def surface(companion: Companion, inputs: AxisInput) -> Scored:
    """Distance of the wording of two replies, through the core index; a reply without text is 0 from its like and 1 from all others."""
    measure = Measure(companion.name, "response", companion.name)
    return of_distance(companion, inputs, measure, inputs.once("companions.responses", lambda: text_readings(inputs)))


def lexical_distance(companion: Companion, inputs: AxisInput) -> Scored:
    """Mean over pairs of wordings of 1 - ROUGE-L: what ``rouge_l`` has as ``across``, without its sampled null."""

    def value(group: Group) -> Value:
        texts = zip(group["text"], group["unknown"], strict=True)
        return Value(formula([None if unknown else NO_TEXT.get(text, text) for text, unknown in texts], group.wording))

    return of_examples(companion, inputs, texts_of(inputs), value, known=COUNTS)


ROUGE_L = Companion(
    name="rouge_l",
    axis="generation",
    level="example",
    lower=0.0,
    upper=1.0,
    unit="1 - F1 of the longest common subsequence of words",
    zero="the same words in the same order",
    source="Lin 2004",
    compute=surface,
)
CHRF = Companion(
    name="chrf",
    axis="generation",
    level="example",
    lower=0.0,
    upper=1.0,
    unit="1 - F1 of character n-grams",
    zero="the same characters",
    source="Popovic 2015, beta 1",
    compute=surface,
)
LEXICAL_DISTANCE = Companion(
    name="lexical_distance",
    axis="generation",
    level="example",
    lower=0.0,
    upper=1.0,
    unit="1 - ROUGE-L",
    zero="the same words in the same order",
    source="LM-Polygraph (1 - LexicalSimilarity)",
    compute=lexical_distance,
)

COMPANIONS: tuple[Companion, ...] = (LEXICAL_DISTANCE, ROUGE_L, CHRF)
"""Companions on wording."""
