"""A sheet on which people say whether wordings mean the same, and what they said.

The sheet is a CSV file with two columns to fill, one a reviewer: ``same_meaning_1`` and ``same_meaning_2``, with yes or no; an empty cell
is no verdict. A wording goes out of use where anybody says no.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import polars as pl

from sago.errors import DataError
from sago.records import BY_CONSTRUCTION, REVIEW
from sago.seeds import content_hash
from sago.variations.judging import Said, beside, with_judgements
from sago.variations.making import Varied

TO_FILL = ("same_meaning_1", "same_meaning_2")
"""Columns of the sheet that people fill; more of them may be added, ``same_meaning_3`` and so on."""

_TO_FILL = re.compile(r"same_meaning_\d+")

_KEY = ("dataset", "example", "variant")
_SHOWN = ("dataset", "example", "family", "original", "wording", "right_answer", *TO_FILL, "variant", "fingerprint")
_YES = frozenset({"yes", "y", "same", "true", "1"})
_NO = frozenset({"no", "n", "different", "false", "0"})
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_TOLD = 5


def drawn_for_review(earlier: pl.DataFrame | None, varied: Varied, size: int, seed: int) -> pl.DataFrame:
    """Draws wordings that people should look at, part by part: at random, whatever the order of rows and parts.

    Wordings that keep the meaning by the way they were made are drawn only where there are no others.

    Args:
        earlier: What was drawn of the parts before; null = this is the first.
        varied: The next part; all wordings of an example with its original one.
        size: How many to draw of all parts together.
        seed: Seed of the draw.

    Returns:
        Rows of the sheet with columns ``_made_so`` and ``_rank``; see :func:`sheet_text`.
    """
    originals = varied.variants.filter(pl.col("position") == 0).select("dataset", "example", _text().alias("original"))
    has_review = pl.col("judgements").list.eval(pl.element().struct.field("check") == REVIEW).list.any().fill_null(value=False)
    rows = varied.variants.filter((pl.col("position") > 0) & ~pl.col("control") & ~has_review)
    rows = rows.join(originals, on=["dataset", "example"], how="left").select(
        *_KEY,
        "family",
        "original",
        _text().alias("wording"),
        pl.col("answers").list.first().fill_null("").alias("right_answer"),
        "fingerprint",
        pl.col("checks").list.contains(BY_CONSTRUCTION).alias("_made_so"),
    )
    keys = zip(rows["dataset"].to_list(), rows["example"].to_list(), rows["variant"].to_list(), strict=True)
    ranked = rows.with_columns(_rank=pl.Series([content_hash("review", seed, *key) for key in keys], dtype=pl.String))
    pool = ranked if earlier is None else pl.concat([earlier, ranked])
    if not pool["_made_so"].all():
        pool = pool.filter(~pl.col("_made_so"))
    return pool.sort("_rank").head(size)


def sheet_text(drawn: pl.DataFrame) -> str:
    """Returns the sheet as CSV text, original and wording side by side, the columns to fill empty.

    A cell that a spreadsheet would take for a formula begins with an apostrophe; the texts of a sheet are not read back.
    """
    out = io.StringIO()
    writer = csv.DictWriter(out, _SHOWN, extrasaction="ignore", lineterminator="\r\n")
    writer.writeheader()
    for row in drawn.iter_rows(named=True):
        writer.writerow({name: _harmless(str(value)) for name, value in row.items()} | dict.fromkeys(TO_FILL, ""))
    return out.getvalue()


class Verdict(NamedTuple):
    """One filled row of a sheet."""

    row: int
    """Row of the sheet, its heading being the first."""
    fingerprint: str
    said: tuple[Said, ...]


class Review:
    """What people said on a sheet.

    Args:
        text: The sheet.
        where: Its name, for messages.

    Raises:
        DataError: If it is no sheet, or holds a verdict that is neither yes nor no; naming the lines.
    """

    def __init__(self, text: str, where: str) -> None:
        self.where = where
        self._verdicts = _read(text, where)
        self._used: set[tuple[str, str, str]] = set()

    def __len__(self) -> int:
        return len(self._verdicts)

    def applied(self, varied: Varied) -> Varied:
        """Returns the variants with what people said of them; those of which anybody said no are rejected.

        Raises:
            DataError: If a wording is no longer the one that people saw.
        """
        found: dict[int, tuple[Said, ...]] = {}
        for row, (*key, fingerprint) in enumerate(varied.variants.select(*_KEY, "fingerprint").iter_rows()):
            verdict = self._verdicts.get((key[0], key[1], key[2]))
            if verdict is None:
                continue
            if verdict.fingerprint != fingerprint:
                raise DataError(
                    f"the wording {'/'.join(key)} is not the one that was reviewed",
                    where=f"{self.where}, row {verdict.row}",
                    fix="Give the variants of which the sheet was made (--variants FILE), or make a new sheet",
                )
            self._used.add((key[0], key[1], key[2]))
            found[row] = verdict.said
        rejected = varied.rejected.with_columns(judgements=self._of_rejected(varied.rejected))
        varied = varied._replace(rejected=rejected)
        return with_judgements(varied, found) if found else varied

    def _of_rejected(self, rejected: pl.DataFrame) -> pl.Series:
        """Returns column ``judgements`` of wordings that are out of use already, with what people said of them beside."""
        judgements = rejected["judgements"].to_list()
        for row, key in enumerate(rejected.select(*_KEY).iter_rows()):
            verdict = self._verdicts.get((key[0], key[1], key[2]))
            if verdict is not None:
                self._used.add((key[0], key[1], key[2]))
                judgements[row] = beside(judgements[row], verdict.said)
        return pl.Series(judgements, dtype=rejected.schema["judgements"])

    def check_used(self) -> None:
        """Refuses a sheet about other wordings.

        Raises:
            DataError: If a verdict belongs to no wording.
        """
        lost = [(verdict.row, "/".join(key)) for key, verdict in self._verdicts.items() if key not in self._used]
        if lost:
            shown = "; ".join(f"row {row}: {key}" for row, key in lost[:_TOLD])
            raise DataError(
                f"{len(lost)} of {len(self)} verdicts belong to no wording here: {shown}",
                where=self.where,
                fix="Give the data, families, limit and seed of which the sheet was made, or its file of variants (--variants FILE)",
            )


def _text() -> pl.Expr:
    """Returns what people compare: the whole prompt as the last message says it."""
    return pl.col("messages").list.last().struct.field("content")


def _harmless(cell: str) -> str:
    return "'" + cell if cell.startswith(_FORMULA) else cell


def _read(text: str, where: str) -> dict[tuple[str, str, str], Verdict]:
    text = text.removeprefix("\ufeff")
    separator = ";" if text.split("\n", 1)[0].count(";") > text.split("\n", 1)[0].count(",") else ","
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator)
    lacking = [name for name in (*_KEY, "fingerprint", TO_FILL[0]) if name not in (reader.fieldnames or ())]
    if lacking:
        raise DataError(f"is no review sheet: it lacks {', '.join(lacking)}", where=where, fix="Fill a sheet that sago vary --review wrote")
    columns = [name for name in reader.fieldnames or () if _TO_FILL.fullmatch(name)]
    found: dict[tuple[str, str, str], Verdict] = {}
    wrong: list[str] = []
    for number, row in enumerate(reader, start=2):
        said, problems = _said(row, columns)
        key = _unquoted(row["dataset"]), _unquoted(row["example"]), _unquoted(row["variant"])
        wrong += [f"row {number} ({key[1]}, {key[2]}): {problem}" for problem in problems]
        if said:
            # Of a wording that stands twice all verdicts count.
            found[key] = Verdict(number, row["fingerprint"], (*found[key].said, *said) if key in found else said)
    if wrong:
        more = f" and {len(wrong) - _TOLD} more" if len(wrong) > _TOLD else ""
        raise DataError(f"neither yes nor no: {'; '.join(wrong[:_TOLD])}{more}", where=where, fix="Write yes, no, or leave the cell empty")
    if not found:
        raise DataError("nobody has filled it", where=where, fix=f"Write yes or no into {' and '.join(TO_FILL)}")
    return found


def _said(row: dict[str, Any], columns: Sequence[str]) -> tuple[tuple[Said, ...], Sequence[str]]:
    said, problems = [], []
    for name in columns:
        number = name.rpartition("_")[2]
        cell = (row.get(name) or "").strip()
        word = cell.lower().rstrip(".!")
        if word in _YES or word in _NO:
            said.append(Said(REVIEW, f"reviewer {number}", float(word in _YES), None, word in _YES))
        elif word:
            problems.append(f"{name} is '{cell[:20]}'")
    return tuple(said), problems


def _unquoted(cell: str) -> str:
    return cell[1:] if cell[:1] == "'" and cell[1:2] in _FORMULA else cell
