"""What recorded answers answer: task, options and right answers of every example, and how each variant showed them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from string import ascii_uppercase

from sago.datasets.gold import NO_GOLD, Choices, Gold, read_gold
from sago.datasets.values import is_blank
from sago.errors import DataError
from sago.features.numbers import given_number
from sago.features.texts import normal_category, normal_text
from sago.records import CONTROL_FAMILIES, are_verdicts
from sago.runs.importers.carried import carry_gold
from sago.runs.importers.kinds import FEWEST_LETTERS, are_booleans, is_number, letters_of, pair_of, texts_of
from sago.runs.importers.meanings import are_labels, meaning_of
from sago.runs.importers.options import ReadAs
from sago.runs.importers.prompts import Prompts
from sago.runs.importers.rows import AnswerRow, AnswerRows
from sago.runs.importers.shown_options import ByVariant, order_of, take_given, take_listed
from sago.runs.importers.wordings import rank

_NAMES_SHOWN = 5
_OVERRIDES: dict[str, str] = {"letter": "choice", "number": "numeric", "text": "text"}

_ARE_VERDICTS = "; they are verdicts (correct, incorrect), so two different wrong answers count as the same"

CLOSED = "closed"
"""Kind of a data set whose answers are given and nothing has to be read from a response: task ``choice`` without options."""


@dataclass(slots=True)
class Shown:
    """How a row put the options of its example."""

    permutation: tuple[int, ...] | None
    """Original index at each shown position; null = no options."""
    options: Choices | None
    """Texts and the data's own labels in shown order; null = no options."""
    gold: Gold
    names_first: bool | None = None
    """Whether an answer that is the text of one option and names another means the latter; null = as its own type says."""

    @property
    def texts(self) -> tuple[str, ...] | None:
        """Texts in shown order; null without options."""
        return None if self.options is None else self.options.texts

    @property
    def labels(self) -> tuple[str, ...] | None:
        """Labels in shown order, the data's own or letters; null without options."""
        return None if self.options is None else self.options.labels or labels(len(self.options.texts))

    @property
    def read_labels(self) -> tuple[str, ...] | None:
        """Labels that answers may use; null where a label that is the text of another option means that text."""
        if self.options is None or self.labels is None:
            return None
        return None if not self.names_first and are_labels(self.options.texts, self.labels) else self.labels


