"""Log-likelihoods of the options as they were recorded, put into the order in which the options were shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sago.errors import DataError
from sago.runs.importers import cells
from sago.runs.importers.questions import Question, Questions
from sago.runs.importers.rows import AnswerRow, AnswerRows


def choice_scores(
    rows: Sequence[AnswerRow], questions: Questions, found: AnswerRows
) -> tuple[dict[int, list[float | None]], frozenset[int]]:
    """Returns place in ``rows`` -> log-likelihood of each option in shown order, and the places of which it is not known.

    Null within a list is a probability of 0. A row that does not know one of its options has no list: what is not known is not 0, and
    without it the others have no share. Problems and notes go into ``found``.
    """
    scored: dict[int, list[float | None]] = {}
    unknown: dict[int, AnswerRow] = {}
    for place, row in enumerate(rows):
        if row.choice_scores is None:
            continue
        try:
            values = _in_shown_order(row, questions.of[row.example])
            logs = cells.logs_of_probabilities(values) if row.are_probabilities else cells.option_logprobs(values)
        except DataError as error:
            found.problems.append(f"{row.place}: {error.what}")
            continue
        if logs is None:
            unknown[place] = row
        else:
            scored[place] = logs
    if unknown:
        found.notes.append(
            f"{questions.dataset}: {len(unknown)} rows do not know the probability of some option (not given, not a number, or a sentinel "
            f"such as -9999; the first: {next(iter(unknown.values())).place}): unknown is not 0, so that no probability is taken from them"
        )
    return scored, frozenset(unknown)


def _in_shown_order(row: AnswerRow, question: Question) -> list[Any]:
    shown = question.shown[str(row.variant)]
    if question.labels is None or shown.texts is None:
        raise DataError("probabilities of options, but the example has none; add a column choices")
    given = row.choice_scores
    if not isinstance(given, Mapping):
        if len(given or ()) != len(shown.texts):
            raise DataError(f"{len(given or ())} probabilities for {len(shown.texts)} options")
        return list(given or ())
    by_name = {_plain(name): value for name, value in given.items()}
    unknown = set(by_name) - {_plain(name) for name in (*question.labels, *shown.texts)}
    if unknown:
        raise DataError(f"a probability of '{sorted(unknown)[0]}', which is no option of the example")
    return [by_name.get(_plain(label), by_name.get(_plain(text))) for label, text in zip(question.labels, shown.texts, strict=True)]


def _plain(name: str) -> str:
    return " ".join(name.casefold().split())
