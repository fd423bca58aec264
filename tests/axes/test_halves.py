"""Table ``halves``: one split for all axes and models, controls out, merged wordings once."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.axes.tables import call, run_of

from sago import schemas
from sago.arrays.halving import Halved
from sago.axes.generation import axis
from sago.axes.halves import gains_over_halves, halves_table, splits_of

HEAD = {"model": "m", "dataset": "d", "axis": "a", "measure": "b", "decoding": "greedy"}


def test_splits_depend_on_seed_data_set_and_number_alone() -> None:
    assert (splits_of(0, "d")(12) == splits_of(0, "d")(12)).all()
    for other in (splits_of(1, "d"), splits_of(0, "e")):
        assert not (splits_of(0, "d")(12) == other(12)).all()


def test_rows_are_of_examples_with_a_whole_split() -> None:
    first = np.array([[0.5, np.nan], [np.nan, np.nan], [0.25, 0.75]])
    table = halves_table(HEAD, ("x", "y", "z"), [Halved(np.array([0, 1, 2]), first, np.ones((3, 2)))])
    checked = schemas.check("halves", table)
    assert checked["example"].to_list() == ["x", "z"]
    assert checked["first"].to_list() == [[0.5, None], [0.25, 0.75]]


def test_gains_are_weighted_by_distinctive_words() -> None:
    found = gains_over_halves([(7, 4, (0, 1, 3), np.array([0.5, 0.0, 1.0]), np.array([1.0, 3.0, 2.0]))], splits_of(0, "d"))[0]
    ways = splits_of(0, "d")(4)
    split = int(np.flatnonzero(ways[:, 0] == ways[:, 1])[0])
    both = sorted([found.first[0, split], found.second[0, split]])
    assert found.examples.tolist() == [7]
    assert both == pytest.approx([0.125, 1.0])


def test_no_examples_no_rows() -> None:
    assert halves_table(HEAD, (), []).equals(schemas.empty("halves"))
    assert isinstance(halves_table(HEAD, (), []), pl.DataFrame)


WORDINGS = ("canonical", "format-1", "typo-1", "typo-2")


def calls(model: str, names: tuple[str, ...], answers: dict[str, str]) -> list[dict[str, Any]]:
    return [call(example, name, model=model, answer=answers[name], prompt=f"{name} {example}") for example in "pq" for name in names]


def test_all_models_have_the_same_halves_and_controls_take_no_part() -> None:
    answers = {"canonical": "A", "format-1": "B", "typo-1": "A", "typo-2": "B", "identity": "C"}
    control = [call(example, "identity", model="m", answer="C", family="identity", control=True) for example in "pq"]
    inputs = run_of([*calls("m", WORDINGS, answers), *calls("n", WORDINGS[:3], answers), *control], seed=3)
    halves = axis.score(inputs).halves.filter(pl.col("example") == "p")
    assert halves["model"].to_list() == ["m"]  # of three wordings out of four, every split leaves a half with one
    ways = splits_of(3, "d")(4)
    alike = ways[:, 0] == ways[:, 2]
    assert halves["first"].to_list() == halves["second"].to_list() == [[0.0 if same else 1.0 for same in alike.tolist()]]


def test_a_wording_that_was_not_answered_leaves_the_others_in_place() -> None:
    names = (*WORDINGS, "typo-3", "typo-4")
    answers = dict(zip(names, "ABABAB", strict=True))
    inputs = run_of([*calls("m", names, answers), *calls("n", names[1:], answers)], seed=4)
    halves = axis.score(inputs).halves.filter(pl.col("example") == "q")
    ways = splits_of(4, "d")(6)
    whole, part = (halves.filter(pl.col("model") == model).row(0, named=True) for model in "mn")
    for split, way in enumerate(ways):
        with_first, without = ("first", "second") if way[0] else ("second", "first")
        assert part[without][split] == whole[without][split]
        chosen = [answers[name] for place, name in enumerate(names) if way[place] == way[0] and place]
        assert part[with_first][split] == float(chosen[0] != chosen[1])
