"""What rows of recorded answers have to be among one another: no row twice, one temperature, vectors of one length."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import polars as pl

from sago.records import MISSING_STATUSES
from sago.runs.importers.rows import AnswerRow, AnswerRows
from sago.wordings import with_wordings


def number_reruns(found: AnswerRows) -> None:
    """Counts reruns where no column numbers them, and finds rows that are there twice."""
    counts: Counter[tuple[str, ...]] = Counter()
    seen: dict[tuple[Any, ...], AnswerRow] = {}
    counted = 0
    for row in found.rows:
        asked = (row.model, row.dataset, row.example, str(row.variant), row.decoding)
        if row.rerun is None:
            row.rerun = counts[asked]
            counts[asked] += 1
            counted += row.rerun > 0
        first = seen.setdefault((*asked, row.rerun), row)
        if first is not row:
            found.problems.append(
                f"{row.place}: model, example, variant and rerun of {_beside(first, row)} again "
                f"({row.model}, {row.dataset}/{row.example}, {row.variant}, {row.rerun})"
            )
    if counted:
        found.notes.append(f"no column for the rerun: {counted} rows that repeat model, example and variant are counted as reruns")


def check_temperatures(found: AnswerRows) -> None:
    """Answers of one model at two temperatures are a problem: pooled, what the temperature does would count as noise or as instability."""
    first: dict[tuple[str, str, str], dict[float, AnswerRow]] = {}
    for row in found.rows:
        if row.temperature is not None and row.decoding != "greedy":
            first.setdefault((row.model, row.dataset, row.decoding), {}).setdefault(row.temperature, row)
    for (model, dataset, _), heats in first.items():
        if len(heats) > 1:
            told = " and ".join(f"{heat:g} ({row.place})" for heat, row in sorted(heats.items(), key=lambda item: item[0]))
            found.problems.append(
                f"{model} answered {dataset} at temperatures {told}, which are not one way of decoding: give each temperature a model "
                "name of its own (in the column of the model, or another one with --columns model=COLUMN), or score the rows of one alone"
            )


def check_lengths(rows: Sequence[AnswerRow], found: AnswerRows) -> None:
    """Vectors that are compared have one length: embeddings of a data set, states of one model at one layer."""
    first: dict[tuple[str, ...], AnswerRow] = {}
    lengths: dict[tuple[str, ...], int] = {}
    for row in rows:
        if row.embedding is None and not row.states:
            continue
        vectors = {("states", row.model, f"layer {layer}"): state for layer, state in row.states.items()}
        for key, vector in (*vectors.items(), (("embedding",), row.embedding)):
            if vector is None:
                continue
            if lengths.setdefault(key, len(vector)) != len(vector):
                other = first[key]
                what = " of ".join((key[0], *key[2:]))
                found.problems.append(
                    f"{row.place}: {what} with {len(vector)} numbers, {lengths[key]} in {other.unit} {other.number}; "
                    "vectors of one encoder or layer are needed"
                )
            first.setdefault(key, row)


def tell_reruns(dataset: str, rows: Sequence[AnswerRow], notes: list[str]) -> None:
    """Says where wordings were not asked equally often."""
    counts = Counter((row.model, row.decoding, row.example, row.variant) for row in rows if row.status not in MISSING_STATUSES)
    fewest, most = min(counts.values(), default=0), max(counts.values(), default=0)
    if fewest != most:
        notes.append(
            f"{dataset}: wordings were asked {fewest} to {most} times. If somebody stopped early where answers agreed, the noise "
            "of asking twice (rerun) is no unbiased sample, and instability is off with it"
        )


def tell_merged(dataset: str, keys: pl.DataFrame, variants: pl.DataFrame, notes: list[str]) -> None:
    """Says how many variants have the prompt of another one, so that they are no wordings of their own."""
    found = with_wordings(keys, variants).filter(pl.col("wording") != pl.col("variant"))
    merged = found.unique(["example", "variant"]).sort("example", "variant", "wording")
    if merged.height:
        first = merged.row(0, named=True)
        notes.append(
            f"{dataset}: {merged.height} variants of {merged['example'].n_unique()} examples have the prompt of another variant (the "
            f"first: '{first['variant']}' of '{first['example']}', that of '{first['wording']}'): merged, their answers count as reruns"
        )


def _beside(row: AnswerRow, other: AnswerRow) -> str:
    """Returns where a row stands, without the file where the other one is in the same."""
    return f"{row.unit} {row.number}" if row.source == other.source else row.place
