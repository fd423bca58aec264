"""``hf-dataset:NAME[:CONFIG][:SPLIT]``: data sets in the format of the Hugging Face hub, from the hub, its cache, or a local folder."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from sago.datasets.columns import find_columns
from sago.datasets.examples import examples_table
from sago.datasets.places import ROWS_A_PART, Records, Stream, numbered
from sago.datasets.protocol import LoadOptions
from sago.datasets.values import Fields, items_of
from sago.errors import DataError, MissingExtraError, SagoError

_INSTALL = "pip install 'sago-eval[datasets]'"
_WAYS = "Write hf-dataset:NAME, hf-dataset:NAME:SPLIT or hf-dataset:NAME:CONFIG:SPLIT; NAME is one of the hub or a folder"
_PREFERRED = ("test", "validation", "valid", "dev")
"""Splits that are taken where none is named, the first that is there."""


@dataclass(frozen=True, slots=True)
class _Address:
    """What a user named."""

    name: str
    parts: tuple[str, ...]
    """What stands behind the name: a configuration, a split, or both."""

    @property
    def is_local(self) -> bool:
        return Path(self.name).exists()


def load_hub(source: str, options: LoadOptions) -> pl.DataFrame:
    """Data sets of the Hugging Face hub or in local folders; give hf-dataset:NAME[:CONFIG][:SPLIT].

    Without a split it is the only one, else test, else validation. Columns are understood as those of a file. A column of classes
    (``ClassLabel``) that holds the answer gives the choices where no column does, and their labels where one does.

    Args:
        source: ``NAME[:CONFIG][:SPLIT]``; NAME is one of the hub, a folder of data files, or a folder that ``save_to_disk`` wrote.
        options: How to read the columns.

    Raises:
        MissingExtraError: If the package ``datasets`` is not installed.
        DataError: If the data set cannot be had, there is no such configuration or split, or a row cannot be used.
    """
    address = _address(source)
    rows, config, split = _opened(address, source)
    called = [Path(address.name).resolve().name if address.is_local else address.name.rsplit("/", 1)[-1]]
    called += [part for part in (config, split) if part in address.parts and part]
    dataset = options.name or "-".join(part for part in called if part)
    if split is not None and split not in address.parts:
        options.note(f"{dataset}: reads split '{split}'")
    features = {name: feature for name, feature in rows.features.items() if not _is_media(feature)}
    left_out = [name for name in rows.features if name not in features]
    if left_out:
        options.note(f"{dataset}: images, sound and video are left out ({', '.join(left_out)})")
        rows = rows.select_columns(list(features))
    classes = _Classes(features, find_columns(features, options.columns, source))
    if classes.note:
        options.note(f"{dataset}: {classes.note}")
    return examples_table(Stream("row", lambda: _parts(rows, classes)), source, dataset, options)


def _address(source: str) -> _Address:
    """Takes apart what a user wrote; a colon may be part of the path of a folder that is there."""
    pieces = source.split(":")
    for count in range(len(pieces), 0, -1):
        name = ":".join(pieces[:count])
        if name and Path(name).exists():
            break
    else:
        name, count = pieces[0], 1
    parts = tuple(pieces[count:])
    if not name or len(parts) > 2 or source == "hf-dataset" or (parts and not parts[-1]):
        raise DataError("names no data set of the hub", where=source or "''", fix=_WAYS)
    return _Address(name, parts)


def _library() -> Any:
    try:
        import datasets
    except ImportError as error:
        raise MissingExtraError("data sets of the hub need the package datasets", install=_INSTALL) from error
    return datasets


def _opened(address: _Address, source: str) -> tuple[Any, str | None, str | None]:
    """Returns the rows, and the names of their configuration and split."""
    library = _library()
    path = Path(address.name)
    try:
        if (path / "dataset_dict.json").is_file() or (path / "state.json").is_file():
            return _saved(library.load_from_disk(str(path)), address, source)
        if address.is_local and path.is_file():
            raise DataError("is a file, not a folder", where=source, fix=f"Read it as a file: {path}")
        return _built(library, address, source)
    except (SagoError, KeyboardInterrupt):
        raise
    except Exception as error:  # the library has no base of its own for what can be wrong with a name, a file or the network
        what = " ".join(str(error).split())[:300] or type(error).__name__
        fix = None if address.is_local else "Check the name and the network"
        raise DataError(f"cannot be loaded: {what}", where=source, fix=fix) from error


def _saved(saved: Any, address: _Address, source: str) -> tuple[Any, str | None, str | None]:
    """Returns the rows that ``save_to_disk`` wrote: one split, or several in one folder."""
    wanted = [part for part in address.parts if part]
    if not isinstance(saved, Mapping):
        if wanted and wanted != [str(saved.split)]:
            raise DataError("holds one split without a name", where=source, fix=f"Write hf-dataset:{address.name}")
        return saved, None, None if saved.split is None else str(saved.split)
    if len(wanted) > 1:
        raise DataError("a saved folder has splits but no configurations", where=source, fix=f"Splits: {', '.join(saved)}")
    split = _split(list(saved), wanted[0] if wanted else None, source)
    return saved[split], None, split


def _built(library: Any, address: _Address, source: str) -> tuple[Any, str | None, str | None]:
    """Returns the rows of a folder of data files, or of a name of the hub."""
    configs = list(library.get_dataset_config_names(address.name))
    config, wanted = _config_and_split(address, configs, source)
    split = _split(list(library.get_dataset_split_names(address.name, config)), wanted, source)
    return library.load_dataset(address.name, config, split=split), config, split


def _config_and_split(address: _Address, configs: Sequence[str], source: str) -> tuple[str | None, str | None]:
    if len(address.parts) == 2:
        config, split = address.parts
        if config and config not in configs:
            raise DataError(f"no configuration '{config}'", where=source, fix=_near(config, configs))
        return config or None, split
    one = address.parts[0] if address.parts else None
    if one in configs:
        return one, None
    if len(configs) > 1:
        what = "has several configurations" if one is None else f"no configuration '{one}'"
        raise DataError(what, where=source, fix=f"Name one: {_listed(configs)}")
    return None, one


def _split(splits: Sequence[str], wanted: str | None, source: str) -> str:
    if wanted is not None:
        if wanted not in splits:
            raise DataError(f"no split '{wanted}'", where=source, fix=_near(wanted, splits))
        return wanted
    if len(splits) == 1:
        return splits[0]
    found = next((split for split in _PREFERRED if split in splits), None)
    if found is None:
        raise DataError("has several splits", where=source, fix=f"Name one: {_listed(splits)}")
    return found


def _near(name: str, names: Sequence[str]) -> str:
    close = difflib.get_close_matches(name, names, n=2)
    return f"Did you mean {' or '.join(close)}?" if close else f"There: {_listed(names)}"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:10]) + (f" and {len(names) - 10} more" if len(names) > 10 else "")


def _is_media(feature: Any) -> bool:
    return type(feature).__name__ in {"Image", "Audio", "Video", "Pdf", "Nifti"}


class _Classes:
    """Columns whose numbers stand for names."""

    def __init__(self, features: Mapping[str, Any], fields: Mapping[str, str]) -> None:
        self._names = {name: list(feature.names) for name, feature in features.items() if _is_class(feature)}
        self._lists = {name: list(inner.names) for name, inner in _inner(features) if _is_class(inner)}
        self._of_answer = self._names.get(fields.get("answer", ""), [])
        self._gives_choices = len(self._of_answer) > 1 and "choices" not in {*fields, *features}
        gives_labels = bool(self._of_answer) and "choices" in fields and "labels" not in {*fields, *features}
        self._labelled = fields["choices"] if gives_labels else None
        """The column of choices that the classes of the answer may be the labels of."""
        self.note = f"choices are the classes of '{fields['answer']}'" if self._gives_choices else None

    def named(self, row: Fields) -> Fields:
        """Returns a row with names in place of numbers, with choices or labels where they are the classes of the answer."""
        named = dict(row)
        for column, names in self._names.items():
            named[column] = _name(row[column], names)
        for column, names in self._lists.items():
            named[column] = None if row[column] is None else [_name(value, names) for value in row[column]]
        if self._gives_choices:
            named["choices"] = self._of_answer
        elif self._labelled is not None:
            choices = items_of(row[self._labelled], split=False) or []
            if len(choices) == len(self._of_answer) and not any(isinstance(choice, Mapping) for choice in choices):
                named["labels"] = self._of_answer
        return named


def _is_class(feature: Any) -> bool:
    return type(feature).__name__ == "ClassLabel"


def _inner(features: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yields the columns of lists with the kind of their items, in the spellings of several versions of the library."""
    for name, feature in features.items():
        inner = feature[0] if isinstance(feature, list) and len(feature) == 1 else getattr(feature, "feature", None)
        if inner is not None:
            yield name, inner


def _name(value: Any, names: Sequence[str]) -> str | None:
    """Returns the name of a class; -1 is how the hub writes that it is not known."""
    return names[value] if isinstance(value, int) and 0 <= value < len(names) else None


def _parts(rows: Any, classes: _Classes) -> Iterator[Records]:
    """Yields the rows; they stay in Arrow's memory map until their part is read."""
    batches = rows.with_format("arrow").iter(batch_size=ROWS_A_PART)
    yield from numbered(classes.named(row) for batch in batches for row in batch.to_pylist())
