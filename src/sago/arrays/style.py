"""Style of a text as numbers, and how the style of replies moves with that of their prompts (METRICS 6).

A spelling-error rate, formality and language id are left out: each needs a dictionary, a tagger or a model.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from sago.arrays.function_words import CATEGORIES, CONTRACTED, POLITE
from sago.arrays.grouping import Floats, Integers
from sago.arrays.intervals import Interval, t_interval
from sago.arrays.tokens import tokens

ENGLISH = ("contraction_rate", "politeness_rate", *CATEGORIES)
"""Features that are read from English word lists: NaN for a text of which less than half the letters are Latin."""

FEATURES = (
    "log_length",
    "words_per_sentence",
    "punctuation_rate",
    "uppercase_rate",
    "digit_rate",
    "emoji_rate",
    "markdown_rate",
    *ENGLISH,
)
"""Names of the numbers of ``style``, in order."""

SHORT = 50
"""Words below which shares of function words are unreliable."""

_SENTENCE_END = re.compile(r"[.!?\u0964\u06d4]+(?=[\s\"'\u201d\u2019)\]]|$)|[\u3002\uff01\uff1f]+|\n+")
_MARKED_LINE = re.compile(r"^\s*(?:#{1,6}\s|[-*+]\s|\d+[.)]\s|>\s|```|~~~|\|.*\|\s*$)|\*\*\S|__\S|`[^`\n]+`|\[[^\]\n]+\]\(")
_EMOJI = re.compile(
    "[\u231a-\u231b\u23e9-\u23f3\u25fd-\u25fe\u2600-\u27bf\u2b50\u2b55\U0001f1e6-\U0001f1ff\U0001f300-\U0001f64f"
    "\U0001f680-\U0001f6ff\U0001f900-\U0001f9ff\U0001fa70-\U0001faff]"
)


class Within(NamedTuple):
    """How one feature of replies moves with that of prompts, inside examples.

    Attributes:
        slope: Change of the reply's feature for one unit of the prompt's; NaN where no wordings of an example differ in it.
        slope_interval: Its 95 % interval, examples resampled.
        correlation: Within-example correlation; NaN as well where no replies of an example differ in it.
        correlation_interval: Its 95 % interval.
        n: Examples of which the wordings differ in the feature.
    """

    slope: float
    slope_interval: Interval
    correlation: float
    correlation_interval: Interval
    n: int


def style(text: str) -> Floats:
    """Returns the features of a text, in the order of ``FEATURES``.

    Formulas: ``log_length`` ln(1 + words); ``words_per_sentence`` words / sentences; ``punctuation_rate``, ``digit_rate``, ``emoji_rate``
    share of the visible characters; ``uppercase_rate`` share of the letters that have a case; ``markdown_rate`` share of the lines that
    hold a Markdown mark; ``contraction_rate``, ``politeness_rate`` and the nine categories of function words share of the words.
    Range: [0, 1], but the first two >= 0 without bound. Direction: none, they describe. Unit: nats, words, shares.
    Edge cases: NaN where there is nothing to take a share of (no word, no visible character, no cased letter), and for the English
    word lists where less than half the letters are Latin.
    Source: own; the categories are those of Gonzales, Hancock and Pennebaker (2010), the word lists were written for this project.
    """
    found = tokens(text)
    letters = Counter(text)
    kinds: Counter[str] = Counter()
    for letter, count in letters.items():
        kinds[_kind(letter)] += count
    visible = sum(count for letter, count in letters.items() if not letter.isspace())
    sentences = sum(1 for part in _SENTENCE_END.split(text) if any(map(str.isalnum, part)))
    lines = [line for line in text.splitlines() if line.strip()]
    plain = (
        np.log1p(len(found)),
        _share(len(found), sentences),
        _share(kinds["P"], visible),
        _share(kinds["Lu"], kinds["Lu"] + kinds["Ll"]),
        _share(kinds["N"], visible),
        _share(0 if text.isascii() else len(_EMOJI.findall(text)), visible),
        _share(sum(1 for line in lines if _MARKED_LINE.search(line)), len(lines)),
    )
    return np.array([*plain, *_english(text, found)], dtype=np.float64)


def is_latin(text: str) -> bool:
    """Returns whether at least half the letters of a text are Latin; a text without letters is."""
    if text.isascii():
        return True
    letters = Counter(letter for letter in text if letter.isalpha())
    latin = sum(count for letter, count in letters.items() if "LATIN" in unicodedata.name(letter, ""))
    return 2 * latin >= letters.total()


def function_words(text: str) -> Floats:
    """Returns the shares of nine categories of English function words, in the order of ``CATEGORIES``; NaN as in ``style``."""
    return np.array(_english(text, tokens(text))[-len(CATEGORIES) :])


def matching(one: Floats, other: Floats) -> Floats:
    """Returns how alike two texts are in each category of function words.

    Formula: LSM_k = 1 - |p1 - p2| / (p1 + p2 + 0.0001). Range: (0, 1]. Direction: 0 = one text alone has the category, 1 = both alike,
    absent from both included. Unit: none. Edge cases: NaN in, NaN out.
    Source: Gonzales, Hancock and Pennebaker (2010); Ireland and Pennebaker (2010).

    >>> float(matching(np.array([0.05]), np.array([0.04]))[0].round(6))
    0.889012
    """
    result: Floats = 1 - np.abs(one - other) / (one + other + 0.0001)
    return result


def style_matching(one: Floats, other: Floats) -> float:
    """Returns the linguistic style matching of two texts from their shares of function words.

    Formula: mean of ``matching`` over the categories that at least one of the texts has. Range: (0, 1]. Direction: 0 = no category in
    common, 1 = the same shares. Unit: none. Edge cases: NaN where no category is in either, or shares are NaN. Unreliable below about 50
    words. Source: as ``matching``; that absent categories are skipped is own (METRICS 6).
    """
    there = (one > 0) | (other > 0)
    if not there.any() or np.isnan(one).any() or np.isnan(other).any():
        return float("nan")
    return float(matching(one[there], other[there]).mean())


def within(example: Integers, prompts: Floats, replies: Floats) -> Within:
    """Returns slope and correlation of a feature of replies on that of their prompts, inside examples.

    Formula: with both features less their mean over the wordings of the example, slope = sum x y / sum x^2 and
    correlation = sum x y / sqrt(sum x^2 sum y^2), over the examples of which the wordings differ. Standard errors are clustered by
    example (linearised, factor n / (n - 1)). Range: slope unbounded, correlation [-1, 1]. Direction: 0 = replies do not follow, also
    exactly for a reply that is constant in the example; slope 1 = as much as the prompt moves. Unit: reply's unit for one of the prompt's.
    Edge cases: rows with NaN and examples with one row left are left out; NaN and n = 0 where nothing is left; correlation NaN where no
    reply moves. Source: own (METRICS 6, E33); the within estimator of panel data.

    Args:
        example: Example of each wording, any code.
        prompts: Feature of the prompt.
        replies: Feature of the reply, its mean over reruns.
    """
    known = ~(np.isnan(prompts) | np.isnan(replies))
    _, of_row = np.unique(example[known], return_inverse=True)
    x, y = _centred(of_row, prompts[known]), _centred(of_row, replies[known])
    sums = [np.bincount(of_row, weights=product) for product in (x * x, x * y, y * y)] if of_row.size else [np.empty(0)] * 3
    moved = sums[0] > 0
    xx, xy, yy = (one[moved] for one in sums)
    n = int(moved.sum())
    if n == 0:
        return Within(float("nan"), Interval(), float("nan"), Interval(), 0)
    slope = float(xy.sum() / xx.sum())
    slope_interval = _clustered(slope, (xy - slope * xx) / xx.sum())
    if yy.sum() == 0:
        return Within(slope, slope_interval, float("nan"), Interval(), n)
    correlation = float(xy.sum() / np.sqrt(xx.sum() * yy.sum()))
    pull = xy / np.sqrt(xx.sum() * yy.sum()) - correlation / 2 * (xx / xx.sum() + yy / yy.sum())
    return Within(slope, slope_interval, correlation, _clustered(correlation, pull), n)


def _english(text: str, found: Sequence[str]) -> list[float]:
    if not found or not is_latin(text):
        return [float("nan")] * len(ENGLISH)
    counts = Counter(found)
    contracted = sum(count for word, count in counts.items() if "'" in word and CONTRACTED.search(word))
    polite = len(POLITE.findall(" ".join(found)))
    categories = (sum(count for word, count in counts.items() if word in members) for members in CATEGORIES.values())
    return [number / len(found) for number in (contracted, polite, *categories)]


@cache
def _kind(letter: str) -> str:
    """Returns P, N, Lu, Ll or another Unicode class; modifier and title case letters count with none of them."""
    category = unicodedata.category(letter)
    return category[0] if category[0] == "P" or category == "Nd" else category


def _share(part: float, whole: float) -> float:
    return part / whole if whole else float("nan")


def _centred(groups: Integers, values: Floats) -> Floats:
    """Values less the mean of their group; exactly 0 in a group of equal values."""
    if not values.size:
        return values
    first = np.unique(groups, return_index=True)[1]
    moved = values - values[first][groups]
    result: Floats = moved - (np.bincount(groups, moved) / np.bincount(groups))[groups]
    return result


def _clustered(estimate: float, pulls: Floats) -> Interval:
    n = pulls.size
    return t_interval(estimate, float(np.sqrt(n / (n - 1) * np.sum(pulls**2))), n) if n > 1 else Interval()
