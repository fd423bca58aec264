"""How far it is known that wordings mean the same: what was made so, what models checked, what people reviewed (METRICS 10)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from scipy import special

from sago import schemas
from sago.records import BY_CONSTRUCTION, REVIEW

ALL = "all"
"""Name of the row about all families of a data set together."""


def equivalence_counts(variants: pl.DataFrame, rejected: pl.DataFrame | None = None) -> pl.DataFrame:
    """Returns table ``equivalence``: a row a family and one for all families of each data set.

    Args:
        variants: Table ``variants`` of those in use.
        rejected: The same of those that a check or a person rejected; null = none.
    """
    table = pl.concat([variants, schemas.empty("variants") if rejected is None else rejected])
    rows = table.filter((pl.col("position") > 0) & ~pl.col("control"))
    rows = rows.select("dataset", "family", "checks", "judgements", "rejected")
    found: list[dict[str, Any]] = []
    for (dataset,), of_dataset in rows.group_by("dataset", maintain_order=True):
        for (family,), of_family in of_dataset.group_by("family", maintain_order=True):
            found.append({"dataset": dataset, "family": family, **_counted(of_family)})
        found.append({"dataset": dataset, "family": ALL, **_counted(of_dataset)})
    return schemas.frame("equivalence", found)


def upper_share(count: int, n: int, level: float = 0.95) -> float:
    """Returns the upper end of the one-sided exact interval of a share (Clopper and Pearson 1934).

    Range [0, 1]; 1 where all were counted, NaN without any.

    >>> round(upper_share(0, 58), 3)
    0.05
    """
    if n == 0:
        return math.nan
    return 1.0 if count == n else float(special.betaincinv(count + 1, n - count, level))


def _counted(rows: pl.DataFrame) -> dict[str, Any]:
    in_use = rows["rejected"].is_null()
    is_made_so = rows["checks"].list.contains(BY_CONSTRUCTION)
    judgements = rows["judgements"].to_list()
    verdicts = [_verdicts(given) for given in judgements]
    is_reviewed = pl.Series([bool(given) for given in verdicts], dtype=pl.Boolean)
    is_same = pl.Series([all(given.values()) for given in verdicts], dtype=pl.Boolean)
    is_judged = pl.Series([_is_judged(given) for given in judgements], dtype=pl.Boolean)
    was_asked = pl.Series([_was_asked(given) for given in judgements], dtype=pl.Boolean)
    wordings, reviewed = int(in_use.sum()), int(is_reviewed.sum())
    not_same = int((is_reviewed & ~is_same).sum())
    of_each = [(is_reviewed & part, is_reviewed & ~is_same & part, in_use & ~is_reviewed & part) for part in (~is_made_so, is_made_so)]
    pairs = _pair_share([(int(seen.sum()), int(wrong.sum()), int(left.sum())) for seen, wrong, left in of_each], wordings)
    return {
        "wordings": wordings,
        "by_construction": int((in_use & is_made_so).sum()),
        "judged": int((in_use & ~is_made_so & is_judged).sum()),
        "unjudged": int((in_use & ~is_made_so & ~is_judged & was_asked).sum()),
        "reviewed": reviewed,
        "not_same": not_same,
        "share": not_same / reviewed if reviewed else None,
        "share_upper": upper_share(not_same, reviewed) if reviewed else None,
        "pair_share": pairs,
        "reason": "not_reviewed" if pairs is None else None,
        **_agreement(verdicts),
    }


def _pair_share(parts: Sequence[tuple[int, int, int]], wordings: int) -> float | None:
    """Returns the most pairs of wordings that may not mean the same, as a share; null where it is not known.

    A pair means the same where both wordings mean what the original means, so its share of exceptions is at most twice that of wordings.

    Args:
        parts: (reviewed, of these not the same, in use and not reviewed), first of wordings that have to be checked, then of those that
            keep the meaning by the way they were made: these are known to be the same unless a person looked.
        wordings: All in use.
    """
    (seen, _, left), made_so = parts
    if left and not seen:
        return None
    known = [part for part in (parts[0], made_so) if part[0] and part[2]]
    level = 1 - 0.05 / max(1, len(known))
    return min(1.0, sum(2 * upper_share(wrong, seen, level) * left / wordings for seen, wrong, left in known))


def _verdicts(judgements: Sequence[dict[str, Any]] | None) -> dict[str, bool]:
    """Returns reviewer -> whether the wording means the same."""
    found: dict[str, bool] = {}
    for one in judgements or ():
        if one["check"] == REVIEW and one["passed"] is not None:
            found[one["by"]] = found.get(one["by"], True) and one["passed"]
    return found


def _is_judged(judgements: Sequence[dict[str, Any]] | None) -> bool:
    return any(one["check"] != REVIEW and one["passed"] for one in judgements or ())


def _was_asked(judgements: Sequence[dict[str, Any]] | None) -> bool:
    return any(one["check"] != REVIEW for one in judgements or ())


def _agreement(verdicts: Sequence[dict[str, bool]]) -> dict[str, Any]:
    """Returns Cohen's kappa (Cohen 1960) of the first two reviewers with its 95 % interval; null where it is 0 / 0."""
    reviewers = sorted({name for given in verdicts for name in given})
    found: dict[str, Any] = {"reviewers": len(reviewers), "reviewed_twice": sum(len(given) > 1 for given in verdicts)}
    if len(reviewers) < 2:
        return found
    first, second = reviewers[:2]
    table = np.zeros((2, 2))
    for given in verdicts:
        if first in given and second in given:
            table[int(given[first]), int(given[second])] += 1
    if max(table.sum(axis=0).max(), table.sum(axis=1).max()) == table.sum():
        return found  # somebody said the same of all of them: agreement by chance has no measure
    from statsmodels.stats.inter_rater import cohens_kappa  # slow to import, and few look at two reviewers

    kappa = cohens_kappa(table)
    ends = max(-1.0, float(kappa.kappa_low)), min(1.0, float(kappa.kappa_upp))
    return found | {"kappa": float(kappa.kappa), "kappa_lower": ends[0], "kappa_upper": ends[1]}
