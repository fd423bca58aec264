"""Scoring answers that are there: recorded ones in a folder of their own, or those of a run that stays as it is."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

import polars as pl
import yaml

from sago.datasets.reading import STDIN
from sago.errors import RunFolderError
from sago.runs.importers import Answers, ReadOptions
from sago.runs.manifest import new_manifest
from sago.runs.store import IN_PARTS, RunStore
from sago.stats.equivalence import equivalence_counts

SCORING_FIELDS = ("axes", "measures", "nli", "generation_measure", "non_answers", "smallest_effect", "margin", "alpha")
"""Fields of a study that say how answers are scored, not how they came about."""


class Rescoring:
    """One command's work in a folder whose answers are there already.

    Args:
        store: The folder.
        manifest: Its manifest.
        study: Fields of the study as they will stand.
        tables: Tables to write before anything is scored; null = the folder has them.
    """

    def __init__(
        self, store: RunStore, manifest: Mapping[str, Any], study: Mapping[str, Any], tables: Mapping[str, pl.DataFrame] | None = None
    ) -> None:
        self.store = store
        self._manifest = dict(manifest)
        self._study = dict(study)
        self._tables = dict(tables or {})
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        self._stack.enter_context(self.store.locked())
        self._manifest["finished"] = False
        self.store.write_manifest(self._manifest)
        self.store.write_text("study.yaml", yaml.safe_dump(self._study, sort_keys=False, allow_unicode=True))
        for name, table in self._tables.items():
            if name in IN_PARTS:
                self.store.replace(name, table)
            else:
                self.store.write(name, table)
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def keep(self, name: str, table: pl.DataFrame) -> pl.DataFrame:
        """Writes a table into the folder and returns it."""
        self.store.write(name, table)
        return table

    def finish(self) -> None:
        """Marks the run as finished."""
        self._manifest["finished"] = True
        self.store.write_manifest(self._manifest)


def new_recording(folder: Path, sources: Sequence[str], answers: Answers, options: ReadOptions, study: Mapping[str, Any]) -> Rescoring:
    """Returns the work of writing recorded answers into a folder and scoring them.

    Args:
        folder: A new or empty folder, or one that holds the answers of the same files.
        sources: The files.
        answers: What was read of them.
        options: How they were read.
        study: Fields of the study; those of the scoring are kept.

    Raises:
        RunFolderError: If the folder holds something else.
    """
    store = RunStore(folder)
    store.check_usable()
    files = [_file(source) for source in sources]
    if store.exists():
        _check_same_files(store, files)
    models = answers.observations["model"].unique(maintain_order=True).to_list()
    manifest = {
        **new_manifest(answers.examples, answers.notes),
        "models": {name: {"spec": "recorded", "id": name, "source": "recorded answers", "capabilities": []} for name in models},
        "recorded": [
            {**file, "rows": understood.rows, "columns": dict(understood.fields), "unused": list(understood.unused)}
            for file, understood in zip(files, answers.sources, strict=True)
        ],
    }
    return Rescoring(store, manifest, _study_of(sources, models, answers, options, study), _tables_of(answers))


def rescoring_of(folder: Path, changes: Mapping[str, Any]) -> Rescoring:
    """Returns the work of scoring the answers of a run folder again.

    Args:
        folder: The run folder.
        changes: Fields of the scoring that get new values.

    Raises:
        RunFolderError: If it is no run folder, or a change would need other answers.
    """
    store = RunStore(folder)
    manifest, study = store.read_manifest(), store.read_study()
    allowed = {*SCORING_FIELDS, *(("seed",) if "recorded" in manifest else ())}
    wrong = [name for name in changes if name not in allowed]
    if wrong:
        raise RunFolderError(
            f"{', '.join(wrong)} cannot change when a run is scored again: its answers would be others",
            where=str(folder),
            fix=f"Only {', '.join(SCORING_FIELDS)} can",
        )
    return Rescoring(store, manifest, {**study, **changes})


def _tables_of(answers: Answers) -> dict[str, pl.DataFrame]:
    names = ("examples", "variants", "variation_counts", "states", "observations", "features")
    return {**{name: getattr(answers, name) for name in names}, "equivalence": equivalence_counts(answers.variants)}


def _study_of(
    sources: Sequence[str], models: Iterable[str], answers: Answers, options: ReadOptions, study: Mapping[str, Any]
) -> dict[str, Any]:
    return {
        "recorded": {
            "sources": list(sources),
            "columns": dict(options.columns),
            "canonical": options.canonical,
            "read_as": options.read_as,
            "answer_pattern": options.answer_pattern,
            **{name: value for name in ("format", "metric", "filter", "trust_ids") if (value := getattr(options, name))},
        },
        "models": list(models),
        "data": answers.examples["dataset"].unique(maintain_order=True).to_list(),
        **{name: study[name] for name in (*SCORING_FIELDS, "seed", "limit")},
    }


def _file(source: str) -> dict[str, Any]:
    return {"path": source, "sha256": None if source == STDIN else hashlib.sha256(Path(source).read_bytes()).hexdigest()}


def _check_same_files(store: RunStore, files: Sequence[Mapping[str, Any]]) -> None:
    before = store.read_manifest().get("recorded")
    if before is None:
        raise RunFolderError(
            "holds the run of a study, not recorded answers", where=str(store.folder), fix="Give another folder with --out"
        )
    if None in [file["sha256"] for file in files] or {file["sha256"] for file in files} != {file["sha256"] for file in before}:
        known = ", ".join(file["path"] for file in before)
        raise RunFolderError(f"holds other recorded answers ({known})", where=str(store.folder), fix="Give another folder with --out")
