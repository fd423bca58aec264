"""What recorded answers answer: task, options and right answers of every example, and how each variant showed them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from string import ascii_uppercase
from typing import Any

from sago.datasets.gold import NO_GOLD, Choices, Gold, read_gold
from sago.datasets.values import is_blank, items_of, text_of
from sago.errors import DataError
from sago.features.choices import read_choice
from sago.features.numbers import normal_number
from sago.features.texts import normal_category, normal_text
from sago.records import CONTROL_FAMILIES
from sago.runs.importers.options import ReadAs
from sago.runs.importers.prompt_choices import listed_choices
from sago.runs.importers.prompts import Prompts
from sago.runs.importers.rows import AnswerRow, AnswerRows
from sago.runs.importers.wordings import rank

_FEWEST_LETTERS = 4
_LAST_LETTER = "J"
"""Single letters beyond this one, without A, B and C beside them, are words of another kind (T and F, Y and N)."""
_LETTER = re.compile(r"\(?([A-Za-z])[).:]?")
_OVERRIDES: dict[str, str] = {"letter": "choice", "number": "numeric", "text": "text"}

CLOSED = "closed"
"""Kind of a data set whose answers are given and nothing has to be read from a response: task ``choice`` without options."""


@dataclass(slots=True)
class Shown:
    """How one variant put the options of its example."""

    permutation: tuple[int, ...] | None
    """Original index at each shown position; null = no options."""
    texts: tuple[str, ...] | None
    gold: Gold


@dataclass(slots=True)
class Question:
    """One example."""

    example: str
    task: str
    question: str
    choices: tuple[str, ...] | None
    are_letters: bool
    """Whether the options are known by their letters alone."""
    shown: dict[str, Shown] = field(default_factory=dict)

    @property
    def labels(self) -> tuple[str, ...] | None:
        """Labels in shown order; null without options."""
        return None if self.choices is None else labels(len(self.choices))


def labels(count: int) -> tuple[str, ...]:
    """Returns the first labels: A to Z, then AA, AB, ...

    >>> labels(3), labels(28)[-2:]
    (('A', 'B', 'C'), ('AA', 'AB'))
    """
    pairs = (first + second for first in ascii_uppercase for second in ascii_uppercase)
    return tuple(ascii_uppercase[:count]) + tuple(next(pairs) for _ in range(count - len(ascii_uppercase)))


class Questions:
    """The examples of one data set.

    Args:
        dataset: Its name.
        rows: Its rows.
        prompts: What the models were given.
        read_as: How the user wants answers read.
        found: Where problems and notes go.
    """

    def __init__(self, dataset: str, rows: Sequence[AnswerRow], prompts: Prompts, read_as: ReadAs, found: AnswerRows) -> None:
        self.dataset = dataset
        self._prompts = prompts
        self._found = found
        by_example: dict[str, list[AnswerRow]] = {}
        for row in rows:
            by_example.setdefault(row.example, []).append(row)
        override = _OVERRIDES.get(read_as)
        self._letters_alone = read_as == "letter"
        open_rows = [row for part in by_example.values() if not any(one.choices for one in part) for row in part]
        self._letters = _letters(open_rows)
        self.kind = override or (self._open_kind(open_rows) if open_rows else "choice")
        self._from_prompts = self._reworded = 0
        self.of = {name: self._question(name, part, override) for name, part in by_example.items()}
        self._tell()
        self._tell_if_gold(by_example)

    def _open_kind(self, rows: Sequence[AnswerRow]) -> str:
        """Returns how the answers to open questions are read: by letter, by number, as given, or as text."""
        texts = [text for row in rows for text in _texts(row.target)] or [row.answer for row in rows if row.answer is not None]
        if texts and self._letters:
            return "choice"
        if texts and all(normal_number(text) is not None for text in texts):
            return "numeric"
        has_words = any(row.answer is None and (row.response or "").strip() for row in rows)
        is_given = any(row.answer is not None or row.correct is not None for row in rows)
        return CLOSED if is_given and not has_words else "text"

    def _question(self, name: str, rows: list[AnswerRow], override: str | None) -> Question:
        by_variant: dict[str, list[AnswerRow]] = {}
        for row in sorted(rows, key=lambda row: rank(str(row.variant))):  # options are in the order of the first variant, not of the rows
            by_variant.setdefault(str(row.variant), []).append(row)
        offered = {variant: self._offered(name, part) for variant, part in by_variant.items()}
        task = override or next((row.task for row in rows if row.task), None)
        if task is None:
            task = "choice" if any(offered.values()) else self.kind
        task = "choice" if task == CLOSED else task
        choices, are_letters = self._choices(task, name, by_variant, offered)
        question = Question(name, task, self._asked(name, rows, by_variant), choices, are_letters)
        for variant, part in by_variant.items():
            question.shown[variant] = self._shown(question, variant, part, offered[variant])
        self._check_gold(question, by_variant)
        return question

    def _offered(self, name: str, rows: Sequence[AnswerRow]) -> Choices | None:
        """Returns the options of a variant; in another order in another row its letters would mean something else there."""
        given = [row for row in rows if row.choices]
        for row in given:
            if row.choices is not given[0].choices and _texts_of(row) != _texts_of(given[0]):
                first = given[0]
                self._problem(
                    row.place,
                    name,
                    f"its choices are not those of {first.unit} {first.number}; give each order or set a variant of its own",
                )
                break
        return given[0].choices if given else None

    def _choices(
        self, task: str, name: str, by_variant: Mapping[str, Sequence[AnswerRow]], offered: dict[str, Choices | None]
    ) -> tuple[tuple[str, ...] | None, bool]:
        """Returns the options in the order of the first variant, and whether they are letters; puts what the prompts list into offered."""
        given = [found for found in offered.values() if found]
        if task != "choice" or (self.kind == CLOSED and not given):
            return None, False
        if not given:
            listed = {} if self._letters_alone else {variant: self._listed(name, variant) for variant in by_variant}
            texts = [found for found in listed.values() if found]
            if texts and len(texts) == len(by_variant) and _are_one_set(texts) and _cover(texts[0], by_variant):
                self._from_prompts += 1
                offered |= {variant: Choices(found, None) for variant, found in listed.items() if found}
                return texts[0], False
            return labels(self._letters or _FEWEST_LETTERS), True
        for variant, found in offered.items():
            offered[variant] = found or given[0]
        if len({len(found.texts) for found in given}) > 1:
            places = [next(row for row in part if row.choices).place for part in by_variant.values() if any(row.choices for row in part)]
            self._problem(places[0], name, "its variants have different numbers of choices")
        return given[0].texts, False

    def _listed(self, name: str, variant: str) -> tuple[str, ...] | None:
        """Returns the options that the prompt lists, if it lists the same ones in the same order for every model."""
        found = {listed_choices(asked) for asked in self._prompts.said.get((name, variant), ())}
        return next(iter(found)) if len(found) == 1 else None

    def _shown(self, question: Question, variant: str, rows: Sequence[AnswerRow], offered: Choices | None) -> Shown:
        texts = offered.texts if offered else question.choices
        choices = None if question.choices is None or texts is None else Choices(texts, None if offered is None else offered.labels)
        gold = self._gold(rows, choices, question)
        if question.choices is None or texts is None:
            return Shown(None, None, gold)
        places = {_plain(text): place for place, text in enumerate(question.choices)}
        order = tuple(places.get(_plain(text), -1) for text in texts)
        if sorted(order) != list(range(len(question.choices))):
            self._reworded += 1
            order = tuple(range(min(len(texts), len(question.choices))))
        if gold.answer_index is not None and gold.answer_index < len(order):
            original = order[gold.answer_index]
            gold = Gold((question.choices[original],), original, gold.note)
        return Shown(order, texts, gold)

    def _gold(self, rows: Sequence[AnswerRow], choices: Choices | None, question: Question) -> Gold:
        given = [row for row in rows if not is_blank(row.target)]
        if not given:
            return NO_GOLD
        other = next((row for row in given if row.target != given[0].target), None)
        if other is not None:
            self._problem(other.place, question.example, f"its target is not that of {given[0].unit} {given[0].number}, the same variant")
        try:
            return read_gold(given[0].target, choices, split=given[0].split)
        except DataError as error:
            self._problem(given[0].place, question.example, error.what)
            return NO_GOLD

    def _check_gold(self, question: Question, by_variant: Mapping[str, Sequence[AnswerRow]]) -> None:
        """The right answer of an example is one: where it is another letter for another variant, letters cannot be compared."""
        golds: dict[object, str] = {}
        for variant, shown in question.shown.items():
            if shown.gold.answers and by_variant[variant][0].family not in CONTROL_FAMILIES:
                golds.setdefault(frozenset(_same(question.task, shown.gold.answers)), variant)
        if len(golds) < 2:
            return
        first, second = list(golds.values())[:2]
        why = (
            "the options were shown in another order, so letters cannot be compared; add a column choices with the texts as shown"
            if question.are_letters
            else "variants of one example have one right answer; set family to meaning-changed where the question is another one"
        )
        row = next(row for row in by_variant[second] if not is_blank(row.target))
        self._problem(row.place, question.example, f"its right answer differs between variants '{first}' and '{second}': {why}")

    def _asked(self, name: str, rows: Sequence[AnswerRow], by_variant: Iterable[str]) -> str:
        given = next((row.question for row in rows if row.question), None)
        asked = [said for variant in by_variant if (said := self._prompts.question((name, variant))) is not None]
        if given is not None and not asked:
            return given
        return given if given is not None and len({row.question for row in rows}) == 1 else (asked[0] if asked else given or "")

    def _problem(self, place: str, example: str, what: str) -> None:
        self._found.problems.append(f"{place} (example '{example}'): {what}")

    def _tell_if_gold(self, by_example: Mapping[str, Sequence[AnswerRow]]) -> None:
        if not any(row.target is not None for rows in by_example.values() for row in rows) and _answers_look_right(by_example):
            self._found.notes.append(
                f"{self.dataset}: the answer is the same in every row of an example, whatever the response says. Read as the model's; "
                "if it is the right answer, say --columns target=answer"
            )

    def _tell(self) -> None:
        tasks = Counter(question.task for question in self.of.values())
        letters = sum(question.are_letters for question in self.of.values())
        how = []
        if tasks["choice"] and self.kind == CLOSED and not any(question.choices for question in self.of.values()):
            how.append("compared as given")
        elif tasks["choice"]:
            known = (
                f"; options of {self._from_prompts} of {tasks['choice']} examples are listed in their prompts" if self._from_prompts else ""
            )
            alone = (
                f"; letters alone in {letters}" if letters and known else " (letters alone, their texts are not known)" if letters else ""
            )
            how.append("read as options" + known + alone)
        how += ["read as numbers"] * bool(tasks["numeric"]) + ["read as short text"] * bool(tasks["text"])
        self._found.notes.append(f"{self.dataset}: answers are {' and '.join(how)}")
        if self._reworded:
            self._found.notes.append(
                f"{self.dataset}: {self._reworded} variants word their options otherwise; they are taken in the same order"
            )


def _answers_look_right(by_example: Mapping[str, Sequence[AnswerRow]]) -> bool:
    """Returns whether every example has several rows and one answer, though responses differ and examples do: as right answers do."""
    answers = {name: {row.answer for row in rows} for name, rows in by_example.items()}
    is_one = all(len(given) == 1 and None not in given for given in answers.values()) and all(len(rows) > 1 for rows in by_example.values())
    differ = any(len({row.response for row in rows}) > 1 for rows in by_example.values())
    return is_one and differ and len({given for one in answers.values() for given in one}) > 1


def given_category(answer: str, question: Question, variant: str) -> str | None:
    """Returns an answer that was given as read, in the form of the categories of its task; null where it names no option.

    Args:
        answer: As recorded.
        question: The example.
        variant: Name of the variant that was answered; letters mean its options.
    """
    if question.task == "numeric":
        return normal_number(answer) or normal_text(answer) or None
    if question.task == "text":
        return normal_text(answer) or None
    if question.choices is None:
        return normal_category(answer) or None
    shown = question.shown[variant]
    if shown.texts is None or shown.permutation is None:
        return None
    try:
        position = read_gold(answer, Choices(shown.texts, None), split=False).answer_index
    except DataError:
        position = read_choice(answer, question.labels, shown.texts)
    return None if position is None or position >= len(shown.permutation) else question.choices[shown.permutation[position]]


def _letters(rows: Iterable[AnswerRow]) -> int | None:
    """Returns how many option letters there are where all right answers (else all given answers) are single letters; else null."""
    rows = list(rows)
    targets = [text for row in rows for text in _texts(row.target)]
    answers = [row.answer for row in rows if row.answer is not None]
    found = {match[1].upper() if (match := _LETTER.fullmatch(text.strip())) else "" for text in targets or answers}
    if not found or "" in found or (max(found) > _LAST_LETTER and not {"A", "B", "C"} <= found):
        return None
    more = {text.strip().upper() for text in answers if _LETTER.fullmatch(text.strip()) and len(text.strip()) == 1}
    if more and max(more) > max(_LAST_LETTER, *found):
        return None
    seen = found | more
    return max(_FEWEST_LETTERS, ord(max(seen)) - ord("A") + 1)


def _texts(target: Any) -> list[str]:
    if is_blank(target):
        return []
    listed = items_of(target, split=False)
    return [text for item in (listed if listed is not None else [target]) if not is_blank(item) and (text := text_of(item)) is not None]


def _texts_of(row: AnswerRow) -> list[str]:
    return [_plain(text) for text in row.choices.texts] if row.choices else []


def _are_one_set(listed: Sequence[Sequence[str]]) -> bool:
    return len({frozenset(map(_plain, texts)) for texts in listed}) == 1


def _cover(texts: Sequence[str], by_variant: Mapping[str, Sequence[AnswerRow]]) -> bool:
    """Returns whether every right letter of an example is one of its listed options."""
    letters = [text.strip(" ().:").upper() for rows in by_variant.values() for row in rows for text in _texts(row.target)]
    return all(len(letter) == 1 and 0 <= ord(letter) - ord("A") < len(texts) for letter in letters)


def _same(task: str, answers: Iterable[str]) -> list[str]:
    if task == "choice":
        return [normal_category(answer) for answer in answers]
    return [(normal_number(answer) if task == "numeric" else None) or normal_text(answer) for answer in answers]


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
