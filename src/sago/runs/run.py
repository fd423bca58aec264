"""A run to look at: its tables as polars frames, and its report."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from sago import schemas
from sago.errors import DataError, RunFolderError
from sago.runs.manifest import check_comparable
from sago.runs.store import RunStore

if TYPE_CHECKING:
    from sago.reports import RunSummary


class Run:
    """One study on disk.

    Args:
        folder: The run folder.
        store: What has just written it, so that its tables need not be read again; null = read the folder.

    Raises:
        RunFolderError: If the folder is no run folder.
    """

    def __init__(self, folder: str | Path, store: RunStore | None = None) -> None:
        self.folder = Path(folder)
        self._store = store or RunStore(self.folder)
        self.manifest: dict[str, Any] = self._store.read_manifest()

    def __repr__(self) -> str:
        return f"Run({str(self.folder)!r})"

    @cached_property
    def study(self) -> dict[str, Any]:
        """The study as resolved, field by field."""
        return self._store.read_study()

    @cached_property
    def examples(self) -> pl.DataFrame:
        """Table ``examples``."""
        return self._store.read("examples")

    @cached_property
    def variants(self) -> pl.DataFrame:
        """Table ``variants``."""
        return self._store.read("variants")

    @cached_property
    def observations(self) -> pl.DataFrame:
        """Table ``observations``."""
        return self._store.read("observations")

    @cached_property
    def states(self) -> pl.DataFrame:
        """Table ``states``; large."""
        return self._store.read("states")

    @cached_property
    def features(self) -> pl.DataFrame:
        """Table ``features``."""
        return self._store.read("features")

    @cached_property
    def scores(self) -> pl.DataFrame:
        """Table ``scores``: one example on one measure."""
        return self._store.read("scores")

    @cached_property
    def halves(self) -> pl.DataFrame:
        """Table ``halves``: scores of examples on halves of their wordings."""
        return self._store.read("halves")

    @cached_property
    def covariates(self) -> pl.DataFrame:
        """Table ``covariates``: what else is known of each example."""
        return self._store.read("covariates")

    @cached_property
    def profiles(self) -> pl.DataFrame:
        """Table ``profiles``: one cell with standard error and interval."""
        return self._store.read("profiles")

    @cached_property
    def controls(self) -> pl.DataFrame:
        """Table ``controls``: checks of the measurement itself."""
        return self._store.read("controls")

    @cached_property
    def accuracy(self) -> pl.DataFrame:
        """Table ``accuracy``: correctness beside stability."""
        return self._store.read("accuracy")

    @cached_property
    def wording_accuracy(self) -> pl.DataFrame:
        """Table ``wording_accuracy``: accuracy of each wording that examples share."""
        return self._store.read("wording_accuracy")

    @cached_property
    def components(self) -> pl.DataFrame:
        """Table ``components``: where the variance of scores comes from."""
        return self._store.read("components")

    @cached_property
    def findings(self) -> pl.DataFrame:
        """Table ``findings``: claims with their tests."""
        return self._store.read("findings")

    @cached_property
    def variation_counts(self) -> pl.DataFrame:
        """Table ``variation_counts``: asked, made and dropped per family."""
        return self._store.read("variation_counts")

    @cached_property
    def equivalence(self) -> pl.DataFrame:
        """Table ``equivalence``: how far it is known that wordings mean the same."""
        return self._store.read("equivalence")

    def tables(self) -> schemas.Tables:
        """Returns every table but the hidden states, for a report."""
        names = schemas.Tables.__dataclass_fields__
        return schemas.Tables(**{name: getattr(self, name) for name in names})

    def example(self, dataset: str, example: str) -> pl.DataFrame:
        """Returns the wordings of one example and what came back, side by side.

        Columns: model, variant, family, decoding, rerun, prompt (the last message), status, response, answer (as read).

        Raises:
            DataError: If the run has no such example.
        """
        key = (pl.col("dataset") == dataset) & (pl.col("example") == str(example))
        wordings = self.variants.filter(key)
        if wordings.is_empty():
            datasets = ", ".join(self.variants["dataset"].unique().sort().to_list())
            raise DataError(
                f"no example '{example}' in data set '{dataset}'", where=str(self.folder), fix=f"Data sets of this run: {datasets}"
            )
        prompt = pl.col("messages").list.last().struct.field("content").alias("prompt")
        answers = self.features.filter(key & (pl.col("feature") == "answer")).select(*schemas.KEYS, answer=pl.col("category"))
        return (
            wordings.select("dataset", "example", "variant", "family", "position", prompt)
            .join(self.observations.filter(key), on=["dataset", "example", "variant"], how="left")
            .join(answers, on=list(schemas.KEYS), how="left")
            .sort("model", "position", "decoding", "rerun")
            .select("model", "variant", "family", "decoding", "rerun", "prompt", "status", "response", "answer")
        )

    def report(self, path: str | Path | None = None) -> Path:
        """Writes the HTML report and returns its path (default: ``report.html`` in the run folder)."""
        from sago.reports import write_html

        return write_html(self.tables(), summary_of([self]), Path(path) if path else self.folder / "report.html")


def summary_of(runs: list[Run]) -> RunSummary:
    """Returns what a report says about how its runs were made."""
    from sago.reports import RunSummary

    first = runs[0]
    return RunSummary(
        name=", ".join(str(run.folder) for run in runs),
        study=first.study,
        models=[dict(model) for run in runs for model in run.manifest["models"].values()],
        created=str(first.manifest["created"]),
        seed=int(first.study["seed"]),
        versions={"sago": first.manifest["sago_version"], "python": first.manifest["python"], **first.manifest["packages"]},
        notes=tuple(dict.fromkeys(note for run in runs for note in (*_unfinished(run), *run.manifest["notes"]))),
    )


def _unfinished(run: Run) -> tuple[str, ...]:
    if run.manifest.get("finished", False):
        return ()
    go_on = f"Score it with sago score {run.folder}" if "recorded" in run.manifest else "Give its sago run command again to go on"
    return (f"{run.folder} is not finished: numbers are of what was scored last. {go_on}",)


def joined_tables(runs: list[Run]) -> schemas.Tables:
    """Puts the tables of several runs of the same questions together, for one report.

    The findings stay those of each run: none compares models of two runs. ``sago.pipeline.compared`` makes them anew.

    Raises:
        RunFolderError: If two runs hold the same model on the same data set, or asked other questions or in another way.
    """
    if len(runs) == 1:
        return runs[0].tables()
    for run in runs[1:]:
        check_comparable(str(runs[0].folder), str(run.folder), (runs[0].study, run.study), (runs[0].variants, run.variants))
    seen: dict[tuple[str, str], str] = {}
    for run in runs:
        for model, dataset in run.observations.select("model", "dataset").unique().sort("model", "dataset").iter_rows():
            if (model, dataset) in seen:
                raise RunFolderError(
                    f"{model} on {dataset} stands in {seen[model, dataset]} already", where=str(run.folder), fix="Leave one of them out"
                )
            seen[model, dataset] = str(run.folder)
    each = [run.tables() for run in runs]
    keys = {"examples": ["dataset", "example"], "variants": ["dataset", "example", "variant"], "variation_counts": ["dataset", "family"]}
    keys["equivalence"] = ["dataset", "family"]
    joined = {}
    for name in schemas.Tables.__dataclass_fields__:
        table = pl.concat([getattr(tables, name) for tables in each])
        joined[name] = table.unique(keys[name], keep="first", maintain_order=True) if name in keys else table
    return schemas.Tables(**joined)
