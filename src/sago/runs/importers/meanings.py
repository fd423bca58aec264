"""What a bare letter or number means where it is the text of one option and names another one by label, letter or index.

Blood groups (O, A, B, AB), notes and vitamins have options that are letters; sums have options that are numbers. What such a value means is
one thing in a data set, for right answers, given answers, responses and the names of probabilities alike. In this order:

1. what the other values of the same kind show (right answers; or what was said: given answers and short responses): are most of those
   that fit in one way alone texts, they are texts; are most of them names, they are names; letters say nothing about numbers;
2. for what was said: prompts that list the options by letter make letters names;
3. what the other kind shows;
4. options that come with labels of their own are named by them;
5. a right answer that is a JSON number is an index; everything else is a text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from sago.datasets.gold import Choices, text_and_name
from sago.datasets.values import is_blank, items_of, text_of
from sago.runs.importers.rows import AnswerRow

_LONGEST = 60
"""A response of more characters is no bare answer."""


class Shows(NamedTuple):
    """Whether values that fit in one way alone are names; null where there are none, or as many of either."""

    targets: bool | None = None
    """Right answers."""
    said: bool | None = None
    """Given answers and short responses."""


class Meaning(NamedTuple):
    """What doubtful values of one data set mean."""

    letters: Shows = Shows()
    numbers: Shows = Shows()
    are_listed: bool = False
    """Whether prompts list the options by letter."""
    are_numbers: bool | None = None
    """Whether a right answer is a JSON number; null without right answers."""

    def names_first_in_targets(self, choices: Choices | None) -> bool | None:
        """Returns whether a doubtful right answer is a name; null = as its own type says."""
        shows = self._of(choices)
        return _first(shows.targets, shows.said, self._otherwise(choices))

    def names_first_in_answers(self, choices: Choices | None) -> bool | None:
        """Returns whether a doubtful answer is a name; null = as its own type says."""
        shows = self._of(choices)
        is_listed = True if self.are_listed and not _are_numbers(choices) else None
        return _first(shows.said, is_listed, shows.targets, self._otherwise(choices))

    def _of(self, choices: Choices | None) -> Shows:
        return self.numbers if _are_numbers(choices) else self.letters

    def _otherwise(self, choices: Choices | None) -> bool | None:
        return True if choices is not None and choices.labels is not None else self.are_numbers


def meaning_of(rows: Sequence[AnswerRow], *, are_listed: bool) -> Meaning:
    """Returns what the rows of a data set show, once every row has the options that it showed."""
    if not any(collide(choices) for choices in {row.choices for row in rows if row.choices is not None}):
        return Meaning()
    targets = [(item, row.choices) for row in rows if row.choices is not None for item in _items(row.target)]
    said = [(value, row.choices) for row in rows if row.choices is not None and not is_blank(value := _said(row))]
    letters, numbers = (Shows(_shown(targets, are_numbers=kind), _shown(said, are_numbers=kind)) for kind in (False, True))
    return Meaning(letters, numbers, are_listed, any(_is_number(item) for item, _ in targets) if targets else None)


@lru_cache(maxsize=65536)
def collide(choices: Choices) -> bool:
    """Returns whether the text of an option names another one.

    >>> collide(Choices(("O", "A", "B", "AB"), None)), collide(Choices(("A", "B"), None)), collide(Choices(("3", "0"), None))
    (True, False, True)
    """
    readings = [text_and_name(text, choices) for text in choices.texts]
    return any(text is not None and name is not None and text != name for text, name in readings)


@lru_cache(maxsize=65536)
def are_labels(texts: tuple[str, ...], labels: tuple[str, ...]) -> bool:
    """Returns whether the text of an option is the label of another one."""
    places = {label.strip(" ()[].:").casefold(): place for place, label in enumerate(labels)}
    return any(places.get(text.strip().casefold(), place) != place for place, text in enumerate(texts))


def _shown(values: Iterable[tuple[Any, Choices]], *, are_numbers: bool) -> bool | None:
    """Returns whether most values that can be read in one way alone are names, of numbers or of all other values.

    A word that is the text of an option shows as much about numbers as about letters.
    """
    distinct = {(type(value), text_of(value), choices): (value, choices) for value, choices in values}
    balance = 0
    for value, choices in distinct.values():
        text, name = text_and_name(value, choices)
        is_whole = _is_whole(text_of(value) or "")
        if name is not None and text is None and is_whole == are_numbers:
            balance += 1
        elif text is not None and name is None and (is_whole == are_numbers or len(str(text_of(value)).strip()) > 1):
            balance -= 1
    return None if balance == 0 else balance > 0


def _said(row: AnswerRow) -> Any:
    if row.given is not None or row.unread:
        return row.given
    return row.response if row.response is not None and len(row.response) <= _LONGEST else None


def _items(target: Any) -> list[Any]:
    listed = items_of(target, split=False)
    return [item for item in ([target] if listed is None else listed) if not is_blank(item)]


def _are_numbers(choices: Choices | None) -> bool:
    return choices is not None and any(map(_is_whole, choices.texts))


def _is_whole(text: str) -> bool:
    return text.strip().isdigit()


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _first(*values: bool | None) -> bool | None:
    return next((value for value in values if value is not None), None)
