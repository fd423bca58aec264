"""Names and families of variants: which wording a row answers, whatever the order of the rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from sago.errors import DataError, StudyError
from sago.records import CANONICAL
from sago.runs.importers.rows import AnswerRow, AnswerRows, Messages
from sago.seeds import content_hash
from sago.wordings import same_words

CANONICAL_NAMES = (CANONICAL, "original", "base", "baseline", "0")
"""Names of variants that are taken for the original wording, in this order."""

_NAMES_SHOWN = 8
_DIGITS = 8
"""Hex digits of a content hash that name a wording."""


def name_variants(dataset: str, rows: Sequence[AnswerRow], found: AnswerRows) -> None:
    """Names the variants of a source that has no column for them by the content of their prompts, so that the order of rows says nothing.

    Where every prompt holds the question of its row, the rest of it is the template, and templates are told apart; otherwise prompts are,
    and then the wordings of two examples have no name in common.
    """
    unnamed = [row for row in rows if row.variant is None]
    if not unnamed:
        return
    texts: dict[tuple[str, str], set[Messages]] = {}
    for row in unnamed:
        texts.setdefault((row.model, row.example), set()).add(row.prompt)
    if all(len({same_words(content for _, content in prompt) for prompt in prompts if prompt}) < 2 for prompts in texts.values()):
        for row in unnamed:
            row.variant = CANONICAL
        found.notes.append(f"{dataset}: no column for the variant, so every example has one wording: name it with --columns variant=COLUMN")
        return
    templates = _templates(unnamed)
    words = templates or {row.prompt: same_words(content for _, content in row.prompt) for row in unnamed}
    names = {prompt: f"wording-{content_hash(text)[:_DIGITS]}" for prompt, text in words.items()}
    for row in unnamed:
        row.variant = names[row.prompt]
        if not row.prompt:
            found.problems.append(f"{row.place}: no column for the variant, and no prompt that tells which wording it answers")
    found.notes.append(f"{dataset}: no column for the variant: told apart by their prompts{_in_common(unnamed)}")


def mark_canonical(found: AnswerRows, given: str | None) -> None:
    """Gives the original wording its name in the tables: that of a variant, else what the column ``family`` says.

    Raises:
        StudyError: If no row has a variant of the name that was given.
        DataError: If two variants would be the original wording.
    """
    by_dataset: dict[str, list[AnswerRow]] = {}
    for row in found.rows:
        by_dataset.setdefault(row.dataset, []).append(row)
    names = {dataset: dict.fromkeys(str(row.variant) for row in rows) for dataset, rows in by_dataset.items()}
    if given is not None and not any(given in known for known in names.values()):
        every = dict.fromkeys(name for known in names.values() for name in known)
        raise StudyError(f"no variant is called '{given}'", where="--canonical", fix=f"Variants: {_some(every)}")
    renamed = set()
    for dataset, rows in by_dataset.items():
        name = _canonical_of(names[dataset], given)
        if name not in (None, CANONICAL) and CANONICAL in names[dataset]:
            raise DataError(
                f"variant '{name}' of {dataset} would take the name of its variant '{CANONICAL}'", fix=f"Give --canonical {CANONICAL}"
            )
        of_family = _canonical_by_family(dataset, rows, name)
        if name is None and not of_family:
            said = _some(names[dataset])
            found.notes.append(f"{dataset}: no variant is named as the original wording; name it with --canonical NAME ({said})")
        for row in rows:
            if row.variant == name or of_family.get(row.example) == row.variant:
                renamed.add(row.variant)
                row.variant = CANONICAL
    told = in_order(str(name) for name in renamed if name != CANONICAL)
    if told:
        found.notes.append(f"the original wording (canonical) is variant {' or '.join(map(repr, told[:_NAMES_SHOWN]))}{_more(told)}")


def settle_families(dataset: str, rows: Sequence[AnswerRow], found: AnswerRows) -> None:
    """Gives all rows of an example and variant the family that one of them names; two families are a problem.

    The family decides whether a variant is a control, so that the one of whichever row came first would change the numbers.
    """
    first: dict[tuple[str, str | None], AnswerRow] = {}
    for row in rows:
        if row.family is None or row.variant == CANONICAL:
            continue
        other = first.setdefault((row.example, row.variant), row)
        if other.family != row.family:
            place = f"{other.unit} {other.number}" if other.source == row.source else other.place
            found.problems.append(
                f"{row.place}: variant '{row.variant}' of example '{row.example}' has family '{row.family}' here and '{other.family}' in "
                f"{place}; a variant of {dataset} has one family, for all models"
            )
    for row in rows:
        known = first.get((row.example, row.variant))
        row.family = row.family if known is None else known.family


def in_order(names: Iterable[str]) -> list[str]:
    """Returns names of variants with the canonical one first, the others in natural order.

    >>> in_order(["10", "2", "canonical", "b"])
    ['canonical', '2', '10', 'b']
    """
    return sorted(names, key=rank)


@lru_cache(maxsize=65536)
def rank(name: str) -> tuple[bool, tuple[tuple[bool, int, str], ...]]:
    """Returns a key that sorts names of variants: the canonical one first, the others in natural order."""
    return name != CANONICAL, tuple(_rank(part) for part in re.split(r"(\d+)", name) if part)


def _templates(rows: Sequence[AnswerRow]) -> dict[Messages, tuple[str, ...]] | None:
    """Returns prompt -> what is left of it without the question; null where that does not tell the prompts of an example apart."""
    found: dict[Messages, tuple[str, ...]] = {}
    prompts: dict[str, set[tuple[str, ...]]] = {}
    left: dict[str, set[tuple[str, ...]]] = {}
    for row in rows:
        if row.prompt not in found:
            question = same_words([row.question or ""])[0]
            words = same_words(content for _, content in row.prompt)
            if not question or not any(question in content for content in words):
                return None
            found[row.prompt] = tuple(content.replace(question, "\0") for content in words)
            prompts.setdefault(row.example, set()).add(words)
            left.setdefault(row.example, set()).add(found[row.prompt])
    return found if all(len(left[example]) == len(prompts[example]) for example in left) else None


def _in_common(rows: Sequence[AnswerRow]) -> str:
    """Returns what a name stands for, where most wordings are those of one example alone."""
    examples = Counter(name for name, _ in {(row.variant, row.example) for row in rows})
    if 2 * sum(count == 1 for count in examples.values()) <= len(examples):
        return f" ({len(examples)} wordings)"
    return (
        ", which differ from example to example: the wordings of two examples have nothing in common, so that nothing is said by wording. "
        "Name templates with --columns variant=COLUMN"
    )


def _canonical_of(names: Iterable[str], given: str | None) -> str | None:
    known = list(names)
    if given is not None and given in known:
        return given
    if given is not None or CANONICAL in known:
        return CANONICAL if CANONICAL in known else None
    folded = {name.casefold(): name for name in sorted(known, reverse=True)}
    return next((folded[name] for name in CANONICAL_NAMES if name in folded), None)


def _canonical_by_family(dataset: str, rows: Iterable[AnswerRow], name: str | None) -> dict[str, str | None]:
    """Returns example -> variant whose family says that it is the original wording; ``name`` is the one that its name says is."""
    marked: dict[str, AnswerRow] = {}
    for row in rows:
        if row.family is None or row.family.casefold() != CANONICAL or row.variant == name:
            continue
        other = marked.setdefault(row.example, row)
        if name is not None or other.variant != row.variant:
            second = f"variant '{name}' is the original wording" if name is not None else f"so has '{other.variant}' ({other.place})"
            raise DataError(
                f"variant '{row.variant}' of example '{row.example}' of {dataset} has family {CANONICAL}, and {second}",
                where=row.place,
                fix="An example has one original wording: give the others another family",
            )
    return {example: row.variant for example, row in marked.items()}


def _rank(part: str) -> tuple[bool, int, str]:
    is_number = part.isascii() and part.isdigit()
    return not is_number, int(part) if is_number else 0, part


def _some(names: Iterable[str]) -> str:
    known = in_order(names)
    return ", ".join(known[:_NAMES_SHOWN]) + _more(known)


def _more(names: Sequence[str]) -> str:
    return ", ..." if len(names) > _NAMES_SHOWN else ""
