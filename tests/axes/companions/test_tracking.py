"""Tracking, through the tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.axes.companions.test_uptake import made, of_texts
from tests.axes.tables import call, only, run_of

from sago.arrays.tracking import tracking
from sago.axes.companions.tracking import _distances

PROMPTS = ["a b c d", "a b c x", "a b y z"]


def test_an_echo_tracks_wholly() -> None:
    inputs = run_of(of_texts(*[dict(zip(PROMPTS, PROMPTS, strict=True))] * 4))
    row = only(made("tracking", inputs).profiles, family=None)
    assert (row["across"], row["unrelated"], row["instability"]) == (pytest.approx(1), 0, pytest.approx(1))
    # One pair of wordings is nearer than the other two: a third of the six relabelings keep it, so p = (1/3)^4.
    assert [flag for flag in row["flags"] if flag.startswith("permutation_p")] == [f"permutation_p={3**-4:.4f}"]


def test_p_is_drawn_from_content_and_not_from_order() -> None:
    texts = [dict(zip(PROMPTS, (f"r{n} a", "a b", f"b c r{n % 3}"), strict=True)) for n in range(9)]
    calls = of_texts(*texts)
    forward, backward = (made("tracking", run_of(one)).profiles for one in (calls, calls[::-1]))
    assert forward.equals(backward)


def test_reruns_are_averaged_pair_by_pair() -> None:
    found = _distances([[1, 2], [1], [3, 3]], lambda a, b: float(a != b))
    assert found.tolist() == [[0, 0.5, 1], [0.5, 0, 1], [1, 1, 0]]


def answered(*answers: str | None, **values: object) -> list[dict[str, object]]:
    return [
        call("1", f"paraphrase-{place}", prompt=prompt, **({"answer": answer} if answer else {"answer_reason": "unparsed"}), **values)
        for place, (prompt, answer) in enumerate(zip(PROMPTS, answers, strict=True))
    ]


@pytest.mark.parametrize(
    ("answers", "apart"),
    [(("A", "A", "B"), [[0, 0, 1], [0, 0, 1], [1, 1, 0]]), (("A", "B", "A"), [[0, 1, 0], [1, 0, 1], [0, 1, 0]])],
)
def test_answers_that_flip_where_wordings_differ(answers: tuple[str, ...], apart: list[list[int]]) -> None:
    jaccard = np.array([[0, 3 / 5, 1 / 3], [3 / 5, 0, 1 / 3], [1 / 3, 1 / 3, 0]])
    expected = tracking(1 - jaccard, np.array(apart, dtype=float))
    # The text of the replies was not recorded: the answers alone are enough.
    row = only(made("tracking_answers", run_of(answered(*answers))).profiles, family=None)
    assert row["across"] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("answers", "options", "reason"),
    [
        (("A", "A", "A"), {}, "equal_distances"),
        ((None, None, None), {}, "equal_distances"),
        (("A", None, "B"), {"non_answers": "missing"}, "too_few_variants"),
    ],
    ids=["all alike", "all unread", "one left out"],
)
def test_answers_that_cannot_be_ranked(answers: tuple[str | None, ...], options: dict[str, Any], reason: str) -> None:
    assert only(made("tracking_answers", run_of(answered(*answers), **options)).profiles, family=None)["reason"] == reason
