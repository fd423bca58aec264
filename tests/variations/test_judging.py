from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from tests.variations.tables import row, table

from sago.errors import StudyError
from sago.variations import Request, Varied, check_meaning, vary
from sago.variations.judges import asked_judge, encoder_judge, entailment_judge, parse_checks
from sago.variations.judging import Judge, Judgement, Pair

_SKY = row("1", "Is the sky blue?", paraphrases=["Does the sky look blue?", "Is the sea blue?"])
_SEA = row("2", "Is the sea deep?", paraphrases=["How deep are seas?"], metadata='{"translations": {"de": "Ist das Meer tief?"}}')


def _made(*specs: str) -> Varied:
    return vary(table(_SKY, _SEA), specs or ("paraphrase", "case:styles=upper"))


def _rejected(varied: Varied) -> list[tuple[str, str, str]]:
    return varied.rejected.select("example", "variant", "rejected").rows()


class _Words:
    """Passes a wording that shares at least half of the words."""

    name, by, threshold, reads_translations = "words", "tests", 0.5, False

    def __init__(self) -> None:
        self.seen: list[Pair] = []

    def __call__(self, pairs: Sequence[Pair]) -> list[Judgement]:
        self.seen += pairs
        sets = [(set(pair.original.lower().split()), set(pair.wording.lower().split())) for pair in pairs]
        values = [len(one & other) / len(one) for one, other in sets]
        return [Judgement(value, value >= 0.5) for value in values]


def test_what_fails_goes_out_of_use_and_is_counted() -> None:
    judge: Judge = _Words()
    before = _made()
    after = check_meaning(before, [judge])
    assert _rejected(after) == [("2", "paraphrase-1", "words")]
    assert after.variants.height + after.rejected.height == before.variants.height
    counts = after.counts.filter(family="paraphrase").select("asked", "made", "dropped_same", "dropped_changed").row(0)
    assert counts == (3, 2, 0, 1)
    said = after.variants.filter(example="1", variant="paraphrase-1").row(0, named=True)
    assert said["judgements"] == [{"check": "words", "by": "tests", "value": 0.75, "threshold": 0.5, "passed": True}]
    assert "words" in said["checks"]


def test_what_keeps_its_meaning_by_construction_is_not_judged() -> None:
    judge = _Words()
    after = check_meaning(_made(), [judge])
    assert {pair.wording for pair in judge.seen} == {"Does the sky look blue?", "Is the sea blue?", "How deep are seas?"}
    assert after.variants.filter(family="case")["judgements"].null_count() == 2


