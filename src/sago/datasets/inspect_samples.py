"""``inspect:MODULE:NAME``, ``inspect:FILE.py:NAME`` and ``inspect:FILE.jsonl``: samples of the Inspect framework.

Samples are known by their fields (input, choices, target, id, metadata), so that the framework itself is only needed for files of samples;
a module of samples imports what it needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from sago.datasets.examples import examples_table
from sago.datasets.named_objects import named_object
from sago.datasets.places import Records, Stream, numbered
from sago.datasets.protocol import LoadOptions
from sago.datasets.reading import stem
from sago.datasets.values import Fields
from sago.errors import DataError, MissingExtraError, SagoError

_INSTALL = "pip install 'sago-eval[inspect]'"
_WAYS = "inspect:package.module:name, inspect:file.py:name or inspect:samples.jsonl"
_FILES = {".jsonl": "json_dataset", ".json": "json_dataset", ".csv": "csv_dataset"}


def load_inspect(source: str, options: LoadOptions) -> pl.DataFrame:
    """Samples of the Inspect framework; give inspect:MODULE:NAME, inspect:FILE.py:NAME or inspect:FILE.jsonl.

    NAME is a dataset, a task, a list of samples, or a function without arguments that returns one. The dataset is called like it, or as
    ``options.name`` says. Where there are choices, the target is a letter, as in Inspect. System messages are kept as metadata and told. A
    mapping of columns is for files and ignored: samples have fields of their own.

    Args:
        source: ``MODULE:NAME``, ``FILE.py:NAME``, or a JSON, JSON lines or CSV file of samples.
        options: How to call the dataset, and who hears of notes.

    Raises:
        MissingExtraError: If a file is given and the package ``inspect_ai`` is not installed.
        DataError: If there are no such samples, or one of them cannot be used.
    """
    samples, name = _samples(source)
    return examples_of_samples(samples, options.name or name, options, source)


def examples_of_samples(samples: list[Any], dataset: str, options: LoadOptions, source: str = "") -> pl.DataFrame:
    """Returns samples as table ``examples``.

    Args:
        samples: Samples of Inspect.
        dataset: How to call the data set.
        options: Who hears of notes.
        source: Where they come from, for messages; empty = the name of the data set.

    Raises:
        DataError: If one of them cannot be used.
    """
    with_system = sum(1 for sample in samples if _texts(sample, "system"))
    if with_system:
        options.note(f"{dataset}: {with_system} samples have a system message, kept as metadata and not asked (--system asks one)")
    where = source or dataset
    return examples_table(Stream("row", lambda: _parts(samples, where)), where, dataset, replace(options, columns={}))


def _samples(source: str) -> tuple[list[Any], str]:
    path = Path(source)
    if path.suffix in _FILES:
        return _of_file(path, source), stem(source)
    found, name = named_object(source, _WAYS)
    try:
        if callable(found) and not isinstance(found, Iterable):
            found = found()
        found = getattr(found, "dataset", found)  # a task has one
        samples = list(found)
    except SagoError:
        raise
    except Exception as error:  # whatever foreign code raises is reported with its name
        raise DataError(f"gave no samples: {error!r}", where=source) from error
    return samples, name


def _of_file(path: Path, source: str) -> list[Any]:
    if not path.is_file():
        raise DataError("no such file", where=source, fix=f"Write {_WAYS}")
    try:
        from inspect_ai import dataset as library
    except ImportError as error:
        what = f"files of samples need the package inspect-ai (cannot import {error.name})"
        raise MissingExtraError(what, install=_INSTALL) from error
    try:
        return list(getattr(library, _FILES[path.suffix])(str(path)))
    except Exception as error:  # the framework has no base of its own for what can be wrong with a file
        raise DataError(f"Inspect cannot read it: {' '.join(str(error).split())[:300]}", where=source) from error


def _parts(samples: list[Any], source: str) -> Iterator[Records]:
    def rows() -> Iterator[Fields]:
        for number, sample in enumerate(samples, 1):
            try:
                yield _fields(sample)
            except DataError as error:
                raise DataError(error.what, where=f"{source}, row {number}") from error

    return numbered(rows())


def _fields(sample: Any) -> dict[str, Any]:
    """Returns a sample as the fields of an example."""
    if not hasattr(sample, "input"):
        raise DataError(f"is {type(sample).__name__}, no sample of Inspect")
    choices = getattr(sample, "choices", None) or None
    target: Any = getattr(sample, "target", None) or None
    if choices and isinstance(target, str) and len(target) > 1 and target.isalpha() and target.isupper() and target not in choices:
        target = list(target)  # Inspect spells several right choices as "AC"
    fields = {"question": _question(sample), "answer": target}
    if choices:
        fields["choices"] = list(choices)
        fields["labels"] = [chr(ord("A") + place) for place in range(len(choices))] if len(choices) <= 26 else None
    if getattr(sample, "id", None) is not None:
        fields["id"] = sample.id
    system = _texts(sample, "system")
    metadata = getattr(sample, "metadata", None) or {}
    kept = {"metadata": dict(metadata)} if isinstance(metadata, Mapping) and metadata else {}
    return fields | kept | ({"system": "\n\n".join(system)} if system else {})


def _question(sample: Any) -> str:
    if isinstance(sample.input, str):
        return sample.input
    turns = [message for message in sample.input if getattr(message, "role", "") != "system"]
    texts = _texts(sample, "user")
    if len(turns) != 1 or len(texts) != 1:
        raise DataError(f"its input is a conversation of {len(turns)} turns, not one question in text")
    return texts[0]


def _texts(sample: Any, role: str) -> list[str]:
    """Returns what one role says in the messages of a sample."""
    given = getattr(sample, "input", "")
    if isinstance(given, str):
        return []
    return [str(message.text) for message in given if getattr(message, "role", "") == role and message.text]
