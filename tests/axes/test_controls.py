"""Controls: each passes where it should, fails where it must, and says when it can say nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.axes.tables import call, only, run_of

from sago.arrays import Rows, across_of, parts_of
from sago.axes.cells import Labels
from sago.axes.generation import axis
from sago.axes.measured import shuffle

VARIANTS = ("canonical", "typo-1", "case-1", "format-1")


def sampled(rng: np.random.Generator, names: tuple[str, ...], *, changed: float = 0.9, moved: float = 0.2) -> list[dict[str, Any]]:
    """Thirty examples, three reruns; noise of asking again .1, of wordings ``moved``, of another meaning ``changed``."""
    calls = []
    for example in range(30):
        for variant in names:
            rate = {"canonical": 0.0, "identity": 0.0, "meaning-changed": changed}.get(variant, moved)
            own = f"{example}" if rng.random() > rate else f"other {rng.integers(100)}"
            for rerun in range(3):
                answer = own if rng.random() > 0.1 else f"noise {rng.integers(100)}"
                calls.append(call(f"{example:02d}", variant, decoding="sampled", rerun=rerun, answer=answer))
    return calls


def controls(calls: list[dict[str, Any]], **options: Any) -> dict[str, dict[str, Any]]:
    table = axis.score(run_of(calls, **options)).controls
    return {kind: only(table, kind=kind, measure="answer_flip") for kind in ("identity", "shuffled", "meaning-changed")}


def test_all_pass_on_a_sound_run() -> None:
    found = controls(sampled(np.random.default_rng(0), (*VARIANTS, "identity", "meaning-changed")), twins=True)
    assert {kind: row["verdict"] for kind, row in found.items()} == {"identity": "pass", "shuffled": "pass", "meaning-changed": "pass"}
    assert found["identity"]["lower"] < 0 < found["identity"]["upper"]
    assert found["shuffled"]["instability"] == pytest.approx(1, abs=0.05)
    assert found["meaning-changed"]["instability"] > 0.6
    assert {row["n"] for row in found.values()} == {30}


def test_identity_fails_where_the_same_prompt_is_answered_otherwise() -> None:
    calls = sampled(np.random.default_rng(1), (*VARIANTS, "identity"))
    for one in calls:
        if one["variant"] == "identity":
            one["answer"] = f"drifted {one['example']}"
    assert controls(calls)["identity"]["verdict"] == "fail"


def test_identity_takes_its_floor_from_its_own_two_prompts() -> None:
    table = {"canonical": "AAB", "identity": "AAA", "typo-1": "AAA", "case-1": "AAA"}
    calls = [
        call(str(number), variant, decoding="sampled", rerun=rerun, answer=f"{number}{answer}")
        for number in range(20)
        for variant, answers in table.items()
        for rerun, answer in enumerate(answers)
    ]
    row = controls(calls)["identity"]
    # B = 3 of 9 pairs; W = (2 / 3 + 0) / 2 of these two prompts, while that of the cell is (2 / 3 + 0 + 0) / 3.
    assert row["across"] == pytest.approx(1 / 3)
    assert row["instability"] == pytest.approx(0, abs=1e-9)


def test_identity_without_any_noise_says_nothing() -> None:
    calls = [call(str(n), v, answer=str(n)) for n in range(20) for v in (*VARIANTS, "identity")]
    row = controls(calls)["identity"]
    assert (row["verdict"], row["reason"], row["instability"], row["lower"], row["upper"]) == ("not_informative", "width_zero", 0, 0, 0)


def test_a_changed_meaning_that_changes_nothing_fails() -> None:
    row = controls(sampled(np.random.default_rng(2), (*VARIANTS, "meaning-changed"), changed=0.0, moved=0.6), twins=True)["meaning-changed"]
    assert row["verdict"] == "fail"


@pytest.mark.parametrize(("twins", "reason"), [(False, "no_twin"), (True, "no_control")])
def test_a_control_that_is_not_there_says_why(twins: bool, reason: str) -> None:
    found = controls(sampled(np.random.default_rng(3), VARIANTS), twins=twins)
    assert (found["meaning-changed"]["verdict"], found["meaning-changed"]["reason"]) == ("not_informative", reason)
    assert (found["identity"]["n"], found["identity"]["reason"]) == (0, "no_control")


def test_without_a_scale_no_control_speaks() -> None:
    calls = [call(str(n), v, answer="A") for n in range(40) for v in (*VARIANTS, "identity")]
    assert {row["reason"] for row in controls(calls).values()} == {"degenerate_null"}


def labels(example: np.ndarray, variant: np.ndarray) -> Labels:
    none = np.zeros(example.size, dtype=np.bool_)
    return Labels(example, variant, np.zeros(example.size, dtype=np.int64), ("typo",), none, none, np.zeros(example.size, dtype=np.int64))


def test_golden_e58_shuffled_responses_are_unrelated() -> None:
    rng = np.random.default_rng(58)
    example, variant = (np.asarray(grid, dtype=np.int64).reshape(-1) for grid in np.indices((60, 5)))
    answers = np.where(rng.random(300) < 0.8, example % 7, rng.integers(0, 7, 300))
    taker, donor = shuffle(labels(example, variant), rng)
    assert np.all(example[taker] != example[donor])
    assert np.all(variant[taker] == variant[donor])
    across = across_of(Rows(answers[donor], example[taker], variant[taker]), "nominal", np.arange(60))
    null = parts_of(Rows(answers, example, variant), "nominal").null
    assert across.mean() / null == pytest.approx(1, abs=0.05)


def test_shuffling_keeps_the_numbers_of_wordings_and_reruns() -> None:
    rng = np.random.default_rng(5)
    example = np.repeat(np.arange(8), 6)
    variant = np.tile([0, 0, 0, 1, 1, 2], 8)
    keep = rng.random(48) < 0.8
    example, variant = example[keep], variant[keep]
    taker, donor = shuffle(labels(example, variant), rng)
    assert sorted(taker.tolist()) == list(range(example.size))
    assert np.all(example[taker] != example[donor])
    for name in range(8):
        names = {(variant[take], variant[give], example[give]) for take, give in zip(taker, donor, strict=True) if example[take] == name}
        own = np.unique(variant[example == name]).size
        assert len(names) == len({given for _, given, _ in names}) == len({other for _, _, other in names}) == own


def test_shuffled_is_the_null_where_examples_with_many_wordings_are_unlike_the_others() -> None:
    """Donors of one's own name would all come from examples with many wordings, which here always say the same."""
    rng = np.random.default_rng(6)
    sizes = np.where(np.arange(400) < 100, 8, 2)
    example = np.repeat(np.arange(400), sizes)
    variant = np.concatenate([np.arange(size) for size in sizes])
    answers = np.where(sizes[example] == 8, 0, rng.integers(0, 5, 400)[example])
    null = parts_of(Rows(answers, example, variant), "nominal").null
    found = []
    for _ in range(20):
        taker, donor = shuffle(labels(example, variant), rng)
        found.append(across_of(Rows(answers[donor], example[taker], variant[taker]), "nominal", np.arange(400)).mean())
    assert np.mean(found) / null == pytest.approx(1, abs=0.03)


def test_a_single_example_has_no_donor() -> None:
    taker, donor = shuffle(labels(np.array([0, 0]), np.array([0, 9])), np.random.default_rng(0))
    assert (taker.size, donor.size) == (0, 0)
