"""The terminal report: it fits, it explains itself, and it hides no null."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest
from rich.cells import cell_len
from rich.console import Console
from tests.reports.sample import CHOICE, MODELS, empty_tables, sample_summary

from sago.reports import REASONS, RunSummary, terminal_report
from sago.reports.numbers import Estimate
from sago.reports.terminal_marks import Footnotes, scale, scale_head
from sago.reports.words import HOW_TO_READ
from sago.schemas import Tables


def printed(tables: Tables, width: int = 100, summary: RunSummary | None = None) -> str:
    console = Console(width=width, record=True, file=None, force_terminal=False, quiet=False)
    with console.capture() as captured:
        console.print(terminal_report(tables, summary or sample_summary()))
    return captured.get()


def line_of(text: str, *words: str) -> str:
    return next(line for line in text.splitlines() if all(word in line for word in words))


def behind_claims(text: str) -> str:
    return text[text.index("Profile  ") :]


@pytest.fixture(scope="module")
def text(tables: Tables) -> str:
    return behind_claims(printed(tables))


@pytest.mark.parametrize("width", [40, 60, 80, 100, 160])
def test_no_line_is_wider_than_the_terminal(tables: Tables, width: int) -> None:
    assert max(cell_len(line) for line in printed(tables, width).splitlines()) <= width


def test_a_hundred_columns_show_the_whole_profile(text: str) -> None:
    head = line_of(text, "axis", "instability")
    assert head.split() == ["axis", "decoding", "n", "across", "rerun", "unrelated", "instability", "verdict"]


def test_narrow_terminals_name_what_they_leave_out(tables: Tables) -> None:
    narrow = behind_claims(printed(tables, 64))
    assert "across, rerun, unrelated" in " ".join(narrow.split())
    assert line_of(narrow, "axis", "n ", "instability")
    assert "generation" in narrow


def test_numbers_have_intervals_n_and_verdict(text: str, tables: Tables) -> None:
    cell = tables.profiles.filter(
        pl.col("default")
        & (pl.col("model") == MODELS[0])
        & (pl.col("dataset") == CHOICE)
        & (pl.col("axis") == "activations")
        & (pl.col("decoding") == "greedy")
    ).row(0, named=True)
    line = line_of(text, "activations", "greedy")
    assert f"{cell['instability']:.2f}".lstrip("0") in line
    assert f"[{cell['lower']:.2f}, {cell['upper']:.2f}]".replace("0.", ".") in line
    assert f"[{cell['across_lower']:.2f}, {cell['across_upper']:.2f}]".replace("0.", ".") in line
    assert " 9¹" in line
    assert "UNSTABLE" in line


def test_examples_left_out_are_counted(text: str) -> None:
    assert "9/10" in line_of(text, "confidence", "greedy")


def test_null_is_a_dash_with_its_reason_in_words(text: str) -> None:
    start = text.index("gemma-3-270m-it on passages")
    line = line_of(text[start:], "generation", "greedy")
    value = line.split()[-4]
    assert line.split()[-3:] == ["–", "not", "tested"]
    assert value.startswith("—")
    mark = value.removeprefix("—")
    assert REASONS["degenerate_null"] in " ".join(line_of(text, f"{mark} ", "hardly").split())


def test_an_axis_without_data_in_one_decoding_is_said_once(text: str) -> None:
    flat = " ".join(text.split())
    assert flat.count("No sampled row for activations and confidence") == 1
    assert REASONS["not_observable"] in flat


def test_identity_of_width_zero_is_not_informative(text: str) -> None:
    controls = text[text.index("Controls") :]
    assert "not informative¹" in line_of(controls, "generation", "greedy")
    assert f"¹ {REASONS['width_zero']}" in controls
    assert "✓ .01 [-.03, .05]" in line_of(controls, "activations", "greedy")
    assert "✗ .31 [.19, .43]" in line_of(controls, "activations", "greedy")


def test_legend_statuses_and_accuracy_are_there(text: str) -> None:
    flat = " ".join(text.split())
    assert all(line in flat for line in HOW_TO_READ)
    assert "unparsed" in flat
    assert "stably wrong" in flat
    assert "No call at all with status empty, filtered, too_long, error." in flat


def test_a_wide_terminal_draws_intervals(tables: Tables) -> None:
    assert "━●━" in printed(tables, 160)


def test_names_cannot_act_on_the_terminal(tables: Tables) -> None:
    hostile = "[red]m\x1b[2J\u202e"
    renamed = replace(tables, profiles=tables.profiles.with_columns(model=pl.lit(hostile)))
    text = printed(renamed, summary=RunSummary(name=hostile, notes=(hostile,)))
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "[red]m[U+001B][2J[U+202E] on" in text


def test_empty_tables_say_so() -> None:
    assert "there is no profile" in printed(empty_tables(), summary=RunSummary("nothing"))


def test_footnotes_give_one_mark_to_a_code() -> None:
    notes = Footnotes()
    assert notes.marks("small_n", "no_reruns").plain == "¹²"
    assert notes.marks("no_reruns").plain == "²"
    assert [line.plain[0] for line in notes.lines()] == ["¹", "²"]


@pytest.mark.parametrize(
    ("estimate", "there", "absent"),
    [
        (Estimate(0.5, 0.3, 0.7), "━●━", "◀▶"),
        (Estimate(None), "┊", "●━"),
        (Estimate(2.0, 1.0, 3.0), "▶", "◀"),
        (Estimate(-1.0, -2.0, 0.0), "◀", "▶"),
        (Estimate(0.4), "●", "━"),
    ],
)
def test_scale(estimate: Estimate, there: str, absent: str) -> None:
    drawn = scale(estimate).plain
    assert len(drawn) == len(scale_head())
    assert there in drawn
    assert not set(absent) & set(drawn)


@pytest.fixture(scope="module")
def many(tables: Tables) -> Tables:
    """Returns the generation axis of five models, and activations of which none has any."""
    names = [f"model-{number}" for number in range(5)]

    def copied(table: pl.DataFrame, *where: pl.Expr) -> pl.DataFrame:
        part = table.filter(pl.col("model") == MODELS[0], *where)
        return pl.concat([part.with_columns(model=pl.lit(name)) for name in names])

    whole = pl.col("family").is_null() & pl.col("layer").is_null() & pl.col("default") & (pl.col("decoding") == "greedy")
    generation = copied(tables.profiles, whole, pl.col("axis") == "generation")
    nothing = generation.with_columns(
        axis=pl.lit("activations"),
        n=pl.lit(0, dtype=pl.Int64),
        reason=pl.lit("not_observable"),
        **{name: pl.lit(None, dtype=pl.Float64) for name in ("across", "rerun", "unrelated", "instability", "lower", "upper", "se")},
    )
    return replace(
        tables,
        profiles=pl.concat([generation, nothing]),
        observations=copied(tables.observations),
        accuracy=copied(tables.accuracy),
        controls=copied(tables.controls, pl.col("axis") == "generation", pl.col("decoding") == "greedy"),
        findings=tables.findings.clear(),
    )


def test_many_models_share_a_table_for_each_data_set(many: Tables) -> None:
    text = printed(many)
    assert f"{CHOICE}, generation, greedy" in text
    assert len([line for line in text.splitlines() if line.strip().startswith("model-3")]) >= 2
    assert "model-3 on" not in text
    assert max(cell_len(line) for line in text.splitlines()) <= 100


def test_an_axis_that_nobody_has_is_one_line(many: Tables) -> None:
    lines = [line.rstrip() for line in printed(many, 140).splitlines() if "activations" in line]
    assert lines == ["  No greedy row for activations: this model, or this way of answering, does not give what the axis needs."]
