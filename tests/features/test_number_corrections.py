"""Numbers that a response takes back, denies or checks: what it settles on counts, and nothing where that is not clear."""

from __future__ import annotations

import pytest

from sago.features.numbers import given_number, stated_number


@pytest.mark.parametrize(
    ("said", "number"),
    [
        ("12. However, that counts Sunday twice, so 10", "10"),
        ("12. Hold on, that counts Sunday twice. 10.", "10"),
        ("12. Wait, I forgot the first day, so it's 13.", "13"),
        ("12. Actually 13.", "13"),
        ("12? No, 13.", "13"),
        ("12 — I mean 13.", "13"),
        ("12, wait no, 13", "13"),
        ("12... hmm, 13", None),
        ("The answer is 12. However, that counts Sunday twice, so 10.", "10"),
        ("The answer is 12. Hold on, that counts Sunday twice, so 10.", "10"),
        ("Answer: 12. But wait, Sunday is counted twice, so it should be 11.", "11"),
        ("Answer: 12\n\nHowever, this counts Sunday twice, so the real number is 10.", "10"),
        ("The answer is 12. Actually, let me recheck: 4 + 7 = 11. So 11.", "11"),
        ("The answer is 15. Sorry, I made an error: 5 * 3 = 15 but we must add 2. So 17.", "17"),
        (r"\boxed{15} Wait, I made a mistake. 5*4 = 20. \boxed{20}", "20"),
        ("The answer is 12. That is incorrect, because Sunday counts twice. The correct answer is 10.", "10"),
        ("I initially got 15, but the correct answer is 12.", "12"),
        ("Most people answer 10 cents, but the correct answer is 5 cents.", "5"),
    ],
)
def test_what_a_response_settles_on_counts(said: str, number: str | None) -> None:
    assert given_number(said) == number


@pytest.mark.parametrize(
    "said", ["The answer is 12 but that is wrong.", "The answer is 12. That's wrong.", "I got 12, which is wrong.", "Wait, 12 or 13?"]
)
def test_what_is_taken_back_for_nothing_is_no_answer(said: str) -> None:
    assert given_number(said) is None


@pytest.mark.parametrize(
    "said",
    [
        "The answer is 12. However, if Sunday is counted twice, it is 13.",
        "The answer is 12. However, some sources say 10.",
        "The answer is 12. However, this assumes 30 days.",
        "The answer is 12. But that's not all: he also has 3 dogs.",
        "The answer is 12. But note: 12 is divisible by 3, so 4 each.",
        "12\n\nThere are 3 rows. There are 4 columns.",
        "12. Let me double-check: 3 * 4 = 12. Yes, 12.",
        "12. No, this is no trick.",
        "Actually, the answer is 12.",
        "The answer is 12. Although 5 looks right, it misses one.",
    ],
)
def test_a_remark_takes_nothing_back(said: str) -> None:
    assert given_number(said) == "12"


@pytest.mark.parametrize(
    ("said", "number"),
    [
        *(
            ("It can't be 5, so it must be 6.", "6"),
            ("It can't be 5.", None),
            ("not 5", None),
            ("I would not say 5.", None),
            ("It's definitely not 5", None),
        ),
        *(("5, not 6", "5"), ("The ball costs 5 cents, not 10 cents.", "5"), ("6 rather than 5", "6"), ("It isn't 5 but 6.", "6")),
        *(("The answer cannot be 5.", None), ("The answer can't be 5, so it is 6.", "6"), ("It's not 5, it's 6.", "6")),
        ("She has 3 apples. The answer is not 5.", None),
        ("It's not 460. It's 480.", "480"),
        ("Die Antwort ist nicht 460, sondern 480.", "480"),
        ("The answer is 480 before tax, but 432 after tax.", None),
        ("The answer is 480, but this does not count the tax of 48.", "480"),
        ("He can't be 5 years old because he is 3 years older than Tom.", None),
        ("I don't have enough information, but there are 72 clips.", None),
    ],
)
def test_a_denied_number_is_never_the_answer(said: str, number: str | None) -> None:
    assert given_number(said) == number
    assert stated_number(said) in {number, None}


@pytest.mark.parametrize(
    ("said", "number"),
    [
        *(("4.6 → 5 boxes", "5"), ("Answer: 4.6 → 5 boxes", "5"), ("Answer: 4.6 -> 5", "5"), ("23 / 5 = 4.6 → 5", "5")),
        *(("Answer → 5", "5"), ("The answer is 1 → 5 → 9", None), ("Day 1 → 5 apples\nDay 2 → 7 apples", None)),
    ],
)
def test_an_arrow_leads_to_the_answer(said: str, number: str | None) -> None:
    assert given_number(said) == number


@pytest.mark.parametrize(
    "said",
    [
        *("**Answer: 5**\n\nCheck: 3*4 = 12 ✓", "x = 5\n\nCheck: 2*5 + 3 = 13 ✓", "x = 5\n\nTo verify: 2(5) + 3 = 13."),
        *("x = 5\n\nVerification:\n2(5) + 3 = 13", "She has 5 left.\n\n5 + 7 = 12 ✓", "He needs 5 boxes.\n\nCheck: 5 * 5 = 25 ≥ 23 ✓"),
        *("5\n\nShe has 16 - 7 = 9 eggs.", "5\n\nShe has 16 - 7 = 9 eggs. She keeps 9 - 4 = 5.", "5 (since 9 eggs at $2 each pay for it)"),
    ],
)
def test_neither_a_check_nor_an_explanation_overrides_the_answer(said: str) -> None:
    assert given_number(said) == "5"


@pytest.mark.parametrize(
    ("said", "number"),
    [
        ("Verification: 7 × 3 = 21.", None),
        ("12\n\nCheck: 3 * 5 = 15, which differs.\nSo the answer is 15.", "15"),
        ("12\n\nIt counts one twice. So it is 11.", None),
        ("To check the sum, we add 3 + 4 = 7.", None),
        ("16 eggs\n16 - 7 = 9", "9"),
    ],
)
def test_a_check_decides_nothing_and_what_it_finds_counts_where_it_is_concluded(said: str, number: str | None) -> None:
    assert given_number(said) == number
