from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from tests.reports.sample import CHOICE, sample_summary, sample_tables

from sago import schemas
from sago.reports import terminal_report
from sago.reports.cells import profile_rows
from sago.reports.equivalence import equivalence_lines, equivalence_words, least_instability
from sago.reports.page import write_html
from sago.schemas import Tables

_ROW: dict[str, Any] = {
    **{
        "dataset": CHOICE,
        "family": "all",
        "wordings": 1000,
        "by_construction": 700,
        "judged": 280,
        "unjudged": 0,
        "reviewed": 100,
        "not_same": 3,
    },
    **{"share": 0.03, "share_upper": 0.0757, "pair_share": 0.03, "reviewers": 2, "reviewed_twice": 90},
    **{"kappa": 0.81, "kappa_lower": 0.62, "kappa_upper": 1.0, "reason": None},
}
_NOBODY = {"reviewed": 0, "not_same": 0, "share": None, "share_upper": None, "pair_share": None, "reviewers": 0, "reviewed_twice": 0}
_NO_KAPPA = {"kappa": None, "kappa_lower": None, "kappa_upper": None}


def _tables(**changes: Any) -> Tables:
    return replace(sample_tables(), equivalence=schemas.frame("equivalence", [_ROW | changes]))


def test_golden_e15_the_least_instability() -> None:
    assert least_instability(0.20, 0.05) == pytest.approx(0.157895, abs=5e-7)


@pytest.mark.parametrize(("instability", "share"), [(None, 0.1), (0.2, None), (0.2, 0.0), (0.2, 1.0)])
def test_nothing_is_taken_off_that_is_not_known(instability: float | None, share: float | None) -> None:
    assert least_instability(instability, share) is None


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {},
            "Of 1,000 wordings 700 keep the meaning by construction; of the other 300, 280 passed a check by a model. 2 "
            "people reviewed 100, drawn at random: 3 do not mean the same (3.0 %, at most 7.6 % with 95 %); agreement kappa .81 "
            "[.62, 1.00], n = 90. So at most 3 % of pairs of wordings do not mean the same.",
        ),
        (
            {**_NOBODY, **_NO_KAPPA, "judged": 0},
            "Of 1,000 wordings 700 keep the meaning by construction; no model checked the other 300. Nobody reviewed "
            "any: how many changed the meaning is not known (sago vary --review writes a sheet).",
        ),
        (
            {**_NOBODY, **_NO_KAPPA, "by_construction": 1000, "judged": 0, "pair_share": 0.0},
            "All 1,000 wordings keep the meaning by construction.",
        ),
        (
            {**_NOBODY, **_NO_KAPPA, "wordings": 1, "by_construction": 0, "judged": 0},
            "The one wording could have changed the meaning; no model checked it. Nobody reviewed any: how many changed the meaning is not "
            "known (sago vary --review writes a sheet).",
        ),
        (
            {**_NOBODY, **_NO_KAPPA, "wordings": 4, "by_construction": 1, "judged": 2, "unjudged": 1},
            "Of 4 wordings 1 keeps the meaning by construction; of the other 3, 2 passed a check by a model, and of 1 the model asked gave "
            "no verdict (it stays in use). Nobody reviewed any: how many changed the meaning is not known (sago vary --review writes a "
            "sheet).",
        ),
        (
            {**_NO_KAPPA, "by_construction": 0, "judged": 0, "reviewed": 1000, "not_same": 1, "reviewers": 1, "reviewed_twice": 0}
            | {"pair_share": 0.0, "share_upper": 0.0047},
            "All 1,000 wordings could have changed the meaning; no model checked them. One person "
            "reviewed 1,000, drawn at random: 1 does not mean the same (0.1 %, at most 0.5 % with 95 %). All that could have changed were "
            "reviewed.",
        ),
    ],
)
def test_in_words(changes: dict[str, Any], said: str) -> None:
    assert equivalence_words(_ROW | changes) == said


def test_what_is_left_stands_beside_the_instability(tmp_path: Path) -> None:
    tables = _tables(pair_share=0.05)
    rows = [row for row in profile_rows(tables) if row.instability.value is not None]
    mine = [row for row in rows if row.dataset == CHOICE]
    assert mine
    for row in mine:
        assert row.least == pytest.approx(((row.instability.value or 0) - 0.05) / 0.95)
    assert all(row.least is None for row in rows if row.dataset != CHOICE), "nobody looked there"
    page = write_html(tables, sample_summary(), tmp_path / "report.html").read_text(encoding="utf-8")
    assert page.count("if some wordings changed the meaning") == len(mine)


def test_where_all_could_come_from_other_meanings_it_says_so_and_gives_no_negative_number(tmp_path: Path) -> None:
    tables = _tables(pair_share=0.95)
    mine = [row for row in profile_rows(tables) if row.dataset == CHOICE and row.least is not None]
    none_left = [row for row in mine if (row.least or 0.0) <= 0]
    assert none_left
    page = write_html(tables, sample_summary(), tmp_path / "report.html").read_text(encoding="utf-8")
    assert page.count("possibly none</span> if some wordings changed the meaning") == len(none_left)
    assert "at least -" not in page
    assert "at least −" not in page
    assert "2 people reviewed 100" in page


def test_the_terminal_says_it() -> None:
    console = Console(width=120, record=True, file=io.StringIO())
    console.print(terminal_report(_tables(), sample_summary()))
    shown = " ".join(console.export_text().split())
    assert "do they mean the same?" in shown
    assert "So at most 3 % of pairs of wordings do not mean the same." in shown


def test_a_data_set_without_wordings_has_no_line() -> None:
    assert equivalence_lines(_tables(wordings=0, by_construction=0)) == {}
