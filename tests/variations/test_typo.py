from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import OSA
from tests.variations.tables import case_rows, row, table

from sago.errors import StudyError
from sago.records import Draft, Example
from sago.variations import vary
from sago.variations.protect import keeps, spans_of
from sago.variations.typo import KINDS, typo
from sago.variations.words import COMMON

_DEFAULTS: dict[str, Any] = {name: parameter.default for name, parameter in typo.parameters.items()}
_MOST = {**_DEFAULTS, "rate": typo.parameters["rate"].maximum, "n": 1}
_QUESTION = "Which animals sometimes sleep standing beside other animals of the village?"


def _drafts(question: str, seed: int = 0, **parameters: Any) -> list[Draft]:
    example = Example("d", "1", question)
    return list(typo.vary(example, {**_DEFAULTS, **parameters}, np.random.default_rng(seed))) if typo.applies(example) else []


@pytest.mark.parametrize("row", case_rows("09-typo-protect.jsonl"), ids=lambda row: row["id"])
def test_case_09_at_full_rate_over_200_seeds(row: dict[str, Any]) -> None:
    example = Example("d", row["id"], row["text"])
    assert typo.applies(example)
    words = re.compile(r"[^\W\d_]+")
    for seed in range(200):
        for draft in typo.vary(example, _MOST, np.random.default_rng(seed)):
            assert draft.question not in (None, row["text"])
            assert draft.question is not None
            position = 0
            for protected in sorted(row["protect"], key=row["text"].find):
                found = draft.question.find(protected, position)
                assert found >= 0, (protected, draft.question)
                position = found + len(protected)
            # Everything between words is as it was: no space or sign has come or gone.
            assert words.split(draft.question) == words.split(row["text"])


def test_case_09_a_text_of_protected_spans_alone_is_counted() -> None:
    varied = vary(table(row("p6", "A. Oslo\nB. Bergen\nIs A or B 12?")), ["typo:n=3"])
    assert varied.counts.select("asked", "made", "not_applicable").rows() == [(0, 0, 1)]


def test_choices_and_gold_answer_in_the_question_stay() -> None:
    question = "Which weighs more, the elephant there, the mosquito there, the grasshopper?"
    example = Example("d", "1", question, choices=("elephant", "Mosquito"), answers=("grasshopper",))
    for seed in range(100):
        for draft in typo.vary(example, _MOST, np.random.default_rng(seed)):
            assert draft.question is not None
            assert all(word in draft.question for word in ("elephant", "mosquito", "grasshopper"))


def test_spans_named_by_the_user_stay() -> None:
    example = Example("d", "1", _QUESTION, metadata={"protect": ["standing beside", "village"]})
    questions = [draft.question for seed in range(100) for draft in typo.vary(example, _MOST, np.random.default_rng(seed))]
    assert all(question is not None and "standing beside" in question and "village" in question for question in questions)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "common"])
def test_each_kind_is_one_slip(kind: str) -> None:
    before, after = {"neighbour": (0, 0), "swap": (0, 0), "drop": (0, -1), "double": (0, 1)}[kind]
    for seed in range(50):
        (draft,) = _drafts(_QUESTION, seed, rate=0.001, kinds=kind)
        assert draft.question is not None
        assert OSA.distance(_QUESTION, draft.question) == 1
        assert len(draft.question) - len(_QUESTION) == before + after
        changed = [(old, new) for old, new in zip(_QUESTION.split(), draft.question.split(), strict=True) if old != new]
        ((old, new),) = changed
        assert (old[0], len(old) > 3) == (new[0], True)
        if kind == "swap":
            assert sorted(old) == sorted(new)
        if kind == "neighbour":
            ((left, right),) = [(a, b) for a, b in zip(old, new, strict=True) if a != b]
            assert right in "".join(_KEYS_BESIDE[left])


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "Which government will they receive?",
            {"Which goverment will they receive?", "Which government will they recieve?", "Wich government will they receive?"},
        ),
        ("Which GOVERNMENT", {"Wich GOVERNMENT"}),
        ("welches restaurant ist das und wo", set()),
        ("Do the whales sing", set()),
    ],
)
def test_common_misspellings_are_english_and_whole_words(question: str, expected: set[str]) -> None:
    said = {draft.question for seed in range(40) for draft in _drafts(question, seed, rate=0.001, kinds="common")}
    assert said == expected


def test_a_party_is_no_patty() -> None:
    said = {draft.question for seed in range(300) for draft in _drafts("the party", seed, rate=0.25, n=3)}
    assert said
    assert "the patty" not in said


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("spend", "sped"),
        ("house", "hose"),
        ("there", "thee"),
        ("team", "tram"),
        ("expert", "exert"),
        ("public", "pubic"),
        ("reality", "realty"),
    ],
)
def test_no_slip_makes_another_word_of_english(word: str, other: str) -> None:
    """Each of them is one slip away, and came out of the data before."""
    said = {draft.question for seed in range(200) for draft in _drafts(f"the {word} here", seed, rate=0.001, n=2)}
    assert len(said) > 5
    assert f"the {other} here" not in said


