"""What rows of recorded answers have to be among one another: one temperature."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.runs.importers.written import answers_of

from sago.errors import EXIT_BAD_INPUT, DataError


def rows(*heats: float | str | None, **values: Any) -> list[dict[str, Any]]:
    return [{"id": 1, "variant": name, "temperature": heat, "answer": "x", **values} for heat in heats for name in ("base", "x")]


@pytest.mark.parametrize("values", [{}, {"decoding": "sampled"}, {"decoding": "recorded"}])
def test_two_temperatures_in_one_cell_are_refused(tmp_path: Path, values: dict[str, Any]) -> None:
    with pytest.raises(
        DataError, match=r"model answered answers at temperatures 0\.3 \(.*, line 3\) and 1 \(.*, line 1\), .*model name"
    ) as caught:
        answers_of(tmp_path, rows(1.0, 0.3, **values))
    assert caught.value.exit_code == EXIT_BAD_INPUT
    assert len(caught.value.problems) == 1


@pytest.mark.parametrize(
    "given",
    [
        rows(0, 0.7),
        rows(0.7, "0.70", None),
        [*rows(0.3, model="m"), *rows(1, model="n")],
        [*rows(0.3, dataset="d"), *rows(1, dataset="e")],
        rows(0.3, 1, decoding="greedy"),
    ],
    ids=["greedy and sampled", "one in two spellings", "models", "data sets", "greedy whatever it says"],
)
def test_other_temperatures_are_other_cells(tmp_path: Path, given: list[dict[str, Any]]) -> None:
    assert answers_of(tmp_path, given).observations.height == len(given)
