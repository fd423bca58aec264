from __future__ import annotations

import pytest

from sago.variations.references import free_positions, letters_in, points_at_all, question_names_letters, rewrite, rewritten


@pytest.mark.parametrize(
    "choice",
    [
        "All of the above",
        "all of the above.",
        "None of the above",
        "None of these",
        "Both of the above",
        "Neither of them",
        "Any of these options",
        "None of the other answers",
        "All are correct",
        "None of the above is true",
        "The answers above",
        "以上皆是",
        "以上都不对",
        "上記のすべて",
        "Alle oben genannten",
        "Keine der genannten Antworten",
        "Aucune de ces réponses",
        "Todas las anteriores",
        "Ninguna de las opciones",
        "Both",
        "Neither",
        "All four",
        "Wszystkie powyższe",
        "Żadna z odpowiedzi",
        "Alle bovenstaande",
        "Alla ovanstående",
        "Hepsi",
        "Yukarıdakilerin hiçbiri",
        "كل ما سبق",
        "उपरोक्त सभी",
        "위의 모두",
        "Tất cả các đáp án trên",
    ],
)
def test_points_at_the_others(choice: str) -> None:
    assert points_at_all(choice)


@pytest.mark.parametrize(
    "choice",
    ["none", "All Saints", "Some friends like them", "Red", "60岁以上", "Both parents", "Nothing", "Alle Menschen", "All fours", "كل يوم"],
)
def test_points_at_nothing(choice: str) -> None:
    assert not points_at_all(choice)


@pytest.mark.parametrize(
    ("choice", "named"),
    [
        ("Both A and B", (0, 1)),
        ("A and B only", (0, 1)),
        ("Neither A nor B", (0, 1)),
        ("A, B, and C are correct", (0, 1, 2)),
        ("Options (A) and (C)", (0, 2)),
        ("Only A", (0,)),
        ("B only", (1,)),
        ("Same as C", (2,)),
        ("Vitamin A", ()),
        ("A dog", ()),
        ("Grade A", ()),
        ("A and B but not C", None),
        ("A and B", None),
        ("Hepatitis A and B", None),
        ("Both A and O", None),
        ("All except A", None),
        ("A but not B", None),
        ("Everything other than C", None),
        ("both a and b", None),
        ("a and b only", None),
        ("He ran but I did not", ()),
        ("only a dog", ()),
        ("{a, b}", ()),
    ],
)
def test_letters_that_name_choices(choice: str, named: tuple[int, ...] | None) -> None:
    assert letters_in(choice, 4) == named


@pytest.mark.parametrize(
    ("choice", "labels", "expected"),
    [
        ("Both A and B", "CABD", "Both A and C"),
        ("A and B only", "BADC", "A and B only"),
        ("Only A", "DABC", "Only D"),
        ("Options (A) and (C)", "1234", "Options (1) and (3)"),
        ("All of A, B and C", "DCBA", "All of B, C and D"),
    ],
)
def test_letters_follow_their_choices(choice: str, labels: str, expected: str) -> None:
    assert rewrite(choice, list(labels)) == expected


def test_labels_beyond_the_alphabet_come_after_single_letters() -> None:
    assert rewrite("Both A and B", ["AA", "Z"]) == "Both Z and AA"


def test_rewritten_is_null_where_nothing_is_named() -> None:
    assert rewritten(("x", "y"), (1, 0), ("A", "B")) is None


@pytest.mark.parametrize(
    ("choices", "free"),
    [
        (("Bat", "Whale", "Dog", "All of the above"), (0, 1, 2)),
        (("Apple", "Brick", "Both A and B", "None of these"), (0, 1)),
        (("Iron", "Copper", "Wood", "A and B only"), (0, 1, 2)),
        (("x", "All of the above", "y"), ()),
        (("x", "y", "A and B but not C"), ()),
        (("A", "B", "C"), ()),
        (("x",), (0,)),
        (("x", "y", "All except A"), ()),
        (("x", "y", "both a and b"), ()),
        (("x", "y", "The first two", "Neither of the first two"), ()),
        (("x", "y", "The previous answer"), ()),
        (("x", "y", "Options 1 and 2"), ()),
        (("1 and 2 only", "2 and 3 only", "1 and 3 only", "x"), (0, 1, 2, 3)),
        (("x", "y", "z", "Both"), (0, 1, 2)),
        (("Czerwony", "Niebieski", "Wszystkie powyższe"), (0, 1)),
        (("The first time", "The last time"), (0, 1)),
    ],
)
def test_what_may_change_places(choices: tuple[str, ...], free: tuple[int, ...]) -> None:
    assert free_positions(choices) == free


@pytest.mark.parametrize(
    ("question", "named"), [("Is option B right?", True), ("Is A or B the capital?", True), ("A dog or a cat?", False)]
)
def test_questions_that_name_letters(question: str, named: bool) -> None:
    assert question_names_letters(question) is named
