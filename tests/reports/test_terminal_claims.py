"""What may be claimed, in a terminal: alarms first, signs and words beside colours, and short however much there is."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest
from rich.cells import cell_len
from rich.text import Text
from tests.reports.sample import MODELS, TEXT
from tests.reports.sample_claims import THREE, claims_tables, passed_controls
from tests.reports.test_terminal import line_of, printed

from sago import schemas
from sago.reports import RunSummary
from sago.reports.claim_tables import Place
from sago.reports.terminal_marks import rank_line, verdict_text, without_repeats
from sago.schemas import Tables


@pytest.fixture(scope="module")
def told() -> Tables:
    return claims_tables()


@pytest.fixture(scope="module")
def text(told: Tables) -> str:
    return above_profile(printed(told, 100))


def above_profile(text: str) -> str:
    return text[: text.index("Profile  ")]


@pytest.mark.parametrize("width", [40, 64, 80, 100, 160])
def test_no_line_is_wider_than_the_terminal(told: Tables, width: int) -> None:
    assert max(cell_len(line) for line in printed(told, width).splitlines()) <= width


def test_failed_controls_come_first(text: str) -> None:
    alarm = text.index(f"✗ A CONTROL FAILED. The run proves nothing about {MODELS[0]} on {TEXT}, activations")
    assert alarm < text.index("Is it unstable") < text.index("Do the axes fail") < text.index("Does the order of models")


def test_without_failed_controls_there_is_no_alarm(told: Tables) -> None:
    passed = schemas.frame("findings", [passed_controls()])
    sound = replace(told, findings=pl.concat([told.findings.filter(pl.col("verdict") != "FAILED"), passed]))
    shown = above_profile(printed(sound, 100))
    assert "FAILED" not in shown
    assert "✓ All 20 controls that could be judged pass" in shown


def test_counts_stand_under_their_questions(text: str) -> None:
    flat = " ".join(text.split())
    assert "UNSTABLE in 13 of 24 cells (3 models, 2 data sets, 4 axes), above the smallest instability that matters (.05)" in flat
    assert "at an error rate of .05; 12 after Holm." in flat
    assert "6 pairs of axes: INDEPENDENT 2, DEPENDENT 2" in flat
    assert "REVERSED in 2 of 12 comparisons" in flat


def test_few_models_stand_side_by_side(text: str) -> None:
    assert line_of(text, "axis", *THREE)
    assert "▲ UNSTABLE .41" in line_of(text, "generation", "▲", ".12†")


def test_marks_of_the_grid_are_explained(text: str) -> None:
    assert line_of(text, "▲ UNSTABLE .09*†")
    assert line_of(text, "▲ UNSTABLE .12†✗")
    assert all(line_of(text, mark, words) for mark, words in [("*", "not after Holm"), ("†", "without calibration"), ("✗", "a control of")])


def test_pairs_and_ranks_have_numbers_signs_and_words(text: str) -> None:
    assert "⊥ INDEPENDENT" in line_of(text, "generation & mirroring", ".02 [-.10, .14]")
    assert "∅ NOT ASSESSABLE" in line_of(text, "confidence & mirroring", "—")
    assert line_of(text, THREE[2], "1 [1, 1]", "●··", "3 [2, 3]", "·━●")


def test_it_says_how_to_see_all(text: str, told: Tables) -> None:
    assert f"All {told.findings.height} findings" in " ".join(text.split())
    assert "--format json" in text


def test_a_table_without_findings_has_no_questions(told: Tables) -> None:
    assert "Is it unstable" not in printed(replace(told, findings=told.findings.clear()), 100)


@pytest.fixture(scope="module")
def crowd(told: Tables) -> Tables:
    """Nineteen models on two data sets, eight of them on both, one axis, hundreds of findings."""
    names = [f"family/model-{number:02}-instruct" for number in range(19)]

    def copied(table: pl.DataFrame, *where: pl.Expr, column: str) -> pl.DataFrame:
        rows = table.filter(*where)
        both = pl.lit(names) if column == "model" else pl.lit([[name] for name in names])
        return rows.drop(column).with_columns(both.alias(column)).explode(column).select(table.columns)

    def known(model: pl.Expr, dataset: pl.Expr) -> pl.Expr:
        return (dataset == TEXT) | model.is_in(names[:8])

    one = pl.col("axis") == "generation"
    profiles = copied(told.profiles, one, pl.col("model") == THREE[0], column="model")
    found = copied(told.findings, one, pl.col("models") == pl.lit([THREE[0]]), column="models")
    return replace(
        told,
        profiles=profiles.filter(known(pl.col("model"), pl.col("dataset"))),
        findings=found.filter(known(pl.col("models").list.first(), pl.col("datasets").list.first())),
    )


def test_a_narrow_terminal_leaves_out_axes_and_never_a_model(told: Tables) -> None:
    narrow = above_profile(printed(told, 64))
    assert all(line_of(narrow, model[:20], "STABLE") for model in THREE)
    assert "A wider terminal also shows: " in narrow


def test_many_models_make_one_table_and_few_sentences(crowd: Tables) -> None:
    shown = above_profile(printed(crowd, 80))
    assert crowd.findings.height > 130
    assert len(shown.splitlines()) < 95
    assert line_of(shown, "model", "everyday-choice", "passages")
    assert line_of(shown, "family/model-18-instruct", "—", "UNSTABLE")
    assert "UNSTABLE in 27 of 27 cells (19 models, 2 data sets, 1 axis)" in " ".join(shown.split())
    assert "Only generation has data" in shown


def test_hostile_names_cannot_act(told: Tables) -> None:
    hostile = "[red]m\x1b[2J\u202e"
    findings = told.findings.with_columns(
        sentence=pl.lit(hostile),
        models=pl.lit([hostile]),
        verdict=pl.when(pl.col("claim") == "controls").then(pl.lit("FAILED")).otherwise(pl.lit(hostile)),
    )
    profiles = told.profiles.filter(pl.col("model") == THREE[0]).with_columns(model=pl.lit(hostile))
    shown = printed(replace(told, findings=findings, profiles=profiles), 120, RunSummary(hostile))
    assert "[red]m[U+001B][2J[U+202E]" in shown
    assert not {"\x1b", "\u202e"} & set(shown)


@pytest.mark.parametrize(
    ("verdict", "words"), [("UNSTABLE", "▲ UNSTABLE"), ("NOT_SHOWN", "○ NOT SHOWN"), (None, "– not tested"), ("QUITE_NEW", "· QUITE NEW")]
)
def test_verdicts(verdict: str | None, words: str) -> None:
    assert verdict_text(verdict).plain == words


@pytest.mark.parametrize(
    ("place", "line"),
    [
        (Place(2.0, 1.0, 3.0, 5), "━●━··"),
        (Place(1.5, None, None, 3), "·●·"),
        (Place(9.0, 0.0, 9.0, 3), "━━●"),
        (Place(4.0, 2.0, 9.0, 500), ""),
        (None, ""),
    ],
)
def test_rank_lines(place: Place | None, line: str) -> None:
    assert rank_line(place).plain == line


def test_repeated_names_are_left_out() -> None:
    assert without_repeats(["a", "a", "b"]) == [Text("a"), Text(""), Text("b")]
