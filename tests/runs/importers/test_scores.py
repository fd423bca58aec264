"""Probabilities of options: what is not known is not 0."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.runs.importers.written import answers_of, default_of, features_of, scored_of

from sago.errors import DataError

KNOWN = {"choice_logprobs": [math.log(0.5), math.log(0.25), math.log(0.25)]}


def rows(odd: dict[str, Any], place: int) -> list[dict[str, Any]]:
    """Three examples in two wordings; the one of e0 at a place is odd."""
    given = [{"id": f"e{number}", "variant": name, "choices": ["x", "y", "z"], **KNOWN} for number in range(3) for name in ("base", "v")]
    del given[place]["choice_logprobs"]
    given[place] |= odd
    return given


@pytest.mark.parametrize(
    "odd",
    [
        *({"choice_logprobs": [-0.1, unknown, -3]} for unknown in (-9999, -9999.0, -1e5, None, "", math.nan)),
        {"choice_logprobs": {"A": -0.1, "C": -3}},
        {"choice_probabilities": [0.9, None, 0.1]},
        {"choice_probabilities": [0.9, math.nan, 0.1]},
        {"choice_probabilities": {"A": 0.9, "B": ""}},
    ],
)
@pytest.mark.parametrize(("place", "reason"), [(0, "no_canonical"), (1, "unknown_logprob")], ids=["original", "other"])
def test_an_option_that_is_not_known_has_no_probability(tmp_path: Path, odd: dict[str, Any], place: int, reason: str) -> None:
    answers = answers_of(tmp_path, rows(odd, place))
    found = features_of(answers).filter(pl.col("feature") == "option_probabilities").sort("example", "variant")
    assert found["reason"].to_list() == ["unknown_logprob" if number == place else None for number in range(6)]
    assert found["vector"].null_count() == 1
    assert answers.observations["choice_logprobs"].null_count() == 1
    (note,) = (note for note in answers.notes if "unknown is not 0" in note)
    assert "1 rows do not know the probability of some option" in note
    assert f"line {place + 1})" in note
    scored = scored_of(answers, axes=["confidence"])
    assert default_of(scored, "confidence")["n"] == 2
    assert scored.scores.filter(pl.col("example") == "e0")["across"].to_list() == [None]


def test_minus_infinity_and_0_are_known_probabilities_of_0(tmp_path: Path) -> None:
    for odd in ({"choice_logprobs": [math.log(0.5), math.log(0.5), "-Infinity"]}, {"choice_probabilities": [0.5, 0.5, 0]}):
        answers = answers_of(tmp_path, rows(odd, 1))
        found = features_of(answers).filter(feature="option_probabilities", example="e0", variant="v")
        assert found["vector"].to_list()[0] == pytest.approx([0.5, 0.5, 0], abs=1e-9)
        assert not any("unknown is not 0" in note for note in answers.notes)


@pytest.mark.parametrize(
    ("tokens", "number", "reason"),
    [
        ([None, -0.5], math.exp(-0.5), None),
        ([-9999.0, -0.5], None, "unknown_logprob"),
        (["-Infinity", -0.5], 0.0, None),
        ([-0.5, -math.inf, -9999], 0.0, None),
        ("[-inf, -0.5]", 0.0, None),
        ([-0.5, None], None, "unknown_logprob"),
        ([-0.5, -9999], None, "unknown_logprob"),
    ],
)
def test_a_sentinel_at_the_start_is_no_usual_null(tmp_path: Path, tokens: list[Any], number: float | None, reason: str | None) -> None:
    answers = answers_of(tmp_path, [{"id": 1, "variant": "base", "response": "x y", "token_logprobs": tokens}])
    found = features_of(answers).filter(feature="response_probability").row(0, named=True)
    assert (found["number"], found["reason"]) == (None if number is None else pytest.approx(number), reason)


def options_of(folder: Path, given: Any, field: str = "choice_logprobs") -> tuple[list[float] | None, list[str]]:
    answers = answers_of(folder, rows({field: given}, 1))
    found = features_of(answers).filter(feature="option_probabilities", example="e0", variant="v")
    return found["vector"].to_list()[0], [note for note in answers.notes if "no option" in note]


@pytest.mark.parametrize(
    ("field", "given", "expected"),
    [
        ("choice_logprobs", {" A": math.log(0.4), "A": math.log(0.1), "B": math.log(0.25), "C": -math.inf, "The": -5}, [2 / 3, 1 / 3, 0]),
        ("choice_logprobs", {"(A)": math.log(0.4), "\u0120B": math.log(0.4), "C.": math.log(0.1), "b\n": -40}, [4 / 9, 4 / 9, 1 / 9]),
        ("choice_probabilities", {"A": 0.6, "B": 0.2, "The": 0.2}, [0.75, 0.25, 0]),
        ("choice_probabilities", {"A": 0.6, "B": 0.2, "The": 0.1}, None),
        ("choice_logprobs", {" A": -0.1, "A": -3, "The": -5}, None),
    ],
)
def test_tokens_that_are_no_option_are_left_out(tmp_path: Path, field: str, given: Any, expected: list[float] | None) -> None:
    found, notes = options_of(tmp_path, given, field)
    assert found == (None if expected is None else pytest.approx(expected, abs=1e-9))
    assert len(notes) == ("The" in given)


def test_tokens_of_which_none_is_an_option_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError) as error:
        options_of(tmp_path, {"The": -0.1, "It": -3})
    assert "line 2: probabilities of 2 names ('The', 'It'), none of which is an option" in error.value.problems[0]