@dataclass(slots=True)
class Question:
    """One example."""

    example: str
    task: str
    question: str
    choices: tuple[str, ...] | None
    are_letters: bool
    """Whether the options are known by their letters alone."""
    are_booleans: bool = False
    """Whether the right answers of the data set are true and false."""
    shown: dict[str, Shown] = field(default_factory=dict)
    """Variant -> how its first row put the options."""
    others: dict[tuple[str, Choices | None], Shown] = field(default_factory=dict)
    """Variant and options of a row -> how it put them, where another row of the variant came first."""

    def shown_to(self, row: AnswerRow) -> Shown:
        """Returns how a row put the options."""
        variant = str(row.variant)
        return self.others.get((variant, row.choices), self.shown[variant]) if self.others else self.shown[variant]

    def is_otherwise(self, row: AnswerRow) -> bool:
        """Returns whether a row showed the options in another order, or under other labels, than the first row of its variant."""
        first, own = self.shown[str(row.variant)], self.shown_to(row)
        return (own.permutation, own.labels) != (first.permutation, first.labels)


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
        self._are_verdicts = are_verdicts({row.answer for row in rows if row.answer is not None})
        self._found = found
        by_example: dict[str, list[AnswerRow]] = {}
        for row in rows:
            by_example.setdefault(row.example, []).append(row)
        self._override = _OVERRIDES.get(read_as)
        self._letters_alone = read_as == "letter"
        open_rows = [row for part in by_example.values() if not any(one.choices for one in part) for row in part]
        self._letters = letters_of(open_rows)
        self._pair = pair_of(open_rows)
        self.kind = self._override or (self._open_kind(open_rows) if open_rows else "choice")
        self._are_booleans = are_booleans(open_rows)
        self._from_prompts = 0
        self._are_listed = False
        self._reworded: set[tuple[str, str]] = set()
        self._torn: list[AnswerRow] = []
        self._carried: dict[str, tuple[int, int]] = {}
        parts = {name: _by_variant(part) for name, part in by_example.items()}
        offered = {name: self._offer(by_variant) for name, by_variant in parts.items()}
        self._meaning = meaning_of(rows, are_listed=self._are_listed or self._from_prompts > 0)
        self.of = {name: self._question(name, parts[name], *offered[name]) for name in parts}
        self._tell()
        self._tell_doubts()
        self._tell_carried()
        self._tell_if_gold(by_example)

    def _open_kind(self, rows: Sequence[AnswerRow]) -> str:
        """Returns how the answers to open questions are read: by letter, by number, as given, or as text."""
        texts = [text for row in rows for text in texts_of(row.target)] or [row.answer for row in rows if row.answer is not None]
        if texts and (self._letters or self._pair):
            return "choice"
        if texts and all(is_number(text) for text in texts):
            return "numeric"
        if any(row.answer is not None for row in rows):
            return CLOSED
        has_words = any((row.response or "").strip() for row in rows)
        return CLOSED if any(row.correct is not None for row in rows) and not has_words else "text"

    def _offer(self, by_variant: ByVariant) -> tuple[str, tuple[str, ...] | None, bool]:
        """Returns task, options and whether they are letters alone, after every row of an example was given the options that it showed."""
        rows = [row for part in by_variant.values() for row in part]
        is_given = any(row.choices for row in rows)
        task = self._override or next((row.task for row in rows if row.task), None) or ("choice" if is_given else self.kind)
        if task not in ("choice", CLOSED) or (self.kind == CLOSED and not is_given):
            for row in rows:
                row.choices = None
            return "choice" if task == CLOSED else task, None, False
        if is_given:
            first, torn, are_listed = take_given(by_variant, self._problem)
            self._torn += torn
            self._are_listed |= are_listed
            return "choice", first.texts, False
        listed = None if self._letters_alone else take_listed(by_variant, lambda texts: _cover(texts, by_variant))
        if listed is not None:
            self._from_prompts += 1
            return "choice", listed.texts, False
        if self._pair and not self._letters_alone:
            return "choice", self._pair, True
        return "choice", labels(self._letters or FEWEST_LETTERS), True

    def _question(self, name: str, by_variant: ByVariant, task: str, choices: tuple[str, ...] | None, are_letters: bool) -> Question:
        rows = [row for part in by_variant.values() for row in part]
        question = Question(name, task, self._asked(name, rows, by_variant), choices, are_letters, self._are_booleans)
        for variant, part in by_variant.items():
            groups: dict[Choices | None, list[AnswerRow]] = {}
            for row in part:
                groups.setdefault(row.choices, []).append(row)
            for offered, group in groups.items():
                shown = self._shown(question, variant, group, offered)
                first = question.shown.setdefault(variant, shown)
                if first is not shown:
                    question.others[variant, offered] = shown
                    self._one_gold(first, shown, group)
        self._check_gold(question, by_variant)
        self._carried[name] = carry_gold(question.shown, by_variant)
        return question

    def _shown(self, question: Question, variant: str, rows: Sequence[AnswerRow], offered: Choices | None) -> Shown:
        if question.choices is None:
            return Shown(None, None, self._gold(rows, None))
        options = offered or Choices(question.choices, question.choices if question.are_letters else None)
        gold = self._gold(rows, options)
        order, are_reworded = order_of(options.texts, question.choices)
        if are_reworded:
            self._reworded.add((question.example, variant))
        if gold.answer_index is not None and gold.answer_index < len(order):
            original = order[gold.answer_index]
            gold = Gold((question.choices[original],), original, gold.note)
        return Shown(order, options, gold, self._meaning.names_first_in_answers(options))

    def _gold(self, rows: Sequence[AnswerRow], choices: Choices | None) -> Gold:
        given = [row for row in rows if not is_blank(row.target)]
        if not given:
            return NO_GOLD
        gold = self._read_gold(given[0], choices)
        for other in given[1:]:
            if other.target != given[0].target and (choices is None or self._read_gold(other, choices).answer_index != gold.answer_index):
                self._problem(other, f"its target is not that of {given[0].unit} {given[0].number}, the same variant")
                break
        return gold

    def _read_gold(self, row: AnswerRow, choices: Choices | None) -> Gold:
        try:
            return read_gold(row.target, choices, split=row.split, names_first=self._meaning.names_first_in_targets(choices))
        except DataError as error:
            self._problem(row, error.what)
            return NO_GOLD

    def _one_gold(self, first: Shown, other: Shown, rows: Sequence[AnswerRow]) -> None:
        """Rows of one variant that show their options in different orders have one right answer."""
        if not first.gold.answers:
            first.gold = other.gold
        elif other.gold.answers and other.gold.answer_index != first.gold.answer_index:
            row = next(row for row in rows if not is_blank(row.target))
            self._problem(row, f"its target is {other.gold.answers[0]!r}, that of the same variant before it {first.gold.answers[0]!r}")

    def _check_gold(self, question: Question, by_variant: ByVariant) -> None:
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
        self._problem(row, f"its right answer differs between variants '{first}' and '{second}': {why}")

    def _asked(self, name: str, rows: Sequence[AnswerRow], by_variant: Iterable[str]) -> str:
        given = next((row.question for row in rows if row.question), None)
        asked = [said for variant in by_variant if (said := self._prompts.question((name, variant))) is not None]
        if given is not None and not asked:
            return given
        return given if given is not None and len({row.question for row in rows}) == 1 else (asked[0] if asked else given or "")

    def _problem(self, row: AnswerRow, what: str) -> None:
        self._found.problems.append(f"{row.place} (example '{row.example}'): {what}")

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
            how.append("compared as given" + (_ARE_VERDICTS if self._are_verdicts else ""))
        elif tasks["choice"]:
            known = (
                f"; options of {self._from_prompts} of {tasks['choice']} examples are listed in their prompts" if self._from_prompts else ""
            )
            named = "letters alone" if self._pair is None else f"{self._pair[0]} and {self._pair[1]} alone"
            unknown = ", their texts are not known" if self._pair is None else ""
            alone = f"; {named} in {letters}" if known else f" ({named}{unknown})"
            how.append("read as options" + known + (alone if letters else ""))
        how += ["read as numbers"] * bool(tasks["numeric"]) + ["read as short text"] * bool(tasks["text"])
        self._found.notes.append(f"{self.dataset}: answers are {' and '.join(how)}")
        if self._reworded:
            self._found.notes.append(
                f"{self.dataset}: {len(self._reworded)} variants word their options otherwise; what differs is taken in the same order"
            )

    def _tell_carried(self) -> None:
        for place, what in enumerate(
            (
                "take the right answer of their example",
                "stay without: that of their example is a letter or number, and they show the options in another order. Give the text",
            )
        ):
            names = [name for name, counts in self._carried.items() if counts[place]]
            if names:
                count = sum(self._carried[name][place] for name in names)
                self._found.notes.append(f"{self.dataset}: {count} rows without a target, of {some(names)}, {what}")

    def _tell_doubts(self) -> None:
        notes = [(name, gold.note) for name, question in self.of.items() for gold in _golds_of(question) if gold.note]
        if notes:
            self._found.notes.append(f"{self.dataset}: {in_doubt('right answers', notes)}")
        doubtful = {
            name: question for name, question in self.of.items() if any(_has_labels_as_texts(shown) for shown in question.shown.values())
        }
        if doubtful:
            question = next(iter(doubtful.values()))
            how = "its text" if next(iter(question.shown.values())).read_labels is None else "the label of another"
            self._found.notes.append(
                f"{self.dataset}: options of {some(doubtful)} are labels of other options; in responses such a letter or number is {how}"
            )
        if self._torn:
            self._found.notes.append(
                f"{self.dataset}: {len(self._torn)} rows list their options in the prompt in another order than their choices (the first: "
                f"{self._torn[0].place}): answers are read by the choices"
            )


