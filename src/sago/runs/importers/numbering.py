"""Variant numbers that are no names: where wordings were numbered by what came back, number 3 of two examples is no common wording."""

from __future__ import annotations

from collections.abc import Sequence

from sago.records import CANONICAL
from sago.runs.importers.rows import AnswerRow
from sago.seeds import content_hash

_ENOUGH = 20
"""Examples of which some wordings are right and some wrong, all of them in order: by chance once in 2^20 at the most."""
_PLACES = 3
"""Different numbers of right wordings among them: one template that fails everywhere is in order too, but always at the same place."""
_DIGITS = 8


def part_numbers_of_results(dataset: str, rows: Sequence[AnswerRow], notes: list[str]) -> None:
    """Gives wordings names of their own example where their numbers follow the verdicts.

    Some files count verdicts by question and number them: all right ones first, then the wrong ones. Taken as templates, number 1 would be
    a wording that is nearly always right. Numbers are taken for such an order where every name but that of the original wording is a
    number, no wording has reruns, and of every model and example the verdicts are in order of the numbers, in 20 or more that have both
    kinds and with the change at three or more places.

    Args:
        dataset: Name of the data set, for the note.
        rows: Its rows, whose variants are renamed.
        notes: Takes what a person should know.
    """
    numbered = [row for row in rows if row.variant != CANONICAL]
    if not numbered or not all(row.variant is not None and row.variant.isdecimal() for row in numbered):
        return
    verdicts: dict[tuple[str, str], dict[int, float]] = {}
    for row in numbered:
        of_example = verdicts.setdefault((row.model, row.example), {})
        if row.correct is None or int(row.variant or 0) in of_example:
            return
        of_example[int(row.variant or 0)] = row.correct
    if not _in_order([[value for _, value in sorted(one.items())] for one in verdicts.values()]):
        return
    suffix = {name: content_hash(name)[:_DIGITS] for name in {row.example for row in numbered}}
    for row in numbered:
        row.variant = f"{row.variant}-{suffix[row.example]}"
    notes.append(
        f"{dataset}: the numbers of its other variants follow the verdicts (all right ones on one side), so they are an order of results, "
        "no names: "
        "the wordings of two examples have nothing in common, and nothing is said by wording"
    )


def _in_order(examples: Sequence[Sequence[float]]) -> bool:
    mixed = [values for values in examples if len(set(values)) > 1]
    if len(mixed) < _ENOUGH or len({sum(values) for values in mixed}) < _PLACES:
        return False
    falls = all(list(values) == sorted(values, reverse=True) for values in mixed)
    return falls or all(list(values) == sorted(values) for values in mixed)
