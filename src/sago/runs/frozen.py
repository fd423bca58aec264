"""Files of variants: made once, looked at, signed off, used by any run and by other tools.

Such a file is table ``variants`` as Parquet or JSON lines, those out of use included (``rejected`` says why). It holds no path and no row
number of its source: the same questions, families and seed give the same file anywhere.
"""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import IO, Self

import polars as pl
import pyarrow.parquet as pq

from sago import schemas
from sago.errors import DataError, SchemaError, StudyError
from sago.records import CANONICAL
from sago.rows import read_examples
from sago.seeds import hash_of_messages
from sago.variations import Varied
from sago.variations.rendering import render
from sago.variations.specs import file_hash

SUFFIXES = (".parquet", ".jsonl")
"""How the name of a file of variants ends."""

_LAYOUT = schemas.empty("variants").to_arrow().schema
_KEY = ("dataset", "example", "variant")
_COUNTED = ("examples", "asked", "made", "dropped_changed")


class VariantsFile:
    """A file of variants being written, part by part; it is there whole or not at all.

    Args:
        path: ``FILE.parquet`` or ``FILE.jsonl``; a file that is there is replaced.

    Raises:
        StudyError: If the name ends otherwise, or the file cannot be written.
    """

    def __init__(self, path: Path) -> None:
        if path.suffix not in SUFFIXES:
            raise StudyError(f"cannot tell the format of '{path.name}'", where="--out", fix="Name it FILE.parquet or FILE.jsonl")
        self.path = path
        self.rows = 0
        self._temporary = path.with_name(f".{path.name}.{os.getpid()}")
        self._lines: IO[bytes] | None = None
        self._table: pq.ParquetWriter | None = None

    def __enter__(self) -> Self:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self.path.suffix == ".jsonl":
                self._lines = self._temporary.open("wb")
            else:
                layout = _LAYOUT.with_metadata(schemas.parquet_metadata("variants"))
                self._table = pq.ParquetWriter(self._temporary, layout, compression="zstd")
        except OSError as error:
            raise _cannot_write(self.path, error) from error
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for open_file in (self._lines, self._table):
            if open_file is not None:
                open_file.close()
        if kind is None:
            self._temporary.replace(self.path)
        else:
            self._temporary.unlink(missing_ok=True)

    def add(self, varied: Varied) -> None:
        """Writes one part: those in use and those rejected, in the order of the examples."""
        table = pl.concat([varied.variants, varied.rejected]) if varied.rejected.height else varied.variants
        if varied.rejected.height:
            order = varied.variants.filter(pl.col("position") == 0).select("dataset", "example").with_row_index("_example")
            table = table.join(order, on=["dataset", "example"], how="left").sort("_example", "position").drop("_example")
        try:
            if self._lines is not None:
                table.write_ndjson(self._lines)
            elif self._table is not None:
                self._table.write_table(table.to_arrow().cast(_LAYOUT))
        except OSError as error:
            raise _cannot_write(self.path, error) from error
        self.rows += table.height


def read_variants(path: Path) -> pl.DataFrame:
    """Returns the table of a file of variants, those out of use included.

    Raises:
        DataError: If it cannot be read or is no file of variants.
    """
    try:
        table = pl.read_parquet(path) if path.suffix == ".parquet" else pl.read_ndjson(path, schema=schemas.dtypes("variants"))
    except (OSError, pl.exceptions.PolarsError) as error:
        first = str(error).splitlines()[0][:120]
        raise DataError(f"cannot be read ({first})", where=str(path), fix="Give a file that sago vary --out wrote") from error
    lacking = [name for name in schemas.dtypes("variants") if name not in table.columns]
    if lacking:
        raise DataError(
            f"is no file of variants: it lacks {', '.join(lacking[:4])}", where=str(path), fix="Give a file that sago vary --out wrote"
        )
    try:
        checked = schemas.check("variants", table.select(list(schemas.dtypes("variants"))))
    except SchemaError as error:
        raise DataError(
            "is no file of variants: its columns hold other things", where=str(path), fix="Give a file that sago vary --out wrote"
        ) from error
    edited = [
        f"{dataset}/{example}/{variant}"
        for dataset, example, variant, messages, fingerprint in checked.select(*_KEY, "messages", "fingerprint").iter_rows()
        if hash_of_messages([(part["role"], part["content"]) for part in messages]) != fingerprint
    ]
    if edited:
        raise DataError(
            f"was edited: {len(edited)} prompts are not those that were made ({', '.join(edited[:3])})",
            where=str(path),
            fix="Give the file as sago vary --out wrote it; own wordings come in by paraphrase:file=FILE",
        )
    return checked


