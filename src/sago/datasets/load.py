"""The stage ``load``: sources, each a path or a registered name, become one table of examples."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import polars as pl

from sago import registry, schemas
from sago.datasets.builtin import NAMES as BUILT_IN
from sago.datasets.overlaps import overlap_notes
from sago.datasets.protocol import DatasetLoader, LoadOptions
from sago.datasets.reading import ENDINGS, STDIN, stem
from sago.errors import DataError, PluginError, SchemaError, StudyError
from sago.seeds import content_hash

_FILE = "file"
"""Registered name of the loader of files."""

_FIXED_FIELDS = frozenset({*BUILT_IN, "inspect", "lm-eval"})
"""Registered names of loaders whose fields have names of their own, so that no column could be named for them."""


class Loaded(NamedTuple):
    """What was loaded."""

    examples: pl.DataFrame
    """Table ``examples``."""
    notes: tuple[str, ...]
    """What a reader of the numbers should know, one line each: how fields were read, what was doubtful, what was drawn."""


@dataclass(frozen=True, slots=True)
class _Source:
    """One source, resolved to a loader."""

    given: str
    loader: str
    argument: str
    name: str | None
    """Name of the dataset; null = the loader's choice."""


def load(
    sources: Sequence[str],
    *,
    columns: Mapping[str, str] | None = None,
    limit: int | None = None,
    sample: float | None = None,
    seed: int = 0,
) -> Loaded:
    """Loads data sets.

    Examples with the same content, in one data set or in several, are told in the notes; none is dropped.

    Args:
        sources: Each the path of a file, ``-`` for standard input, a registered name (``sago list datasets``), or ``NAME:argument``.
            A registered name comes before a file of that name; write ``./NAME`` for the file.
        columns: Field of an example -> column, for sources whose columns have names of their own; beside these may stand others.
        limit: Most examples to take of each data set, drawn at random but the same for the same seed and ids, whatever the order of the
            file; null = all. Positions stay those of the whole source.
        sample: Share of each data set to draw in the same way, in (0, 1], rounded to whole examples, at least one; null = all. With both,
            the smaller draw counts: each is a part of every larger one with the same seed.
        seed: Seed of the draw.

    Raises:
        DataError: If a source is not there or cannot be used.
        StudyError: If the limit is not positive, the sample no share, or a column mapping is for no field or for no source.
        PluginError: If a registered loader breaks its contract.
    """
    if limit is not None and limit < 1:
        raise StudyError(f"limit {limit} would leave no examples", fix="Give a number of at least 1, or leave it out for all")
    if sample is not None and not 0 < sample <= 1:
        raise StudyError(f"sample {sample:g} is no share", fix="Give a share above 0 and up to 1, such as 0.1, or a number with --limit")
    notes: list[str] = []
    tables: list[pl.DataFrame] = []
    resolved = _resolved(sources)
    if columns and resolved and all(source.loader in _FIXED_FIELDS for source in resolved):
        fixed = ", ".join(source.given for source in resolved)
        raise StudyError(f"the fields of {fixed} have fixed names", where="columns", fix="Leave --columns out, or give a file of your own")
    for source in resolved:
        table = _load_one(source, LoadOptions(columns=columns or {}, name=source.name, note=notes.append))
        tables.append(_draw(table, limit, sample, seed, notes))
    examples = pl.concat(tables) if tables else schemas.empty("examples")
    _refuse_shared_names(tables)
    return Loaded(schemas.check("examples", examples), (*notes, *overlap_notes(examples)))


def _load_one(source: _Source, options: LoadOptions) -> pl.DataFrame:
    loader: DatasetLoader = registry.get("datasets", source.loader)
    table = loader(source.argument, options)
    try:
        return schemas.check("examples", table)
    except SchemaError as error:
        raise PluginError(f"loader '{source.loader}' returned no table of examples: {error}", where=source.given) from error


