"""What stands beside the number of a cell: its error over wordings, and the star of pairs with the canonical wording."""

from __future__ import annotations

import numpy as np
import pytest
from tests.axes.tables import call, run_of, whole

from sago.arrays import Rows, index_of, jackknife_se, parts_of
from sago.axes.generation import axis

WORDINGS = ("canonical", "typo-1", "typo-2", "format-x")
ANSWERS = {f"{place:02d}": [str((place * (1 if wording < 2 else wording)) % 7) for wording in range(4)] for place in range(40)}
ROWS = [(example, wording, answer) for example, answers in ANSWERS.items() for wording, answer in zip(WORDINGS, answers, strict=True)]


def profile(wordings: tuple[str, ...] = WORDINGS) -> dict[str, object]:
    calls = [
        call(example, wording, answer=answer, prompt=f"{example} {wording}", family=wording.split("-")[0])
        for example, wording, answer in ROWS
        if wording in wordings
    ]
    return whole(axis.score(run_of(calls)).profiles, measure="answer_flip")


def test_the_error_over_wordings_is_the_jackknife_of_leaving_each_out() -> None:
    found, left_out = profile(), []
    for name in WORDINGS:
        example, variant, answer = (np.array(column) for column in zip(*[row for row in ROWS if row[1] != name], strict=True))
        left_out.append(index_of(parts_of(Rows(answer, example, variant), "nominal")).instability)
    assert found["se_wordings"] == pytest.approx(jackknife_se(np.array(left_out)), abs=1e-12)
    assert found["se_total"] == pytest.approx(np.hypot(found["se"], found["se_wordings"]), abs=1e-12)  # type: ignore[call-overload]


def test_two_wordings_say_nothing_about_others() -> None:
    found = profile(("canonical", "typo-1"))
    assert (found["se_wordings"], found["se_total"]) == (None, None)


def test_wordings_of_one_example_each_are_no_templates_to_leave_out() -> None:
    calls = [
        call(example, f"{wording}-{example}", answer=answer, prompt=f"{example} {wording}", family="typo")
        for example, wording, answer in ROWS
        if example < "06"
    ]
    found = whole(axis.score(run_of(calls)).profiles, measure="answer_flip")
    assert found["n_variants"] == 4
    assert found["instability"] is not None
    assert (found["se_wordings"], found["se_total"]) == (None, None)


def test_the_star_is_the_change_from_the_canonical_wording() -> None:
    found = profile()
    flips = [np.mean([answer != answers[0] for answer in answers[1:]]) for answers in ANSWERS.values()]
    assert found["star_across"] == pytest.approx(np.mean(flips))
    assert found["star_instability"] == pytest.approx(np.mean(flips) / found["unrelated"])


def test_without_the_canonical_wording_there_is_no_star() -> None:
    found = profile(WORDINGS[1:])
    assert (found["star_across"], found["star_instability"], found["star_se"]) == (None, None, None)
