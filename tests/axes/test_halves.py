"""Table ``halves``: one split for all axes and models, controls out, merged wordings once."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from sago import schemas
from sago.arrays.halving import Halved
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
    split = int(np.flatnonzero((ways[:, 0] == ways[:, 1]))[0])
    both = sorted([found.first[0, split], found.second[0, split]])
    assert found.examples.tolist() == [7]
    assert both == pytest.approx([0.125, 1.0])


def test_no_examples_no_rows() -> None:
    assert halves_table(HEAD, (), []).equals(schemas.empty("halves"))
    assert isinstance(halves_table(HEAD, (), []), pl.DataFrame)
