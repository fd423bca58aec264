"""Choices that speak of other choices: "All of the above", "Both A and B"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

_ABOVE = re.compile(
    r"""
    (?:all|none|both|any|some|either|neither|two|three|several|more\ than\ one|not\ any)\ (?:of\ )?(?:the\ |these\ |those\ |them\ )?
        (?:(?:other|others|given|listed|following|previous|first)\ )*
        (?:above|below|these|those|them|following|others|options|choices|answers|statements)(?:\ .*)?
    | (?:all|none|both|neither|either)\ (?:are|is)\ (?:correct|true|right|wrong|false)
    | .*\b(?:the|answers?|options?|choices?)\ (?:above|below|preceding)\b.*
    | (?:alles?|alle|keine[rs]?|nichts)\b.*\b(?:oben|genannte[nr]?|davon|antworten)\b.*
    | (?:toutes?|tous|aucune?)\b.*(?:ci-dessus|réponses?|propositions?)\b.*
    | (?:todas?|todos?|ningun[oa]|ninguno)\b.*\b(?:anteriores?|opciones|respuestas)\b.*
    | (?:tutt[ei]|nessun[ao]?)\b.*\b(?:precedenti|risposte)\b.*
    | (?:todas?|nenhuma?)\b.*\b(?:acima|alternativas|anteriores)\b.*
    | все\ (?:выше|перечисл|ответы|варианты).* | ни\ один\ из.* | ничего\ из.*
    | 以上.* | (?:上述|上記|上の|前述).* | (?:都|皆|全)(?:是|不是|对|不对|正确|非|错)。? | (?:どれ|いずれ)(?:も|でもない).*
    | 위.*(?:모두|없음|아님).* | 모두\ .*
    | both | neither | either | all\ (?:of\ )?(?:the\ )?(?:two|three|four|five|six|\d)
    | (?:alle|geen)\b.*\b(?:bovenstaande|genoemde|antwoorden)\b.* | (?:alla|ingen|inget|inga)\b.*\bovanstående\b.*
    | (?:wszystkie|żadn[aey])\b.*\b(?:powyższ\w*|odpowiedzi|wymienion\w*)\b.* | (?:všechny|žádná)\b.*\b(?:výše|odpovědi|uvedených)\b.*
    | hepsi | hiçbiri | yukarıdaki.* | (?:semua|tidak)\b.*\b(?:atas|jawaban|benar)\b.* | tất\ cả.* | không\ có\ đáp\ án.*
    | (?:كل|جميع)\ (?:ما|الإجابات|الخيارات|الأجوبة).* | لا\ شيء\ م.* | (?:उपरोक्त|उपर्युक्त|ऊपर|इनमें\ से).*
    | .*ข้างต้น.* | ถูกทุกข้อ | (?:усі|всі)\ (?:вище|перелічен|варіанти|відповіді).* | כל\ התשובות.* | όλα\ τα\ παραπάνω
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ONE = r"\(?(?-i:[A-Z])\)?"
_JOIN = r"(?:\s*(?:,\s*(?:and|or)\b|,|&|\+|/|\b(?:and|or|nor|und|oder|et|ou|y|e)\b|和|与|或|及|と)\s*)"
_NOUN = r"(?:options?|choices?|answers?|letters?)\s+"
_LEAD = rf"(?:(?:both|only|neither|either|all\s+of|just|same\s+as)\s+(?:{_NOUN})?|{_NOUN})"
_TAIL = r"(?:\s*,?\s*(?:only|both|together|alone|(?:are|is)\s+(?:both\s+)?(?:correct|true|right)|都对|都是|皆是|均正确))"
_LIST = rf"{_ONE}(?:{_JOIN}{_ONE})*"
# Only what says by another word that it means options is rewritten: a bare "A and B" may be blood types.
_NAMES = re.compile(rf"\s*(?:{_LEAD}{_LIST}{_TAIL}?|{_LIST}{_TAIL})\s*\.?\s*", re.IGNORECASE)
_MAY_NAME = re.compile(rf"(?<![^\W_]){_ONE}{_JOIN}{_ONE}(?![^\W_])|(?<![^\W_])(?:option|choice|answer)\s+{_ONE}(?![^\W_])")
# Names options as well, in ways that are not rewritten: "All except A", "A but not B", "both a and b".
_CHOICE_MAY_NAME = re.compile(
    rf"(?:\b(?:except(?: for)?|but|not|without|excluding|other than)\s+(?:{_NOUN})?\(?[A-HJ-Z]\)?(?![^\W_]))"
    rf"|\b(?:both|n?either|options?|choices?|answers?)\s+\(?[a-h]\)?{_JOIN}\(?[a-h]\)?(?![^\W_])|(?<![^\W_])[a-h]{_JOIN}[a-h]\s+only\b"
)
_BY_PLACE = re.compile(
    r"(?:(?:both|n?either|all|none|any|only|one|not)\s+(?:of\s+)?)?the\s+(?:(?:previous|preceding|former|latter)(?:\s+\w+)?"
    r"|(?:first|last|second|third|next|other)\s+(?:one|ones|two|three|four|answers?|options?|choices?))",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    rf"(?:(?:both|n?either|only|all\s+of)\s+(?:{_NOUN})?|{_NOUN})\(?\d\)?(?:{_JOIN}\(?\d\)?)+(?:{_TAIL})?"
    rf"|\(?\d\)?(?:{_JOIN}\(?\d\)?)+{_TAIL}",
    re.IGNORECASE,
)
_LETTER = re.compile(r"(?<![^\W_])[A-Z](?![^\W_])")


