"""Variant numbers that are an order of results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.runs.importers.written import answers_of, features_of

from sago.runs.importers import Answers
from sago.stats import accuracy, variance_components, wording_accuracy


def numbered(folder: Path, *, order: str = "falling", examples: int = 40, name: str = "{}", reruns: int = 1) -> Answers:
    rng, rows = np.random.default_rng(0), []
    for example in range(examples):
        verdicts = (rng.random(6) < rng.beta(1, 1)).astype(int)
        verdicts = {"falling": np.sort(verdicts)[::-1], "rising": np.sort(verdicts), "any": verdicts}[order]
        row: dict[str, Any] = {"model": "m", "dataset": "d", "example": str(example)}
        rows.append({**row, "variant": "0", "correct": 1, "repeat": 0})
        rows += [
            {**row, "variant": name.format(place + 1), "correct": int(verdict), "repeat": rerun}
            for place, verdict in enumerate(verdicts)
            for rerun in range(reruns)
        ]
    return answers_of(folder, rows)


def note_of(answers: Answers) -> bool:
    return any("follow the verdicts" in note for note in answers.notes)


@pytest.mark.parametrize("order", ["falling", "rising"])
def test_an_order_of_results_is_no_template(tmp_path: Path, order: str) -> None:
    """The trap: by number the accuracy would fall from template to template, with a spread far beyond chance."""
    answers = numbered(tmp_path, order=order)
    assert note_of(answers)
    features = features_of(answers)
    assert wording_accuracy(features, answers.variants)["variant"].to_list() == ["canonical"]
    row = accuracy(features, answers.variants).row(0, named=True)
    assert (row["n"], row["n_wordings"], row["spread"]) == (40, 0, None)
    assert variance_components(features, answers.variants)["design"].to_list() == ["nested"]


@pytest.mark.parametrize(
    "how",
    [{"order": "any"}, {"examples": 10}, {"name": "t{}"}, {"reruns": 2}],
    ids=["no order", "too few examples", "names with words", "reruns"],
)
def test_other_numbers_stay_names(tmp_path: Path, how: dict[str, Any]) -> None:
    answers = numbered(tmp_path, **how)
    assert not note_of(answers)
    assert answers.variants["variant"].n_unique() == 7


def test_one_template_that_always_fails_stays_one(tmp_path: Path) -> None:
    each = [(str(example), place) for example in range(30) for place in range(6)]
    rows = [{"model": "m", "example": example, "variant": str(place), "correct": int(place < 5)} for example, place in each]
    assert not note_of(answers_of(tmp_path, rows))
