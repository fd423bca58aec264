"""Codes in words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.reports.sample import MODELS

from sago.reports import REASONS
from sago.reports.words import HOW_TO_READ, NUMBERED, VERDICTS, axis_place, in_order, meaning, verdict_of
from sago.schemas import Tables

SOURCES = Path(__file__).parents[2] / "src" / "sago"
_CODES = re.compile(
    r'"((?:noise_floor|rerun|rerun_p)=[a-z_]+|small_[a-z]+|few_variants|too_few_[a-z]+|degenerate_null|no_[a-z]+(?:_[a-z]+)*'
    r'|non_finite|not_observable|layers_[a-z_]+|overlaps_[a-z]+|one_choice|width_zero|needs_[a-z]+|unmatched_[a-z]+|empty_[a-z]+)"'
)
_NO_CODES = {"no_context", "no_grad"}


def codes_in_source() -> list[str]:
    files = [file for room in ("axes", "stats", "features") for file in (SOURCES / room).rglob("*.py")]
    return sorted({code for file in files for code in _CODES.findall(file.read_text(encoding="utf-8"))} - _NO_CODES)


def test_every_code_that_the_science_writes_has_words() -> None:
    assert [code for code in codes_in_source() if code not in REASONS] == []


def test_every_code_of_the_sample_has_words(tables: Tables) -> None:
    flags = tables.profiles["flags"].explode(empty_as_null=False).to_list()
    columns = (tables.profiles, tables.controls, tables.features, tables.scores, tables.findings)
    reasons = [reason for table in columns for reason in table["reason"].drop_nulls().to_list()]
    assert [code for code in {*flags, *reasons} if code not in REASONS] == []


@pytest.mark.parametrize("code", sorted(REASONS))
def test_words_are_a_plain_line(code: str) -> None:
    words = REASONS[code]
    assert "_" not in words
    assert not words.endswith(".")
    assert len(words) < 110


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("permutation_p=0.0123", "p against replies given to other wordings at random: .012"),
        ("chance=0.2512", "by chance alone it would be .25"),
        ("parse_rate=0.913", "a confidence could be read from this share of the responses: .91"),
        ("bins=15", "confidence sorted into bins, how many: 15"),
        ("wordings=8", "wordings that it could be computed for: 8"),
        ("bins=many", "bins: many"),
    ],
)
def test_a_flag_with_a_number_says_it_in_words(code: str, words: str) -> None:
    assert meaning(code) == words


def test_every_flag_with_a_number_that_the_science_writes_has_words() -> None:
    files = [file for room in ("axes", "stats") for file in (SOURCES / room).rglob("*.py")]
    written = {name for file in files for name in re.findall(r'f"([a-z_]+)=\{', file.read_text(encoding="utf-8"))}
    assert {"chance", "parse_rate", "bins", "permutation_p"} <= written
    assert written - {"noise_floor", "clusters"} <= set(NUMBERED)


@pytest.mark.parametrize("name", sorted(VERDICTS))
def test_a_verdict_is_told_by_a_sign_and_words_and_not_by_its_colour(name: str) -> None:
    verdict = verdict_of(name)
    assert len(verdict.symbol) == 1
    assert len(verdict.meaning) > 10
    assert verdict.kind in {"bad", "good", "unsure", "found", "other", "none"}


def test_every_verdict_of_the_claims_is_known() -> None:
    written = {
        name
        for file in (SOURCES / "stats" / "claims").glob("*.py")
        for name in re.findall(r'"([A-Z]{4,}(?:_[A-Z]+)*)"', file.read_text(encoding="utf-8"))
    }
    assert "UNSTABLE" in written
    assert written - {"MAKERS", "CLAIM"} <= set(VERDICTS)


@pytest.mark.parametrize(("code", "words"), [("quite_new", "quite new"), ("floor=other_way", "floor: other way")])
def test_an_unknown_code_speaks_for_itself(code: str, words: str) -> None:
    assert meaning(code) == words


def test_the_legend_is_short() -> None:
    assert 4 <= len(HOW_TO_READ) <= 6
    assert max(len(line) for line in HOW_TO_READ) <= 102


def test_pairs_of_axes_stand_in_the_order_of_the_axes() -> None:
    pairs = ["confidence & mirroring", "activations & confidence", "generation & mirroring", "generation & activations"]
    assert sorted(pairs, key=axis_place) == pairs[::-1]


def test_unknown_names_come_last() -> None:
    order = {"greedy": "", "sampled": ""}
    assert sorted([*MODELS, "sampled", "greedy"], key=lambda name: in_order(name, order))[:2] == ["greedy", "sampled"]
