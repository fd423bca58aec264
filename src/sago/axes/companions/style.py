"""Mirroring of style: does a feature of the reply move with that of its prompt, wording by wording? (METRICS 6).

One number a cell and feature. Families that change no words (case, punctuation, layout) can be mirrored here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sago.arrays.grouping import Floats, Integers
from sago.arrays.index import SMALL_N
from sago.arrays.intervals import Interval
from sago.arrays.similarity import mirror_gain
from sago.arrays.style import ENGLISH, FEATURES, SHORT, Within, function_words, is_latin, style, style_matching, within
from sago.arrays.tokens import tokens
from sago.axes.cells import Asked
from sago.axes.companions.companion import CellValue, Companion, given, of_cells
from sago.axes.protocol import AxisInput, Scored
from sago.axes.siblings import Mirrored, Wordings, absent_reasons, mirrored, parts_of, wordings_of
from sago.records import most_frequent

_SOURCE = "own (METRICS 6)"
_MATCHING = "Gonzales, Hancock and Pennebaker (2010), against sibling wordings"


@dataclass(frozen=True)
class _Styles:
    """Features of all wordings of a cell that have siblings and a reply; one row a wording, features as in ``FEATURES``."""

    example: Integers
    prompts: Floats
    replies: Floats


def style_slope(companion: Companion, inputs: AxisInput, feature: str) -> Scored:
    """Takes the slope of ``sago.arrays.style.within``: how far the reply moves for one unit by which the prompt moves.

    Null with ``same_style`` where no two wordings of an example differ in the feature, with ``other_script`` where a feature that is read
    from English word lists meets no text in Latin letters.
    """

    def value(part: Asked) -> CellValue:
        found, reason = _within(inputs, part, feature)
        return _cell_value(found.slope, found.slope_interval, found.n, reason)

    return of_cells(companion, inputs, parts_of(inputs), value)


def style_correlation(companion: Companion, inputs: AxisInput, feature: str) -> Scored:
    """Takes the correlation of ``sago.arrays.style.within``; null with ``constant_replies`` where no reply moves, else as the slope."""

    def value(part: Asked) -> CellValue:
        found, reason = _within(inputs, part, feature)
        if reason is None and np.isnan(found.correlation):
            reason = "constant_replies"
        return _cell_value(found.correlation, found.correlation_interval, found.n, reason)

    return of_cells(companion, inputs, parts_of(inputs), value)


def lsm_gain(companion: Companion, inputs: AxisInput) -> Scored:
    """Takes ``mirror_gain`` of linguistic style matching: own matching less that of the siblings; a constant reply gives 0.

    English function words alone. A wording takes part if its prompt has some and its replies are in Latin letters; with fewer than two
    such wordings null with ``no_function_words`` or ``other_script``. Flag ``short_texts``: some texts have fewer than 50 words.
    """
    return mirrored(companion.axis, companion.name, parts_of(inputs), _matched, seed=inputs.seed)


def _matched(_: Asked, one: Wordings) -> Mapping[str | None, Mirrored]:
    in_script = [is_latin(prompt) and all(map(is_latin, own)) for prompt, own in zip(one.prompts, one.replies, strict=True)]
    if sum(in_script) < 2:
        return {None: Mirrored(reason="other_script")}
    shares = [function_words(prompt) for prompt in one.prompts]
    chosen = [place for place, known in enumerate(in_script) if known and np.nansum(shares[place]) > 0]
    if len(chosen) < 2:
        return {None: Mirrored(reason="no_function_words")}
    replies = [[np.nan_to_num(function_words(reply)) for reply in one.replies[place]] for place in chosen]
    matching = [[np.mean([style_matching(shares[place], reply) for reply in own]) for own in replies] for place in chosen]
    short = any(len(tokens(text)) < SHORT for place in chosen for text in (one.prompts[place], *one.replies[place]))
    return {None: Mirrored(*mirror_gain(np.array(matching)), flags=("short_texts",) if short else ())}


def _within(inputs: AxisInput, part: Asked, feature: str) -> tuple[Within, str | None]:
    found = inputs.once(f"styles {(part.model, part.dataset, part.decoding)!r}", lambda: _styles(part))
    place = FEATURES.index(feature)
    prompts, replies = found.prompts[:, place], found.replies[:, place]
    result = within(found.example, prompts, replies)
    if not found.example.size:
        return result, most_frequent(absent_reasons(part).values() or ["too_few_variants"])
    if result.n:
        return result, None
    other = feature in ENGLISH and bool(np.isnan(prompts + replies).all())
    return result, "other_script" if other else "same_style"


def _styles(part: Asked) -> _Styles:
    example: list[int] = []
    prompts: list[Floats] = []
    replies: list[Floats] = []
    for code, one in enumerate(wordings_of(part)):
        if len(one.names) > 1:
            example += [code] * len(one.names)
            prompts += [style(prompt) for prompt in one.prompts]
            replies += [_mean_style(list(own)) for own in one.replies]
    none = np.empty((0, len(FEATURES)))
    return _Styles(np.array(example, dtype=np.int64), np.array(prompts) if prompts else none, np.array(replies) if replies else none)


def _mean_style(texts: list[str]) -> Floats:
    """Mean over reruns of each feature, of those reruns that have it."""
    each = np.array([style(text) for text in texts])
    known = ~np.isnan(each)
    count = known.sum(axis=0)
    result: Floats = np.divide(np.where(known, each, 0.0).sum(axis=0), count, out=np.full(count.size, np.nan), where=count > 0)
    return result


def _cell_value(number: float, interval: Interval, n: int, reason: str | None) -> CellValue:
    if reason is not None:
        return CellValue(None, 0, reason=reason)
    flags = ["small_n"] if n < SMALL_N else []
    if np.isnan(interval.se):
        flags.append("interval=not_defined")
    elif interval.se == 0:
        # All examples say the same to the digit: that bounds nothing, so it is no interval of width 0.
        flags.append("no_spread")
        interval = Interval()
    return CellValue(number, n, interval, flags=tuple(flags))


def _of_feature(feature: str) -> tuple[Companion, Companion]:
    unit = {"log_length": "nats", "words_per_sentence": "words"}.get(feature, "share")
    zero = "the reply does not follow the prompt in this feature"
    slope = Companion(
        name=f"style_slope_{feature}",
        axis="mirroring",
        level="cell",
        lower=None,
        upper=None,
        unit=f"{unit} of the reply for one of the prompt",
        zero=zero,
        source=_SOURCE,
        compute=given(style_slope, feature=feature),
    )
    correlation = Companion(
        name=f"style_correlation_{feature}",
        axis="mirroring",
        level="cell",
        lower=-1.0,
        upper=1.0,
        unit="correlation",
        zero=zero,
        source=_SOURCE,
        compute=given(style_correlation, feature=feature),
    )
    return slope, correlation


COMPANIONS: tuple[Companion, ...] = (
    Companion(
        name="lsm_gain",
        axis="mirroring",
        level="example",
        lower=-1.0,
        upper=1.0,
        unit="linguistic style matching",
        zero="the style of a reply is no nearer to its own wording than to the others",
        source=_MATCHING,
        compute=lsm_gain,
    ),
    *(slope for slope, _ in map(_of_feature, FEATURES)),
    *(correlation for _, correlation in map(_of_feature, FEATURES)),
)
