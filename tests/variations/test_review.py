from __future__ import annotations

import csv
import io

import polars as pl
import pytest
from tests.variations.tables import row, table

from sago.errors import DataError
from sago.variations import vary
from sago.variations.review import TO_FILL, Review, drawn_for_review, sheet_text

_ROWS = [
    row(str(place), f"Is {place} odd?", answers=["=no"], paraphrases=[f"Would {place} be odd?", f"Odd, is {place}?"]) for place in range(6)
]
_VARIED = vary(table(*_ROWS), ["paraphrase", "case:styles=upper", "identity"])


def _sheet(size: int = 4, seed: int = 0) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(sheet_text(drawn_for_review(None, _VARIED, size, seed)))))


def _filled(*verdicts: tuple[str, str], separator: str = ",") -> str:
    rows = _sheet(len(verdicts))
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), delimiter=separator)
    writer.writeheader()
    for given, verdict in zip(rows, verdicts, strict=True):
        writer.writerow(given | dict(zip(TO_FILL, verdict, strict=True)))
    return out.getvalue()


def test_wordings_that_may_differ_are_drawn_and_shown_beside_the_original() -> None:
    rows = _sheet()
    assert {given["family"] for given in rows} == {"paraphrase"}
    assert all(given["original"].startswith(f"Is {given['example']} odd?") for given in rows)
    assert all(given["wording"] != given["original"] for given in rows)
    assert [given[name] for given in rows for name in TO_FILL] == [""] * 8


def test_the_draw_depends_on_the_seed_alone() -> None:
    whole = drawn_for_review(None, _VARIED, 5, seed=1)["variant", "example"].rows()
    turned = vary(table(*reversed(_ROWS)), ["paraphrase", "case:styles=upper", "identity"])
    assert drawn_for_review(None, turned, 5, seed=1)["variant", "example"].rows() == whole
    in_parts: pl.DataFrame | None = None
    for part in (_ROWS[:2], _ROWS[2:]):
        in_parts = drawn_for_review(in_parts, vary(table(*part), ["paraphrase", "case:styles=upper"]), 5, seed=1)
    assert in_parts is not None
    assert in_parts["variant", "example"].rows() == whole
    assert drawn_for_review(None, _VARIED, 5, seed=2)["variant", "example"].rows() != whole


def test_wordings_by_construction_are_drawn_where_there_are_no_others() -> None:
    drawn = drawn_for_review(None, vary(table(*_ROWS), ["case:styles=upper"]), 100, 0)
    assert drawn["family"].to_list() == ["case"] * 6


def test_a_spreadsheet_takes_no_cell_for_a_formula() -> None:
    assert {given["right_answer"] for given in _sheet()} == {"'=no"}


def test_a_no_of_anybody_takes_a_wording_out_of_use() -> None:
    review = Review(_filled(("yes", "yes"), ("no", ""), ("Y", "No."), ("", "")), "sheet.csv")
    assert len(review) == 3
    after = review.applied(_VARIED)
    review.check_used()
    names = [(given["example"], given["variant"]) for given in _sheet()]
    assert sorted(after.rejected.select("example", "variant").rows()) == sorted(names[1:3])
    assert after.rejected["rejected"].to_list() == ["review", "review"]
    kept = after.variants.filter(example=names[0][0], variant=names[0][1])
    assert [one["by"] for one in kept["judgements"][0]] == ["reviewer 1", "reviewer 2"]
    assert "review" in kept["checks"][0]
    assert after.counts.filter(family="paraphrase").select("made", "dropped_changed").row(0) == (10, 2)
    again = drawn_for_review(None, after, 100, 0)
    assert again.height == 9, "what was reviewed is not drawn again"


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_sheets_as_spreadsheets_save_them(mark: str) -> None:
    assert len(Review(mark + _filled(("no", "no"), separator=";"), "sheet.csv")) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id,verdict\n1,yes\n", "is no review sheet: it lacks dataset, example, variant"),
        ("", "is no review sheet"),
        (_filled(("", "")), "nobody has filled it"),
        (
            _filled(("maybe", "yes"), ("yes", "?")),
            r"neither yes nor no: row 2 \(\d, paraphrase-\d\): same_meaning_1 is 'maybe'; row 3 .*: same_meaning_2 is '\?'",
        ),
    ],
)
def test_a_sheet_that_cannot_be_used(text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        Review(text, "sheet.csv")


def test_a_wording_that_has_changed_since_is_refused() -> None:
    review = Review(_filled(("yes", "")), "sheet.csv")
    other = _VARIED._replace(variants=_VARIED.variants.with_columns(fingerprint=pl.lit("other")))
    with pytest.raises(DataError, match=r"sheet\.csv, row \d+: the wording d/\d/paraphrase-\d is not the one that was reviewed"):
        review.applied(other)


def test_a_verdict_about_another_wording_is_refused() -> None:
    review = Review(_filled(("yes", ""), ("no", "")), "sheet.csv")
    review.applied(vary(table(*_ROWS), ["case"]))
    with pytest.raises(DataError, match="2 of 2 verdicts belong to no wording here: row"):
        review.check_used()


def test_all_verdicts_on_a_wording_count_and_more_columns_do() -> None:
    text = _filled(("no", ""), ("yes", ""))
    first = text.splitlines()[1].split(",")
    again = next(csv.reader(io.StringIO(_filled(("yes", ""), ("yes", "")))))
    assert again[6] == "same_meaning_1"
    twice = text + _filled(("yes", "yes"), ("yes", "")).split("\r\n", 1)[1]
    assert Review(twice, "sheet.csv").applied(_VARIED).rejected.height == 1, f"the no of {first[1]} stays"
    third = text.replace("same_meaning_2", "same_meaning_3").replace(",no,,", ",yes,no,")
    assert Review(third, "sheet.csv").applied(_VARIED).rejected.height == 1


def test_a_second_sheet_finds_what_the_first_took_out_of_use() -> None:
    first = Review(_filled(("no", ""), ("yes", "")), "first.csv").applied(_VARIED)
    second = Review(_filled(("", "no"), ("", "yes")), "second.csv")
    after = second.applied(first)
    second.check_used()
    assert [[one["by"] for one in given] for given in after.rejected["judgements"]] == [["reviewer 1", "reviewer 2"]]
