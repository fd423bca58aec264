from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from sago.reports.doses import dose_responses
from sago.reports.figures import DosePoint, dose_panel
from sago.reports.numbers import Estimate
from sago.reports.page import write_html
from sago.runs import Run
from sago.runs.run import summary_of
from sago.study import Study


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    study = Study(
        models=["planted:template-driven"],
        data=["builtin-text"],
        limit=6,
        variations=["typo@0.02", "typo@0.1", "typo@0.25", "case", "typo@0.02+format", "typo@0.1+format"],
        axes=["generation"],
    )
    return study.run(tmp_path_factory.mktemp("doses") / "run")


def test_a_family_at_several_intensities_is_a_curve_over_its_mean_dose(run: Run) -> None:
    tables = run.tables()
    (found,) = dose_responses(tables, ["planted-template-driven"])
    assert (found.dataset, found.family, found.axes) == ("builtin-text", "typo", ("generation",))
    assert [line.intensity for line in found.lines] == ["0.02", "0.1", "0.25"]
    doses = dict(tables.variants.group_by("family").agg(pl.col("dose").mean()).iter_rows())
    assert [line.dose for line in found.lines] == pytest.approx([doses[f"typo@{intensity}"] for intensity in ("0.02", "0.1", "0.25")])
    rows = tables.profiles.filter(pl.col("family") == "typo@0.1", measure="embedding").select("instability", "lower", "upper", "n")
    (estimate,), (count,) = found.lines[1].estimates, found.lines[1].counts
    assert estimate is not None
    assert (*estimate, count) == rows.row(0)
    assert len(found.figures) == 1


def test_the_page_shows_it(run: Run, tmp_path: Path) -> None:
    path = write_html(run.tables(), summary_of([run]), tmp_path / "report.html")
    assert "typo on <bdi>builtin-text</bdi>" in path.read_text(encoding="utf-8")


def test_one_intensity_is_no_curve(run: Run) -> None:
    tables = run.tables()
    few = tables.profiles.filter(~pl.col("family").is_in(["typo@0.1", "typo@0.25"]) | pl.col("family").is_null())
    assert dose_responses(replace(tables, profiles=few), ["planted-template-driven"]) == []


@pytest.mark.parametrize("reach", [0.15, 0.3, 0.05])
def test_no_two_ticks_of_an_axis_have_the_same_label(reach: float) -> None:
    points = [DosePoint(dose, "m", Estimate(0.0, -reach, reach)) for dose in (0.01, 0.02)]
    drawn = dose_panel(points, ["m"], (-reach, reach), "d")
    for labels in re.findall(r'role-axis-label".*?</g>', drawn, re.DOTALL):
        ticks = re.findall(r">([^<>]*\d[^<>]*)</text>", labels)
        assert ticks
        assert len(set(ticks)) == len(ticks), ticks
