"""From scores to findings: every claim, made from the same evidence (METRICS 8)."""

from __future__ import annotations

import polars as pl

from sago import schemas
from sago.stats.claims import MAKERS
from sago.stats.evidence import Evidence, Rules


def conclude(  # noqa: PLR0913 - the tables that claims are made from, and what was fixed before looking
    profiles: pl.DataFrame,
    *,
    scores: pl.DataFrame | None = None,
    halves: pl.DataFrame | None = None,
    controls: pl.DataFrame | None = None,
    covariates: pl.DataFrame | None = None,
    smallest_effect: float = 0.05,
    alpha: float = 0.05,
    margin: float = 0.30,
    seed: int = 0,
) -> pl.DataFrame:
    """Returns table ``findings``: each claim of ``sago.stats.claims`` with its test, verdict and sentence.

    A table that is not given makes no claims. p values are corrected by Holm over the tests of the same claim.

    Args:
        profiles: Table ``profiles``.
        scores: Table ``scores``; for claims that compare models, data sets or axes.
        halves: Table ``halves``; for claims about axes.
        controls: Table ``controls``.
        covariates: Table ``covariates``; for claims about axes.
        smallest_effect: Smallest instability of interest, in [0, 1), fixed before looking.
        alpha: Error level, in (0, 0.5).
        margin: Correlations of axes within this of 0 count as none, in (0, 1).
        seed: Study seed, for resampling.

    Raises:
        SchemaError: If a table does not fit its schema.
    """
    given = {"scores": scores, "halves": halves, "controls": controls, "covariates": covariates}
    tables = {name: schemas.empty(name) if table is None else schemas.check(name, table) for name, table in given.items()}
    evidence = Evidence(schemas.check("profiles", profiles), **tables, rules=Rules(smallest_effect, alpha, margin, seed))
    return schemas.frame("findings", [finding.row() for make in MAKERS for finding in make(evidence)])
