"""A run on disk: one folder, one Parquet file (or folder of parts) a table, written whole or not at all.

    study.yaml      the study as resolved
    manifest.json   versions, models, data: see manifest.py
    examples.parquet  variants.parquet  variation_counts.parquet  equivalence.parquet
    observations/part-000001.parquet ...   states/part-000001.parquet ...
    features.parquet  scores.parquet  halves.parquet  covariates.parquet  profiles.parquet  controls.parquet
    accuracy.parquet  wording_accuracy.parquet  components.parquet  findings.parquet
    report.html

A part is first written under a temporary name, then renamed: it is there or it is not. The states of a batch are written before its
observations, so an observation never lacks its states.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl
import yaml
from filelock import FileLock, Timeout

from sago import schemas
from sago.errors import RunFolderError, SchemaError

IN_PARTS = ("observations", "states")
"""Tables that grow while a run goes on."""

_PART = re.compile(r"part-(\d{6,})\.parquet")


class RunStore:
    """Reads and writes one run folder. Every table is checked against its schema on the way in and out.

    Args:
        folder: The run folder; it is made by the first write, never by looking.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._written: dict[str, pl.DataFrame] = {}
        """Whole tables that this store wrote itself: what it holds is what stands on disk, for the folder is locked while it writes."""

    # -- the folder ----------------------------------------------------------------------------------------------------------

    def exists(self) -> bool:
        """Returns whether a run has been begun here."""
        return (self.folder / "manifest.json").is_file()

    def check_usable(self) -> None:
        """Refuses a folder that holds something else than a run.

        Raises:
            RunFolderError: If the path is a file, or a folder with other content.
        """
        if self.folder.is_file():
            raise RunFolderError("is a file, not a run folder", where=str(self.folder), fix="Give a folder with --out")
        if self.folder.is_dir() and not self.exists():
            content = [item.name for item in self.folder.iterdir() if not item.name.startswith((".", "study.yaml"))]
            if content:
                raise RunFolderError(
                    f"is not a run folder (it holds {content[0]}, but no manifest.json)",
                    where=str(self.folder),
                    fix="Give an empty or new folder with --out",
                )

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Holds the folder for this process.

        Raises:
            RunFolderError: If another process holds it.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(self.folder / ".lock")
        try:
            lock.acquire(timeout=0)
        except Timeout as error:
            raise RunFolderError(
                "another process is working in this run folder", where=str(self.folder), fix="Wait for it, or give another --out"
            ) from error
        try:
            yield
        finally:
            lock.release()

    # -- texts ---------------------------------------------------------------------------------------------------------------

    def write_text(self, name: str, text: str) -> None:
        """Writes a text file of the run, whole or not at all."""
        with _whole(self.folder / name) as temporary:
            temporary.write_text(text, encoding="utf-8", errors="backslashreplace")

    def read_manifest(self) -> dict[str, Any]:
        """Returns the manifest.

        Raises:
            RunFolderError: If there is none, or it is damaged.
        """
        path = self.folder / "manifest.json"
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError as error:
            known = "there is no such folder" if not self.folder.exists() else "it holds no manifest.json"
            raise RunFolderError(
                f"not a run folder: {known}", where=str(self.folder), fix="Give the folder that sago run --out wrote"
            ) from error
        except (OSError, ValueError) as error:
            raise RunFolderError(f"the manifest cannot be read: {error}", where=str(path)) from error
        if not isinstance(content, dict):
            raise RunFolderError("the manifest is not a JSON object", where=str(path))
        lacking = [name for name in ("created", "models", "packages", "notes", "python", "sago_version") if name not in content]
        if lacking:
            raise RunFolderError(f"the manifest lacks {', '.join(lacking)}", where=str(path), fix="This is no run folder of this program")
        return content

    def write_manifest(self, manifest: dict[str, Any]) -> None:
        """Writes the manifest, whole or not at all."""
        self.write_text("manifest.json", json.dumps(manifest, indent=2, ensure_ascii=False, allow_nan=False) + "\n")

    def read_study(self) -> dict[str, Any]:
        """Returns the fields of the run's study, as resolved.

        Raises:
            RunFolderError: If the file is missing or damaged.
        """
        path = self.folder / "study.yaml"
        try:
            content = yaml.safe_load(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, yaml.YAMLError) as error:
            raise RunFolderError(f"the study cannot be read: {error}", where=str(path)) from error
        if not isinstance(content, dict):
            raise RunFolderError("the study is no mapping of fields to values", where=str(path))
        return content

    # -- tables --------------------------------------------------------------------------------------------------------------

    def write(self, table: str, data: pl.DataFrame) -> None:
        """Writes a whole table, replacing an earlier one."""
        self._written[table] = self._write_file(table, data, self.folder / f"{table}.parquet")

    def append(self, table: str, data: pl.DataFrame, part: int) -> None:
        """Writes one part of a table that grows."""
        self._write_file(table, data, self.folder / table / f"part-{part:06d}.parquet")

    def replace(self, table: str, data: pl.DataFrame) -> None:
        """Writes a growing table as one part and removes its other parts; an empty one has none."""
        if data.height:
            self.append(table, data, 1)
        for path in (self.folder / table).glob("part-*.parquet"):
            if not data.height or path.name != "part-000001.parquet":
                path.unlink()

    def next_part(self) -> int:
        """Returns the number of the first part that neither growing table has."""
        numbers = [
            int(match[1])
            for table in IN_PARTS
            for path in (self.folder / table).glob("part-*.parquet")
            if (match := _PART.fullmatch(path.name))
        ]
        return max(numbers, default=0) + 1

    def read(self, table: str) -> pl.DataFrame:
        """Returns a table; empty where it has not been written yet.

        Observations that were asked for again (after an error) stand in several parts: the last one that is no error counts.

        Raises:
            RunFolderError: If a file is damaged, or was written under another schema version.
        """
        if table in self._written:
            return self._written[table]
        if table not in IN_PARTS:
            path = self.folder / f"{table}.parquet"
            return self._read_file(table, path) if path.is_file() else schemas.empty(table)
        paths = sorted((self.folder / table).glob("part-*.parquet"))
        if not paths:
            return schemas.empty(table)
        parts = pl.concat([self._read_file(table, path).with_columns(_part=pl.lit(number)) for number, path in enumerate(paths)])
        return _latest(table, parts)

    def _write_file(self, table: str, data: pl.DataFrame, path: Path) -> pl.DataFrame:
        checked = schemas.check(table, data)
        with _whole(path) as temporary:
            checked.write_parquet(temporary, compression="zstd", metadata=schemas.parquet_metadata(table))
        return checked

    def _read_file(self, table: str, path: Path) -> pl.DataFrame:
        try:
            version = _metadata(path).get("sago_schema_version")
            if version != str(schemas.SCHEMA_VERSION):
                raise RunFolderError(
                    f"written under schema version {version}, this program reads {schemas.SCHEMA_VERSION}",
                    where=str(path),
                    fix="Run the study again with this version, or read it with the version that wrote it",
                )
            return schemas.check(table, pl.read_parquet(path, glob=False))
        except (pl.exceptions.PolarsError, OSError, SchemaError) as error:
            raise RunFolderError(
                f"damaged table: {error}",
                where=str(path),
                fix="Delete this file and give the same command again: only that part is repeated",
            ) from error


@contextmanager
def _whole(path: Path) -> Iterator[Path]:
    """Gives a temporary path to write to, and renames it when it is on disk: the file is there whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    yield temporary
    with temporary.open("rb") as written:
        os.fsync(written.fileno())
    temporary.replace(path)


def _metadata(path: Path) -> dict[str, str]:
    with path.open("rb") as file:  # a path would be read as a pattern where it holds brackets
        return pl.read_parquet_metadata(file)


def _latest(table: str, parts: pl.DataFrame) -> pl.DataFrame:
    key = [*schemas.KEYS, *(["tap"] if table == "states" else [])]
    failed = pl.col("status") == "error" if table == "observations" else pl.lit(value=False)
    ordered = parts.with_columns(_failed=failed).sort("_failed", "_part", descending=[True, False], maintain_order=True)
    return ordered.unique(key, keep="last", maintain_order=True).sort(key).drop("_failed", "_part")