def _answers_look_right(by_example: Mapping[str, Sequence[AnswerRow]]) -> bool:
    """Returns whether every example has several rows and one answer, though responses differ and examples do: as right answers do."""
    answers = {name: {row.answer for row in rows} for name, rows in by_example.items()}
    is_one = all(len(given) == 1 and None not in given for given in answers.values()) and all(len(rows) > 1 for rows in by_example.values())
    differ = any(len({row.response for row in rows}) > 1 for rows in by_example.values())
    return is_one and differ and len({given for one in answers.values() for given in one}) > 1


def in_doubt(what: str, notes: Sequence[tuple[str, str]]) -> str:
    """Returns a line about values that could be read in two ways: their examples, and how the first was read."""
    return f"{what} of {some(dict.fromkeys(name for name, _ in notes))} could be read in two ways; example '{notes[0][0]}': {notes[0][1]}"


def some(names: Iterable[str], what: str = "example") -> str:
    """Returns how many examples, or what else, there are, and the first of them by name.

    >>> some(["7", "8"])
    "2 examples ('7', '8')"
    """
    known = list(names)
    shown = ", ".join(map(repr, known[:_NAMES_SHOWN])) + (", ..." if len(known) > _NAMES_SHOWN else "")
    return f"{len(known)} {what}{'s' * (len(known) > 1)} ({shown})"


def _by_variant(rows: Iterable[AnswerRow]) -> dict[str, list[AnswerRow]]:
    by_variant: dict[str, list[AnswerRow]] = {}
    for row in sorted(rows, key=lambda row: rank(str(row.variant))):  # options are in the order of the first variant, not of the rows
        by_variant.setdefault(str(row.variant), []).append(row)
    return by_variant


def _golds_of(question: Question) -> Iterable[Gold]:
    return (shown.gold for shown in (*question.shown.values(), *question.others.values()))


def _has_labels_as_texts(shown: Shown) -> bool:
    return shown.options is not None and shown.labels is not None and are_labels(shown.options.texts, shown.labels)


def _cover(texts: Sequence[str], by_variant: ByVariant) -> bool:
    """Returns whether every right letter of an example is one of its listed options."""
    letters = [text.strip(" ().:").upper() for rows in by_variant.values() for row in rows for text in texts_of(row.target)]
    return all(len(letter) == 1 and 0 <= ord(letter) - ord("A") < len(texts) for letter in letters)


def _same(task: str, answers: Iterable[str]) -> list[str]:
    if task == "choice":
        return [normal_category(answer) for answer in answers]
    return [(given_number(answer) if task == "numeric" else None) or normal_text(answer) for answer in answers]
