"""Work in a run folder, from the first look to the last table: nothing is written before the first model is open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

import polars as pl
import yaml

from sago.errors import RunFolderError
from sago.runs.manifest import check_same_model, check_same_study, check_same_variants, data_fingerprints, new_manifest
from sago.runs.store import RunStore


class Session:
    """One command's work in a run folder, new or begun before.

    Args:
        folder: The run folder.
        study: The study's fields, resolved.
        questions: Tables ``examples``, ``variants`` and ``variation_counts`` by name.
        notes: What a person should know about the data, for instance a random draw.

    Raises:
        RunFolderError: If the folder holds something else, or a run that this study does not continue.
    """

    def __init__(self, folder: Path, study: Mapping[str, Any], questions: Mapping[str, pl.DataFrame], notes: Iterable[str]) -> None:
        self.store = RunStore(folder)
        self.store.check_usable()
        self._questions = dict(questions)
        self._notes = list(notes)
        self._stack = ExitStack()
        self._begun = False
        self._manifest, earlier = self._continued(study) if self.store.exists() else (self._new(), [])
        self.study = {**study, "models": list(dict.fromkeys([*earlier, *study["models"]]))}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    @property
    def models(self) -> list[str]:
        """Every model of the run, those of earlier commands first."""
        return list(self.study["models"])

    def name_of(self, spec: str) -> str | None:
        """Returns the name in tables of a model that was opened in this run before; null for a new one."""
        return next((name for name, entry in self._manifest["models"].items() if entry["spec"] == spec), None)

    def begin(self) -> None:
        """Locks the folder and writes what is known before the first answer; only the first call does anything."""
        if self._begun:
            return
        self._stack.enter_context(self.store.locked())
        self._begun = True
        self._manifest["finished"] = False
        for name, table in self._questions.items():
            self.store.write(name, table)
        self.store.write_text("study.yaml", yaml.safe_dump(self.study, sort_keys=False, allow_unicode=True))
        self.store.write_manifest(self._manifest)

    def remember(self, spec: str, description: Mapping[str, Any]) -> None:
        """Enters a model into the manifest.

        Raises:
            RunFolderError: If another model has its name, or its weights, template or number type changed since it was observed.
        """
        name = description["id"]
        before = self._manifest["models"].get(name)
        if before is not None:
            if before["spec"] != spec:
                raise RunFolderError(
                    f"two models would both be called {name}: {before['spec']} and {spec}",
                    where=str(self.store.folder),
                    fix="Rename one of the model folders, or give another --out",
                )
            check_same_model(str(self.store.folder), before, description)
        self._manifest["models"][name] = {"spec": spec, **description}
        self.begin()
        self.store.write_manifest(self._manifest)

    def correct(self, description: Mapping[str, Any]) -> None:
        """Enters what became known of a model while it was asked; does nothing for one that is not in the manifest."""
        before = self._manifest["models"].get(description["id"])
        if self._begun and before is not None and before != {**before, **description}:
            self._manifest["models"][description["id"]] = {**before, **description}
            self.store.write_manifest(self._manifest)

    def finish(self) -> None:
        """Marks the run as finished: everything was asked, scored and concluded."""
        self._manifest["finished"] = True
        self.store.write_manifest(self._manifest)

    def keep(self, name: str, table: pl.DataFrame) -> pl.DataFrame:
        """Writes a table into the folder and returns it."""
        self.begin()
        self.store.write(name, table)
        return table

    def _new(self) -> dict[str, Any]:
        return new_manifest(self._questions["examples"], self._notes)

    def _continued(self, study: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
        folder = str(self.store.folder)
        manifest = self.store.read_manifest()
        if "recorded" in manifest:
            raise RunFolderError(
                "holds recorded answers, with which no model can go on", where=folder, fix="Give another --out, or use sago score"
            )
        before = self.store.read_study()
        check_same_study(folder, before, study)
        check_same_variants(folder, self.store.read("variants"), self._questions["variants"])
        data = data_fingerprints(self._questions["examples"])
        return {**manifest, "data": data, "notes": self._notes}, list(before["models"])