def test_the_dose_rises_with_the_rate() -> None:
    questions = [row(str(at), _QUESTION + " " + _QUESTION[at:]) for at in range(20)]
    variants = vary(table(*questions), ["typo@0.02", "typo@0.05", "typo@0.1", "typo@0.2"]).variants
    doses = [float(np.mean(variants.filter(family=f"typo@{rate}")["dose"].to_list())) for rate in (0.02, 0.05, 0.1, 0.2)]
    assert doses == sorted(doses)
    assert len(set(doses)) == 4


_KEYS_BESIDE = {
    **{"e": "wrsd", "i": "uokj", "a": "qwsz", "o": "iplk", "n": "bmjh", "s": "adwezx", "l": "kop", "t": "ryfg", "m": "njk", "h": "gjyubn"},
    **{"c": "xvdf", "p": "ol", "d": "sferxc", "b": "vngh", "g": "fhtyvb", "v": "cbfg", "r": "etdf"},
}


@pytest.mark.parametrize(("rate", "slips"), [(0.001, 1), (0.05, 2), (0.1, 4), (0.25, 11)])
def test_the_rate_is_slips_for_each_letter(rate: float, slips: int) -> None:
    letters = sum(len(word) for word in ("Which", "animals", "sleep", "standing", "beside", "animals", "village"))
    assert letters == 45
    (draft,) = _drafts(_QUESTION, rate=rate, kinds="neighbour+swap+drop+double")
    assert draft.question is not None
    distance = OSA.distance(_QUESTION, draft.question)
    assert distance == slips


def test_no_slip_makes_another_common_word_or_one_of_the_example() -> None:
    question = "Which plane came over the lane before the storm from the coast?"
    example = Example("d", "1", question, context="They saw a plabe.", choices=("stprm", "x"))
    for seed in range(300):
        for draft in typo.vary(example, _MOST, np.random.default_rng(seed)):
            assert draft.question is not None
            new = set(re.findall(r"[a-z]+", draft.question)) - set(re.findall(r"[a-z]+", question))
            assert not new & (COMMON | {"plabe", "stprm"})


@pytest.mark.parametrize("question", ["今年是哪一年？", "12 + 30 = ?", "Who is he?", "", "كم عدد الأيام؟", "caf\u0065\u0301s"])
def test_nothing_to_misspell_is_not_applicable(question: str) -> None:
    assert not typo.applies(Example("d", "1", question))


@pytest.mark.parametrize("question", ["Сколько кошек спит сегодня", "Welches tier schläft stehend"])
def test_other_alphabets_are_misspelt_too(question: str) -> None:
    (draft,) = _drafts(question)
    assert draft.question != question


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ("rate=0", "'0' is out of its limits. Give a number from 0.001 to 0.25"),
        ("rate=nan", "'nan' is out of its limits"),
        ("n=0", "whole number from 1 to 100"),
        ("n=1.5", "'1.5' is no whole number. Give a whole number from 1 to 100"),
        ("rate=much", "'much' is no number. Give a number from 0.001 to 0.25"),
        ("rate=", "rate: has no value. Give a number from 0.001 to 0.25"),
        ("kinds=smudge", "unknown name 'smudge'. Known, joined by \\+: neighbour, swap, drop, double, common"),
        ("kinds=swap+swap", "given twice"),
        ("speed=2", "unknown parameter 'speed'. Parameters: n \\(whole number from 1 to 100\\), rate"),
        ("rate", "'rate' is no parameter. Write name=value"),
    ],
)
def test_parameters_out_of_limits_are_refused(parameters: str, message: str) -> None:
    with pytest.raises(StudyError, match=message):
        vary(table(row("1", _QUESTION)), [f"typo:{parameters}"])


_PIECE = st.sampled_from(
    ["animals", "Which", "not", "never", "{name}", "`code here`", "$x^2$", "3.14", "https://a.org/b", "Paris", "seventeen", "km", "isn't"]
)
_JOINT = st.sampled_from([" ", ", ", "\n", "; ", "  ", " (", ") "])


@settings(deadline=None)
@given(st.lists(st.tuples(_PIECE | st.text(max_size=12), _JOINT), max_size=12), st.integers(0, 2**32))
def test_protected_spans_never_change(pieces: list[tuple[str, str]], seed: int) -> None:
    question = "".join(piece + joint for piece, joint in pieces)
    example = Example("d", "1", question, choices=("animals", "x"))
    if typo.applies(example):
        for draft in typo.vary(example, {**_MOST, "n": 3}, np.random.default_rng(seed)):
            assert draft.question is not None
            assert keeps(question, draft.question, spans_of(example))
            assert draft.question != question
