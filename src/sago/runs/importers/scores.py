"""Log-likelihoods of the options as they were recorded, put into the order in which the options were shown."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from sago.arrays.logprobs import spelling
from sago.errors import DataError
from sago.features.texts import normal_category
from sago.runs.importers import cells
from sago.runs.importers.questions import Question, Questions, Shown, some
from sago.runs.importers.rows import AnswerRow, AnswerRows

_ROUNDING = 1e-6
_AROUND = " ()[].:"
"""What may stand around a label in a token."""


def choice_scores(
    rows: Sequence[AnswerRow], questions: Questions, found: AnswerRows
) -> tuple[dict[int, list[float | None]], frozenset[int]]:
    """Returns place in ``rows`` -> log-likelihood of each option in shown order, and the places of which it is not known.

    Null within a list is a probability of 0. A row that does not know one of its options has no list: what is not known is not 0, and
    without it the others have no share. Problems and notes go into ``found``.
    """
    scored: dict[int, list[float | None]] = {}
    unknown: dict[int, AnswerRow] = {}
    doubts: dict[str, AnswerRow] = {}
    strays: dict[str, AnswerRow] = {}
    for place, row in enumerate(rows):
        if row.choice_scores is None:
            continue
        try:
            values, in_doubt, unmeant = _in_order_of_variant(row, questions.of[row.example])
            logs = cells.logs_of_probabilities(values) if row.are_probabilities else cells.option_logprobs(values)
        except DataError as error:
            found.problems.append(f"{row.place}: {error.what}")
            continue
        if logs is None:
            unknown[place] = row
        else:
            scored[place] = logs
        if in_doubt:
            doubts[row.example] = row
        for name in unmeant:
            strays.setdefault(name, row)
    if strays:
        name, first = next(iter(strays.items()))
        found.notes.append(
            f"{questions.dataset}: probabilities of {len(strays)} names that are no option of their example (the first: {name!r}, "
            f"{first.place}) are left out; those of the options are made to add up to 1 without them"
        )
    if unknown:
        found.notes.append(
            f"{questions.dataset}: {len(unknown)} rows do not know the probability of some option (not given, not a number, or a sentinel "
            f"such as -9999; the first: {next(iter(unknown.values())).place}): unknown is not 0, so that no probability is taken from them"
        )
    if doubts:
        shown = questions.of[next(iter(doubts))].shown_to(next(iter(doubts.values())))
        found.notes.append(
            f"{questions.dataset}: names of probabilities of {some(doubts)} are labels as well as texts of options; read as "
            f"{'labels' if shown.names_first else 'texts'}, like answers"
        )
    return scored, frozenset(unknown)


def _in_order_of_variant(row: AnswerRow, question: Question) -> tuple[list[Any], bool, list[str]]:
    """Returns the values in the order in which the first row of the variant showed the options.

    With them: whether the names of options are in doubt, and the names that are of none.
    """
    first, own = question.shown[str(row.variant)], question.shown_to(row)
    if own.labels is None or own.texts is None or own.permutation is None or first.permutation is None:
        raise DataError("probabilities of options, but the example has none; add a column choices")
    if len(own.permutation) != len(own.texts) or len(first.permutation) != len(own.texts):
        raise DataError("probabilities of options, but another number of options in its first variant")
    given = row.choice_scores
    strays: list[str] = []
    if not isinstance(given, Mapping):
        if len(given or ()) != len(own.texts):
            raise DataError(f"{len(given or ())} probabilities for {len(own.texts)} options")
        values, in_doubt = list(given or ()), False
    else:
        values, in_doubt, strays = _by_name(given, own, are_probabilities=row.are_probabilities)
    of_original = dict(zip(own.permutation, values, strict=True))
    return [of_original[index] for index in first.permutation], in_doubt, strays


def _by_name(given: Mapping[str, Any], shown: Shown, *, are_probabilities: bool) -> tuple[list[Any], bool, list[str]]:
    """Returns the value of each shown option, by label or text, whether names are in doubt, and the names of no option.

    Spellings that differ in case, brackets or the space around them are one name, and add up. Other tokens that were likely at the place
    of the answer (``The``) are no option. A name that is the label of one option and the text of another is what all names together are,
    labels or texts; where they could be either, it is what such an answer is.
    """
    labels, texts = shown.labels or (), shown.texts or ()
    of_names = dict(zip(given, _places(tuple(given), labels, texts), strict=True))
    places = {name: both for name, both in of_names.items() if both != (None, None)}
    strays = [name for name in of_names if name not in places]
    if strays and not places:
        raise DataError(f"probabilities of {some(strays, 'name')}, none of which is an option of the example")
    doubtful = any(None not in both and both[0] != both[1] for both in places.values())
    are_labels, are_texts = (all(both[kind] is not None for both in places.values()) for kind in (0, 1))
    in_doubt = doubtful and are_labels == are_texts
    labels_first = are_labels if not in_doubt else bool(shown.names_first)
    found: list[list[Any]] = [[] for _ in texts]
    for name, (by_label, by_text) in places.items():
        order = (by_label, by_text) if labels_first or not doubtful else (by_text, by_label)
        found[next(place for place in order if place is not None)].append(given[name])
    totals = [_total(values, are_probabilities=are_probabilities) for values in found]
    return (_filled(totals, found, [given[name] for name in strays]) if are_probabilities else totals), in_doubt, strays


@lru_cache(maxsize=65536)
def _places(names: tuple[str, ...], labels: tuple[str, ...], texts: tuple[str, ...]) -> list[tuple[int | None, int | None]]:
    """Returns the option that each name is the label of, and the one that it is the text of."""
    of_label = {normal_category(label): place for place, label in reversed(list(enumerate(labels)))}
    of_text = {normal_category(text): place for place, text in reversed(list(enumerate(texts)))}
    as_written = {text.strip(): place for place, text in reversed(list(enumerate(texts)))}
    found = []
    for name in map(spelling, names):
        by_label = of_label.get(normal_category(name))
        by_text = as_written.get(name, of_text.get(normal_category(name)))
        found.append((of_label.get(normal_category(name.strip(_AROUND))) if by_label is None and by_text is None else by_label, by_text))
    return found


def _filled(totals: list[Any], given: list[list[Any]], strays: list[Any]) -> list[Any]:
    """Returns probabilities with 0 for options that have no name, where all others add up to 1: there is nothing left for them."""
    known = cells.logs_of_probabilities([*(total for total, values in zip(totals, given, strict=True) if values), *strays])
    if known is None or abs(sum(math.exp(log) for log in known if log is not None) - 1) > _ROUNDING:
        return totals
    return [total if values else 0.0 for total, values in zip(totals, given, strict=True)]


def _total(values: list[Any], *, are_probabilities: bool) -> Any:
    if len(values) < 2:
        return values[0] if values else None
    logs = cells.logs_of_probabilities(values) if are_probabilities else cells.option_logprobs(values)
    if logs is None:
        return None  # one of them is not known, so their sum is not
    known = [log for log in logs if log is not None]
    total = max(known) + math.log(sum(math.exp(log - max(known)) for log in known)) if known else -math.inf
    return math.exp(total) if are_probabilities else total
