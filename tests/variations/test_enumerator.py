from __future__ import annotations

from typing import Any

import pytest
from tests.features.hand_made import observation
from tests.variations.tables import case_rows, prompt_of, row, table

from sago import schemas
from sago.errors import StudyError
from sago.features import extract
from sago.features.choices import read_choice
from sago.variations import vary
from sago.variations.grammar import MARKS

_FIVE = ["Mars", "Venus", "Pluto", "Ceres", "Juno"]


def _made(question: str, choices: list[str], spec: str = "enumerator:n=4") -> dict[str, dict[str, Any]]:
    rows = vary(table(row("1", question, choices=choices, answer_index=0)), [spec]).variants.iter_rows(named=True)
    return {found["variant"].removeprefix("enumerator-"): found for found in rows if found["family"] == "enumerator"}


@pytest.mark.parametrize(
    ("style", "labels", "asks"),
    [
        ("numbers", ["1", "2", "3", "4", "5"], "the number of the option"),
        ("small_letters", ["a", "b", "c", "d", "e"], "the letter"),
        ("small_romans", ["i", "ii", "iii", "iv", "v"], "the roman numeral of the option"),
        ("romans", ["I", "II", "III", "IV", "V"], "the roman numeral of the option"),
    ],
)
def test_labels_and_instruction_of_each_style(style: str, labels: list[str], asks: str) -> None:
    found = _made("Which?", _FIVE)[style]
    listed = "\n".join(f"{label}. {choice}" for label, choice in zip(labels, _FIVE, strict=True))
    assert prompt_of(found) == f"Which?\n\n{listed}\n\nAnswer with {asks} only."
    assert found["shown_labels"] == found["scored_choices"] == labels


_READ = [
    ("small_romans", "ii", 1), ("small_romans", "iv) Ceres", 3), ("small_romans", "(iii)", 2), ("small_romans", "II.", 1),
    ("small_romans", "i", 0), ("small_romans", "The answer is v.", 4), ("small_romans", "**iv**", 3), ("small_romans", "[ii]", 1),
    ("romans", "IV", 3), ("romans", "I", 0), ("romans", "Answer: V", 4), ("romans", "I think it is Venus.", 1), ("romans", "iii", 2),
    ("small_letters", "(b)", 1), ("small_letters", "b", 1), ("small_letters", "a) Mars", 0), ("small_letters", "B", 1),
    ("small_letters", "The answer is (d).", 3), ("numbers", "3", 2), ("numbers", "(2)", 1), ("numbers", "Option 4", 3),
]  # fmt: skip


@pytest.mark.parametrize(("style", "reply", "index"), _READ)
def test_replies_under_every_style_are_read(style: str, reply: str, index: int) -> None:
    examples = table(row("1", "Which?", choices=_FIVE, answer_index=index))
    variants = vary(examples, [f"enumerator:styles={style}"]).variants
    asked = next(found for found in variants.iter_rows(named=True) if found["family"] == "enumerator")
    features = extract(schemas.frame("observations", [observation(asked, reply)]), variants, examples)
    read = {found["feature"]: found for found in features.iter_rows(named=True)}
    assert read["answer"]["category"] == _FIVE[index]


@pytest.mark.parametrize("mark", ["dot", "paren", "parens", "brackets", "colon", "bold"])
@pytest.mark.parametrize("reply", ["{}ii{}", "{}ii{}Venus"])
def test_replies_in_the_marks_of_a_format_are_read(mark: str, reply: str) -> None:
    before, after = MARKS[mark]
    assert read_choice(reply.format(before, after).strip(), ("i", "ii", "iii"), ("Mars", "Venus", "Pluto")) == 1


def test_letters_follow_their_choices_in_the_order_of_places() -> None:
    made = _made("Which conduct?", ["Iron", "Wood", "Copper", "Tin", "Both C and D"])
    assert {style: found["shown_choices"][-1] for style, found in made.items()} == {
        "numbers": "Both 3 and 4",
        "small_letters": "Both c and d",
        "small_romans": "Both iii and iv",
        "romans": "Both III and IV",
    }


@pytest.mark.parametrize(
    ("question", "choices", "styles"),
    [
        ("Is option B right?", ["x", "y"], []),
        ("Which?", ["x", "y", "A and B but not C"], []),
        ("How many?", ["2", "3", "1"], ["small_letters", "small_romans", "romans"]),
        ("How many?", ["two", "six", "none"], ["small_letters", "small_romans", "romans"]),
        ("How many?", ["1,000", "2.5", "30"], ["numbers", "small_letters", "small_romans", "romans"]),
        ("Which statements hold?", ["I only", "II only", "I and II"], []),
        ("Which letter?", ["b", "a"], ["numbers", "small_romans", "romans"]),
        ("Where?", ["What I like", "x"], ["numbers", "small_letters"]),
        ("Where?", ["seven", "x"], ["numbers", "small_letters", "small_romans", "romans"]),
        ("Who?", ["All of the above", "A horse"], ["numbers", "small_letters", "small_romans", "romans"]),
    ],
)
def test_a_style_that_would_mislead_is_left_out(question: str, choices: list[str], styles: list[str]) -> None:
    assert list(_made(question, choices)) == styles


def test_what_has_no_style_is_not_applicable() -> None:
    counts = vary(table(row("1", "Who?"), row("2", "Is option B right?", choices=["x", "y"])), ["enumerator"]).counts
    assert counts.select("asked", "made", "not_applicable").rows() == [(0, 0, 2)]


@pytest.mark.parametrize("given", case_rows("06-braces.jsonl"), ids=lambda given: given["id"])
def test_data_is_never_a_template(given: dict[str, Any]) -> None:
    for found in _made(given["question"], given["choices"]).values():
        assert given["question"] in prompt_of(found)
        assert found["shown_choices"] == given["choices"]


@pytest.mark.parametrize("given", case_rows("11-all-of-the-above.jsonl"), ids=lambda given: given["id"])
def test_case_11_references_name_the_same_choices(given: dict[str, Any]) -> None:
    made = _made(given["question"], given["choices"])
    assert len(made) == 4
    for found in made.values():
        labels = found["shown_labels"]
        for before, after in zip(given["choices"], found["shown_choices"], strict=True):
            expected = before if " and " not in before else before.replace("A and B", f"{labels[0]} and {labels[1]}")
            assert after == expected


def test_stacked_labels_stay_true() -> None:
    naming = row("1", "Which conduct?", choices=["Iron", "Copper", "Wood", "Both A and B"])
    rows = vary(table(naming), ["enumerator+format:format.n=10,enumerator.styles=romans"]).variants.to_dicts()[1:]
    assert {(found["shown_choices"][-1], *found["shown_labels"][:2]) for found in rows} == {("Both I and II", "I", "II")}
    assert "bullets" not in {found["layout"] for found in rows}
    below = vary(table(naming), ["format+enumerator:format.layouts=numbered,enumerator.n=4"]).variants.to_dicts()[1:]
    assert below == []
    ordered = vary(table(naming), ["choice-order+enumerator:enumerator.styles=romans"]).variants.to_dicts()[1]
    named = {ordered["shown_choices"][ordered["shown_labels"].index(part)] for part in ordered["shown_choices"][3].split()[1::2]}
    assert named == {"Iron", "Copper"}


def test_an_unknown_style_is_refused() -> None:
    with pytest.raises(StudyError, match="enumerator': styles: unknown name 'greek'"):
        _made("Which?", ["x", "y"], "enumerator:styles=greek")
