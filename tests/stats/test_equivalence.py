from __future__ import annotations

from typing import Any

import pytest
from scipy.stats import binomtest
from tests.variations.tables import row, table

from sago.stats import equivalence_counts, residual_bound, upper_share
from sago.variations import Varied, vary
from sago.variations.judging import Said, with_judgements


@pytest.mark.parametrize(("count", "n"), [(0, 1), (0, 58), (3, 100), (50, 51), (99, 100)])
def test_scipy_has_the_same_upper_end(count: int, n: int) -> None:
    """Its two-sided 90 % interval ends where the one-sided 95 % interval does."""
    assert upper_share(count, n) == pytest.approx(binomtest(count, n).proportion_ci(0.90, method="exact").high, abs=1e-9)


def test_all_or_none() -> None:
    assert upper_share(4, 4) == 1
    assert upper_share(0, 0) != upper_share(0, 0), "NaN: nobody looked"


def _made() -> Varied:
    """Twenty questions with one wording that may differ and one that cannot."""
    return vary(
        table(*(row(str(place), f"Is number {place} odd?", paraphrases=[f"Would number {place} be odd?"]) for place in range(20))),
        ["paraphrase", "case:styles=upper", "identity"],
    )


def _reviewed(varied: Varied, verdicts: dict[int, tuple[bool, ...]]) -> Varied:
    """Returns the variants with verdicts on the paraphrase of an example: one a reviewer."""
    rows = {(row["example"], row["family"]): place for place, row in enumerate(varied.variants.to_dicts())}
    said = {
        rows[str(example), "paraphrase"]: [
            Said("review", f"reviewer {number}", float(same), None, same) for number, same in enumerate(given, start=1)
        ]
        for example, given in verdicts.items()
    }
    return with_judgements(varied, said)


def _all(varied: Varied) -> dict[str, Any]:
    return equivalence_counts(varied.variants, varied.rejected).filter(family="all").row(0, named=True)


def test_without_a_review_it_is_not_known() -> None:
    found = _all(_made())
    assert (found["wordings"], found["by_construction"], found["reviewed"]) == (40, 20, 0)
    assert (found["pair_share"], found["share"], found["reason"]) == (None, None, "not_reviewed")


def test_wordings_by_construction_are_the_same() -> None:
    varied = _made()
    only = varied.variants.filter(~varied.variants["family"].is_in(["paraphrase"]))
    found = equivalence_counts(only).filter(family="all").row(0, named=True)
    assert (found["wordings"], found["by_construction"], found["pair_share"], found["reason"]) == (20, 20, 0.0, None)


def test_a_review_bounds_the_share_of_pairs_that_differ() -> None:
    """Ten of twenty paraphrases were seen, one is wrong: 10 left of 39 wordings in use."""
    varied = _reviewed(_made(), {0: (False,), **dict.fromkeys(range(1, 10), (True,))})
    assert varied.rejected.select("example", "variant", "rejected").rows() == [("0", "paraphrase-1", "review")]
    found = _all(varied)
    assert (found["wordings"], found["reviewed"], found["not_same"], found["share"], found["reviewers"]) == (39, 10, 1, 0.1, 1)
    upper = binomtest(1, 10).proportion_ci(0.90, method="exact").high
    assert found["share_upper"] == pytest.approx(upper)
    assert found["pair_share"] == pytest.approx(2 * upper * 10 / 39)
    assert residual_bound(0.5, found["pair_share"]) == pytest.approx((0.5 - 2 * upper * 10 / 39) / (1 - 2 * upper * 10 / 39))


def test_all_reviewed_leaves_nothing_open() -> None:
    found = _all(_reviewed(_made(), dict.fromkeys(range(20), (True,))))
    assert (found["pair_share"], found["share"], found["reason"]) == (0.0, 0.0, None)


def test_two_reviewers_agree_beyond_chance() -> None:
    """Both yes 6, both no 2, once each way: kappa = (.8 - .58) / (1 - .58)."""
    verdicts = [(True, True)] * 6 + [(False, False)] * 2 + [(True, False), (False, True)]
    found = _all(_reviewed(_made(), dict(enumerate(verdicts))))
    assert (found["reviewers"], found["reviewed_twice"], found["not_same"]) == (2, 10, 4)
    assert found["kappa"] == pytest.approx((0.8 - 0.58) / 0.42)
    assert found["kappa_lower"] < found["kappa"] < found["kappa_upper"]


def test_kappa_of_somebody_who_says_the_same_of_all_is_not_defined() -> None:
    found = _all(_reviewed(_made(), {place: (True, place > 0) for place in range(5)}))
    assert (found["reviewed_twice"], found["kappa"]) == (5, None)


def test_a_review_of_wordings_by_construction_counts_for_them() -> None:
    varied = _made()
    place = varied.variants["family"].to_list().index("case")
    found = _all(with_judgements(varied, {place: [Said("review", "reviewer 1", 0.0, None, False)]}))
    assert (found["reviewed"], found["not_same"], found["reason"]) == (1, 1, "not_reviewed"), "of paraphrases still nothing is known"


def test_families_stand_for_themselves() -> None:
    counts = equivalence_counts(_made().variants)
    assert counts.select("family", "wordings", "by_construction").rows() == [("paraphrase", 20, 0), ("case", 20, 20), ("all", 40, 20)]
