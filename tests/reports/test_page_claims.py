"""The page begins with what may be claimed."""

from __future__ import annotations

import re
from copy import copy
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from tests.reports.sample import MODELS, TEXT, empty_tables, sample_summary
from tests.reports.sample_claims import THREE, claims_tables, passed_controls
from tests.reports.test_page import ELEMENTS, Outline, written

from sago import schemas
from sago.reports import RunSummary
from sago.reports.details import accuracy_details, further_details, profile_details
from sago.reports.in_words import in_words
from sago.reports.numbers import Estimate
from sago.reports.page import is_self_contained
from sago.reports.words import REASONS, VERDICTS
from sago.schemas import Tables


@pytest.fixture(scope="module")
def told() -> Tables:
    return claims_tables()


@pytest.fixture(scope="module")
def page(told: Tables, tmp_path_factory: pytest.TempPathFactory) -> str:
    return written(told, tmp_path_factory.mktemp("claims"))


def section(page: str, name: str) -> str:
    return page.split(f'<section aria-labelledby="{name}">')[1].split("</section>", maxsplit=1)[0]


def test_failed_controls_stand_above_everything(page: str) -> None:
    alarm = page.index('<section class="alarm"')
    assert alarm < page.index('<h2 id="findings">') < page.index('<h2 id="unstable">')
    assert f"The run proves nothing about {MODELS[0]} on {TEXT}, activations (state cosine, greedy)." in page


def test_no_alarm_where_controls_hold(told: Tables, tmp_path: Path) -> None:
    passed = schemas.frame("findings", [passed_controls()])
    sound = replace(told, findings=pl.concat([told.findings.filter(pl.col("verdict") != "FAILED"), passed]))
    page = written(sound, tmp_path)
    assert '<section class="alarm"' not in page
    assert '<span class="pass">✓</span> All 20 controls that could be judged pass' in page


@pytest.mark.parametrize(("key", "count"), [("unstable", "13 of 24 cells"), ("independent", "6 pairs of axes"), ("order", "2 of 12")])
def test_every_question_begins_with_a_count(page: str, key: str, count: str) -> None:
    part = section(page, key)
    assert count in part.split('<ul class="findings">')[0]
    assert 3 <= part.split('<ul class="findings">')[1].split("</ul>")[0].count("<li>") <= 7


def test_verdicts_are_signs_and_words(page: str, told: Tables) -> None:
    for verdict in set(told.findings["verdict"]) & set(VERDICTS) - {"NOT_TESTED"}:
        sign = VERDICTS[verdict]
        assert f'<span class="badge k-{sign.kind}"><span aria-hidden="true">{sign.symbol}</span> {verdict.replace("_", " ")}</span>' in page
        assert sign.meaning in page.split('<h2 id="read">')[1]


def test_the_grid_says_what_the_correction_and_the_raw_scores_change(page: str) -> None:
    grid = section(page, "unstable").split('<table class="grid">')[1].split("</table>")[0]
    assert grid.count("<td") == 24
    assert grid.count("not after Holm") == 1
    assert grid.count("raw: ") == 5
    assert grid.count("control failed") == 1


def test_reasons_of_the_grid_stand_below_it_once(told: Tables, tmp_path: Path) -> None:
    lost = (pl.col("claim") == "instability") & (pl.col("axis") == "confidence") & (pl.col("models").list.first() == THREE[0])
    given = {"verdict": pl.lit("NOT_TESTED"), "reason": pl.lit("no_gold")}
    findings = told.findings.with_columns(**{name: pl.when(lost).then(value).otherwise(name) for name, value in given.items()})
    part = section(written(replace(told, findings=findings), tmp_path), "unstable").split("<details>")[0]
    assert part.count("not tested</span><sup>1</sup>") == 2
    assert part.count(REASONS["no_gold"]) == 1


def test_the_matrix_is_a_triangle(page: str) -> None:
    matrix = section(page, "independent").split('<table class="matrix">')[1].split("</table>")[0]
    assert matrix.count('<div class="entry">') == 6
    assert matrix.count('<td class="empty">') == 3


def test_ranks_are_drawn_side_by_side_and_other_axes_are_folded(page: str) -> None:
    part = section(page, "order")
    first = part.split("<details>")[0]
    assert first.count('<span class="track"') == 6
    assert "1 [1, 1]" in first
    assert "Ranks in 3 more axes" in part
    assert part.count('<span class="track"') == 24


def test_every_finding_is_on_the_page_with_its_test(page: str, told: Tables) -> None:
    flat = re.sub(r"&#39;", "'", page)
    sentences = told.findings.filter(pl.col("claim") != "controls")["sentence"].to_list()
    assert [
        one for one in map(in_words, sentences) if one.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") not in flat
    ] == []


