"""``lm-eval:TASK`` and ``lm-eval:FOLDER:TASK``: the questions of a task of the LM Evaluation Harness, through its own loader of tasks.

The question is what the task gives a model (``doc_to_text``), the choices are ``doc_to_choice`` and the right answer is ``doc_to_target``.
Description and solved examples are left out: they are a matter of variations here.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from sago.datasets.columns import OTHER_NAMES
from sago.datasets.examples import examples_table
from sago.datasets.places import Records, Stream, numbered
from sago.datasets.protocol import LoadOptions
from sago.datasets.values import Fields, text_of
from sago.errors import DataError, MissingExtraError, SagoError

_INSTALL = "pip install 'sago-eval[lm-eval]'"
_WAYS = "Write lm-eval:TASK, lm-eval:FOLDER:TASK or lm-eval:FILE.yaml"
_KINDS = {"multiple_choice", "generate_until", "loglikelihood"}


def load_task(source: str, options: LoadOptions) -> pl.DataFrame:
    """Questions of a task of the LM Evaluation Harness; give lm-eval:TASK, or lm-eval:FOLDER:TASK for a task of one's own.

    The documents are those that the harness would evaluate: the test split, else the validation split. The dataset is called like the
    task, or as ``options.name`` says. A mapping of columns is for files and ignored: the task says itself which field is which.

    Args:
        source: ``TASK``; ``FOLDER:TASK``, where FOLDER holds the YAML files of tasks; or the path of one YAML file.
        options: How to call the dataset, and who hears of notes.

    Raises:
        MissingExtraError: If the package ``lm_eval`` is not installed.
        DataError: If there is no such task, it is a group, its data cannot be had, or a document cannot be used.
    """
    task, name = _task(source)
    kind = str(task.config.output_type)
    if kind not in _KINDS:
        raise DataError(f"is a task of kind {kind}, which has no question with an answer", where=source)
    try:
        documents = task.eval_docs
    except Exception as error:  # the harness has no base of its own for what can be wrong with a task
        raise _failed(source, error) from error
    stream = Stream("row", lambda: _parts(task, documents, source, has_choices=kind == "multiple_choice"))
    return examples_table(stream, source, options.name or name, replace(options, columns={}))


def _manager() -> Any:
    try:
        from lm_eval.tasks import TaskManager
    except ImportError as error:
        what = f"tasks of the LM Evaluation Harness need the package lm-eval (cannot import {error.name})"
        raise MissingExtraError(what, install=_INSTALL) from error
    return TaskManager


def _task(source: str) -> tuple[Any, str]:
    """Returns the task, with its data, and its name."""
    folder, name = _address(source)
    try:
        is_own = folder is not None or Path(name).is_file()
        manager = _manager()(include_path=folder, include_defaults=not is_own)  # to list the harness's 15,000 tasks takes seconds
        if not Path(name).is_file():
            _check_name(manager, name, source)
        loaded = manager.load(name)
        tasks = loaded["tasks"]
    except SagoError:
        raise
    except Exception as error:  # see load_task
        raise _failed(source, error) from error
    if loaded["groups"] or len(tasks) != 1:
        raise DataError(f"'{name}' is a group of {len(tasks)} tasks", where=source, fix=f"Name one: {_listed(sorted(tasks))}")
    called, task = next(iter(tasks.items()))
    return task, called


def _address(source: str) -> tuple[str | None, str]:
    folder, _, name = source.rpartition(":")
    if folder and Path(folder).is_dir() and name:
        return folder, name
    if source == "lm-eval" or not source:
        raise DataError("names no task", where=source or "''", fix=_WAYS)
    if folder:
        raise DataError(f"no such folder: {folder}", where=source, fix=_WAYS)
    return None, source


def _check_name(manager: Any, name: str, source: str) -> None:
    if name in manager.all_tasks:
        if name in manager.all_subtasks:
            return
        members = sorted(task for task in manager.all_subtasks if task.startswith(f"{name}_"))
        raise DataError(
            f"'{name}' is a group of tasks", where=source, fix=f"Name one: {_listed(members)}" if members else "Name one of them"
        )
    near = difflib.get_close_matches(name, manager.all_subtasks, n=2)
    raise DataError(f"no task '{name}'", where=source, fix=f"Did you mean {' or '.join(near)}?" if near else _WAYS)


def _parts(task: Any, documents: Any, source: str, *, has_choices: bool) -> Iterator[Records]:
    def rows() -> Iterator[Fields]:
        for number, document in enumerate(documents, 1):
            try:
                yield _fields(task, document, has_choices=has_choices)
            except SagoError as error:
                raise DataError(str(error), where=f"{source}, row {number}") from error
            except Exception as error:  # see load_task
                raise _failed(f"{source}, row {number}", error) from error

    return numbered(rows())


def _fields(task: Any, document: Mapping[str, Any], *, has_choices: bool) -> dict[str, Any]:
    """Returns one document as the fields of an example; its own fields are kept as metadata."""
    question = task.doc_to_text(document)
    if not isinstance(question, str):
        raise DataError("the task puts its choices into the question (several inputs), which is no question with choices")
    target = task.doc_to_target(document)
    fields: dict[str, Any] = {"question": question, "answer": target if not isinstance(target, tuple) else list(target)}
    if has_choices:
        choices = list(task.doc_to_choice(document))
        fields |= {"choices": choices, "answer": _chosen(target, choices)}
    name = next((document[field] for field in ("id", *OTHER_NAMES["id"]) if text_of(document.get(field)) is not None), None)
    if name is not None:
        fields["id"] = name
    return fields | {"document": {key: value for key, value in document.items() if value is not None}}


def _chosen(target: Any, choices: Sequence[Any]) -> Any:
    """Returns the right choice: the harness gives its index, or its text; a list where several are right."""
    if isinstance(target, list):
        return [_chosen(one, choices) for one in target]
    if isinstance(target, bool):
        target = int(target)
    return choices[target] if isinstance(target, int) and 0 <= target < len(choices) else target


def _failed(where: str, error: Exception) -> DataError:
    what = " ".join(str(error).split())[:300] or type(error).__name__
    return DataError(f"the harness cannot load it: {what}", where=where)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:10]) + (f" and {len(names) - 10} more" if len(names) > 10 else "")