def test_whole_prompts_are_compared_where_the_question_is_the_same(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("own") / "own.txt"
    path.write_text("Just tell me.\n", encoding="utf-8")
    judge = _Words()
    check_meaning(vary(table(_SEA), [f"instruction:file={path}"]), [judge])
    assert judge.seen == [Pair("Is the sea deep?\n\nAnswer in a few words.", "Is the sea deep?\n\nJust tell me.")]


def test_a_check_of_one_language_leaves_translations_alone() -> None:
    after = check_meaning(_made("language"), [_Words()])
    assert after.rejected.is_empty()
    assert after.variants.filter(family="language")["judgements"].to_list() == [None]


def test_the_first_check_that_fails_is_named_and_unjudged_is_no_failure() -> None:
    none = encoder_judge(lambda texts: np.eye(len(texts)), "far apart", 0.5)
    silent = asked_judge(lambda _, requests: [None] * len(requests), "judge")
    after = check_meaning(_made(), [silent, _Words(), none])
    assert _rejected(after) == [("1", "paraphrase-1", "encoder"), ("1", "paraphrase-2", "encoder"), ("2", "paraphrase-1", "words")]
    assert [one["passed"] for one in after.rejected["judgements"][0]] == [None, True, False]


def test_a_part_is_judged_as_the_whole() -> None:
    whole = check_meaning(vary(table(_SKY, _SEA), ["paraphrase"]), [_Words()])
    parts = [check_meaning(vary(table(given), ["paraphrase"]), [_Words()]) for given in (_SKY, _SEA)]
    assert [name for part in parts for name in part.variants["variant"]] == whole.variants["variant"].to_list()


class TestEncoder:
    def test_cosine_and_threshold(self) -> None:
        asked: list[str] = []

        def encode(texts: Sequence[str]) -> np.ndarray:
            asked.extend(texts)
            return np.array([{"a": (1.0, 0.0), "b": (0.6, 0.8), "c": (0.8, 0.6)}[text] for text in texts], dtype=np.float32)

        found = encoder_judge(encode, "tests", 0.7)([Pair("a", "b"), Pair("a", "c"), Pair("a", "a")])
        assert [round(one.value or 0, 6) for one in found] == [0.6, 0.8, 1.0]
        assert [one.passed for one in found] == [False, True, True]
        assert asked == ["a", "b", "c"], "each text once"

    def test_nothing_to_judge(self) -> None:
        assert list(encoder_judge(lambda texts: np.zeros((len(texts), 2)), "tests")([])) == []


@pytest.mark.parametrize(
    ("there", "back", "value", "passed"),
    [
        ((0.9, False), (0.6, False), 0.6, True),
        ((0.9, False), (0.4, False), 0.4, False),
        ((0.5, False), (0.5, False), 0.5, True),
        ((0.9, False), (0.6, True), 0.6, False),
        ((0.5, True), (0.9, False), 0.5, False),
    ],
)
def test_entailment_has_to_hold_both_ways_without_contradiction(
    there: tuple[float, bool], back: tuple[float, bool], value: float, *, passed: bool
) -> None:
    judge = entailment_judge(lambda pairs: [there if pair == ("a", "b") else back for pair in pairs], "tests", 0.5)
    assert list(judge([Pair("a", "b")])) == [Judgement(value, passed)]


@pytest.mark.parametrize(
    ("reply", "judgement"),
    [
        ("Yes", Judgement(1.0, True)),
        (" **yes**, they do", Judgement(1.0, True)),
        ("No.", Judgement(0.0, False)),
        ("Yesterday", Judgement(None, None)),
        ("Nothing differs", Judgement(None, None)),
        ("I think so", Judgement(None, None)),
        ("", Judgement(None, None)),
        (None, Judgement(None, None)),
    ],
)
def test_a_judge_says_yes_or_no(reply: str | None, judgement: Judgement) -> None:
    asked: list[Request] = []

    def write(model: str, requests: Sequence[Request]) -> list[str | None]:
        assert model == "hf:/models/judge"
        asked.extend(requests)
        return [reply]

    judge = asked_judge(write, "hf:/models/judge")
    assert list(judge([Pair("Is {wording} a word?", "Is {original} one?")])) == [judgement]
    assert "First version:\nIs {wording} a word?\n" in asked[0].prompt, "data is no template"
    assert asked[0].prompt.endswith("Second version:\nIs {original} one?")
    assert asked[0].temperature == 0
    assert judge.by == "hf:judge", "no place of a folder is kept"


def test_checks_are_named_with_model_and_threshold() -> None:
    read = parse_checks(["encoder", "encoder@0.9", "nli:/a/b@c", "nli:m@0.7", "judge:hf:m"])
    assert [(one.name, one.model, one.threshold) for one in read] == [
        ("encoder", None, 0.8),
        ("encoder", None, 0.9),
        ("nli", "/a/b@c", 0.5),
        ("nli", "m", 0.7),
        ("judge", "hf:m", None),
    ]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("cosine", "there is no such check"),
        ("nli", "names no model"),
        ("judge", "names no model"),
        ("encoder:m", "the encoder is that of the package"),
        ("encoder@1.5", "out of its limits"),
        ("nli:m@0.5.5", "out of its limits"),
        ("judge:m@0.5", "has no threshold"),
        ("", "there is no such check"),
    ],
)
def test_a_check_that_cannot_be_read(spec: str, message: str) -> None:
    with pytest.raises(StudyError, match=message):
        parse_checks([spec])
