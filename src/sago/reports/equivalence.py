"""How far it is known that wordings mean the same, in words, and what that leaves of an instability (METRICS 10)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sago.reports.numbers import decimal, percent
from sago.schemas import Tables
from sago.stats.aggregates import residual_bound
from sago.stats.equivalence import ALL
from sago.stats.words import counted


def pair_shares(tables: Tables) -> dict[str, float | None]:
    """Returns for each data set the share of pairs of wordings that may not mean the same, at most; null where it is not known."""
    return dict(tables.equivalence.filter(family=ALL).select("dataset", "pair_share").iter_rows())


def least_instability(instability: float | None, share: float | None) -> float | None:
    """Returns what of an instability is left if so many pairs do not mean the same; null where there are none, or it is not known.

    >>> round(least_instability(0.20, 0.05), 6)
    0.157895
    """
    if instability is None or not share or share >= 1:
        return None
    return residual_bound(instability, share)


def least_words(least: float) -> str:
    """Returns what is left of an instability in words; at 0 or less all of it could come from wordings that changed the meaning.

    >>> least_words(0.157895), least_words(-0.21)
    ('at least .16', 'possibly none')
    """
    return f"at least {decimal(least)}" if least > 0 else "possibly none"


def equivalence_lines(tables: Tables) -> dict[str, str]:
    """Returns one line for each data set that has wordings."""
    rows = tables.equivalence.filter(family=ALL).iter_rows(named=True)
    return {row["dataset"]: equivalence_words(row) for row in rows if row["wordings"]}


def equivalence_words(row: Mapping[str, Any]) -> str:
    """Returns how far it is known that the wordings of a data set mean the same.

    Args:
        row: Row of table ``equivalence`` about all families.
    """
    wordings, open_ones = row["wordings"], row["wordings"] - row["by_construction"]
    if not open_ones and not row["reviewed"]:
        every = "The one wording keeps" if wordings == 1 else f"All {wordings:,} wordings keep"
        return f"{every} the meaning by construction." if wordings else "There are no wordings."
    if not row["by_construction"]:
        every = "The one wording could have changed" if wordings == 1 else f"All {wordings:,} wordings could have changed"
        return f"{every} the meaning; {_judged(row, 'it' if wordings == 1 else 'them')}. {_reviewed(row)}"
    made_so = "1 keeps" if row["by_construction"] == 1 else f"{row['by_construction']:,} keep"
    others = f"; {_judged(row, 'the other one' if open_ones == 1 else f'the other {open_ones:,}')}" if open_ones else ""
    return f"Of {counted(wordings, 'wording')} {made_so} the meaning by construction{others}. {_reviewed(row)}"


def _judged(row: Mapping[str, Any], which: str) -> str:
    """Returns what models said of the wordings that could have changed."""
    if not row["judged"] and not row["unjudged"]:
        return f"no model checked {which}"
    silent = f", and of {row['unjudged']:,} the model asked gave no verdict ({'it stays' if row['unjudged'] == 1 else 'they stay'} in use)"
    return f"of {which}, {row['judged']:,} passed a check by a model" + (silent if row["unjudged"] else "")


def _reviewed(row: Mapping[str, Any]) -> str:
    if not row["reviewed"]:
        return "Nobody reviewed any: how many changed the meaning is not known (sago vary --review writes a sheet)."
    found = (
        f"{_people(row['reviewers'])} reviewed {row['reviewed']:,}, drawn at random: {row['not_same']:,} "
        f"{'does' if row['not_same'] == 1 else 'do'} not mean the same "
        f"({percent(row['not_same'], row['reviewed'])}, at most {_most(row['share_upper'])} with 95 %)"
    )
    if row["kappa"] is not None:
        found += f"; agreement kappa {decimal(row['kappa'])} [{decimal(row['kappa_lower'])}, {decimal(row['kappa_upper'])}], "
        found += f"n = {row['reviewed_twice']:,}"
    elif row["reviewed_twice"]:
        found += f"; {row['reviewed_twice']:,} were judged twice, but one of the two said the same of all, so kappa is not defined"
    if row["pair_share"] is None:
        return f"{found}."
    if not row["pair_share"]:
        return f"{found}. All that could have changed were reviewed."
    return f"{found}. So at most {_most(row['pair_share'])} of pairs of wordings do not mean the same."


def _people(count: int) -> str:
    return "One person" if count == 1 else f"{count} people"


def _most(share: float) -> str:
    return f"{100 * share:.1f} %".replace(".0 %", " %")
