"""The right answer of an example where only some of its rows name it: it belongs to the example, so the other rows take it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sago.datasets.values import is_blank, text_of
from sago.features.texts import normal_category
from sago.records import CONTROL_FAMILIES
from sago.runs.importers.rows import AnswerRow

if TYPE_CHECKING:
    from sago.runs.importers.questions import Shown

_OTHER_QUESTION = "meaning-changed"


def carry_gold(shown: Mapping[str, Shown], by_variant: Mapping[str, Sequence[AnswerRow]]) -> tuple[int, int]:
    """Gives variants without a right answer that of their example, which is the same in all variants that have one.

    A letter or number means an option by the order in which it was shown. Where a variant without a target has another order than the one
    with it, which of the two orders was meant is not known, and the variant stays without.

    Args:
        shown: Variant -> how it put the options; those without a right answer get one.
        by_variant: The rows of each variant.

    Returns:
        How many rows took the answer, and how many could not.
    """
    own = [
        variant
        for variant, put in shown.items()
        if put.gold.answers and not any(row.family in CONTROL_FAMILIES for row in by_variant[variant])
    ]
    if not own:
        return 0, 0
    first = shown[own[0]]
    orders = {shown[variant].permutation for variant in own}
    is_by_order = not all(_is_text(row.target, first) for variant in own for row in by_variant[variant] if not is_blank(row.target))
    taken = left = 0
    for variant, put in shown.items():
        rows = by_variant[variant]
        if put.gold.answers or any(row.family == _OTHER_QUESTION for row in rows):
            continue
        if is_by_order and put.permutation not in orders:
            left += len(rows)
            continue
        put.gold = first.gold
        taken += len(rows)
    return taken, left


def _is_text(target: Any, shown: Shown) -> bool:
    """Returns whether a target is the text of the right option, whatever the order; for open questions it always is."""
    if shown.permutation is None:
        return True
    only = target[0] if isinstance(target, list) and len(target) == 1 else target
    return normal_category(text_of(only) or "") == normal_category(shown.gold.answers[0])
