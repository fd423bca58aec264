"""The contract of data set loaders as code: run it over a loader of your own before you register it."""

from __future__ import annotations

import json
from collections.abc import Iterator

import polars as pl

from sago import schemas
from sago.datasets import DatasetLoader, LoadOptions
from sago.errors import PluginError, SagoError, SchemaError
from sago.features import normal_number
from sago.records import Example
from sago.rows import example_of

_OTHER_NAME = "another-name"
_SHOWN = 5


def check_dataset(plugin: DatasetLoader | pl.DataFrame, source: str = "", *, rows: int | None = None) -> None:
    """Checks a loader on one source, or a table of examples, against everything that the other stages rely on.

    A table: it fits the schema, ids are unique, questions say something, choices differ, gold answers stand among the choices, the task
    fits, metadata is a JSON object, equal content has equal fingerprints and different content different ones. A loader besides: the same
    rows on every call, the dataset name that it is given, and nothing but the name changed by it.

    Args:
        plugin: The loader, or a table that one returned.
        source: What to load with it, as a user would write it; not used with a table.
        rows: Number of examples that must come; null = at least one.

    Raises:
        PluginError: If the contract is broken; the message says where and how.
    """
    if isinstance(plugin, pl.DataFrame):
        _check_table(plugin, "table of examples", rows)
        return
    where = f"loader {getattr(plugin, '__name__', type(plugin).__name__)}('{source}')"
    first = _loaded(plugin, source, LoadOptions(), where)
    _check_table(first, where, rows)
    if not _loaded(plugin, source, LoadOptions(), where).equals(first):
        raise PluginError("a second call returned other rows or another order", where=where, fix="Load without chance and without state")
    renamed = _loaded(plugin, source, LoadOptions(name=_OTHER_NAME), where)
    if set(renamed.get_column("dataset")) != {_OTHER_NAME}:
        raise PluginError("does not call the dataset as options.name says", where=where)
    if not renamed.drop("dataset").equals(first.drop("dataset")):
        raise PluginError("another dataset name changed more than the name", where=where, fix="Keep ids and fingerprints free of it")


def _loaded(loader: DatasetLoader, source: str, options: LoadOptions, where: str) -> pl.DataFrame:
    try:
        table = loader(source, options)
    except SagoError:
        raise
    except Exception as error:  # whatever a foreign loader raises is reported with its name
        raise PluginError(f"raised {error!r} instead of a DataError", where=where) from error
    if not isinstance(table, pl.DataFrame):
        raise PluginError(f"returned {type(table).__name__}, not a polars DataFrame", where=where)
    return _fitting(table, where)


def _fitting(table: pl.DataFrame, where: str) -> pl.DataFrame:
    try:
        return schemas.check("examples", table)
    except SchemaError as error:
        raise PluginError(f"rows do not fit table examples: {error}", where=where) from error


def _check_table(table: pl.DataFrame, where: str, rows: int | None) -> None:
    table = _fitting(table, where)
    if table.height == 0 or (rows is not None and table.height != rows):
        raise PluginError(f"{table.height} examples, expected {'at least 1' if rows is None else rows}", where=where)
    if table["dataset"].n_unique() != 1:
        raise PluginError(f"rows of {table['dataset'].n_unique()} data sets, one is expected", where=where)
    if not table["position"].is_sorted() or table["position"].n_unique() != table.height:
        raise PluginError("positions do not rise with the rows", where=where)
    problems = [f"example '{row['example']}' {what}" for row in table.iter_rows(named=True) for what in _problems_of(row)]
    problems += _fingerprint_problems(table)
    if problems:
        more = f" and {len(problems) - _SHOWN} more" if len(problems) > _SHOWN else ""
        raise PluginError("; ".join(problems[:_SHOWN]) + more, where=where)


def _problems_of(row: dict[str, object]) -> Iterator[str]:
    """Yields what is wrong with one row."""
    try:
        metadata = json.loads(str(row["metadata"]))
    except ValueError:
        metadata = None
    if not isinstance(metadata, dict):
        yield "has metadata that is no JSON object"
        return
    example = example_of(row)
    if not example.example.strip():
        yield "has a blank id"
    if not example.question.strip():
        yield "has a blank question"
    if example.context is not None and not example.context.strip():
        yield "has a blank context; none is null"
    if any(not text.strip() for text in example.paraphrases):
        yield "has a blank paraphrase"
    if example.choices is not None and len({text for text in example.choices if text.strip()}) < max(2, len(set(example.choices))):
        yield "has blank choices, or fewer than 2 different ones"
    yield from _task_problems(example)
    yield from _gold_problems(example, example.answers, example.answer_index, "gold")
    if example.twin is not None:
        if not example.twin.question.strip():
            yield "has a blank meaning-changed question"
        yield from _gold_problems(example, example.twin.answers, example.twin.answer_index, "meaning-changed gold")
    elif row["twin_answers"] is not None or row["twin_answer_index"] is not None:
        yield "has answers of a meaning-changed question that it has not"


def _task_problems(example: Example) -> Iterator[str]:
    if example.task not in {"choice", "numeric", "text"}:
        yield f"has the unknown task '{example.task}'"
    elif (example.task == "choice") != (example.choices is not None):
        yield f"has task '{example.task}' {'without' if example.choices is None else 'with'} choices"
    elif example.task == "numeric" and any(normal_number(answer) is None for answer in example.answers):
        yield "is numeric, with an answer that is no number"


def _gold_problems(example: Example, answers: tuple[str, ...], index: int | None, what: str) -> Iterator[str]:
    if any(not answer.strip() for answer in answers):
        yield f"has a blank {what} answer; no answer is an empty list"
    if example.choices is None:
        if index is not None:
            yield f"has a {what} index without choices"
    elif index is not None and not 0 <= index < len(example.choices):
        yield f"has {what} index {index} out of range for {len(example.choices)} choices"
    elif (() if index is None else (example.choices[index],)) != answers:
        yield f"has {what} answers {list(answers)} that are not the text of the choice at its index {index}"


def _fingerprint_problems(table: pl.DataFrame) -> Iterator[str]:
    """Yields if fingerprints and contents are not one to one."""
    content = ["question", "context", "choices", "answers"]
    pairs = table.select("fingerprint", *content).unique()
    if pairs["fingerprint"].n_unique() < pairs.height:
        yield "different contents have one fingerprint"
    if pairs.select(content).unique().height < pairs.height:
        yield "one content has different fingerprints"
