"""Prompts and names of variants: what a row was asked, in the words of the tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from sago.errors import DataError, StudyError
from sago.records import CANONICAL
from sago.runs.importers.rows import AnswerRow, AnswerRows, Messages

CANONICAL_NAMES = (CANONICAL, "original", "base", "baseline", "0")
"""Names of variants that are taken for the original wording, in this order."""

_NAMES_SHOWN = 8


def settle_prompts(dataset: str, rows: Sequence[AnswerRow], notes: list[str]) -> None:
    """Decides, for one data set, which text is the prompt and which the question.

    A text that is the same for every variant of every example is the question, not what the model saw: as a prompt it would make all
    variants one and the same. The other way round, questions that differ between the variants of an example are its prompts.
    """
    if any(row.prompt for row in rows):
        if _is_constant([(row.example, row.variant, row.prompt) for row in rows if row.prompt]):
            notes.append(
                f"{dataset}: every variant of an example has the same prompt text: taken as the question, not as what the model saw"
            )
            for row in rows:
                row.question = row.question or _last(row.prompt)
                row.prompt = ()
        return
    texts: dict[str, set[str]] = {}
    for row in rows:
        if row.question:
            texts.setdefault(row.example, set()).add(row.question)
    if any(len(asked) > 1 for asked in texts.values()):
        for row in rows:
            row.prompt = (("user", row.question),) if row.question else ()
        notes.append(f"{dataset}: the question differs between the variants of an example: taken as the prompt")


def name_variants(dataset: str, rows: Sequence[AnswerRow], notes: list[str]) -> None:
    """Names the variants of a source that has no column for them: by the distinct prompts of an example, in their order."""
    unnamed = [row for row in rows if row.variant is None]
    if not unnamed:
        return
    seen: dict[str, dict[Messages, str]] = {}
    for row in unnamed:
        if row.prompt:
            names = seen.setdefault(row.example, {})
            row.variant = names.setdefault(row.prompt, f"wording-{len(names) + 1}")
        else:
            row.variant = CANONICAL
    several = any(len(names) > 1 for names in seen.values())
    if several:
        notes.append(f"{dataset}: no column for the variant: told apart by their prompts")
    else:
        for row in unnamed:
            row.variant = CANONICAL
        notes.append(f"{dataset}: no column for the variant, so every example has one wording: name it with --columns variant=COLUMN")


def mark_canonical(found: AnswerRows, given: str | None) -> None:
    """Gives the original wording its name in the tables.

    Raises:
        StudyError: If no row has a variant of the name that was given.
    """
    by_dataset: dict[str, dict[str, None]] = {}
    for row in found.rows:
        by_dataset.setdefault(row.dataset, {})[str(row.variant)] = None
    if given is not None and not any(given in names for names in by_dataset.values()):
        names = dict.fromkeys(name for variants in by_dataset.values() for name in variants)
        raise StudyError(f"no variant is called '{given}'", where="--canonical", fix=f"Variants: {_some(names)}")
    chosen: dict[str, str] = {}
    for dataset, names in by_dataset.items():
        name = _canonical_of(names, given)
        if name is None:
            found.notes.append(f"{dataset}: no variant is named as the original wording; name it with --canonical NAME ({_some(names)})")
        else:
            chosen[dataset] = name
            if name != CANONICAL and CANONICAL in names:
                raise DataError(
                    f"variant '{name}' of {dataset} would take the name of its variant '{CANONICAL}'", fix=f"Give --canonical {CANONICAL}"
                )
    for row in found.rows:
        if chosen.get(row.dataset) == row.variant:
            row.variant = CANONICAL
    renamed = sorted({name for name in chosen.values() if name != CANONICAL})
    if renamed:
        found.notes.append(f"the original wording (canonical) is variant {' or '.join(map(repr, renamed))}")


def in_order(names: Iterable[str]) -> list[str]:
    """Returns names of variants with the canonical one first, the others in natural order.

    >>> in_order(["10", "2", "canonical", "b"])
    ['canonical', '2', '10', 'b']
    """
    return sorted(names, key=lambda name: (name != CANONICAL, [_rank(part) for part in re.split(r"(\d+)", name) if part]))


def check_prompts(dataset: str, rows: Sequence[AnswerRow], found: AnswerRows) -> dict[tuple[str, str], Messages]:
    """Returns the prompt of every example and variant.

    Answers of one model to two prompts under one name are a problem: they would be taken for reruns. Two models may have been given other
    prompts (another system message): the first one is kept, and a note says so.
    """
    kept: dict[tuple[str, str], AnswerRow] = {}
    mine: dict[tuple[str, str, str], AnswerRow] = {}
    differing = 0
    for row in rows:
        if not row.prompt:
            continue
        key = (row.example, str(row.variant))
        first = mine.setdefault((row.model, *key), row)
        if first.prompt != row.prompt:
            found.problems.append(
                f"{row.place}: {row.model} was given two prompts as variant '{row.variant}' of example '{row.example}' (the other one in "
                f"{first.unit} {first.number})"
            )
        differing += kept.setdefault(key, row).prompt != row.prompt
    if differing:
        found.notes.append(
            f"{dataset}: {differing} rows have another prompt than the first model for the same variant; the first one is shown"
        )
    return {key: row.prompt for key, row in kept.items()}


def _canonical_of(names: Iterable[str], given: str | None) -> str | None:
    known = list(names)
    if given is not None:
        return given if given in known else None
    folded = {name.casefold(): name for name in reversed(known)}
    return next((folded[name] for name in CANONICAL_NAMES if name in folded), None)


def _is_constant(asked: Iterable[tuple[str, str | None, object]]) -> bool:
    """Returns whether examples with several variants have one text each, and there is such an example."""
    variants: dict[str, set[str | None]] = {}
    texts: dict[str, set[object]] = {}
    for example, variant, text in asked:
        variants.setdefault(example, set()).add(variant)
        texts.setdefault(example, set()).add(text)
    several = [example for example, names in variants.items() if len(names) > 1]
    return bool(several) and all(len(texts[example]) == 1 for example in several)


def _last(prompt: Messages) -> str | None:
    return next((content for role, content in reversed(prompt) if role == "user"), None)


def _rank(part: str) -> tuple[bool, int, str]:
    is_number = part.isascii() and part.isdigit()
    return not is_number, int(part) if is_number else 0, part


def _some(names: Iterable[str]) -> str:
    known = in_order(names)
    return ", ".join(known[:_NAMES_SHOWN]) + (", ..." if len(known) > _NAMES_SHOWN else "")
