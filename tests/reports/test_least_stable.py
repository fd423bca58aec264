"""Which examples move most."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import polars as pl
import pytest
from tests.reports.sample import MODELS, empty_tables

from sago import schemas
from sago.reports import least_stable
from sago.reports.least_stable import main_decoding
from sago.schemas import Tables


def score(example: str, across: float | None, instability: float | None, model: str = "m", decoding: str = "greedy") -> dict[str, Any]:
    row = {"model": model, "dataset": "d", "example": example, "axis": "generation", "measure": "answer_flip", "decoding": decoding}
    return row | {"across": across, "instability": instability, "n_variants": 3, "n_observations": 3}


def profile(model: str = "m", measure: str = "answer_flip", default: bool = True, decoding: str = "greedy") -> dict[str, Any]:
    row = {"model": model, "dataset": "d", "axis": "generation", "measure": measure, "decoding": decoding, "default": default}
    return row | {"n": 2, "n_left_out": 0, "flags": []}


def made(scores: list[dict[str, Any]], profiles: list[dict[str, Any]]) -> Tables:
    return replace(empty_tables(), scores=schemas.frame("scores", scores), profiles=schemas.frame("profiles", profiles))


def test_highest_first_and_null_behind_by_across() -> None:
    tables = made([score("a", 0.1, 0.2), score("b", 0.9, None), score("c", 0.3, 0.6), score("d", 0.95, None)], [profile()])
    assert least_stable(tables)["example"].to_list() == ["c", "a", "d", "b"]


def test_mean_over_models_counts_the_one_that_did_not_move() -> None:
    tables = made(
        [score("a", 0.8, 0.8), score("a", 0.0, 0.0, "other"), score("b", 0.5, 0.5), score("b", 0.5, 0.5, "other")],
        [profile(), profile("other")],
    )
    ranking = least_stable(tables)
    assert ranking["example"].to_list() == ["b", "a"]
    assert ranking["instability"].to_list() == pytest.approx([0.5, 0.4])
    assert ranking["models"].to_list() == [2, 2]


def test_what_did_not_move_or_was_not_scored_is_left_out() -> None:
    tables = made([score("a", 0.0, 0.0), score("b", None, None), score("c", 0.1, -0.1)], [profile()])
    assert least_stable(tables)["example"].to_list() == ["c"]


def test_other_measures_and_decodings_do_not_rank() -> None:
    surface = score("b", 0.9, 0.9) | {"measure": "surface"}
    tables = made(
        [score("a", 0.1, 0.1), surface, score("c", 0.9, 0.9, decoding="sampled")],
        [profile(), profile(measure="surface", default=False), profile(decoding="sampled")],
    )
    assert least_stable(tables)["example"].to_list() == ["a"]


def test_sampled_ranks_where_there_is_no_greedy() -> None:
    tables = made([score("a", 0.1, 0.1, decoding="sampled")], [profile(decoding="sampled")])
    assert main_decoding(tables) == "sampled"
    assert least_stable(tables)["example"].to_list() == ["a"]


@pytest.mark.parametrize("n", [0, 1, 3])
def test_at_most_n_ranked_from_one(tables: Tables, n: int) -> None:
    ranking = least_stable(tables, n)
    assert ranking["rank"].to_list() == list(range(1, n + 1))


def test_row_order_does_not_matter(tables: Tables) -> None:
    turned = replace(tables, scores=tables.scores.reverse(), profiles=tables.profiles.reverse())
    assert least_stable(turned).equals(least_stable(tables))
    assert least_stable(tables)["models"].max() == len(MODELS)


def test_empty_tables_rank_nothing() -> None:
    ranking = least_stable(empty_tables())
    assert ranking.is_empty()
    assert {"rank": pl.Int64, "instability": pl.Float64}.items() <= dict(ranking.schema).items()