def test_very_many_findings_are_cut_and_it_is_said(told: Tables, tmp_path: Path) -> None:
    many = replace(told, findings=pl.concat([told.findings] * 8))
    part = section(written(many, tmp_path), "unstable")
    assert "The first 300 of 664" in part
    assert part.count('<td class="wide">') == 300


def test_it_is_a_sound_page(page: str) -> None:
    outline = Outline()
    outline.feed(page)
    assert {tag for tag, _ in outline.elements} <= ELEMENTS
    assert outline.unbalanced == []
    assert is_self_contained(page)
    ids = [value for _, attributes in outline.elements for name, value in attributes if name == "id"]
    assert len(ids) == len(set(ids))


def test_hostile_findings_stay_text(told: Tables, tmp_path: Path) -> None:
    name = '"><script>window.hit=6</script>\u202e'
    findings = told.findings.with_columns(
        **dict.fromkeys(("sentence", "axis", "measure", "decoding", "reason", "mode", "test"), pl.lit(name)),
        models=pl.lit([name]),
        datasets=pl.lit([name]),
        verdict=pl.when(pl.col("claim") == "controls").then(pl.lit("FAILED")).otherwise(pl.lit(name)),
    )
    profiles = told.profiles.head(1).with_columns(**dict.fromkeys(("model", "dataset", "axis", "measure", "decoding"), pl.lit(name)))
    page = written(replace(told, findings=findings, profiles=profiles), tmp_path, RunSummary(name))
    outline = Outline()
    outline.feed(page)
    assert "script" not in {tag for tag, _ in outline.elements}
    assert outline.unbalanced == []
    assert "\u202e" not in page


def test_nothing_makes_a_page_that_says_why(tmp_path: Path) -> None:
    page = written(empty_tables(), tmp_path, RunSummary("nothing"))
    assert "Nothing was tested: there is no finding." in page
    assert "No axis has data: there is no pair of axes." in page
    assert "One model only" in page


def test_other_errors_and_scales_are_folded_below_the_profile(page: str, told: Tables) -> None:
    part = page.split('<h2 id="profile">')[1].split("</section>", maxsplit=1)[0]
    assert "More numbers of each cell" in part
    assert all(f">{name}</th>" in part for name in ("se total", "star instability", "instability common", "se wordings"))
    assert "S with the common N; null where that is" in part
    details = profile_details(told)
    assert details is not None
    assert len(details.rows) == 24
    assert [row.keys[2] for row in details.rows[:3]] == list(THREE)


def test_columns_without_numbers_are_not_shown(told: Tables) -> None:
    bare = told.profiles.with_columns(star_se=pl.lit(None, dtype=pl.Float64)).drop("se_total")
    details = profile_details(replace(told, profiles=bare))
    assert details is not None
    assert not {"star se", "se total"} & {column.label for column in details.columns}
    keep = ("model", "dataset", "axis", "measure", "decoding", "family", "layer", "default", "n", "instability", "se")
    assert profile_details(replace(told, profiles=told.profiles.select(keep))) is None


def test_further_columns_of_accuracy_are_shown_as_they_come(told: Tables, tmp_path: Path) -> None:
    assert "More about accuracy" not in written(told, tmp_path)
    further = {"k": pl.lit(3), "spread": pl.lit(0.125), "spread_lower": pl.lit(0.1), "spread_upper": pl.lit(0.2)}
    more = replace(told, accuracy=told.accuracy.with_columns(**further))
    details = accuracy_details(more)
    assert details is not None
    assert [column.label for column in details.columns] == ["spread", "k"]
    assert details.rows[0].values == (Estimate(0.125, 0.1, 0.2), 3)
    page = written(more, tmp_path)
    assert "More about accuracy" in page
    assert "[.10, .20]" in page


def test_further_tables_are_shown_where_a_run_has_them(told: Tables) -> None:
    assert further_details(told) == []
    with_wordings = copy(told)
    rows = told.accuracy.select("model", "dataset", "decoding", "n", accuracy="mean", variant=pl.lit("typo-1"))
    object.__setattr__(with_wordings, "wording_accuracy", rows)
    ((title, details),) = further_details(with_wordings)
    assert title == "Accuracy of each wording"
    assert details.keys == ("data set", "model", "decoding", "wording")
    assert len(details.rows) == rows.height


def test_the_same_tables_make_the_same_page(told: Tables, page: str, tmp_path: Path) -> None:
    assert written(told, tmp_path, sample_summary()) == page
