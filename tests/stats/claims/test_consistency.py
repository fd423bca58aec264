"""In how many data sets, over how many families, and everywhere somewhere."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats
from tests.stats.hand_made import cell, missing, profiles, scored

from sago import schemas
from sago.stats import conclude
from sago.stats.claims import consistency, uniformity
from sago.stats.evidence import Evidence


def at(p: float, **values: Any) -> dict[str, Any]:
    """A cell whose test against .05 has this p."""
    return cell(instability=0.05 + 0.02 * float(stats.norm.isf(p)), se=0.02, **values)


def findings(rows: list[dict[str, Any]], claim: str = "consistency", **options: Any) -> list[dict[str, Any]]:
    table = conclude(profiles(*rows), **options)
    return table.filter((pl.col("claim") == claim) & (pl.col("mode") == "calibrated")).to_dicts()


def test_golden_e39_in_two_of_three_data_sets() -> None:
    """p_{u/3} = .003, .04, .30."""
    (row,) = findings([at(p, dataset=f"d{place}") for place, p in enumerate((0.001, 0.02, 0.30))])
    assert (row["verdict"], row["estimate"], row["p"]) == ("PARTLY", 2, pytest.approx(0.04))
    assert (row["datasets"], row["n"], row["family"], row["p_adjusted"]) == (["d0", "d1", "d2"], 600, None, pytest.approx(0.04))
    assert (
        "above .050 in at least 2 of 3 data sets (p = .040 by partial conjunction, Holm over 1 model, n = 200 examples each)"
        in row["sentence"]
    )
    assert " % of their spread is beyond their errors (I2)" in row["sentence"]


def test_holm_over_models_takes_one_back() -> None:
    rows = [at(p, dataset=f"d{place}", model=model) for model in "ab" for place, p in enumerate((0.001, 0.02, 0.30))]
    assert [(row["estimate"], row["tests"]) for row in findings(rows)] == [(1, 2), (1, 2)]


@pytest.mark.parametrize(
    ("p", "verdict", "said"), [(0.001, "CONSISTENT", "above .050 in all 2"), (0.4, "NOT_SHOWN", "not shown to be above")]
)
def test_all_and_none(p: float, verdict: str, said: str) -> None:
    (row,) = findings([at(p, dataset="d"), at(p, dataset="e")])
    assert row["verdict"] == verdict
    assert said in row["sentence"]


def test_one_data_set_makes_no_finding_and_one_without_a_number_is_not_counted() -> None:
    assert findings([cell(), missing("not_observable", dataset="e")]) == []
    (row,) = findings([cell(), cell(dataset="e"), missing("not_observable", dataset="f")])
    assert row["datasets"] == ["d", "e"]


def test_families_of_one_data_set() -> None:
    families = [at(p, family=name, default=False) for name, p in (("typo", 0.4), ("paraphrase", 0.001))]
    other = at(0.001, family="typo", default=False, measure="embedding")
    (row,) = findings([cell(), *families, other])
    assert (row["family"], row["verdict"], row["estimate"], row["n"]) == ("each", "PARTLY", 1, 200)
    assert "in at least 1 of 2 families of wordings" in row["sentence"]
    assert "paraphrase .112 and typo .055" in row["sentence"]


def test_the_range_without_one_wording_is_said_where_it_is_known() -> None:
    known = [cell(dataset=name, without_lowest=low, without_highest=high) for name, low, high in (("d", 0.09, 0.15), ("e", 0.07, 0.13))]
    assert "with any one wording left out they stay between .070 and .150" in findings(known)[0]["sentence"]
    assert "left out" not in findings([known[0], cell(dataset="e")])[0]["sentence"]


def test_raw_gaps_are_joined_as_well() -> None:
    rows = [cell(dataset=name) for name in "de"]
    scores = [one for row in rows for one in scored(row, np.random.default_rng(0).uniform(0, 0.5, 100).tolist(), [0.0] * 100)]
    table = conclude(profiles(*rows), scores=schemas.frame("scores", scores))
    raw = table.filter((pl.col("claim") == "consistency") & (pl.col("mode") == "raw"))
    assert raw["verdict"].to_list() == ["CONSISTENT"]


def test_no_model_generalises_uniformly() -> None:
    rows = [at(p, model=model, dataset=name) for model, name, p in (("a", "d", 0.01), ("a", "e", 0.9), ("b", "d", 0.02), ("b", "e", 0.5))]
    (row,) = findings(rows, "uniformity")
    assert (row["verdict"], row["p"], row["models"], row["estimate"]) == ("NONE_UNIFORM", pytest.approx(0.04), ["a", "b"], 2)
    assert row["sentence"].startswith(
        "None of the 2 models generalises uniformly: each is above .050 in at least one of its cells (p = .040"
    )
    assert "2 cells a model, n = 200 examples each)." in row["sentence"]


def test_one_model_that_is_not_shown_is_enough() -> None:
    rows = [at(p, model=model) for model, p in (("a", 0.001), ("b", 0.2))]
    (row,) = findings(rows, "uniformity")
    assert (row["verdict"], row["p"], row["estimate"]) == ("NOT_SHOWN", pytest.approx(0.2), 1)
    assert row["sentence"].startswith("Not shown for b, of 2 models, that some cell is above .050")
    assert findings([cell()], "uniformity") == []


def test_sizes_where_cells_stand_at_the_edge() -> None:
    """True values at the smallest effect: 'in at least 2 of 3' beside one that is far above it, and 'all models somewhere' beside another
    model that is; at most 5 % of the time, within Monte-Carlo error."""
    z, count = np.random.default_rng(4).standard_normal((400, 2)), 400
    edge = [[1.0, *(0.05 + 0.02 * row).tolist()] for row in z]
    cells = [
        cell(measure=f"m{place}", dataset=f"d{number}", instability=value)
        for place, values in enumerate(edge)
        for number, value in enumerate(values)
    ]
    shown = sum((found.estimate or 0) > 1 for found in consistency(Evidence(profiles(*cells))))
    two = profiles(cell(model="a", instability=1.0), cell(model="b", dataset="d"), cell(model="b", dataset="e"))
    tables = [two.with_columns(instability=pl.Series(values)) for values in edge]
    uniform = sum(uniformity(Evidence(table))[0].verdict == "NONE_UNIFORM" for table in tables)
    limit = 0.05 * count + 2 * np.sqrt(0.05 * 0.95 * count)
    assert 0 < shown <= limit
    assert 0 < uniform <= limit