def _resolved(sources: Sequence[str]) -> list[_Source]:
    """Returns sources with their loaders; files of one name in different folders get the folder into their names."""
    found = [_resolve(source) for source in sources]
    repeated = [source for source, count in Counter(_identity(one) for one in found).items() if count > 1]
    if repeated:
        raise DataError("is given twice", where=repeated[0], fix="Give each source once")
    shared = {name for name, count in Counter(one.name for one in found).items() if name is not None and count > 1}
    if not shared:
        return found
    told_apart = [one if one.name not in shared else _with_folder(one) for one in found]
    names = [one.name for one in told_apart if one.name is not None]
    for name, count in Counter(names).items():
        if count > 1:
            clashing = ", ".join(one.given for one in told_apart if one.name == name)
            raise DataError(f"{clashing} would all be the data set '{name}'", fix="Rename one of the files")
    return told_apart


def _resolve(given: str) -> _Source:
    known = registry.names("datasets")
    if given == STDIN:
        return _Source(given, _FILE, given, stem(given))
    if given in known and given != _FILE:
        return _Source(given, given, given, None)
    if Path(given).is_file():
        return _Source(given, _FILE, given, stem(given))
    prefix, colon, argument = given.partition(":")
    if colon and argument and prefix in known:
        return _resolve_file(argument) if prefix == _FILE else _Source(given, prefix, argument, None)
    return _resolve_file(given)


def _resolve_file(given: str) -> _Source:
    path = Path(given)
    if path.is_dir():
        inside = sorted(entry.name for entry in path.iterdir() if _is_data(entry))
        hint = f"Files in it: {', '.join(inside[:5])}" if inside else "It holds no data file"
        raise DataError("is a folder, not a file", where=given, fix=hint)
    if not path.exists():
        raise DataError("no such file, and no data set of that name", where=given or "''", fix=_near(path))
    return _Source(given, _FILE, given, stem(given))


def _near(path: Path) -> str:
    """Returns what a wrong path may have meant: files beside it, and registered names."""
    beside = [entry.name for entry in path.parent.iterdir() if _is_data(entry)] if path.parent.is_dir() else []
    names = [name for name in registry.names("datasets") if name != _FILE]
    close = difflib.get_close_matches(path.name, beside, n=2, cutoff=0.6)
    meant = [str(path.parent / name) for name in close] + difflib.get_close_matches(path.name, names, n=2, cutoff=0.5)
    if meant:
        return f"Did you mean {' or '.join(meant)}?"
    if not path.parent.is_dir():
        return f"There is no folder {path.parent}"
    return f"Give a path, or one of: {', '.join(names)}"


def _is_data(entry: Path) -> bool:
    name = entry.name.lower().removesuffix(".gz")
    return Path(name).suffix in ENDINGS and entry.is_file()


def _identity(source: _Source) -> str:
    if source.loader == _FILE and source.argument != STDIN:
        return str(Path(source.argument).resolve())
    return source.given


def _with_folder(source: _Source) -> _Source:
    if source.argument == STDIN:
        return source
    folder = Path(source.argument).resolve().parent.name
    return _Source(source.given, source.loader, source.argument, f"{folder}-{source.name}")


def _draw(table: pl.DataFrame, limit: int | None, sample: float | None, seed: int, notes: list[str]) -> pl.DataFrame:
    """Returns some rows of a data set in their order: those whose hash of seed, dataset and id is smallest."""
    share = table.height if sample is None else max(1, round(sample * table.height))
    count = min(share, table.height if limit is None else limit)
    if table.height <= count:
        return table
    drawn = table.with_columns(
        _rank=pl.Series([content_hash("limit", seed, *key) for key in table.select("dataset", "example").iter_rows()])
    )
    kept = drawn.sort("_rank").head(count).sort("position").drop("_rank")
    asked = f"; --sample {sample:g}" if sample is not None and share == count else "; --limit" if sample is not None else ""
    notes.append(f"{table['dataset'][0]}: drew {count} of {table.height} at random (seed {seed}{asked})")
    return kept


def _refuse_shared_names(tables: list[pl.DataFrame]) -> None:
    counts = Counter(name for table in tables for name in table["dataset"].unique().to_list())
    shared = sorted(name for name, count in counts.items() if count > 1)
    if shared:
        raise DataError(f"two sources are called '{shared[0]}'", fix="Rename the file: data sets are told apart by their names")