def frozen_variants(path: str, examples: pl.DataFrame, *, system: str | None = None) -> tuple[Varied, tuple[str, ...]]:
    """Returns the variants of a file for some examples, and what a person should know of them.

    Args:
        path: The file.
        examples: Table ``examples``; variants of other examples are left out.
        system: System message of the study: the file must have been made with the same.

    Raises:
        DataError: If the file cannot be used, knows none of the examples, or was made of other questions.
    """
    table = read_variants(Path(path))
    mine = table.join(examples.select("dataset", "example"), on=["dataset", "example"], how="semi")
    known = mine.select("dataset", "example").unique().height
    if not known:
        theirs, ours = (", ".join(part["dataset"].unique().sort().to_list()[:5]) for part in (table, examples))
        fix = "Give the data of which the file was made"
        raise DataError(f"knows none of the examples (its data sets: {theirs}; those asked for: {ours})", where=path, fix=fix)
    _check_same_questions(path, mine, examples, system)
    in_use = pl.col("rejected").is_null()
    digest = file_hash(path).replace(":", " ")
    notes = [f"wordings are those of {Path(path).name} ({digest}), made before; families that a study names are not made anew"]
    if known < examples.height:
        notes.append(f"{examples.height - known:,} of {examples.height:,} examples have no wordings in {Path(path).name} and are left out")
    return Varied(mine.filter(in_use), _counts(mine), mine.filter(~in_use)), tuple(notes)


def _check_same_questions(path: str, variants: pl.DataFrame, examples: pl.DataFrame, system: str | None) -> None:
    said = variants.filter(variant=CANONICAL).select("dataset", "example", "fingerprint")
    known = {(dataset, example): fingerprint for dataset, example, fingerprint in said.iter_rows()}
    other = []
    for example in read_examples(examples):
        fingerprint = known.get((example.dataset, example.example))
        if fingerprint is not None and fingerprint != hash_of_messages(render(example, system=system).messages):
            other.append(f"{example.dataset}/{example.example}")
    if other:
        raise DataError(
            f"was made of other questions, or with another system message: {len(other)} of {len(known)} original prompts differ "
            f"({', '.join(other[:3])})",
            where=path,
            fix="Give the data and the system message of which the file was made",
        )


def _counts(variants: pl.DataFrame) -> pl.DataFrame:
    """Returns table ``variation_counts`` of a file: what was dropped for another reason when it was made is not known any more."""
    is_out = pl.col("rejected").is_not_null()
    rows = (
        variants.filter(pl.col("family") != CANONICAL)
        .group_by("dataset", "family", maintain_order=True)
        .agg(
            pl.col("example").n_unique().cast(pl.Int64).alias("examples"),
            pl.len().cast(pl.Int64).alias("asked"),
            (~is_out).sum().cast(pl.Int64).alias("made"),
            is_out.sum().cast(pl.Int64).alias("dropped_changed"),
        )
    )
    zeros = [name for name in schemas.dtypes("variation_counts") if name not in ("dataset", "family", *_COUNTED)]
    return schemas.check("variation_counts", rows.with_columns(pl.lit(0, dtype=pl.Int64).alias(name) for name in zeros))


def _cannot_write(path: Path, error: OSError) -> StudyError:
    return StudyError(f"cannot write: {error.strerror or error}", where=str(path), fix="Give a path that can be written")
