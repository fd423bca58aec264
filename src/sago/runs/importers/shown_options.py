"""The options that each row showed: its own, those that its prompt lists, or those of its variant, and their order."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence

from sago.datasets.gold import Choices
from sago.features.texts import normal_category
from sago.runs.importers.prompt_choices import listed_choices
from sago.runs.importers.rows import AnswerRow

ByVariant = Mapping[str, Sequence[AnswerRow]]
Problem = Callable[[AnswerRow, str], None]
"""Told of a row and what is wrong with it."""


def take_listed(by_variant: ByVariant, covers: Callable[[Sequence[str]], bool]) -> Choices | None:
    """Gives every row of an example the options that its prompt lists and returns those of the first variant.

    Null, and nothing is given, unless every variant lists options, all list the same ones, and the right answers are among them. A row
    whose prompt lists none is taken to have shown what another row of its variant did.
    """
    listed = {variant: [listed_by(row) for row in part] for variant, part in by_variant.items()}
    first = {variant: next((found for found in part if found), None) for variant, part in listed.items()}
    sets = {frozenset(map(normal_category, found)) for part in listed.values() for found in part if found}
    texts = next(iter(first.values()))
    if texts is None or None in first.values() or len(sets) != 1 or not covers(texts):
        return None
    for variant, part in by_variant.items():
        for row, found in zip(part, listed[variant], strict=True):
            row.choices = Choices(found or first[variant] or texts, None)
    return Choices(texts, None)


def take_given(by_variant: ByVariant, problem: Problem) -> tuple[Choices, list[AnswerRow], bool]:
    """Gives every row of an example that came without options those that it showed, and returns those of the first variant.

    They are what the row's prompt lists, else what another row of its variant gave, else what the first variant gave. Rows of one variant
    may show their options in any order; other options are a problem, and so is another number of them in another variant.

    Returns:
        The options of the first variant, the rows whose prompts list them in another order than the row gives, and whether any prompt
        lists them.
    """
    given = [(row, row.choices) for part in by_variant.values() for row in part if row.choices is not None]
    first_row, first = given[0]
    for row, choices in given:
        if len(choices.texts) != len(first.texts) and row.variant != first_row.variant:
            problem(row, "its variants have different numbers of choices")
            break
    torn: list[AnswerRow] = []
    are_listed = False
    for part in by_variant.values():
        own = next((row for row in part if row.choices is not None), None)
        known = first if own is None or own.choices is None else own.choices
        for row in part:
            listed = listed_by(row)
            are_listed = are_listed or listed is not None
            if row.choices is None:
                row.choices = _as_listed(listed, known)
            elif own is not None and not _are_one_set(row.choices.texts, known.texts):
                problem(row, f"its options are not those of {own.unit} {own.number}, the same variant")
                break
            elif listed is not None and _as_listed(listed, row.choices) != row.choices and _are_one_set(listed, row.choices.texts):
                torn.append(row)
    return first, torn, are_listed


def listed_by(row: AnswerRow) -> tuple[str, ...] | None:
    """Returns the options that the last message of a row's prompt lists."""
    asked = next((content for role, content in reversed(row.prompt) if role == "user"), None)
    return None if asked is None else listed_choices(asked)


def order_of(texts: Sequence[str], original: Sequence[str]) -> tuple[tuple[int, ...], bool]:
    """Returns the place in the original options of every shown one, and whether some are worded otherwise.

    Options are the same where they are written alike, else where they differ in case, white space and a full stop alone; those that
    are left over are taken in their order.

    >>> order_of(("mars", "Mars", "Planet Earth"), ("Mars", "Earth", "mars"))
    ((2, 0, 1), True)
    """
    order = [-1] * len(texts)
    left = list(range(len(original)))
    for same in (_composed, normal_category, _bare):
        for place, text in enumerate(texts):
            found = next((index for index in left if same(original[index]) == same(text)), None) if order[place] < 0 else None
            if found is not None:
                order[place] = found
                left.remove(found)
    are_reworded = bool(left)
    for place, index in enumerate(order):
        if index < 0 and left:
            order[place] = left.pop(0)
    return tuple(index for index in order if index >= 0), are_reworded


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text).strip()


def _as_listed(listed: tuple[str, ...] | None, known: Choices) -> Choices:
    """Returns known options in the order of a list in a prompt, where it lists as many."""
    if listed is None or len(listed) != len(known.texts):
        return known
    order, are_reworded = order_of(tuple(map(_bare, listed)), tuple(map(_bare, known.texts)))
    if are_reworded:
        return Choices(listed, None)
    return known if order == tuple(range(len(order))) else Choices(tuple(known.texts[index] for index in order), None)


def _are_one_set(texts: Sequence[str], others: Sequence[str]) -> bool:
    return sorted(map(_bare, texts)) == sorted(map(_bare, others))


def _bare(text: str) -> str:
    return normal_category(text).rstrip(".") or normal_category(text)