def points_at_all(choice: str) -> bool:
    """Returns whether a choice speaks of the choices around it as a whole ("All of the above"), and so has to keep its place.

    >>> [points_at_all(text) for text in ("None of these", "以上皆是", "none")]
    [True, True, False]
    """
    return _ABOVE.fullmatch(" ".join(choice.split()).rstrip(".")) is not None


@lru_cache(maxsize=4096)
def letters_in(choice: str, count: int) -> tuple[int, ...] | None:
    """Returns the indices of the choices that a choice names by letter ("Both A and B"), empty where it names none.

    Null where letters are joined but the sentence is of no form that could be rewritten safely ("A but not B").

    >>> letters_in("Both A and B", 4), letters_in("Vitamin A", 4), letters_in("A and B but not C", 4)
    ((0, 1), (), None)
    """
    if not _NAMES.fullmatch(choice):
        return None if _MAY_NAME.search(choice) or _CHOICE_MAY_NAME.search(choice) else ()
    indices = tuple(ord(letter) - ord("A") for letter in _LETTER.findall(choice))
    return indices if all(index < count for index in indices) else None


def rewrite(choice: str, new_labels: Sequence[str], shown: Sequence[str] | None = None) -> str:
    """Returns the choice with each letter replaced by the new label of the same choice, in rising order of place.

    Args:
        choice: A choice of which :func:`letters_in` names some.
        new_labels: For each original index, the label under which that choice is shown now.
        shown: The labels from the first place to the last; null = letters or numbers, which sort by themselves.

    >>> rewrite("Both A and B", ["C", "A", "B", "D"])
    'Both A and C'
    """
    in_order = sorted(new_labels, key=lambda label: (len(label), label)) if shown is None else shown
    places = {label: place for place, label in enumerate(in_order)}
    labels = iter(sorted((new_labels[ord(letter) - ord("A")] for letter in _LETTER.findall(choice)), key=places.__getitem__))
    return _LETTER.sub(lambda _: next(labels), choice)


def rewritten(choices: Sequence[str], permutation: Sequence[int], labels: Sequence[str]) -> tuple[str, ...] | None:
    """Returns the choices in shown order with every letter reference brought to the labels shown; null where nothing changes.

    Args:
        choices: Choice texts in the order of the data.
        permutation: Original index at each shown position.
        labels: Label at each shown position.
    """
    label_of = dict(zip(permutation, labels, strict=True))
    new_labels = [label_of[index] for index in range(len(choices))]
    shown = tuple(
        rewrite(choices[index], new_labels, labels) if letters_in(choices[index], len(choices)) else choices[index] for index in permutation
    )
    return shown if shown != tuple(choices[index] for index in permutation) else None


def letters_can_move(choices: Sequence[str]) -> bool:
    """Returns whether every choice that names others by letter can be rewritten for other labels."""
    return all(letters_in(choice, len(choices)) is not None for choice in choices)


def question_names_letters(question: str) -> bool:
    """Returns whether a question speaks of its options by letter ("Is option B right?"), so that no label may change."""
    return _MAY_NAME.search(question) is not None


def has_letters(choices: Sequence[str]) -> bool:
    """Returns whether some choice names others by letter, or may do so."""
    return any(letters_in(choice, len(choices)) != () for choice in choices)


def _name_places(choices: Sequence[str]) -> bool:
    """Returns whether a choice names others by their place, or by numbers that only a few of the choices name."""
    plain = [" ".join(choice.split()).rstrip(".") for choice in choices]
    numbered = sum(_NUMBERED.fullmatch(choice) is not None for choice in plain)
    return any(_BY_PLACE.fullmatch(choice) for choice in plain) or 0 < 2 * numbered < len(choices)


@lru_cache(maxsize=4096)
def free_positions(choices: tuple[str, ...]) -> tuple[int, ...]:
    """Returns the positions whose choices may change places; empty where no other order makes sense.

    Choices that point at all others keep their places, which must be the last ones: elsewhere "above" would come to mean others.
    Choices that name letters keep their places as well; their letters follow the others. Where one names others by their place ("The first
    two") or number ("Options 1 and 2") no order makes sense but the given one, unless most name numbers: those stand in the question.
    """
    count = len(choices)
    if not letters_can_move(choices) or _name_places(choices) or all(_LETTER.fullmatch(choice.strip()) for choice in choices):
        return ()  # options that are themselves letters would stand behind labels that contradict them
    pointing = [index for index, choice in enumerate(choices) if points_at_all(choice)]
    naming = {index for index, choice in enumerate(choices) if letters_in(choice, count)}
    tail = count
    while tail and (tail - 1 in pointing or tail - 1 in naming):
        tail -= 1
    if any(index < tail for index in pointing):
        return ()
    return tuple(index for index in range(tail) if index not in naming)
